package pair

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/capacity"
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
	c.makeSlot(model.Blue, c.armed(c.render), record{active: model.Blue}, model.SlotMissing)
}

// armed is blue while its wrapper is installed: rolled by the native controller. Its minReadySeconds stay what they are: spec.desiredFrom would
// take others for desired.
func (c *course) armed(r *Rendering) *appsv1.DaemonSet {
	set := r.Slot(model.Blue, true)
	set.Spec.UpdateStrategy = conventionalStrategy(*c.rollout.Spec.Strategy.MaxUnavailable)
	return set
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

// arm begins the one conventional rollout that installs the wrapper and the affinity. It changes nothing else but where the Pods are to run, so
// that only images are started that run already. Images that run nowhere, and that no native update brings, are nothing to keep: then what is
// desired is armed.
func (c *course) arm() {
	c.keepStill(model.PhaseArming, step.OverrideUndone(model.WaitingForArming))
	live := c.pair.slot(model.Blue).set
	base := deployed(live, model.Blue, c.blue, c.settings, c.keys)
	placeAs(&base.Spec.Template.Spec, &c.render.Conventional.Spec.Template.Spec)
	wrapped, err := Render(c.rollout, base, false)
	if err != nil {
		c.Refused = step.Block(model.TemplateRefused, "the deployed template, which the wrapper is installed into first: "+err.Error())
		return
	}
	switch {
	case c.issuedSlot:
	case c.imagesRun(live):
		c.updateSlot(live, c.armed(wrapped), model.WrapperInstalled)
	case live.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType:
		c.updateSlot(live, c.armed(c.render), model.WrapperInstalled)
	default:
		c.awaitImages(live)
	}
}

// awaitImages waits until the native update that is under way brings an available Pod with its images. If it does not in time, other images that
// are desired are armed in their place.
func (c *course) awaitImages(live *appsv1.DaemonSet) {
	progress := c.nativeProgress(live, func(pod *corev1.Pod) bool { return step.RunsImages(pod, &live.Spec.Template) })
	written, known := step.WrittenAt(&c.keys, live)
	passed, _ := c.limit().Passed(step.Later(written, progress))
	if known && passed && !step.SameImages(c.render.Conventional.Spec.Template.Spec.Containers, &live.Spec.Template) {
		c.updateSlot(live, c.armed(c.render), model.WrapperInstalled)
		return
	}
	none := fmt.Sprintf("no available Pod of DaemonSet %s runs its present images", live.Name)
	c.Await(c.limit(), step.Later(c.WrittenSince(c.limit(), &c.keys, live), progress), model.WaitingForImages, none+": the wrapper is installed only with images that run already", func(lasted string) *step.BlockedError {
		return step.Block(model.WaitingForImages, none+" for "+lasted+", and the wrapper is installed only with images that run: repair its Pods, or desire images that start")
	})
}

// nativeProgress is when the native update got on last with such Pods.
func (c *course) nativeProgress(set *appsv1.DaemonSet, fresh func(*corev1.Pod) bool) time.Time {
	return step.NativeProgress(c.cluster, set, c.limit(), c.settle, *c.rollout.Spec.Failure.MaxRestarts, fresh)
}

// placeAs gives the Pod the place of another one: node selector, affinity and tolerations.
func placeAs(spec, as *corev1.PodSpec) {
	as = as.DeepCopy()
	spec.NodeName, spec.NodeSelector, spec.Affinity, spec.Tolerations = as.NodeName, as.NodeSelector, as.Affinity, as.Tolerations
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
			if available && !model.Terminating(pod) && step.RunsImages(pod, &set.Spec.Template) {
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
	settles := c.settlesAt(blue)
	switch {
	case c.issuedSlot:
	case !blue.observed():
		c.AwaitController(c.limit(), &c.keys, blue.set, fmt.Sprintf("the controller has not seen the wrapper in DaemonSet %s yet", blue.set.Name))
	case unwrapped > 0:
		c.awaitNative(blue, fmt.Sprintf("%s not yet as the armed template says, the first on node %s: the native rolling update replaces them", step.Counted(unwrapped, "Pod is", "Pods are"), first))
	case settles.After(c.now):
		c.Wait(model.WaitingForWrapping, "the last armed Pods are Ready, and have not settled yet")
		c.WakeAt(settles, c.now)
	default:
		want := blue.set.DeepCopy()
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		c.updateSlot(blue.set, want, model.PairArmed)
		patch := c.Actions[len(c.Actions)-1].Write.Patch
		patch.Annotations = append(patch.Annotations, c.recordOn(blue.set, record{active: model.Blue})...)
	}
}

// settlesAt is when the last Pod will be available of those that only need time for that; zero if none does. Nobody waits for those of a DaemonSet
// that was made with the wrapper: they have taken no agent from a node.
func (c *course) settlesAt(blue *slotView) (last time.Time) {
	if blue.set.Generation <= 1 {
		return last
	}
	step.EachPod(c.cluster, blue.set, func(_ *corev1.Node, pod *corev1.Pod) {
		_, at := step.AvailableFrom(pod, c.now, c.settle)
		last = step.Later(last, at)
	})
	return last
}

// awaitNative waits for the native rolling update that installs the wrapper. Where its Pods have never started, or do not on a Ready node, another
// template that is desired is armed in its place; where the Pods are to run now is armed at once.
func (c *course) awaitNative(blue *slotView, message string) {
	fresh := func(pod *corev1.Pod) bool { return pod.Annotations[c.keys.Revision] == blue.revision }
	written, known := step.WrittenAt(&c.keys, blue.set)
	if !known {
		written = c.firstMade(blue, fresh)
	}
	since := step.Later(written, c.nativeProgress(blue.set, fresh))
	passed, _ := c.limit().Passed(since)
	spenders := c.nativeSpenders(blue)
	if want := c.armedAnew(blue, passed && slices.ContainsFunc(spenders, func(s spender) bool { return s.ready }) || c.neverStarted(blue, fresh)); want != nil {
		c.updateSlot(blue.set, want, model.WrapperInstalled)
		return
	}
	if !known && !passed {
		c.WrittenSince(c.limit(), &c.keys, blue.set)
		if since.IsZero() {
			since = c.now
		}
	}
	c.Await(c.limit(), since, model.WaitingForWrapping, message, func(lasted string) *step.BlockedError {
		if len(spenders) > 0 {
			return step.Block(model.BudgetSpent, c.nativeBudgetSpent(lasted, spenders))
		}
		return step.Block(model.ControllerRests, fmt.Sprintf("the DaemonSet controller has replaced no Pod of DaemonSet %s for %s, although %s: look whether kube-controller-manager runs, and what it logs of it", blue.set.Name, lasted, message))
	})
}

// armedAnew is blue as it is to be armed in the place of what is being armed; nil if that stays. A broken one gives way to what is desired; any
// other one follows where its Pods are to run, and the budget.
func (c *course) armedAnew(blue *slotView, broken bool) *appsv1.DaemonSet {
	if broken && c.render.Revision != blue.revision {
		return c.armed(c.render)
	}
	base, wanted := deployed(blue.set, model.Blue, c.blue, c.settings, c.keys), corev1.PodSpec{}
	placeAs(&wanted, &c.render.Conventional.Spec.Template.Spec)
	present := corev1.PodSpec{}
	placeAs(&present, &base.Spec.Template.Spec)
	if !step.Covers(&present, &wanted) || !step.Covers(&wanted, &present) {
		placeAs(&base.Spec.Template.Spec, &wanted)
		if moved, err := Render(c.rollout, base, false); err == nil {
			return c.armed(moved)
		}
	}
	budget := conventionalStrategy(*c.rollout.Spec.Strategy.MaxUnavailable)
	if step.Covers(&blue.set.Spec.UpdateStrategy, &budget) {
		return nil
	}
	want := blue.set.DeepCopy()
	want.Spec.UpdateStrategy = budget
	return want
}

// firstMade is when the first of these Pods was made, at the latest the instant from which their template is rolled out; zero if there is none.
func (c *course) firstMade(blue *slotView, fresh func(*corev1.Pod) bool) (first time.Time) {
	step.EachPod(c.cluster, blue.set, func(_ *corev1.Node, pod *corev1.Pod) {
		if fresh(pod) {
			first = step.Sooner(first, pod.CreationTimestamp.Time)
		}
	})
	return first
}

// neverStarted tells whether a Pod of the armed template cannot start, and no available Pod runs its images: then nothing of it is worth
// waiting for.
func (c *course) neverStarted(blue *slotView, fresh func(*corev1.Pod) bool) bool {
	fails := false
	step.EachPod(c.cluster, blue.set, func(_ *corev1.Node, pod *corev1.Pod) {
		fails = fails || fresh(pod) && (model.CannotStart(pod, false) != "" || model.Restarts(pod) > 0)
	})
	return fails && !c.imagesRun(blue.set)
}

// nativeBudgetSpent says what keeps the native rolling update from going on, which exempts nothing.
func (c *course) nativeBudgetSpent(lasted string, spenders []spender) string {
	var named []string
	for i := range spenders[:min(len(spenders), step.NamedNodes)] {
		named = append(named, spenders[i].text)
	}
	if more := len(spenders) - step.NamedNodes; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	text := fmt.Sprintf("the native rolling update that installs the wrapper has got no further for %s: its budget of %d is spent by %s. Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there", lasted, c.Limits.Unavailable, strings.Join(named, ", "))
	if c.rollout.Spec.Strategy.Exempt(c.survey.Count.Of(step.Eligible)) > 0 {
		text += " (spec.strategy.exemptUnhealthy has no effect on it)"
	}
	return text
}

// spender is a node that the native controller counts as unavailable, with its Pod and what is wrong.
type spender struct {
	text string
	// ready says that the Node is Ready: the template is to blame.
	ready bool
}

// nativeSpenders are the nodes where the template is to run, though they are not Ready, and none of its Pods is available.
func (c *course) nativeSpenders(blue *slotView) (spenders []spender) {
	for i := range c.cluster.Len() {
		node := c.cluster.Node(i)
		var pods step.Podset
		for _, pod := range c.cluster.Pods(i) {
			if model.ControllerUID(pod) == blue.set.UID {
				pods.Add(pod)
			}
		}
		available, _ := step.AvailableFrom(pods.Live, c.now, c.settle)
		if verdict := c.placement.Judge(node, !pods.Gone()); available || verdict == capacity.Ineligible || verdict == capacity.KeepsRunning && pods.Gone() {
			continue
		}
		spenders = append(spenders, spender{fmt.Sprintf("node %s (%s)", node.Name, spentBy(node, &pods)), model.NodeReady(node)})
	}
	return spenders
}

// spentBy says why no Pod is available on the node.
func spentBy(node *corev1.Node, pods *step.Podset) string {
	text := "it has no Pod"
	switch pod := pods.Live; {
	case pod != nil:
		text = "Pod " + pod.Name + " is not available"
		if why := model.WaitingReason(pod); why != "" {
			text += ": " + why
		}
	case len(pods.Dying) > 0:
		text = "Pod " + pods.Dying[0].Name + " still ends"
	case pods.Ended != nil:
		text = pods.Ending()
	}
	if !model.NodeReady(node) {
		text += ", its Node is not Ready"
	}
	return text
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
			c.AwaitDeletion(c.limit(), c.cluster, view.set, fmt.Sprintf("DaemonSet %s is being deleted; it is made anew once its name is free", view.set.Name))
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
	if other := c.pair.slot(missing.Other()); other.set != nil && !other.observed() {
		// Pods may still be made of its former spec, beside which the other slot's would run.
		c.AwaitController(c.limit(), &c.keys, other.set, fmt.Sprintf("the controller has not seen the spec of DaemonSet %s yet, beside which slot %s is missing", other.set.Name, missing))
		return
	}
	want := c.remade(missing)
	left := c.pair.slot(missing.Other()).set
	if node, pod := c.unlockedBeside(left, want); pod != nil && c.rollout.Spec.Strategy.Overlap == model.Locked && c.shares(want, left) == nil {
		c.Refused = step.Block(model.LocksDoNotExclude, fmt.Sprintf("DaemonSet %s is missing, and would be made beside Pod %s on node %s, perhaps others elsewhere, whose locks do not exclude its Pods. Delete those Pods: they are made anew with locks; or end the pair with spec.intent OptOut", want.Name, pod.Name, node.Name))
		return
	}
	c.makeSlot(missing, want, c.pair.record, reason)
}

// unlockedBeside is the first Pod of the DaemonSet, with its node, beside which the other one would make a Pod that its locks do not exclude.
func (c *course) unlockedBeside(left, want *appsv1.DaemonSet) (at *corev1.Node, first *corev1.Pod) {
	if left == nil {
		return nil, nil
	}
	step.EachPod(c.cluster, left, func(node *corev1.Node, pod *corev1.Pod) {
		value, present := node.Labels[c.keys.NodeSlot]
		if first == nil && !model.Terminal(pod) && admits(&want.Spec.Template.Spec, c.keys.NodeSlot, value, present) && lockspec.MayOverlap(&pod.Spec, &want.Spec.Template.Spec) != nil {
			at, first = node, pod
		}
	})
	return at, first
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

// makeSlot creates the slot's DaemonSet, or waits until that may be made.
func (c *course) makeSlot(slot model.Slot, set *appsv1.DaemonSet, record record, reason model.Reason) {
	other := c.pair.slot(slot.Other()).set
	if other == nil {
		other = c.render.Slot(slot.Other(), false)
	}
	_, settled := c.executor.Settled(c.now)
	if !c.AwaitUnmade(c.limit(), c.cluster, c.issuedNodes, !settled && c.rollout.Spec.Strategy.Overlap == model.Never, set, other) {
		c.createSlot(slot, set, record, reason)
	}
}

// firstGreen tells whether the missing slot has never been there: arming has just ended.
func (p *pairView) firstGreen(missing model.Slot) bool {
	return missing == model.Green && p.record.state.Sequence == 0
}
