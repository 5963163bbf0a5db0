package step

import (
	"maps"
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CreateSet makes the DaemonSet.
func CreateSet(set *appsv1.DaemonSet, reason model.Reason) model.Action {
	return model.Action{Kind: model.CreateSlot, Reason: reason, Write: model.Write{Object: SetRef(set), Create: set}}
}

// UpdateSet writes the spec, which belongs to the action then, and the annotations of a DaemonSet in one request.
func UpdateSet(live *appsv1.DaemonSet, spec *appsv1.DaemonSetSpec, notes *Edits, reason model.Reason) model.Action {
	if spec.RevisionHistoryLimit == nil {
		spec.RevisionHistoryLimit = live.Spec.RevisionHistoryLimit
	}
	return model.Action{
		Kind: model.UpdateSlot, Reason: reason,
		Write: model.Write{Object: SetRef(live), Patch: &model.Patch{
			Generation: live.Generation, Annotations: notes.List, NoAnnotations: len(live.Annotations) == 0, Spec: spec,
		}},
	}
}

// DeleteSet deletes a DaemonSet, and its Pods before it.
func DeleteSet(set *appsv1.DaemonSet, reason model.Reason) model.Action {
	return model.Action{
		Kind: model.DeleteSlot, Reason: reason,
		Write: model.Write{Object: SetRef(set), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
	}
}

// RecordState writes annotations of a DaemonSet, and nothing else.
func RecordState(set *appsv1.DaemonSet, list []model.Edit, reason model.Reason) model.Action {
	return model.Action{
		Kind: model.RecordState, Reason: reason,
		Write: model.Write{Object: SetRef(set), Patch: &model.Patch{Annotations: list, NoAnnotations: len(set.Annotations) == 0}},
	}
}

// AlignMetadata writes the labels and annotations that the DaemonSet is to have and has not; what else it has is left alone. It tells whether there
// is anything to write.
func AlignMetadata(live, want *appsv1.DaemonSet, reason model.Reason) (action model.Action, any bool) {
	labels, notes := Edits{Live: live.Labels}, Edits{Live: live.Annotations}
	for _, key := range slices.Sorted(maps.Keys(want.Labels)) {
		labels.Set(key, want.Labels[key])
	}
	for _, key := range slices.Sorted(maps.Keys(want.Annotations)) {
		notes.Set(key, want.Annotations[key])
	}
	action = RecordState(live, notes.List, reason)
	action.Write.Patch.Labels, action.Write.Patch.NoLabels = labels.List, len(live.Labels) == 0
	return action, len(labels.List)+len(notes.List) > 0
}

// RecordIntent writes annotations of the owner. One that the snapshot does not identify, as in a dump, has none to write: it tells
// whether there is anything.
func RecordIntent(owner *model.Owner, list []model.Edit, reason model.Reason) (action model.Action, any bool) {
	if len(list) == 0 || owner.UID == "" || owner.Kind == "" {
		return model.Action{}, false
	}
	return model.Action{
		Kind: model.RecordIntent, Reason: reason,
		Write: model.Write{
			Object: model.ObjectRef{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: owner.Namespace, Name: owner.Name, UID: owner.UID},
			Patch:  &model.Patch{Annotations: list, NoAnnotations: len(owner.Annotations) == 0},
		},
	}, true
}

// PodPremise is the fact that an action rests on for that reason: the Pod of the revision is what it was taken for.
func PodPremise(pod *corev1.Pod, revision string, reason model.Reason) model.Premise {
	kind := model.PremisePodPrepared
	switch reason {
	case model.HandoffServing:
		kind = model.PremisePodAvailable
	case model.CapacityFallback:
		kind = model.PremisePodUnschedulable
	}
	return model.Premise{Kind: kind, Name: pod.Name, UID: pod.UID, Want: revision}
}

// SeatPremise is the premise of a move that takes a seat; none for one that does not.
func SeatPremise(seat budget.Seat) []model.Premise {
	if seat == budget.NoSeat {
		return nil
	}
	return []model.Premise{{Kind: model.PremiseSeatLeft}}
}
