package pair

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// sharing is what two slots would both take, and why they must not.
type sharing struct {
	label string
	err   error
}

// shares tells what nodes both slots would take although their locks do not exclude each other, by their templates; nil for none. A
// missing slot takes nothing.
func (v *view) shares(a, b *appsv1.DaemonSet) *sharing {
	if a == nil || b == nil {
		return nil
	}
	for _, label := range []model.NodeLabel{{}, {Kind: model.Overlaps, To: model.Blue}, {Kind: model.Overlaps, To: model.Green}} {
		value, present := label.Value()
		if !admits(&a.Spec.Template.Spec, v.keys.NodeSlot, value, present) || !admits(&b.Spec.Template.Spec, v.keys.NodeSlot, value, present) {
			continue
		}
		if err := lockspec.MayOverlap(&a.Spec.Template.Spec, &b.Spec.Template.Spec); err != nil {
			return &sharing{value, err}
		}
	}
	return nil
}

// admits tells whether the template takes nodes whose slot label has the value, or is absent, whatever else it asks of them.
func admits(spec *corev1.PodSpec, key, value string, present bool) bool {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	fails := func(e corev1.NodeSelectorRequirement) bool {
		has := present && slices.Contains(e.Values, value)
		switch {
		case e.Key != key:
			return false
		case e.Operator == corev1.NodeSelectorOpIn:
			return !has
		case e.Operator == corev1.NodeSelectorOpNotIn:
			return has
		case e.Operator == corev1.NodeSelectorOpExists:
			return !present
		case e.Operator == corev1.NodeSelectorOpDoesNotExist:
			return present
		}
		return true // the values of the label are no numbers
	}
	return slices.ContainsFunc(spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return !matchesNothing(term) && !slices.ContainsFunc(term.MatchExpressions, fails)
	})
}

// mayWrite tells whether the slot may be written as wanted beside the other one as it is. If not, a slot of which no Pod is left is mended
// first: it gets its wrapper back, or it leaves the nodes in overlap. Else nothing goes on until a person has put the template right.
func (c *course) mayWrite(slot model.Slot, want *appsv1.DaemonSet) bool {
	own, other := c.pair.slot(slot), c.pair.slot(slot.Other())
	both := c.shares(want, other.set)
	if both == nil {
		return true
	}
	spoilt := lockspec.MayOverlap(&want.Spec.Template.Spec, &want.Spec.Template.Spec) != nil
	wrapped := c.wrappedAnew(slot.Other())
	narrowed := c.narrowed(slot.Other(), admits(&want.Spec.Template.Spec, c.keys.NodeSlot, "", false))
	switch anew := c.wrappedAnew(slot); {
	case spoilt && c.mends(slot, anew) && c.shares(anew, other.set) == nil:
		c.writeSlot(own.set, anew, model.SlotDrifted)
	case c.mends(slot.Other(), wrapped) && c.shares(wrapped, own.set) == nil && (spoilt || c.shares(wrapped, want) == nil):
		c.writeSlot(other.set, wrapped, model.SlotDrifted)
	case c.mends(slot.Other(), narrowed) && c.shares(narrowed, own.set) == nil:
		c.writeSlot(other.set, narrowed, model.SlotDrifted)
	default:
		culprit := other.set
		if spoilt {
			culprit = want
		}
		c.Refused = step.Block(model.LocksDoNotExclude, c.sharedText(want, other.set, culprit, both))
	}
	return false
}

// mends tells whether the slot can be written so: it is there, none of its Pods is left, and it is not so already. While a target is recorded
// its source keeps its template.
func (c *course) mends(s model.Slot, as *appsv1.DaemonSet) bool {
	slot, r := c.pair.slot(s), &c.pair.record
	source := r.target != model.NoSlot && r.target.Other() == s
	if slot.set == nil || slot.deleting() || source || as == nil || step.Covers(&slot.set.Spec, &as.Spec) && step.Covers(&as.Spec, &slot.set.Spec) {
		return false
	}
	left := false
	step.EachPod(c.cluster, slot.set, func(*corev1.Node, *corev1.Pod) { left = true })
	return !left
}

// wrappedAnew is the slot's live template, with the wrapper and the admission that belong to it, as the revision that it is; nil if there is none,
// or it cannot be wrapped.
func (c *course) wrappedAnew(slot model.Slot) *appsv1.DaemonSet {
	view := c.pair.slot(slot)
	if view.set == nil {
		return nil
	}
	r, err := prepare(c.rollout, deployed(view.set, slot, c.blue, c.settings, c.keys), view.disabled(c.keys))
	if err != nil {
		return nil
	}
	r.identify(view.revision)
	return r.Slot(slot, view.owns)
}

// narrowed is the live slot without the nodes in overlap, and if so without those that have no label; nil if there is none.
func (c *course) narrowed(slot model.Slot, unlabelled bool) *appsv1.DaemonSet {
	view := c.pair.slot(slot)
	if view.set == nil {
		return nil
	}
	set := view.set.DeepCopy()
	if set.Spec.Template.Annotations == nil {
		set.Spec.Template.Annotations = map[string]string{}
	}
	set.Spec.Template.Annotations[c.keys.Mode] = model.ModePairReleased
	withdrawSlot(&set.Spec.Template.Spec, c.keys.NodeSlot)
	admitSlot(&set.Spec.Template, c.keys, slot, view.owns && !unlabelled)
	return set
}

// sharedText names the DaemonSet that is in the way, with the container and its command.
func (c *course) sharedText(want, other, culprit *appsv1.DaemonSet, both *sharing) string {
	text := fmt.Sprintf("DaemonSet %s and DaemonSet %s would both take nodes with the slot label %q, and their locks do not exclude each other: %v. ", want.Name, other.Name, both.label, both.err)
	var differ *lockspec.OverlapError
	if errors.As(both.err, &differ) {
		containers := culprit.Spec.Template.Spec.Containers
		if at := slices.IndexFunc(containers, func(container corev1.Container) bool { return container.Name == differ.Container }); at >= 0 {
			text += fmt.Sprintf("Container %s of DaemonSet %s runs %q. ", differ.Container, culprit.Name, strings.Join(slices.Concat(containers[at].Command, containers[at].Args), " "))
		}
	}
	return text + fmt.Sprintf("Put the template right (kubectl -n %s edit daemonset %s); without Pods of it the plan does so by itself", culprit.Namespace, culprit.Name)
}
