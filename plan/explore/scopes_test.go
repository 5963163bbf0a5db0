package explore_test

import (
	"flag"

	"github.com/agent-rollout/planner/plan/world"
)

var limit = flag.Int("states", 0, "stops every trial at so many states; 0 explores all")

func faultsOf(kinds ...world.Kind) func(*state) []world.Transition {
	return func(s *state) (list []world.Transition) {
		for _, t := range s.world.Faults(s.now) {
			for _, kind := range kinds {
				if t.Kind == kind {
					list = append(list, t)
				}
			}
		}
		return list
	}
}
