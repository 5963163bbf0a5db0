package arena

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/baseline"
)

// Standing says what a way to roll is to this planner. The set is closed.
type Standing uint8

const (
	// Ours is a strategy that a rollout may ask for.
	Ours Standing = iota
	// Unlocked is one too, and lets two processes of the agent run on a node at the same time.
	Unlocked
	// CompareOnly is no strategy.
	CompareOnly
)

// Way is one way to roll.
type Way struct {
	Name string
	Is   Standing
	// planner makes a planner of its own for every run.
	planner func() simulate.Planner
	set     func(*model.Strategy)
}

// strategy is the rollout's for this way.
func (w *Way) strategy(r *model.Rollout) model.Strategy {
	s := r.Spec.Strategy
	s.Paused, s.Frozen = false, false
	w.set(&s)
	return s
}

// Ways are all that is compared, in the order of the table's rows. Each has the rollout's budget and its other settings,
// as far as it knows them.
func Ways() []Way {
	pair := func(overlap model.OverlapMode) func(*model.Strategy) {
		return func(s *model.Strategy) { s.Type, s.Overlap = model.Pair, overlap }
	}
	surge := func(overlap model.OverlapMode) func(*model.Strategy) {
		return func(s *model.Strategy) {
			s.Type, s.Overlap, s.MaxSurge = model.Surge, overlap, nil
			s.SpreadBy, s.SlowStart = nil, nil // the native controller chooses the nodes of a surge, and paces it
		}
	}
	rolling := func(s *model.Strategy) { s.Type, s.Overlap, s.MaxSurge = model.RollingUpdate, "", nil }
	own := func() simulate.Planner { return new(plan.Planner).Next }
	native := func(surge bool) func() simulate.Planner {
		return func() simulate.Planner { return (&baseline.NativePlanner{Surge: surge}).Next }
	}
	return []Way{
		{Name: "Pair Locked", Is: Ours, planner: own, set: pair(model.Locked)},
		{Name: "Pair Never", Is: Ours, planner: own, set: pair(model.Never)},
		{Name: "Surge Locked", Is: Ours, planner: own, set: surge(model.Locked)},
		{Name: "Surge Never", Is: Unlocked, planner: own, set: surge(model.Never)},
		{Name: "RollingUpdate", Is: Ours, planner: own, set: rolling},
		{Name: "native maxUnavailable", Is: CompareOnly, planner: native(false), set: pair(model.Locked)},
		{Name: "native maxSurge", Is: CompareOnly, planner: native(true), set: pair(model.Locked)},
		{Name: "barrier planner", Is: CompareOnly, planner: func() simulate.Planner { return new(baseline.BarrierPlanner).Next }, set: pair(model.Locked)},
	}
}
