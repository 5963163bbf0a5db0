package capacity

import (
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	resourcehelper "k8s.io/component-helpers/resource"
)

// Requests is what the scheduler holds on a node for the Pod: the greater of its running and its
// starting containers, sidecars included, or what the Pod as a whole asks for, plus overhead. Of a Pod
// that is resized in place it is the greatest of desired, actuated and allocated. The list is the
// caller's to keep.
func Requests(pod *corev1.Pod) corev1.ResourceList {
	return resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{
		// Both are read off the Pod's status, which is empty where the feature is off.
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
}

// amountOf is a quantity as the scheduler counts it: millicores for CPU, whole units for the rest, both
// rounded up; never negative, and at most the largest int64.
func amountOf(name corev1.ResourceName, q resource.Quantity) int64 {
	if q.Sign() <= 0 {
		return 0
	}
	if name == corev1.ResourceCPU {
		if q.CmpInt64(math.MaxInt64/1000) >= 0 {
			return math.MaxInt64
		}
		return q.MilliValue()
	}
	if q.CmpInt64(math.MaxInt64) >= 0 {
		return math.MaxInt64
	}
	return q.Value()
}

// addAmounts adds two amounts that are not negative.
func addAmounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// formatAmount writes an amount in the unit that people use for the resource.
func formatAmount(name corev1.ResourceName, n int64) string {
	switch {
	case name == corev1.ResourceCPU:
		return strconv.FormatInt(n, 10) + "m"
	case name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage, isHugePages(name):
		return resource.NewQuantity(n, resource.BinarySI).String()
	default:
		return strconv.FormatInt(n, 10)
	}
}

// counted reports whether NodeResourcesFit looks at a resource: CPU, memory, ephemeral storage, huge
// pages, attachable volumes, and whatever is qualified by a domain. It ignores the rest.
func counted(name corev1.ResourceName) bool {
	s := string(name)
	switch {
	case name == corev1.ResourceCPU, name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage:
		return true
	case isHugePages(name), strings.HasPrefix(s, corev1.ResourceAttachableVolumesPrefix):
		return true
	case strings.Contains(s, corev1.ResourceDefaultNamespacePrefix):
		return true
	default:
		return isExtended(s)
	}
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// isExtended: a domain outside kubernetes.io, no quota name, and a quota name could be made of it.
func isExtended(name string) bool {
	return strings.Contains(name, "/") &&
		!strings.HasPrefix(name, corev1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+name)) == 0
}

// inOrder returns the counted names of a list: CPU, memory, ephemeral storage, then the others by name.
func inOrder(list corev1.ResourceList) []corev1.ResourceName {
	names := make([]corev1.ResourceName, 0, len(list))
	for name := range list {
		if counted(name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b corev1.ResourceName) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	})
	return names
}

func rank(name corev1.ResourceName) int {
	switch name {
	case corev1.ResourceCPU:
		return 0
	case corev1.ResourceMemory:
		return 1
	case corev1.ResourceEphemeralStorage:
		return 2
	default:
		return 3
	}
}

// AsksForMore tells whether a Pod requests more than another one of any resource. One that does not, finds room where the other
// was.
func AsksForMore(pod, than *corev1.Pod) bool {
	have, want := Requests(than), Requests(pod)
	for _, name := range inOrder(want) {
		if amountOf(name, want[name]) > amountOf(name, have[name]) {
			return true
		}
	}
	return false
}
