package model

import "k8s.io/apimachinery/pkg/labels"

// Selecting is an object that selects Pods by their labels: a Service, a PodDisruptionBudget, a NetworkPolicy or a PodMonitor.
type Selecting struct {
	Kind, Namespace, Name string
	// Path is the field that holds the selector, as in spec.ingress[0].from[1].podSelector.
	Path     string
	Selector labels.Selector
	// Namespaces are those whose Pods are selected; nil for all.
	Namespaces []string
}
