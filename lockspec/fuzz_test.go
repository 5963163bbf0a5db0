package lockspec

import (
	"encoding/json"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// Whatever template a client decodes: it is refused with reasons, or the result holds every container behind
// its lock, may overlap with itself, and is not wrapped again.
//
//	go test -fuzz FuzzWrap ./lockspec
func FuzzWrap(f *testing.F) {
	for _, text := range []string{
		`{"spec":{"containers":[{"name":"agent","image":"a","command":["agent","run"]}],"initContainers":[{"name":"init-config","command":["bash","-c","x"]}]}}`,
		`{"spec":{"hostNetwork":true,"containers":[{"name":"agent","command":["agent","run"],"ports":[{"name":"p","hostPort":1,"containerPort":70000}],"livenessProbe":{"httpGet":{"port":"p"},"periodSeconds":-1}}]}}`,
		`{"spec":{"containers":[{},{}],"initContainers":[{"restartPolicy":"Always"}],"volumes":[{},{"name":"","hostPath":{"path":"/../.."}}]}}`,
		`{"spec":{"containers":[{"name":"agent","command":["/x/setlock","-n"],"volumeMounts":[{"name":"v","mountPath":"//","subPath":"../.."}]}],"securityContext":{"runAsUser":-1}}}`,
		`{}`,
	} {
		f.Add([]byte(text))
	}
	spec, _ := Preset("datadog")
	f.Fuzz(func(t *testing.T, text []byte) {
		var template corev1.PodTemplateSpec
		if json.Unmarshal(text, &template) != nil {
			t.Skip()
		}
		before := template.DeepCopy()
		Inspect(&template.Spec)
		_ = MayOverlap(&template.Spec, &template.Spec)
		wrapped, err := Wrap(template, spec)
		if !equality.Semantic.DeepEqual(before, &template) {
			t.Fatal("the input was changed")
		}
		var refused *RefusedError
		if err != nil {
			if !errors.As(err, &refused) || len(refused.Faults) == 0 {
				t.Fatalf("no reasons: %v", err)
			}
			return
		}
		if found, all := Inspect(&wrapped.Spec); !all {
			t.Fatalf("not all behind a lock: %+v", found)
		}
		if err := MayOverlap(&wrapped.Spec, &wrapped.Spec); err != nil {
			t.Fatalf("may not overlap with itself: %v", err)
		}
		again, err := Wrap(wrapped, spec)
		if err != nil || !equality.Semantic.DeepEqual(again, wrapped) {
			t.Fatalf("wrapped again: %v", err)
		}
	})
}
