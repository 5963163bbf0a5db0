package step

import (
	"slices"

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

// Promised says why a Pod that is not bound gets the i-th node without its source going: the scheduler has nominated it, or a Pod that ends gives it room;
// "" if nothing promises that.
func Promised(cluster *model.Cluster, i int, pod *corev1.Pod) string {
	node := cluster.Node(i)
	if pod.Status.NominatedNodeName == node.Name {
		return "the scheduler has nominated the node for Pod " + pod.Name + ", and makes room"
	}
	others := slices.DeleteFunc(slices.Clone(cluster.Pods(i)), func(other *corev1.Pod) bool { return other.UID == pod.UID })
	if first := capacity.Yielding(pod, node, others); first != nil {
		return "Pod " + first.Namespace + "/" + first.Name + " ends, and gives it room"
	}
	return ""
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
