package plan_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

// Any Rollout document over a sound cluster: each of its faults has a field path, and a document that is
// accepted makes a plan, which says the same when asked again and is accepted by its own judge.
//
//	go test -fuzz FuzzRollout ./plan
func FuzzRollout(f *testing.F) {
	objects, err := dump.Files("../examples/snapshots/half-way.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"two-workers", "half-way", "three-zones", "conventional"} {
		text, err := os.ReadFile("../examples/snapshots/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---")) {
			if bytes.Contains(document, []byte("kind: Rollout")) {
				f.Add(document)
			}
		}
	}
	const head = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {namespace: datadog, name: datadog-agent}\n"
	for _, spec := range []string{
		"spec: {intent: Teardown, desiredFrom: {name: datadog-agent}, strategy: {maxUnavailable: 100%, maxSurge: 0}}",
		"spec: {intent: OptOut, desired: {metadata: {name: x}}, strategy: {type: Surge, maxUnavailable: 1}}",
		"spec: {desiredFrom: {images: {agent: ''}}, strategy: {type: RollingUpdate, maxUnavailable: 10000001, partition: -1}}",
		"spec: {strategy: {maxUnavailable: 1, slowStart: {interval: -1s, increase: 0}, canary: {replicas: 101%, duration: 1h}}, failure: {progressDeadlineSeconds: -5}}",
		"spec: {strategy: {type: Pair, overlap: Never, maxUnavailable: 1, maxWrites: 9223372036854775807}, decision: {canary: Promote, retry: '-'}}",
		"spec: {slots: {domain: '', selectorLabel: '//', green: {suffix: A}}, lock: {preset: none}}",
		"status: {observedAt: '0000-01-01T00:00:00Z', issued: [{}]}",
	} {
		f.Add([]byte(head + spec + "\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := dump.Read(bytes.NewReader(text), "in")
		if err != nil || d.Rollout == nil {
			return
		}
		for _, fault := range d.Rollout.Validate() {
			if fault.Field == "" || fault.Error() == "" {
				t.Fatalf("a fault without field: %v", fault)
			}
		}
		d.Objects = objects.Objects
		snapshot, err := d.Snapshot()
		if err != nil {
			var faults *dump.Error
			if !errors.As(err, &faults) || len(faults.Faults) == 0 {
				t.Fatalf("no faults: %v", err)
			}
			return
		}
		next, err := plan.Next(snapshot)
		if err != nil {
			t.Fatalf("accepted, and yet: %v", err)
		}
		again, err := plan.Next(&model.Snapshot{Cluster: snapshot.Cluster, Rollout: snapshot.Rollout.WithDefaults()})
		if err != nil || len(again.Actions) != len(next.Actions) || again.Phase != next.Phase {
			t.Fatalf("with the defaults written down: %v, %d actions in %v, not %d in %v", err, len(again.Actions), again.Phase, len(next.Actions), next.Phase)
		}
		for i := range next.Actions {
			if verb := next.Actions[i].Write.Verb(); verb == "" {
				t.Fatalf("action %d has no form", i)
			}
		}
	})
}
