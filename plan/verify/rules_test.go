package verify_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/stretchr/testify/require"
)

var oneRule = flag.String("rule", "", "runs TestRules for that rule only")

// rule is a rule of the design's section 5, or a promise of its section 3, and what follows when a part of it is taken out.
type rule struct {
	// number of the rule, with a letter where several parts are taken out one by one.
	number string
	// without is what the patched planner no longer does.
	without string
	edits   []edit
	trial   string
	// validator is the property that the validator finds violated first, and truth what really happens first, with no validator
	// in the way. Empty is nothing.
	validator, truth string
	// because says why nothing happens.
	because string
	// long ones run with -scope=long.
	long bool
}

// Every rule protects from something: without it a small scope has a violation. A rule whose removal breaks nothing is in the table
// with what covers it.
func TestRules(t *testing.T) {
	needsGo(t)
	if testing.Short() {
		t.Skip("builds a program")
	}
	var list []row
	for i := range rules {
		list = append(list, row{rules[i].number, rules[i].edits})
	}
	s := switches(t, list)
	program := s.tests(t, "plan/verify")
	t.Logf("building took %.1f s of CPU", s.cpu.Seconds())
	rows := make([]strings.Builder, len(rules))
	t.Cleanup(func() {
		var table strings.Builder
		for i := range rows {
			table.WriteString(rows[i].String())
		}
		t.Logf("\n| rule | trial | judged by | states | violated | steps |\n|---|---|---|---:|---|---:|\n%s", table.String())
	})
	for i := range rules {
		r := &rules[i]
		if *oneRule != "" && *oneRule != r.number || r.long && *which != "long" && *oneRule == "" {
			continue
		}
		t.Run(r.number, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, s.bad[r.number])
			found, cpu := r.explore(t, s, program)
			for _, f := range found {
				fmt.Fprintf(&rows[i], "| %s | %s | %s |\n", r.number, r.trial, f.row())
			}
			t.Logf("without: %s (%.1f s of CPU)\n%s\n%s", r.without, cpu.Seconds(), found[0].text(), found[1].text())
			require.Equal(t, r.validator, found[0].Property, "what the validator and the world find")
			require.Equal(t, r.truth, found[1].Property, "what really happens")
			if r.because != "" {
				require.True(t, found[1].Exhaustive, "every state of the trial")
			}
		})
	}
}

// explore explores the rule's trial without the rule, with and without the validator.
func (r *rule) explore(t *testing.T, s *switched, program string) ([2]finding, time.Duration) {
	output, cpu, err := s.run(r.number, program, "plan/verify", "-test.run=^TestProbe$", "-probe="+r.trial, fmt.Sprintf("-states=%d", *limit))
	require.NoError(t, err, output)
	found := findings(t, output)
	require.Len(t, found, 2, output)
	return [2]finding(found), cpu
}

func findings(t *testing.T, output string) (list []finding) {
	for line := range strings.Lines(output) {
		if text, ok := strings.CutPrefix(line, findingMark); ok {
			var f finding
			require.NoError(t, json.Unmarshal([]byte(text), &f))
			list = append(list, f)
		}
	}
	return list
}

// row is the finding as cells of a table.
func (f *finding) row() string {
	judge, property := "validator", f.Property
	if !f.Guarded {
		judge = "what really is"
	}
	if property == "" {
		return fmt.Sprintf("%s | %d | nothing | – ", judge, f.States)
	}
	return fmt.Sprintf("%s | %d | %s | %d", judge, f.States, property, len(f.Trace))
}

func (f *finding) text() string {
	return f.row() + "\n    " + f.Kind + " " + f.Cause + "\n    " + strings.Join(f.Trace, "\n    ")
}

// With every rule in place no trial has a violation.
func TestTrials(t *testing.T) {
	for i := range trials {
		if trials[i].Long && *which != "long" {
			continue
		}
		t.Run(trials[i].Name, func(t *testing.T) {
			t.Parallel()
			found, err := trials[i].probe(true)
			require.NoError(t, err)
			require.Empty(t, found.Property, "%s", found.text())
			require.True(t, found.Exhaustive)
			t.Logf("%d states", found.States)
		})
	}
}

// The keys of the trials are sound as those of the scopes are: with Pods that settle, and with a start of one's own.
func TestTheKeysOfTrialsAreSound(t *testing.T) {
	for i := range trials {
		t.Run(trials[i].Name, func(t *testing.T) {
			t.Parallel()
			m, err := trials[i].model()
			require.NoError(t, err)
			compared, err := explore.Congruent(m, 150)
			require.NoError(t, err)
			require.Positive(t, compared)
		})
	}
}
