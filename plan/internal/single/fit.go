package single

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// proposeUnbound applies the capacity rule to a Pending replacement.
func (v *view) proposeUnbound(f *facts) proposal {
	const stage = model.StageOverlap
	answer := capacity.Fallback(v.question(f))
	switch answer.Verdict {
	case capacity.FitsOnceSourceGone:
		pr := proving(remove(stage, model.CapacityFallback, f.old.Live, seatOf(f)).toward(f.fresh.Live))
		pr.detail = answer.Detail
		return pr
	case capacity.NeverFits:
		return block(stage, model.NeverFits, answer.Detail)
	case capacity.StillShort:
		return block(stage, model.StillShort, answer.Detail)
	case capacity.OtherConstraint, capacity.UnknownMessage, capacity.NotUnschedulable, capacity.WrongNode:
		return block(stage, model.CannotSchedule, answer.Detail)
	case capacity.NeedPods:
		pr := wait(stage, model.OtherPodsUnknown, answer.Detail)
		pr.needsPods = true
		return pr
	case capacity.NotPending, capacity.NotJudged, capacity.FitsNow:
		return proving(wait(stage, model.TargetScheduling, answer.Detail))
	}
	return block(stage, model.CannotSchedule, answer.Detail)
}

func (v *view) question(f *facts) capacity.Question {
	q := capacity.Question{
		Pod: f.fresh.Live, Node: f.node,
		OthersListed:  v.rollout.Status.OtherPods.Listed(f.node.Name),
		CountPodSlots: v.rollout.Spec.Capacity.CountPodSlots,
	}
	for _, pod := range v.cluster.Pods(f.index) {
		if pod.UID == f.fresh.Live.UID {
			continue
		}
		q.Others = append(q.Others, pod)
		if model.ControllerUID(pod) == v.live.uid() && !v.isFresh(pod) {
			q.Leaving = append(q.Leaving, pod.UID)
		}
	}
	return q
}

// refine judges, before an old Pod is deleted, whether the next one would find room in its place. It is asked only for nodes
// that may move now. Where the node's other Pods are not listed, one that asks for no more than the old Pod fits in its place.
func (v *view) refine(f *facts, pr proposal) proposal {
	if pr.reason != model.StaleRevision || v.live.returning() {
		return pr
	}
	next := podOf(v.live.set)
	next.Spec.Tolerations = append(next.Spec.Tolerations[:len(next.Spec.Tolerations):len(next.Spec.Tolerations)], capacity.AddedTolerations(next.Spec.HostNetwork)...)
	var others []*corev1.Pod
	for _, pod := range v.cluster.Pods(f.index) {
		if model.ControllerUID(pod) != v.live.uid() {
			others = append(others, pod)
		}
	}
	for _, short := range capacity.Fit(next, f.node, others) {
		switch {
		case short.Kind == capacity.ShortTaint || short.Kind == capacity.ShortAffinity:
			continue // the controller has judged the node
		case short.Kind == capacity.ShortPort:
			return block(pr.stage, model.CannotSchedule, short.String())
		case short.AboveAllocatable:
			return block(pr.stage, model.NeverFits, short.String())
		}
		return block(pr.stage, model.StillShort, short.String())
	}
	if !v.rollout.Status.OtherPods.Listed(f.node.Name) && capacity.AsksForMore(next, f.old.Live) {
		pr = wait(pr.stage, model.OtherPodsUnknown, "the next Pod asks for more than the present one")
		pr.needsPods = true
	}
	return pr
}
