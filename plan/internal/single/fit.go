package single

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// proposeUnbound applies the capacity rule to a Pending replacement.
func (v *view) proposeUnbound(f *facts) proposal {
	answer := capacity.Fallback(step.Question(v.cluster, f.index, f.fresh.Live, v.rollout, func(pod *corev1.Pod) bool {
		return model.ControllerUID(pod) == v.live.uid() && !v.isFresh(pod)
	}))
	verdict, reason := step.Unplaced(answer.Verdict)
	pr := proposal{stage: model.StageOverlap, verdict: verdict, reason: reason, detail: answer.Detail, needsPods: reason == model.OtherPodsUnknown}
	pr.mayProve = reason == model.CapacityFallback || reason == model.TargetScheduling
	if verdict == model.Acts {
		pr.pod, pr.seat, pr.successor = f.old.Live, seatOf(f), f.fresh.Live
	}
	return pr
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
