package single

import (
	"cmp"
	"sync"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// proposeUnbound applies the capacity rule to a Pending replacement, for which the one old Pod beside it would go.
func (v *view) proposeUnbound(f *facts) proposal {
	if text := step.Promised(v.cluster, f.index, f.fresh.Live); text != "" {
		return v.expiring(f, wait(model.StageOverlap, model.TargetScheduling, text))
	}
	if f.old.count != 1 || f.fresh.count != 1 {
		return wait(model.StageOverlap, model.WaitingForPodsToEnd, manyText)
	}
	if pr, strays := v.proposeStray(f); strays {
		return pr
	}
	answer := capacity.Fallback(step.Question(v.cluster, f.index, f.fresh.Live, v.rollout, func(pod *corev1.Pod) bool {
		return model.ControllerUID(pod) == v.live.uid() && !v.isFresh(pod)
	}))
	verdict, reason := step.Unplaced(answer.Verdict)
	pr := proposal{stage: model.StageOverlap, verdict: verdict, reason: reason, detail: answer.Detail, needsPods: reason == model.OtherPodsUnknown}
	pr.mayProve = reason == model.CapacityFallback || reason == model.TargetScheduling
	switch {
	case verdict == model.Acts:
		pr.pod, pr.seat, pr.successor = f.old.Live, seatOf(f), f.fresh.Live
	case step.NoRoom(reason):
		return v.setAside(pr, reason, answer.Detail, f.fresh.Live.CreationTimestamp.Time)
	case reason == model.CannotSchedule:
		return v.expiring(f, pr)
	}
	return pr
}

// refine judges, before an old Pod is deleted, whether the next one would find room in its place. It is asked only for nodes
// that may move now.
func (v *view) refine(f *facts, pr proposal) proposal {
	if pr.reason != model.StaleRevision {
		return pr
	}
	return v.roomy(f, pr, v.measured())
}

// readMeasured reads, once and when first asked for, what the next Pod asks for by what the live ones of its revision do. Judgments are kept, and go by the template.
func (v *view) readMeasured() func() *appsv1.DaemonSet {
	return sync.OnceValue(func() *appsv1.DaemonSet {
		return capacity.Measured(v.live.set, v.cluster, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == v.live.uid() && v.isFresh(pod) })
	})
}

// roomy keeps a node from being emptied for a Pod of the DaemonSet that cannot stand there. A way back is never barred.
func (v *view) roomy(f *facts, pr proposal, set *appsv1.DaemonSet) proposal {
	if v.live.returning() {
		return pr
	}
	room := step.RoomFor(set, v.cluster, f.index, v.rollout, f.old.Live, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == v.live.uid() })
	stands := proposal{stage: pr.stage, verdict: room.Verdict, reason: room.Reason, detail: room.Detail, needsPods: room.NeedsPods}
	switch {
	case room.Reason == "":
		pr.detail = cmp.Or(room.Detail, pr.detail)
		return pr
	case step.NoRoom(room.Reason):
		return v.setAside(stands, room.Reason, room.Detail, time.Time{})
	}
	return stands
}

// formerOf is the template that the deployed one has replaced; nil if none is kept.
func formerOf(r *deployed) *corev1.PodTemplateSpec {
	if r.source == nil {
		return nil
	}
	return &r.source.Template
}
