package single

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	corev1 "k8s.io/api/core/v1"
)

// proposal is what one node would do next, and what to say of it meanwhile. All that a plan does to a node is to delete
// one Pod.
type proposal struct {
	stage   model.Stage
	reason  model.Reason
	verdict model.Verdict
	detail  string
	// pod is the one to delete, nil for none, and seat what that takes of the budget.
	pod  *corev1.Pod
	seat budget.Seat
	// beside is the Pod of the template's revision for which it goes; nil if none is there yet.
	beside *corev1.Pod
	// failed says that the target has failed here; hopeful that it may still prove itself without another deletion.
	failed, hopeful bool
	// needsPods says that capacity cannot be judged before the node's other Pods are listed.
	needsPods bool
}

func wait(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Waits, detail: detail}
}

func block(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Blocks, detail: detail}
}

func remove(stage model.Stage, reason model.Reason, pod *corev1.Pod, seat budget.Seat) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Acts, pod: pod, seat: seat}
}

// standing names the Pod for which another one goes.
func (pr proposal) standing(pod *corev1.Pod) proposal { pr.beside = pod; return pr }

// seatOf is what it takes of the budget to delete the node's old Pod: paid if the node is available, free if it is not.
func seatOf(f *facts) budget.Seat {
	if f.available {
		return budget.PaidSeat
	}
	return budget.FreeSeat
}

// propose is a total function of a node's facts: by where its Pods put it, and by the way in which the target is rolled.
func (p *planner) propose(f *facts) proposal {
	switch {
	case f.eligible != capacity.Eligible:
		return wait(model.StageLeaving, model.NodeLeaving, "")
	case f.orphaned:
		return p.hoping(wait(stageOf(f), model.WaitingForPodsToEnd, step.OrphanText))
	case f.toTarget():
		return p.proposeTarget(f)
	case !f.ready:
		return wait(model.StageSource, model.NodeNotReady, "")
	case p.deletesFirst():
		return p.proposeDeleteFirst(f)
	}
	return p.proposeSurge(f)
}

func stageOf(f *facts) model.Stage {
	switch {
	case f.toTarget():
		return model.StageTarget
	case f.fresh.live != nil:
		return model.StageOverlap
	}
	return model.StageSource
}

// proposeTarget judges a node without a live Pod of another revision.
func (p *planner) proposeTarget(f *facts) proposal {
	const stage = model.StageTarget
	pod := f.fresh.live
	switch {
	case f.reached():
		return p.done()
	case f.fresh.available:
		return wait(stage, model.SourceExiting, "")
	case !f.ready:
		return wait(stage, model.NodeNotReady, "")
	case pod == nil && f.old.terminating > 0:
		return p.hoping(wait(stage, model.SourceExiting, ""))
	case pod == nil && f.fresh.terminating > 0:
		return p.hoping(wait(stage, model.TargetExiting, ""))
	case pod == nil:
		return p.expiring(f, wait(stage, model.TargetCreating, f.fresh.ending()))
	case f.fresh.ready:
		return p.expiring(f, wait(stage, model.TargetSettling, ""))
	case !model.Bound(pod):
		message, _ := model.Unschedulable(pod)
		return p.expiring(f, wait(stage, model.TargetScheduling, message))
	}
	return p.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(pod)))
}

// done is the report of a node that is where it is to be.
func (p *planner) done() proposal {
	reason := model.OnTarget
	if !p.live.recorded() {
		reason = model.OnSource
	}
	return proposal{stage: model.StageComplete, reason: reason, verdict: model.Done}
}

func (p *planner) hoping(pr proposal) proposal {
	pr.hopeful = true
	return pr
}

// proposeDeleteFirst judges a node with an old Pod that goes before the next one is made.
func (p *planner) proposeDeleteFirst(f *facts) proposal {
	const stage = model.StageSource
	switch {
	case f.fresh.available:
		return remove(stage, model.HandoffServing, f.old.live, budget.NoSeat).standing(f.fresh.live)
	case f.fresh.live != nil:
		return wait(stage, model.TargetExiting, "") // the controller keeps the older one of two
	case p.pressed(f) != "":
		return wait(stage, model.NodeUnderPressure, p.pressed(f))
	}
	return remove(stage, model.StaleRevision, f.old.live, seatOf(f))
}

// proposeSurge judges a node with an old Pod, beside which the native controller makes the next one.
func (p *planner) proposeSurge(f *facts) proposal {
	const stage = model.StageOverlap
	switch pod := f.fresh.live; {
	case pod == nil && p.pressed(f) != "":
		return wait(model.StageSource, model.NodeUnderPressure, p.pressed(f))
	case pod == nil:
		return p.proposeAlone(f)
	case f.fresh.available && !f.old.ready:
		// Should the controller be stopped now it would keep the older one, which does not serve.
		return p.hoping(remove(stage, model.HandoffServing, f.old.live, budget.NoSeat).standing(f.fresh.live))
	case f.fresh.available:
		return p.hoping(wait(stage, model.SourceExiting, ""))
	case !model.Bound(pod):
		return p.proposeUnbound(f)
	case f.fresh.ready:
		return p.expiring(f, wait(stage, model.TargetSettling, ""))
	case p.locked() && prepared(f) && step.SameImages(pod.Spec.Containers, &p.live.set.Spec.Template):
		return p.proposePrepared(f)
	case p.locked() && model.RestartedSince(pod, pod.CreationTimestamp.Time):
		return p.proposeRestarted(f)
	}
	return p.expiring(f, wait(stage, model.TargetPreparing, model.WaitingReason(f.fresh.live)))
}

// proposeAlone judges a node that the native controller has not begun with: it begins with as many as maxSurge allows.
func (p *planner) proposeAlone(f *facts) proposal {
	if f.fresh.ended != nil || f.fresh.terminating > 0 {
		return p.expiring(f, wait(model.StageSource, model.TargetCreating, f.fresh.ending()))
	}
	return wait(model.StageSource, model.WaitingForWindow, "")
}

// proposePrepared judges a replacement that waits for the locks of the one old Pod beside it.
func (p *planner) proposePrepared(f *facts) proposal {
	if f.old.count != 1 || f.fresh.count != 1 {
		return wait(model.StageOverlap, model.WaitingForPodsToEnd, "more than one old Pod, or more than one new one")
	}
	if !f.old.available {
		return p.hoping(wait(model.StageOverlap, model.SourceStarting, "")) // it settles, or the controller deletes it
	}
	return p.hoping(remove(model.StageOverlap, model.HandoffPrepared, f.old.live, budget.PaidSeat).standing(f.fresh.live))
}

// restartRest is how long a waiting replacement must have run since its last restart before that passes for a single one, a
// reboot for instance: it is made anew then. One that restarts again and again is left to its deadline.
const restartRest = time.Minute

func (p *planner) proposeRestarted(f *facts) proposal {
	pod := f.fresh.live
	rest := pod.CreationTimestamp.Add(restartRest)
	for i := range pod.Status.ContainerStatuses {
		if ended := pod.Status.ContainerStatuses[i].LastTerminationState.Terminated; ended != nil && ended.FinishedAt.Add(restartRest).After(rest) {
			rest = ended.FinishedAt.Add(restartRest)
		}
	}
	if f.old.available && model.AllRunning(pod) && !p.now.Before(rest) {
		return p.hoping(remove(model.StageOverlap, model.WaitingRestarted, pod, budget.NoSeat))
	}
	p.clock.Wake(rest)
	return p.expiring(f, wait(model.StageOverlap, model.TargetRestarting, model.WaitingReason(pod)))
}

// proposeUnbound applies the capacity rule to a Pending replacement.
func (p *planner) proposeUnbound(f *facts) proposal {
	const stage = model.StageOverlap
	answer := capacity.Fallback(p.question(f))
	switch answer.Verdict {
	case capacity.FitsOnceSourceGone:
		pr := p.hoping(remove(stage, model.CapacityFallback, f.old.live, seatOf(f)).standing(f.fresh.live))
		pr.detail = answer.Detail
		return pr
	case capacity.NeverFits:
		return block(stage, model.NeverFits, answer.Detail)
	case capacity.StillShort:
		return block(stage, model.StillShort, answer.Detail)
	case capacity.OtherConstraint, capacity.UnknownMessage, capacity.NotUnschedulable, capacity.WrongNode:
		return block(stage, model.CannotSchedule, answer.Detail)
	case capacity.NeedPods:
		pr := wait(stage, model.OtherPodsUnknown, answer.Detail)
		pr.needsPods = true
		return pr
	case capacity.NotPending, capacity.NotJudged, capacity.FitsNow:
		return p.hoping(wait(stage, model.TargetScheduling, answer.Detail))
	}
	return block(stage, model.CannotSchedule, answer.Detail)
}

func (p *planner) question(f *facts) capacity.Question {
	q := capacity.Question{
		Pod: f.fresh.live, Node: f.node,
		OthersListed:  p.rollout.Status.OtherPods.Listed(f.node.Name),
		CountPodSlots: p.rollout.Spec.Capacity.CountPodSlots,
	}
	for _, pod := range p.cluster.Pods(f.index) {
		if pod.UID == f.fresh.live.UID {
			continue
		}
		q.Others = append(q.Others, pod)
		if model.ControllerUID(pod) == p.live.uid() && !p.isFresh(pod) {
			q.Leaving = append(q.Leaving, pod.UID)
		}
	}
	return q
}

// refine judges, before an old Pod is deleted, whether the next one would find room in its place. It is asked only for nodes
// that may move now. Where the node's other Pods are not listed, one that asks for no more than the old Pod fits in its place.
func (p *planner) refine(f *facts, pr proposal) proposal {
	if pr.reason != model.StaleRevision || p.live.home() {
		return pr
	}
	next := podOf(p.live.set)
	next.Spec.Tolerations = append(next.Spec.Tolerations[:len(next.Spec.Tolerations):len(next.Spec.Tolerations)], capacity.AddedTolerations(next.Spec.HostNetwork)...)
	var others []*corev1.Pod
	for _, pod := range p.cluster.Pods(f.index) {
		if model.ControllerUID(pod) != p.live.uid() {
			others = append(others, pod)
		}
	}
	for _, short := range capacity.Fit(next, f.node, others) {
		switch {
		case short.Kind == capacity.ShortTaint || short.Kind == capacity.ShortAffinity:
			continue // the controller has judged the node
		case short.Kind == capacity.ShortPort:
			return block(pr.stage, model.CannotSchedule, short.String())
		case short.AboveAllocatable:
			return block(pr.stage, model.NeverFits, short.String())
		}
		return block(pr.stage, model.StillShort, short.String())
	}
	if !p.rollout.Status.OtherPods.Listed(f.node.Name) && capacity.AsksForMore(next, f.old.live) {
		pr = wait(pr.stage, model.OtherPodsUnknown, "the next Pod asks for more than the present one")
		pr.needsPods = true
	}
	return pr
}

// expiring adds the deadline to a proposal that waits for the target's Pod, and the restarts that condemn it. A target fails
// only by a Pod of its revision, on a Ready node that is not short of anything; a Pod that was never made is the controller's
// matter.
func (p *planner) expiring(f *facts, pr proposal) proposal {
	pr.hopeful = true
	judged := f.fresh.live
	if judged == nil {
		judged = f.fresh.ended
	}
	if !p.live.recorded() || judged == nil || model.Pressure(f.node) != "" {
		return pr
	}
	deadline := p.began(f, judged).Add(p.deadline())
	switch {
	case f.fresh.live != nil && model.Restarts(judged) > *p.rollout.Spec.Failure.MaxRestarts:
	case f.fresh.ready: // settling has no deadline of its own, and restarts condemn as ever
		return pr
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

// began is when the target could begin to serve on the node: not before it was made and its Node came back, and, if it took
// over from a Pod that it had waited for, not before the last of those went.
func (p *planner) began(f *facts, pod *corev1.Pod) time.Time {
	began := pod.CreationTimestamp.Time
	if at := p.live.state.HandedOver; at != nil && f.toTarget() && at.After(began) {
		began = at.Time
	}
	for i := range f.node.Status.Conditions {
		if c := &f.node.Status.Conditions[i]; c.Type == corev1.NodeReady && c.LastTransitionTime.After(began) {
			began = c.LastTransitionTime.Time
		}
	}
	return began
}
