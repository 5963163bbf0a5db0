package model_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
)

var nodeRef = model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: "n1", UID: "u1"}

func TestVerb(t *testing.T) {
	create, patch, remove := &appsv1.DaemonSet{}, &model.Patch{}, &model.Delete{}
	for _, test := range []struct {
		name  string
		write model.Write
		want  string
	}{
		{"create", model.Write{Create: create}, "create"},
		{"patch", model.Write{Patch: patch}, "patch"},
		{"delete", model.Write{Delete: remove}, "delete"},
		{"no form", model.Write{}, ""},
		{"two forms", model.Write{Create: create, Delete: remove}, ""},
		{"three forms", model.Write{Create: create, Patch: patch, Delete: remove}, ""},
	} {
		require.Equal(t, test.want, test.write.Verb(), test.name)
	}
	require.Equal(t, "Node/n1", nodeRef.String())
	require.Equal(t, "Pod/datadog/p", model.ObjectRef{Kind: "Pod", Namespace: "datadog", Name: "p"}.String())
}

func TestJSONPatch(t *testing.T) {
	const uid = `{"op":"test","path":"/metadata/uid","value":"u1"}`
	tests := []struct {
		name  string
		patch model.Patch
		want  string
	}{
		{"identity alone", model.Patch{}, `[` + uid + `]`},
		{"change a label", model.Patch{Labels: []model.Edit{{Key: "a", From: ptr("x"), To: ptr("y")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/labels/a","value":"x"},{"op":"add","path":"/metadata/labels/a","value":"y"}]`},
		{"add a label: its absence is tested with null", model.Patch{Labels: []model.Edit{{Key: "a", To: ptr("y")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/labels/a","value":null},{"op":"add","path":"/metadata/labels/a","value":"y"}]`},
		{"remove a label", model.Patch{Labels: []model.Edit{{Key: "a", From: ptr("x")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/labels/a","value":"x"},{"op":"remove","path":"/metadata/labels/a"}]`},
		{"an empty value is not an absent one", model.Patch{Labels: []model.Edit{{Key: "a", From: ptr(""), To: ptr("")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/labels/a","value":""},{"op":"add","path":"/metadata/labels/a","value":""}]`},
		{"guard that a key stays absent", model.Patch{Labels: []model.Edit{{Key: "a"}}},
			`[` + uid + `,{"op":"test","path":"/metadata/labels/a","value":null}]`},
		{"keys are escaped", model.Patch{Annotations: []model.Edit{{Key: "a.b/c~d", To: ptr("y")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/annotations/a.b~1c~0d","value":null},{"op":"add","path":"/metadata/annotations/a.b~1c~0d","value":"y"}]`},
		{"a missing map is tested with null, then made", model.Patch{NoAnnotations: true, Annotations: []model.Edit{{Key: "a", To: ptr("y")}, {Key: "b", To: ptr("z")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/annotations","value":null},{"op":"add","path":"/metadata/annotations","value":{}},` +
				`{"op":"add","path":"/metadata/annotations/a","value":"y"},{"op":"add","path":"/metadata/annotations/b","value":"z"}]`},
		{"a missing map without edits", model.Patch{NoLabels: true, NoAnnotations: true}, `[` + uid + `]`},
		{"handoff: every test comes before every change", model.Patch{ResourceVersion: "41",
			Labels:      []model.Edit{{Key: "slot", From: ptr("blue-to-green"), To: ptr("green")}},
			Annotations: []model.Edit{{Key: "candidate", From: ptr("u9")}}},
			`[` + uid + `,{"op":"test","path":"/metadata/resourceVersion","value":"41"},` +
				`{"op":"test","path":"/metadata/labels/slot","value":"blue-to-green"},{"op":"test","path":"/metadata/annotations/candidate","value":"u9"},` +
				`{"op":"add","path":"/metadata/labels/slot","value":"green"},{"op":"remove","path":"/metadata/annotations/candidate"}]`},
		{"spec under its generation", model.Patch{Generation: 3, Spec: &appsv1.DaemonSetSpec{MinReadySeconds: 5}},
			`[` + uid + `,{"op":"test","path":"/metadata/generation","value":3},{"op":"replace","path":"/spec","value":` +
				marshal(t, &appsv1.DaemonSetSpec{MinReadySeconds: 5}) + `}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			write := model.Write{Object: nodeRef, Patch: &test.patch}
			patch, err := write.JSONPatch()
			require.NoError(t, err)
			require.Equal(t, test.want, string(patch))
		})
	}
	for _, write := range []model.Write{{Object: nodeRef}, {Object: nodeRef, Delete: &model.Delete{}}, {Object: nodeRef, Patch: &model.Patch{}, Delete: &model.Delete{}}} {
		_, err := write.JSONPatch()
		require.ErrorContains(t, err, "Node/n1: a JSON Patch needs a patch")
	}
}

func marshal(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

// ApplyEdits does to a map what the JSON Patch does to the object: a slow interpreter of the patch, which knows
// nothing of edits, reaches the same end or fails where a guard does not hold.
func TestApplyEditsIsWhatTheJSONPatchDoes(t *testing.T) {
	value := rapid.OneOf(rapid.Just[*string](nil), rapid.Map(rapid.SampledFrom([]string{"", "x", "y"}), func(s string) *string { return &s }))
	held, failed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b/c", "d~e"}), rapid.SampledFrom([]string{"", "x", "y"}), 0, 3).Draw(t, "values")
		var edits []model.Edit
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b/c", "d~e"}), 1, 3, rapid.ID[string]).Draw(t, "keys") {
			edit := model.Edit{Key: key, To: value.Draw(t, "to")}
			if rapid.IntRange(0, 3).Draw(t, "stale") > 0 {
				if present, ok := values[key]; ok {
					edit.From = &present
				}
			} else {
				edit.From = value.Draw(t, "from")
			}
			edits = append(edits, edit)
		}
		before := maps.Clone(values)
		got, ok := model.ApplyEdits(values, edits)
		require.Equal(t, before, values, "the input is unchanged")

		write := model.Write{Object: nodeRef, Patch: &model.Patch{Labels: edits, NoLabels: len(values) == 0}}
		patch, err := write.JSONPatch()
		require.NoError(t, err)
		want, wantOK := interpret(patch, values)
		if len(values) == 0 {
			// A missing map is one guard for all its keys: edits that expect a value cannot be told apart there.
			for _, edit := range edits {
				wantOK = wantOK && edit.From == nil
			}
		}
		require.Equal(t, wantOK, ok)
		if !ok {
			failed++
			require.Equal(t, before, got)
			return
		}
		held++
		require.Equal(t, want, got)
	})
	require.Positive(t, held)
	require.Positive(t, failed)
}

// interpret carries out a JSON Patch on the labels of an object; no labels at all are null.
func interpret(patch []byte, labels map[string]string) (map[string]string, bool) {
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(patch, &operations); err != nil {
		return nil, false
	}
	const root = "/metadata/labels"
	present := len(labels) > 0
	labels = maps.Clone(labels)
	for _, o := range operations {
		key := strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.TrimPrefix(strings.TrimPrefix(o.Path, root), "/"))
		switch {
		case !strings.HasPrefix(o.Path, root):
			continue
		case o.Path == root && o.Op == "test":
			if present {
				return nil, false
			}
		case o.Path == root && o.Op == "add":
			labels, present = map[string]string{}, true
		case o.Op == "test":
			value, ok := labels[key]
			if (o.Value == nil) == ok || (ok && o.Value != any(value)) {
				return nil, false
			}
		case o.Op == "add":
			if !present {
				return nil, false
			}
			labels[key] = o.Value.(string)
		case o.Op == "remove":
			if _, ok := labels[key]; !ok {
				return nil, false
			}
			delete(labels, key)
		}
	}
	if labels == nil {
		labels = map[string]string{}
	}
	return labels, true
}

func examplePlan() model.Plan {
	at := metav1.NewTime(noon)
	return model.Plan{
		Namespace: "datadog", Name: "agent", ObservedAt: at, Revision: "r2", Phase: model.PhaseAdvancing,
		Actions: []model.Action{
			{Kind: model.SetNodeSlot, Node: "n1", Reason: model.HandoffPrepared,
				Write: model.Write{Object: nodeRef, Patch: &model.Patch{ResourceVersion: "41", Generation: 2, NoAnnotations: true,
					Labels: []model.Edit{{Key: "slot", From: ptr(""), To: ptr("green")}, {Key: "gone", From: ptr("x")}, {Key: "new", To: ptr("y")}}}},
				Premises: []model.Premise{{Kind: model.PremisePodPrepared, Name: "p", UID: "u", Want: "r2"}, {Kind: model.PremiseSeatLeft}},
				Cost:     model.Cost{Seat: "paid", Overlap: -1, OffSource: 1}},
			{Kind: model.CreateSlot, Reason: model.SlotMissing, Write: model.Write{Object: model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent"},
				Create: &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", Labels: map[string]string{"a": "b"}}}}},
			{Kind: model.DeletePod, Reason: model.StaleRevision, Write: model.Write{Object: model.ObjectRef{Kind: "Pod", Name: "p", UID: "u"}, Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}}},
		},
		Waits:        []model.Wait{{Reason: model.SlotNotObserved, Message: "green"}},
		Nodes:        []model.NodeReport{{Node: "n1", Reason: model.HandoffPrepared, Stage: model.StageOverlap, Verdict: model.Acts, Blame: model.Available, Action: 1, Since: noon.Unix()}, {Node: "n2", Reason: model.WaitingForBudget, Verdict: model.Waits, Detail: "x"}},
		Ledger:       budget.Ledger{Eligible: 2, Available: 1, Ambient: 1},
		Limits:       budget.Limits{Cohort: 2, Unavailable: 1, Window: 2, Writes: 250},
		Pair:         model.PairStatus{Active: model.Blue, Target: model.Green, Proven: true, Desired: 2, OnSource: 1, InOverlap: 1},
		Conditions:   []metav1.Condition{{Type: model.ConditionBlocked, Status: metav1.ConditionFalse, Reason: string(model.AsExpected), LastTransitionTime: at}},
		WakeOn:       []string{"Node", "Pod"},
		RequeueAfter: 30e9,
		Needs:        []string{"n2"},
	}
}

func TestPlanRoundTrip(t *testing.T) {
	for name, plan := range map[string]model.Plan{"full": examplePlan(), "empty": {}} {
		text, err := json.Marshal(plan)
		require.NoError(t, err)
		var again model.Plan
		require.NoError(t, json.Unmarshal(text, &again))
		require.Empty(t, cmp.Diff(plan, again), name)
		require.Equal(t, string(text), marshal(t, again), name)
	}
	for _, action := range examplePlan().Actions {
		issued := model.Issued{Action: action, At: metav1.NewTime(noon), Result: &model.Result{UID: "u", ResourceVersion: "42", Generation: 3}}
		var again model.Issued
		require.NoError(t, json.Unmarshal([]byte(marshal(t, issued)), &again))
		require.Empty(t, cmp.Diff(issued, again))
	}
}

func TestPlanConditionsAndCompletion(t *testing.T) {
	plan := examplePlan()
	require.Equal(t, string(model.AsExpected), plan.Condition(model.ConditionBlocked).Reason)
	require.Nil(t, plan.Condition(model.ConditionDegraded))
	require.Nil(t, plan.Blocked(), "the condition is there and False")
	require.False(t, plan.Complete())

	steady := model.Plan{Phase: model.PhaseSteady}
	require.True(t, steady.Complete())
	require.True(t, (&model.Plan{Phase: model.PhaseGone}).Complete())
	require.False(t, (&model.Plan{Phase: model.PhaseAdvancing}).Complete())
	require.False(t, (&model.Plan{Phase: model.PhaseSteady, Waits: plan.Waits}).Complete())
	require.False(t, (&model.Plan{Phase: model.PhaseSteady, Actions: plan.Actions}).Complete())
	steady.Conditions = []metav1.Condition{{Type: model.ConditionBlocked, Status: metav1.ConditionTrue}}
	require.NotNil(t, steady.Blocked())
	require.False(t, steady.Complete())
}

func TestSeatTaken(t *testing.T) {
	for word, want := range map[string]budget.Seat{"": budget.NoSeat, "none": budget.NoSeat, "free": budget.FreeSeat, "paid": budget.PaidSeat, "Paid": budget.NoSeat} {
		require.Equal(t, want, model.Cost{Seat: word}.SeatTaken(), word)
	}
}
