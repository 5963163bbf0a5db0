package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// pairOf is the rollout of agent:tag as a prepared pair.
func pairOf(tag string, unavailable intstr.IntOrString) *model.Rollout {
	desired := worldtest.Set("agent", tag)
	desired.ObjectMeta = metav1.ObjectMeta{Namespace: worldtest.Namespace, Name: "agent", Labels: desired.Labels,
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: "agent", UID: "owner", Controller: ptr(true)}}}
	desired.Status = appsv1.DaemonSetStatus{}
	desired.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType}
	return &model.Rollout{
		TypeMeta: metav1.TypeMeta{APIVersion: model.RolloutAPIVersion, Kind: model.RolloutKind},
		Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "agent", UID: "owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec:     model.Spec{Desired: desired, Strategy: model.Strategy{MaxUnavailable: &unavailable}},
		Status: model.Facts{ObservedAt: metav1.NewTime(worldtest.Start), Watched: true,
			OtherPods: model.OtherPods{All: true}},
	}
}

// installed is a world in which the planner has installed the pair with agent:1.
func installed(t testing.TB, nodes int, unavailable intstr.IntOrString, o world.Options) (*world.World, time.Time) {
	t.Helper()
	return installedWith(t, nodes, unavailable, o, func(*model.Rollout) {})
}

// installedWith is the same for another rollout.
func installedWith(t testing.TB, nodes int, unavailable intstr.IntOrString, o world.Options, change func(*model.Rollout)) (*world.World, time.Time) {
	t.Helper()
	snapshot := worldtest.Snapshot(worldtest.Nodes(nodes), nil)
	snapshot.Rollout = pairOf("1", unavailable)
	change(snapshot.Rollout)
	w, err := world.New(snapshot, o)
	require.NoError(t, err)
	r, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: snapshot.Rollout})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome, "%s: %s", r.Reason, r.Message)
	return w, worldtest.Start.Add(r.Duration + time.Minute) // everything is settled by then
}

func TestPreparedPair(t *testing.T) {
	w, now := installed(t, 10, intstr.FromInt32(2), world.Options{})
	r, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome, "%s: %s", r.Reason, r.Message)
	require.Len(t, r.Gaps, 10)
	for _, gap := range r.Gaps {
		require.Less(t, gap.Longest, 30*time.Second, "%s: the pull is not part of the gap", gap.Node)
	}
	require.LessOrEqual(t, r.MostUnserved, 2)
	require.LessOrEqual(t, r.MostUnavailable, 2)
	require.LessOrEqual(t, r.MostOverlap, r.Limits.Window)
	require.Positive(t, r.MostOverlap)
	require.Nil(t, r.Double)
	require.Greater(t, r.Duration, r.Bound.Total)
}

func TestSmallestWindowHidesThePull(t *testing.T) {
	w, now := installed(t, 24, intstr.FromInt32(2), world.Options{})
	o := simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now}
	before, err := w.Truth(now, nil)
	require.NoError(t, err)
	found, ok, err := simulate.SmallestWindow(w, plan.Next, o)
	require.NoError(t, err)
	require.True(t, ok, "%s of %s with %d", found.Result.Duration, found.Result.Bound.Total, found.MaxSurge)
	require.True(t, found.Result.ReachesBound())
	require.Greater(t, found.MaxSurge, 2)

	o.Rollout.Spec.Strategy.MaxSurge = ptr(intstr.FromInt32(int32(found.MaxSurge - 1)))
	smaller, err := simulate.Run(w.Clone(), plan.Next, o)
	require.NoError(t, err)
	require.False(t, smaller.ReachesBound(), "one less does not reach the bound")

	after, err := w.Truth(now, nil)
	require.NoError(t, err)
	require.Equal(t, before.Cluster.Node(0), after.Cluster.Node(0), "the world is left as it is")
}

// A bad image costs the budget and no more, whatever breaks beside it.
func TestABadImageHurtsTheBudgetOnly(t *testing.T) {
	for name, does := range map[string]world.Behaviour{
		"pull": world.PullFails, "crash": world.CrashLoops, "ready for a moment": world.ReadyThenCrashes, "never ready": world.NeverReady,
	} {
		t.Run(name, func(t *testing.T) {
			w, now := installed(t, 8, intstr.FromInt32(2), world.Options{Behaviour: map[string]world.Behaviour{"agent:2": does}})
			r, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now})
			require.NoError(t, err)
			require.NotEqual(t, simulate.Complete, r.Outcome, "the desired revision is remembered as failed")
			require.LessOrEqual(t, r.MostUnserved, 2)
			for _, node := range w.Nodes() {
				require.True(t, w.Served(node), "%s is back on the source", node)
			}
		})
	}
}

// Lagging caches, executors that crash before an action, and requests of dead ones that land late: the
// rollout completes within its budget all the same.
func TestPreparedPairWithFaults(t *testing.T) {
	for _, crash := range []simulate.Crash{{Before: 2}, {Before: 6}, {Before: 9, Late: 20 * time.Second}, {Before: 13, Late: 5 * time.Second}} {
		w, now := installed(t, 6, intstr.FromInt32(2), world.Options{Lagging: true})
		r, err := simulate.Run(w, plan.Next, simulate.Options{
			Rollout: pairOf("2", intstr.FromInt32(2)), Start: now, Crashes: []simulate.Crash{crash},
			Timings: simulate.Timings{CacheLag: 3 * time.Second},
		})
		require.NoError(t, err)
		require.Equal(t, simulate.Complete, r.Outcome, "%+v: %s: %s", crash, r.Reason, r.Message)
		require.LessOrEqual(t, r.MostUnserved, 2, "%+v", crash)
	}
}

// Caches that are 52 seconds late show for so long a Node that is another one in truth. What rests on it is tried once, not once a second until they
// show it.
func TestALaggingCacheMakesARefusedRequestOnce(t *testing.T) {
	w, now := installed(t, 4, intstr.FromInt32(2), world.Options{Lagging: true})
	var faults []simulate.Fault
	for _, node := range w.Nodes() {
		for _, at := range []time.Duration{120 * time.Second, 240 * time.Second} {
			faults = append(faults, simulate.Fault{At: at, Transition: world.Transition{Kind: world.EditLabel, Node: node, Value: "edited=" + at.String()}})
		}
	}
	r, err := simulate.Run(w, plan.Next, simulate.Options{
		Rollout: pairOf("2", intstr.FromInt32(2)), Start: now, Faults: faults, Timings: simulate.Timings{CacheLag: 52 * time.Second},
	})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome, "%s: %s", r.Reason, r.Message)
	times := map[string]int{}
	for _, e := range r.Timeline {
		if e.What == simulate.Refused {
			times[e.Action.Write.Object.String()]++
		}
	}
	require.NotEmpty(t, times, "the edits must come while the caches are late")
	for object, count := range times {
		require.LessOrEqual(t, count, len(faults)/4, "%s: once for every edit", object)
	}
}
