package capacity

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Eligibility is what the DaemonSet controller does about a template on one node.
type Eligibility uint8

const (
	// Ineligible: no Pod is made, and one that runs is deleted.
	Ineligible Eligibility = iota
	// KeepsRunning: no Pod is made, but one that runs is left alone. Only an untolerated NoSchedule
	// taint does this.
	KeepsRunning
	// Eligible: a Pod should run.
	Eligible
)

func (e Eligibility) String() string {
	switch e {
	case Ineligible:
		return "Ineligible"
	case KeepsRunning:
		return "KeepsRunning"
	case Eligible:
		return "Eligible"
	default:
		return fmt.Sprintf("Eligibility(%d)", uint8(e))
	}
}

// Placement is a Pod template's placement, compiled once for many nodes. It is never changed after
// [NewPlacement], so it may be shared, and it keeps no reference into the template.
type Placement struct {
	nodeName    string
	match       nodeMatcher
	tolerations []corev1.Toleration
	anywhere    bool // neither node name, selector nor required affinity
}

// NewPlacement compiles the template of a DaemonSet: nodeName, nodeSelector, required node affinity,
// and the tolerations including [AddedTolerations].
//
// The error lists every malformed term and toleration by its path in the DaemonSet. The DaemonSet
// controller itself silently takes a malformed term for one that matches no node; a template on which
// the intent and the outcome differ so far is better refused.
func NewPlacement(template *corev1.PodTemplateSpec) (*Placement, error) {
	if template == nil {
		return nil, field.Required(field.NewPath("spec", "template"), "a Pod template is needed to place it")
	}
	spec := &template.Spec
	path := field.NewPath("spec", "template", "spec")
	match, faults := compileNodeMatcher(spec, path)
	for _, fault := range tolerationFaults(spec.Tolerations, path.Child("tolerations")) {
		faults = append(faults, fault)
	}
	if len(faults) > 0 {
		return nil, utilerrors.Flatten(utilerrors.NewAggregate(faults))
	}
	added := AddedTolerations(spec.HostNetwork)
	tolerations := make([]corev1.Toleration, 0, len(spec.Tolerations)+len(added))
	tolerations = append(append(tolerations, spec.Tolerations...), added...)
	for i := range tolerations {
		tolerations[i].TolerationSeconds = nil // no part of the decision, and a pointer into the template
	}
	return &Placement{
		nodeName:    spec.NodeName,
		match:       match,
		tolerations: tolerations,
		anywhere:    spec.NodeName == "" && len(match.selector) == 0 && !match.required,
	}, nil
}

// Judge decides for one node. It looks at the node's name, labels and taints and at nothing else; a
// nil node is Ineligible. It allocates nothing.
func (p *Placement) Judge(node *corev1.Node) Eligibility {
	if node == nil {
		return Ineligible
	}
	if !p.anywhere {
		if p.nodeName != "" && p.nodeName != node.Name {
			return Ineligible
		}
		if !p.match.matches(node) {
			return Ineligible
		}
	}
	verdict := Eligible
	for i := range node.Spec.Taints {
		taint := &node.Spec.Taints[i]
		if !hard(taint.Effect) || toleratesAny(p.tolerations, taint) {
			continue
		}
		if taint.Effect == corev1.TaintEffectNoExecute {
			return Ineligible
		}
		verdict = KeepsRunning
	}
	return verdict
}

// Why names the term or the taint behind the verdict of [Placement.Judge]; "" for an Eligible node.
// Where several taints speak, the first that decided is named.
func (p *Placement) Why(node *corev1.Node) string {
	if node == nil {
		return "there is no such node"
	}
	if p.nodeName != "" && p.nodeName != node.Name {
		return fmt.Sprintf("the template's node name is %s, the node is %s", p.nodeName, node.Name)
	}
	if fault := p.match.why(node); fault != "" {
		return fault
	}
	var first *corev1.Taint
	for i := range node.Spec.Taints {
		taint := &node.Spec.Taints[i]
		if !hard(taint.Effect) || toleratesAny(p.tolerations, taint) {
			continue
		}
		if first == nil || first.Effect != corev1.TaintEffectNoExecute && taint.Effect == corev1.TaintEffectNoExecute {
			first = taint
		}
	}
	if first == nil {
		return ""
	}
	return fmt.Sprintf("the taint %s is not tolerated", taintString(first))
}
