package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// proposeFence rewrites an overlapping node that this executor has not marked yet, so that a late handoff of a dead one
// fails on the node's resourceVersion.
func (v *view) proposeFence(f *facts) proposal {
	fence := act(model.StageOverlap, model.NodeFenced, moveCandidate)
	if f.serves() || v.prepared(f) {
		fence.pod = f.to.Live
	}
	fence.mayProve = true
	fence.offWindow = !f.ready
	return fence
}

func (v *view) proposeOverlapping(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.Live
	switch {
	case f.serves():
		return v.handoff(f, model.HandoffServing)
	case !f.ready:
		return proposeDead(f, stage)
	case pod == nil && f.to.Terminating > 0:
		return v.awaitGone(f, stage, model.TargetExiting, &f.to)
	case pod == nil:
		return v.proposeEnded(f)
	case !f.exact:
		return v.proposeStale(f)
	}
	if why := v.mustNotOverlap(f); why != "" {
		back := act(stage, model.LocksDoNotExclude, moveTakeBack)
		back.detail = why
		return back
	}
	if !model.Bound(pod) {
		return v.proposeUnbound(f)
	}
	if v.prepared(f) {
		return v.proposePrepared(f)
	}
	return v.proposeUnprepared(f)
}

// proposeEnded judges an overlapping node without a Pod of the destination. One whose last Pod was evicted, or refused by
// the kubelet, gives its place in the window back: the DaemonSet controller backs off, and others can go on meanwhile.
func (v *view) proposeEnded(f *facts) proposal {
	pr := v.expiring(f, wait(model.StageOverlap, model.TargetCreating, f.to.Ending()), v.creationBegan(f))
	pr.offWindow = pr.offWindow || f.to.Ended != nil
	pr.suspect = pr.offWindow
	pr.mayProve = pr.mayProve && !pr.offWindow
	return pr
}

// proposeStale judges an overlapping node whose destination Pod has another revision. Mostly it only waits behind the
// locks; where it serves, the other slot's Pod must be ready to take over, and it costs a seat.
func (v *view) proposeStale(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.Live
	switch {
	case !f.toAvailable || f.fromAvailable:
		return act(stage, model.StaleRevision, moveDeletePod).on(pod)
	case v.direction.back:
		return act(stage, model.TakeBack, moveTakeBack)
	case f.from.Live != nil && (model.AllRunning(f.from.Live) || refused(f.from.Live)):
		// The other slot's Pod takes over, or gets the room that this one takes.
		return act(stage, model.StaleRevision, moveReplace).on(pod).seated(f)
	}
	return v.awaitSource(f)
}

// awaitSource waits for the other slot's Pod on an overlapping node, which is to take over from a stale one.
func (v *view) awaitSource(f *facts) proposal {
	pr := wait(model.StageOverlap, model.SourceStarting, "")
	since := f.moved.At
	if f.from.Live != nil {
		since = step.Later(since, f.from.Live.CreationTimestamp.Time)
	}
	passed, at := v.limit().Passed(since)
	if pr.wake = at; passed {
		return v.setAside(pr, model.SourceNotStarting, "the other slot's Pod has not been ready to take over for "+v.limit().Lasted(since), since)
	}
	return pr
}

// refused tells whether the scheduler finds no place for the Pod.
func refused(pod *corev1.Pod) bool {
	_, unschedulable := model.Unschedulable(pod)
	return unschedulable && !model.Bound(pod)
}

// proposePrepared judges an overlapping node whose exact Pod runs and has not restarted.
func (v *view) proposePrepared(f *facts) proposal {
	const stage = model.StageOverlap
	started := model.StartedContainers(f.to.Live)
	if ready, _ := model.ReadySince(f.to.Live); ready {
		settling := wait(stage, model.TargetSettling, "")
		settling.mayProve = true
		return settling
	}
	if started > 0 && !f.fromAvailable && !f.sourceBroken() && !v.direction.back {
		// The source lost locks to a Pod that nobody has proven: give them back. Once is enough: if the source
		// does not recover, the next Pod is younger than its fall.
		return act(stage, model.LocksSplit, moveDeletePod).on(f.to.Live)
	}
	if v.candidate(f) != f.to.Live.UID {
		candidate := act(stage, model.CandidatePrepared, moveCandidate).on(f.to.Live)
		candidate.mayProve = true
		return candidate
	}
	if started > 0 && started == len(f.to.Live.Spec.Containers) {
		return v.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(f.to.Live)), v.startBegan(f))
	}
	return v.handoff(f, model.HandoffPrepared)
}

// proposeUnprepared judges an overlapping node whose bound, exact Pod is not prepared.
func (v *view) proposeUnprepared(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.Live
	restarted := model.RestartedSince(pod, v.waitBegan(f))
	switch {
	case !restarted:
	case v.direction.back && !f.fromAvailable:
		// Nothing serves, and the authoritative slot's Pod may wait for locks that the other one holds.
		return v.handoff(f, model.TakeBack)
	case f.fromAvailable, !v.direction.back && (!f.sourceBroken() || f.sourceHolds()):
		return v.expiring(f, act(stage, model.WaitingRestarted, moveDeletePod).on(pod), v.prepareBegan(f))
	}
	reason := model.TargetPreparing
	if restarted {
		reason = model.TargetRestarting
	}
	detail := model.WaitingReason(pod)
	pr := v.expiring(f, wait(stage, reason, detail), v.prepareBegan(f))
	pr.offWindow = pullFails(detail)
	pr.suspect = pr.offWindow
	return pr
}

// pullFails tells whether the kubelet's waiting reason speaks of the image.
func pullFails(reason string) bool {
	switch reason {
	case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError", "RegistryUnavailable":
		return true
	}
	return false
}

// proposeUnbound applies the capacity rule to a Pending Pod. One that is blocked gives its place in the window back; only where the
// arithmetic says why may the target not be to blame.
func (v *view) proposeUnbound(f *facts) proposal {
	if text := step.Promised(v.cluster, f.index, f.to.Live); text != "" {
		return v.expiring(f, wait(model.StageOverlap, model.TargetScheduling, text), v.prepareBegan(f))
	}
	from := v.pair.slot(v.direction.from).uid()
	answer := capacity.Fallback(step.Question(v.cluster, f.index, f.to.Live, v.rollout, func(pod *corev1.Pod) bool {
		return from != "" && model.ControllerUID(pod) == from
	}))
	verdict, reason := step.Unplaced(answer.Verdict)
	pr := proposal{stage: model.StageOverlap, verdict: verdict, reason: reason, detail: answer.Detail, needsPods: reason == model.OtherPodsUnknown}
	pr.mayProve = reason == model.CapacityFallback || reason == model.TargetScheduling
	pr.offWindow, pr.suspect = verdict == model.Blocks, reason == model.CannotSchedule
	switch {
	case verdict == model.Acts:
		pr.kind = moveHandoff
		return pr.seated(f)
	case step.NoRoom(reason):
		return v.setAside(pr, reason, answer.Detail, f.moved.At)
	case reason == model.CannotSchedule:
		return v.expiring(f, pr, v.prepareBegan(f))
	}
	return pr
}

// handoff proposes the write that makes the source ineligible. Only where the exact destination serves
// already does it take no seat.
func (v *view) handoff(f *facts, reason model.Reason) proposal {
	pr := act(model.StageOverlap, reason, moveHandoff).seated(f)
	if f.serves() {
		pr.seat = budget.NoSeat
	}
	pr.mayProve = true
	return pr
}
