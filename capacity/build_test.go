package capacity

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// list reads "cpu=600m memory=1Gi".
func list(s string) corev1.ResourceList {
	l := corev1.ResourceList{}
	for _, f := range strings.Fields(s) {
		name, q, _ := strings.Cut(f, "=")
		l[corev1.ResourceName(name)] = resource.MustParse(q)
	}
	return l
}

// node has room for ten Pods unless the list says otherwise, and a host name as real ones do.
func node(name, allocatable string, edit ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	n.Status.Allocatable = list("pods=10 " + allocatable)
	for _, e := range edit {
		e(n)
	}
	return n
}

// label takes "key=value".
func label(kv ...string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		for _, s := range kv {
			k, v, _ := strings.Cut(s, "=")
			n.Labels[k] = v
		}
	}
}

// taint takes "key=value:effect" or "key:effect".
func taint(specs ...string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		for _, s := range specs {
			n.Spec.Taints = append(n.Spec.Taints, parseTaint(s))
		}
	}
}

func parseTaint(s string) corev1.Taint {
	kv, effect, _ := strings.Cut(s, ":")
	k, v, _ := strings.Cut(kv, "=")
	return corev1.Taint{Key: k, Value: v, Effect: corev1.TaintEffect(effect)}
}

// pod has one container with these requests.
func pod(name, requests string, edit ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name)}}
	p.Spec.Containers = []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Requests: list(requests)}}}
	p.Status.Phase = corev1.PodPending
	for _, e := range edit {
		e(p)
	}
	return p
}

func on(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = node, corev1.PodRunning }
}

func phase(ph corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = ph }
}

func terminating(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }

func port(ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Containers[0].Ports = ports }
}

func sidecar(name, requests string) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	c := initContainer(name, requests)
	c.RestartPolicy = &always
	return c
}

func initContainer(name, requests string) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: list(requests)}}
}

func requirement(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func exprs(rs ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: rs}
}

func fields(rs ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: rs}
}

func nameIn(names ...string) corev1.NodeSelectorRequirement {
	return requirement("metadata.name", corev1.NodeSelectorOpIn, names...)
}

func affinity(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}
}

func required(terms ...corev1.NodeSelectorTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Affinity = affinity(terms...) }
}

// target is a Pod as the DaemonSet controller makes it for the node and the scheduler refuses it.
func target(node, requests, message string, edit ...func(*corev1.Pod)) *corev1.Pod {
	p := pod("target", requests, required(fields(nameIn(node))))
	p.Labels = map[string]string{"app": "agent"}
	p.Spec.Tolerations = AddedTolerations(false)
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
		Reason: corev1.PodReasonUnschedulable, Message: message}}
	for _, e := range edit {
		e(p)
	}
	return p
}
