package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// expiring adds the deadline to a proposal that waits for the destination's Pod, and the restarts that
// condemn it. A target fails only by a Pod of the exact revision, on a Ready node; a Pod that was never made
// is the controller's matter.
func (p *planner) expiring(f *facts, pr proposal, began time.Time) proposal {
	pr.hopeful = true
	if p.journey.home || !p.judged(f) || began.IsZero() {
		return pr
	}
	deadline := began.Add(p.deadline())
	restarts := int32(0)
	if f.to.live != nil {
		restarts = model.Restarts(f.to.live)
	}
	switch {
	case restarts > *p.rollout.Spec.Failure.MaxRestarts:
	case !p.now.Before(deadline):
	default:
		p.clock.Wake(deadline)
		return pr
	}
	pr.failed, pr.hopeful = true, false
	if pr.verdict == model.Waits {
		pr.verdict, pr.reason = model.Blocks, model.TargetFailed
	}
	return pr
}

// judged tells whether a Pod of the exact revision is there to be judged, or was there last and ended.
func (p *planner) judged(f *facts) bool {
	return f.exact || f.to.live == nil && f.to.ended != nil && p.isExact(f.to.ended)
}

func (p *planner) deadline() time.Duration {
	return time.Duration(*p.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}

// prepareBegan is when the destination began to prepare on the node: the overlap's begin while it has
// never been seen prepared there, else the present Pod's making.
func (p *planner) prepareBegan(f *facts) time.Time {
	if p.candidate(f) == "" && !f.moved.At.IsZero() {
		return f.moved.At
	}
	return f.to.live.CreationTimestamp.Time
}

// startBegan is when the destination could begin to serve: after the handoff, after it was made, and not
// before the source fell or the Node came back.
func (p *planner) startBegan(f *facts) time.Time {
	began := p.waitBegan(f)
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
	return p.canaryFell(f, began)
}
