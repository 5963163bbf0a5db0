package template

import (
	corev1 "k8s.io/api/core/v1"
	unversioned "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func affinity(a *corev1.Affinity, at *field.Path) (faults field.ErrorList) {
	if a == nil {
		return nil
	}
	if a.NodeAffinity != nil {
		faults = append(faults, nodeAffinity(a.NodeAffinity, at.Child("nodeAffinity"))...)
	}
	if p := a.PodAffinity; p != nil {
		faults = append(faults, podTerms(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAffinity"))...)
	}
	if p := a.PodAntiAffinity; p != nil {
		faults = append(faults, podTerms(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAntiAffinity"))...)
	}
	return faults
}

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

// nodeAffinity: a required selector has at least one term. A term without requirements is valid, and takes no node.
func nodeAffinity(a *corev1.NodeAffinity, at *field.Path) (faults field.ErrorList) {
	if r := a.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
		terms := at.Child(required, "nodeSelectorTerms")
		if len(r.NodeSelectorTerms) == 0 {
			faults = append(faults, field.Required(terms, "must have at least one term"))
		}
		for i := range r.NodeSelectorTerms {
			faults = append(faults, term(&r.NodeSelectorTerms[i], terms.Index(i))...)
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		p, at := &a.PreferredDuringSchedulingIgnoredDuringExecution[i], at.Child(preferred).Index(i)
		faults = append(faults, weight(p.Weight, at.Child("weight"))...)
		faults = append(faults, term(&p.Preference, at.Child("preference"))...)
	}
	return faults
}

func weight(w int32, at *field.Path) field.ErrorList {
	if w < 1 || w > 100 {
		return field.ErrorList{field.Invalid(at, w, "must be in the range 1-100")}
	}
	return nil
}

func term(t *corev1.NodeSelectorTerm, at *field.Path) (faults field.ErrorList) {
	for i := range t.MatchExpressions {
		e, at := &t.MatchExpressions[i], at.Child("matchExpressions").Index(i)
		faults = append(faults, each(e.Key, at.Child("key"), utilvalidation.IsQualifiedName)...)
		faults = append(faults, expression(e, at)...)
	}
	for i := range t.MatchFields {
		f, at := &t.MatchFields[i], at.Child("matchFields").Index(i)
		if f.Key != "metadata.name" {
			faults = append(faults, field.NotSupported(at.Child("key"), f.Key, []string{"metadata.name"}))
		}
		if len(f.Values) != 1 {
			faults = append(faults, field.Required(at.Child("values"), "must have exactly one value"))
		}
		faults = append(faults, oneOf(f.Operator, at.Child("operator"), corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn)...)
	}
	return faults
}

func expression(e *corev1.NodeSelectorRequirement, at *field.Path) field.ErrorList {
	values := at.Child("values")
	switch e.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(e.Values) == 0 {
			return field.ErrorList{field.Required(values, "must be specified for In and NotIn")}
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(e.Values) > 0 {
			return field.ErrorList{field.Forbidden(values, "must not be specified for Exists and DoesNotExist")}
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(e.Values) != 1 {
			return field.ErrorList{field.Required(values, "must have one value for Gt and Lt")}
		}
	default:
		return field.ErrorList{field.NotSupported(at.Child("operator"), e.Operator, []corev1.NodeSelectorOperator{
			corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
		})}
	}
	return nil
}

func podTerms(must []corev1.PodAffinityTerm, may []corev1.WeightedPodAffinityTerm, at *field.Path) (faults field.ErrorList) {
	for i := range must {
		faults = append(faults, podTerm(&must[i], at.Child(required).Index(i))...)
	}
	for i := range may {
		at := at.Child(preferred).Index(i)
		faults = append(faults, weight(may[i].Weight, at.Child("weight"))...)
		faults = append(faults, podTerm(&may[i].PodAffinityTerm, at.Child("podAffinityTerm"))...)
	}
	return faults
}

func podTerm(t *corev1.PodAffinityTerm, at *field.Path) (faults field.ErrorList) {
	faults = unversioned.ValidateLabelSelector(t.LabelSelector, unversioned.LabelSelectorValidationOptions{}, at.Child("labelSelector"))
	if t.TopologyKey == "" {
		return append(faults, field.Required(at.Child("topologyKey"), "can not be empty"))
	}
	return append(faults, each(t.TopologyKey, at.Child("topologyKey"), utilvalidation.IsQualifiedName)...)
}
