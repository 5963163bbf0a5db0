package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// life is what the pair's life needs now.
type life uint8

const (
	// lifeRefused: nothing may be done, and no node is looked at.
	lifeRefused life = iota
	// lifeTearDown: both DaemonSets go; no node is looked at.
	lifeTearDown
	// lifeConventional: there is no pair any more, and what is left is made conventional.
	lifeConventional
	// lifeInstall: there is no DaemonSet. lifeArm: there is a conventional one. lifeArming: it gets the wrapper.
	lifeInstall
	lifeArm
	lifeArming
	// lifeDeletion: a DaemonSet is being deleted. lifeRecreate: one is missing.
	lifeDeletion
	lifeRecreate
	// lifeLeave: the hand back to blue is over, and the pair ends.
	lifeLeave
	// lifePace: both DaemonSets are there, and the nodes move.
	lifePace
)

// lifeNeeds tells what is to be done, by the DaemonSets and the intent.
func (v *view) lifeNeeds() life {
	blue, green := v.pair.slot(model.Blue), v.pair.slot(model.Green)
	optsOut := v.rollout.Spec.Intent == model.OptOut
	switch {
	case v.refused != nil && v.refused.Reason != model.TemplateRefused && v.refused.Reason != model.DesiredMissing:
		return lifeRefused
	case v.rollout.Spec.Intent == model.Teardown || v.tearing():
		return lifeTearDown
	case v.leaves && v.pair.initialized():
		return lifeLeave
	case v.leaves:
		return lifeConventional
	case v.refused != nil && (!v.pair.initialized() || blue.set == nil || green.set == nil || blue.deleting() || green.deleting()):
		return lifeRefused
	case !v.pair.initialized() && optsOut && (blue.set != nil || !v.orphansLeft()):
		return lifeConventional
	case blue.deleting() || green.deleting(): // before anything is armed, too: a teardown leaves what a lost Node holds
		return lifeDeletion
	case !v.pair.initialized() && blue.set == nil:
		return lifeInstall
	case !v.pair.initialized():
		return lifeArm
	case v.blueAlone() && green.set == nil && !v.orphansLeft():
		return lifeLeave
	case blue.set != nil && green.set == nil && !blue.onDelete():
		return lifeArming
	case blue.set == nil || green.set == nil:
		return lifeRecreate
	}
	return lifePace
}

// leaveUnread lets an opt-out go on although the record, the schema or the desired template is not understood, where nothing of that matters any
// more: blue alone serves, so that no node needs to be handed back and no Pod stands beside another one. What clears it else is added to the
// cause.
func (v *view) leaveUnread() {
	if v.refused == nil || v.rollout.Spec.Intent != model.OptOut || v.tearing() {
		return
	}
	switch v.refused.Reason {
	case model.StateUnreadable, model.StateDiverged, model.SchemaUnknown, model.TemplateRefused:
	default:
		return
	}
	if why := v.notAlone(); why != "" {
		v.refused = step.BlockFor(v.refused.Reason, fmt.Sprintf("%s. An opt-out without that has to find blue alone, and %s; a teardown (spec.intent Teardown) needs none of it", v.refused.Message, why), v.refused)
		return
	}
	v.refused, v.leaves, v.pair.record = nil, true, record{active: model.Blue}
}

// notAlone says what of the pair is not blue's; "" if blue alone serves, on every node.
func (v *view) notAlone() string {
	blue, green := v.pair.slot(model.Blue), v.pair.slot(model.Green)
	switch {
	case blue.set == nil:
		return "its DaemonSet is missing"
	case blue.deleting():
		return "its DaemonSet is being deleted"
	case !blue.owns:
		return "DaemonSet " + blue.set.Name + " does not take nodes without the slot label"
	case v.orphansLeft():
		return "Pods of a DaemonSet that is gone run on"
	}
	for i := range v.cluster.Len() {
		node := v.cluster.Node(i)
		if label, ok := node.Labels[v.keys.NodeSlot]; ok && label != model.Blue.String() {
			return fmt.Sprintf("node %s is labelled %s=%s", node.Name, v.keys.NodeSlot, label)
		}
	}
	why := ""
	if green.set != nil {
		step.EachPod(v.cluster, green.set, func(node *corev1.Node, pod *corev1.Pod) {
			why = fmt.Sprintf("Pod %s of green runs on node %s", pod.Name, node.Name)
		})
	}
	return why
}

// blueAlone tells whether an opt-out needs only blue any more, as soon as every node is there.
func (v *view) blueAlone() bool {
	r := &v.pair.record
	return v.render != nil && v.rollout.Spec.Intent == model.OptOut && r.active == model.Blue && r.target == model.NoSlot &&
		v.pair.slot(model.Blue).set != nil
}
