package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// proposeFence rewrites an overlapping node that this executor has not marked yet, so that a late handoff of a dead one
// fails on the node's resourceVersion.
func (p *planner) proposeFence(f *facts) proposal {
	fence := act(model.StageOverlap, model.NodeFenced, moveCandidate)
	if f.serves() || p.prepared(f) {
		fence.pod = f.to.live
	}
	fence.hopeful = true
	fence.outside = !f.ready
	return fence
}

func (p *planner) proposeBetween(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.live
	switch {
	case f.serves():
		return p.handoff(f, model.HandoffServing)
	case !f.ready:
		return proposeDead(f, stage)
	case pod == nil && f.to.terminating > 0:
		return wait(stage, model.TargetExiting, "")
	case pod == nil:
		return p.proposeEnded(f)
	case !f.exact:
		return p.proposeStale(f)
	}
	if why := p.mustNotOverlap(f); why != "" {
		back := act(stage, model.LocksDoNotExclude, moveTakeBack)
		back.detail = why
		return back
	}
	if !model.Bound(pod) {
		return p.proposeUnbound(f)
	}
	if p.prepared(f) {
		return p.proposePrepared(f)
	}
	return p.proposeUnprepared(f)
}

// proposeEnded judges an overlapping node without a Pod of the destination. One whose last Pod was evicted, or refused by
// the kubelet, gives its place in the window back: the DaemonSet controller backs off, and others can go on meanwhile.
func (p *planner) proposeEnded(f *facts) proposal {
	pr := p.expiring(f, wait(model.StageOverlap, model.TargetCreating, f.to.ending()), f.moved.At)
	pr.outside = f.to.ended != nil
	pr.suspect = pr.outside
	pr.hopeful = pr.hopeful && !pr.outside
	return pr
}

// proposeStale judges an overlapping node whose destination Pod has another revision. Mostly it only waits behind the
// locks; where it serves, the other slot's Pod must be ready to take over, and it costs a seat.
func (p *planner) proposeStale(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.live
	switch {
	case !f.toAvailable || f.fromAvailable:
		return act(stage, model.StaleRevision, moveDeletePod).on(pod)
	case p.journey.home:
		return act(stage, model.TakeBack, moveTakeBack)
	case f.from.live != nil && (model.AllRunning(f.from.live) || refused(f.from.live)):
		// The other slot's Pod takes over, or gets the room that this one takes.
		return act(stage, model.StaleRevision, moveReplace).on(pod).seated(f)
	}
	return wait(stage, model.SourceStarting, "")
}

// refused tells whether the scheduler finds no place for the Pod.
func refused(pod *corev1.Pod) bool {
	_, unschedulable := model.Unschedulable(pod)
	return unschedulable && !model.Bound(pod)
}

// proposePrepared judges an overlapping node whose exact Pod runs and has not restarted.
func (p *planner) proposePrepared(f *facts) proposal {
	const stage = model.StageOverlap
	started := model.StartedContainers(f.to.live)
	if ready, _ := model.ReadySince(f.to.live); ready {
		settling := wait(stage, model.TargetSettling, "")
		settling.hopeful = true
		return settling
	}
	if started > 0 && !f.fromAvailable && !f.sourceBroken() && !p.journey.home {
		// The source lost locks to a Pod that nobody has proven: give them back. Once is enough: if the source
		// does not recover, the next Pod is younger than its fall.
		return act(stage, model.LocksSplit, moveDeletePod).on(f.to.live)
	}
	if p.candidate(f) != f.to.live.UID {
		candidate := act(stage, model.CandidatePrepared, moveCandidate).on(f.to.live)
		candidate.hopeful = true
		return candidate
	}
	if started > 0 && started == len(f.to.live.Spec.Containers) {
		return p.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(f.to.live)), p.startBegan(f))
	}
	return p.handoff(f, model.HandoffPrepared)
}

// proposeUnprepared judges an overlapping node whose bound, exact Pod is not prepared.
func (p *planner) proposeUnprepared(f *facts) proposal {
	const stage = model.StageOverlap
	pod := f.to.live
	restarted := model.RestartedSince(pod, p.waitBegan(f))
	switch {
	case !restarted:
	case p.journey.home && !f.fromAvailable:
		// Nothing serves, and the authoritative slot's Pod may wait for locks that the other one holds.
		return p.handoff(f, model.TakeBack)
	case f.fromAvailable, !p.journey.home && (!f.sourceBroken() || f.sourceHolds()):
		return p.expiring(f, act(stage, model.WaitingRestarted, moveDeletePod).on(pod), p.prepareBegan(f))
	}
	reason := model.TargetPreparing
	if restarted {
		reason = model.TargetRestarting
	}
	detail := model.WaitingReason(pod)
	pr := p.expiring(f, wait(stage, reason, detail), p.prepareBegan(f))
	pr.outside = pullFails(detail)
	pr.suspect = pr.outside
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

// proposeUnbound applies the capacity rule to a Pending Pod.
func (p *planner) proposeUnbound(f *facts) proposal {
	const stage = model.StageOverlap
	answer := capacity.Fallback(p.question(f))
	outside := func(pr proposal, suspect bool) proposal { pr.outside, pr.suspect = true, suspect; return pr }
	switch answer.Verdict {
	case capacity.FitsOnceSourceGone:
		pr := act(stage, model.CapacityFallback, moveHandoff).seated(f)
		pr.detail, pr.hopeful = answer.Detail, true
		return pr
	case capacity.NeverFits:
		return outside(block(stage, model.NeverFits, answer.Detail), false)
	case capacity.StillShort:
		return outside(block(stage, model.StillShort, answer.Detail), false)
	case capacity.OtherConstraint, capacity.UnknownMessage, capacity.NotUnschedulable, capacity.WrongNode:
		return outside(block(stage, model.CannotSchedule, answer.Detail), true)
	case capacity.NeedPods:
		pr := wait(stage, model.OtherPodsUnknown, answer.Detail)
		pr.needsPods = true
		return pr
	case capacity.NotPending, capacity.NotJudged, capacity.FitsNow:
		pr := wait(stage, model.TargetScheduling, answer.Detail)
		pr.hopeful = true
		return pr
	}
	return block(stage, model.CannotSchedule, answer.Detail)
}

func (p *planner) question(f *facts) capacity.Question {
	q := capacity.Question{
		Pod: f.to.live, Node: f.node,
		OthersListed:  p.rollout.Status.OtherPods.Listed(f.node.Name),
		CountPodSlots: p.rollout.Spec.Capacity.CountPodSlots,
	}
	from := p.pair.slot(p.journey.from).uid()
	for _, pod := range p.cluster.Pods(f.index) {
		if pod.UID == f.to.live.UID {
			continue
		}
		q.Others = append(q.Others, pod)
		if from != "" && model.ControllerUID(pod) == from {
			q.Leaving = append(q.Leaving, pod.UID)
		}
	}
	return q
}

// handoff proposes the write that makes the source ineligible. Only where the exact destination serves
// already does it take no seat.
func (p *planner) handoff(f *facts, reason model.Reason) proposal {
	pr := act(model.StageOverlap, reason, moveHandoff).seated(f)
	if f.serves() {
		pr.seat = budget.NoSeat
	}
	pr.hopeful = true
	return pr
}
