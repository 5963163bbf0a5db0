package property

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
)

// State is one moment of a run, as it really is.
type State struct {
	World *world.World
	// Rollout is what is desired now.
	Rollout *model.Rollout
	Now     time.Time
	// Installing says that the first revision does not serve everywhere yet: nodes without an agent are no loss.
	Installing bool
	// Excused, LateHandoffs and Labelled are explained at the Offers of those names.
	Excused      int
	LateHandoffs int
	Labelled     map[string]int
}

// Planned is one plan with the snapshot that it was made from.
type Planned struct {
	State
	Snapshot *model.Snapshot
	Plan     *model.Plan
	// Planner is asked again, unless it is nil: a driver need not pay for that with every plan.
	Planner func(*model.Snapshot) (model.Plan, error)
	// Memory is another planner of the same rollout, unless it is nil: one of both remembers.
	Memory func(*model.Snapshot) (model.Plan, error)
	// Validate is plan.Validate unless it is set.
	Validate func(*model.Snapshot, *model.Plan) []plan.Violation

	validated bool
	found     []plan.Violation
}

// violations asks the validator once for all properties.
func (s *Planned) violations() []plan.Violation {
	if !s.validated {
		validate := s.Validate
		if validate == nil {
			validate = plan.Validate
		}
		s.found, s.validated = validate(s.Snapshot, s.Plan), true
	}
	return s.found
}

// Step is what led from one state to the next.
type Step struct {
	Name string
	// Disturbs says that a fault or its end, a person or a dead executor's request did it.
	Disturbs bool
	// Complete tells whether the rollout was at its end before, and is after.
	CompleteBefore, CompleteAfter bool
}

// End is where a run has come to rest.
type End struct {
	State
	// Last is the last plan: it had no action and asked for no other one, or the run was given up.
	Last *model.Plan
	// Plans that the end took, and the most that it may take.
	Plans, MostPlans int
	// Crashes of executors on the way.
	Crashes int
	// Broken is the node that is down; empty for none.
	Broken string
	// Later plans once more when much time has passed, unless it is nil.
	Later func() (model.Plan, error)
}
