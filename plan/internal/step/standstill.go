package step

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
)

// Standstill is what holds so many nodes, the first of them named, and nothing under way would free.
type Standstill struct {
	Reason model.Reason
	Nodes  int
	Named  string
}

// FirstCause is the first of the causes, the root before what only follows from it, that holds nodes or is the hold itself; reason "" if there
// is none.
func FirstCause(plan *model.Plan, causes []model.Reason, hold model.Reason) Standstill {
	for _, cause := range causes {
		if count, names := Held(plan, cause); count > 0 || cause == hold {
			return Standstill{cause, count, names}
		}
	}
	return Standstill{}
}

// Clearing words what has to change, where that is the same for every mechanism.
func (s *Standstill) Clearing(plan *model.Plan, cluster *model.Cluster, strategy *model.Strategy) *BlockedError {
	switch ledger := plan.Ledger; s.Reason {
	case model.WaitingForBudget:
		return Block(model.BudgetSpent, fmt.Sprintf("%s for budget: %d committed + %d ambient − %d exempt ≥ maxUnavailable %d. It is spent by %s: %s",
			Counted(s.Nodes, "node waits", "nodes wait"), ledger.Committed, ledger.Ambient, ledger.Exempt, plan.Limits.Unavailable,
			Spenders(plan.Nodes, cluster), SpentText(plan, strategy.Exempt(ledger.Eligible))))
	case model.RolloutFrozen:
		return Block(s.Reason, "spec.strategy.frozen stops everything: set it to false to go on")
	case model.OtherPodsUnknown:
		return Block(s.Reason, fmt.Sprintf("capacity cannot be judged on %s (%s): list all Pods of the nodes named in needs", Counted(s.Nodes, "node", "nodes"), s.Named))
	case model.NodeUnderPressure:
		return Block(s.Reason, fmt.Sprintf("%s under pressure (%s)%s: nothing is added there while it lasts. Relieve it, or remove the nodes",
			Counted(s.Nodes, "node is", "nodes are"), s.Named, FirstDetail(plan, s.Reason)))
	}
	return Block(s.Reason, fmt.Sprintf("%s cannot move (%s)%s", Counted(s.Nodes, "node", "nodes"), s.Named, FirstDetail(plan, s.Reason)))
}
