package validate

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

func (s pair) judge(a account, x act, sound bool) (account, []Violation) {
	var found []Violation
	if i, ok := s.cluster.Find(x.Node); ok && sound {
		a, found = s.move(a, x, i)
	}
	return a, append(found, s.verdicts(a, x)...)
}

// move judges an action on a node's label or Pods.
func (s pair) move(a account, x act, i int) (account, []Violation) {
	if found := s.notYet(x, i); found != nil {
		return a, found
	}
	before, after := s.look(i, nil), s.look(i, &x.Write)
	var found []Violation
	if x.Write.Patch == nil {
		found = s.mayDelete(x, &before)
	}
	if !before.eligible {
		if x.Write.Patch != nil && before.bound && !s.keepsAll(&before, &after) {
			found = append(found, x.breaks(S9, "the node is not eligible and a Pod of the rollout is bound there: it keeps its marks")...)
		}
		return a, found
	}
	handoff, more := s.turnedAway(x, &before, &after)
	found = append(found, more...)
	seated, more := s.seat(a, x, &before.stand, &after.stand, handoff)
	found = append(found, more...)
	placed, more := s.places(seated, x, &before, &after)
	return placed, append(found, more...)
}

// keepsAll: an unlabelled node is labelled for the slots whose Pods are there, so that they stay when a slot leaves
// unlabelled nodes.
func (s pair) keepsAll(before, after *sight) bool {
	for _, slot := range model.Slots() {
		was, is := before.admits[slot-1], after.admits[slot-1]
		if !was && is || was && !is && len(s.podsOf(before.index, slot)) > 0 {
			return false
		}
	}
	return before.label.Kind == model.Unlabelled && (after.label.Kind == model.Serves || after.label.Kind == model.Overlaps)
}

// mayDelete: of bound Pods only what does not serve, or a stale one that is not the source's.
func (s pair) mayDelete(x act, at *sight) (found []Violation) {
	for _, pod := range s.cluster.Pods(at.index) {
		slot := s.slotOf(pod)
		if pod.UID != x.Write.Object.UID || slot == model.NoSlot {
			continue
		}
		switch {
		case !at.eligible && model.Bound(pod):
			found = append(found, x.breaks(S9, "the node is not eligible: its bound Pod %s is not the rollout's to delete", pod.Name)...)
		case at.eligible && at.admits[slot-1] && s.available(pod) && (s.isExact(pod, slot) || (s.advancing && slot != s.to)):
			found = append(found, x.breaks(S4, "Pod %s of slot %s is available and not stale", pod.Name, slot)...)
		}
	}
	return found
}

// places applies the window and the cohort to what adds to them, and judges the locks of what begins to overlap.
func (s pair) places(a account, x act, before, after *sight) (account, []Violation) {
	var found []Violation
	if after.both() && !before.both() {
		if a.inWindow++; a.inWindow > a.limits.Window {
			found = x.breaks(S11, "%d nodes in overlap > the window of %d", a.inWindow, a.limits.Window)
		}
		found = append(found, s.mayShare(x, after)...)
	} else if before.inWindow && !after.both() {
		a.inWindow--
	}
	found = append(found, s.mayFollow(x, before, after)...)
	switch {
	case after.offSource && !before.offSource && s.advancing:
		if a.offSource++; a.offSource > a.limits.Cohort {
			found = append(found, x.breaks(Cohort, "%d nodes off the source > the cohort of %d", a.offSource, a.limits.Cohort)...)
		}
		found = append(found, s.spares(x, "a node leaves the source")...)
	case before.offSource && !after.offSource:
		a.offSource--
	}
	return a, found
}

// turnedAway judges every slot that a label write turns away, and tells whether that is a handoff.
func (s pair) turnedAway(x act, before, after *sight) (handoff bool, found []Violation) {
	for _, slot := range model.Slots() {
		j := slot - 1
		leaves := !before.both() || before.label.To != slot
		if s.slots[j].set == nil || !before.admits[j] || after.admits[j] || (!leaves && !before.available[j]) {
			continue
		}
		handoff = true
		if why := s.keepsSlot(before, after, slot); why != "" {
			found = append(found, x.breaks(S4, "slot %s would be turned away: %s", slot, why)...)
		}
		if !s.advancing || slot != s.active || s.targetRevision == s.plan.Revision || s.plan.Revision == "" {
			continue
		}
		if !s.proven || s.plan.Revision == s.slot(s.active).revision {
			found = append(found, x.breaks(S8, "a handoff to revision %s (proven %t), while %s is desired", s.targetRevision, s.proven, s.plan.Revision)...)
		}
	}
	return handoff, found
}

// keepsSlot says why the slot must not be turned away, and "" if it may: see S4.
func (s pair) keepsSlot(before, after *sight, slot model.Slot) string {
	other := slot.Other()
	j := other - 1
	switch {
	case !before.ready:
		return ""
	case after.label.Kind == model.Released:
		if s.rollout.Spec.Strategy.Overlap != model.Never && !s.unwrapped(before.index, slot) && !s.evicts(before, slot) {
			return "it is released although both sides are wrapped"
		}
		return s.keepsForRoom(before, slot)
	case !after.admits[j]:
		return "the label admits no slot"
	case before.exact[j] || (before.available[j] && (!s.advancing || other != s.to)):
		return ""
	case before.joins && s.advancing && s.proven && other == s.to:
		return "" // a node that joins has no agent yet, and gets the proven target at once
	case !before.admits[j]:
		return "the other slot does not serve and was not admitted before"
	case !s.advancing && other == s.active && !before.available[slot-1]:
		return "" // nothing serves, and the node goes back to the authoritative slot
	}
	return s.noCandidate(before, slot)
}

// evicts tells whether a second Pod on the node would push others off it, which the document does not allow.
func (s pair) evicts(at *sight, slot model.Slot) bool {
	if s.slot(slot.Other()).set == nil || s.rollout.Spec.Capacity.Preemption == model.AllowPreemption {
		return false
	}
	return s.preempts(&at.stand, slot.Other(), s.cluster.Pods(at.index))
}

// keepsForRoom says what keeps a source that serves: the target, which comes once it has gone, would not stand there.
func (s pair) keepsForRoom(at *sight, slot model.Slot) string {
	set := s.slot(slot.Other()).set
	if s.advancing && slot != s.active || !s.advancing && (slot == s.active || s.state.Return != nil || s.rollout.Spec.Intent != model.Run) || !at.available[slot-1] || set == nil {
		return ""
	}
	if short := s.noRoom(&at.stand, slot.Other(), func(o *corev1.Pod) bool { return s.slotOf(o) == slot }); short != "" {
		return "there is no room for the other one: " + short
	}
	return ""
}

// noCandidate says why no Pod of the other slot may take the slot's place, and "" if one may.
func (s pair) noCandidate(at *sight, slot model.Slot) string {
	other := slot.Other()
	why := "the other slot has no exact Pod that is prepared and recorded"
	for _, pod := range s.podsOf(at.index, other) {
		switch {
		case !s.isExact(pod, other):
		case prepared(pod, at.moved) && at.candidate == string(pod.UID):
			return ""
		case !model.Bound(pod) && s.promised(&at.stand, pod) != "":
			why = s.promised(&at.stand, pod)
		case !model.Bound(pod):
			answer := capacity.Fallback(s.question(&at.stand, pod, func(o *corev1.Pod) bool { return s.slotOf(o) == slot }))
			if answer.Verdict == capacity.FitsOnceSourceGone {
				return ""
			}
			why = "by the capacity rule the answer is " + answer.Verdict.String() + ": " + answer.Detail
		}
	}
	return why
}

// podsOf returns the slot's Pods that are neither terminating nor over.
func (s pair) podsOf(i int, slot model.Slot) (pods []*corev1.Pod) {
	for _, pod := range s.cluster.Pods(i) {
		if s.slotOf(pod) == slot && !model.Terminating(pod) && !model.Terminal(pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// prepared: bound, every container running, and none restarted since the Pod began to wait.
func prepared(pod *corev1.Pod, moved string) bool {
	began := model.ParseMoved(moved).At
	if pod.CreationTimestamp.After(began) {
		began = pod.CreationTimestamp.Time
	}
	return model.Bound(pod) && model.AllRunning(pod) && !model.RestartedSince(pod, began)
}
