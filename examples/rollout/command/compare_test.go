package command

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// tableOf compares, and returns the rows by name.
func tableOf(t *testing.T, args ...string) map[string]rowView {
	t.Helper()
	code, stdout, stderr := call("", append([]string{"compare", "-o", "json"}, args...)...)
	require.Equal(t, exitDone, code, stderr)
	var view comparedView
	require.NoError(t, json.Unmarshal([]byte(stdout), &view))
	rows := map[string]rowView{}
	for _, row := range view.Rows {
		require.True(t, (row.Reason == "") == (row.Numbers != nil), "%s has either numbers or a reason", row.Strategy)
		rows[row.Strategy] = row
	}
	require.Len(t, rows, len(arena.Ways()))
	return rows
}

// Of all ways that come to an end on the three zones the prepared pair leaves the nodes without an agent for the least time;
// with the window that simulate advises it takes no more than 1.05 times the lower bound.
func TestThePreparedPairOnThreeZones(t *testing.T) {
	rows := tableOf(t, "-f", threeZones, "--window", "--seeds", "3")
	pair := rows["Pair Locked"]
	require.Equal(t, 4, pair.MaxSurge, "simulate advises a window of 4")
	require.NotNil(t, pair.Numbers, pair.Reason)
	require.LessOrEqual(t, pair.Numbers.Bound.Most, 1.05)
	ended := 0
	for name, row := range rows {
		if row.Numbers == nil || name == pair.Strategy {
			continue
		}
		require.Less(t, 4*pair.Numbers.NodeTime.Most, row.Numbers.NodeTime.Least, name)
		require.Less(t, 2*pair.Numbers.Duration.Most, row.Numbers.Duration.Least, name)
		ended++
	}
	require.GreaterOrEqual(t, ended, 2)
	// The node that is not Ready spends their whole budget.
	for _, name := range []string{"native maxUnavailable", "native maxSurge", "barrier planner"} {
		require.NotEmpty(t, rows[name].Reason, name)
	}
}

// Of the ways that never run two agents on a node the prepared pair leaves it without one for the least time, and is the
// fastest.
func TestThePreparedPairOnTwoWorkers(t *testing.T) {
	for _, file := range []string{twoWorkers, conventional, halfWay} {
		rows := tableOf(t, "-f", file)
		pair := rows["Pair Locked"]
		require.NotNil(t, pair.Numbers, pair.Reason)
		compared := 0
		for name, row := range rows {
			if row.Numbers == nil || row.Numbers.TwoAtTheSame {
				continue
			}
			require.LessOrEqual(t, pair.Numbers.NodeTime.Median, row.Numbers.NodeTime.Median, "%s on %s", name, file)
			require.LessOrEqual(t, pair.Numbers.Duration.Median, row.Numbers.Duration.Median, "%s on %s", name, file)
			require.False(t, row.Numbers.AboveBudget, "%s on %s", name, file)
			compared++
		}
		require.GreaterOrEqual(t, compared, 5, file)
	}
}

// What advise finds keeps the deadline when it is simulated, and one less of either number does not.
func TestAdviceHolds(t *testing.T) {
	code, stdout, stderr := call("", "advise", "-f", threeZones, "--within", "6m", "--seeds", "2", "-o", "json")
	require.Equal(t, exitDone, code, stderr)
	var view adviceView
	require.NoError(t, json.Unmarshal([]byte(stdout), &view))
	require.NotNil(t, view.Advice)
	require.LessOrEqual(t, view.Advice.Duration.Most, 360.0)
	require.NotNil(t, view.LessWindow)
	require.Greater(t, view.LessWindow.Duration.Most, 360.0)

	set := []string{"--set", "strategy.maxUnavailable=1", "--set", "strategy.maxSurge=4"}
	require.Equal(t, []int{1, 4}, []int{view.Advice.MaxUnavailable, view.Advice.MaxSurge})
	longest := 0.0
	for _, seed := range []string{"1", "2"} {
		code, stdout, stderr = call("", append([]string{"simulate", "-f", threeZones, "-o", "json", "--timeline", "none", "--seed", seed}, set...)...)
		require.Equal(t, exitDone, code, stderr)
		var result resultView
		require.NoError(t, json.Unmarshal([]byte(stdout), &result))
		longest = math.Max(longest, result.Duration)
	}
	require.Equal(t, view.Advice.Duration.Most, longest, "simulate tells the same")
}
