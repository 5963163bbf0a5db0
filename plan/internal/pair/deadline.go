package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

func (v *view) deadline() time.Duration {
	return time.Duration(*v.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}

// limit is how long anything is awaited.
func (v *view) limit() step.Deadline { return step.Deadline{Now: v.now, Limit: v.deadline()} }

// expiring adds the deadline to a proposal that waits for the destination's Pod, and the restarts that condemn it. A target fails
// on a Ready node alone: by a Pod of the exact revision, or where none has come at all. On the way back nothing is condemned: the node is
// set aside.
func (v *view) expiring(f *facts, pr proposal, began time.Time) proposal {
	pr.mayProve = true
	if !v.judged(f) || began.IsZero() {
		return pr
	}
	if !v.direction.back && v.restartedTooOften(f) {
		return v.failed(pr, began)
	}
	since := step.Later(began, v.direction.targetSince)
	passed, at := v.limit().Passed(since)
	switch {
	case !passed:
		pr.wake, pr.since = step.Sooner(pr.wake, at), since
	case pr.reason == model.TargetCreating && v.servedBefore(f):
		note := act(pr.stage, model.WriteNoted, moveNote)
		note.mayProve = true
		return note
	case v.direction.back:
		return v.setAside(pr, model.SourceNotStarting, step.NotStartingText(f.to.Live, v.limit().Lasted(began)), began)
	default:
		return v.failed(pr, began)
	}
	return pr
}

// servedBefore tells whether the target may have served the node since it was handed over, so that a Pod that is missing now is not one that
// was never made: it was handed over while it was available, and the target is proven. The wait for the next Pod is noted once, as a free mark.
func (v *view) servedBefore(f *facts) bool {
	return (v.direction.proven || v.direction.back) && f.moved.Paid && f.label.Kind != model.Unlabelled && f.to.Ended == nil
}

// judged tells whether the destination is to blame for what the node shows: a Pod of the exact revision is there, or none is although
// its controller has seen the revision.
func (v *view) judged(f *facts) bool {
	return f.exact || f.to.Live == nil && v.pair.slot(v.direction.to).observed()
}

// restartedTooOften counts the restarts of a Pod that was made for this target; one that is left from an earlier try is judged by the
// deadline alone.
func (v *view) restartedTooOften(f *facts) bool {
	pod := f.to.Live
	return pod != nil && !pod.CreationTimestamp.Time.Before(v.direction.targetSince.Truncate(time.Second)) && model.Restarts(pod) > *v.rollout.Spec.Failure.MaxRestarts
}

// failed says that the target has failed on the node. What it would do next it does all the same.
func (v *view) failed(pr proposal, began time.Time) proposal {
	pr.failed, pr.mayProve, pr.offWindow, pr.since = true, false, pr.offWindow || pr.reason == model.TargetCreating, began
	if pr.reason == model.TargetCreating && pr.detail == "" {
		pr.detail = step.NotMadeText(v.pair.slot(v.direction.to).set.Name, v.limit().Lasted(began))
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

// awaitGone waits for Pods that are to leave the node. One that the label turns away and that its controller leaves in place is deleted
// in the end; one that has been ending for longer than the deadline sets the node aside.
func (v *view) awaitGone(f *facts, stage model.Stage, reason model.Reason, set *step.Podset) proposal {
	pr := wait(stage, reason, "")
	if pod := set.Live; pod != nil {
		turnedAway := f.moved.At
		if turnedAway.IsZero() {
			turnedAway = pod.CreationTimestamp.Time
		}
		passed, at := v.limit().Passed(turnedAway)
		if passed {
			return act(stage, model.TurnedAwayDeleted, moveDeletePod).on(pod)
		}
		pr.wake = at
		return pr
	}
	since := set.EndsSince()
	passed, at := v.limit().Passed(since)
	if passed {
		return v.setAside(pr, model.DeletionHangs, step.HangsText(set.Dying[0], v.limit().Lasted(since)), since)
	}
	pr.wake, pr.since = at, since
	return pr
}

// prepareBegan is when the destination began to prepare on the node: the overlap's begin while it has
// never been seen prepared there, else the present Pod's making.
func (v *view) prepareBegan(f *facts) time.Time {
	if v.candidate(f) == "" && !f.moved.At.IsZero() {
		return f.moved.At
	}
	return f.to.Live.CreationTimestamp.Time
}

// creationBegan is since when a Pod of the destination is awaited where there is none: since the label, or the Node came back; on a
// node without a label since its Node was made, or the slot's present spec was written.
func (v *view) creationBegan(f *facts) time.Time {
	began := f.moved.At
	if began.IsZero() {
		began = f.node.CreationTimestamp.Time
		if set := v.pair.slot(v.direction.to).set; set != nil {
			written, _ := step.WrittenAt(&v.keys, set)
			began = step.Later(began, step.Later(written, set.CreationTimestamp.Time))
		}
	}
	return step.Later(began, step.NodeReadySince(f.node))
}

// startBegan is when the destination could begin to serve: after the handoff, and not before the source fell or the Node came
// back. As long as the target is proven nowhere a Pod that is made anew changes nothing of that, nor where one has ended already: a Pod that
// is evicted again and again is one wait. On a node that it may have served it begins with the present Pod.
func (v *view) startBegan(f *facts) time.Time {
	began := f.moved.At
	if (v.direction.proven || v.direction.back || began.IsZero()) && f.to.Ended == nil {
		began = v.waitBegan(f)
	}
	if f.place.overlaps() {
		began = step.Later(began, f.sourceFell())
	}
	return v.canaryFell(f, step.Later(began, step.NodeReadySince(f.node)))
}
