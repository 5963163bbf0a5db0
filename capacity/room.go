package capacity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Room is a node with the Pods on it summed up, for asking about several Pods.
type Room struct {
	node  *corev1.Node
	pods  int64
	used  map[corev1.ResourceName]int64
	ports []heldPort
}

type heldPort struct {
	HostPort
	holder types.NamespacedName
}

// NewRoom sums up a node. A Pod of others counts unless its phase is Failed or Succeeded, or it is
// bound to another node; a terminating Pod counts until it is gone. An unbound Pod counts: who knows of
// one that the scheduler has nominated for the node passes it in.
//
// The node must not be nil; it is kept, and not changed.
func NewRoom(node *corev1.Node, others []*corev1.Pod) Room {
	r := Room{node: node, used: make(map[corev1.ResourceName]int64, 4)}
	for _, pod := range others {
		r.Add(pod)
	}
	return r
}

// Add takes one more Pod into account, by the rule of [NewRoom].
func (r *Room) Add(pod *corev1.Pod) {
	if !occupies(pod, r.node.Name) {
		return
	}
	r.pods++
	for name, q := range Requests(pod) {
		if counted(name) {
			r.used[name] = addAmounts(r.used[name], amountOf(name, q))
		}
	}
	for _, p := range hostPorts(&pod.Spec) {
		r.ports = append(r.ports, heldPort{p, nameOf(pod)})
	}
}

// occupies reports whether a Pod holds anything of the node.
func occupies(pod *corev1.Pod, node string) bool {
	switch {
	case pod == nil:
		return false
	case pod.Status.Phase == corev1.PodFailed, pod.Status.Phase == corev1.PodSucceeded:
		return false
	default:
		return pod.Spec.NodeName == "" || pod.Spec.NodeName == node
	}
}

func nameOf(pod *corev1.Pod) types.NamespacedName {
	return types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
}

func compareNames(a, b types.NamespacedName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// Fit answers [Fit] for a Pod that is not among those summed up.
func (r Room) Fit(pod *corev1.Pod) []Shortfall {
	return append(append(fixedShortfalls(pod, r.node), r.portShortfalls(pod)...), r.amountShortfalls(pod)...)
}

// Fit says what keeps the scheduler from binding the Pod to the node; nil means that it fits. All
// faults are listed: taints in the node's order, affinity, host ports in the Pod's order, Pod count,
// then resources (CPU, memory, ephemeral storage, the others by name).
//
// Only the Pod's own tolerations count here: the DaemonSet controller has written its additions into
// the Pods it made. A node that is marked unschedulable counts as one with that taint. The Pod itself
// is skipped where it is among the others (same UID). A node that does not tell how many Pods it may
// hold holds none, as with the scheduler. Pod (anti-)affinity, topology spread and volumes are not
// looked at.
func Fit(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod) []Shortfall {
	return NewRoom(node, without(others, pod)).Fit(pod)
}

// without returns the others less the Pod itself, and the list as it is when the Pod is not in it.
func without(others []*corev1.Pod, pod *corev1.Pod) []*corev1.Pod {
	for i, o := range others {
		if !same(o, pod) {
			continue
		}
		rest := append(make([]*corev1.Pod, 0, len(others)-1), others[:i]...)
		for _, o := range others[i+1:] {
			if !same(o, pod) {
				rest = append(rest, o)
			}
		}
		return rest
	}
	return others
}

func same(a, b *corev1.Pod) bool {
	return a == b || a != nil && b != nil && a.UID != "" && a.UID == b.UID
}

// fixedShortfalls are those that no other Pod has a part in.
func fixedShortfalls(pod *corev1.Pod, node *corev1.Node) []Shortfall {
	var short []Shortfall
	for i := range node.Spec.Taints {
		if t := &node.Spec.Taints[i]; hard(t.Effect) && !toleratesAny(pod.Spec.Tolerations, t) {
			short = append(short, Shortfall{Kind: ShortTaint, Taint: *t})
		}
	}
	if node.Spec.Unschedulable {
		cordon := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
		if !toleratesAny(pod.Spec.Tolerations, &cordon) && !names(short, &cordon) {
			short = append(short, Shortfall{Kind: ShortTaint, Taint: cordon})
		}
	}
	if pod.Spec.NodeName != "" && pod.Spec.NodeName != node.Name {
		short = append(short, Shortfall{Kind: ShortAffinity,
			Term: fmt.Sprintf("the Pod's node name is %s, the node is %s", pod.Spec.NodeName, node.Name)})
	}
	// A malformed term matches no node, so its faults add nothing to the answer.
	match, _ := compileNodeMatcher(&pod.Spec, nil)
	if term := match.why(node); term != "" {
		short = append(short, Shortfall{Kind: ShortAffinity, Term: term})
	}
	return short
}

// names spares a cordoned node that carries the taint as well from being named twice.
func names(short []Shortfall, taint *corev1.Taint) bool {
	return slices.ContainsFunc(short, func(s Shortfall) bool {
		return s.Taint.Key == taint.Key && s.Taint.Effect == taint.Effect
	})
}

// portShortfalls names the first holder by name where there are several: the order of the others does not
// reach the answer.
func (r Room) portShortfalls(pod *corev1.Pod) []Shortfall {
	var short []Shortfall
	for _, want := range hostPorts(&pod.Spec) {
		taken, holder := false, types.NamespacedName{}
		for _, held := range r.ports {
			if want.conflicts(held.HostPort) && (!taken || compareNames(held.holder, holder) < 0) {
				taken, holder = true, held.holder
			}
		}
		if taken {
			short = append(short, Shortfall{Kind: ShortPort, Port: want, Holder: holder})
		}
	}
	return short
}

// amountShortfalls are the Pod count and the resources; a request of zero is never short.
func (r Room) amountShortfalls(pod *corev1.Pod) []Shortfall {
	var short []Shortfall
	seats := amountOf(corev1.ResourcePods, r.node.Status.Allocatable[corev1.ResourcePods])
	if r.pods+1 > seats {
		short = append(short, Shortfall{Kind: ShortPods,
			Requested: 1, Free: seats - r.pods, Allocatable: seats, AboveAllocatable: seats < 1})
	}
	requests := Requests(pod)
	for _, name := range inOrder(requests) {
		want := amountOf(name, requests[name])
		allocatable := amountOf(name, r.node.Status.Allocatable[name])
		free := allocatable - r.used[name]
		if want > 0 && want > free {
			short = append(short, Shortfall{Kind: ShortResource, Resource: name,
				Requested: want, Free: free, Allocatable: allocatable, AboveAllocatable: want > allocatable})
		}
	}
	return short
}
