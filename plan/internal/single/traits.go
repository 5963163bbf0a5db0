package single

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// The traits that only nodes of one DaemonSet have, all of them of eligible nodes.
const (
	// stale: with a live Pod of another revision. replaceable: its Node is Ready, and it is not set aside. candidates: it may still leave that revision.
	stale = step.FirstOwn << iota
	replaceable
	candidates
	// onlyNewServes: with a Pod of each revision, of which only the new one serves. Stopping the controller now would keep the
	// wrong one.
	onlyNewServes
	// mayProve: the target may still prove itself there by itself. mayProveSeated: it needs a seat first.
	mayProve
	mayProveSeated
	// foreignHeld: a Pod of a controller that is there runs on it under the DaemonSet's labels.
	foreignHeld
	// rests: the native controller has left its work undone there. unnoted: no Pod is there, and nothing tells since when.
	rests
	unnoted
)

// traits are what is true of an eligible node.
func (v *view) traits(f *facts, pr *proposal, blame model.Blame) step.Traits {
	old := f.old.Live != nil
	seated := old && !f.issued && (v.locked() || pr.seat != budget.NoSeat)
	return step.Eligible | step.Column(blame) | v.statusTraits(f) |
		step.OffDestination.If(f.ready && !f.reached() && !pr.aside && !f.joining && !pr.failed) | foreignHeld.If(pr.reason == model.ForeignPods) |
		rests.If(pr.rests) | unnoted.If(v.unnoted(f)) | step.Served.If(f.fresh.available) | step.Evidence(pr.failed, pr.aside || !f.ready, v.worked(f)) |
		stale.If(old) | replaceable.If(old && f.ready && !pr.aside) |
		candidates.If(old && f.ready && f.fresh.Live == nil && pr.verdict != model.Blocks && pr.reason != model.NodeUnderPressure) |
		onlyNewServes.If(old && f.fresh.Live != nil && f.fresh.ready && !f.old.ready) |
		mayProve.If(pr.mayProve && !seated) | mayProveSeated.If(pr.mayProve && seated)
}

// worked tells whether the node had a working agent when the rollout took it, or has it still.
func (v *view) worked(f *facts) bool {
	return f.available || f.moved.Worked() && !f.moved.At.IsZero() || v.live.state.HandedOver != nil // which an older release notes, and no nodes
}

// unnoted tells whether the node has no Pod, and nothing tells since when.
func (v *view) unnoted(f *facts) bool {
	if f.eligible != capacity.Eligible || !f.ready || !f.fresh.Gone() || !f.old.Gone() || f.orphaned || f.fresh.Ended != nil {
		return false
	}
	passed, _ := v.limit().Passed(f.moved.At)
	return v.began(f).IsZero() || passed && v.servedBefore(f)
}

// servedBefore tells whether the template may have served the node since the rollout took its former Pod, so that a Pod that is missing now
// is not one that was never made: the node was available then, and the target is proven. The wait for the next Pod is noted once, as free.
func (v *view) servedBefore(f *facts) bool {
	return f.moved.Paid && !f.moved.At.IsZero() && (v.live.proven() || !v.live.hasTarget())
}

// statusTraits are what the status counts, and the limits of the surge.
func (v *view) statusTraits(f *facts) step.Traits {
	t := step.Updated.If(f.fresh.available && v.render != nil && !v.superseded()) | step.Ready.If(f.old.ready || f.fresh.ready)
	switch {
	case f.toTarget():
		return t | step.OnTarget | step.OffSource
	case f.fresh.Live != nil:
		return t | step.InOverlap | step.InWindow
	}
	return t | step.OnSource
}

// blame chooses the column. While a target is rolled out, a node that belongs to it without an available Pod is committed,
// whatever the cause; it becomes ambient only when its Node is not Ready and the target is proven. On the way back it is
// committed while the former revision's Pod is made and starts, and no longer than the deadline: a node that is broken must
// not keep the others from going back.
func (v *view) blame(f *facts, pr *proposal) model.Blame {
	switch {
	case v.issuedCost[f.index].Seat != "":
		return model.Committed
	case f.available:
		return model.Available
	case pr.forgiven:
		return model.Exempt
	case f.joining:
		return model.Joining
	case !f.moved.At.IsZero() && f.toTarget() && (f.ready || !v.live.proven()):
		return model.Committed // the rollout has emptied it, whatever its record says now
	case !f.toTarget():
		return model.Ambient
	case v.live.hasTarget() && (f.ready || !v.live.proven()):
		return model.Committed
	case v.live.returning() && f.ready && v.comesBack(f):
		return model.Committed
	}
	return model.Ambient
}

func (v *view) comesBack(f *facts) bool {
	pod := f.fresh.Live
	if pod == nil {
		return true
	}
	made := pod.CreationTimestamp.Time
	return !made.Before(v.live.state.Return.Since.Time) && v.now.Before(made.Add(v.deadline()))
}

// mayBeExempt tells whether an ambient node need not be charged: its Node is not Ready, or its Pod is older than the record of
// the target; never one that belongs to the target.
func (v *view) mayBeExempt(f *facts) bool {
	since := v.live.state.TargetSince
	if !f.moved.At.IsZero() {
		return false
	}
	switch {
	case v.live.hasTarget():
		return !f.toTarget() && (!f.ready || f.old.Live.CreationTimestamp.Before(since))
	case v.live.returning():
		return !f.ready && f.toTarget()
	}
	return !f.ready
}
