package verify

import "github.com/agent-rollout/planner/model"

// Desired is the document that is desired in the state.
func (m *Model) Desired(s *State) *model.Rollout { return m.scope.Documents[s.desired].Rollout }

// Truth is what the API server has.
func (s *State) Truth() *model.Cluster { return s.asItIs().Cluster }
