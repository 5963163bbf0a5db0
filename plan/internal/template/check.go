package template

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	unversioned "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Check lists every fault for which an API server refuses the DaemonSet, in the order of its fields. The paths begin with "metadata" and
// "spec".
func Check(set *appsv1.DaemonSet) field.ErrorList {
	meta, spec := field.NewPath("metadata"), field.NewPath("spec")
	faults := each(set.Name, meta.Child("name"), utilvalidation.IsDNS1123Subdomain)
	faults = append(faults, unversioned.ValidateLabels(set.Labels, meta.Child("labels"))...)
	faults = append(faults, validation.ValidateAnnotations(set.Annotations, meta.Child("annotations"))...)
	faults = append(faults, selector(set, spec)...)
	faults = append(faults, strategy(&set.Spec.UpdateStrategy, spec.Child("updateStrategy"))...)
	if set.Spec.MinReadySeconds < 0 {
		faults = append(faults, field.Invalid(spec.Child("minReadySeconds"), set.Spec.MinReadySeconds, "must not be negative"))
	}
	template := spec.Child("template")
	faults = append(faults, unversioned.ValidateLabels(set.Spec.Template.Labels, template.Child("metadata", "labels"))...)
	faults = append(faults, validation.ValidateAnnotations(set.Spec.Template.Annotations, template.Child("metadata", "annotations"))...)
	return append(faults, pod(&set.Spec.Template.Spec, template.Child("spec"))...)
}

// each turns the messages of a rule of apimachinery into faults.
func each(value string, at *field.Path, rule func(string) []string) (faults field.ErrorList) {
	for _, message := range rule(value) {
		faults = append(faults, field.Invalid(at, value, message))
	}
	return faults
}

// oneOf refuses a word that is not one of those; the empty word is the server's to fill in.
func oneOf[T ~string](value T, at *field.Path, words ...T) field.ErrorList {
	for _, word := range append(words, "") {
		if value == word {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(at, value, words)}
}

// selector must be there, and take the template's labels.
func selector(set *appsv1.DaemonSet, spec *field.Path) field.ErrorList {
	at := spec.Child("selector")
	s := set.Spec.Selector
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		return field.ErrorList{field.Required(at, "an empty selector is invalid for a DaemonSet")}
	}
	if faults := unversioned.ValidateLabelSelector(s, unversioned.LabelSelectorValidationOptions{}, at); len(faults) > 0 {
		return faults
	}
	compiled, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return field.ErrorList{field.Invalid(at, "", err.Error())}
	}
	if !compiled.Matches(labels.Set(set.Spec.Template.Labels)) {
		return field.ErrorList{field.Invalid(spec.Child("template", "metadata", "labels"), set.Spec.Template.Labels, "the selector does not take these labels")}
	}
	return nil
}

// strategy: of maxUnavailable and maxSurge just one may be above 0 (KEP-1591).
func strategy(s *appsv1.DaemonSetUpdateStrategy, at *field.Path) field.ErrorList {
	faults := oneOf(s.Type, at.Child("type"), appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType)
	if s.RollingUpdate == nil || s.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return faults
	}
	at = at.Child("rollingUpdate")
	unavailable, more := number(s.RollingUpdate.MaxUnavailable, 1, at.Child("maxUnavailable"))
	surge, evenMore := number(s.RollingUpdate.MaxSurge, 0, at.Child("maxSurge"))
	faults = append(append(faults, more...), evenMore...)
	switch {
	case unavailable && surge:
		faults = append(faults, field.Invalid(at.Child("maxSurge"), s.RollingUpdate.MaxSurge.String(), "must be 0 where maxUnavailable is not"))
	case !unavailable && !surge:
		faults = append(faults, field.Required(at.Child("maxUnavailable"), "must not be 0 where maxSurge is"))
	}
	return faults
}

// number tells whether an int or a percentage is not 0; implied is its value if it is left out.
func number(value *intstr.IntOrString, implied int, at *field.Path) (some bool, faults field.ErrorList) {
	if value == nil {
		return implied != 0, nil
	}
	if value.Type == intstr.String {
		for _, message := range utilvalidation.IsValidPercent(value.StrVal) {
			faults = append(faults, field.Invalid(at, value.StrVal, message))
		}
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(value, 100, true)
	switch {
	case err != nil || len(faults) > 0:
	case n < 0:
		faults = append(faults, field.Invalid(at, value.String(), "must not be negative"))
	case value.Type == intstr.String && n > 100:
		faults = append(faults, field.Invalid(at, value.String(), "must not be more than 100%"))
	}
	return n != 0, faults
}

// above refuses a number below the least that is allowed.
func above(value, least int64, at *field.Path) field.ErrorList {
	if value < least {
		return field.ErrorList{field.Invalid(at, value, fmt.Sprintf("must be at least %d", least))}
	}
	return nil
}
