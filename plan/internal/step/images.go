package step

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// WithImages returns the DaemonSet with the settings' images, and what of them it has no container for: one clause each kind,
// with the settings' paths; empty if all are used.
func WithImages(base *appsv1.DaemonSet, from *model.DesiredFrom) (changed *appsv1.DaemonSet, missing string) {
	changed = base.DeepCopy()
	unused := maps.Clone(from.Images)
	used := from.Image == ""
	var names []string
	for _, containers := range [][]corev1.Container{changed.Spec.Template.Spec.InitContainers, changed.Spec.Template.Spec.Containers} {
		for i := range containers {
			c := &containers[i]
			names = append(names, c.Name)
			if image, ok := from.Images[c.Name]; ok {
				c.Image = image
				delete(unused, c.Name)
				continue
			}
			if from.Image != "" && repository(c.Image) == repository(from.Image) {
				c.Image, used = from.Image, true
			}
		}
	}
	var clauses []string
	if len(unused) > 0 {
		var paths []string
		for _, name := range slices.Sorted(maps.Keys(unused)) {
			paths = append(paths, "spec.desiredFrom.images["+name+"]")
		}
		clauses = append(clauses, fmt.Sprintf("%s: DaemonSet %s has no such container (it has %s)", strings.Join(paths, ", "), from.Name, strings.Join(names, ", ")))
	}
	if !used {
		clauses = append(clauses, fmt.Sprintf("spec.desiredFrom.image: no container of DaemonSet %s runs an image of %s", from.Name, repository(from.Image)))
	}
	return changed, strings.Join(clauses, "; ")
}

// repository is an image's name without its tag and digest.
func repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		return image[:colon]
	}
	return image
}

// SameImages tells whether every container of the template is among those of another one, with the same image there.
func SameImages(containers []corev1.Container, template *corev1.PodTemplateSpec) bool {
	return otherImage(containers, template, func(a, b string) bool { return a == b }) == nil
}

// RunsImages tells whether a Pod has every container of the template with its image, perhaps from a mirror.
func RunsImages(pod *corev1.Pod, template *corev1.PodTemplateSpec) bool {
	return otherImage(pod.Spec.Containers, template, model.SameImage) == nil
}

// otherImage is the first container of the template that is missing among those, or has another image there.
func otherImage(containers []corev1.Container, template *corev1.PodTemplateSpec, same func(a, b string) bool) *corev1.Container {
	for i := range template.Spec.Containers {
		c := &template.Spec.Containers[i]
		at := slices.IndexFunc(containers, func(own corev1.Container) bool { return own.Name == c.Name })
		if at < 0 || !same(containers[at].Image, c.Image) {
			return c
		}
	}
	return nil
}
