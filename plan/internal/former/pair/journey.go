package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
)

// journey says from which slot to which the nodes go. Every node is judged by the same table, whatever
// the direction: forward to a target, back home after a cancel, or home because it strayed.
type journey struct {
	from, to model.Slot
	// toRevision is the revision that makes a Pod of the destination exact.
	toRevision string
	// home says that the destination is the authoritative slot: it needs no proof.
	home bool
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

// journeyOf reads the direction from the record: what is recorded decides, not what Pods do.
func journeyOf(pair *pairView) journey {
	r := &pair.record
	j := journey{from: r.active.Other(), to: r.active, home: true}
	if r.target != model.NoSlot && r.state.Return == nil {
		j = journey{from: r.active, to: r.target, toRevision: r.targetRevision}
		j.proven = r.state.Proven == r.targetRevision
	}
	if r.state.Return != nil {
		j.since = r.state.Return.Since.Time
	}
	if r.state.TargetSince != nil {
		j.targetSince = r.state.TargetSince.Time
	}
	if j.home {
		j.toRevision = pair.slot(j.to).revision
	}
	from, to := pair.slot(j.from), pair.slot(j.to)
	j.fromOwns, j.toOwns = from.owns, to.owns
	j.fromOverlaps, j.toOverlaps = from.overlaps, to.overlaps
	return j
}

// place is where a node's label puts it on the journey.
type place uint8

const (
	// atFrom: only the slot that is left is admitted.
	atFrom place = iota
	// between: both are admitted, in the journey's direction.
	between
	// contrary: both are admitted, and the label says the opposite direction.
	contrary
	// released: none is admitted until the Pods of the slot that is left are gone.
	released
	// atTo: only the destination is admitted.
	atTo
	// unowned: both slots take unlabelled nodes, for the moment between two writes.
	unowned
	// astray: the label is not understood, or no slot takes the unlabelled node.
	astray
)

func (j *journey) place(label model.NodeLabel) place {
	switch label.Kind {
	case model.Unlabelled:
		switch {
		case j.fromOwns && j.toOwns:
			return unowned
		case j.toOwns:
			return atTo
		case j.fromOwns:
			return atFrom
		}
		return astray
	case model.Serves:
		if label.To == j.to {
			return atTo
		}
		return atFrom
	case model.Overlaps:
		return j.placeInOverlap(label)
	case model.Released:
		return released
	case model.Foreign:
		return astray
	}
	return astray
}

// placeInOverlap places a node in overlap by the slots that really take it: those of a pair without the
// wrapper do not.
func (j *journey) placeInOverlap(label model.NodeLabel) place {
	switch {
	case j.fromOverlaps && j.toOverlaps && label.To == j.to:
		return between
	case j.fromOverlaps && j.toOverlaps:
		return contrary
	case j.fromOverlaps:
		return atFrom
	case j.toOverlaps:
		return atTo
	}
	return astray
}

// admitsFrom and admitsTo tell whether a node at the place takes Pods of the slot.
func (p place) admitsFrom() bool {
	return p == atFrom || p == between || p == contrary || p == unowned
}

func (p place) admitsTo() bool { return p == atTo || p == between || p == contrary || p == unowned }

// overlaps tells whether both slots are admitted.
func (p place) overlaps() bool { return p == between || p == contrary }
