package pair

import (
	"fmt"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// optOut ends the pair: green goes, the nodes' labels go, then blue gets the conventional template by a native rolling
// update. An unwrapped Pod never stands beside a wrapped one, since there is only one slot left and no surge.
func (c *course) optOut() {
	c.keepStill(model.PhaseOptingOut, step.OverrideAll(model.WaitingForSlot))
	blue, green := c.pair.slot(model.Blue), c.pair.slot(model.Green)
	switch {
	case c.issuedSlot:
	case green.set != nil && !green.deleting():
		c.deleteSlot(green.set, model.HandedBack)
	case green.set != nil:
		c.AwaitDeletion(c.limit(), c.cluster, green.set, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", green.set.Name))
	case c.clearNodes(model.HandedBack) || c.awaitLost():
	default:
		c.makeConventional(blue.set, model.HandedBack)
	}
}

// makeConventional gives blue the conventional spec and takes the pair's marks from it, but for the note of this write.
func (c *course) makeConventional(live *appsv1.DaemonSet, reason model.Reason) {
	want := c.conventional()
	notes := step.Edits{Live: live.Annotations}
	for _, key := range c.keys.OnPair() {
		if key != c.keys.Written {
			notes.Remove(key)
		}
	}
	notes.NoteWritten(&c.keys, live, c.now)
	c.Add(step.UpdateSet(live, want.Spec.DeepCopy(), &notes, reason))
	c.Writing = true
}

// conventional is the desired DaemonSet; while wrapped Pods are left, without surge.
func (c *course) conventional() *appsv1.DaemonSet {
	want := c.rollout.Spec.Desired.DeepCopy()
	strategy := want.Spec.UpdateStrategy
	surges := strategy.RollingUpdate != nil && strategy.RollingUpdate.MaxSurge != nil && strategy.RollingUpdate.MaxSurge.String() != "0"
	if (surges || strategy.Type == appsv1.OnDeleteDaemonSetStrategyType) && c.wrappedLeft() {
		want.Spec.UpdateStrategy = conventionalStrategy(*c.rollout.Spec.Strategy.MaxUnavailable)
	}
	return want
}

// wrapped tells whether the Pod is the pair's, and may hold locks, of whatever schema.
func (c *course) wrapped(pod *corev1.Pod) bool {
	return pod.Annotations[c.keys.Armed] != "" || pod.Annotations[c.keys.Schema] != ""
}

func (c *course) wrappedLeft() (left bool) {
	if blue := c.pair.slot(model.Blue); blue.set != nil {
		step.EachPod(c.cluster, blue.set, func(_ *corev1.Node, pod *corev1.Pod) { left = left || c.wrapped(pod) })
	}
	return left
}

// orphansLeft tells whether Pods of a slot whose DaemonSet is gone run on without a controller. No conventional Pod may start
// beside them, since it waits for nobody: the slot is made anew, takes them over, and ends like any other.
func (v *view) orphansLeft() bool {
	return v.lostPods(func(pod *corev1.Pod) bool { return !model.Terminating(pod) })
}

// awaitLost waits for Pods of a slot whose DaemonSet is gone to end, and tells whether there are any.
func (c *course) awaitLost() bool {
	const text = "of a DaemonSet that is gone still ends, and no conventional Pod may start beside it"
	name, since := "", time.Time{}
	left := c.lostPods(func(pod *corev1.Pod) bool {
		if model.Terminating(pod) {
			name, since = pod.Name, pod.DeletionTimestamp.Time
		}
		return name != ""
	})
	if left {
		c.Await(c.limit(), since, model.WaitingForPodsToEnd, fmt.Sprintf("Pod %s %s, perhaps others too", name, text), func(lasted string) *step.BlockedError {
			return step.Block(model.DeletionHangs, fmt.Sprintf("Pod %s %s: it has been ending for %s. Repair its node's kubelet, remove its finalizers, or delete it with --force once its node is off", name, text, lasted))
		})
	}
	return left
}

// lostPods tells whether there is such a Pod of this pair that no DaemonSet controls any more. It has the labels of one of the
// slots: other rollouts of the namespace bear the same marks.
func (v *view) lostPods(such func(*corev1.Pod) bool) bool {
	var selectors []*metav1.LabelSelector
	for _, slot := range model.Slots() {
		switch set := v.pair.slot(slot).set; {
		case v.render != nil:
			selectors = append(selectors, v.render.Slot(slot, false).Spec.Selector)
		case set != nil:
			selectors = append(selectors, set.Spec.Selector)
		}
	}
	alive := map[types.UID]bool{}
	for _, set := range v.cluster.DaemonSets() {
		alive[set.UID] = true
	}
	for i := range v.cluster.Len() {
		for _, pod := range v.cluster.Pods(i) {
			ours := pod.Namespace == v.rollout.Metadata.Namespace && pod.Annotations[v.keys.Armed] != "" && slices.ContainsFunc(selectors, func(s *metav1.LabelSelector) bool { return step.Carries(pod.Labels, s) })
			if ours && !model.Terminal(pod) && !alive[model.ControllerUID(pod)] && such(pod) {
				return true
			}
		}
	}
	return false
}

// keepConventional ends an opt-out: the one DaemonSet is as desired, and every Pod is unwrapped.
func (c *course) keepConventional() {
	c.keepStill(model.PhaseOptingOut, step.OverrideAll(model.WaitingForSlot))
	live := c.pair.slot(model.Blue)
	switch {
	case c.issuedSlot:
	case c.awaitLost():
	case live.set == nil:
		set := c.rollout.Spec.Desired.DeepCopy()
		step.StripServerFields(set)
		c.Add(step.CreateSet(set, model.HandedBack))
	case !step.Covers(&live.set.Spec, &c.conventional().Spec):
		c.makeConventional(live.set, model.HandedBack)
	case c.clearNodes(model.HandedBack):
	case c.wrappedLeft() && !c.LeaveUnwrapping(c.limit(), c.cluster, c.placement, live.set, c.settle, c.wrapped):
		c.AwaitUnwrapping(c.limit(), c.cluster, &c.keys, live.set, c.settle, *c.rollout.Spec.Failure.MaxRestarts, c.wrapped)
	case c.ForgetWritten(&c.keys, live.set, model.HandedBack):
	default: // a strategy that waits for wrapped Pods on lost Nodes is written once those are gone
		c.Phase, c.Release = model.PhaseGone, step.Covers(&live.set.Spec, &c.rollout.Spec.Desired.Spec)
		c.Overrides = append(c.Overrides, step.OverrideAllDone(model.HandedBack))
	}
}

// tearDown deletes both DaemonSets in foreground, waits, clears the nodes and the intent. Every step is told by
// what is left, so that a crash between any two resumes.
func (c *course) tearDown() {
	c.Phase = model.PhaseTearingDown
	if c.issuedSlot {
		return
	}
	var left []*slotView
	for _, slot := range model.Slots() {
		if view := c.pair.slot(slot); view.set != nil && (!view.deleting() || !c.LeaveLost(c.limit(), c.cluster, view.set)) {
			left = append(left, view)
		}
	}
	if len(left) > 0 && c.recordIntent() {
		return
	}
	for _, view := range left {
		if view.deleting() {
			c.AwaitDeletion(c.limit(), c.cluster, view.set, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", view.set.Name))
		} else {
			c.deleteSlot(view.set, model.RolloutTornDown)
		}
	}
	if len(left) > 0 || c.clearNodes(model.RolloutTornDown) || c.clearIntent() {
		return
	}
	c.Phase, c.Release = model.PhaseGone, true
}

// clearNodes removes label and annotations from every node that still has them, as many as one plan may write.
func (c *course) clearNodes(reason model.Reason) bool {
	left, awaited := false, []string(nil)
	for i := range c.cluster.Len() {
		node := c.cluster.Node(i)
		if !c.marked(node) {
			continue
		}
		left = true
		switch {
		case c.issuedNodes[i]:
			awaited = append(awaited, node.Name)
		case len(c.Actions) < int(*c.rollout.Spec.Strategy.MaxWrites):
			c.Add(c.clearNode(node, reason))
		}
	}
	if len(awaited) > 0 {
		c.Wait(model.ActionIssued, fmt.Sprintf("a write on %s (%s first) was sent, and its effect does not show yet", step.Counted(len(awaited), "node", "nodes"), awaited[0]))
	}
	return left
}

// recordIntent marks the owner before the first deletion, so that a teardown, once begun, is resumed whatever the
// intent says later.
func (c *course) recordIntent() bool {
	notes := step.Edits{Live: c.rollout.Metadata.Annotations}
	notes.Set(c.keys.Cleanup, model.MarkPair)
	return c.editOwner(notes.List, model.IntentRecorded)
}

func (c *course) clearIntent() bool {
	notes := step.Edits{Live: c.rollout.Metadata.Annotations}
	notes.Remove(c.keys.Cleanup)
	notes.Remove(c.keys.Mode)
	return c.editOwner(notes.List, model.RolloutTornDown)
}

// editOwner writes the owner's annotations, and tells whether there was anything to write.
func (c *course) editOwner(list []model.Edit, reason model.Reason) bool {
	action, any := step.RecordIntent(&c.rollout.Metadata, list, reason)
	if any {
		c.Add(action)
	}
	return any
}
