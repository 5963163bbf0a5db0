package capacity

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ShortfallKind is what a node lacks for a Pod.
type ShortfallKind uint8

const (
	// ShortTaint: the node has a NoSchedule or NoExecute taint that the Pod does not tolerate.
	ShortTaint ShortfallKind = iota
	// ShortAffinity: node name, node selector or required node affinity do not match.
	ShortAffinity
	// ShortPort: a host port is held by another Pod.
	ShortPort
	// ShortPods: the node holds as many Pods as it may.
	ShortPods
	// ShortResource: a resource is requested above what is free.
	ShortResource
)

func (k ShortfallKind) String() string {
	switch k {
	case ShortTaint:
		return "Taint"
	case ShortAffinity:
		return "Affinity"
	case ShortPort:
		return "HostPort"
	case ShortPods:
		return "TooManyPods"
	case ShortResource:
		return "Resource"
	default:
		return fmt.Sprintf("ShortfallKind(%d)", uint8(k))
	}
}

// Shortfall is one reason why a Pod does not fit a node. Only the fields of its kind are set.
type Shortfall struct {
	Kind ShortfallKind

	// Of ShortResource: its name. Amounts are millicores for CPU, whole units for the rest.
	Resource corev1.ResourceName
	// Of ShortResource and ShortPods. Free is negative on a node that holds more than it may.
	Requested, Free, Allocatable int64
	// AboveAllocatable: the request exceeds the whole node, so that no Pod's leaving can help.
	AboveAllocatable bool

	// Of ShortPort: the port as the Pod wants it, and who holds it.
	Port   HostPort
	Holder types.NamespacedName

	// Of ShortTaint.
	Taint corev1.Taint

	// Of ShortAffinity: the term that fails.
	Term string
}

// String gives the fault with its numbers: "cpu: wants 600m, free 400m, allocatable 1000m", or
// "memory: wants 3Gi, the whole node has 2Gi".
func (s Shortfall) String() string {
	switch s.Kind {
	case ShortTaint:
		return fmt.Sprintf("the taint %s is not tolerated", taintString(&s.Taint))
	case ShortAffinity:
		return s.Term
	case ShortPort:
		return fmt.Sprintf("host port %s is held by %s", s.Port, s.Holder)
	case ShortPods, ShortResource:
		name := s.name()
		if s.AboveAllocatable {
			return fmt.Sprintf("%s: wants %s, the whole node has %s", name,
				formatAmount(name, s.Requested), formatAmount(name, s.Allocatable))
		}
		return fmt.Sprintf("%s: wants %s, free %s, allocatable %s", name,
			formatAmount(name, s.Requested), formatAmount(name, s.Free), formatAmount(name, s.Allocatable))
	default:
		return s.Kind.String()
	}
}

// name is the resource, with a Pod's seat on the node counted as one of "pods".
func (s Shortfall) name() corev1.ResourceName {
	if s.Kind == ShortPods {
		return corev1.ResourcePods
	}
	return s.Resource
}
