package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

func TestStrategyBound(t *testing.T) {
	measured := simulate.Bound{Nodes: 11, Budget: 1, Handoff: 23 * time.Second, Preparation: 64 * time.Second}
	tests := []struct {
		strategy model.Strategy
		total    time.Duration
		text     string
	}{
		{model.Strategy{}, 5*time.Minute + 17*time.Second, "11 × 23s of handoff + 1m4s of preparation"},
		{model.Strategy{Type: model.Surge}, 5*time.Minute + 17*time.Second, "11 × 23s of handoff + 1m4s of preparation"},
		{model.Strategy{Overlap: model.Never}, 15*time.Minute + 57*time.Second, "11 × (1m4s of preparation + 23s of handoff)"},
		{model.Strategy{Type: model.RollingUpdate}, 15*time.Minute + 57*time.Second, "11 × (1m4s of preparation + 23s of handoff)"},
	}
	for _, test := range tests {
		b := boundOfStrategy(measured, &model.Rollout{Spec: model.Spec{Strategy: test.strategy}})
		require.Equal(t, test.total, b.total(1))
		require.Equal(t, test.text, b.text("11"))
		for budget := 1; budget <= 11; budget++ {
			within := b.total(budget)
			least := b.least(within)
			require.LessOrEqual(t, b.total(least), within, "the least budget keeps the deadline")
			require.True(t, least == 1 || b.total(least-1) > within, "one less does not")
		}
		require.Zero(t, b.least(b.total(11)-1))
	}
}
