package pair

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// moveKind is what a node's proposal would do.
type moveKind uint8

const (
	stay moveKind = iota
	// Free repairs: they take no seat and come first.
	moveDeletePod
	moveCandidate
	moveTakeBack
	moveTurn
	moveRepair
	moveAdmit
	moveDead
	moveClear
	// Moves that the limits admit one by one.
	moveReplace
	moveHandoff
	moveRelease
	moveOverlap
)

// proposal is what one node would do next, and what to say of it meanwhile.
type proposal struct {
	move   moveKind
	stage  model.Stage
	reason model.Reason
	// waits is the verdict while nothing moves: a wait or a block.
	verdict model.Verdict
	seat    budget.Seat
	detail  string
	// pod is the one to delete, or the candidate to record.
	pod *corev1.Pod
	// outside says that the overlapping node holds no place in the window.
	outside bool
	// failed says that the target has failed here, and why.
	failed bool
	// hopeful says that the target may still prove itself here, without another admission.
	hopeful bool
	// needsPods says that capacity cannot be judged before the node's other Pods are listed.
	needsPods bool
}

func wait(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Waits, detail: detail}
}

func block(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Blocks, detail: detail}
}

func act(stage model.Stage, reason model.Reason, move moveKind) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Acts, move: move}
}

func (pr proposal) on(pod *corev1.Pod) proposal { pr.pod = pod; return pr }

// seated sets what the move takes of the budget.
func (pr proposal) seated(f *facts) proposal {
	pr.seat = budget.FreeSeat
	if f.available {
		pr.seat = budget.PaidSeat
	}
	return pr
}

// propose is the table of the journey: a total function of a node's facts. Rules first that hold
// wherever the node stands, then one function a place.
func (p *planner) propose(f *facts) proposal {
	if f.eligible != capacity.Eligible {
		return p.proposeLeaving(f)
	}
	if pod := f.strandedPod(); pod != nil {
		return act(stageOf(f), model.UnboundTurnedAway, moveDeletePod).on(pod)
	}
	if f.place.overlaps() && !p.fenced(f) {
		return p.proposeFence(f)
	}
	switch f.place {
	case atFrom:
		return p.proposeAtFrom(f)
	case between:
		return p.proposeBetween(f)
	case contrary:
		return p.proposeContrary(f)
	case released:
		return p.proposeReleased(f)
	case atTo:
		return p.proposeAtTo(f)
	case unowned:
		return p.proposeUnowned(f)
	case astray:
		return p.proposeAstray(f)
	}
	return block(model.StageForeign, model.LabelRepaired, "")
}

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

func stageOf(f *facts) model.Stage {
	switch f.place {
	case atFrom, unowned:
		return model.StageSource
	case between, contrary:
		return model.StageOverlap
	case released:
		return model.StageReleased
	case atTo:
		return model.StageTarget
	case astray:
		return model.StageForeign
	}
	return model.StageForeign
}

// strandedPod returns an unbound Pod of a slot that the label does not admit. The DaemonSet controller leaves it in
// place, and the scheduler could bind it later to a node that it no longer belongs to.
func (f *facts) strandedPod() *corev1.Pod {
	if f.from.unbound != nil && !f.place.admitsFrom() {
		return f.from.unbound
	}
	if f.to.unbound != nil && !f.place.admitsTo() {
		return f.to.unbound
	}
	return nil
}

// proposeLeaving judges a node that is not eligible. It keeps label and annotations while a Pod is bound there:
// clearing first would kill a Pod that Kubernetes keeps.
func (p *planner) proposeLeaving(f *facts) proposal {
	for _, pod := range [...]*corev1.Pod{f.from.unbound, f.to.unbound} {
		if pod != nil {
			return act(model.StageLeaving, model.UnboundTurnedAway, moveDeletePod).on(pod)
		}
	}
	if !f.from.gone() || !f.to.gone() {
		return wait(model.StageLeaving, model.NodeLeaving, "")
	}
	return act(model.StageLeaving, model.NodeLeft, moveClear)
}

func (p *planner) proposeAtFrom(f *facts) proposal {
	const stage = model.StageSource
	switch {
	case !f.ready:
		return proposeDead(f, stage)
	case !f.to.gone():
		// Turned away already: bound Pods of the destination are the controller's to delete.
		return wait(stage, model.TargetExiting, "")
	}
	if p.rollout.Spec.Strategy.Overlap == model.Never {
		return act(stage, model.ReleaseSource, moveRelease).seated(f)
	}
	return act(stage, model.BeginOverlap, moveOverlap)
}

// proposeDead leaves a node alone whose Node is not Ready, until all others are done. Its label then moves at no cost,
// unless its Pod is still shown as available.
func proposeDead(f *facts, stage model.Stage) proposal {
	dead := act(stage, model.DeadNodeMoved, moveDead)
	dead.outside = true
	if f.available {
		dead.seat = budget.PaidSeat
	}
	return dead
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
		return wait(stage, model.TargetCreating, "")
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
	case f.from.live != nil && model.AllRunning(f.from.live):
		return act(stage, model.StaleRevision, moveReplace).on(pod).seated(f)
	}
	return wait(stage, model.SourceStarting, "")
}

// proposePrepared judges an overlapping node whose exact Pod runs and has not restarted.
func (p *planner) proposePrepared(f *facts) proposal {
	const stage = model.StageOverlap
	started := model.StartedContainers(f.to.live)
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
	outside := func(pr proposal) proposal { pr.outside = true; return pr }
	switch answer.Verdict {
	case capacity.FitsOnceSourceGone:
		pr := act(stage, model.CapacityFallback, moveHandoff).seated(f)
		pr.detail, pr.hopeful = answer.Detail, true
		return pr
	case capacity.NeverFits:
		return outside(block(stage, model.NeverFits, answer.Detail))
	case capacity.StillShort:
		return outside(block(stage, model.StillShort, answer.Detail))
	case capacity.OtherConstraint, capacity.UnknownMessage, capacity.NotUnschedulable, capacity.WrongNode:
		return outside(block(stage, model.CannotSchedule, answer.Detail))
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

// proposeContrary judges an overlap in the opposite direction. A node whose destination serves goes home at once:
// nothing is lost. Any other one turns round, so that its label says where it goes.
func (p *planner) proposeContrary(f *facts) proposal {
	if f.toAvailable && (f.exact || p.journey.home) {
		return act(model.StageOverlap, model.TakeBack, moveTakeBack)
	}
	return act(model.StageOverlap, model.TurnBack, moveTurn)
}

// proposeReleased waits for the source's Pods to be gone, then admits the destination.
func (p *planner) proposeReleased(f *facts) proposal {
	if !f.from.gone() {
		return wait(model.StageReleased, model.SourceExiting, "")
	}
	pr := act(model.StageReleased, model.AdmitTarget, moveAdmit)
	pr.hopeful = true
	return pr
}

func (p *planner) proposeAtTo(f *facts) proposal {
	const stage = model.StageTarget
	pod := f.to.live
	switch {
	case f.serves() && f.from.gone():
		return p.done()
	case f.serves():
		return wait(stage, model.SourceExiting, "")
	case !f.ready:
		pr := wait(stage, model.NodeNotReady, "")
		return pr
	case pod == nil && f.to.terminating > 0:
		return wait(stage, model.TargetExiting, "")
	case pod == nil:
		return p.expiring(f, wait(stage, model.TargetCreating, ""), f.moved.At)
	case !f.exact:
		pr := act(stage, model.StaleRevision, moveDeletePod).on(pod)
		if p.journey.home {
			pr.move = moveReplace
			pr = pr.seated(f)
		}
		return pr
	}
	if ready, _ := model.ReadySince(pod); ready {
		pr := wait(stage, model.TargetSettling, "")
		pr.hopeful = true
		return pr
	}
	if !model.Bound(pod) {
		message, _ := model.Unschedulable(pod)
		return p.expiring(f, wait(stage, model.TargetScheduling, message), p.startBegan(f))
	}
	if !f.from.gone() {
		return p.expiring(f, wait(stage, model.SourceExiting, ""), p.startBegan(f))
	}
	return p.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(pod)), p.startBegan(f))
}

// proposeUnowned judges an unlabelled node in the moment when both slots take such nodes: the label of
// the destination settles it, once that serves.
func (p *planner) proposeUnowned(f *facts) proposal {
	if f.serves() {
		return act(model.StageSource, model.OwnershipMoved, moveTakeBack)
	}
	return wait(model.StageSource, model.WaitingForSlot, "")
}

// proposeAstray gives a node whose label is not understood back to the authoritative slot; without locks
// only when no Pod of the other slot is left.
func (p *planner) proposeAstray(f *facts) proposal {
	other := &f.from
	if !p.journey.home {
		other = &f.to
	}
	if p.rollout.Spec.Strategy.Overlap == model.Never && !other.gone() {
		return wait(model.StageForeign, model.WaitingForPodsToEnd, "")
	}
	pr := act(model.StageForeign, model.LabelRepaired, moveRepair)
	pr.detail = f.node.Labels[p.keys.NodeSlot]
	return pr
}

// done is the report of a node that is where it is to be.
func (p *planner) done() proposal {
	reason := model.OnTarget
	if p.journey.home {
		reason = model.OnSource
	}
	return proposal{stage: model.StageComplete, reason: reason, verdict: model.Done}
}

// expiring adds the deadline to a proposal that waits for the destination's Pod, and the restarts that
// condemn it. A target fails only by a Pod of the exact revision, on a Ready node; a Pod that was never made
// is the controller's matter.
func (p *planner) expiring(f *facts, pr proposal, began time.Time) proposal {
	pr.hopeful = true
	if p.journey.home || !f.exact || began.IsZero() {
		return pr
	}
	deadline := began.Add(p.deadline())
	restarts := model.Restarts(f.to.live)
	switch {
	case restarts > *p.rollout.Spec.Failure.MaxRestarts:
	case !p.now.Before(deadline):
	default:
		p.clock.wake(deadline)
		return pr
	}
	pr.failed, pr.hopeful = true, false
	if pr.verdict == model.Waits {
		pr.verdict, pr.reason = model.Blocks, model.TargetFailed
	}
	return pr
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
	return began
}

// podUID returns the Pod's UID, and "" for none.
func podUID(pod *corev1.Pod) types.UID {
	if pod == nil {
		return ""
	}
	return pod.UID
}
