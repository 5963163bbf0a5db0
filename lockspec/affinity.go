package lockspec

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// antiAffinity is what a template's Pod anti-affinity means to the wrapper.
type antiAffinity int

const (
	noAntiAffinity antiAffinity = iota
	broadAntiAffinity
	narrowAntiAffinity
	foreignAntiAffinity
)

func classifyAntiAffinity(template *corev1.PodTemplateSpec, spec *model.LockSpec) antiAffinity {
	if template.Spec.Affinity == nil || template.Spec.Affinity.PodAntiAffinity == nil {
		return noAntiAffinity
	}
	have := template.Spec.Affinity.PodAntiAffinity
	preferred := len(have.PreferredDuringSchedulingIgnoredDuringExecution) > 0
	required := have.RequiredDuringSchedulingIgnoredDuringExecution
	switch {
	case len(required) == 0 && !preferred:
		return noAntiAffinity
	case preferred || spec.AntiAffinity == nil:
		return foreignAntiAffinity
	case equality.Semantic.DeepEqual(written(required), written(broadTerms(spec.AntiAffinity))):
		return broadAntiAffinity
	case equality.Semantic.DeepEqual(written(required), written(narrowTerms(spec.AntiAffinity, template.Labels))):
		return narrowAntiAffinity
	}
	return foreignAntiAffinity
}

// written returns the terms with every label that must match as a requirement, sorted by key: one meaning is written in several ways.
func written(terms []corev1.PodAffinityTerm) []corev1.PodAffinityTerm {
	terms = slices.Clone(terms)
	for i := range terms {
		if terms[i].LabelSelector == nil {
			continue
		}
		requirements := slices.Clone(terms[i].LabelSelector.MatchExpressions)
		for _, key := range sortedKeys(terms[i].LabelSelector.MatchLabels) {
			requirements = append(requirements, oneOf(key, terms[i].LabelSelector.MatchLabels[key]))
		}
		slices.SortStableFunc(requirements, func(a, b metav1.LabelSelectorRequirement) int {
			return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(string(a.Operator), string(b.Operator)), slices.Compare(a.Values, b.Values))
		})
		terms[i].LabelSelector = &metav1.LabelSelector{MatchExpressions: requirements}
	}
	return terms
}

// broadTerms keep every two Pods of the agent apart, also two generations of one rollout.
func broadTerms(a *model.LockAntiAffinity) []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{hostTerm(oneOf(a.Component.Key, a.Component.Value))}
}

// narrowTerms keep apart what is not of one rollout: Pods of the same component and name with another
// profile, and Pods of the same component with another name. NotIn also selects Pods without the label.
func narrowTerms(a *model.LockAntiAffinity, labels map[string]string) []corev1.PodAffinityTerm {
	name := labels[a.NameKey]
	otherProfile := metav1.LabelSelectorRequirement{Key: a.ProfileKey, Operator: metav1.LabelSelectorOpExists}
	if profile, ok := labels[a.ProfileKey]; ok {
		otherProfile = noneOf(a.ProfileKey, profile)
	}
	return []corev1.PodAffinityTerm{
		hostTerm(oneOf(a.Component.Key, a.Component.Value), oneOf(a.NameKey, name), otherProfile),
		hostTerm(oneOf(a.Component.Key, a.Component.Value), noneOf(a.NameKey, name)),
	}
}

func hostTerm(requirements ...metav1.LabelSelectorRequirement) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		TopologyKey:   corev1.LabelHostname,
		LabelSelector: &metav1.LabelSelector{MatchExpressions: requirements},
	}
}

func oneOf(key, value string) metav1.LabelSelectorRequirement {
	return metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{value}}
}

func noneOf(key, value string) metav1.LabelSelectorRequirement {
	return metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpNotIn, Values: []string{value}}
}

// refuseAntiAffinity refuses what cannot be narrowed, and in a wrapped template what was widened again.
func refuseAntiAffinity(template *corev1.PodTemplateSpec, spec *model.LockSpec, wrapped bool, p *field.Path) field.ErrorList {
	at := p.Child("spec", "affinity", "podAntiAffinity")
	switch classifyAntiAffinity(template, spec) {
	case noAntiAffinity, narrowAntiAffinity:
		return nil
	case broadAntiAffinity:
		if wrapped {
			return field.ErrorList{field.Forbidden(at, inPart+"the anti-affinity keeps two generations off one node; "+adviceHalf)}
		}
		return refuseUnnamed(template, spec, p)
	case foreignAntiAffinity:
		return field.ErrorList{field.Forbidden(at, "only the agent's own broad anti-affinity (required, by "+corev1.LabelHostname+
			", component label alone) can be narrowed so that two generations share a node: remove this one or use that form")}
	default:
		return nil
	}
}

// refuseUnnamed refuses a template that has not the label by which its anti-affinity would be narrowed.
func refuseUnnamed(template *corev1.PodTemplateSpec, spec *model.LockSpec, p *field.Path) field.ErrorList {
	if template.Labels[spec.AntiAffinity.NameKey] != "" {
		return nil
	}
	return field.ErrorList{field.Required(p.Child("metadata", "labels").Key(spec.AntiAffinity.NameKey), "the anti-affinity is narrowed by this label: add it to the template")}
}

// narrow replaces the broad anti-affinity, the only one that is left to change.
func narrow(template *corev1.PodTemplateSpec, spec *model.LockSpec) {
	if classifyAntiAffinity(template, spec) == broadAntiAffinity {
		template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = narrowTerms(spec.AntiAffinity, template.Labels)
	}
}

// Narrow returns a copy of the template in which the agent's own broad anti-affinity is narrowed, so that two generations of
// one rollout may share a node, and tells whether there was one. Wrap does the same; Narrow is for a template that stays without locks. A
// template that has the broad form and not the label that narrows it is refused, with a field path below path.
func Narrow(template corev1.PodTemplateSpec, spec model.LockSpec, path *field.Path) (corev1.PodTemplateSpec, bool, field.ErrorList) {
	narrowed := *template.DeepCopy()
	if classifyAntiAffinity(&template, &spec) != broadAntiAffinity {
		return narrowed, false, nil
	}
	if faults := refuseUnnamed(&template, &spec, path); len(faults) > 0 {
		return narrowed, false, faults
	}
	narrow(&narrowed, &spec)
	return narrowed, true, nil
}
