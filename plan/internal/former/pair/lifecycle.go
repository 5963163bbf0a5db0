package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// run chooses what the pair's life needs now.
func (p *planner) run() {
	p.executorFirst()
	blue, green := p.pair.slot(model.Blue), p.pair.slot(model.Green)
	switch {
	case p.refused != nil && p.refused.reason != model.TemplateRefused && p.refused.reason != model.DesiredMissing:
	case p.rollout.Spec.Intent == model.Teardown || p.tearing():
		p.tearDown()
	case p.refused != nil && (!p.pair.initialized() || blue.set == nil || green.set == nil || blue.deleting() || green.deleting()):
	case !p.pair.initialized() && p.rollout.Spec.Intent == model.OptOut && (blue.set != nil || !p.orphansLeft()):
		p.keepConventional()
	case !p.pair.initialized() && blue.set == nil:
		p.install()
	case !p.pair.initialized():
		p.arm()
	case blue.deleting() || green.deleting():
		p.awaitDeletion()
	case blue.set != nil && green.set == nil && !blue.onDelete():
		p.arming()
	case p.leavingForGood():
		p.optOut()
	case blue.set == nil || green.set == nil:
		p.recreate()
	default:
		p.pace()
	}
}

// executorFirst says that a write on a DaemonSet or the owner is under way, and asks for a plan when the fence of a new
// executor has run out.
func (p *planner) executorFirst() {
	if p.issuedSlot {
		p.wait(model.ActionIssued, "a write on a DaemonSet or on the owner was sent, and its effect does not show yet")
	}
	if until, settled := p.executor.Settled(p.now); !settled {
		p.clock.Wake(until)
	}
}

// surveyHome reports all nodes as served by what there is, while the pair itself is being built.
func (p *planner) surveyHome(rest model.Reason) {
	p.journey = journeyOf(&p.pair)
	p.surveyNodes()
	p.setLimits()
	p.proposals = p.proposals[:0]
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict != model.Done || rest == model.WaitingForSlot {
			r.Verdict, r.Reason, r.Stage = model.Waits, rest, model.StageSource
		}
	}
}

// install creates blue, with the wrapper and the native rolling update; the rest of arming follows. Where both DaemonSets of a
// pair without locks were deleted it waits for their Pods, and for orphans of green that run on unlabelled nodes green is made
// instead: blue's Pods would start beside them.
func (p *planner) install() {
	p.plan.Phase = model.PhaseInstalling
	p.surveyHome(model.WaitingForSlot)
	if p.issuedSlot {
		return
	}
	if p.rollout.Spec.Strategy.Overlap == model.Never && p.orphanedUnlabelled(model.Green) {
		p.makeSlot(model.Green, p.render.Slot(model.Green, true), record{active: model.Green}, model.SlotMissing)
		return
	}
	blue := p.render.Slot(model.Blue, true)
	blue.Spec.UpdateStrategy = conventionalStrategy(*p.rollout.Spec.Strategy.MaxUnavailable)
	p.makeSlot(model.Blue, blue, record{active: model.Blue}, model.SlotMissing)
}

// orphanedUnlabelled tells whether a Pod that the missing slot would adopt runs on a node without the slot label.
func (p *planner) orphanedUnlabelled(missing model.Slot) bool {
	set := p.render.Slot(missing, true)
	for i := range p.cluster.Len() {
		if _, labelled := p.cluster.Node(i).Labels[p.keys.NodeSlot]; labelled {
			continue
		}
		for _, pod := range p.cluster.Pods(i) {
			if step.Orphaned(pod, set) {
				return true
			}
		}
	}
	return false
}

// arm begins the one conventional rollout that installs the wrapper and the affinity. It changes nothing else, so
// that only images are started that run already.
func (p *planner) arm() {
	p.plan.Phase = model.PhaseArming
	p.surveyHome(model.WaitingForArming)
	live := p.pair.slot(model.Blue).set
	wrapped, err := Render(p.rollout, deployed(live, model.Blue, p.blue, p.settings, p.keys), false)
	if err != nil {
		p.refused = &blocked{model.TemplateRefused, "the deployed template, which the wrapper is installed into first: " + err.Error()}
		return
	}
	switch {
	case p.issuedSlot:
	case !p.imagesRun(live):
		p.wait(model.WaitingForImages, fmt.Sprintf("no available Pod of DaemonSet %s runs its present images: the wrapper is installed only with images that run already", live.Name))
	default:
		want := wrapped.Slot(model.Blue, true)
		want.Spec.UpdateStrategy = conventionalStrategy(*p.rollout.Spec.Strategy.MaxUnavailable)
		p.updateSlot(live, want, model.WrapperInstalled)
	}
}

// imagesRun tells whether an available Pod runs the images of the DaemonSet's template, or there is no Pod at all.
func (p *planner) imagesRun(set *appsv1.DaemonSet) bool {
	any := false
	for i := range p.cluster.Len() {
		for _, pod := range p.cluster.Pods(i) {
			if model.ControllerUID(pod) != set.UID {
				continue
			}
			any = true
			if p.clock.Available(pod) && !model.Terminating(pod) && step.SameImages(pod.Spec.Containers, &set.Spec.Template) {
				return true
			}
		}
	}
	return !any
}

// arming waits until every existing Pod is as the armed template says, then stops the native rolling update and
// creates green. Nodes without an available Pod do not hold it up: where no Pod is wrapped none overlaps.
func (p *planner) arming() {
	p.plan.Phase = model.PhaseArming
	p.surveyHome(model.WaitingForArming)
	blue := p.pair.slot(model.Blue)
	unwrapped, first := p.unwrappedPods(blue)
	switch {
	case p.issuedSlot:
	case !blue.observed():
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the wrapper in DaemonSet %s yet", blue.set.Name))
	case unwrapped > 0 && p.survey.dead >= p.plan.Limits.Unavailable:
		p.standing = &blocked{model.BudgetSpent, p.nativeBudgetSpent()}
	case unwrapped > 0:
		p.wait(model.WaitingForWrapping, fmt.Sprintf("%s not yet as the armed template says, the first on node %s: the native rolling update replaces them", step.Counted(unwrapped, "Pod is", "Pods are"), first))
	default:
		want := blue.set.DeepCopy()
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		p.updateSlot(blue.set, want, model.PairArmed)
		patch := p.plan.Actions[len(p.plan.Actions)-1].Write.Patch
		patch.Annotations = append(patch.Annotations, p.recordOn(blue.set, record{active: model.Blue})...)
	}
}

// nativeBudgetSpent says that dead nodes keep the native rolling update from going on; it exempts none.
func (p *planner) nativeBudgetSpent() string {
	return fmt.Sprintf("the native rolling update that installs the wrapper has a budget of %d, which is spent by %s: repair or remove what spends it, or raise spec.strategy.maxUnavailable", p.plan.Limits.Unavailable, step.Spenders(&p.plan, p.cluster))
}

// unwrappedPods counts the Pods on Ready nodes that were made before the armed template. On a dead node a Pod cannot
// be replaced; should it come back, the node's own locks decide whether it may overlap.
func (p *planner) unwrappedPods(blue *slotView) (count int, first string) {
	for i := range p.cluster.Len() {
		node := p.cluster.Node(i)
		for _, pod := range p.cluster.Pods(i) {
			ours := model.ControllerUID(pod) == blue.set.UID || step.Orphaned(pod, blue.set) // which is adopted
			if !ours || model.Terminal(pod) || !model.NodeReady(node) {
				continue
			}
			if pod.Annotations[p.keys.Armed] != "" && (p.rollout.Spec.Strategy.Overlap == model.Never || wrapped(pod)) {
				continue
			}
			if count++; first == "" {
				first = node.Name
			}
		}
	}
	return count, first
}

func wrapped(pod *corev1.Pod) bool {
	_, whole := lockspec.Inspect(&pod.Spec)
	return whole
}

func (p *planner) awaitDeletion() {
	p.plan.Phase = model.PhaseRepairing
	p.surveyHome(model.WaitingForSlot)
	for _, slot := range model.Slots() {
		if view := p.pair.slot(slot); view.deleting() {
			p.wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted; it is made anew once its name is free", view.set.Name))
		}
	}
}

// recreate makes the missing slot anew, and does so first: with its recorded revision where the template is at hand, so
// that orphaned Pods, which hold locks without an owner, are adopted; else with the surviving slot's.
func (p *planner) recreate() {
	p.plan.Phase = model.PhaseRepairing
	missing := model.Blue
	if p.pair.slot(model.Blue).set != nil {
		missing = model.Green
	}
	reason := model.SlotMissing
	if p.pair.firstGreen(missing) {
		p.plan.Phase, reason = model.PhaseArming, model.PairArmed
	}
	p.surveyHome(model.WaitingForSlot)
	if p.issuedSlot {
		return
	}
	p.makeSlot(missing, p.remade(missing), p.pair.record, reason)
}

// remade renders the missing slot: from the desired template where that has the slot's recorded revision, else from the
// surviving slot's.
func (p *planner) remade(missing model.Slot) *appsv1.DaemonSet {
	survivor, r := p.pair.slot(missing.Other()), &p.pair.record
	// Without locks two slots must not take the same unlabelled nodes, not even for the moment of an ownership change.
	owns := missing == r.active && (p.rollout.Spec.Strategy.Overlap == model.Locked || !survivor.owns)
	recorded := survivor.revision
	if r.target == missing {
		recorded = r.targetRevision
	}
	if p.render != nil && p.render.Revision == recorded {
		return p.render.Slot(missing, owns)
	}
	set := p.reslot(survivor.set, missing.Other(), missing)
	withdrawSlot(&set.Spec.Template.Spec, p.keys.NodeSlot)
	admitSlot(&set.Spec.Template, p.keys, missing, owns)
	return set
}

// makeSlot creates the slot's DaemonSet, or waits for what step.Unmade names.
func (p *planner) makeSlot(slot model.Slot, set *appsv1.DaemonSet, record record, reason model.Reason) {
	other := p.pair.slot(slot.Other()).set
	if other == nil {
		other = p.render.Slot(slot.Other(), false)
	}
	_, settled := p.executor.Settled(p.now)
	if why, message := step.Unmade(p.cluster, p.issuedNodes, !settled && p.rollout.Spec.Strategy.Overlap == model.Never, set, other); why != "" {
		p.wait(why, message)
		return
	}
	p.createSlot(set, record, reason)
}

// firstGreen tells whether the missing slot has never been there: arming has just ended.
func (p *pairView) firstGreen(missing model.Slot) bool {
	return missing == model.Green && p.record.state.Sequence == 0
}
