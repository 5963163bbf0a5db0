package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// resources: a request is at most its limit, and where a resource cannot be overcommitted (huge pages, extended ones) just its limit.
func resources(r *corev1.ResourceRequirements, at *field.Path) (faults field.ErrorList) {
	for _, list := range []struct {
		name string
		of   corev1.ResourceList
	}{{"limits", r.Limits}, {"requests", r.Requests}} {
		for _, name := range slices.Sorted(maps.Keys(list.of)) {
			at := at.Child(list.name).Key(string(name))
			faults = append(faults, each(string(name), at, utilvalidation.IsQualifiedName)...)
			if amount := list.of[name]; amount.Sign() < 0 {
				faults = append(faults, field.Invalid(at, amount.String(), "must not be negative"))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		request := r.Requests[name]
		limit, limited := r.Limits[name]
		faults = append(faults, below(name, request, limit, limited, at)...)
	}
	if has(r, huge) && !has(r, func(name corev1.ResourceName) bool {
		return name == corev1.ResourceCPU || name == corev1.ResourceMemory
	}) {
		faults = append(faults, field.Forbidden(at, "huge pages require cpu or memory"))
	}
	return faults
}

func has(r *corev1.ResourceRequirements, such func(corev1.ResourceName) bool) bool {
	return slices.ContainsFunc(slices.Sorted(maps.Keys(r.Limits)), such) || slices.ContainsFunc(slices.Sorted(maps.Keys(r.Requests)), such)
}

func huge(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

func below(name corev1.ResourceName, request, limit resource.Quantity, limited bool, at *field.Path) field.ErrorList {
	key := at.Child("requests").Key(string(name))
	switch fixed := !overcommits(name); {
	case !limited && fixed:
		return field.ErrorList{field.Required(at.Child("limits"), fmt.Sprintf("%s needs a limit too", name))}
	case limited && fixed && request.Cmp(limit) != 0:
		return field.ErrorList{field.Invalid(key, request.String(), fmt.Sprintf("must be the limit of %s, %s", name, limit.String()))}
	case limited && request.Cmp(limit) > 0:
		return field.ErrorList{field.Invalid(key, request.String(), fmt.Sprintf("must be at most the limit of %s, %s", name, limit.String()))}
	}
	return nil
}

// overcommits tells whether a node may promise more of the resource than it has: the native ones but huge pages.
func overcommits(name corev1.ResourceName) bool {
	domain, _, extended := strings.Cut(string(name), "/")
	return !huge(name) && (!extended || domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io"))
}
