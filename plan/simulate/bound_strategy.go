package simulate

import (
	"time"

	"github.com/agent-rollout/planner/model"
)

// StrategyBound is the lower bound of a rollout by one strategy, with the durations as they are without jitter:
//
//	⌈nodes/budget⌉ × handoff + preparation     where targets prepare while others are handed over
//	⌈nodes/budget⌉ × (preparation + handoff)   where the old Pod goes before the new one is made
//
// Example: 11 nodes, 1 at a time, a handoff of 23 s and 64 s of preparation: 11 × 23 s + 64 s = 5 min 17 s, or
// 11 × 87 s = 15 min 57 s.
type StrategyBound struct {
	Bound
	// First says that the old Pod goes before the new one is made.
	First bool
}

// BoundOfStrategy is the bound by the rollout's strategy, its defaults filled in.
func BoundOfStrategy(b Bound, r *model.Rollout) StrategyBound {
	s := r.WithDefaults().Spec.Strategy
	return StrategyBound{b, s.Type == model.RollingUpdate || s.Type == model.Pair && s.Overlap == model.Never}
}

// Round is what every ⌈nodes/budget⌉ takes.
func (b *StrategyBound) Round() time.Duration {
	if b.First {
		return b.Preparation + b.Handoff
	}
	return b.Handoff
}

// Once is what is added once.
func (b *StrategyBound) Once() time.Duration {
	if b.First {
		return 0
	}
	return b.Preparation
}

// TotalAt is the bound at a budget, in nodes.
func (b *StrategyBound) TotalAt(budget int) time.Duration {
	budget = max(1, budget)
	return time.Duration((b.Nodes+budget-1)/budget)*b.Round() + b.Once()
}

// Least is the smallest budget whose bound is within the deadline; 0 if there is none.
func (b *StrategyBound) Least(within time.Duration) int {
	rounds := int((within - b.Once()) / max(1, b.Round()))
	if rounds < 1 {
		return 0
	}
	return (b.Nodes + rounds - 1) / rounds
}
