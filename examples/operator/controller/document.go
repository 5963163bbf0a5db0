package controller

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
)

// document is the Rollout of the object: it owns the desired DaemonSet. One that leaves is torn down, and only what names its DaemonSets is asked then, so
// that a fault in the rest does not hold its deletion.
func document(owner *api.NodeAgentRollout, leaves bool) *model.Rollout {
	r := &model.Rollout{
		Metadata: model.Owner{
			APIVersion: api.GroupVersion.String(), Kind: api.Kind,
			Namespace: owner.Namespace, Name: owner.Name, UID: owner.UID, Annotations: owner.Annotations,
		},
		Spec: owner.Spec,
	}
	desired := owner.Spec.Desired
	if leaves {
		strategy := owner.Spec.Strategy
		r.Spec = model.Spec{
			Intent: model.Teardown, DesiredFrom: owner.Spec.DesiredFrom, Slots: owner.Spec.Slots,
			Strategy: model.Strategy{Type: strategy.Type, Overlap: strategy.Overlap},
		}
		if desired != nil {
			r.Spec.DesiredFrom = &model.DesiredFrom{Name: desired.Name}
		}
		return r
	}
	if desired != nil {
		owned := desired.DeepCopy()
		owned.Namespace = owner.Namespace
		owned.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, api.GroupVersion.WithKind(api.Kind))}
		r.Spec.Desired = owned
	}
	return r
}

// finalizerChanged lets the reconciler go on after it has added its own.
var finalizerChanged = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
	return !slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers()) || e.ObjectOld.GetDeletionTimestamp().IsZero() != e.ObjectNew.GetDeletionTimestamp().IsZero()
}}
