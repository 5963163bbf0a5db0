package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
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
	// suspect says that the cause why the node cannot prepare may be the target's own.
	suspect bool
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
		return proposeUnowned(f)
	case astray:
		return p.proposeAstray(f)
	}
	return block(model.StageForeign, model.LabelRepaired, "")
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
	if p.losesOwner(f) {
		return act(model.StageLeaving, model.LabelRepaired, moveRepair)
	}
	ends := (f.from.live == nil || !f.place.admitsFrom()) && (f.to.live == nil || !f.place.admitsTo())
	switch {
	case f.from.gone() && f.to.gone():
		return act(model.StageLeaving, model.NodeLeft, moveClear)
	case ends && f.ready:
		return wait(model.StageLeaving, model.SourceExiting, "") // its marks go after its Pods
	}
	return wait(model.StageLeaving, model.NodeLeaving, "")
}

// losesOwner tells whether the node's Pod, which Kubernetes keeps, stands there only because its slot takes unlabelled nodes,
// and that is about to end: the label has to name the slot before.
func (p *planner) losesOwner(f *facts) bool {
	j := &p.journey
	ending := j.fromOwns && (j.toOwns || !p.bothLocked())
	return ending && f.label.Kind == model.Unlabelled && f.eligible == capacity.KeepsRunning && f.from.live != nil
}

func (p *planner) proposeAtFrom(f *facts) proposal {
	const stage = model.StageSource
	switch {
	case !f.ready:
		return proposeDead(f, stage)
	case !f.to.gone():
		// Turned away already: bound Pods of the destination are the controller's to delete.
		return wait(stage, model.TargetExiting, "")
	case p.pressed(f) != "":
		return wait(stage, model.NodeUnderPressure, p.pressed(f))
	case f.orphaned:
		return wait(stage, model.WaitingForPodsToEnd, step.OrphanText)
	}
	if p.rollout.Spec.Strategy.Overlap == model.Never {
		return act(stage, model.ReleaseSource, moveRelease).seated(f)
	}
	return act(stage, model.BeginOverlap, moveOverlap)
}

// pressed returns the pressure under which a node rests that the source serves: a second Pod, or a new image, would add to
// what the kubelet evicts for. A node without a serving source has nothing to lose, and a way home is never barred.
func (p *planner) pressed(f *facts) string {
	if p.journey.home || !f.fromAvailable {
		return ""
	}
	return string(model.Pressure(f.node))
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

// proposeContrary judges an overlap in the opposite direction. A node whose destination serves goes home at once:
// nothing is lost. Any other one turns round, so that its label says where it goes.
func (p *planner) proposeContrary(f *facts) proposal {
	if f.toAvailable && (f.exact || p.journey.home) {
		return act(model.StageOverlap, model.TakeBack, moveTakeBack)
	}
	return act(model.StageOverlap, model.TurnBack, moveTurn)
}

// bothLocked tells whether locks keep the Pods of the two slots apart.
func (p *planner) bothLocked() bool { return p.journey.fromOverlaps && p.journey.toOverlaps }

// proposeReleased waits for the source's Pods to be gone, then admits the destination.
func (p *planner) proposeReleased(f *facts) proposal {
	switch {
	case !f.from.gone() && !f.ready:
		return wait(model.StageReleased, model.NodeNotReady, "")
	case !f.from.gone():
		return wait(model.StageReleased, model.SourceExiting, "")
	case f.orphaned:
		return wait(model.StageReleased, model.WaitingForPodsToEnd, step.OrphanText)
	case !p.bothLocked() && !f.moved.Paid && p.now.Before(f.moved.At.Add(p.clock.Settle)):
		// Nothing served when the node was released: its Pod may have been made a moment before, and not be seen yet.
		p.clock.Wake(f.moved.At.Add(p.clock.Settle))
		return wait(model.StageReleased, model.SourceExiting, "a Pod that was made before the release may not be seen yet")
	}
	pr := act(model.StageReleased, model.AdmitTarget, moveAdmit)
	pr.hopeful = true
	return pr
}

func (p *planner) proposeAtTo(f *facts) proposal {
	const stage = model.StageTarget
	pod := f.to.live
	switch {
	case f.serves() && f.from.gone() && f.orphaned:
		return wait(stage, model.WaitingForPodsToEnd, step.OrphanText)
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
		return p.expiring(f, wait(stage, model.TargetCreating, f.to.ending()), f.moved.At)
	case !f.exact && p.pair.slot(p.journey.to).revision != p.journey.toRevision:
		return wait(stage, model.TargetStarting, "its DaemonSet has another revision") // a new Pod would be as stale
	case !f.exact && f.toAvailable && p.rememberedFailed(p.journey.toRevision):
		return block(stage, model.RevisionRemembered, "")
	case !f.exact:
		pr := act(stage, model.StaleRevision, moveDeletePod).on(pod)
		if p.journey.home {
			pr.move = moveReplace
			pr = pr.seated(f)
		}
		return pr
	}
	if ready, _ := model.ReadySince(pod); ready {
		// Settling has no deadline of its own, and restarts condemn as ever: the answer must not hang on when one looks.
		return p.expiring(f, wait(stage, model.TargetSettling, ""), p.now)
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

// proposeUnowned judges an unlabelled node in the moment when both slots take such nodes. It overlaps already: its label
// has to say so, and the rest follows as on any other node, handoff and seat included.
func proposeUnowned(f *facts) proposal {
	if !f.ready {
		return proposeDead(f, model.StageSource)
	}
	return act(model.StageSource, model.BeginOverlap, moveOverlap)
}

// rememberedFailed tells whether the revision is the one that failed: a Pod that serves is not replaced by it.
func (p *planner) rememberedFailed(revision string) bool {
	failed := p.pair.record.state.Failed
	return failed != nil && failed.Revision == revision
}

// repairedTo is the slot that a node with an unknown label goes back to: the one that an old spelling means, else the
// authoritative one; for a node that leaves it is the slot whose Pod stays.
func (p *planner) repairedTo(f *facts) model.Slot {
	switch {
	case f.legacy:
		return f.label.To
	case f.eligible != capacity.Eligible:
		return p.journey.from
	}
	return p.pair.record.active
}

// proposeAstray gives a node whose label is not understood back to the authoritative slot; without locks
// only when no Pod of the other slot is left, and none that the last write of the label let in can still be unseen.
func (p *planner) proposeAstray(f *facts) proposal {
	other := &f.from
	if p.repairedTo(f) == p.journey.from {
		other = &f.to
	}
	if p.rollout.Spec.Strategy.Overlap == model.Never {
		switch settled := f.moved.At.Add(p.clock.Settle); {
		case !other.gone() || f.orphaned:
			return wait(model.StageForeign, model.WaitingForPodsToEnd, "")
		case p.now.Before(settled):
			p.clock.Wake(settled)
			return wait(model.StageForeign, model.WaitingForPodsToEnd, "a Pod that was made before the label changed may not be seen yet")
		}
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

// podUID returns the Pod's UID, and "" for none.
func podUID(pod *corev1.Pod) types.UID {
	if pod == nil {
		return ""
	}
	return pod.UID
}
