package single

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// maker tells which Pods were made from one template.
type maker struct{ revision, hash string }

// coexists tells whether the Pods of the DaemonSet's template may run on a node together with every present one of another revision.
func (v *view) coexists(set *appsv1.DaemonSet) bool {
	known := map[maker]bool{}
	revision := set.Spec.Template.Annotations[v.keys.Revision]
	for i := range v.cluster.Len() {
		for _, pod := range v.cluster.Pods(i) {
			made := pod.Annotations[v.keys.Revision]
			if model.ControllerUID(pod) != v.live.uid() || model.Terminal(pod) || made == revision && !v.live.edited.Made(pod) {
				continue
			}
			of := maker{made, pod.Labels[appsv1.ControllerRevisionHashLabelKey]}
			if _, judged := known[of]; !judged {
				known[of] = v.coexist(pod, set)
			}
			if !known[of] {
				return false
			}
		}
	}
	return true
}

// coexist tells whether a Pod of the DaemonSet's template may run on the Pod's node: the scheduler lets it, and where Pods wait behind
// locks these exclude each other.
func (v *view) coexist(pod *corev1.Pod, set *appsv1.DaemonSet) bool {
	return capacity.Apart(pod, step.NextPod(set)) == "" && (!v.locked() || lockspec.MayOverlap(&pod.Spec, &set.Spec.Template.Spec) == nil)
}
