package pair

import (
	"maps"
	"slices"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// deployed is a slot's live DaemonSet taken back to blue's names, without the slot's own parts. A
// wrapper stays: wrapping it again changes nothing.
func deployed(set *appsv1.DaemonSet, slot model.Slot, blue string, settings model.SlotSettings, keys model.Keys) *appsv1.DaemonSet {
	base := set.DeepCopy()
	if slot == model.Green {
		makeBlue(base, blue, settings)
	}
	withdrawSlot(&base.Spec.Template.Spec, keys.NodeSlot)
	for _, key := range []string{keys.Revision, keys.Disable, keys.Mode, keys.Armed, keys.Schema} {
		delete(base.Spec.Template.Annotations, key)
	}
	for _, key := range []string{keys.Revision, keys.ActiveSlot, keys.TargetSlot, keys.TargetRevision, keys.Initialized, keys.State} {
		delete(base.Annotations, key)
	}
	stripServerFields(base)
	return base
}

// withImages returns the DaemonSet with the images of the named containers and init containers
// replaced, and the names that it does not have.
func withImages(base *appsv1.DaemonSet, images map[string]string) (*appsv1.DaemonSet, []string) {
	changed := base.DeepCopy()
	missing := maps.Clone(images)
	for _, containers := range [][]corev1.Container{changed.Spec.Template.Spec.InitContainers, changed.Spec.Template.Spec.Containers} {
		for i := range containers {
			if image, ok := images[containers[i].Name]; ok {
				containers[i].Image = image
				delete(missing, containers[i].Name)
			}
		}
	}
	return changed, slices.Sorted(maps.Keys(missing))
}
