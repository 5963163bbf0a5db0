package simulate_test

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
	}{
		{model.Strategy{}, 5*time.Minute + 17*time.Second},
		{model.Strategy{Type: model.Surge}, 5*time.Minute + 17*time.Second},
		{model.Strategy{Overlap: model.Never}, 15*time.Minute + 57*time.Second},
		{model.Strategy{Type: model.RollingUpdate}, 15*time.Minute + 57*time.Second},
	}
	for _, test := range tests {
		b := simulate.BoundOfStrategy(measured, &model.Rollout{Spec: model.Spec{Strategy: test.strategy}})
		require.Equal(t, test.total, b.TotalAt(1))
		for budget := 1; budget <= 11; budget++ {
			within := b.TotalAt(budget)
			least := b.Least(within)
			require.LessOrEqual(t, b.TotalAt(least), within, "the least budget keeps the deadline")
			require.True(t, least == 1 || b.TotalAt(least-1) > within, "one less does not")
		}
		require.Zero(t, b.Least(b.TotalAt(11)-1))
	}
}
