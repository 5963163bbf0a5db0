package step

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Room is whether the next Pod would stand on a node once those have gone that leave for it. Where it would not, Reason says why the node is not
// drained; Verdict and Detail are what its report says then. Where room is made by eviction, Detail names whom it costs.
type Room struct {
	Verdict model.Verdict
	Reason  model.Reason // "": there is room
	Detail  string
	// NeedsPods says that the node's other Pods must be listed first.
	NeedsPods bool
}

// NoRoom tells the reasons for which arithmetic sets a node aside: the target is not to blame, and the node is tried again when something changes on it.
func NoRoom(reason model.Reason) bool { return reason == model.NeverFits || reason == model.StillShort }

// NextPod is the Pod that the controller makes of the DaemonSet's template, as the scheduler sees it.
func NextPod(set *appsv1.DaemonSet) *corev1.Pod { return podFrom(&set.Spec.Template, set.Namespace) }

func podFrom(template *corev1.PodTemplateSpec, namespace string) *corev1.Pod {
	pod := &corev1.Pod{Spec: template.Spec}
	pod.Namespace, pod.Labels, pod.Annotations = namespace, template.Labels, template.Annotations
	added := capacity.AddedTolerations(pod.Spec.HostNetwork)
	pod.Spec.Tolerations = append(pod.Spec.Tolerations[:len(pod.Spec.Tolerations):len(pod.Spec.Tolerations)], added...)
	return pod
}

// Grown returns what tells, of a node with that old Pod, whether the DaemonSet's next one asks for more than one of the former template, so that every
// node has to be looked at. Where no former template is kept the old Pod itself is asked.
func Grown(set *appsv1.DaemonSet, former *corev1.PodTemplateSpec) func(old *corev1.Pod) bool {
	var next *corev1.Pod // made when first asked for
	grown := false
	return func(old *corev1.Pod) bool {
		if set == nil || old == nil {
			return false
		}
		if next == nil {
			next = NextPod(set)
			grown = former != nil && capacity.AsksForMore(next, podFrom(former, set.Namespace))
		}
		return grown || former == nil && capacity.AsksForMore(next, old)
	}
}

// Victims says which Pods the scheduler would evict from the i-th node for the DaemonSet's next Pod while all stay that do not leave for it; "" for none. The
// priority is that of an old Pod of the same class: admission has written it there. A class of which no Pod is there is taken for the highest.
func Victims(set *appsv1.DaemonSet, cluster *model.Cluster, i int, old *corev1.Pod, leaves func(*corev1.Pod) bool) string {
	next := NextPod(set)
	next.Spec.Affinity, next.Spec.NodeSelector, next.Spec.Tolerations = nil, nil, []corev1.Toleration{{Operator: corev1.TolerationOpExists}} // the controller's to judge
	prioritize(&next.Spec, old)
	others := slices.DeleteFunc(slices.Clone(cluster.Pods(i)), leaves)
	if !slices.ContainsFunc(others, func(pod *corev1.Pod) bool { return capacity.Priority(pod) < capacity.Priority(next) }) {
		return ""
	}
	var names []string
	for _, victim := range capacity.Preempt(next, cluster.Node(i), others, nil).Victims {
		names = append(names, fmt.Sprintf("Pod %s/%s (priority %d)", victim.Namespace, victim.Name, capacity.Priority(victim)))
	}
	return strings.Join(names, ", ")
}

// prioritize gives the spec the priority that admission would.
func prioritize(spec *corev1.PodSpec, old *corev1.Pod) {
	priority, policy, known := capacity.PriorityOf(spec, nil)
	switch {
	case spec.Priority != nil:
		return
	case old != nil && old.Spec.PriorityClassName == spec.PriorityClassName && old.Spec.Priority != nil:
		priority, policy = *old.Spec.Priority, old.Spec.PreemptionPolicy
	case !known:
		priority = math.MaxInt32
	}
	spec.Priority = &priority
	if spec.PreemptionPolicy == nil {
		spec.PreemptionPolicy = policy
	}
}

// RoomFor judges the i-th node before it is drained: whatever the strategy, an agent that serves is not taken away for one that cannot stand there.
// Where the node's other Pods are not listed, one that asks for no more than the old Pod fits in its place. Taints and affinities are the
// controller's to judge.
func RoomFor(set *appsv1.DaemonSet, cluster *model.Cluster, i int, rollout *model.Rollout, old *corev1.Pod, leaves func(*corev1.Pod) bool) Room {
	node, next := cluster.Node(i), NextPod(set)
	var others []*corev1.Pod
	for _, pod := range cluster.Pods(i) {
		if !leaves(pod) {
			others = append(others, pod)
		}
	}
	for _, short := range capacity.Fit(next, node, others) {
		switch {
		case short.Kind == capacity.ShortTaint || short.Kind == capacity.ShortAffinity:
			continue
		case short.Kind == capacity.ShortPort:
			return Room{Verdict: model.Blocks, Reason: model.CannotSchedule, Detail: short.String()}
		case short.AboveAllocatable:
			return Room{Verdict: model.Blocks, Reason: model.NeverFits, Detail: short.String()}
		}
		if victims := Victims(set, cluster, i, old, leaves); victims != "" && rollout.Spec.Capacity.Preemption == model.AllowPreemption {
			return Room{Detail: "the scheduler will make room by evicting " + victims}
		} else if victims != "" {
			return Room{Verdict: model.Blocks, Reason: model.StillShort, Detail: short.String() + "; the scheduler would make room by evicting " + victims + ", which spec.capacity.preemption Refuse forbids"}
		}
		return Room{Verdict: model.Blocks, Reason: model.StillShort, Detail: short.String()}
	}
	if !rollout.Status.OtherPods.Listed(node.Name) && old != nil && capacity.AsksForMore(next, old) {
		return Room{Verdict: model.Waits, Reason: model.OtherPodsUnknown, Detail: "the next Pod asks for more than the present one", NeedsPods: true}
	}
	return Room{}
}
