package verify_test

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

var (
	which = flag.String("scope", "", "long runs the longer scopes too, a name runs that one")
	limit = flag.Int("states", 0, "stops every scope at so many states; 0 explores all")
)

// TestMain trades memory for time: the live heap of a search is small, and most of what it makes is garbage at once.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// chosen are the scopes that the flag asks for.
func chosen() (list []verify.Scope) {
	for _, s := range verify.Scopes() {
		if s.Name == *which || *which == "long" || *which == "" && !s.Long {
			list = append(list, s)
		}
	}
	return list
}

// Every state of every scope keeps the properties, and the rollout comes to its end from each.
func TestScopes(t *testing.T) {
	require.NotEmpty(t, chosen(), "no scope is called %q", *which)
	for _, s := range chosen() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m, err := verify.New(s)
			require.NoError(t, err)
			result, err := m.Run(verify.Options{MaxStates: *limit, Clock: time.Now})
			if result != nil {
				var memory runtime.MemStats
				runtime.ReadMemStats(&memory)
				t.Logf("%s\n  judged: %v\n  memory of the process: %d MiB", result, m.Judged().Names(), memory.Sys>>20)
				require.Empty(t, result.Violations)
			}
			require.NoError(t, err)
		})
	}
}
