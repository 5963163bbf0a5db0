package single

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// expiring adds the deadline to a proposal that waits for the target's Pod, and the restarts that condemn it. A target fails
// only by a Pod of its revision, on a Ready node that is not short of anything; a Pod that was never made is the controller's
// matter.
func (v *view) expiring(f *facts, pr proposal) proposal {
	pr.mayProve = true
	judged := f.fresh.Live
	if judged == nil {
		judged = f.fresh.Ended
	}
	if !v.live.hasTarget() || judged == nil || model.Pressure(f.node) != "" {
		return pr
	}
	deadline := v.began(f, judged).Add(v.deadline())
	switch {
	case f.fresh.Live != nil && model.Restarts(judged) > *v.rollout.Spec.Failure.MaxRestarts:
	case f.fresh.ready: // settling has no deadline of its own, and restarts condemn as ever
		return pr
	case !v.now.Before(deadline):
	default:
		pr.wake = step.Sooner(pr.wake, deadline)
		return pr
	}
	pr.failed, pr.mayProve = true, false
	if pr.verdict == model.Waits {
		pr.verdict, pr.reason = model.Blocks, model.TargetFailed
	}
	return pr
}

// began is when the target could begin to serve on the node: not before it was made and its Node came back, and, if it took
// over from a Pod that it had waited for, not before the last of those went.
func (v *view) began(f *facts, pod *corev1.Pod) time.Time {
	began := pod.CreationTimestamp.Time
	if at := v.live.state.HandedOver; at != nil && f.toTarget() && at.After(began) {
		began = at.Time
	}
	for i := range f.node.Status.Conditions {
		if c := &f.node.Status.Conditions[i]; c.Type == corev1.NodeReady && c.LastTransitionTime.After(began) {
			began = c.LastTransitionTime.Time
		}
	}
	return began
}
