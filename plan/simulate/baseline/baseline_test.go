package baseline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/baseline"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// rolloutOf desires agent:tag.
func rolloutOf(tag string, unavailable int32) *model.Rollout {
	yes, limit := true, intstr.FromInt32(unavailable)
	desired := worldtest.Set("agent", tag)
	desired.ObjectMeta = metav1.ObjectMeta{Namespace: worldtest.Namespace, Name: "agent",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: "agent", UID: "owner", Controller: &yes}}}
	desired.Status = appsv1.DaemonSetStatus{}
	return &model.Rollout{
		TypeMeta: metav1.TypeMeta{APIVersion: model.RolloutAPIVersion, Kind: model.RolloutKind},
		Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "agent", UID: "owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec:     model.Spec{Desired: desired, Strategy: model.Strategy{MaxUnavailable: &limit}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(worldtest.Start), Watched: true, OtherPods: model.OtherPods{All: true}},
	}
}

// installed is a world in which the planner has installed agent:1.
func installed(t *testing.T, planner simulate.Planner, nodes int, edits ...func(*corev1.Node)) (*world.World, time.Time) {
	t.Helper()
	snapshot := worldtest.Snapshot(worldtest.Nodes(nodes, edits...), nil)
	snapshot.Rollout = rolloutOf("1", 2)
	w, err := world.New(snapshot, world.Options{})
	require.NoError(t, err)
	r, err := simulate.Run(w, planner, simulate.Options{Rollout: snapshot.Rollout})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome, r.Message)
	return w, worldtest.Start.Add(r.Duration + time.Minute)
}

func roll(t *testing.T, w *world.World, now time.Time, planner simulate.Planner, o simulate.Options) simulate.Result {
	t.Helper()
	o.Rollout, o.Start, o.AllowDouble = rolloutOf("2", 2), now, true
	r, err := simulate.Run(w, planner, o)
	require.NoError(t, err)
	return r
}

func allRun(t *testing.T, w *world.World, now time.Time, image string) {
	t.Helper()
	snapshot, err := w.Truth(now, nil)
	require.NoError(t, err)
	for i := range snapshot.Cluster.Len() {
		serving := 0
		for _, pod := range snapshot.Cluster.Pods(i) {
			if ready, _ := model.ReadySince(pod); ready && pod.Spec.Containers[0].Image == image {
				serving++
			}
		}
		require.Equal(t, 1, serving, snapshot.Cluster.Node(i).Name)
	}
}

func TestNative(t *testing.T) {
	for _, test := range []struct {
		name     string
		planner  simulate.Planner
		unserved int
		doubled  bool
	}{
		{"maxUnavailable", baseline.NativeUnavailable, 2, false},
		{"maxSurge", baseline.NativeSurge, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, now := installed(t, test.planner, 7)
			r := roll(t, w, now, test.planner, simulate.Options{})
			require.Equal(t, simulate.Complete, r.Outcome, r.Message)
			require.Equal(t, []simulate.WriteCount{{Verb: "patch", Object: "DaemonSet", Kind: model.UpdateSlot, Done: 1}}, r.Writes, "it is written once")
			require.Equal(t, test.unserved, r.MostUnserved)
			require.Equal(t, test.doubled, r.Double != nil)
			require.Equal(t, test.doubled, r.MostOverlap > 0)
			if test.doubled {
				require.Equal(t, int64(4*400), r.Extra.PeakMilliCPU, "400m on two nodes that surge, and on two whose old Pod has yet to end")
				require.Positive(t, r.Extra.CoreSeconds)
			} else {
				require.Zero(t, r.Extra)
			}
			allRun(t, w, now.Add(r.Duration), "agent:2")
		})
	}
}

// The end says which node holds a surge up, and what the scheduler says there.
func TestNativeSurgeWithoutRoomWaitsForGood(t *testing.T) {
	w, now := installed(t, baseline.NativeSurge, 3, func(n *corev1.Node) {
		cpu := n.Status.Allocatable[corev1.ResourceCPU]
		cpu.SetMilli(600)
		n.Status.Allocatable[corev1.ResourceCPU] = cpu
	})
	r := roll(t, w, now, baseline.NativeSurge, simulate.Options{})
	require.Equal(t, simulate.Stuck, r.Outcome)
	require.Contains(t, r.Message, "0 of 3 nodes have the new template; n0001 has not: its new Pod is Pending: ")
	require.Contains(t, r.Message, "Insufficient cpu")
}

func TestBarrierMovesInBatches(t *testing.T) {
	w, now := installed(t, baseline.Barrier, 6)
	ours, err := simulate.Run(w.Clone(), plan.Next, simulate.Options{Rollout: rolloutOf("2", 2), Start: now})
	require.NoError(t, err)
	mixed := false
	r := roll(t, w, now, baseline.Barrier, simulate.Options{OnStep: func(s *model.Snapshot, p *model.Plan) error {
		overlap, handoff := false, false
		for i := range p.Actions {
			overlap = overlap || p.Actions[i].Reason == model.BeginOverlap
			handoff = handoff || p.Actions[i].Reason == model.HandoffPrepared
		}
		mixed = mixed || overlap && handoff
		return nil
	}})
	require.Equal(t, simulate.Complete, r.Outcome, r.Message)
	require.False(t, mixed, "no overlap begins while a batch hands off")
	require.Equal(t, 2, r.MostOverlap, "as many as the budget")
	require.LessOrEqual(t, r.MostUnserved, 2)
	require.Less(t, r.LongestGap, 30*time.Second, "the pull is no part of the gap")
	require.Greater(t, r.Duration, 3*time.Minute, "three batches with a pull each")
	require.Greater(t, r.Duration, ours.Duration, "the planner prepares the next nodes meanwhile")
	require.Nil(t, r.Double)
	allRun(t, w, now.Add(r.Duration), "agent:2")
}

// A target that fails with another Ready stops it, and nothing is taken back.
func TestBarrierStopsAtABadTarget(t *testing.T) {
	w, now := installed(t, baseline.Barrier, 4)
	w.SetBehaviour("agent:2", world.NeverReady)
	r := roll(t, w, now, baseline.Barrier, simulate.Options{})
	require.Equal(t, simulate.Stuck, r.Outcome)
	require.Equal(t, 2, r.MostUnserved)
	for _, name := range []string{"n0001", "n0002"} {
		require.False(t, w.Served(name), "%s stays with the bad target", name)
	}
	require.Contains(t, r.Message, "the target on n0001 is not available")
}

func TestBarrierFallsBackWithoutProof(t *testing.T) {
	w, now := installed(t, baseline.Barrier, 2, func(n *corev1.Node) {
		cpu := n.Status.Allocatable[corev1.ResourceCPU]
		cpu.SetMilli(600)
		n.Status.Allocatable[corev1.ResourceCPU] = cpu
	})
	r := roll(t, w, now, baseline.Barrier, simulate.Options{Detail: true})
	require.Equal(t, simulate.Complete, r.Outcome, r.Message)
	fell := 0
	for _, e := range r.Timeline {
		if e.Action != nil && e.Action.Reason == model.CapacityFallback {
			fell++
		}
	}
	require.Equal(t, 2, fell)
}

// What the wrapper has put on comes off again, and nothing else changes.
func TestConventional(t *testing.T) {
	w, now := installed(t, plan.Next, 2)
	r := rolloutOf("2", 1)
	r.Spec.Desired, r.Spec.DesiredFrom = nil, &model.DesiredFrom{Image: "agent:2"}
	snapshot, err := w.Truth(now, r)
	require.NoError(t, err)
	live := snapshot.Cluster.DaemonSet(worldtest.Namespace, "agent")
	before := live.DeepCopy()
	require.Contains(t, live.Spec.Template.Spec.Containers[0].Command[0], "s6-setlock")

	set, err := baseline.Conventional(snapshot)
	require.NoError(t, err)
	want := worldtest.Set("agent", "2").Spec.Template
	require.True(t, equality.Semantic.DeepEqual(want.Spec, set.Spec.Template.Spec), "%+v", set.Spec.Template.Spec)
	require.Equal(t, want.Labels, set.Spec.Template.Labels)
	require.Equal(t, types.UID("owner"), model.ControllerUID(set))
	require.Equal(t, before, snapshot.Cluster.DaemonSet(worldtest.Namespace, "agent"), "the input is unchanged")
}

// A template that cannot be a pair can be conventional all the same.
func TestConventionalNeedsNoPair(t *testing.T) {
	r := rolloutOf("2", 1)
	hook := &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}}
	r.Spec.Desired.Spec.Template.Spec.Containers[0].Lifecycle = hook
	marks := map[string]string{"app": "agent", "tier": "node"}
	r.Spec.Desired.Spec.Selector, r.Spec.Desired.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: marks}, marks
	snapshot := worldtest.Snapshot(worldtest.Nodes(1), nil)
	snapshot.Rollout = r
	_, err := plan.Render(snapshot)
	require.Error(t, err)
	set, err := baseline.Conventional(snapshot)
	require.NoError(t, err)
	require.Equal(t, hook, set.Spec.Template.Spec.Containers[0].Lifecycle)
}

// The memory changes no plan of the barrier planner.
func TestBarrierPlannerIsBarrier(t *testing.T) {
	w, now := installed(t, baseline.Barrier, 5)
	remembered := new(baseline.BarrierPlanner)
	plans := 0
	roll(t, w, now, remembered.Next, simulate.Options{OnStep: func(s *model.Snapshot, p *model.Plan) error {
		plain, err := baseline.Barrier(s)
		require.NoError(t, err)
		require.Equal(t, plain, *p)
		plans++
		return nil
	}})
	require.Greater(t, plans, 20)
}
