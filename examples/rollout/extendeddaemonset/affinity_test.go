package extendeddaemonset

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// A term without a condition matches no node: a demand must not make it one that does.
func TestDemandOfNodesWidensNothing(t *testing.T) {
	demand := corev1.NodeSelectorRequirement{Key: "agents", Operator: corev1.NodeSelectorOpIn, Values: []string{"yes"}}
	gold := corev1.NodeSelectorRequirement{Key: "pool", Operator: corev1.NodeSelectorOpIn, Values: []string{"gold"}}
	term := func(expressions ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: expressions}
	}
	for name, test := range map[string]struct{ terms, want []corev1.NodeSelectorTerm }{
		"none":            {nil, []corev1.NodeSelectorTerm{term(demand)}},
		"one":             {[]corev1.NodeSelectorTerm{term(gold)}, []corev1.NodeSelectorTerm{term(gold, demand)}},
		"an empty one":    {[]corev1.NodeSelectorTerm{{}}, []corev1.NodeSelectorTerm{{}}},
		"one and another": {[]corev1.NodeSelectorTerm{{}, term(gold)}, []corev1.NodeSelectorTerm{{}, term(gold, demand)}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.PodSpec{}
			if test.terms != nil {
				pod.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: test.terms}}}
			}
			demandOfNodes(pod, []corev1.NodeSelectorRequirement{demand})
			require.Equal(t, test.want, pod.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms)
		})
	}
}
