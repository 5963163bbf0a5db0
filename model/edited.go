package model

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// PodTemplateGeneration is the label in which the DaemonSet controller names, on a Pod, the generation of the template that it
// was made from. The DaemonSet says its template's present one in appsv1.DeprecatedTemplateGeneration.
const PodTemplateGeneration = "pod-template-generation"

// editsKept is how many edits of one revision's template are remembered.
const editsKept = 16

// EditedGenerations are the generations of a DaemonSet's template that a person edited while it kept its revision. A Pod made
// from one carries that revision and is not of it. They are remembered on the DaemonSet, separated by commas and the oldest
// first, in the write that puts the template right, until it gets another revision.
type EditedGenerations []string

// ParseEditedGenerations reads the annotation; a missing one names none.
func ParseEditedGenerations(value string) EditedGenerations {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

// Add adds the DaemonSet's present template. One that the API server has given no generation, and one that is named already,
// add nothing; of more than 16 the oldest are forgotten.
func (e EditedGenerations) Add(set *appsv1.DaemonSet) EditedGenerations {
	present := set.Annotations[appsv1.DeprecatedTemplateGeneration]
	if present == "" || slices.Contains(e, present) {
		return e
	}
	all := append(slices.Clone(e), present)
	return all[max(0, len(all)-editsKept):]
}

// String returns the annotation's value.
func (e EditedGenerations) String() string { return strings.Join(e, ",") }

// Made tells whether the Pod was made from one of them.
func (e EditedGenerations) Made(pod *corev1.Pod) bool {
	return len(e) > 0 && slices.Contains(e, pod.Labels[PodTemplateGeneration])
}
