package capacity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// workload is a Pod on the node of a priority that asks for so much CPU and has run for so long.
func workload(name string, priority int32, cpu string, hours int) *corev1.Pod {
	start := metav1.NewTime(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC).Add(-time.Duration(hours) * time.Hour))
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID(name), Labels: map[string]string{"app": name}}}
	p.Spec.NodeName, p.Spec.Priority, p.Status.StartTime = "node", &priority, &start
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(cpu)}}}}
	return p
}

func nodeOf(cpu string) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node"}}
	node.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse(cpu), "pods": resource.MustParse("110")}
	return node
}

func budgetOf(app string, allowed int32) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: app},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed},
	}
}

// The node has two CPUs, and the agent of priority 1000 asks for one.
func TestPreempt(t *testing.T) {
	never := corev1.PreemptNever
	for _, test := range []struct {
		name    string
		policy  *corev1.PreemptionPolicy
		others  []*corev1.Pod
		budgets []*policyv1.PodDisruptionBudget
		fits    bool
		victims []string
		breaks  int
	}{
		{"there is room", nil, []*corev1.Pod{workload("a", 0, "1", 1)}, nil, true, nil, 0},
		{"one is in the way", nil, []*corev1.Pod{workload("a", 0, "1500m", 1)}, nil, true, []string{"a"}, 0},
		{"the agent evicts nobody", &never, []*corev1.Pod{workload("a", 0, "1500m", 1)}, nil, false, nil, 0},
		{"as high as the agent", nil, []*corev1.Pod{workload("a", 1000, "1500m", 1)}, nil, false, nil, 0},
		{"not enough of lower priority", nil, []*corev1.Pod{workload("a", 1000, "1500m", 1), workload("b", 0, "400m", 1)}, nil, false, nil, 0},
		{"the less important goes", nil, []*corev1.Pod{workload("a", 0, "1", 1), workload("b", 10, "1", 1)}, nil, true, []string{"a"}, 0},
		{"the younger goes", nil, []*corev1.Pod{workload("a", 0, "1", 1), workload("b", 0, "1", 5)}, nil, true, []string{"a"}, 0},
		{"one that does not make enough room is spared", nil, []*corev1.Pod{workload("a", 5, "100m", 1), workload("b", 0, "1900m", 1)}, nil, true, []string{"b"}, 0},
		{"a budget spares the less important", nil, []*corev1.Pod{workload("a", 0, "1", 1), workload("b", 10, "1", 1)}, []*policyv1.PodDisruptionBudget{budgetOf("a", 0)}, true, []string{"b"}, 0},
		{"a budget with room does not", nil, []*corev1.Pod{workload("a", 0, "1", 1), workload("b", 10, "1", 1)}, []*policyv1.PodDisruptionBudget{budgetOf("a", 1)}, true, []string{"a"}, 0},
		{"a budget is broken if it must be", nil, []*corev1.Pod{workload("a", 0, "2", 1)}, []*policyv1.PodDisruptionBudget{budgetOf("a", 0)}, true, []string{"a"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			agent := workload("agent", 1000, "1", 0)
			agent.Spec.NodeName, agent.Spec.PreemptionPolicy = "", test.policy
			got := Preempt(agent, nodeOf("2"), test.others, test.budgets)
			var victims []string
			for _, victim := range got.Victims {
				victims = append(victims, victim.Name)
			}
			require.Equal(t, test.fits, got.Fits)
			require.Equal(t, test.victims, victims)
			require.Equal(t, test.breaks, got.Violating)
		})
	}
}

// What ends already is waited for, if it has to yield to the agent.
func TestYielding(t *testing.T) {
	agent, node := workload("agent", 1000, "1", 0), nodeOf("2")
	now := metav1.Now()
	ending := func(name string, priority int32) *corev1.Pod {
		pod := workload(name, priority, "1", 1)
		pod.DeletionTimestamp = &now
		return pod
	}
	require.Nil(t, Yielding(agent, node, []*corev1.Pod{workload("a", 0, "1", 1), ending("b", 1000)}))
	require.Equal(t, "b", Yielding(agent, node, []*corev1.Pod{ending("c", 0), ending("b", 0)}).Name)
}

func TestPriorityOf(t *testing.T) {
	never := corev1.PreemptNever
	classes := []*schedulingv1.PriorityClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "agents"}, Value: 500, PreemptionPolicy: &never},
		{ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 7, GlobalDefault: true},
	}
	number := int32(42)
	for _, test := range []struct {
		name     string
		spec     corev1.PodSpec
		classes  []*schedulingv1.PriorityClass
		priority int32
		policy   *corev1.PreemptionPolicy
		known    bool
	}{
		{"a class", corev1.PodSpec{PriorityClassName: "agents"}, classes, 500, &never, true},
		{"the global default", corev1.PodSpec{}, classes, 7, nil, true},
		{"none at all", corev1.PodSpec{}, nil, 0, nil, true},
		{"a class that is not given", corev1.PodSpec{PriorityClassName: "agents"}, nil, 0, nil, false},
		{"resolved already", corev1.PodSpec{PriorityClassName: "agents", Priority: &number}, nil, 42, nil, true},
		{"of the system's", corev1.PodSpec{PriorityClassName: "system-node-critical"}, nil, 2000001000, nil, true},
		{"of the system's, lower", corev1.PodSpec{PriorityClassName: "system-cluster-critical"}, nil, 2000000000, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			priority, policy, known := PriorityOf(&test.spec, test.classes)
			require.Equal(t, test.priority, priority)
			require.Equal(t, test.policy, policy)
			require.Equal(t, test.known, known)
		})
	}
}
