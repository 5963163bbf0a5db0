package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
)

// slotsInOrder puts right what a hand edit left: a strategy that would roll by itself, and the target's template.
// It tells whether nothing was to be done.
func (p *planner) slotsInOrder() bool {
	for _, slot := range model.Slots() {
		view := p.pair.slot(slot)
		if view.onDelete() {
			continue
		}
		want := view.set.DeepCopy()
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		p.updateSlot(view.set, want, model.SlotDrifted)
	}
	if r := &p.pair.record; !p.changing && r.target != model.NoSlot && p.render != nil && r.targetRevision == p.render.Revision && r.state.Return == nil {
		view := p.pair.slot(r.target)
		p.keepRendered(view, r.target, view.owns, model.SlotDrifted)
	}
	for _, slot := range model.Slots() {
		if view := p.pair.slot(slot); !view.observed() {
			p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the spec of DaemonSet %s yet (generation %d, observed %d)", view.set.Name, view.set.Generation, view.set.Status.ObservedGeneration))
		}
	}
	return !p.changing && len(p.plan.Waits) == 0
}

// keepTemplates keeps the active slot's template as it was rendered, and lets the inactive one follow it: a
// node that a person labels with the inactive slot must not fall back to an old or a failed revision.
func (p *planner) keepTemplates() {
	active := p.pair.record.active
	view, other := p.pair.slot(active), p.pair.slot(active.Other())
	if p.render.Revision == view.revision {
		if p.keepRendered(view, active, true, model.SlotDrifted); !p.changing {
			p.keepRendered(other, active.Other(), false, model.SlotFollows)
		}
		return
	}
	p.keepTemplate(other, p.reslot(view.set, active, active.Other()), model.SlotFollows)
}

// keepRendered keeps the slot as it is rendered from the desired template.
func (p *planner) keepRendered(view *slotView, slot model.Slot, owns bool, reason model.Reason) {
	wanted := p.wanted(slot, owns)
	if view.revision != p.render.Revision || !wanted.covers(view.set) {
		p.updateSlot(view.set, p.render.Slot(slot, owns), reason)
	}
}

// keepTemplate replaces a spec that does not say all that it should. OnDelete leaves the Pods alone.
func (p *planner) keepTemplate(view *slotView, want *appsv1.DaemonSet, reason model.Reason) {
	if view.revision != want.Spec.Template.Annotations[p.keys.Revision] || !step.Covers(&view.set.Spec, &want.Spec) {
		p.updateSlot(view.set, want, reason)
	}
}

// reslot renders one slot from the other one's live DaemonSet.
func (p *planner) reslot(live *appsv1.DaemonSet, from, to model.Slot) *appsv1.DaemonSet {
	set := live.DeepCopy()
	if from == model.Green {
		makeBlue(set, p.blue, p.settings)
	}
	if to == model.Green {
		makeGreen(set, p.settings)
	}
	withdrawSlot(&set.Spec.Template.Spec, p.keys.NodeSlot)
	admitSlot(&set.Spec.Template, p.keys, to, false)
	set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	step.StripServerFields(set)
	for _, key := range p.keys.OnPair() {
		if key != p.keys.Revision {
			delete(set.Annotations, key)
		}
	}
	return set
}

// own makes the slot the only owner of unlabelled nodes: first its own affinity is widened, and observed; then the
// other one's is narrowed. Without locks the other way round, so that a node that joins in between never gets both. It tells
// whether that is so already.
func (p *planner) own(slot model.Slot) bool {
	view, other := p.pair.slot(slot), p.pair.slot(slot.Other())
	locked := view.overlaps && other.overlaps
	switch {
	case (view.owns || !locked) && other.set != nil && other.owns && p.survey.unlabelledKept > 0:
		p.wait(model.WaitingForPodsToEnd, fmt.Sprintf("%s to be labelled for DaemonSet %s before that leaves unlabelled nodes: Kubernetes keeps its Pods there", step.Counted(p.survey.unlabelledKept, "node that is not eligible has", "nodes that are not eligible have"), other.set.Name))
	case !view.owns && !locked && other.set != nil && other.owns:
		p.updateSlot(other.set, p.readmitted(other.set, slot.Other(), false), model.OwnershipMoved)
	case !view.owns && !locked && other.set != nil && !other.observed():
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen that DaemonSet %s leaves unlabelled nodes", other.set.Name))
	case !view.owns && !locked && p.survey.unlabelledBusy > 0:
		p.wait(model.WaitingForPodsToEnd, fmt.Sprintf("Pods of the other slot still run on %s without the slot label: without locks DaemonSet %s takes them only after those", step.Counted(p.survey.unlabelledBusy, "node", "nodes"), view.set.Name))
	case !view.owns:
		p.updateSlot(view.set, p.readmitted(view.set, slot, true), model.OwnershipMoved)
	case !view.observed():
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen that DaemonSet %s takes unlabelled nodes", view.set.Name))
	case other.set != nil && other.owns && p.survey.unlabelledHeld > 0:
		// Narrowing would be a handoff without a seat: those nodes get a label first, and go like any other.
		p.wait(model.WaitingForPodsToEnd, fmt.Sprintf("%s without the slot label Pods of DaemonSet %s, which is narrowed after them", step.Counted(p.survey.unlabelledHeld, "node still runs", "nodes still run"), other.set.Name))
	case other.set != nil && other.owns:
		p.updateSlot(other.set, p.readmitted(other.set, slot.Other(), false), model.OwnershipMoved)
	default:
		return true
	}
	return false
}

// ownSafely does the same on the way home. Without locks the nodes go first, so that no unlabelled one loses the Pod that
// serves it to a change of owner. It tells whether nothing is to be done about ownership now.
func (p *planner) ownSafely(slot model.Slot) bool {
	locked := p.pair.slot(slot).overlaps && p.pair.slot(slot.Other()).overlaps
	return (!locked && p.survey.elsewhere > 0) || p.own(slot)
}

// readmitted is the live DaemonSet with another admission and nothing else changed.
func (p *planner) readmitted(live *appsv1.DaemonSet, slot model.Slot, owns bool) *appsv1.DaemonSet {
	set := live.DeepCopy()
	withdrawSlot(&set.Spec.Template.Spec, p.keys.NodeSlot)
	admitSlot(&set.Spec.Template, p.keys, slot, owns)
	return set
}
