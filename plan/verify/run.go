package verify

import (
	"fmt"
	"slices"
	"time"

	"github.com/agent-rollout/planner/plan/explore"
)

// RareError says that a search met a witness too rarely to prove anything of it.
type RareError struct {
	Witness Witness
	Met     int64
}

// Error gives both numbers.
func (e *RareError) Error() string {
	return fmt.Sprintf("%s was met %d times, and %d are the least that proves anything", e.Witness.What, e.Met, e.Witness.Least)
}

// Options of a run.
type Options struct {
	// MaxStates ends the search early; 0 searches to the end.
	MaxStates int
	// StopAtFirst ends it with the first violation.
	StopAtFirst bool
	// Clock measures it; nil: it is not measured.
	Clock func() time.Time
	// OnProgress is told how far it is.
	OnProgress func(explore.Progress)
}

// Run explores the model. A violation is part of the result. The error is a *RareError for an exhaustive search that met a
// witness too rarely, or says that the model cannot be explored.
func (m *Model) Run(o Options) (*explore.Result, error) {
	result, err := explore.Run(m, m.Properties(), explore.Options{MaxStates: o.MaxStates, StopAtFirst: o.StopAtFirst, Fair: m.fair, Clock: o.Clock, OnProgress: o.OnProgress})
	if err != nil || !result.Exhaustive() {
		return result, err
	}
	result.Violations = slices.DeleteFunc(result.Violations, func(v explore.Violation) bool { return v.Kind == explore.NeverMet && m.mayMiss(v.Property) })
	for i, witness := range m.scope.Witnesses {
		if met := result.Witnesses[i].Count; met > 0 && met < witness.Least {
			return result, &RareError{witness, met}
		}
	}
	return result, nil
}

// mayMiss tells whether the witness is one that need not be met.
func (m *Model) mayMiss(what string) bool {
	return slices.ContainsFunc(m.scope.Witnesses, func(w Witness) bool { return w.What == what && w.Least == 0 })
}
