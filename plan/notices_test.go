package plan_test

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func noticesOf(t *testing.T, nodes []*corev1.Node, rollout *model.Rollout, selecting ...model.Selecting) []string {
	snapshot, err := newLab(t, nodes, rollout).world.Snapshot(start, rollout)
	require.NoError(t, err)
	rendering, err := plan.Render(snapshot)
	require.NoError(t, err)
	return plan.Notices(snapshot, &rendering, selecting)
}

func selects(kind, selector string, namespaces ...string) model.Selecting {
	parsed, err := labels.Parse(selector)
	if err != nil {
		panic(err)
	}
	return model.Selecting{Kind: kind, Namespace: "x", Name: "y", Path: "spec.selector", Selector: parsed, Namespaces: namespaces}
}

// What selects the template's Pods by the label in which green differs would lose green's; nothing else would, and nothing where green has
// every label.
func TestNoticesOfSelectors(t *testing.T) {
	byInstance := rolloutOf("1", func(r *model.Rollout) {
		r.Spec.Desired.Spec.Template.Labels = map[string]string{"app.kubernetes.io/instance": "agent", "app": "agent"}
	})
	list := noticesOf(t, workers(2), byInstance,
		selects("Service", "app.kubernetes.io/instance=agent", namespace),
		selects("Service", "app=agent", namespace),
		selects("Service", "app.kubernetes.io/instance=agent", "another"),
		selects("Service", "app.kubernetes.io/instance=other", namespace),
		selects("PodDisruptionBudget", "", namespace),
		selects("PodMonitor", "app.kubernetes.io/instance in (agent)"),
		selects("NetworkPolicy", "app.kubernetes.io/instance=agent", "another", namespace))
	require.Len(t, list, 3)
	for i, kind := range []string{"Service", "PodMonitor", "NetworkPolicy"} {
		require.Contains(t, list[i], kind+" x/y would lose the Pods of DaemonSet agent-green: its spec.selector is app.kubernetes.io/instance")
	}
	kept := rolloutOf("1", func(r *model.Rollout) { r.Spec.Desired = selecting("1") })
	require.Empty(t, noticesOf(t, workers(2), kept, selects("Service", "app=agent", namespace), selects("Service", "app.kubernetes.io/instance=agent", namespace)))
	one := rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.Type = model.RollingUpdate })
	require.Empty(t, noticesOf(t, workers(2), one, selects("Service", "app.kubernetes.io/instance=agent", namespace)), "one DaemonSet keeps its labels")
}

// Nodes of a platform on which no DaemonSet of a Linux agent runs are named where the template does not keep it off them.
func TestNoticesOfNodes(t *testing.T) {
	nodes := workers(6)
	for i := range 4 {
		nodes[i].Labels[corev1.LabelOSStable] = "windows"
	}
	nodes[4].Labels["eks.amazonaws.com/compute-type"] = "fargate"
	everywhere := rolloutOf("1", func(r *model.Rollout) { r.Spec.Desired.Spec.Template.Spec.NodeSelector = nil })
	list := noticesOf(t, nodes, everywhere)
	require.Len(t, list, 2)
	require.Contains(t, list[0], "Windows nodes, where a Linux agent never becomes available: n1, n2, n3 and 1 more")
	require.Contains(t, list[1], "Fargate nodes, where a Linux agent never becomes available: n5.")
	require.Len(t, noticesOf(t, nodes, rolloutOf("1")), 1, "the selector keeps it off Windows, and not off Fargate")
	nodes[4].Spec.Taints = []corev1.Taint{{Key: "eks.amazonaws.com/compute-type", Value: "fargate", Effect: corev1.TaintEffectNoSchedule}}
	require.Empty(t, noticesOf(t, nodes, rolloutOf("1")), "nor does it tolerate the taint that such nodes have")
}

// An absolute budget that leaves no node with an agent is told; a percentage, and the only node there is, are what they are.
func TestNoticesOfTheBudget(t *testing.T) {
	with := func(value intstr.IntOrString) *model.Rollout {
		return rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = &value })
	}
	require.Empty(t, noticesOf(t, workers(3), with(intstr.FromInt32(2))))
	for _, count := range []int32{3, 10} {
		list := noticesOf(t, workers(3), with(intstr.FromInt32(count)))
		require.Len(t, list, 1)
		require.Contains(t, list[0], "the template runs on 3 nodes")
	}
	require.Empty(t, noticesOf(t, workers(3), with(intstr.FromString("100%"))))
	require.Empty(t, noticesOf(t, workers(1), with(intstr.FromInt32(1))))
}

// Taking a DaemonSet over needs a roll for the wrapper and for pinned revisions; it is told until that has begun.
func TestNoticesOfTakingOver(t *testing.T) {
	for _, test := range []struct {
		strategy func(*model.Rollout)
		why      string
	}{
		{strategyOf(model.Pair, model.Locked, count(1)), "needs the lock wrapper"},
		{strategyOf(model.Surge, model.Locked, count(1)), "needs the lock wrapper"},
		{strategyOf(model.Pair, model.Never, count(1)), "has to say which revision it is of"},
		{strategyOf(model.Surge, model.Never, count(1)), ""},
		{strategyOf(model.RollingUpdate, "", count(1)), ""},
	} {
		l := deployedBefore(t, test.strategy)
		notices := func() []string {
			snapshot, err := l.world.Snapshot(l.now, l.rollout)
			require.NoError(t, err)
			rendering, err := plan.Render(snapshot)
			require.NoError(t, err)
			return plan.Notices(snapshot, &rendering, nil)
		}
		before := podUIDs(l)
		list := notices()
		end := l.run()
		require.True(t, end.Complete(), "%+v", end.Conditions)
		require.Empty(t, notices(), "it is taken over")
		if test.why == "" {
			require.Empty(t, list)
			require.Equal(t, before, podUIDs(l))
			continue
		}
		require.Len(t, list, 1)
		require.Contains(t, list[0], test.why)
		require.NotEqual(t, before, podUIDs(l), "as was told")
	}
}
