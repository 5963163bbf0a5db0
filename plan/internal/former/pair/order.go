package pair

import (
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/plan/internal/former/step"
)

// rank orders the classes of moves: free repairs, then handoffs that take no seat, then free ones, then paid
// ones, then overlaps.
func (n *nodeProposal) rank() int {
	switch n.move {
	case stay:
		return 9
	case moveDeletePod, moveCandidate, moveTakeBack, moveTurn, moveRepair, moveAdmit, moveClear:
		return 0
	case moveReplace, moveHandoff, moveRelease:
		switch n.seat {
		case budget.NoSeat:
			return 1
		case budget.FreeSeat:
			return 2
		case budget.PaidSeat:
			return 3
		}
	case moveOverlap:
		return 4
	case moveDead:
		return 5
	}
	return 9
}

// orderProposals brings the proposals into the one order of admission: by class, unavailable nodes first, then
// the spread's turns, then names.
func (p *planner) orderProposals() {
	turns := p.turns()
	slices.SortFunc(p.proposals, func(a, b nodeProposal) int {
		if d := a.rank() - b.rank(); d != 0 {
			return d
		}
		if d := a.loses() - b.loses(); d != 0 {
			return d
		}
		if turns != nil {
			return int(turns[a.node] - turns[b.node])
		}
		return int(a.node - b.node)
	})
}

// loses orders nodes by what their move may lose: nothing, an agent that has not settled, one that is available.
func (n *nodeProposal) loses() int { return boolToInt(n.settling) + 2*boolToInt(n.available) }

// turns are the nodes' places in the spread; nil where the order of names holds.
func (p *planner) turns() []int32 {
	if len(p.proposals) < 2 {
		return nil
	}
	return step.Turns(p.cluster, p.rollout.Spec.Strategy.SpreadBy)
}
