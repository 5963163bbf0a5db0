package step

import (
	"github.com/agent-rollout/planner/capacity"
	corev1 "k8s.io/api/core/v1"
)

// Placement judges nodes as the DaemonSet controller does, with one difference: a node that the rollout holds already does
// not leave because its Node is not Ready. The taint of that condition is no intent, and an agent that breaks its nodes
// would otherwise drop them from its own budget one by one.
type Placement struct{ exact, unready *capacity.Placement }

// NewPlacement compiles the template's placement, as it is and with the taints of a Node that is not Ready tolerated.
func NewPlacement(template *corev1.PodTemplateSpec) (*Placement, error) {
	exact, err := capacity.NewPlacement(template)
	if err != nil {
		return nil, err
	}
	tolerant := template.DeepCopy()
	for _, key := range [...]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		tolerant.Spec.Tolerations = append(tolerant.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
	}
	unready, err := capacity.NewPlacement(tolerant)
	if err != nil {
		return nil, err
	}
	return &Placement{exact, unready}, nil
}

// Judge tells whether the desired Pod should run on the node; held says that the rollout has a mark or a Pod there.
func (p *Placement) Judge(node *corev1.Node, held bool) capacity.Eligibility {
	verdict := p.exact.Judge(node)
	if verdict == capacity.KeepsRunning && held && p.unready.Judge(node) == capacity.Eligible {
		return capacity.Eligible
	}
	return verdict
}
