package simulate

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// Planner is one planning step: plan.Next, or any other.
type Planner func(*model.Snapshot) (model.Plan, error)

// Options are the settings of a run.
type Options struct {
	// Rollout is the thing planned. Its status gives the first executor and, if Start is zero, the start.
	Rollout *model.Rollout
	// Start is the instant at which the run begins.
	Start time.Time
	// Seed of all durations.
	Seed    uint64
	Timings Timings
	// Faults happen at their time, whatever the plan does.
	Faults []Fault
	// Crashes of the executor, in any order.
	Crashes []Crash
	// OnStep sees every plan with the snapshot that it was made from; an error ends the run.
	OnStep func(*model.Snapshot, *model.Plan) error
	// Decide sees every plan after OnStep. A decision that it returns is the rollout's from then on, as if a person had
	// written it at that instant, and the next plan knows it; nil leaves the rollout as it is. One that stands already is taken away, so that
	// it can be given anew.
	Decide func(*model.Plan) *model.Decision
	// Judge lets the properties of package property look at every state, every plan and the end of a run that is
	// complete; the first violation of each stands in Result.Violations, and the run goes on.
	Judge bool
	// AllowDouble lets a run go on in which two processes of one component ran on a node, as happens
	// without locks. Otherwise that is an error.
	AllowDouble bool
	// StuckAfter is how long nothing may make progress (2h): no write, and no change but a container's
	// restarts and a status.
	StuckAfter time.Duration
	// MaxSteps bounds the events of a run (100,000, and 1,000 for every node): a planner that goes in circles
	// ends with an error.
	MaxSteps int
	// Detail puts every transition of the world into the timeline. Otherwise it has the actions, the
	// faults, and the nodes' loss and return of service.
	Detail bool
	// Samples keeps Result.Samples, how many nodes are without an agent, in overlap and pulling over the time, and Result.Absences.
	Samples bool
}

// Fault is a fault or a person's hand at a time of the run.
type Fault struct {
	// At is counted from the start of the run.
	At         time.Duration
	Transition world.Transition
	// Until, if not zero, is when the fault ends: a node is mended, uncordoned or can pull again. Of other
	// kinds it is an error.
	Until time.Duration
	// Behaviour, if not nil, is what images do from At on instead of the transition, until Until.
	Behaviour map[string]world.Behaviour
}

// Crash ends the executor before it sends an action.
type Crash struct {
	// Before is the number of the action, counted from 1 over the whole run.
	Before int
	// Late, if not zero, lets the request of that action land so much later all the same: it was sent, and its
	// sender did not live to see the answer.
	Late time.Duration
}

// end returns the transition that ends a fault.
func (f *Fault) end() (world.Transition, bool) {
	t := f.Transition
	kind, ok := t.Kind.End()
	t.Kind = kind
	if kind == world.RemoveNode || kind == world.InjectNothing {
		t.Value = "" // what the joining node was like, and what is added
	}
	return t, ok
}

func (o Options) withDefaults(nodes int) Options {
	o.Timings = o.Timings.withDefaults()
	if o.StuckAfter == 0 {
		o.StuckAfter = 2 * time.Hour
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 100_000 + 1000*nodes
	}
	if o.Start.IsZero() && o.Rollout != nil {
		o.Start = o.Rollout.Status.ObservedAt.Time
	}
	return o
}

// StepsError says that a run was given up after so many events: it neither ended nor stood still.
type StepsError struct {
	Steps int
	// At is the simulated time that had passed.
	At time.Duration
}

// Error tells the number and the time.
func (e *StepsError) Error() string {
	return fmt.Sprintf("the simulation was given up after %d events, %s into the rollout", e.Steps, e.At)
}
