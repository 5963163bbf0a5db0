package single

import "github.com/agent-rollout/planner/model"

// life is what the rollout's life needs now.
type life uint8

const (
	// lifeRefused: nothing may be done, and no node is looked at.
	lifeRefused life = iota
	// lifeTearDown: the DaemonSet goes; no node is looked at.
	lifeTearDown
	// lifeDeletion: the DaemonSet is being deleted. lifeOptOut: it becomes the conventional one.
	lifeDeletion
	lifeOptOut
	// lifeInstall: there is no DaemonSet. lifeAdopt: there is one of another strategy, or a conventional one.
	lifeInstall
	lifeAdopt
	// lifePace: the DaemonSet is in place, and its Pods are replaced.
	lifePace
)

// lifeNeeds tells what is to be done, by the DaemonSet and the intent.
func (v *view) lifeNeeds() life {
	set := v.live.set
	switch {
	case v.refused != nil && v.refused.Reason != model.TemplateRefused && v.refused.Reason != model.DesiredMissing:
		return lifeRefused
	case v.rollout.Spec.Intent == model.Teardown || v.tearing():
		return lifeTearDown
	case set != nil && set.DeletionTimestamp != nil:
		return lifeDeletion
	case v.rollout.Spec.Intent == model.OptOut:
		return lifeOptOut
	case set == nil && v.refused != nil:
		return lifeRefused
	case set == nil:
		return lifeInstall
	case v.live.mode != v.mode() && v.refused == nil:
		return lifeAdopt
	}
	return lifePace
}

// looksAtNodes tells whether the nodes are judged at all.
func (v *view) looksAtNodes() bool { return v.life != lifeRefused && v.life != lifeTearDown }
