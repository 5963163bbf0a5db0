package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

func TestVerdictIsColouredOnlyWhereAsked(t *testing.T) {
	var plain, coloured bytes.Buffer
	require.NoError(t, verdict(&plain, red, "Plan: blocked."))
	require.Equal(t, "Plan: blocked.\n", plain.String(), "a buffer is no terminal")
	require.NoError(t, verdictIn(&coloured, true, red, "Plan: blocked."))
	require.Equal(t, "\x1b[1;31mPlan: blocked.\x1b[0m\n", coloured.String())
}

func TestNatural(t *testing.T) {
	require.Equal(t, []string{"a", "n02", "n2", "n10", "n10-1", "n10-b", "node-1-9", "node-1-10", "node-2-1"},
		inNaturalOrder([]string{"n10-b", "node-1-10", "n10", "n02", "node-2-1", "n2", "a", "node-1-9", "n10-1"}))
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a0-9-]{0,6}`), 3, 3, rapid.ID).Draw(t, "names")
		a, b, c := names[0], names[1], names[2]
		require.NotZero(t, natural(a, b), "only a name is like itself")
		require.Zero(t, natural(a, a))
		require.Equal(t, natural(a, b), -natural(b, a))
		if natural(a, b) < 0 && natural(b, c) < 0 {
			require.Negative(t, natural(a, c))
		}
	})
}

// The planner's own order, and the numbers of the actions, stay.
func TestForPeopleLeavesThePlan(t *testing.T) {
	p := &model.Plan{Nodes: []model.NodeReport{{Node: "n10"}, {Node: "n2", Action: 1}}}
	shown := forPeople(p)
	require.Equal(t, "n2", shown.Nodes[0].Node)
	require.EqualValues(t, 1, shown.Nodes[0].Action)
	require.Equal(t, "n10", p.Nodes[0].Node)
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{out: &out, now: func() time.Time { return now }, begun: now}
	p.step("simulating", 0, 100, "nodes")
	now = now.Add(time.Second)
	p.step("simulating", 10, 100, "nodes")
	require.Empty(t, out.String(), "short work shows nothing")
	now = now.Add(4 * time.Second)
	p.step("simulating", 50, 100, "nodes")
	require.Equal(t, "\r\x1b[Ksimulating: 50 of 100 nodes, 10 a second, about 5s left", out.String())
	now = now.Add(progressEvery / 2)
	p.step("simulating", 51, 100, "nodes")
	require.NotContains(t, out.String(), "51")
	p.clear()
	require.True(t, strings.HasSuffix(out.String(), "\r\x1b[K"))

	require.Equal(t, "visiting: 50 states, 10 a second", progressText("visiting", 50, 0, 50, 5*time.Second, "states"), "nobody knows how many there are")
	silent := newProgress(&out, false)
	require.Nil(t, silent.out, "a buffer is no terminal")
}

// Lines fit, and begin again under the second column; no word is lost.
func TestFitted(t *testing.T) {
	text := "Phase  " + strings.Repeat("word ", 30) + "end\n  set in " + strings.Repeat("word ", 30) + "end\nshort"
	fit := fitted(text, 60)
	require.Equal(t, strings.Fields(text), strings.Fields(fit))
	for _, line := range strings.Split(fit, "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 60)
	}
	require.Contains(t, fit, "\n       word")
	require.Contains(t, fit, "\n  word")
}

// One plan that breaks a property is found, and the others are not blamed.
func TestChecker(t *testing.T) {
	snapshot, good := planOf(t, halfWay)
	bad := *good
	bad.Nodes = nil
	require.Error(t, violations(snapshot, &bad), "every node that waits needs its report")
	c := newChecker()
	for range 100 {
		require.NoError(t, c.check(snapshot, good))
	}
	require.False(t, c.broken())
	c = newChecker()
	var err error
	for range 1000 {
		if err = c.check(snapshot, &bad); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, errBroken)
	require.True(t, c.broken())
}

// Of many nodes each line stands for as many, in the order in which they were done.
func TestGantt(t *testing.T) {
	s := &simulated{result: simulate.Result{Duration: 100 * time.Second}}
	s.options.Rollout = &model.Rollout{Spec: model.Spec{Strategy: model.Strategy{Type: model.RollingUpdate}}}
	for i := range 40 {
		name := "n" + strings.Repeat("0", i%2) + string(rune('a'+i%26)) + string(rune('a'+i/26))
		at := time.Duration(i) * 2 * time.Second
		s.result.Timeline = append(s.result.Timeline,
			simulate.Entry{At: at, Node: name, What: simulate.Sent, Action: &model.Action{Kind: model.DeletePod}},
			simulate.Entry{At: at, Node: name, What: simulate.LostService}, simulate.Entry{At: at + 10*time.Second, Node: name, What: simulate.Served})
	}
	var out bytes.Buffer
	require.NoError(t, s.printGantt(&out))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n\n"), "\n")
	require.Len(t, lines, ganttLines+2)
	var first []int
	for _, line := range lines[1 : len(lines)-1] {
		require.True(t, strings.HasPrefix(line, "4 nodes  "), line)
		require.LessOrEqual(t, utf8.RuneCountInString(line), widest)
		require.True(t, strings.HasSuffix(line, string(handedOver)), line)
		first = append(first, strings.IndexRune(line, unserved))
	}
	require.True(t, slices.IsSorted(first))
}

// planOf plans one step on a file.
func planOf(t *testing.T, file string) (*model.Snapshot, *model.Plan) {
	t.Helper()
	cmd := newPlan(nil)
	cmd.SetErr(&bytes.Buffer{})
	in := input{files: []string{file}}
	snapshot, next, err := in.plan(cmd)
	require.NoError(t, err)
	return snapshot, next
}
