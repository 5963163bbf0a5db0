package verify

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/internal/former"
)

// Desired is the document that is desired in the state.
func (m *Model) Desired(s *State) *model.Rollout { return m.scope.Documents[s.desired].Rollout }

// Truth is what the API server has.
func (s *State) Truth() *model.Cluster { return s.asItIs().Cluster }

// Watch compares the plans of a scope without a planner of its own with the former planner's.
func (m *Model) Watch(twin *former.Twin) {
	if m.scope.Planner != nil {
		return
	}
	for i := range m.planners {
		m.planners[i] = Planner(twin.Watch(former.Planner(m.planners[i]), plan.Next))
	}
}
