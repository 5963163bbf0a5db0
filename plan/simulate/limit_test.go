package simulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// The limit that nodes wait for is named, and more of it makes the run shorter; more of the others does not.
func TestDecidedBy(t *testing.T) {
	number := func(n int32) *intstr.IntOrString { return ptr(intstr.FromInt32(n)) }
	for _, test := range []struct {
		name     string
		set      func(*model.Strategy)
		by       simulate.Limit
		from, to int
	}{
		{"a narrow window", func(s *model.Strategy) { s.MaxSurge = number(2) }, simulate.ByWindow, 2, 4},
		{"a window of all nodes", func(s *model.Strategy) { s.MaxSurge = number(24) }, simulate.ByBudget, 2, 4},
		{"no overlap", func(s *model.Strategy) { s.Overlap = model.Never }, simulate.ByBudget, 2, 4},
		{"a canary", func(s *model.Strategy) { s.MaxSurge, s.Canary = number(24), &model.Canary{Replicas: number(2)} }, simulate.ByCohort, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			change := func(r *model.Rollout) { test.set(&r.Spec.Strategy) }
			w, now := installedWith(t, 24, intstr.FromInt32(2), world.Options{}, change)
			o := simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now}
			change(o.Rollout)
			r, err := simulate.Run(w.Clone(), plan.Next, o)
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome, r.Message)
			require.Equal(t, test.by, r.DecidedBy)
			raised, err := simulate.Raise(w, plan.Next, o, &r)
			require.NoError(t, err)
			if test.to == 0 {
				require.Nil(t, raised, "the time of a canary is no number of nodes")
				return
			}
			require.Equal(t, []int{test.from, test.to}, []int{raised.From, raised.To})
			require.Equal(t, simulate.Complete, raised.Result.Outcome)
			require.Less(t, raised.Result.Duration, r.Duration)
			require.True(t, raised.Gains(&r))
			require.False(t, raised.Gains(&raised.Result), "the same gains nothing")
		})
	}
}

func TestRaiseWithoutALimit(t *testing.T) {
	w, now := installed(t, 2, intstr.FromInt32(2), world.Options{})
	o := simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now}
	r, err := simulate.Run(w.Clone(), plan.Next, o)
	require.NoError(t, err)
	require.Equal(t, simulate.NoLimit, r.DecidedBy, "two nodes, two at a time")
	raised, err := simulate.Raise(w, plan.Next, o, &r)
	require.NoError(t, err)
	require.Nil(t, raised)
}
