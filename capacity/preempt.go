package capacity

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Preemption is what the scheduler would do on one node to make room for a Pod.
type Preemption struct {
	// Fits: the Pod finds room, with the victims gone.
	Fits bool
	// Victims are the Pods that would be evicted, the most important first; none where the Pod fits as it is.
	Victims []*corev1.Pod
	// Violating is how many of them a PodDisruptionBudget would have kept: preemption spares them only where it can.
	Violating int
}

// Preempt says which Pods the scheduler would evict from the node for the Pod, whose priority is in its spec
// ([PriorityOf] finds that of a template). Pods of lower priority may go, and as few of them as room demands: they are spared again one by
// one, those first that a PodDisruptionBudget protects, and the more important ones first (the higher priority, then the longer run).
// A Pod whose preemptionPolicy is Never evicts nobody.
//
// The rule is that of the scheduler's plug-in DefaultPreemption for one node (Kubernetes 1.35); which node it would choose is no question
// for a Pod that is bound for one. The others are all Pods on the node, as in [Fit], and as there (anti-)affinity between Pods is not looked
// at. Neither the Pod itself nor Pods that end already are counted as victims: the scheduler waits for those (see [Yielding]).
func Preempt(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod, budgets []*policyv1.PodDisruptionBudget) Preemption {
	others = without(others, pod)
	fits := func(present []*corev1.Pod) bool { return len(NewRoom(node, present).Fit(pod)) == 0 }
	if fits(others) {
		return Preemption{Fits: true}
	}
	if policy := pod.Spec.PreemptionPolicy; policy != nil && *policy == corev1.PreemptNever {
		return Preemption{}
	}
	var staying, lower []*corev1.Pod
	for _, other := range others {
		if occupies(other, node.Name) && Priority(other) < Priority(pod) {
			lower = append(lower, other)
		} else {
			staying = append(staying, other)
		}
	}
	if len(lower) == 0 || !fits(staying) {
		return Preemption{}
	}
	slices.SortStableFunc(lower, moreImportant)
	guarded, free := split(lower, budgets)
	out := Preemption{Fits: true}
	for i, candidate := range slices.Concat(guarded, free) {
		if spared := append(staying, candidate); fits(spared) {
			staying = spared
			continue
		}
		out.Victims = append(out.Victims, candidate)
		if i < len(guarded) {
			out.Violating++
		}
	}
	slices.SortStableFunc(out.Victims, moreImportant)
	return out
}

// Priority is what admission has written into the Pod; 0 where it has not.
func Priority(pod *corev1.Pod) int32 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return *pod.Spec.Priority
}

// moreImportant orders Pods by what their end would cost: the higher priority first, then the longer run, then names. One that
// has not started has run for the shortest time.
func moreImportant(a, b *corev1.Pod) int {
	if d := cmp.Compare(Priority(b), Priority(a)); d != 0 {
		return d
	}
	if d := started(a).Compare(started(b)); d != 0 {
		return d
	}
	return compareNames(nameOf(a), nameOf(b))
}

func started(pod *corev1.Pod) time.Time {
	if pod.Status.StartTime == nil {
		return time.Unix(1<<40, 0)
	}
	return pod.Status.StartTime.Time
}

// split tells Pods whose eviction breaks a PodDisruptionBudget from the others, in order: each takes one of what is left of
// every budget that selects it.
func split(pods []*corev1.Pod, budgets []*policyv1.PodDisruptionBudget) (guarded, free []*corev1.Pod) {
	left := make([]int32, len(budgets))
	selectors := make([]labels.Selector, len(budgets))
	for i, b := range budgets {
		left[i], selectors[i] = b.Status.DisruptionsAllowed, labels.Nothing()
		if s, err := metav1.LabelSelectorAsSelector(b.Spec.Selector); err == nil && !s.Empty() {
			selectors[i] = s
		}
	}
	for _, pod := range pods {
		breaks := false
		for i, b := range budgets {
			if len(pod.Labels) == 0 || b.Namespace != pod.Namespace || !selectors[i].Matches(labels.Set(pod.Labels)) {
				continue
			}
			if _, counted := b.Status.DisruptedPods[pod.Name]; counted {
				continue // its eviction is in the budget's count already
			}
			left[i]--
			breaks = breaks || left[i] < 0
		}
		if breaks {
			guarded = append(guarded, pod)
		} else {
			free = append(free, pod)
		}
	}
	return guarded, free
}

// Yielding is the first Pod on the node that ends already and is of lower priority than the Pod, by names; nil if there is none. While there is
// one the scheduler evicts nobody else for a Pod that it has nominated for the node: the room is about to come.
func Yielding(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod) (first *corev1.Pod) {
	for _, other := range without(others, pod) {
		if other.DeletionTimestamp == nil || !occupies(other, node.Name) || Priority(other) >= Priority(pod) {
			continue
		}
		if first == nil || compareNames(nameOf(other), nameOf(first)) < 0 {
			first = other
		}
	}
	return first
}
