package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/stretchr/testify/require"
)

// executorMutants are package execute with one small fault each, in a game with the property that must kill it.
var executorMutants = []struct {
	name, killedBy, game string
	embedding
}{
	{"an issued write is forgotten", "S7", "locked", embedding{after: func(s *execute.State) { s.Issued = nil }}},
	{"an issued write is forgotten before the next plan", "S7", "rolling", embedding{before: func(s *execute.State) { s.Issued = nil }}},
	{"a result is dropped", "S7", "locked", embedding{after: func(s *execute.State) {
		if n := len(s.Issued); n > 0 {
			s.Issued[n-1].Result, s.Issued[n-1].At.Time = nil, time.Time{}
		}
	}}},
	{"an unknown outcome is taken for none", "S7", "locked", embedding{after: func(s *execute.State) {
		answered := s.Issued[:0]
		for i := range s.Issued {
			if s.Issued[i].Result != nil {
				answered = append(answered, s.Issued[i])
			}
		}
		s.Issued = answered
	}}},
	{"there is no fresh look beside locks", "S4", "locked", embedding{blind: true}},
	{"an ID is used again", "S7", "takeovers", embedding{newID: func(int) string { return "run-0" }}},
}

// TestExecutorMutants: the games find an executor that is wrong as they find a planner that is.
func TestExecutorMutants(t *testing.T) {
	for i := range executorMutants {
		m := &executorMutants[i]
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			judge, g := propertyNamed(t, m.killedBy), gameNamed(t, m.game)
			for seed := uint64(1); seed <= mostGames; seed++ {
				c := g.seededBy(seed, m.embedding, ofAnEmbedder(), property.List{judge})
				if c.broke == nil {
					continue
				}
				var violation *property.Violation
				require.ErrorAs(t, c.broke, &violation, "seed %d ended for another cause\n%s", seed, c.story())
				require.Equal(t, m.killedBy, violation.Property, c.story())
				t.Logf("killed by the game of seed %d: %v", seed, firstLine(c.broke))
				return
			}
			t.Errorf("it survived %d games of %s", mostGames, g.name)
		})
	}
}
