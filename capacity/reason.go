package capacity

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// ReasonKind is what one clause of the scheduler's message is about.
type ReasonKind uint8

const (
	// ReasonUnknown: a text that is not understood. It is never capacity.
	ReasonUnknown ReasonKind = iota
	// ReasonNodePin: the Pod is not meant for those nodes (node affinity, selector or name).
	ReasonNodePin
	// ReasonResource: a resource is short; [Reason.Resource] names it.
	ReasonResource
	// ReasonTooManyPods: the node holds as many Pods as it may.
	ReasonTooManyPods
	// ReasonHostPort: a host port is taken.
	ReasonHostPort
	// ReasonTaint: a taint is not tolerated.
	ReasonTaint
	// ReasonPodAffinity: affinity or anti-affinity between Pods.
	ReasonPodAffinity
	// ReasonNodeState: the node is cordoned, not ready, or out of disk space.
	ReasonNodeState
)

func (k ReasonKind) String() string {
	switch k {
	case ReasonUnknown:
		return "Unknown"
	case ReasonNodePin:
		return "NodePin"
	case ReasonResource:
		return "Resource"
	case ReasonTooManyPods:
		return "TooManyPods"
	case ReasonHostPort:
		return "HostPort"
	case ReasonTaint:
		return "Taint"
	case ReasonPodAffinity:
		return "PodAffinity"
	case ReasonNodeState:
		return "NodeState"
	default:
		return fmt.Sprintf("ReasonKind(%d)", uint8(k))
	}
}

// Reason is one clause of the message: so many nodes, and why.
type Reason struct {
	Kind     ReasonKind
	Count    int                 // nodes; 0 where the clause has no count
	Resource corev1.ResourceName // of ReasonResource
	Text     string              // as written, without the count
}

// reasonTexts are the clauses that a scheduler from 1.9 on writes, whole and exact: a plugin whose text
// only contains one of them is not that clause.
var reasonTexts = map[string]ReasonKind{
	"node(s) didn't match node selector":                ReasonNodePin,
	"node(s) didn't match Pod's node affinity":          ReasonNodePin,
	"node(s) didn't match Pod's node affinity/selector": ReasonNodePin,
	"node(s) didn't match the requested hostname":       ReasonNodePin,
	"node(s) didn't match the requested node name":      ReasonNodePin,
	"node(s) didn't satisfy plugin(s) [NodeAffinity]":   ReasonNodePin,
	"Too many pods":     ReasonTooManyPods,
	"Insufficient pods": ReasonTooManyPods,
	"node(s) didn't have free ports for the requested pod ports": ReasonHostPort,
	"node(s) had untolerated taint(s)":                           ReasonTaint,
	"node(s) had taints that the pod didn't tolerate":            ReasonTaint,
	"node(s) didn't match pod affinity/anti-affinity":            ReasonPodAffinity,
	"node(s) didn't match pod affinity/anti-affinity rules":      ReasonPodAffinity,
	"node(s) didn't match pod affinity rules":                    ReasonPodAffinity,
	"node(s) didn't match pod anti-affinity rules":               ReasonPodAffinity,
	"node(s) didn't satisfy existing pods anti-affinity rules":   ReasonPodAffinity,
	"node(s) were unschedulable":                                 ReasonNodeState,
	"node(s) were not ready":                                     ReasonNodeState,
	"node(s) were out of disk space":                             ReasonNodeState,
}

// classify names the kind of a clause, and the resource of a resource clause.
func classify(text string) (ReasonKind, corev1.ResourceName) {
	if kind, ok := reasonTexts[text]; ok {
		return kind, ""
	}
	if name, ok := strings.CutPrefix(text, "Insufficient "); ok && isResourceName(name) {
		return ReasonResource, corev1.ResourceName(name)
	}
	// Before 1.34 the taint stands in the clause.
	if rest, ok := strings.CutPrefix(text, "node(s) had untolerated taint {"); ok && isTaintBody(rest, "}") {
		return ReasonTaint, ""
	}
	if rest, ok := strings.CutPrefix(text, "node(s) had taint {"); ok && isTaintBody(rest, "}, that the pod didn't tolerate") {
		return ReasonTaint, ""
	}
	return ReasonUnknown, ""
}

// isTaintBody: the end is as it must be, and there is one taint before it.
func isTaintBody(rest, end string) bool {
	body, ok := strings.CutSuffix(rest, end)
	return ok && !strings.ContainsAny(body, "{}")
}

// isResourceName keeps anything but a name from passing for one: "cpu on this rack" is none.
func isResourceName(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || !strings.ContainsRune("-._/", rune(c))) {
			return false
		}
	}
	return s != ""
}
