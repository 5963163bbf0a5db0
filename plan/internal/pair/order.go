package pair

import (
	"slices"

	"github.com/agent-rollout/planner/budget"
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
		if a.available != b.available {
			return boolToInt(a.available) - boolToInt(b.available)
		}
		if turns != nil {
			return int(turns[a.node] - turns[b.node])
		}
		return int(a.node - b.node)
	})
}

// turns gives every node its place in the spread over all nodes, so that the order does not change while the
// rollout goes on; nil without a spread, where the order of names holds.
func (p *planner) turns() []int32 {
	keys := p.rollout.Spec.Strategy.SpreadBy
	if len(keys) == 0 || len(p.proposals) < 2 {
		return nil
	}
	nodes := make([]int32, p.cluster.Len())
	for i := range nodes {
		nodes[i] = int32(i)
	}
	turns := make([]int32, len(nodes))
	for turn, node := range p.spread(nodes, keys) {
		turns[node] = int32(turn)
	}
	return turns
}

// spread lets the values of the first key take turns, and within each value those of the next key. The
// nodes come in the order of names, which decides where no key is left.
func (p *planner) spread(nodes []int32, keys []string) []int32 {
	if len(keys) == 0 || len(nodes) < 2 {
		return nodes
	}
	groups := map[string][]int32{}
	var values []string
	for _, node := range nodes {
		value := p.cluster.Node(int(node)).Labels[keys[0]]
		if _, ok := groups[value]; !ok {
			values = append(values, value)
		}
		groups[value] = append(groups[value], node)
	}
	slices.Sort(values)
	for _, value := range values {
		groups[value] = p.spread(groups[value], keys[1:])
	}
	spread := make([]int32, 0, len(nodes))
	for turn := 0; len(spread) < len(nodes); turn++ {
		for _, value := range values {
			if group := groups[value]; turn < len(group) {
				spread = append(spread, group[turn])
			}
		}
	}
	return spread
}
