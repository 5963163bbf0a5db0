package snapshots_test

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// threeZones plays the shipped file with one setting changed, pulls of a minute, and every plan judged.
func threeZones(t *testing.T, change func(*model.Strategy)) simulate.Result {
	t.Helper()
	d, err := dump.Files("three-zones.yaml")
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	snapshot.Rollout.Status.Watched = true
	change(&snapshot.Rollout.Spec.Strategy)
	w, err := world.New(snapshot, world.Options{})
	require.NoError(t, err)
	result, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: snapshot.Rollout, OnStep: func(s *model.Snapshot, p *model.Plan) error {
		require.LessOrEqual(t, p.Ledger.Committed, 1)
		require.Empty(t, plan.Validate(s, p))
		return nil
	}})
	require.NoError(t, err)
	return result
}

// A window that hides the pulls halves the time, and the budget of one node is kept in either case.
func TestTheWindowHidesThePulls(t *testing.T) {
	played := map[int32]simulate.Result{}
	for _, window := range []int32{1, 4} {
		surge := intstr.FromInt32(window)
		result := threeZones(t, func(s *model.Strategy) { s.MaxSurge = &surge })
		require.Equal(t, simulate.Complete, result.Outcome, result.Message)
		require.Equal(t, 1, result.MostUnserved)
		played[window] = result
	}
	narrow, wide := played[1], played[4]
	require.LessOrEqual(t, 2*wide.Duration, narrow.Duration)
	require.True(t, wide.ReachesBound())
}

// Without the exemption the node that is not Ready eats the budget, and the end says which it is and what clears it.
func TestADeadNodeIsNamed(t *testing.T) {
	none := intstr.FromInt32(0)
	result := threeZones(t, func(s *model.Strategy) { s.ExemptUnhealthy = &none })
	require.Equal(t, simulate.Blocked, result.Outcome)
	require.Equal(t, string(model.BudgetSpent), result.Reason)
	require.Contains(t, result.Message, "worker-b-3")
	require.Contains(t, result.Message, "exemptUnhealthy")
	require.Zero(t, result.MostUnserved)
}
