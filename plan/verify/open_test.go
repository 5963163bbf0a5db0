package verify_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

var open = flag.Bool("open", false, "explore what the planner is known to get wrong too, or the one that -scope names")

var first = flag.Bool("first", false, "end an open scope with its first violation")

// TestOpenScopes finds what is known to be open: go test ./plan/verify -v -run '^TestOpenScopes$' -open. A scope without a violation is mended, and belongs
// among the others.
func TestOpenScopes(t *testing.T) {
	if !*open {
		t.Skip("only with -open")
	}
	for _, s := range verify.OpenScopes() {
		if *which != "" && s.Name != *which {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			m, err := verify.New(s)
			require.NoError(t, err)
			result, err := m.Run(verify.Options{MaxStates: *limit, StopAtFirst: *first, Clock: time.Now})
			require.NoError(t, err)
			for i := range result.Violations {
				v := &result.Violations[i]
				t.Logf("%s\n%s", openRow(&s, result, v), v.Error())
			}
			t.Logf("%d states, %d violations", result.States, len(result.Violations))
			require.Empty(t, result.Violations, "%s: known to be open", s.Known)
		})
	}
}

// openRow is a line of the table of RESULTS.md.
func openRow(s *verify.Scope, r *explore.Result, v *explore.Violation) string {
	list := []string{s.Known, strings.TrimPrefix(s.Name, "open: "), v.Property + " " + v.Kind.String(), grouped(int64(r.States)), fmt.Sprintf("%.1f", r.Elapsed.Seconds()), fmt.Sprint(len(v.Trace.Steps))}
	return "| " + strings.Join(list, " | ") + " |"
}

// TestOpenScopesAreWellFormed: each has a name of its own, says what it is about, and can be explored.
func TestOpenScopesAreWellFormed(t *testing.T) {
	names := map[string]bool{}
	for _, s := range append(verify.Scopes(), verify.OpenScopes()...) {
		require.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		require.Equal(t, strings.HasPrefix(s.Name, "open: "), s.Known != "", s.Name)
	}
	judged := map[string]bool{}
	for _, s := range append(verify.Scopes(), verify.OpenScopes()...) {
		if !s.OpenWorld {
			continue
		}
		m, err := verify.New(s)
		require.NoError(t, err, s.Name)
		for _, name := range m.Judged().Names() {
			judged[name] = true
		}
		_, err = explore.Congruent(m, 40)
		require.NoError(t, err, s.Name)
	}
	for _, name := range property.Open().Names() {
		require.True(t, judged[name], "no scope judges %s", name)
	}
}

// TestOpenScopesAreRecorded: each stands in the table of what is open.
func TestOpenScopesAreRecorded(t *testing.T) {
	text, err := os.ReadFile(recorded)
	require.NoError(t, err)
	for _, s := range verify.OpenScopes() {
		require.Contains(t, string(text), "| "+s.Known+" | "+strings.TrimPrefix(s.Name, "open: ")+" |")
	}
}
