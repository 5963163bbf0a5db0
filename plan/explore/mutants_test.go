package explore_test

import (
	"slices"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
)

// without leaves out actions of a plan.
func without(drop func(*model.Action) bool) func(*model.Snapshot) (model.Plan, error) {
	return func(s *model.Snapshot) (model.Plan, error) {
		p, err := plan.Next(s)
		p.Actions = slices.DeleteFunc(slices.Clone(p.Actions), func(a model.Action) bool { return drop(&a) })
		return p, err
	}
}

// changed plans from a snapshot with other facts or settings.
func changed(change func(*model.Rollout)) func(*model.Snapshot) (model.Plan, error) {
	return func(s *model.Snapshot) (model.Plan, error) {
		r := *s.Rollout
		change(&r)
		return plan.Next(&model.Snapshot{Cluster: s.Cluster, Rollout: &r})
	}
}

// Every property of the scopes kills a planner that has lost a rule.
func TestTheScopesKillMutants(t *testing.T) {
	const validator, goal, served, locks = "the validator finds nothing", "the rollout completes (L1, L3)", "nodes served (S2, S3)", "S1"
	quiet := func(*model.Snapshot, *model.Plan) []plan.Violation { return nil }
	for _, c := range []struct {
		name  string
		scope scope
		kills string
	}{
		{
			"a handoff of two nodes at a time breaks S2 of the plan",
			scope{planner: changed(func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = r.Spec.Strategy.MaxSurge })}, validator,
		},
		{
			"and takes the agent from two nodes",
			scope{planner: changed(func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = r.Spec.Strategy.MaxSurge }), validate: quiet}, served,
		},
		{
			"nodes that lag and actions that are forgotten overspend",
			scope{planner: changed(func(r *model.Rollout) { r.Status.Issued = nil }), lags: []world.Cache{world.NodeCache}}, validator,
		},
		{
			// No planner can keep it off: without locks the DaemonSet controller acts on the label at once.
			"without locks a person's label runs two agents",
			scope{overlap: model.Never, most: 1, faults: edits}, locks,
		},
		{
			"without the candidate's record nothing is handed over",
			scope{planner: without(func(a *model.Action) bool { return a.Kind == model.RecordCandidate }), validate: quiet}, goal,
		},
		{
			"without the record of completion the rollout never ends",
			scope{planner: without(func(a *model.Action) bool { return a.Reason == model.RolloutComplete }), validate: quiet}, goal,
		},
		{
			"a target that lost its source's locks keeps them",
			scope{planner: without(func(a *model.Action) bool { return a.Reason == model.LocksSplit }), validate: quiet, most: 1, faults: faultsOf(world.Crash)}, goal,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.scope.nodes, c.scope.revisions, c.scope.prompt, c.scope.coarse = 2, []int{1, 2}, true, true
			m, err := c.scope.model()
			require.NoError(t, err)
			result, err := explore.Run(m, m.properties(), explore.Options{Fair: fair, StopAtFirst: c.kills != goal})
			require.NoError(t, err)
			at := slices.IndexFunc(result.Violations, func(v explore.Violation) bool { return v.Property == c.kills })
			require.GreaterOrEqual(t, at, 0, "survives: %s", result)
			t.Log(result.Violations[at].Error())
			_, err = explore.Replay(m, result.Violations[at].Trace)
			require.NoError(t, err, "the trace can be replayed")
		})
	}
}
