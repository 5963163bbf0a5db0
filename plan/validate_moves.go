package plan

import (
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// move judges an action on a node's label or Pods, and changes the account as it does.
func (v *validation) move(k int, a *model.Action) {
	i, _ := v.cluster.Find(a.Node)
	if len(v.unseen[i]) > 0 {
		v.say(S7, k, a.Node, "%d issued actions of the node do not show yet, the first a %s", len(v.unseen[i]), v.unseen[i][0].Action.Kind)
		return
	}
	before := v.look(i, v.marksOf(v.cluster.Node(i)), "")
	after := before
	if a.Write.Patch != nil {
		after = v.look(i, before.after(a.Write.Patch, &v.keys), "")
	} else {
		after = v.look(i, before.marks, a.Write.Object.UID)
		v.maybeDelete(k, a, &before)
	}
	if !before.eligible {
		if a.Write.Patch != nil && before.bound && !v.keepsAll(&before, &after) {
			v.say(S9, k, a.Node, "the node is not eligible and a Pod of the rollout is bound there: it keeps its marks")
		}
		return
	}
	from, to := v.blame(&before), v.blame(&after)
	handoff := v.turnedAway(k, a, &before, &after)
	v.seat(k, a.Node, from, to, handoff, before.serving)
	v.places(k, &before, &after)
	v.book(&before, from, -1)
	v.book(&after, to, 1)
}

// keepsAll: an unlabelled node is labelled for the slots whose Pods are there, so that they stay when a slot leaves
// unlabelled nodes.
func (v *validation) keepsAll(before, after *sight) bool {
	for _, slot := range model.Slots() {
		was, is := before.admits[slot-1], after.admits[slot-1]
		if !was && is || was && !is && len(v.podsOf(before, slot)) > 0 {
			return false
		}
	}
	return before.label.Kind == model.Unlabelled && (after.label.Kind == model.Serves || after.label.Kind == model.Overlaps)
}

// maybeDelete: of bound Pods only what does not serve, or a stale one that is not the source's.
func (v *validation) maybeDelete(k int, a *model.Action, s *sight) {
	for _, pod := range v.cluster.Pods(s.index) {
		slot := v.slotOf(pod)
		if pod.UID != a.Write.Object.UID || slot == model.NoSlot {
			continue
		}
		switch {
		case !s.eligible && model.Bound(pod):
			v.say(S9, k, a.Node, "the node is not eligible: its bound Pod %s is not the rollout's to delete", pod.Name)
		case s.eligible && s.admits[slot-1] && v.available(pod) && (v.isExact(pod, slot) || (!v.home && slot != v.to)):
			v.say(S4, k, a.Node, "Pod %s of slot %s is available and not stale", pod.Name, slot)
		}
	}
}

// seat applies the budget: what loses an available node is paid, what takes an unavailable one from its slot is free. One that
// only has not settled serves all the same: its move is free, but not beside what is above the limit.
func (v *validation) seat(k int, node string, from, to model.Blame, handoff, serving bool) {
	l, limit := v.charged(), v.limits.Unavailable
	paid := from == model.Available && to != model.Available
	free := handoff && from == model.Ambient && to == model.Committed
	switch {
	case paid && l.Charged()+1 > limit:
		v.say(S2, k, node, "the node is available and would not be: %d committed + %d ambient − %d exempt + 1 > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, limit)
	case free && l.Committed+1 > limit:
		v.say(S2, k, node, "a free handoff takes a seat: %d committed + 1 > maxUnavailable %d", l.Committed, limit)
	case free && serving && l.Charged() > limit:
		v.say(S2, k, node, "the node's Pod is Ready and would go, while others are unavailable: %d committed + %d ambient − %d exempt > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, limit)
	}
	if paid || free {
		v.spares(k, node, "a handoff")
	}
	if until, settled := v.rollout.Status.Executor.Settled(v.now); (paid || free) && !settled {
		v.say(S7, k, node, "a request of the executor's predecessor can still land until %s and a live list", until.UTC().Format(time.RFC3339))
	}
}

// places applies the window and the cohort to what adds to them, and judges the locks of what begins to overlap.
func (v *validation) places(k int, before, after *sight) {
	if after.both() && !before.both() {
		if v.overlap++; v.overlap > v.limits.Window {
			v.say(S11, k, before.node.Name, "%d nodes in overlap > the window of %d", v.overlap, v.limits.Window)
		}
		v.mayShare(k, after)
	} else if before.holdsPlace() && !after.both() {
		v.overlap--
	}
	v.mayFollow(k, before, after)
	switch was, is := v.offSource(before), v.offSource(after); {
	case is && !was && !v.home:
		if v.offRoute++; v.offRoute > v.limits.Cohort {
			v.say(Cohort, k, before.node.Name, "%d nodes off the source > the cohort of %d", v.offRoute, v.limits.Cohort)
		}
		v.spares(k, before.node.Name, "a node leaves the source")
	case was && !is:
		v.offRoute--
	}
}

// mayShare judges the source's Pods, or its template where there are none, and those of either slot that have lost their controller, against
// the target's template.
func (v *validation) mayShare(k int, s *sight) {
	target, source := v.slot(s.label.To).set, v.slot(s.label.To.Other())
	pods := v.runningOf(s, s.label.To.Other())
	if len(pods) == 0 {
		pods = []*corev1.Pod{{Spec: source.set.Spec.Template.Spec}}
	}
	for _, pod := range v.cluster.Pods(s.index) {
		if model.ControllerUID(pod) == "" && model.Bound(pod) && !model.Terminal(pod) && (selects(source.set, pod) || selects(target, pod)) {
			pods = append(pods, pod)
		}
	}
	for _, pod := range pods {
		if err := lockspec.MayOverlap(&pod.Spec, &target.Spec.Template.Spec); err != nil {
			v.say(S14, k, s.node.Name, "the locks of %s and of slot %s do not exclude each other: %v", source.name, s.label.To, err)
		}
	}
}

// mayFollow judges the Pods of a slot that is turned away, the terminating ones too, where the other slot is admitted in the
// same write: only locks can make it wait for them.
func (v *validation) mayFollow(k int, before, after *sight) {
	for _, slot := range model.Slots() {
		other := slot.Other()
		if before.admits[slot-1] || !after.only(slot) || v.slot(slot).set == nil {
			continue
		}
		for _, pod := range v.runningOf(before, other) {
			if err := lockspec.MayOverlap(&pod.Spec, &v.slot(slot).set.Spec.Template.Spec); err != nil {
				v.say(S14, k, before.node.Name, "slot %s is admitted while Pod %s is there: %v", slot, pod.Name, err)
			}
		}
	}
}

// runningOf returns the slot's Pods of which a process may run: bound and not over.
func (v *validation) runningOf(s *sight, slot model.Slot) (pods []*corev1.Pod) {
	for _, pod := range v.cluster.Pods(s.index) {
		if v.slotOf(pod) == slot && model.Bound(pod) && !model.Terminal(pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// podsOf returns the slot's Pods that are neither terminating nor over.
func (v *validation) podsOf(s *sight, slot model.Slot) (pods []*corev1.Pod) {
	for _, pod := range v.cluster.Pods(s.index) {
		if v.slotOf(pod) == slot && !model.Terminating(pod) && !model.Terminal(pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// turnedAway judges every slot that a label write turns away, and tells whether that is a handoff.
func (v *validation) turnedAway(k int, a *model.Action, before, after *sight) (handoff bool) {
	for _, slot := range model.Slots() {
		j := slot - 1
		leaves := !before.both() || before.label.To != slot
		if v.slots[j].set == nil || !before.admits[j] || after.admits[j] || (!leaves && !before.available[j]) {
			continue
		}
		handoff = true
		if why := v.keepsSlot(before, after, slot); why != "" {
			v.say(S4, k, a.Node, "slot %s would be turned away: %s", slot, why)
		}
		if v.home || slot != v.active || v.targetRevision == v.plan.Revision || v.plan.Revision == "" {
			continue
		}
		if source := v.slot(v.active).revision; !v.proven || v.plan.Revision == source {
			v.say(S8, k, a.Node, "a handoff to revision %s (proven %t), while %s is desired", v.targetRevision, v.proven, v.plan.Revision)
		}
	}
	return handoff
}

// keepsSlot says why the slot must not be turned away, and "" if it may: see S4.
func (v *validation) keepsSlot(before, after *sight, slot model.Slot) string {
	other := slot.Other()
	j := other - 1
	switch {
	case !before.ready:
		return ""
	case after.label.Kind == model.Released:
		if v.rollout.Spec.Strategy.Overlap == model.Never || v.unwrapped(before, slot) {
			return ""
		}
		return "it is released although both sides are wrapped"
	case !after.admits[j]:
		return "the label admits no slot"
	case before.exact[j] || (before.available[j] && (v.home || other != v.to)):
		return ""
	case !before.admits[j]:
		return "the other slot does not serve and was not admitted before"
	case v.home && other == v.active && !before.available[slot-1]:
		return "" // nothing serves, and the node goes back to the authoritative slot
	}
	why := "the other slot has no exact Pod that is prepared and recorded"
	for _, pod := range v.podsOf(before, other) {
		switch {
		case !v.isExact(pod, other):
		case v.prepared(pod, before) && before.candidate == string(pod.UID):
			return ""
		case !model.Bound(pod):
			answer := capacity.Fallback(v.question(before, pod, slot))
			if answer.Verdict == capacity.FitsOnceSourceGone {
				return ""
			}
			why = "by the capacity rule the answer is " + answer.Verdict.String() + ": " + answer.Detail
		}
	}
	return why
}

// prepared: bound, every container running, and none restarted since the Pod began to wait.
func (v *validation) prepared(pod *corev1.Pod, s *sight) bool {
	began := model.ParseMoved(s.moved).At
	if pod.CreationTimestamp.After(began) {
		began = pod.CreationTimestamp.Time
	}
	return model.Bound(pod) && model.AllRunning(pod) && !model.RestartedSince(pod, began)
}

func (v *validation) question(s *sight, pod *corev1.Pod, leaving model.Slot) capacity.Question {
	q := capacity.Question{
		Pod: pod, Node: s.node,
		OthersListed:  v.rollout.Status.OtherPods.Listed(s.node.Name),
		CountPodSlots: v.rollout.Spec.Capacity.CountPodSlots,
	}
	for _, other := range v.cluster.Pods(s.index) {
		if other.UID == pod.UID {
			continue
		}
		q.Others = append(q.Others, other)
		if v.slotOf(other) == leaving {
			q.Leaving = append(q.Leaving, other.UID)
		}
	}
	return q
}

// unwrapped tells whether one side holds no lock at all: a Pod of the slot, or the other slot's template.
func (v *validation) unwrapped(s *sight, slot model.Slot) bool {
	pods := v.runningOf(s, slot)
	for _, set := range [...]*slotSeen{v.slot(slot), v.slot(slot.Other())} {
		if set.set != nil && (set.name != v.slot(slot).name || len(pods) == 0) {
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
