// Package api is the custom resource of the operator: a NodeAgentRollout, whose spec is that of the planner's Rollout document, field by field. Begin with
// AddToScheme. The manifest config/crd.yaml is made from the types and comments of this package and of model by internal/crd.
//
//	types.go  the types
//	copy.go   how they are copied, which the planner's own types do not say
package api

import (
	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is that of a NodeAgentRollout, Plural its name in paths, and Finalizer what holds it until its DaemonSets and the marks on nodes are gone.
const (
	Kind      = "NodeAgentRollout"
	Plural    = "nodeagentrollouts"
	Finalizer = "node-agent-rollout.example.com/teardown"
)

// GroupVersion is an example's: whoever copies the operator takes a domain of their own.
var GroupVersion = schema.GroupVersion{Group: "node-agent-rollout.example.com", Version: "v1alpha1"}

// AddToScheme registers the types.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &NodeAgentRollout{}, &NodeAgentRolloutList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// NodeAgentRollout rolls out one node agent: one Pod a node, run by DaemonSets that it owns, replaced revision by revision. Its deletion tears them down.
type NodeAgentRollout struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is that of the Rollout document: a file for the command rollout and a NodeAgentRollout differ by apiVersion and kind.
	Spec   model.Spec `json:"spec"`
	Status Status     `json:"status,omitzero"`
}

// NodeAgentRolloutList is a list of them.
type NodeAgentRolloutList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []NodeAgentRollout `json:"items"`
}

// MostExceptions is how many exceptions a status names; ExceptionCount counts all.
const MostExceptions = 100

// Status is what the last plan says.
type Status struct {
	// ObservedGeneration is the generation of the spec that was planned.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Phase is where the rollout stands as a whole.
	Phase model.Phase `json:"phase,omitempty"`
	// Reason is why it stands there: that of the condition that says most about it.
	Reason string `json:"reason,omitempty"`
	// Message goes with the reason.
	Message string `json:"message,omitempty"`
	// Revision is the desired one: decisions are bound to it.
	Revision string `json:"revision,omitempty"`
	// Nodes are the counts of eligible nodes.
	Nodes model.PairStatus `json:"nodes,omitzero"`
	// Canary is how the canary stands; left out without one.
	Canary *model.CanaryStatus `json:"canary,omitempty"`
	// CanaryState is the canary in one word: Running, Paused, Failed or Validated.
	CanaryState string `json:"canaryState,omitempty"`
	// ExceptionCount is the number of nodes that are set aside.
	ExceptionCount int `json:"exceptionCount,omitempty"`
	// Exceptions are the first hundred of them, in the order of their names, each with the cause.
	Exceptions []model.Exception `json:"exceptions,omitempty"`
	// Conditions are Progressing, Available, Degraded and Blocked.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
