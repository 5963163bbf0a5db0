package step

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What a rollout that leaves the cluster may leave: what Nodes hold that have been lost past the deadline, and nothing else. Letters are a
// Ready node's Pod that serves wrapped (w), serves conventionally (c), is missing (-), ends (e); upper case on a Node that is not Ready.
func TestLeftOnLostNodes(t *testing.T) {
	now, limit := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), 10*time.Minute
	for _, test := range []struct {
		nodes  string
		most   intstr.IntOrString
		ago    time.Duration
		torn   bool
		unseen bool
		left   []string
	}{
		{nodes: "cE", most: intstr.FromInt32(1), ago: limit, left: []string{"n1 NodeNotReady"}},
		{nodes: "cW", most: intstr.FromInt32(1), ago: limit, left: []string{"n1 NodeNotReady"}},
		{nodes: "cE", most: intstr.FromInt32(1), ago: limit - time.Second},
		{nodes: "ce", most: intstr.FromInt32(1), ago: limit},
		{nodes: "cc", most: intstr.FromInt32(1), ago: limit},
		{nodes: "wE", most: intstr.FromInt32(1), ago: limit, left: []string{"n0 WaitingForBudget", "n1 NodeNotReady"}},
		{nodes: "w-E", most: intstr.FromInt32(1), ago: limit},
		{nodes: "wE", most: intstr.FromInt32(1), ago: limit, unseen: true},
		{nodes: "wEc", most: intstr.FromInt32(2), ago: limit},
		{nodes: "wEc", most: intstr.FromString("34%"), ago: limit},
		{nodes: "wEE", most: intstr.FromString("34%"), ago: limit, left: []string{"n0 WaitingForBudget", "n1 NodeNotReady", "n2 NodeNotReady"}},
		{nodes: "E", torn: true, ago: limit, left: []string{"n0 NodeNotReady"}},
		{nodes: "E", torn: true, ago: limit - time.Second},
		{nodes: "Ee", torn: true, ago: limit},
		{nodes: "W", torn: true, ago: limit},
		{nodes: "-", torn: true, ago: limit},
	} {
		set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "agent", UID: "set", Generation: 2}}
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &test.most}
		if set.Status.ObservedGeneration = 2; test.unseen {
			set.Status.ObservedGeneration = 1
		}
		var objects model.Objects
		for i, letter := range test.nodes {
			name := "n" + string(rune('0'+i))
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1"}}
			ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue}
			if letter < 'a' && letter != '-' {
				ready.Status, ready.LastTransitionTime = corev1.ConditionUnknown, metav1.NewTime(now.Add(-test.ago))
			}
			node.Status.Conditions = []corev1.NodeCondition{ready}
			objects.Nodes = append(objects.Nodes, node)
			if letter == '-' {
				continue
			}
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "pod-" + name, UID: types.UID("pod-" + name), ResourceVersion: "1", OwnerReferences: controlledBy("DaemonSet", "agent", "set")}}
			pod.Spec.NodeName = name
			if letter != 'c' {
				pod.Annotations = map[string]string{"wrapped": ""}
			}
			switch letter {
			case 'w', 'c':
				pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
			case 'e', 'E':
				at := metav1.NewTime(now.Add(-time.Hour))
				pod.DeletionTimestamp = &at
			}
			objects.Pods = append(objects.Pods, pod)
		}
		cluster, err := model.NewCluster(objects)
		require.NoError(t, err)
		placement, err := NewPlacement(&set.Spec.Template)
		require.NoError(t, err)
		wrapped := func(pod *corev1.Pod) bool { _, ok := pod.Annotations["wrapped"]; return ok }
		c, d := &Course{}, Deadline{Now: now, Limit: limit}
		leaves := false
		if test.torn {
			leaves = c.LeaveLost(d, cluster, set)
		} else {
			leaves = c.LeaveUnwrapping(d, cluster, placement, set, 0, wrapped)
		}
		var left []string
		for _, e := range c.Left {
			left = append(left, e.Node+" "+string(e.Reason))
		}
		require.Equal(t, test.left, left, "%+v", test)
		require.Equal(t, test.left != nil, leaves, "%+v", test)
		if test.ago < limit {
			require.Equal(t, now.Add(limit-test.ago), c.Wake, "it is looked at again at the deadline: %+v", test)
		}
	}
}
