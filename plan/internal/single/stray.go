package single

import (
	"fmt"
	"slices"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// proposeStray judges a replacement, waiting or Pending, that admission has made into something else than the template: it is not the revision
// that it names, and costs nobody an agent. Other containers or images are the target's to explain at the deadline. Locks that do not exclude
// those of the old Pod are a webhook's doing: the node is set aside then, as soon as the target has served elsewhere, and blocked until then.
func (v *view) proposeStray(f *facts) (pr proposal, strays bool) {
	if v.locked() {
		if err := lockspec.MayOverlap(&f.old.Live.Spec, &f.fresh.Live.Spec); err != nil {
			return v.unlocked(f, err.Error()), true
		}
	}
	if text := strayText(f.fresh.Live, f.old.Live, &v.live.set.Spec.Template.Spec); text != "" {
		return v.expiring(f, wait(model.StageOverlap, model.TargetPreparing, text)), true
	}
	return proposal{}, false
}

// unlocked judges a replacement whose locks do not exclude those of the old Pod.
func (v *view) unlocked(f *facts, text string) proposal {
	pr, began := block(model.StageOverlap, model.LocksDoNotExclude, text), v.began(f)
	passed, at := v.limit().Passed(began)
	if passed && (v.live.proven() || !v.live.hasTarget()) {
		return v.setAside(pr, model.LocksDoNotExclude, text, began)
	}
	pr.wake = at
	return pr
}

// strayText says in what a Pod is not the template's, and "" if it is. A container that the old Pod has too is added to all of them.
func strayText(pod, old *corev1.Pod, template *corev1.PodSpec) string {
	for i := range template.Containers {
		if c := &template.Containers[i]; !has(pod.Spec.Containers, c) {
			return fmt.Sprintf("Pod %s has no container %s with image %s, as the template has: admission changed it", pod.Name, c.Name, c.Image)
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if !has(template.Containers, c) && !has(old.Spec.Containers, c) {
			return fmt.Sprintf("Pod %s has container %s, which neither the template nor the old Pod has: admission added it", pod.Name, c.Name)
		}
	}
	return ""
}

// has tells whether a container of that name is among them with that image, perhaps from a mirror.
func has(containers []corev1.Container, c *corev1.Container) bool {
	return slices.ContainsFunc(containers, func(o corev1.Container) bool { return o.Name == c.Name && model.SameImage(o.Image, c.Image) })
}
