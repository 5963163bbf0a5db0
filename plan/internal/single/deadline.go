package single

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// expiring adds the deadline to a proposal that waits for the target's Pod, and the restarts that condemn it. A target fails on a Ready
// node that is not short of anything: by a Pod of its revision, or where none has come at all since the rollout took the former one. Without a
// target nothing is condemned: the node is set aside.
func (v *view) expiring(f *facts, pr proposal) proposal {
	pr.mayProve = true
	began := v.began(f)
	if began.IsZero() || model.Pressure(f.node) != "" {
		return pr
	}
	if v.live.hasTarget() && v.restartedTooOften(f) {
		return v.failed(pr, began)
	}
	if f.fresh.ready {
		return pr // settling has no deadline of its own, and restarts condemn as ever
	}
	passed, at := v.limit().Passed(began)
	switch {
	case passed && v.unnoted(f):
		return pr // it is noted first
	case !passed:
		pr.wake = step.Sooner(pr.wake, at)
	case v.live.hasTarget():
		return v.failed(pr, began)
	default:
		return v.setAside(pr, model.SourceNotStarting, step.NotStartingText(f.fresh.Live, v.limit().Lasted(began)), began)
	}
	return pr
}

// restartedTooOften counts the restarts of a Pod that was made for this target.
func (v *view) restartedTooOften(f *facts) bool {
	pod := f.fresh.Live
	return pod != nil && !pod.CreationTimestamp.Before(v.live.state.TargetSince) && model.Restarts(pod) > *v.rollout.Spec.Failure.MaxRestarts
}

// failed says that the target has failed on the node.
func (v *view) failed(pr proposal, began time.Time) proposal {
	pr.failed, pr.mayProve, pr.since = true, false, began
	if pr.reason == model.TargetCreating && pr.detail == "" {
		pr.detail = step.NotMadeText(v.name, v.limit().Lasted(began))
	}
	if pr.verdict == model.Waits {
		pr.verdict, pr.reason = model.Blocks, model.TargetFailed
	}
	return pr
}

// setAside says that the node cannot get on, and that the target is not to blame for it.
func (v *view) setAside(pr proposal, reason model.Reason, detail string, since time.Time) proposal {
	pr.verdict, pr.reason, pr.detail, pr.since = model.Blocks, reason, detail, since
	pr.aside, pr.mayProve, pr.wake = true, false, time.Time{}
	return pr
}

// forgive sets a node aside where the target had failed before a person decided to go on without it.
func (v *view) forgive(f *facts, pr proposal) proposal {
	forgiven := v.live.state.Forgiven
	if pr.failed && forgiven != nil && forgiven.Revision == v.live.revision && !pr.since.After(forgiven.Since.Add(-v.deadline())) {
		pr.failed, pr.aside, pr.forgiven = false, true, true
	}
	return pr
}

// awaitGone waits for Pods that end. When that has lasted longer than the deadline the node is set aside.
func (v *view) awaitGone(stage model.Stage, reason model.Reason, set *step.Podset) proposal {
	pr := wait(stage, reason, "")
	since := set.EndsSince()
	passed, at := v.limit().Passed(since)
	if pr.wake = at; passed {
		return v.setAside(pr, model.DeletionHangs, step.HangsText(set.Dying[0], v.limit().Lasted(since)), since)
	}
	return pr
}

// awaitNative waits for the native controller to delete the old Pod beside which the new one is available. One that rests although its work
// is not done is woken (wakeController), and until then the node waits.
func (v *view) awaitNative(f *facts) proposal {
	pr := proving(wait(model.StageOverlap, model.SourceExiting, ""))
	passed, at := v.limit().Passed(v.nativeAwaitedSince(f))
	pr.wake, pr.rests = at, passed
	return pr
}

// nativeAwaitedSince is since when the controller is awaited: since the new Pod became available, or the controller was woken last.
func (v *view) nativeAwaitedSince(f *facts) time.Time {
	_, ready := model.ReadySince(f.fresh.Live)
	nudged, _ := time.Parse(time.RFC3339, v.live.set.Annotations[v.keys.Nudged])
	return step.Later(ready.Add(v.settle), nudged)
}

// began is when the target could begin to serve on the node: since its former Pod was taken and its Node came back. As long as the target
// is proven nowhere a Pod that is made anew changes nothing of that, nor where one has ended already. A node that the rollout has not emptied
// counts from its Pod's making; where there is none, the instant is not known.
func (v *view) began(f *facts) (began time.Time) {
	pod := f.fresh.Live
	if pod == nil {
		pod = f.fresh.Ended
	}
	switch {
	case !f.moved.At.IsZero() && (pod == nil || !v.live.proven() || f.fresh.Ended != nil):
		began = f.moved.At
	case pod == nil && f.joining:
		began = f.node.CreationTimestamp.Time
	case pod == nil:
		return time.Time{}
	default:
		began = pod.CreationTimestamp.Time
	}
	if at := v.live.state.HandedOver; at != nil && f.toTarget() {
		began = step.Later(began, at.Time) // of a rollout that an older release of this library began
	}
	if v.live.hasTarget() {
		began = step.Later(began, v.live.state.TargetSince.Time)
	}
	return step.Later(began, step.NodeReadySince(f.node))
}
