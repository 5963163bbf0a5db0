package step

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A dead node that the rollout holds, by its label or by a Pod, is eligible and is named; one that it does not hold is not.
func TestBlockNodesNamesDeadNodesThatAreHeld(t *testing.T) {
	node := func(name string, labels map[string]string) *corev1.Node {
		return &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1", Labels: labels},
			Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule}}},
		}
	}
	controlled, yes := "set", true
	pod := func(node string, phase corev1.PodPhase) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "on-" + node, UID: types.UID("on-" + node), ResourceVersion: "1",
				OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Name: controlled, UID: types.UID(controlled), Controller: &yes}}},
			Spec:   corev1.PodSpec{NodeName: node},
			Status: corev1.PodStatus{Phase: phase},
		}
	}
	cluster, err := model.NewCluster(model.Objects{
		Nodes: []*corev1.Node{node("bare", nil), node("labelled", map[string]string{"slot": "blue"}), node("ended", nil), node("running", nil)},
		Pods:  []*corev1.Pod{pod("ended", corev1.PodFailed), pod("running", corev1.PodRunning)},
	})
	require.NoError(t, err)
	placement, err := NewPlacement(&corev1.PodTemplateSpec{})
	require.NoError(t, err)

	var plan model.Plan
	BlockNodes(&plan, cluster, placement, Holding{Label: "slot", Sets: []types.UID{"set", ""}}, model.StrategyChanged)
	var named []string
	for i := range plan.Nodes {
		require.Equal(t, model.Blocks, plan.Nodes[i].Verdict)
		require.Equal(t, model.StrategyChanged, plan.Nodes[i].Reason)
		named = append(named, plan.Nodes[i].Node)
	}
	require.Equal(t, []string{"labelled", "running"}, named)
	require.Equal(t, 2, plan.Pair.Desired)
}
