package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// expiring adds the deadline to a proposal that waits for the destination's Pod, and the restarts that
// condemn it. A target fails only by a Pod of the exact revision, on a Ready node; a Pod that was never made
// is the controller's matter.
func (v *view) expiring(f *facts, pr proposal, began time.Time) proposal {
	pr.mayProve = true
	if v.direction.back || !v.judged(f) || began.IsZero() {
		return pr
	}
	deadline := began.Add(v.deadline())
	restarts := int32(0)
	if f.to.Live != nil {
		restarts = model.Restarts(f.to.Live)
	}
	switch {
	case restarts > *v.rollout.Spec.Failure.MaxRestarts:
	case !v.now.Before(deadline):
	default:
		pr.wake = deadline
		return pr
	}
	pr.failed, pr.mayProve = true, false
	if pr.verdict == model.Waits {
		pr.verdict, pr.reason = model.Blocks, model.TargetFailed
	}
	return pr
}

// judged tells whether a Pod of the exact revision is there to be judged, or was there last and ended.
func (v *view) judged(f *facts) bool {
	return f.exact || f.to.Live == nil && f.to.Ended != nil && v.isExact(f.to.Ended)
}

func (v *view) deadline() time.Duration {
	return time.Duration(*v.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}

// prepareBegan is when the destination began to prepare on the node: the overlap's begin while it has
// never been seen prepared there, else the present Pod's making.
func (v *view) prepareBegan(f *facts) time.Time {
	if v.candidate(f) == "" && !f.moved.At.IsZero() {
		return f.moved.At
	}
	return f.to.Live.CreationTimestamp.Time
}

// startBegan is when the destination could begin to serve: after the handoff, after it was made, and not
// before the source fell or the Node came back.
func (v *view) startBegan(f *facts) time.Time {
	began := v.waitBegan(f)
	if f.place.overlaps() {
		if fell := f.sourceFell(); fell.After(began) {
			began = fell
		}
	}
	for i := range f.node.Status.Conditions {
		if c := &f.node.Status.Conditions[i]; c.Type == corev1.NodeReady && c.LastTransitionTime.After(began) {
			began = c.LastTransitionTime.Time
		}
	}
	return v.canaryFell(f, began)
}
