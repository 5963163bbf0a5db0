package verify_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

var probed = flag.String("probe", "", "explores the trials of these names, between semicolons, to their first violation, and prints a line of JSON for each")

// finding is what one search to the first violation found: a line of JSON between a program that was built without a rule and the
// test that built it.
type finding struct {
	Trial string
	// Guarded says that the validator judges every plan; otherwise only what really happens is judged.
	Guarded     bool
	States      int
	Transitions int64
	Exhaustive  bool
	// Property is empty if nothing was violated.
	Property, Kind, Cause string
	Trace                 []string
}

const findingMark = "finding: "

// TestProbe is how TestRules looks into the programs that it builds. Without its flag it does nothing.
func TestProbe(t *testing.T) {
	if *probed == "" {
		t.Skip("no trial is asked for: see TestRules")
	}
	for _, name := range strings.Split(*probed, ";") {
		at := slices.IndexFunc(trials, func(c trial) bool { return c.Name == name })
		require.GreaterOrEqual(t, at, 0, "no trial is called %q", name)
		found, err := trials[at].probe(true)
		require.NoError(t, err)
		found.print(t)
		// Where the validator objects to nothing, what it finds is what really happens.
		if judgesPlans(found.Property) || len(trials[at].Lags) > 0 {
			found, err = trials[at].probe(false)
			require.NoError(t, err)
		}
		found.Guarded = false
		found.print(t)
	}
}

func (f *finding) print(t *testing.T) {
	line, err := json.Marshal(f)
	require.NoError(t, err)
	fmt.Println(findingMark + string(line))
}

// probe explores the trial until the first violation.
func (c trial) probe(guarded bool) (finding, error) {
	if !guarded {
		c.Validate = func(*model.Snapshot, *model.Plan) []plan.Violation { return nil }
	}
	m, err := c.model()
	if err != nil {
		return finding{}, err
	}
	result, err := explore.Run(m, m.judges(guarded), explore.Options{Fair: verify.Fair, StopAtFirst: true, MaxStates: *limit})
	if err != nil {
		return finding{}, err
	}
	found := finding{Trial: c.Name, Guarded: guarded, States: result.States, Transitions: result.Transitions, Exhaustive: result.Exhaustive()}
	if len(result.Violations) == 0 {
		return found, nil
	}
	v := &result.Violations[0]
	found.Property, found.Kind, found.Trace = v.Property, v.Kind.String(), v.Trace.Steps
	if v.Cause != nil {
		found.Cause = v.Cause.Error()
	}
	return found, nil
}
