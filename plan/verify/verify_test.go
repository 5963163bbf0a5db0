package verify_test

import (
	"flag"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

var (
	which = flag.String("scope", "", "long runs the longer scopes too, a name runs that one")
	upTo  = flag.Int("transitions", 0, "with -scope=long runs the long scopes only that are recorded to end with no more transitions; 0 runs all")
	limit = flag.Int("states", 0, "stops every scope at so many states; 0 explores all")
)

// TestMain trades memory for time: the live heap of a search is small, and most of what it makes is garbage at once.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// chosen are the scopes that the flags ask for.
func chosen(t *testing.T, known *table) (list []verify.Scope) {
	for _, s := range verify.Scopes() {
		if s.Name == *which || *which == "" && !s.Long || *which == "long" && fits(t, &s, known) {
			list = append(list, s)
		}
	}
	return list
}

// fits tells whether the scope is within what -transitions asks for.
func fits(t *testing.T, s *verify.Scope, known *table) bool {
	if !s.Long || *upTo == 0 {
		return *upTo == 0
	}
	row, ok := known.rows[s.Name]
	require.True(t, ok, "%s is not recorded", s.Name)
	count, exhaustive := transitions(t, row)
	return exhaustive && count <= *upTo
}

// TestScopes: every state of every scope keeps the properties, and the rollout comes to its end from each. What is recorded is what was
// explored; a change of the protocol changes it, and is recorded with the flag -record.
func TestScopes(t *testing.T) {
	found, known := results{rows: map[string]string{}}, readTable(t)
	list := chosen(t, known)
	require.NotEmpty(t, list, "no scope is called %q", *which)
	t.Cleanup(func() {
		if *record && !t.Failed() {
			maps.Copy(known.rows, found.rows)
			known.write(t)
		}
	})
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m, err := verify.New(s)
			require.NoError(t, err)
			result, err := m.Run(verify.Options{MaxStates: *limit, Clock: time.Now})
			if result != nil {
				t.Logf("%s\n  judged: %v", result, m.Judged().Names())
				require.Empty(t, result.Violations)
			}
			require.NoError(t, err)
			memory := "–"
			if len(list) == 1 {
				var stats runtime.MemStats
				runtime.ReadMemStats(&stats)
				memory = strconv.FormatUint(stats.Sys>>20, 10)
			}
			found.add(&s, result, memory)
			if row, ok := known.rows[s.Name]; ok && !*record && *limit == 0 && strings.HasSuffix(row, " yes |") {
				require.Equal(t, counted(result), cells(row)[1:4], "other states than %s says: record them if that is meant, with -record", recorded)
			}
		})
	}
}
