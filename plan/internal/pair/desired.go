package pair

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
)

// deployed is a slot's live DaemonSet taken back to blue's names, without the slot's own parts. A
// wrapper stays: wrapping it again changes nothing.
func deployed(set *appsv1.DaemonSet, slot model.Slot, blue string, settings model.SlotSettings, keys model.Keys) *appsv1.DaemonSet {
	base := set.DeepCopy()
	if slot == model.Green {
		makeBlue(base, blue, settings, keys)
	}
	withdrawSlot(&base.Spec.Template.Spec, keys.NodeSlot)
	for _, key := range []string{keys.Revision, keys.Disable, keys.Mode, keys.Armed, keys.Schema} {
		delete(base.Spec.Template.Annotations, key)
	}
	for _, key := range keys.OnPair() {
		delete(base.Annotations, key)
	}
	step.StripServerFields(base)
	return base
}
