package pair

import (
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// The traits that only a pair's nodes have.
const (
	// atDestination: eligible, and the label admits only the destination.
	atDestination = step.FirstOwn << iota
	// unlabelledBusy: without the slot label, and a Pod of the slot that is left still runs. unlabelledHeld: one of them that is
	// eligible with a Ready Node. unlabelledKept: one whose Pod Kubernetes keeps though it is not eligible.
	unlabelledBusy
	unlabelledHeld
	unlabelledKept
	// candidates: eligible with a Ready Node, has not begun to leave, and may.
	candidates
	// dead: eligible, and left for last since its Node is not Ready. deadElsewhere: one of them whose label is not the destination's yet, nor
	// that of a node that is let in when it comes back.
	dead
	deadElsewhere
	// pending: eligible with a Ready Node, not where it is to be, and may still come there.
	pending
	// unfenced: overlaps, and this executor has not marked it yet.
	unfenced
	// pulled: has a prepared or serving Pod of the destination, which proves that it can be pulled.
	pulled
	// mayProve: handed over, mayProveOverlapping: overlaps, and the target may still prove itself there.
	mayProve
	mayProveOverlapping
	// windowReleased: overlaps, and gave its place in the window back for a cause that may be the target's own.
	windowReleased
	// foreignHeld: a Pod of a controller that is there runs on it under the rollout's labels.
	foreignHeld
	// returned: came back a short while ago and is not available yet.
	returned
)

// traits are what is true of the node. What is said of a node that is not eligible concerns its label and its marks alone.
func (v *view) traits(f *facts, pr *proposal, blame model.Blame) step.Traits {
	unlabelled := f.label.Kind == model.Unlabelled
	busy := unlabelled && !f.from.Gone()
	eligible := f.eligible == capacity.Eligible
	t := unfenced.If(f.place.overlaps() && !v.fenced(f)) | unlabelledBusy.If(busy) |
		unlabelledHeld.If(busy && f.ready && eligible) | unlabelledKept.If(busy && v.losesOwner(f))
	if !eligible {
		return t
	}
	overlaps := f.place.overlaps() && f.ready
	charged := v.issuedCost[f.index].Overlap > 0 || overlaps && !pr.offWindow
	return t | step.Eligible | step.Column(blame) | v.statusTraits(f) | v.directionTraits(f, pr) |
		step.InWindow.If(charged) | windowReleased.If(!charged && overlaps && pr.suspect) | step.OffSource.If(v.offSource(f)) |
		mayProveOverlapping.If(pr.mayProve && f.place.overlaps()) | mayProve.If(pr.mayProve && !f.place.overlaps()) |
		step.Evidence(pr.failed, pr.aside || !f.ready, f.available || f.label.Kind != model.Unlabelled && f.moved.Worked()) | foreignHeld.If(pr.reason == model.ForeignPods)
}

// offSource tells whether the node has left the source, or is about to.
func (v *view) offSource(f *facts) bool {
	return f.place != atFrom && f.place != unrecognised && f.place != unowned || v.issuedCost[f.index].OffSource > 0
}

// statusTraits are what the pair's status counts.
func (v *view) statusTraits(f *facts) step.Traits {
	desired := v.render != nil && v.direction.toRevision == v.render.Revision
	return step.Updated.If(f.serves() && f.place.admitsTo() && desired) | step.Ready.If(f.available || f.settling) | column(f.place)
}

func column(at place) step.Traits {
	switch at {
	case atTo:
		return step.OnTarget
	case overlapping, reversed, unowned:
		return step.InOverlap
	case atFrom, released, unrecognised:
	}
	return step.OnSource
}

// directionTraits are how far the node has come.
func (v *view) directionTraits(f *facts, pr *proposal) step.Traits {
	done := pr.verdict == model.Done
	comes := f.ready && !pr.aside && !f.joining
	return step.Finished.If(done) | pending.If(comes && !done && !pr.failed) |
		dead.If(!f.ready) | deadElsewhere.If(!f.ready && f.place != atTo && f.place != released) |
		step.OffDestination.If(comes && (f.place != atTo || !f.from.Gone())) | atDestination.If(f.place == atTo) |
		candidates.If(f.place == atFrom && f.ready && pr.verdict == model.Acts) |
		step.Served.If(f.serves() && f.place == atTo && f.label.Kind != model.Unlabelled) |
		pulled.If(f.serves() || v.prepared(f)) | returned.If(v.justReturned(f) && v.now.Before(v.returnedUntil(f)))
}

// blame chooses the column of an eligible node. While a target is recorded a node labelled target without an available exact
// target is committed, whatever the cause; it becomes ambient only when its Node is not Ready and the target is proven.
func (v *view) blame(f *facts, pr *proposal) model.Blame {
	d := &v.direction
	switch {
	case v.issuedCost[f.index].Seat != "":
		return model.Committed
	case f.available:
		return model.Available
	case pr.forgiven:
		return model.Exempt
	case f.joining:
		return model.Joining
	case f.place == released && (f.ready || !(d.proven || d.back)):
		return model.Committed
	case f.place != atTo || f.label.Kind == model.Unlabelled:
		return model.Ambient
	case !f.ready && (d.proven || d.back), v.hadNone(f):
		return model.Ambient
	case !d.back:
		return model.Committed
	case v.movedBack(f):
		return model.Committed
	}
	return model.Ambient
}

// movedBack tells whether the rollout itself took the node's agent a short while ago to bring it to the authoritative
// slot: since the return began, or within the deadline. A node that had none before stays ambient: it came back from a
// fault or a hand, and must not keep the next one waiting.
func (v *view) movedBack(f *facts) bool {
	began := v.direction.since
	if began.IsZero() {
		began = v.now.Add(-v.deadline())
	}
	return f.moved.Paid && !f.moved.At.IsZero() && !f.moved.At.Before(began.Truncate(time.Second))
}

// justReturned tells whether the node was labelled for the authoritative slot, whose Pod does not serve it though its Node is
// Ready.
func (v *view) justReturned(f *facts) bool {
	return v.direction.back && f.place == atTo && f.ready && !f.available && !f.moved.At.IsZero()
}

// returnedUntil is until when such a node counts as just returned.
func (v *view) returnedUntil(f *facts) time.Time { return f.moved.At.Add(v.deadline()) }

// mayBeExempt tells whether an ambient node need not be charged: its Node is not Ready, or its Pod is older than the
// recorded target, or it had no agent when it got the proven target; never another one that is labelled for the slot that is not authoritative, or on
// its way there without an agent.
func (v *view) mayBeExempt(f *facts) bool {
	if v.direction.back {
		return !f.ready && f.place != atFrom
	}
	return f.place != atTo && f.place != released && (!f.ready || v.olderThanTarget(f)) || f.place == atTo && v.hadNone(f)
}

// hadNone tells whether the node was handed over to a proven target without an agent: the rollout has taken nothing from it.
func (v *view) hadNone(f *facts) bool {
	return v.direction.proven && f.label.Kind == model.Serves && !f.moved.Worked()
}

// olderThanTarget tells whether the node's unavailable Pod was there before the target was recorded: then
// the rollout cannot have hurt it.
func (v *view) olderThanTarget(f *facts) bool {
	since := v.direction.targetSince
	return f.from.Live != nil && !since.IsZero() && f.from.Live.CreationTimestamp.Time.Before(since)
}
