package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
)

// slotsInOrder puts right what a hand edit left: a strategy that would roll by itself, and the target's template.
// It tells whether nothing was to be done.
func (c *course) slotsInOrder() bool {
	for _, slot := range model.Slots() {
		view := c.pair.slot(slot)
		if view.onDelete() {
			continue
		}
		want := view.set.DeepCopy()
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		c.updateSlot(view.set, want, model.SlotDrifted)
	}
	if r := &c.pair.record; !c.Writing && r.target != model.NoSlot && c.render != nil && r.targetRevision == c.render.Revision && r.state.Return == nil {
		view := c.pair.slot(r.target)
		c.keepRendered(view, r.target, view.owns, model.SlotDrifted)
	}
	for _, slot := range model.Slots() {
		if view := c.pair.slot(slot); !view.observed() {
			c.AwaitController(c.limit(), &c.keys, view.set, fmt.Sprintf("the controller has not seen the spec of DaemonSet %s yet (generation %d, observed %d)", view.set.Name, view.set.Generation, view.set.Status.ObservedGeneration))
		}
	}
	return !c.Writing && len(c.Waits) == 0
}

// keepTemplates keeps the active slot's template as it was rendered, and lets the inactive one follow it: a
// node that a person labels with the inactive slot must not fall back to an old or a failed revision.
func (c *course) keepTemplates() {
	active := c.pair.record.active
	view, other := c.pair.slot(active), c.pair.slot(active.Other())
	if c.render.Revision == view.revision {
		if c.keepRendered(view, active, true, model.SlotDrifted); !c.Writing {
			c.keepRendered(other, active.Other(), false, model.SlotFollows)
		}
		return
	}
	c.keepTemplate(other, c.reslot(view.set, active, active.Other()), model.SlotFollows)
}

// keepRendered keeps the slot as it is rendered from the desired template.
func (c *course) keepRendered(view *slotView, slot model.Slot, owns bool, reason model.Reason) {
	wanted := c.wanted(slot, owns)
	if view.revision != c.render.Revision || !wanted.covers(view.set) {
		c.updateSlot(view.set, c.render.Slot(slot, owns), reason)
		return
	}
	if action, any := step.AlignMetadata(view.set, wanted.want, reason); any && c.rollout.Spec.Desired != nil {
		c.Add(action)
		c.Writing = true
	}
}

// keepTemplate replaces a spec that does not say all that it should. OnDelete leaves the Pods alone.
func (c *course) keepTemplate(view *slotView, want *appsv1.DaemonSet, reason model.Reason) {
	if view.revision != want.Spec.Template.Annotations[c.keys.Revision] || !step.Covers(&view.set.Spec, &want.Spec) {
		c.updateSlot(view.set, want, reason)
	}
}

// reslot renders one slot from the other one's live DaemonSet.
func (c *course) reslot(live *appsv1.DaemonSet, from, to model.Slot) *appsv1.DaemonSet {
	set := live.DeepCopy()
	if from == model.Green {
		makeBlue(set, c.blue, c.settings, c.keys)
	}
	if to == model.Green {
		makeGreen(set, c.settings, c.keys)
	}
	withdrawSlot(&set.Spec.Template.Spec, c.keys.NodeSlot)
	admitSlot(&set.Spec.Template, c.keys, to, false)
	set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	step.StripServerFields(set)
	for _, key := range c.keys.OnPair() {
		if key != c.keys.Revision {
			delete(set.Annotations, key)
		}
	}
	return set
}

// own makes the slot the only owner of unlabelled nodes: first its own affinity is widened, and observed; then the
// other one's is narrowed. Without locks the other way round, so that a node that joins in between never gets both. It tells
// whether that is so already.
func (c *course) own(slot model.Slot) bool {
	view, other := c.pair.slot(slot), c.pair.slot(slot.Other())
	locked := view.overlaps && other.overlaps
	switch {
	case (view.owns || !locked) && other.set != nil && other.owns && c.survey.Count.Of(unlabelledKept) > 0:
		c.Wait(model.WaitingForPodsToEnd, fmt.Sprintf("%s to be labelled for DaemonSet %s before that leaves unlabelled nodes: Kubernetes keeps its Pods there", step.Counted(c.survey.Count.Of(unlabelledKept), "node that is not eligible has", "nodes that are not eligible have"), other.set.Name))
	case !view.owns && !locked && other.set != nil && other.owns:
		c.updateSlot(other.set, c.readmitted(other.set, slot.Other(), false), model.OwnershipMoved)
	case !view.owns && !locked && other.set != nil && !other.observed():
		c.AwaitController(c.limit(), &c.keys, other.set, fmt.Sprintf("the controller has not seen that DaemonSet %s leaves unlabelled nodes", other.set.Name))
	case !view.owns && !locked && c.survey.Count.Of(unlabelledBusy) > 0:
		text := fmt.Sprintf("Pods of the other slot still run on %s without the slot label: without locks DaemonSet %s takes them only after those", step.Counted(c.survey.Count.Of(unlabelledBusy), "node", "nodes"), view.set.Name)
		c.Await(c.limit(), c.WrittenSince(c.limit(), &c.keys, other.set), model.WaitingForPodsToEnd, text, func(lasted string) *step.BlockedError {
			return step.Block(model.DeletionHangs, fmt.Sprintf("%s, and they have been left for %s: delete them, or repair or remove their nodes", text, lasted))
		})
	case !view.owns:
		c.updateSlot(view.set, c.readmitted(view.set, slot, true), model.OwnershipMoved)
	case !view.observed():
		c.AwaitController(c.limit(), &c.keys, view.set, fmt.Sprintf("the controller has not seen that DaemonSet %s takes unlabelled nodes", view.set.Name))
	case other.set != nil && other.owns && c.survey.Count.Of(unlabelledHeld) > 0:
		// Narrowing would be a handoff without a seat: those nodes get a label first, and go like any other.
		c.Wait(model.WaitingForPodsToEnd, fmt.Sprintf("%s without the slot label Pods of DaemonSet %s, which is narrowed after them", step.Counted(c.survey.Count.Of(unlabelledHeld), "node still runs", "nodes still run"), other.set.Name))
	case other.set != nil && other.owns:
		c.updateSlot(other.set, c.readmitted(other.set, slot.Other(), false), model.OwnershipMoved)
	default:
		return true
	}
	return false
}

// ownSafely does the same on the way back. Without locks the nodes go first, so that no unlabelled one loses the Pod that
// serves it to a change of owner. It tells whether nothing is to be done about ownership now.
func (c *course) ownSafely(slot model.Slot) bool {
	locked := c.pair.slot(slot).overlaps && c.pair.slot(slot.Other()).overlaps
	return (!locked && c.survey.Count.Of(step.OffDestination) > 0) || c.own(slot)
}

// readmitted is the live DaemonSet with another admission and nothing else changed.
func (c *course) readmitted(live *appsv1.DaemonSet, slot model.Slot, owns bool) *appsv1.DaemonSet {
	set := live.DeepCopy()
	withdrawSlot(&set.Spec.Template.Spec, c.keys.NodeSlot)
	admitSlot(&set.Spec.Template, c.keys, slot, owns)
	return set
}
