package step

import (
	"maps"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Edits collects guarded changes of Live, one map of an object, in List.
type Edits struct {
	Live map[string]string
	List []model.Edit
}

// Set asks for a value; what stands there already needs no edit.
func (e *Edits) Set(key, value string) {
	if present, ok := e.Live[key]; !ok || present != value {
		e.List = append(e.List, model.Edit{Key: key, From: e.from(key), To: &value})
	}
}

// Remove asks for the key to be absent.
func (e *Edits) Remove(key string) {
	if from := e.from(key); from != nil {
		e.List = append(e.List, model.Edit{Key: key, From: from})
	}
}

// SetOrRemove sets the value, and removes the key for an empty one.
func (e *Edits) SetOrRemove(key, value string) {
	if value == "" {
		e.Remove(key)
		return
	}
	e.Set(key, value)
}

// Guard tests the present value without changing it.
func (e *Edits) Guard(key string) {
	if from := e.from(key); from != nil {
		e.List = append(e.List, model.Edit{Key: key, From: from, To: from})
	}
}

func (e *Edits) from(key string) *string {
	if value, ok := e.Live[key]; ok {
		return &value
	}
	return nil
}

// NoteRevision edits what a DaemonSet says of a template that is about to be written: its revision, and which generations of
// it a person edited. The live template is one of those if it has the same revision and runs other images. Nothing else of it
// counts: what wrapping adds may differ from one version of this library to the next, and its Pods are exact all the same.
func (e *Edits) NoteRevision(keys *model.Keys, live *appsv1.DaemonSet, next *corev1.PodTemplateSpec) {
	revision := next.Annotations[keys.Revision]
	e.SetOrRemove(keys.Revision, revision)
	if revision == "" || live.Annotations[keys.Revision] != revision {
		e.Remove(keys.Edited)
		return
	}
	edited := model.ParseEditedGenerations(live.Annotations[keys.Edited])
	if live.Spec.Template.Annotations[keys.Revision] == revision && !SameImages(live.Spec.Template.Spec.Containers, next) {
		edited = edited.Add(live)
	}
	e.SetOrRemove(keys.Edited, edited.String())
}

// NodeRef names a Node under its UID.
func NodeRef(node *corev1.Node) model.ObjectRef {
	return model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}
}

// SetRef names a DaemonSet under its UID.
func SetRef(set *appsv1.DaemonSet) model.ObjectRef {
	return model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: set.UID}
}

// CostOf is what an action says of its cost. A free move that costs more than the limit if the view is stale says the most that it can
// cost: whoever confirms paid moves by a fresh look confirms it too.
func CostOf(c budget.Cost) model.Cost {
	cost := model.Cost{Overlap: c.Overlap, OffSource: c.OffSource}
	switch {
	case c.Unsure:
		cost.Seat, cost.Unsure = budget.PaidSeat.String(), true
	case c.Seat != budget.NoSeat:
		cost.Seat = c.Seat.String()
	}
	return cost
}

// NodePatch edits a node's labels and annotations.
func NodePatch(node *corev1.Node, labels, annotations []model.Edit) *model.Patch {
	return &model.Patch{
		Labels: labels, Annotations: annotations,
		NoLabels: len(node.Labels) == 0, NoAnnotations: len(node.Annotations) == 0,
	}
}

// DeletePod deletes one Pod of the node under its UID.
func DeletePod(node string, pod *corev1.Pod, reason model.Reason, cost budget.Cost) model.Action {
	return model.Action{
		Kind: model.DeletePod, Node: node, Reason: reason, Cost: CostOf(cost),
		Write: model.Write{
			Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Delete: &model.Delete{Propagation: metav1.DeletePropagationBackground},
		},
	}
}

// StripServerFields keeps of the metadata what a create may carry.
func StripServerFields(set *appsv1.DaemonSet) {
	set.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}
	set.ObjectMeta = metav1.ObjectMeta{
		Namespace: set.Namespace, Name: set.Name, Labels: maps.Clone(set.Labels), Annotations: maps.Clone(set.Annotations),
		OwnerReferences: set.OwnerReferences, Finalizers: set.Finalizers,
	}
	delete(set.Annotations, appsv1.DeprecatedTemplateGeneration)
	delete(set.Annotations, corev1.LastAppliedConfigAnnotation)
	set.Status = appsv1.DaemonSetStatus{}
}
