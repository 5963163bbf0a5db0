package world

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
)

// loadHomes keeps the placements by which a node is judged eligible: the desired template's, or those of
// the DaemonSets that the world began with.
func (w *World) loadHomes() {
	if w.rollout != nil && w.rollout.Spec.Desired != nil {
		if placement, err := capacity.NewPlacement(&w.rollout.Spec.Desired.Spec.Template); err == nil {
			w.homes = append(w.homes, placement)
			return
		}
	}
	for _, s := range w.sets {
		if s.member && s.observed != nil && s.observed.placement != nil {
			w.homes = append(w.homes, s.observed.placement)
		}
	}
}

// Eligible tells whether the rollout's agent should run on the node, whatever the node's slot label says:
// the desired template's placement judges, or that of the DaemonSets that the world began with, as if both
// slots were admitted.
func (w *World) Eligible(name string) bool {
	n := w.findNode(name)
	return n != nil && w.eligible(n)
}

func (w *World) eligible(n *node) bool {
	if n.eligibleEpoch == w.epoch {
		return n.eligible
	}
	n.eligibleEpoch, n.eligible = w.epoch, false
	either := n.object
	if w.keys.NodeSlot != "" {
		object := *n.object
		value, _ := model.NodeLabel{Kind: model.Overlaps, To: model.Green}.Value()
		object.Labels = withKey(object.Labels, w.keys.NodeSlot, value)
		either = &object
	}
	if len(w.homes) > 0 {
		n.eligible = anyEligible(w.homes, n.object, either)
		return n.eligible
	}
	for _, s := range w.sets {
		if s.manages() && s.observed.placement != nil && anyEligible([]*capacity.Placement{s.observed.placement}, n.object, either) {
			n.eligible = true
		}
	}
	return n.eligible
}

func anyEligible(placements []*capacity.Placement, objects ...*corev1.Node) bool {
	for _, placement := range placements {
		for _, object := range objects {
			if placement.Judge(object) == capacity.Eligible {
				return true
			}
		}
	}
	return false
}
