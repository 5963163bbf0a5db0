package pair

import "github.com/agent-rollout/planner/model"

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
	case v.refused != nil && (!v.pair.initialized() || blue.set == nil || green.set == nil || blue.deleting() || green.deleting()):
		return lifeRefused
	case !v.pair.initialized() && optsOut && (blue.set != nil || !v.orphansLeft()):
		return lifeConventional
	case !v.pair.initialized() && blue.set == nil:
		return lifeInstall
	case !v.pair.initialized():
		return lifeArm
	case blue.deleting() || green.deleting():
		return lifeDeletion
	case blue.set != nil && green.set == nil && !blue.onDelete():
		return lifeArming
	case v.blueAlone() && green.set == nil && !v.orphansLeft():
		return lifeLeave
	case blue.set == nil || green.set == nil:
		return lifeRecreate
	}
	return lifePace
}

// blueAlone tells whether an opt-out needs only blue any more, as soon as every node is there.
func (v *view) blueAlone() bool {
	r := &v.pair.record
	return v.render != nil && v.rollout.Spec.Intent == model.OptOut && r.active == model.Blue && r.target == model.NoSlot &&
		v.pair.slot(model.Blue).set != nil
}
