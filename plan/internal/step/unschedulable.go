package step

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// Question asks whether the Pod, which waits for the i-th node, fits there once those Pods have gone that leave for it.
func Question(cluster *model.Cluster, i int, pod *corev1.Pod, rollout *model.Rollout, leaves func(*corev1.Pod) bool) capacity.Question {
	node := cluster.Node(i)
	q := capacity.Question{Pod: pod, Node: node, OthersListed: rollout.Status.OtherPods.Listed(node.Name), CountPodSlots: rollout.Spec.Capacity.CountPodSlots}
	for _, other := range cluster.Pods(i) {
		if other.UID == pod.UID {
			continue
		}
		q.Others = append(q.Others, other)
		if leaves(other) {
			q.Leaving = append(q.Leaving, other.UID)
		}
	}
	return q
}

// Unplaced says what an answer means to the node of a Pending Pod: what it waits for, or what blocks it. The reason is CapacityFallback where
// the Pod fits once its source has gone.
func Unplaced(verdict capacity.Verdict) (model.Verdict, model.Reason) {
	switch verdict {
	case capacity.FitsOnceSourceGone:
		return model.Acts, model.CapacityFallback
	case capacity.NeverFits:
		return model.Blocks, model.NeverFits
	case capacity.StillShort:
		return model.Blocks, model.StillShort
	case capacity.NeedPods:
		return model.Waits, model.OtherPodsUnknown
	case capacity.NotPending, capacity.NotJudged, capacity.FitsNow:
		return model.Waits, model.TargetScheduling
	case capacity.OtherConstraint, capacity.UnknownMessage, capacity.NotUnschedulable, capacity.WrongNode:
	}
	return model.Blocks, model.CannotSchedule
}
