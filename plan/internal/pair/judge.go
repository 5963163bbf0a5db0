package pair

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// kinds of what a node's proposal would do; 0 is to stay.
const (
	stay uint8 = iota
	// Free repairs: they take no seat and come first.
	moveDeletePod
	moveCandidate
	moveTakeBack
	moveTurn
	moveRepair
	moveAdmit
	moveDead
	moveClear
	// A node that joins gets a proven target at once.
	moveJoin
	// The instant is noted from which on a Pod is awaited that is missing again.
	moveNote
	// Moves that the limits admit one by one.
	moveReplace
	moveHandoff
	moveRelease
	moveOverlap
)

// proposal is what one node would do next, and what to say of it meanwhile.
type proposal struct {
	kind   uint8
	stage  model.Stage
	reason model.Reason
	// verdict is a wait or a block while nothing moves.
	verdict model.Verdict
	seat    budget.Seat
	detail  string
	// pod is the one to delete, or the candidate to record.
	pod *corev1.Pod
	// wake is when to judge again; zero for never.
	wake time.Time
	// suspect says that the cause why the node cannot prepare may be the target's own.
	suspect bool
	// offWindow says that the overlapping node holds no place in the window.
	offWindow bool
	// failed says that the target has failed here, and aside that the node cannot get on though the target is not to blame; since is
	// when what led to that began.
	failed, aside bool
	since         time.Time
	// forgiven says that a person has set the node aside with its failure: it is not charged any more.
	forgiven bool
	// late says that the node had no working agent before, which proves nothing: it goes last until the target is proven.
	late bool
	// mayProve says that the target may still prove itself here, without another admission.
	mayProve bool
	// needsPods says that capacity cannot be judged before the node's other Pods are listed.
	needsPods bool
}

// judge says all that is to be said of the i-th node before any limit is asked. It reads the view and the node alone.
func (v *view) judge(i int) step.Judgment {
	f := v.look(i)
	j := step.Judgment{Faults: f.faults, Wake: f.wake}
	if f.eligible != capacity.Eligible && f.from.Gone() && f.to.Gone() && !v.marked(f.node) {
		j.Steady = !f.issued && !f.orphaned
		return j
	}
	pr := v.propose(&f)
	if f.issued {
		pr = v.awaitIssued(&f, &pr)
	}
	pr = v.forgive(&f, pr)
	j.Wake = step.Sooner(j.Wake, pr.wake)
	j.Reported, j.Report = true, v.nodeReport(&f, &pr)
	j.Traits = v.traits(&f, &pr, j.Report.Blame)
	j.Exemptable = j.Traits.Has(step.Ambient) && v.mayBeExempt(&f)
	j.NeedsPods = pr.needsPods
	j.Since = pr.since
	j.SetAside(f.ready, pr.aside, pr.reason)
	j.Steady = f.steady(&pr)
	if pr.kind != stay {
		j.Move = moveOf(&f, &pr)
	}
	if j.Traits.Has(returned) {
		j.ReturnedUntil = v.returnedUntil(&f)
	}
	if v.canary != nil && j.Traits.Has(step.Eligible|step.OffSource) {
		var wake time.Time
		j.Probe, wake = v.probeCanary(&f)
		j.Wake = step.Sooner(j.Wake, wake)
	}
	return j
}

// forgive sets a node aside where the target had failed before a person decided to go on without it.
func (v *view) forgive(f *facts, pr proposal) proposal {
	forgiven := v.pair.record.state.Forgiven
	if pr.failed && forgiven != nil && forgiven.Revision == v.direction.toRevision && !f.moved.At.After(forgiven.Since.Time) {
		pr.failed, pr.aside, pr.forgiven = false, true, true
	}
	return pr
}

// steady tells whether the judgment of a node holds until something changes on it: it serves, so that no deadline and no blame
// depends on the time, and it adds nothing to the plan but its report and its move.
func (f *facts) steady(pr *proposal) bool {
	return f.available && !f.issued && !f.orphaned && f.foreign == nil && !pr.failed && !pr.needsPods
}

func (v *view) nodeReport(f *facts, pr *proposal) model.NodeReport {
	r := model.NodeReport{Node: f.node.Name, Reason: pr.reason, Stage: pr.stage, Verdict: pr.verdict, Detail: pr.detail}
	if f.eligible == capacity.Eligible {
		r.Blame = v.blame(f, pr)
	}
	if v.direction.back {
		r.Reason, r.Stage = step.ReasonBack(r.Reason), step.StageBack(r.Stage)
	}
	if since := step.Later(f.moved.At, pr.since); !since.IsZero() {
		r.Since = since.Unix()
	}
	return r
}

// awaitIssued lets a node rest whose action does not show yet.
func (v *view) awaitIssued(f *facts, pr *proposal) proposal {
	awaits := wait(pr.stage, model.ActionIssued, "")
	awaits.mayProve, awaits.wake = true, pr.wake
	awaits.offWindow = pr.offWindow && v.issuedCost[f.index].Overlap == 0
	return awaits
}

func wait(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Waits, detail: detail}
}

func block(stage model.Stage, reason model.Reason, detail string) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Blocks, detail: detail}
}

func act(stage model.Stage, reason model.Reason, kind uint8) proposal {
	return proposal{stage: stage, reason: reason, verdict: model.Acts, kind: kind}
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

// propose is the table of the way: a total function of a node's facts. Rules first that hold
// wherever the node stands, then one function a place.
func (v *view) propose(f *facts) proposal {
	if f.eligible != capacity.Eligible {
		return v.proposeLeaving(f)
	}
	if pod := f.strandedPod(); pod != nil {
		return act(stageOf(f), model.UnboundTurnedAway, moveDeletePod).on(pod)
	}
	if f.place.overlaps() && !v.fenced(f) {
		return v.proposeFence(f)
	}
	if f.foreign != nil {
		return v.awaitForeign(f)
	}
	switch f.place {
	case atFrom:
		return v.proposeAtFrom(f)
	case overlapping:
		return v.proposeOverlapping(f)
	case reversed:
		return v.proposeReversed(f)
	case released:
		return v.proposeReleased(f)
	case atTo:
		return v.proposeAtTo(f)
	case unowned:
		return proposeUnowned(f)
	case unrecognised:
		return v.proposeUnrecognised(f)
	}
	return block(model.StageForeign, model.LabelRepaired, "")
}

// awaitForeign lets a node rest on which a Pod of somebody else carries the rollout's labels: none may start beside it.
func (v *view) awaitForeign(f *facts) proposal {
	if v.identity.Former(v.cluster, f.foreign) {
		return wait(stageOf(f), model.WaitingForPodsToEnd, step.FormerText(f.foreign))
	}
	return block(stageOf(f), model.ForeignPods, v.identity.ForeignText(f.node.Name, f.foreign))
}

func stageOf(f *facts) model.Stage {
	switch f.place {
	case atFrom, unowned:
		return model.StageSource
	case overlapping, reversed:
		return model.StageOverlap
	case released:
		return model.StageReleased
	case atTo:
		return model.StageTarget
	case unrecognised:
		return model.StageForeign
	}
	return model.StageForeign
}

// strandedPod returns an unbound Pod of a slot that the label does not admit. The DaemonSet controller leaves it in
// place, and the scheduler could bind it later to a node that it no longer belongs to.
func (f *facts) strandedPod() *corev1.Pod {
	if f.from.Unbound != nil && !f.place.admitsFrom() {
		return f.from.Unbound
	}
	if f.to.Unbound != nil && !f.place.admitsTo() {
		return f.to.Unbound
	}
	return nil
}

// proposeLeaving judges a node that is not eligible. It keeps label and annotations while a Pod is bound there:
// clearing first would kill a Pod that Kubernetes keeps.
func (v *view) proposeLeaving(f *facts) proposal {
	for _, pod := range [...]*corev1.Pod{f.from.Unbound, f.to.Unbound} {
		if pod != nil {
			return act(model.StageLeaving, model.UnboundTurnedAway, moveDeletePod).on(pod)
		}
	}
	if v.losesOwner(f) {
		return act(model.StageLeaving, model.LabelRepaired, moveRepair)
	}
	ends := (f.from.Live == nil || !f.place.admitsFrom()) && (f.to.Live == nil || !f.place.admitsTo())
	switch {
	case f.from.Gone() && f.to.Gone():
		return act(model.StageLeaving, model.NodeLeft, moveClear)
	case ends && f.ready:
		return wait(model.StageLeaving, model.SourceExiting, "") // its marks go after its Pods
	}
	return wait(model.StageLeaving, model.NodeLeaving, "")
}

// losesOwner tells whether the node's Pod, which Kubernetes keeps, stands there only because its slot takes unlabelled nodes,
// and that is about to end: the label has to name the slot before.
func (v *view) losesOwner(f *facts) bool {
	d := &v.direction
	ending := d.fromOwns && (d.toOwns || !v.bothLocked())
	return ending && f.label.Kind == model.Unlabelled && f.eligible == capacity.KeepsRunning && f.from.Live != nil
}

func (v *view) proposeAtFrom(f *facts) proposal {
	const stage = model.StageSource
	switch {
	case !f.ready:
		return proposeDead(f, stage)
	case !f.to.Gone():
		// Turned away already: bound Pods of the destination are the controller's to delete.
		return v.awaitGone(f, stage, model.TargetExiting, &f.to)
	case v.pressed(f) != "":
		return wait(stage, model.NodeUnderPressure, v.pressed(f))
	case f.orphaned:
		return wait(stage, model.WaitingForPodsToEnd, step.OrphanText)
	case f.joining && v.direction.proven && v.canary == nil:
		return act(stage, model.JoinsTarget, moveJoin)
	}
	pr := act(stage, model.BeginOverlap, moveOverlap)
	pr.late = !f.available && !v.direction.back && !v.direction.proven
	if v.rollout.Spec.Strategy.Overlap == model.Never {
		pr.reason, pr.kind = model.ReleaseSource, moveRelease
		return v.proposeRelease(f, pr.seated(f))
	}
	return pr
}

// pressed returns the pressure under which a node rests that the source serves: a second Pod, or a new image, would add to
// what the kubelet evicts for. A node without a serving source has nothing to lose, and a way back is never barred.
func (v *view) pressed(f *facts) string {
	if v.direction.back || !f.fromAvailable {
		return ""
	}
	return string(model.Pressure(f.node))
}

// proposeDead leaves a node alone whose Node is not Ready, until all others are done. Its label then moves at no cost,
// unless its Pod is still shown as available.
func proposeDead(f *facts, stage model.Stage) proposal {
	dead := act(stage, model.DeadNodeMoved, moveDead)
	dead.offWindow = true
	if f.available {
		dead.seat = budget.PaidSeat
	}
	return dead
}

// proposeReversed judges an overlap in the opposite direction. A node whose destination serves goes there at once:
// nothing is lost. Any other one turns round, so that its label says where it goes.
func (v *view) proposeReversed(f *facts) proposal {
	if f.toAvailable && (f.exact || v.direction.back) {
		return act(model.StageOverlap, model.TakeBack, moveTakeBack)
	}
	return act(model.StageOverlap, model.TurnBack, moveTurn)
}

// bothLocked tells whether locks keep the Pods of the two slots apart.
func (v *view) bothLocked() bool { return v.direction.fromOverlaps && v.direction.toOverlaps }

// proposeReleased waits for the source's Pods to be gone, then admits the destination.
func (v *view) proposeReleased(f *facts) proposal {
	switch {
	case !f.from.Gone() && !f.ready:
		return wait(model.StageReleased, model.NodeNotReady, "")
	case !f.from.Gone():
		return v.awaitGone(f, model.StageReleased, model.SourceExiting, &f.from)
	case f.orphaned:
		return wait(model.StageReleased, model.WaitingForPodsToEnd, step.OrphanText)
	case !v.bothLocked() && !f.moved.Paid && v.now.Before(f.moved.At.Add(v.settle)):
		// Nothing served when the node was released: its Pod may have been made a moment before, and not be seen yet.
		pr := wait(model.StageReleased, model.SourceExiting, "a Pod that was made before the release may not be seen yet")
		pr.wake = f.moved.At.Add(v.settle)
		return pr
	}
	pr := act(model.StageReleased, model.AdmitTarget, moveAdmit)
	pr.mayProve = true
	return pr
}

func (v *view) proposeAtTo(f *facts) proposal {
	const stage = model.StageTarget
	pod := f.to.Live
	switch {
	case f.serves() && f.from.Gone() && f.orphaned:
		return wait(stage, model.WaitingForPodsToEnd, step.OrphanText)
	case f.serves() && f.from.Gone():
		return v.done()
	case f.serves():
		return v.awaitGone(f, stage, model.SourceExiting, &f.from)
	case !f.ready:
		return wait(stage, model.NodeNotReady, "")
	case pod == nil && f.to.Terminating > 0:
		return v.awaitGone(f, stage, model.TargetExiting, &f.to)
	case pod == nil:
		return v.expiring(f, wait(stage, model.TargetCreating, f.to.Ending()), v.creationBegan(f))
	case !f.exact && v.pair.slot(v.direction.to).revision != v.direction.toRevision:
		return wait(stage, model.TargetStarting, "its DaemonSet has another revision") // a new Pod would be as stale
	case !f.exact && f.toAvailable && v.rememberedFailed(v.direction.toRevision):
		return block(stage, model.RevisionRemembered, "")
	case !f.exact:
		return v.proposeReplacement(f, pod)
	}
	if ready, _ := model.ReadySince(pod); ready {
		// Settling has no deadline of its own, and restarts condemn as ever: the answer must not hang on when one looks.
		return v.expiring(f, wait(stage, model.TargetSettling, ""), v.now)
	}
	if !model.Bound(pod) {
		message, _ := model.Unschedulable(pod)
		return v.expiring(f, wait(stage, model.TargetScheduling, message), v.startBegan(f))
	}
	if !f.from.Gone() {
		if pr := v.awaitGone(f, stage, model.SourceExiting, &f.from); pr.verdict != model.Waits {
			return pr // the target waits for what does not leave, and is not to blame
		}
		return v.expiring(f, wait(stage, model.SourceExiting, ""), v.startBegan(f))
	}
	return v.expiring(f, wait(stage, model.TargetStarting, model.WaitingReason(pod)), v.startBegan(f))
}

// proposeReplacement lets a Pod of another revision go for one of its slot's present template.
func (v *view) proposeReplacement(f *facts, pod *corev1.Pod) proposal {
	pr := act(model.StageTarget, model.StaleRevision, moveDeletePod).on(pod)
	if !v.direction.back && !v.leftBehind(f) {
		return pr
	}
	pr.kind = moveReplace
	pr = pr.seated(f)
	if to := v.pair.slot(v.direction.to).set; step.Grown(to, nil)(pod) {
		return v.roomy(f, pr, pod, to)
	}
	return pr
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
func (v *view) rememberedFailed(revision string) bool {
	failed := v.pair.record.state.Failed
	return failed != nil && failed.Revision == revision
}

// repairedTo is the slot that a node with an unknown label goes back to: the one that an old spelling means, else the
// authoritative one; for a node that leaves it is the slot whose Pod stays.
func (v *view) repairedTo(f *facts) model.Slot {
	switch {
	case f.legacy:
		return f.label.To
	case f.eligible != capacity.Eligible:
		return v.direction.from
	}
	return v.pair.record.active
}

// proposeUnrecognised gives a node whose label is not understood back to the authoritative slot; without locks
// only when no Pod of the other slot is left, and none that the last write of the label let in can still be unseen.
func (v *view) proposeUnrecognised(f *facts) proposal {
	other := &f.from
	if v.repairedTo(f) == v.direction.from {
		other = &f.to
	}
	if v.rollout.Spec.Strategy.Overlap == model.Never {
		switch settled := f.moved.At.Add(v.settle); {
		case !other.Gone() || f.orphaned:
			return wait(model.StageForeign, model.WaitingForPodsToEnd, "")
		case v.now.Before(settled):
			pr := wait(model.StageForeign, model.WaitingForPodsToEnd, "a Pod that was made before the label changed may not be seen yet")
			pr.wake = settled
			return pr
		}
	}
	pr := act(model.StageForeign, model.LabelRepaired, moveRepair)
	pr.detail = f.node.Labels[v.keys.NodeSlot]
	return pr
}

// done is the report of a node that is where it is to be.
func (v *view) done() proposal {
	reason := model.OnTarget
	if v.direction.back {
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
