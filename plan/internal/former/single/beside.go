package single

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// besides remembers, within one plan, which kinds of present Pods a template's Pods may stand beside. Pods of one kind were
// made from one template.
type besides struct {
	of  *appsv1.DaemonSet
	may map[kind]bool
}

type kind struct{ revision, hash string }

// mayStand tells whether the Pods of the DaemonSet's template may stand beside every present one of another revision.
func (p *planner) mayStand(set *appsv1.DaemonSet) bool {
	p.beside = besides{of: set, may: map[kind]bool{}}
	revision := set.Spec.Template.Annotations[p.keys.Revision]
	for i := range p.cluster.Len() {
		for _, pod := range p.cluster.Pods(i) {
			if model.ControllerUID(pod) != p.live.uid() || model.Terminal(pod) || pod.Annotations[p.keys.Revision] == revision && !p.live.edited.Made(pod) {
				continue
			}
			if !p.mayStandBeside(pod) {
				return false
			}
		}
	}
	return true
}

func (p *planner) mayStandBeside(pod *corev1.Pod) bool {
	k := kind{pod.Annotations[p.keys.Revision], pod.Labels[appsv1.ControllerRevisionHashLabelKey]}
	may, known := p.beside.may[k]
	if !known {
		set := p.beside.of
		may = capacity.Apart(pod, podOf(set)) == "" &&
			(!p.locked() || lockspec.MayOverlap(&pod.Spec, &set.Spec.Template.Spec) == nil)
		p.beside.may[k] = may
	}
	return may
}
