package world

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

func TestRefusedWritesHaveNoEffect(t *testing.T) {
	node := func(suffix types.UID) model.ObjectRef {
		return model.ObjectRef{Kind: "Node", Name: "n0001", UID: "node-n0001" + suffix}
	}
	set := model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue", UID: "set-blue"}
	label := []model.Edit{{Key: slotKey, From: ptr("blue"), To: ptr("green")}}
	spec := worldtest.Set("blue", "2", worldtest.OnLabel(slotKey, "blue")).Spec
	otherSelector := worldtest.Set("other", "2").Spec
	for _, test := range []struct {
		name  string
		write model.Write
		is    func(error) bool
		code  int
	}{
		{"no form", model.Write{Object: set}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"two forms", model.Write{Object: set, Patch: &model.Patch{}, Delete: &model.Delete{}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the node is gone", model.Write{Object: model.ObjectRef{Kind: "Node", Name: "n9"}, Patch: &model.Patch{Labels: label}}, apierrors.IsNotFound, http.StatusNotFound},
		{"the UID of a patch is a test", model.Write{Object: node("x"), Patch: &model.Patch{Labels: label}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"resourceVersion", model.Write{Object: node(""), Patch: &model.Patch{Labels: label, ResourceVersion: "0"}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the label has another value", model.Write{Object: node(""), Patch: &model.Patch{Labels: []model.Edit{{Key: slotKey, From: ptr("green"), To: ptr("x")}}}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the label is not absent", model.Write{Object: node(""), Patch: &model.Patch{Labels: []model.Edit{{Key: slotKey, To: ptr("x")}}}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the second edit fails", model.Write{Object: node(""), Patch: &model.Patch{Labels: append(label[:1:1], model.Edit{Key: "a", From: ptr("b")})}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the annotations are not there", model.Write{Object: node(""), Patch: &model.Patch{Labels: label, Annotations: []model.Edit{{Key: "a", To: ptr("b")}}}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the labels are there", model.Write{Object: node(""), Patch: &model.Patch{NoLabels: true, Labels: []model.Edit{{Key: "a", To: ptr("b")}}}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"a node has no spec to replace", model.Write{Object: node(""), Patch: &model.Patch{Spec: &spec}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"generation", model.Write{Object: set, Patch: &model.Patch{Generation: 7, Spec: &spec}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the selector is immutable", model.Write{Object: set, Patch: &model.Patch{Generation: 1, Spec: &otherSelector}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"the UID of a deletion is a precondition", model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue", UID: "x"}, Delete: &model.Delete{}}, apierrors.IsConflict, http.StatusConflict},
		{"the name is taken", model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue"}, Create: worldtest.Set("blue", "2")}, apierrors.IsAlreadyExists, http.StatusConflict},
		{"another name", model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "x"}, Create: worldtest.Set("y", "2")}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"a selector that matches nothing", model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "x"}, Create: worldtest.Set("x", "2", func(s *appsv1.DaemonSet) { s.Spec.Template.Labels = nil })}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"no Pod", model.Write{Object: model.ObjectRef{Kind: "Pod", Namespace: "datadog", Name: "x"}, Delete: &model.Delete{}}, apierrors.IsNotFound, http.StatusNotFound},
		{"a node is not deleted", model.Write{Object: node(""), Delete: &model.Delete{}}, apierrors.IsInvalid, http.StatusUnprocessableEntity},
		{"no such owner", model.Write{Object: model.ObjectRef{Kind: "DatadogAgent", Name: "x"}, Patch: &model.Patch{}}, apierrors.IsNotFound, http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue"))).settle()
			before := l.dump()
			_, err := l.w.Apply(l.now, test.write)
			require.Error(t, err)
			require.True(t, test.is(err), "%v", err)
			var typed *Error
			require.ErrorAs(t, err, &typed)
			require.Equal(t, test.code, typed.Code())
			require.EqualValues(t, test.code, typed.Status().Code)
			require.Empty(t, cmp.Diff(before, l.dump()))
			require.Empty(t, l.w.Enabled(l.now))
		})
	}
}

// dump writes everything that the API has.
func (l *lab) dump() string {
	l.t.Helper()
	objects := l.w.objects(false)
	text, err := json.MarshalIndent(objects, "", " ")
	require.NoError(l.t, err)
	return string(text)
}

func TestWritesHaveTheirEffect(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue"))).settle()
	n := l.w.findNode("n0001").object
	result, err := l.w.Apply(l.now, labelWrite(n, slotKey, ptr("blue"), ptr("none")))
	require.NoError(t, err)
	after := l.w.findNode("n0001").object
	require.Equal(t, model.Result{UID: n.UID, ResourceVersion: after.ResourceVersion}, result)
	require.NotEqual(t, n.ResourceVersion, after.ResourceVersion)
	require.Equal(t, "blue", n.Labels[slotKey], "objects that a snapshot holds are never changed")

	again, err := l.w.Apply(l.now, labelWrite(after, slotKey, ptr("none"), ptr("none")))
	require.NoError(t, err)
	require.Equal(t, result, again, "a write that changes nothing makes no version")

	set := l.w.findSet("datadog/blue").object
	ref := model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue", UID: set.UID}
	spec := set.Spec.DeepCopy()
	spec.MinReadySeconds = 5
	result, err = l.w.Apply(l.now, model.Write{Object: ref, Patch: &model.Patch{Generation: set.Generation, Spec: spec}})
	require.NoError(t, err)
	require.EqualValues(t, set.Generation+1, result.Generation)

	result, err = l.w.Apply(l.now, model.Write{Object: ref, Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}})
	require.NoError(t, err)
	require.Equal(t, set.UID, result.UID)
	_, err = l.w.Apply(l.now, model.Write{Object: ref, Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}})
	require.NoError(t, err, "a second deletion changes nothing")
}

// What Apply makes of a patch is what the API server makes of its JSON Patch: the same objects accepted, and
// the same result.
func TestPatchAgreesWithItsJSONPatch(t *testing.T) {
	keys := rapid.SampledFrom([]string{"a", "b/c", "d~e"})
	values := rapid.SampledFrom([]string{"", "x", "y"})
	marks := rapid.MapOfN(keys, values, 0, 3)
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		n := worldtest.Nodes(1)[0]
		n.Labels, n.Annotations = marks.Draw(t, "labels"), marks.Draw(t, "annotations")
		n.UID = "u1"
		write := model.Write{
			Object: model.ObjectRef{Kind: "Node", Name: n.Name, UID: "u1"},
			Patch: &model.Patch{
				Labels: drawEdits(t, keys, values, n.Labels), Annotations: drawEdits(t, keys, values, n.Annotations),
				NoLabels:      (len(n.Labels) == 0) != (rapid.IntRange(0, 9).Draw(t, "wrong labels") == 0),
				NoAnnotations: (len(n.Annotations) == 0) != (rapid.IntRange(0, 9).Draw(t, "wrong annotations") == 0),
			},
		}
		if rapid.IntRange(0, 9).Draw(t, "another uid") == 0 {
			write.Object.UID = "u2"
		}
		if rapid.Bool().Draw(t, "version") {
			write.Patch.ResourceVersion = rapid.SampledFrom([]string{"1", "1", "1", "2"}).Draw(t, "resourceVersion")
		}
		document, err := write.JSONPatch()
		require.NoError(t, err)
		want, wantErr := applyJSONPatch(n, document)

		w, err := New(worldtest.Snapshot([]*corev1.Node{n}, nil), Options{})
		require.NoError(t, err)
		_, err = w.Apply(worldtest.Start, write)
		require.Equal(t, wantErr == nil, err == nil, "%s: JSON Patch says %v, Apply says %v", document, wantErr, err)
		got := w.findNode(n.Name).object
		if err != nil {
			require.True(t, reflect.DeepEqual(n, got))
			return
		}
		accepted++
		require.Empty(t, cmp.Diff(notNil(want.Labels), notNil(got.Labels)), string(document))
		require.Empty(t, cmp.Diff(notNil(want.Annotations), notNil(got.Annotations)), string(document))
	})
	require.NotZero(t, accepted)
}

func notNil(values map[string]string) map[string]string {
	if values == nil {
		return map[string]string{}
	}
	return values
}

// drawEdits makes edits whose guards mostly hold.
func drawEdits(t *rapid.T, keys, values *rapid.Generator[string], present map[string]string) (edits []model.Edit) {
	for _, key := range rapid.SliceOfNDistinct(keys, 0, 2, rapid.ID[string]).Draw(t, "keys") {
		edit := model.Edit{Key: key}
		if value, ok := present[key]; ok {
			edit.From = &value
		}
		if rapid.IntRange(0, 9).Draw(t, "wrong guard") == 0 {
			edit.From = ptr(values.Draw(t, "from"))
		}
		if rapid.Bool().Draw(t, "set") {
			edit.To = ptr(values.Draw(t, "to"))
		}
		edits = append(edits, edit)
	}
	return edits
}

// applyJSONPatch is RFC 6902 as far as the documents go, on the object's JSON. Testing a key that is absent
// against null succeeds, as it does in the API server; the parent must be there.
func applyJSONPatch(n *corev1.Node, document []byte) (*corev1.Node, error) {
	text, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(document, &operations); err != nil {
		return nil, err
	}
	for _, o := range operations {
		words := strings.Split(strings.TrimPrefix(o.Path, "/"), "/")
		parent := tree
		for _, word := range words[:len(words)-1] {
			next, ok := parent[word].(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s %s: no such path", o.Op, o.Path)
			}
			parent = next
		}
		key := strings.NewReplacer("~1", "/", "~0", "~").Replace(words[len(words)-1])
		present, ok := parent[key]
		switch o.Op {
		case "test":
			if !reflect.DeepEqual(present, o.Value) {
				return nil, fmt.Errorf("test %s: %v is not %v", o.Path, present, o.Value)
			}
		case "add":
			parent[key] = o.Value
		case "remove", "replace":
			if !ok {
				return nil, fmt.Errorf("%s %s: no such key", o.Op, o.Path)
			}
			delete(parent, key)
			if o.Op == "replace" {
				parent[key] = o.Value
			}
		}
	}
	if text, err = json.Marshal(tree); err != nil {
		return nil, err
	}
	var patched corev1.Node
	return &patched, json.Unmarshal(text, &patched)
}

func TestAPodIsDeletedUnderItsUID(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1), worldtest.Set("blue", "1")).settle()
	pod := l.w.podObject(l.pod("n0001", "blue"))
	write := model.Write{
		Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: "another"},
		Delete: &model.Delete{Propagation: metav1.DeletePropagationBackground},
	}
	_, err := l.w.Apply(l.now, write)
	require.True(t, apierrors.IsConflict(err))
	require.Equal(t, "RR", l.draw("n0001", "blue"))

	write.Object.UID = pod.UID
	result, err := l.w.Apply(l.now, write)
	require.NoError(t, err)
	require.Equal(t, pod.UID, result.UID)
	gone := l.w.podObject(l.pod("n0001", "blue"))
	require.Equal(t, l.now.Add(defaultGraceSeconds*time.Second), gone.DeletionTimestamp.Time, "the deletion's deadline, grace included")
	require.EqualValues(t, defaultGraceSeconds, *gone.DeletionGracePeriodSeconds)
}

func TestOwnerIsPatched(t *testing.T) {
	snapshot := worldtest.Snapshot(worldtest.Nodes(1), nil, worldtest.Set("agent", "1", func(s *appsv1.DaemonSet) {
		s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v2alpha1", Kind: "DatadogAgent", Name: "agent", UID: "o1", Controller: ptr(true)}}
	}))
	snapshot.Rollout = &model.Rollout{Metadata: model.Owner{Namespace: "datadog", Name: "agent", Annotations: map[string]string{"mode": "on"}}}
	l := labOf(t, Options{Lagging: true}, snapshot)
	ref := model.ObjectRef{Kind: "DatadogAgent", Namespace: "datadog", Name: "agent", UID: "o1"}
	_, err := l.w.Apply(l.now, model.Write{Object: ref, Patch: &model.Patch{Annotations: []model.Edit{{Key: "mode", From: ptr("off")}}}})
	require.True(t, apierrors.IsInvalid(err))
	result, err := l.w.Apply(l.now, model.Write{Object: ref, Patch: &model.Patch{Annotations: []model.Edit{{Key: "mode", From: ptr("on")}, {Key: "cleanup", To: ptr("x")}}}})
	require.NoError(t, err)
	require.EqualValues(t, "o1", result.UID)

	annotations := func() map[string]string {
		s, err := l.w.Snapshot(l.now, snapshot.Rollout)
		require.NoError(t, err)
		return s.Rollout.Metadata.Annotations
	}
	require.Equal(t, map[string]string{"mode": "on"}, annotations())
	truth, err := l.w.Truth(l.now, snapshot.Rollout)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"cleanup": "x"}, truth.Rollout.Metadata.Annotations)
	l.w.DeliverUntil(OwnerCache, l.now)
	require.Equal(t, map[string]string{"cleanup": "x"}, annotations())
	require.Equal(t, map[string]string{"mode": "on"}, snapshot.Rollout.Metadata.Annotations, "the caller's document stays")
}
