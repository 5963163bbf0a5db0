package single

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// deletePod is the one kind of move: to delete one Pod.
const deletePod uint8 = 1

// judge says all that is to be said of the i-th node before any limit is asked. It reads the view and the node alone.
func (v *view) judge(i int) step.Judgment {
	f := v.look(i)
	j := step.Judgment{Wake: f.wake}
	if f.eligible != capacity.Eligible && f.old.Gone() && f.fresh.Gone() {
		j.Steady = !f.issued && !f.orphaned
		return j
	}
	pr := v.propose(&f)
	j.Wake = step.Sooner(j.Wake, pr.wake)
	if f.issued {
		pr = proving(wait(pr.stage, model.ActionIssued, ""))
	}
	pr = v.forgive(&f, pr)
	j.Reported, j.Report = true, v.nodeReport(&f, &pr)
	if f.eligible == capacity.Eligible {
		j.Traits = v.traits(&f, &pr, j.Report.Blame)
	}
	j.Exemptable = j.Traits.Has(step.Ambient) && v.mayBeExempt(&f)
	j.NeedsPods = pr.needsPods
	// A node that serves is judged by no deadline and no blame that depends on the time.
	j.Steady = f.available && !f.issued && !f.orphaned && f.foreign == nil && !pr.failed && !pr.needsPods
	j.Since = pr.since
	j.SetAside(f.ready, pr.aside, pr.reason)
	if pr.pod != nil {
		j.Move = step.Move{Kind: deletePod, Rank: uint8(pr.seat), Seat: pr.seat, Available: f.available, Settling: f.settling, Late: v.late(&f, &pr)}
	}
	return j
}

// late tells whether the node had no working agent before: it goes last until the target is proven.
func (v *view) late(f *facts, pr *proposal) bool {
	return !f.available && pr.reason == model.StaleRevision && v.live.hasTarget() && !v.live.proven()
}

func (v *view) nodeReport(f *facts, pr *proposal) model.NodeReport {
	r := model.NodeReport{Node: f.node.Name, Reason: pr.reason, Stage: pr.stage, Verdict: pr.verdict, Detail: pr.detail}
	if f.eligible == capacity.Eligible {
		r.Blame = v.blame(f, pr)
	}
	if !v.live.hasTarget() {
		r.Reason, r.Stage = step.ReasonBack(r.Reason), step.StageBack(r.Stage)
	}
	return r
}

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
	// successor is the Pod of the template's revision for which it goes; nil if none is there yet.
	successor *corev1.Pod
	// failed says that the target has failed here; mayProve that it may still prove itself without another deletion.
	failed, mayProve bool
	// aside says that the node cannot get on though the target is not to blame, forgiven that a person has set it aside with its failure;
	// since is when what led to that began.
	aside, forgiven bool
	// rests says that the native controller has left its work undone here for longer than the deadline.
	rests bool
	since time.Time
	// wake is when to judge again; zero for never.
	wake time.Time
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

// toward names the Pod for which another one goes.
func (pr proposal) toward(pod *corev1.Pod) proposal { pr.successor = pod; return pr }

// seatOf is what it takes of the budget to delete the node's old Pod: paid if the node is available, free if it is not.
func seatOf(f *facts) budget.Seat {
	if f.available {
		return budget.PaidSeat
	}
	return budget.FreeSeat
}

// propose is a total function of a node's facts: by where its Pods put it, and by the way in which the target is rolled.
func (v *view) propose(f *facts) proposal {
	switch {
	case f.eligible != capacity.Eligible:
		return wait(model.StageLeaving, model.NodeLeaving, "")
	case f.orphaned:
		return proving(wait(stageOf(f), model.WaitingForPodsToEnd, step.OrphanText))
	case f.foreign != nil && v.identity.Former(v.cluster, f.foreign):
		return wait(stageOf(f), model.WaitingForPodsToEnd, step.FormerText(f.foreign))
	case f.foreign != nil:
		return block(stageOf(f), model.ForeignPods, v.identity.ForeignText(f.node.Name, f.foreign))
	case f.toTarget():
		return v.proposeTarget(f)
	case !f.ready:
		return wait(model.StageSource, model.NodeNotReady, "")
	case v.deletesFirst(&v.live.record):
		return v.proposeDeleteFirst(f)
	}
	return v.proposeSurge(f)
}

func stageOf(f *facts) model.Stage {
	switch {
	case f.toTarget():
		return model.StageTarget
	case f.fresh.Live != nil:
		return model.StageOverlap
	}
	return model.StageSource
}

// proposeTarget judges a node without a live Pod of another revision.
func (v *view) proposeTarget(f *facts) proposal {
	const stage = model.StageTarget
	pod := f.fresh.Live
	switch {
	case f.reached():
		return v.done()
	case f.fresh.available:
		return v.awaitGone(stage, model.SourceExiting, &f.old.Podset)
	case !f.ready:
		return wait(stage, model.NodeNotReady, "")
	case pod == nil && f.old.Terminating > 0:
		return proving(v.awaitGone(stage, model.SourceExiting, &f.old.Podset))
	case pod == nil && f.fresh.Terminating > 0:
		return proving(v.awaitGone(stage, model.TargetExiting, &f.fresh.Podset))
	case pod == nil:
		return v.expiring(f, wait(stage, model.TargetCreating, f.fresh.Ending()))
	case f.fresh.ready:
		return v.expiring(f, wait(stage, model.TargetSettling, ""))
	case !model.Bound(pod):
		message, _ := model.Unschedulable(pod)
		return v.expiring(f, wait(stage, model.TargetScheduling, message))
	}
	return v.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(pod)))
}

// done is the report of a node that is where it is to be.
func (v *view) done() proposal {
	reason := model.OnTarget
	if !v.live.hasTarget() {
		reason = model.OnSource
	}
	return proposal{stage: model.StageComplete, reason: reason, verdict: model.Done}
}

// proving says that the target may still prove itself here, unless the node is set aside.
func proving(pr proposal) proposal {
	pr.mayProve = !pr.aside
	return pr
}

// proposeDeleteFirst judges a node with an old Pod that goes before the next one is made.
func (v *view) proposeDeleteFirst(f *facts) proposal {
	const stage = model.StageSource
	switch {
	case f.fresh.available:
		return remove(stage, model.HandoffServing, f.old.Live, budget.NoSeat).toward(f.fresh.Live)
	case f.fresh.Live != nil:
		return wait(stage, model.TargetExiting, "") // the controller keeps the older one of two
	case v.pressed(f) != "":
		return wait(stage, model.NodeUnderPressure, v.pressed(f))
	}
	pr := remove(stage, model.StaleRevision, f.old.Live, seatOf(f))
	if v.grown(f.old.Live) {
		return v.roomy(f, pr, v.live.set)
	}
	return pr // room is looked for once the node may move (deed)
}

// proposeSurge judges a node with an old Pod, beside which the native controller makes the next one.
func (v *view) proposeSurge(f *facts) proposal {
	const stage = model.StageOverlap
	switch pod := f.fresh.Live; {
	case pod == nil && v.pressed(f) != "":
		return wait(model.StageSource, model.NodeUnderPressure, v.pressed(f))
	case pod == nil:
		return v.proposeAlone(f)
	case f.fresh.available && !f.old.ready:
		// Should the controller be stopped now it would keep the older one, which does not serve.
		return proving(remove(stage, model.HandoffServing, f.old.Live, budget.NoSeat).toward(f.fresh.Live))
	case f.fresh.available:
		return v.awaitNative(f)
	case !model.Bound(pod):
		return v.proposeUnbound(f)
	case f.fresh.ready:
		return v.expiring(f, wait(stage, model.TargetSettling, ""))
	case v.locked() && prepared(f):
		return v.proposePrepared(f)
	case v.locked() && model.RestartedSince(pod, pod.CreationTimestamp.Time):
		return v.proposeRestarted(f)
	}
	return v.expiring(f, wait(stage, model.TargetPreparing, model.WaitingReason(f.fresh.Live)))
}

// proposeAlone judges a node that the native controller has not begun with: it begins with as many as maxSurge allows.
func (v *view) proposeAlone(f *facts) proposal {
	if f.fresh.Ended != nil || f.fresh.Terminating > 0 {
		return v.expiring(f, wait(model.StageSource, model.TargetCreating, f.fresh.Ending()))
	}
	return wait(model.StageSource, model.WaitingForWindow, "")
}

const manyText = "more than one old Pod, or more than one new one"

// proposePrepared judges a replacement that waits for the locks of the one old Pod beside it.
func (v *view) proposePrepared(f *facts) proposal {
	if f.old.count != 1 || f.fresh.count != 1 {
		return wait(model.StageOverlap, model.WaitingForPodsToEnd, manyText)
	}
	if pr, strays := v.proposeStray(f); strays {
		return pr
	}
	if !f.old.available {
		return proving(wait(model.StageOverlap, model.SourceStarting, "")) // it settles, or the controller deletes it
	}
	return proving(remove(model.StageOverlap, model.HandoffPrepared, f.old.Live, budget.PaidSeat).toward(f.fresh.Live))
}

// restartSettles is how long a waiting replacement must have run since its last restart before that passes for a single one, a
// reboot for instance: it is made anew then. One that restarts again and again is left to its deadline.
const restartSettles = time.Minute

func (v *view) proposeRestarted(f *facts) proposal {
	pod := f.fresh.Live
	settled := pod.CreationTimestamp.Add(restartSettles)
	for i := range pod.Status.ContainerStatuses {
		if ended := pod.Status.ContainerStatuses[i].LastTerminationState.Terminated; ended != nil && ended.FinishedAt.Add(restartSettles).After(settled) {
			settled = ended.FinishedAt.Add(restartSettles)
		}
	}
	if f.old.available && model.AllRunning(pod) && !v.now.Before(settled) {
		return proving(remove(model.StageOverlap, model.WaitingRestarted, pod, budget.NoSeat))
	}
	pr := wait(model.StageOverlap, model.TargetRestarting, model.WaitingReason(pod))
	if v.now.Before(settled) {
		pr.wake = settled
	}
	return v.expiring(f, pr)
}
