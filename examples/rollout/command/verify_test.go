package command

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// A planner that hands one node more over than it may is found out: the shortest way there is printed, and the exit code
// is that of an answer and not of bad input.
func TestVerifyPrintsTheShortestWayToAViolation(t *testing.T) {
	greedy := func(s *model.Snapshot) (model.Plan, error) {
		r := *s.Rollout
		r.Spec.Strategy.MaxUnavailable = r.Spec.Strategy.MaxSurge
		return plan.Next(&model.Snapshot{Cluster: s.Cluster, Rollout: &r})
	}
	var out, errs bytes.Buffer
	cmd := newVerify(nil, greedy)
	cmd.SetArgs([]string{"-f", halfWay, "--faults", "0", "--set", "strategy.maxSurge=2"})
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var answer *notDoneError
	require.True(t, errors.As(err, &answer), "%v", err)
	require.Contains(t, out.String(), "S2      BROKEN")
	require.Contains(t, out.String(), "from initial state 0\n   1 ")
	require.Contains(t, answer.message, "promises are broken")
}

func TestVerifyRefusesNumbersThatMakeNoSense(t *testing.T) {
	code, _, stderr := call("", "verify", "-f", halfWay, "--nodes", "0", "--faults", "99", "--max-states", "-1", "-o", "xml")
	require.Equal(t, exitBadInput, code)
	for _, flag := range []string{"--nodes 0", "--faults 99", "--max-states -1", "xml"} {
		require.True(t, strings.Contains(stderr, flag), "%s is not named:\n%s", flag, stderr)
	}
}
