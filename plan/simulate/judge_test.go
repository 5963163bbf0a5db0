package simulate_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// A run that is judged finds nothing of the planner itself, and finds planners that have lost a rule.
func TestJudge(t *testing.T) {
	greedy := func(s *model.Snapshot) (model.Plan, error) {
		r := *s.Rollout
		r.Spec.Strategy.MaxUnavailable = ptr(intstr.FromInt32(3))
		return plan.Next(&model.Snapshot{Cluster: s.Cluster, Rollout: &r})
	}
	count := 0
	remembers := func(s *model.Snapshot) (model.Plan, error) {
		p, err := plan.Next(s)
		count++
		p.Pair.Ready += count
		return p, err
	}
	careless := func(s *model.Snapshot) (model.Plan, error) {
		p, err := plan.Next(s)
		p.Actions = slices.Clone(p.Actions)
		for i := range p.Actions {
			if write := &p.Actions[i].Write; write.Patch != nil && len(write.Patch.Labels) > 0 {
				patch := *write.Patch
				patch.ResourceVersion, write.Patch = "", &patch
			}
		}
		return p, err
	}
	for _, c := range []struct {
		name    string
		planner simulate.Planner
		breaks  string
	}{
		{"the planner", plan.Next, ""},
		{"one more may be unavailable", greedy, "S2"},
		{"it remembers", remembers, "S12"},
		{"a handoff does not test the resourceVersion", careless, "S6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, now := installed(t, 6, intstr.FromInt32(2), world.Options{Lagging: true})
			r, err := simulate.Run(w, c.planner, simulate.Options{
				Rollout: pairOf("2", intstr.FromInt32(2)), Start: now, Judge: true, Crashes: []simulate.Crash{{Before: 5, Late: 20 * time.Second}},
				Timings: simulate.Timings{CacheLag: 3 * time.Second},
			})
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome)
			if c.breaks == "" {
				require.Empty(t, r.Violations)
				return
			}
			require.True(t, slices.ContainsFunc(r.Violations, func(v property.Violation) bool { return v.Property == c.breaks }), "%+v", r.Violations)
		})
	}
}
