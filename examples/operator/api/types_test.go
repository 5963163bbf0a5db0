package api

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
)

// A copy is equal, and nothing that is done to it shows.
func TestACopySharesNothing(t *testing.T) {
	budget := intstr.FromString("5%")
	r := &NodeAgentRollout{
		ObjectMeta: metav1.ObjectMeta{Name: "agent", Finalizers: []string{Finalizer}},
		Spec: model.Spec{
			Desired:  &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", Labels: map[string]string{"a": "b"}}},
			Strategy: model.Strategy{MaxUnavailable: &budget, SpreadBy: []string{"zone"}, Canary: &model.Canary{}},
		},
		Status: Status{Phase: model.PhaseCanary, Nodes: model.PairStatus{Active: model.Blue, Desired: 3}, Exceptions: []model.Exception{{Node: "n1", Reason: model.NeverFits}}},
	}
	list := &NodeAgentRolloutList{Items: []NodeAgentRollout{*r}}
	was, copied := r.DeepCopy(), r.DeepCopy()
	require.Equal(t, r, copied)
	require.Equal(t, list, list.DeepCopyObject())
	copied.Finalizers[0], copied.Spec.Desired.Labels["a"], copied.Spec.Strategy.SpreadBy[0] = "", "c", ""
	*copied.Spec.Strategy.MaxUnavailable, copied.Status.Exceptions[0].Node = intstr.FromInt32(1), ""
	require.Equal(t, was, r)
	require.Nil(t, (*NodeAgentRollout)(nil).DeepCopy())
}
