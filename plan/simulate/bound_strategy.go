package main

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

// strategyBound is the lower bound of a rollout by one strategy, with the durations as they are without jitter:
//
//	⌈nodes/budget⌉ × handoff + preparation     where targets prepare while others are handed over
//	⌈nodes/budget⌉ × (preparation + handoff)   where the old Pod goes before the new one is made
//
// Example: 11 nodes, 1 at a time, a handoff of 23 s and 64 s of preparation: 11 × 23 s + 64 s = 5 min 17 s, or
// 11 × 87 s = 15 min 57 s.
type strategyBound struct {
	simulate.Bound
	// first says that the old Pod goes first.
	first bool
}

func boundOfStrategy(b simulate.Bound, r *model.Rollout) strategyBound {
	s := r.WithDefaults().Spec.Strategy
	return strategyBound{b, s.Type == model.RollingUpdate || s.Type == model.Pair && s.Overlap == model.Never}
}

// round is what every ⌈nodes/budget⌉ takes, and once what is added to them.
func (b *strategyBound) round() time.Duration {
	if b.first {
		return b.Preparation + b.Handoff
	}
	return b.Handoff
}

func (b *strategyBound) once() time.Duration {
	if b.first {
		return 0
	}
	return b.Preparation
}

// total is the bound at a budget.
func (b *strategyBound) total(budget int) time.Duration {
	budget = max(1, budget)
	return time.Duration((b.Nodes+budget-1)/budget)*b.round() + b.once()
}

// least is the smallest budget whose bound is within the deadline; 0 if there is none.
func (b *strategyBound) least(within time.Duration) int {
	rounds := int((within - b.once()) / max(1, b.round()))
	if rounds < 1 {
		return 0
	}
	return (b.Nodes + rounds - 1) / rounds
}

// text is the formula with this number of rounds.
func (b *strategyBound) text(rounds string) string {
	if b.first {
		return fmt.Sprintf("%s × (%s of preparation + %s of handoff)", rounds, elapsed(b.Preparation), elapsed(b.Handoff))
	}
	return fmt.Sprintf("%s × %s of handoff + %s of preparation", rounds, elapsed(b.Handoff), elapsed(b.Preparation))
}
