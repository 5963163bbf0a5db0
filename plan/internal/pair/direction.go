package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
)

// direction says from which slot to which the nodes go. Every node is judged by the same table, whatever
// the direction: forward to a target, back to the source after a cancel, or back because it strayed.
type direction struct {
	from, to model.Slot
	// toRevision is the revision that makes a Pod of the destination exact.
	toRevision string
	// back says that the destination is the authoritative slot: it needs no proof.
	back bool
	// proven says that the recorded target is proven.
	proven bool
	// since is when a return began; zero otherwise.
	since time.Time
	// targetSince is when the target was recorded; zero without one.
	targetSince time.Time
	// fromOwns and toOwns say which slots take unlabelled nodes, fromOverlaps and toOverlaps those in overlap.
	fromOwns, toOwns         bool
	fromOverlaps, toOverlaps bool
}

// directionOf reads the direction from the record: what is recorded decides, not what Pods do.
func directionOf(pair *pairView) direction {
	r := &pair.record
	d := direction{from: r.active.Other(), to: r.active, back: true}
	if r.target != model.NoSlot && r.state.Return == nil {
		d = direction{from: r.active, to: r.target, toRevision: r.targetRevision}
		d.proven = r.state.Proven == r.targetRevision
	}
	if r.state.Return != nil {
		d.since = r.state.Return.Since.Time
	}
	if r.state.TargetSince != nil {
		d.targetSince = r.state.TargetSince.Time
	}
	if d.back {
		d.toRevision = pair.slot(d.to).revision
	}
	from, to := pair.slot(d.from), pair.slot(d.to)
	d.fromOwns, d.toOwns = from.owns, to.owns
	d.fromOverlaps, d.toOverlaps = from.overlaps, to.overlaps
	return d
}

// place is where a node's label puts it on the way.
type place uint8

const (
	// atFrom: only the slot that is left is admitted.
	atFrom place = iota
	// overlapping: both are admitted, and the label says this direction.
	overlapping
	// reversed: both are admitted, and the label says the opposite direction.
	reversed
	// released: none is admitted until the Pods of the slot that is left are gone.
	released
	// atTo: only the destination is admitted.
	atTo
	// unowned: both slots take unlabelled nodes, for the moment between two writes.
	unowned
	// unrecognised: the label is not understood, or no slot takes the unlabelled node.
	unrecognised
)

func (d *direction) place(label model.NodeLabel) place {
	switch label.Kind {
	case model.Unlabelled:
		switch {
		case d.fromOwns && d.toOwns:
			return unowned
		case d.toOwns:
			return atTo
		case d.fromOwns:
			return atFrom
		}
		return unrecognised
	case model.Serves:
		if label.To == d.to {
			return atTo
		}
		return atFrom
	case model.Overlaps:
		return d.placeInOverlap(label)
	case model.Released:
		return released
	case model.Foreign:
		return unrecognised
	}
	return unrecognised
}

// placeInOverlap places a node in overlap by the slots that really take it: those of a pair without the
// wrapper do not.
func (d *direction) placeInOverlap(label model.NodeLabel) place {
	switch {
	case d.fromOverlaps && d.toOverlaps && label.To == d.to:
		return overlapping
	case d.fromOverlaps && d.toOverlaps:
		return reversed
	case d.fromOverlaps:
		return atFrom
	case d.toOverlaps:
		return atTo
	}
	return unrecognised
}

// admitsFrom and admitsTo tell whether a node at the place takes Pods of the slot.
func (p place) admitsFrom() bool {
	return p == atFrom || p == overlapping || p == reversed || p == unowned
}

func (p place) admitsTo() bool { return p == atTo || p == overlapping || p == reversed || p == unowned }

// overlaps tells whether both slots are admitted.
func (p place) overlaps() bool { return p == overlapping || p == reversed }
