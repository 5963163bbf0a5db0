package dump

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// Snapshot makes the input of a planning step, with what the Rollout document leaves out taken from the objects
// and said in Notes:
//
//   - status.observedAt is the newest time in the objects: creation, conditions, container states. A dump
//     has no time of its own.
//   - status.otherPods is {all: true}: a dump with -A has the Pods of all workloads.
//   - strategy.maxUnavailable is that of the deployed DaemonSet that desiredFrom names, where its rolling update says one.
//   - metadata.uid, apiVersion and kind are those of the controller of the deployed DaemonSet, which desired or
//     desiredFrom names. A controller with another name than the owner is a fault.
//
// The error is an *Error with the faults of the document and of the objects together.
func (d *Dump) Snapshot() (*model.Snapshot, error) {
	d.Notes = nil
	if d.Rollout == nil {
		text := fmt.Sprintf("no %s document (apiVersion: %s) is in the inputs", model.RolloutKind, model.RolloutAPIVersion)
		if len(d.lookalikes) > 0 {
			text += ", but " + strings.Join(d.lookalikes, ", ")
		}
		return nil, &Error{Faults: append([]string{text}, d.empty...)}
	}
	rollout := *d.Rollout
	if rollout.Status.ObservedAt.IsZero() {
		if newest := d.newest(); !newest.IsZero() {
			rollout.Status.ObservedAt = metav1.NewTime(newest)
			d.Notes = append(d.Notes, "status.observedAt is left out: the newest time in the objects, "+newest.UTC().Format(time.RFC3339)+", is taken.")
		}
	}
	if d.document == nil || !d.document.otherPods {
		rollout.Status.OtherPods = model.OtherPods{All: true}
		d.Notes = append(d.Notes, "status.otherPods is left out: the Pods of all workloads are taken to be in the inputs (kubectl get -A).")
	}
	d.completeBudget(&rollout)
	d.Notes = append(d.Notes, d.empty...)
	d.Notes = append(d.Notes, slices.Concat(d.noteClock(&rollout), d.noteDeployed(&rollout), noteImages(&rollout))...)
	ofDocument := d.completeOwner(&rollout)
	for _, wrong := range rollout.Validate() {
		ofDocument = append(ofDocument, fault{path: wrong.Field, text: wrong.ErrorBody()})
	}
	faults := d.document.located(ofDocument)
	cluster, err := model.NewCluster(d.Objects)
	var refused *model.ObjectError
	switch {
	case errors.As(err, &refused):
		for _, fault := range refused.Faults {
			faults = append(faults, d.whereIs(fault))
		}
	case err != nil:
		faults = append(faults, err.Error())
	}
	if len(faults) > 0 {
		return nil, &Error{Faults: faults}
	}
	return &model.Snapshot{Cluster: cluster, Rollout: &rollout}, nil
}

// completeBudget takes the budget from the deployed DaemonSet that desiredFrom names, as long as its own rolling update says one.
func (d *Dump) completeBudget(rollout *model.Rollout) {
	set := d.deployed(rollout)
	if rollout.Spec.Desired != nil || rollout.Spec.Strategy.MaxUnavailable != nil || set == nil {
		return
	}
	if own := model.OwnBudget(set); own != nil {
		rollout.Spec.Strategy.MaxUnavailable = own
		d.Notes = append(d.Notes, fmt.Sprintf("spec.strategy.maxUnavailable is left out: %s, the DaemonSet's own, is taken. Write it down: once it is taken over the DaemonSet does not say it any more.", own))
	}
}

// completeOwner fills the owner in from the deployed DaemonSet's controller reference.
func (d *Dump) completeOwner(rollout *model.Rollout) []fault {
	owner := &rollout.Metadata
	if owner.UID != "" && owner.Kind != "" && owner.APIVersion != "" {
		return nil
	}
	set := d.deployed(rollout)
	if set == nil {
		return nil // what a missing DaemonSet means is the planner's to say
	}
	ref := metav1.GetControllerOfNoCopy(set)
	switch {
	case ref == nil || owner.Name == "":
		return nil // a missing name is a fault of its own
	case owner.UID != "" && owner.UID != ref.UID:
		return nil // another owner is named in so many words: the planner judges it
	case ref.Name != owner.Name:
		return []fault{{path: "metadata.name", text: fmt.Sprintf("DaemonSet %s/%s is controlled by %s %s, not by %s: name that owner, or give metadata.uid",
			set.Namespace, set.Name, ref.Kind, ref.Name, owner.Name)}}
	}
	owner.UID = ref.UID
	if owner.APIVersion == "" {
		owner.APIVersion = ref.APIVersion
	}
	if owner.Kind == "" {
		owner.Kind = ref.Kind
	}
	d.Notes = append(d.Notes, fmt.Sprintf("the owner is %s %s (uid %s), the controller of DaemonSet %s/%s.", ref.Kind, ref.Name, ref.UID, set.Namespace, set.Name))
	return nil
}

// deployed returns the DaemonSet that the Rollout speaks of, or nil.
func (d *Dump) deployed(rollout *model.Rollout) *appsv1.DaemonSet {
	name := rollout.Metadata.Name
	switch spec := &rollout.Spec; {
	case spec.Desired != nil:
		name = spec.Desired.Name
	case spec.DesiredFrom != nil && spec.DesiredFrom.Name != "":
		name = spec.DesiredFrom.Name
	}
	for _, set := range d.Objects.DaemonSets {
		if set.Namespace == rollout.Metadata.Namespace && set.Name == name {
			return set
		}
	}
	return nil
}

// newest returns the newest time in the objects. Deletion timestamps lie in the future and do not count.
func (d *Dump) newest() (newest time.Time) {
	see := func(at metav1.Time) {
		if at.After(newest) {
			newest = at.Time
		}
	}
	for _, node := range d.Objects.Nodes {
		see(node.CreationTimestamp)
		for i := range node.Status.Conditions {
			see(node.Status.Conditions[i].LastTransitionTime)
			see(node.Status.Conditions[i].LastHeartbeatTime)
		}
	}
	for _, set := range d.Objects.DaemonSets {
		see(set.CreationTimestamp)
	}
	for _, pod := range d.Objects.Pods {
		see(pod.CreationTimestamp)
		for i := range pod.Status.Conditions {
			see(pod.Status.Conditions[i].LastTransitionTime)
		}
		for _, statuses := range [...][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
			for i := range statuses {
				seeState(see, statuses[i].State)
				seeState(see, statuses[i].LastTerminationState)
			}
		}
	}
	for i := range d.Rollout.Status.Issued {
		see(d.Rollout.Status.Issued[i].At)
	}
	return newest
}

func seeState(see func(metav1.Time), state corev1.ContainerState) {
	if state.Running != nil {
		see(state.Running.StartedAt)
	}
	if state.Terminated != nil {
		see(state.Terminated.StartedAt)
		see(state.Terminated.FinishedAt)
	}
}
