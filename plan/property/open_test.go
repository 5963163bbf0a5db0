package property_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var noon = time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)

// Open promises on plans made by hand: what breaks each, and what does not.
func TestOpenPromises(t *testing.T) {
	waits := func(reason model.Reason, since time.Duration) model.NodeReport {
		return model.NodeReport{Node: "n1", Verdict: model.Waits, Reason: reason, Since: noon.Add(-since).Unix()}
	}
	condition := func(kind string, message string) []metav1.Condition {
		return []metav1.Condition{{Type: kind, Status: metav1.ConditionTrue, Message: message}}
	}
	creating := []model.NodeReport{waits(model.TargetCreating, time.Hour)}
	for _, test := range []struct {
		name, promise string
		plan          model.Plan
		broken        string
	}{
		{"a silent wait", "S15", model.Plan{Nodes: creating}, "it stops silently"},
		{"a wait of the whole", "S15", model.Plan{Waits: []model.Wait{{Reason: model.SlotNotObserved}}}, "it stops silently"},
		{"with a deadline", "S15", model.Plan{Nodes: creating, RequeueAfter: time.Minute}, ""},
		{"that asks a person", "S15", model.Plan{Nodes: creating, Conditions: condition(model.ConditionDegraded, "decide")}, ""},
		{"that asks without a word", "S15", model.Plan{Nodes: creating, Conditions: condition(model.ConditionBlocked, "")}, "says nothing"},
		{"that a person holds", "S15", model.Plan{Nodes: []model.NodeReport{waits(model.WaitingForCohort, time.Hour)}}, ""},
		{"overdue", "S15 overdue", model.Plan{Nodes: creating, RequeueAfter: time.Minute, Conditions: condition(model.ConditionProgressing, "on")}, "n1 waits since"},
		{"in time", "S15 overdue", model.Plan{Nodes: []model.NodeReport{waits(model.TargetCreating, time.Minute)}, Conditions: condition(model.ConditionProgressing, "on")}, ""},
		{"one of two is overdue", "S15 overdue", model.Plan{Nodes: append([]model.NodeReport{waits(model.TargetStarting, 0)}, creating...), Conditions: condition(model.ConditionProgressing, "on")}, ""},
		{"done and not available", "Words", model.Plan{Nodes: []model.NodeReport{{Verdict: model.Done, Reason: model.OnSource, Blame: model.Ambient}}}, "counted as ambient"},
		{"serves nobody", "Words", model.Plan{Phase: model.PhaseSteady, Ledger: budget.Ledger{Eligible: 3, Ambient: 3}, Conditions: []metav1.Condition{{Type: model.ConditionProgressing, Status: metav1.ConditionFalse, Reason: "AsExpected", Message: "the agent serves everywhere"}}}, "serves"},
		{"serves", "Words", model.Plan{Phase: model.PhaseSteady, Ledger: budget.Ledger{Eligible: 3, Available: 3}}, ""},
	} {
		t.Run(test.promise+"/"+test.name, func(t *testing.T) {
			rollout := &model.Rollout{Status: model.Facts{ObservedAt: metav1.NewTime(noon), Watched: true, Executor: model.Executor{Listed: true}}}
			broken := named(t, test.promise).Plan(&property.Planned{Snapshot: &model.Snapshot{Rollout: rollout}, Plan: &test.plan})
			if test.broken == "" {
				require.NoError(t, broken)
				return
			}
			require.ErrorContains(t, broken, test.broken)
		})
	}
}

func TestEmptiedNodesAreCountedAsTheyAre(t *testing.T) {
	one := intstr.FromInt32(1)
	rollout := &model.Rollout{Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "blue"}, Spec: model.Spec{Strategy: model.Strategy{MaxUnavailable: &one}}}
	snapshot := worldtest.Snapshot(worldtest.Nodes(2), nil, worldtest.Set("blue", "1"))
	snapshot.Rollout = rollout
	w, err := world.New(snapshot, world.Options{})
	require.NoError(t, err)
	for list := w.Enabled(noon); len(list) > 0; list = w.Enabled(noon) {
		_, err := w.Do(noon, list[0])
		require.NoError(t, err)
	}
	truth, err := w.Truth(noon, rollout)
	require.NoError(t, err)
	judge := func() error {
		return named(t, "S2 in truth").State(&property.State{World: w, Rollout: rollout, Now: noon})
	}
	for i, broken := range []bool{false, true} {
		pod := truth.Cluster.Pods(i)[0]
		_, err := w.Apply(noon, model.Write{Object: model.ObjectRef{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}, Delete: &model.Delete{}})
		require.NoError(t, err)
		require.Equal(t, broken, judge() != nil)
	}
}

func TestAHealthyFleetStays(t *testing.T) {
	keys := model.NewKeys("", worldtest.Namespace, "blue")
	state := model.State{Proven: "2"}
	green := worldtest.Set("green", "2", func(set *appsv1.DaemonSet) {
		set.Annotations = map[string]string{keys.Revision: "2", keys.State: state.Text()}
	})
	rollout := &model.Rollout{Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "blue"}}
	for _, test := range []struct {
		serving         int
		desired, active string
		broken          bool
	}{{2, "3", "1", true}, {1, "3", "1", false}, {2, "1", "1", false}, {2, "3", "2", false}} {
		snapshot := worldtest.Snapshot(worldtest.Nodes(3), nil, green)
		yes, ready := true, []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		var pods []*corev1.Pod
		for i := range test.serving {
			pods = append(pods, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Namespace: worldtest.Namespace, Name: fmt.Sprint("pod-", i), UID: types.UID(fmt.Sprint("pod-", i)), ResourceVersion: "1",
					OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Name: "green", UID: green.UID, Controller: &yes}}},
				Spec:   corev1.PodSpec{NodeName: snapshot.Cluster.Node(i).Name},
				Status: corev1.PodStatus{Conditions: ready},
			})
		}
		snapshot = worldtest.Snapshot(worldtest.Nodes(3), pods, green)
		snapshot.Rollout = rollout
		p := &model.Plan{Revision: test.desired, Pair: model.PairStatus{ActiveRevision: test.active, Desired: 3}, Actions: []model.Action{{Reason: model.ReturnBegun}}}
		broken := named(t, "S8 of a healthy fleet").Plan(&property.Planned{Snapshot: snapshot, Plan: p})
		require.Equal(t, test.broken, broken != nil, "%+v", test)
	}
}

func TestHowARolloutEnds(t *testing.T) {
	stop := named(t, "L8").Stop
	require.ErrorContains(t, stop(&model.Plan{Actions: []model.Action{{}}}), "it goes on")
	require.ErrorContains(t, stop(&model.Plan{Phase: model.PhaseAdvancing}), "it ended Advancing")
	require.NoError(t, stop(&model.Plan{ReleaseOwner: true}))
	blocked := metav1.Condition{Type: model.ConditionBlocked, Status: metav1.ConditionTrue, Message: "the budget is spent"}
	require.NoError(t, stop(&model.Plan{Conditions: []metav1.Condition{blocked}}))
}

// Every open promise says what it is, and is not among the others.
func TestOpenPromisesAreNamed(t *testing.T) {
	for _, p := range property.Open() {
		require.NotEmpty(t, p.Sentence, p.Name)
		require.NotEmpty(t, p.Kinds(), p.Name)
		require.NotContains(t, property.All().Names(), p.Name)
	}
	require.Empty(t, property.OpenFor(0))
	require.Len(t, property.OpenFor(^property.Offer(0)), len(property.Open()))
}

func named(t *testing.T, name string) *property.Property {
	for _, p := range property.Open() {
		if p.Name == name {
			return p
		}
	}
	require.FailNow(t, "no open promise", name)
	return nil
}
