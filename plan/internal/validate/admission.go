package validate

import (
	"slices"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// admission are the requirements on the slot label in each required term of a template's node affinity.
type admission [][]corev1.NodeSelectorRequirement

func admissionOf(spec *corev1.PodSpec, key string) (a admission) {
	for _, term := range requiredTerms(spec) {
		a = append(a, slices.DeleteFunc(slices.Clone(term.MatchExpressions), func(e corev1.NodeSelectorRequirement) bool { return e.Key != key }))
	}
	return a
}

// takes tells whether the template accepts a node with this label. The legacy values mean what they stood for.
func (a admission) takes(label model.NodeLabel) bool {
	value, present := label.Value()
	if label.Kind == model.Foreign {
		value, present = "foreign", true
	}
	return len(a) == 0 || slices.ContainsFunc(a, func(term []corev1.NodeSelectorRequirement) bool {
		return !slices.ContainsFunc(term, func(e corev1.NodeSelectorRequirement) bool { return !meets(&e, value, present) })
	})
}

func meets(e *corev1.NodeSelectorRequirement, value string, present bool) bool {
	switch e.Operator {
	case corev1.NodeSelectorOpIn:
		return present && slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpNotIn:
		return !present || !slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpExists:
		return present
	case corev1.NodeSelectorOpDoesNotExist:
		return !present
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		return false
	}
	return false
}

func requiredTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// withoutAdmission returns a copy of the template whose required node affinity does not speak of the key: terms that are
// equal then are one, and what is left empty is absent. A term that was empty before stays: it matches no node.
func withoutAdmission(template *corev1.PodTemplateSpec, key string) *corev1.PodTemplateSpec {
	bare := template.DeepCopy()
	var terms []corev1.NodeSelectorTerm
	for _, term := range requiredTerms(&bare.Spec) {
		none := len(term.MatchExpressions)+len(term.MatchFields) == 0
		term.MatchExpressions = slices.DeleteFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return e.Key == key })
		same := func(other corev1.NodeSelectorTerm) bool { return equality.Semantic.DeepEqual(term, other) }
		if (none || len(term.MatchExpressions)+len(term.MatchFields) > 0) && !slices.ContainsFunc(terms, same) {
			terms = append(terms, term)
		}
	}
	affinity := bare.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil {
		return bare
	}
	affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
	if len(terms) > 0 {
		affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: terms}
	}
	if len(terms)+len(affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) == 0 {
		affinity.NodeAffinity = nil
	}
	if equality.Semantic.DeepEqual(affinity, &corev1.Affinity{}) {
		bare.Spec.Affinity = nil
	}
	return bare
}
