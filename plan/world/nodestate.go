package world

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

func (n *node) addImage(image string) {
	if !slices.Contains(n.images, image) {
		n.images = append(n.images, image)
	}
}

// hasImage tells whether the image is on the node: it was pulled, another workload runs it, or the
// node's status lists it.
func (n *node) hasImage(image string) bool {
	if slices.Contains(n.images, image) {
		return true
	}
	if !n.listsImage(image) {
		return false
	}
	n.images = append(n.images, image)
	return true
}

func (n *node) listsImage(image string) bool {
	for i := range n.object.Status.Images {
		if slices.Contains(n.object.Status.Images[i].Names, image) {
			return true
		}
	}
	for _, p := range n.pods {
		if !p.static || p.base.Status.Phase != corev1.PodRunning {
			continue
		}
		for i := range p.base.Spec.Containers {
			if p.base.Spec.Containers[i].Image == image {
				return true
			}
		}
	}
	return false
}
