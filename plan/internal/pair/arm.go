package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// install creates blue, with the wrapper and the native rolling update; the rest of arming follows. Where both DaemonSets of a
// pair without locks were deleted it waits for their Pods, and for orphans of green that run on unlabelled nodes green is made
// instead: blue's Pods would start beside them.
func (c *course) install() {
	c.keepStill(model.PhaseInstalling, step.OverrideAll(model.WaitingForSlot))
	if c.issuedSlot {
		return
	}
	if c.rollout.Spec.Strategy.Overlap == model.Never && c.orphanedUnlabelled(model.Green) {
		c.makeSlot(model.Green, c.render.Slot(model.Green, true), record{active: model.Green}, model.SlotMissing)
		return
	}
	blue := c.render.Slot(model.Blue, true)
	blue.Spec.UpdateStrategy = conventionalStrategy(*c.rollout.Spec.Strategy.MaxUnavailable)
	c.makeSlot(model.Blue, blue, record{active: model.Blue}, model.SlotMissing)
}

// orphanedUnlabelled tells whether a Pod that the missing slot would adopt runs on a node without the slot label.
func (c *course) orphanedUnlabelled(missing model.Slot) bool {
	set := c.render.Slot(missing, true)
	for i := range c.cluster.Len() {
		if _, labelled := c.cluster.Node(i).Labels[c.keys.NodeSlot]; labelled {
			continue
		}
		for _, pod := range c.cluster.Pods(i) {
			if step.Orphaned(pod, set) {
				return true
			}
		}
	}
	return false
}

// arm begins the one conventional rollout that installs the wrapper and the affinity. It changes nothing else, so
// that only images are started that run already.
func (c *course) arm() {
	c.keepStill(model.PhaseArming, step.OverrideUndone(model.WaitingForArming))
	live := c.pair.slot(model.Blue).set
	wrapped, err := Render(c.rollout, deployed(live, model.Blue, c.blue, c.settings, c.keys), false)
	if err != nil {
		c.Refused = step.Block(model.TemplateRefused, "the deployed template, which the wrapper is installed into first: "+err.Error())
		return
	}
	switch {
	case c.issuedSlot:
	case !c.imagesRun(live):
		c.Wait(model.WaitingForImages, fmt.Sprintf("no available Pod of DaemonSet %s runs its present images: the wrapper is installed only with images that run already", live.Name))
	default:
		want := wrapped.Slot(model.Blue, true)
		want.Spec.UpdateStrategy = conventionalStrategy(*c.rollout.Spec.Strategy.MaxUnavailable)
		c.updateSlot(live, want, model.WrapperInstalled)
	}
}

// imagesRun tells whether an available Pod runs the images of the DaemonSet's template, or there is no Pod at all.
func (c *course) imagesRun(set *appsv1.DaemonSet) bool {
	any := false
	for i := range c.cluster.Len() {
		for _, pod := range c.cluster.Pods(i) {
			if model.ControllerUID(pod) != set.UID {
				continue
			}
			any = true
			available, at := step.AvailableFrom(pod, c.now, c.settle)
			c.WakeAt(at, c.now)
			if available && !model.Terminating(pod) && step.SameImages(pod.Spec.Containers, &set.Spec.Template) {
				return true
			}
		}
	}
	return !any
}

// arming waits until every existing Pod is as the armed template says, then stops the native rolling update and
// creates green. Nodes without an available Pod do not hold it up: where no Pod is wrapped none overlaps.
func (c *course) arming() {
	c.keepStill(model.PhaseArming, step.OverrideUndone(model.WaitingForArming))
	blue := c.pair.slot(model.Blue)
	unwrapped, first := c.unwrappedPods(blue)
	switch {
	case c.issuedSlot:
	case !blue.observed():
		c.Wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the wrapper in DaemonSet %s yet", blue.set.Name))
	case unwrapped > 0 && c.survey.Count.Of(dead) >= c.Limits.Unavailable:
		c.Stalled = step.Block(model.BudgetSpent, c.nativeBudgetSpent())
	case unwrapped > 0:
		c.Wait(model.WaitingForWrapping, fmt.Sprintf("%s not yet as the armed template says, the first on node %s: the native rolling update replaces them", step.Counted(unwrapped, "Pod is", "Pods are"), first))
	default:
		want := blue.set.DeepCopy()
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		c.updateSlot(blue.set, want, model.PairArmed)
		patch := c.Actions[len(c.Actions)-1].Write.Patch
		patch.Annotations = append(patch.Annotations, c.recordOn(blue.set, record{active: model.Blue})...)
	}
}

// nativeBudgetSpent says that dead nodes keep the native rolling update from going on; it exempts none.
func (c *course) nativeBudgetSpent() string {
	return fmt.Sprintf("the native rolling update that installs the wrapper has a budget of %d, which is spent by %s: repair or remove what spends it, or raise spec.strategy.maxUnavailable", c.Limits.Unavailable, step.Spenders(c.survey.Reports, c.cluster))
}

// unwrappedPods counts the Pods on Ready nodes that were made before the armed template. On a dead node a Pod cannot
// be replaced; should it come back, the node's own locks decide whether it may overlap.
func (c *course) unwrappedPods(blue *slotView) (count int, first string) {
	for i := range c.cluster.Len() {
		node := c.cluster.Node(i)
		for _, pod := range c.cluster.Pods(i) {
			ours := model.ControllerUID(pod) == blue.set.UID || step.Orphaned(pod, blue.set) // which is adopted
			if !ours || model.Terminal(pod) || !model.NodeReady(node) {
				continue
			}
			if pod.Annotations[c.keys.Armed] != "" && (c.rollout.Spec.Strategy.Overlap == model.Never || wrapped(pod)) {
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

func (c *course) awaitDeletion() {
	c.keepStill(model.PhaseRepairing, step.OverrideAll(model.WaitingForSlot))
	for _, slot := range model.Slots() {
		if view := c.pair.slot(slot); view.deleting() {
			c.Wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted; it is made anew once its name is free", view.set.Name))
		}
	}
}

// recreate makes the missing slot anew, and does so first: with its recorded revision where the template is at hand, so
// that orphaned Pods, which hold locks without an owner, are adopted; else with the surviving slot's.
func (c *course) recreate() {
	missing := model.Blue
	if c.pair.slot(model.Blue).set != nil {
		missing = model.Green
	}
	phase, reason := model.PhaseRepairing, model.SlotMissing
	if c.pair.firstGreen(missing) {
		phase, reason = model.PhaseArming, model.PairArmed
	}
	c.keepStill(phase, step.OverrideAll(model.WaitingForSlot))
	if c.issuedSlot {
		return
	}
	c.makeSlot(missing, c.remade(missing), c.pair.record, reason)
}

// remade renders the missing slot: from the desired template where that has the slot's recorded revision, else from the
// surviving slot's.
func (c *course) remade(missing model.Slot) *appsv1.DaemonSet {
	survivor, r := c.pair.slot(missing.Other()), &c.pair.record
	// Without locks two slots must not take the same unlabelled nodes, not even for the moment of an ownership change.
	owns := missing == r.active && (c.rollout.Spec.Strategy.Overlap == model.Locked || !survivor.owns)
	recorded := survivor.revision
	if r.target == missing {
		recorded = r.targetRevision
	}
	if c.render != nil && c.render.Revision == recorded {
		return c.render.Slot(missing, owns)
	}
	set := c.reslot(survivor.set, missing.Other(), missing)
	withdrawSlot(&set.Spec.Template.Spec, c.keys.NodeSlot)
	admitSlot(&set.Spec.Template, c.keys, missing, owns)
	return set
}

// makeSlot creates the slot's DaemonSet, or waits for what step.Unmade names.
func (c *course) makeSlot(slot model.Slot, set *appsv1.DaemonSet, record record, reason model.Reason) {
	other := c.pair.slot(slot.Other()).set
	if other == nil {
		other = c.render.Slot(slot.Other(), false)
	}
	_, settled := c.executor.Settled(c.now)
	if why, message := step.Unmade(c.cluster, c.issuedNodes, !settled && c.rollout.Spec.Strategy.Overlap == model.Never, set, other); why != "" {
		c.Wait(why, message)
		return
	}
	c.createSlot(set, record, reason)
}

// firstGreen tells whether the missing slot has never been there: arming has just ended.
func (p *pairView) firstGreen(missing model.Slot) bool {
	return missing == model.Green && p.record.state.Sequence == 0
}
