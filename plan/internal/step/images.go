package step

import (
	"maps"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// WithImages returns the DaemonSet with the settings' images, and what of them it has no container for.
func WithImages(base *appsv1.DaemonSet, from *model.DesiredFrom) (*appsv1.DaemonSet, []string) {
	changed := base.DeepCopy()
	missing := maps.Clone(from.Images)
	used := from.Image == ""
	for _, containers := range [][]corev1.Container{changed.Spec.Template.Spec.InitContainers, changed.Spec.Template.Spec.Containers} {
		for i := range containers {
			c := &containers[i]
			if image, ok := from.Images[c.Name]; ok {
				c.Image = image
				delete(missing, c.Name)
				continue
			}
			if from.Image != "" && repository(c.Image) == repository(from.Image) {
				c.Image, used = from.Image, true
			}
		}
	}
	names := slices.Sorted(maps.Keys(missing))
	if !used {
		names = append(names, "running an image of "+repository(from.Image))
	}
	return changed, names
}

// repository is an image's name without its tag and digest.
func repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		return image[:colon]
	}
	return image
}
