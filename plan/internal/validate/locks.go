package validate

import (
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mayStart: no DaemonSet is made whose Pods would start next to those that end and that it cannot adopt: of one of its name that is
// gone, or without a controller.
func (s *scene) mayStart(x act, set *appsv1.DaemonSet) (found []Violation) {
	for i := range s.cluster.Len() {
		for _, pod := range s.cluster.Pods(i) {
			owner := metav1.GetControllerOfNoCopy(pod)
			gone := owner != nil && owner.Kind == "DaemonSet" && owner.Name == set.Name
			ends := owner == nil && model.Terminating(pod) && selects(set, pod)
			if pod.Namespace != set.Namespace || model.Terminal(pod) || !gone && !ends {
				continue
			}
			if err := lockspec.MayOverlap(&pod.Spec, &set.Spec.Template.Spec); err != nil {
				found = append(found, x.onNode(s.cluster.Node(i).Name).breaks(S14, "%s would be made while Pod %s ends, and nothing keeps another one from starting beside it: %v", set.Name, pod.Name, err)...)
			}
		}
	}
	return found
}

// mayAdmit judges the template of a slot against the other one: without locks no label may let both in at once.
func (s *scene) mayAdmit(x act, name string, spec *corev1.PodSpec) (found []Violation) {
	for i := range s.slots {
		other := &s.slots[1-i]
		if s.slots[i].name != name || other.set == nil {
			continue
		}
		admits := admissionOf(spec, s.keys.NodeSlot)
		for _, label := range []model.NodeLabel{{}, {Kind: model.Overlaps, To: model.Blue}, {Kind: model.Overlaps, To: model.Green}} {
			if !admits.takes(label) || !other.admits.takes(label) {
				continue
			}
			if err := lockspec.MayOverlap(spec, &other.set.Spec.Template.Spec); err != nil {
				value, _ := label.Value()
				found = append(found, x.breaks(S14, "%s and %s would both take nodes labelled %q: %v", name, other.name, value, err)...)
			}
		}
	}
	return found
}

// mayShare judges the source's Pods, or its template where there are none, and those of either slot that have lost their controller,
// against the target's template.
func (s pair) mayShare(x act, at *sight) (found []Violation) {
	target, source := s.slot(at.label.To).set, s.slot(at.label.To.Other())
	pods := s.runningOf(at.index, at.label.To.Other())
	if len(pods) == 0 {
		pods = []*corev1.Pod{{Spec: source.set.Spec.Template.Spec}}
	}
	for _, pod := range s.cluster.Pods(at.index) {
		if model.ControllerUID(pod) == "" && model.Bound(pod) && !model.Terminal(pod) && (selects(source.set, pod) || selects(target, pod)) {
			pods = append(pods, pod)
		}
	}
	for _, pod := range pods {
		if err := lockspec.MayOverlap(&pod.Spec, &target.Spec.Template.Spec); err != nil {
			found = append(found, x.breaks(S14, "the locks of %s and of slot %s do not exclude each other: %v", source.name, at.label.To, err)...)
		}
	}
	return found
}

// mayFollow judges the Pods of a slot that is turned away, the terminating ones too, where the other slot is admitted in the
// same write: only locks can make it wait for them.
func (s pair) mayFollow(x act, before, after *sight) (found []Violation) {
	for _, slot := range model.Slots() {
		if before.admits[slot-1] || !after.only(slot) || s.slot(slot).set == nil {
			continue
		}
		for _, pod := range s.runningOf(before.index, slot.Other()) {
			if err := lockspec.MayOverlap(&pod.Spec, &s.slot(slot).set.Spec.Template.Spec); err != nil {
				found = append(found, x.breaks(S14, "slot %s is admitted while Pod %s is there: %v", slot, pod.Name, err)...)
			}
		}
	}
	return found
}

// runningOf returns the slot's Pods of which a process may run: bound and not over.
func (s *scene) runningOf(i int, slot model.Slot) (pods []*corev1.Pod) {
	for _, pod := range s.cluster.Pods(i) {
		if s.slotOf(pod) == slot && model.Bound(pod) && !model.Terminal(pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// unwrapped tells whether one side holds no lock at all: a Pod of the slot, or where there is none its template, or the other
// slot's template.
func (s *scene) unwrapped(i int, slot model.Slot) bool {
	pods := s.runningOf(i, slot)
	for _, set := range [...]*slotSeen{s.slot(slot), s.slot(slot.Other())} {
		if set.set != nil && (set.name != s.slot(slot).name || len(pods) == 0) {
			pods = append(pods, &corev1.Pod{Spec: set.set.Spec.Template.Spec})
		}
	}
	for _, pod := range pods {
		if wrapping, _ := lockspec.Inspect(&pod.Spec); len(wrapping.Components) == 0 {
			return true
		}
	}
	return false
}
