package capacity_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/capacity"
)

// agent is a Pod with one container that asks for CPU.
func agent(name, cpu string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "monitoring", Name: name, UID: types.UID(name)}}
	p.Spec.Containers = []corev1.Container{{Name: "agent", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)},
	}}}
	return p
}

func smallNode() *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"pool": "small"}}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourcePods: resource.MustParse("110")}
	return n
}

// A node of one CPU cannot hold the source and the target at once.
func ExampleFallback() {
	source := agent("agent-old", "600m")
	source.Spec.NodeName, source.Status.Phase = "n1", corev1.PodRunning

	target := agent("agent-new", "600m")
	target.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}},
		}}},
	}}
	target.Status.Phase = corev1.PodPending
	target.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
	}}

	question := capacity.Question{
		Pod:          target,
		Node:         smallNode(),
		Others:       []*corev1.Pod{source},
		OthersListed: true,
		Leaving:      []types.UID{source.UID},
	}
	answer := capacity.Fallback(question)
	fmt.Println(answer.Verdict)
	fmt.Println(answer.Detail)

	// Without the list of the node's Pods there is nothing to compute with.
	question.Others, question.OthersListed = nil, false
	answer = capacity.Fallback(question)
	fmt.Println(answer.Verdict)
	fmt.Println(answer.Detail)

	// Output:
	// FitsOnceSourceGone
	// cpu: wants 600m, free 400m, 1000m once the source is gone, allocatable 1000m
	// NeedPods
	// the other Pods on the node are not listed
}

func ExamplePlacement() {
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"pool": "small"}}}
	placement, err := capacity.NewPlacement(template)
	if err != nil {
		fmt.Println(err)
		return
	}
	node := smallNode()
	fmt.Println(placement.Judge(node))

	node.Spec.Taints = []corev1.Taint{{Key: "maintenance", Effect: corev1.TaintEffectNoSchedule}}
	fmt.Println(placement.Judge(node), "-", placement.Why(node))

	node.Labels["pool"] = "large"
	fmt.Println(placement.Judge(node), "-", placement.Why(node))
	// Output:
	// Eligible
	// KeepsRunning - the taint maintenance:NoSchedule is not tolerated
	// Ineligible - nodeSelector wants pool=small, the node has pool=large
}

func ExampleFit() {
	db := agent("db", "700m")
	db.Spec.NodeName, db.Status.Phase = "n1", corev1.PodRunning
	for _, short := range capacity.Fit(agent("agent", "600m"), smallNode(), []*corev1.Pod{db}) {
		fmt.Println(short.Kind, "-", short)
	}
	// Output:
	// Resource - cpu: wants 600m, free 300m, allocatable 1000m
}

func ExampleParseMessage() {
	m := capacity.ParseMessage("0/6 nodes are available: 1 Insufficient memory, 1 Too many pods, 5 node(s) didn't match Pod's node affinity/selector.")
	for _, r := range m.Reasons {
		fmt.Printf("%d × %s: %s\n", r.Count, r.Kind, r.Text)
	}
	fmt.Println("CPU or memory alone:", m.OnlyCapacity(false))
	fmt.Println("with Pod slots:", m.OnlyCapacity(true))
	// Output:
	// 1 × Resource: Insufficient memory
	// 1 × TooManyPods: Too many pods
	// 5 × NodePin: node(s) didn't match Pod's node affinity/selector
	// CPU or memory alone: false
	// with Pod slots: true
}
