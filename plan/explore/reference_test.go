package explore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawn is a graph by its transitions, with the states numbered.
type drawn struct {
	roots []int
	edges [][]edge
	bad   []bool
	goal  []bool
	fair  [labels]bool
}

type edge struct{ to, label int }

const labels = 3

func (g *drawn) Initial() []int { return g.roots }

func (g *drawn) Next(s int, yield func(string, int)) {
	for _, e := range g.edges[s] {
		yield(labelOf(e), e.to)
	}
}

func (g *drawn) Key(s int, buf []byte) []byte { return append(buf, byte(s)) }

func labelOf(e edge) string { return string(rune('a' + e.label)) }

func (g *drawn) demands(name string) bool { return g.fair[name[0]-'a'] }

func drawGraph(t *rapid.T) *drawn {
	n := rapid.IntRange(1, 7).Draw(t, "states")
	g := &drawn{edges: make([][]edge, n), bad: make([]bool, n), goal: make([]bool, n)}
	state := rapid.IntRange(0, n-1)
	g.roots = rapid.SliceOfNDistinct(state, 1, min(2, n), rapid.ID[int]).Draw(t, "roots")
	for range rapid.IntRange(0, 14).Draw(t, "transitions") {
		from := state.Draw(t, "from")
		g.edges[from] = append(g.edges[from], edge{state.Draw(t, "to"), rapid.IntRange(0, labels-1).Draw(t, "label")})
	}
	for i := range n {
		g.bad[i] = rapid.IntRange(0, 5).Draw(t, "bad") == 0
		g.goal[i] = rapid.IntRange(0, 3).Draw(t, "goal") == 0
	}
	for i := range g.fair {
		g.fair[i] = rapid.IntRange(0, 3).Draw(t, "fair") > 0
	}
	return g
}

// depths is the slow and obvious answer: relax until nothing changes.
func (g *drawn) depths(from []int, through func(int) bool) []int {
	depths := make([]int, len(g.edges))
	for i := range depths {
		depths[i] = -1
	}
	for _, s := range from {
		if through(s) {
			depths[s] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for s := range g.edges {
			for _, e := range g.edges[s] {
				if depths[s] >= 0 && through(e.to) && (depths[e.to] < 0 || depths[e.to] > depths[s]+1) {
					depths[e.to], changed = depths[s]+1, true
				}
			}
		}
	}
	return depths
}

// stays tells, by the definition, whether a fair run can stay in exactly these states for ever: each leads to
// each, or there is one to rest in, and every demanded label is taken within or disabled somewhere.
func (g *drawn) stays(set []int) bool {
	in := func(s int) bool { return slices.Contains(set, s) }
	for _, s := range set {
		for other, depth := range g.depths([]int{s}, in) {
			if in(other) && depth < 0 {
				return false
			}
		}
	}
	for label := range labels {
		taken, disabled := false, false
		for _, s := range set {
			enabled := false
			for _, e := range g.edges[s] {
				enabled = enabled || e.label == label
				taken = taken || e.label == label && in(e.to)
			}
			disabled = disabled || !enabled
		}
		if g.fair[label] && !taken && !disabled {
			return false
		}
	}
	return true
}

// misses tells whether some set of states without the goal, reached so, keeps a fair run for ever.
func (g *drawn) misses(again bool) bool {
	reached := g.depths(g.roots, func(s int) bool { return again || !g.goal[s] })
	for bits := 1; bits < 1<<len(g.edges); bits++ {
		var set []int
		for s := range g.edges {
			if bits&(1<<s) != 0 {
				set = append(set, s)
			}
		}
		outside := slices.ContainsFunc(set, func(s int) bool { return g.goal[s] || reached[s] < 0 })
		if !outside && g.stays(set) {
			return true
		}
	}
	return false
}

var errBad = errors.New("bad")

func TestAgainstTheSlowChecker(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		again := rapid.Bool().Draw(t, "again")
		result, err := explore.Run(g, explore.Properties[int]{
			Always: []explore.Invariant[int]{{Name: "good", Holds: func(s int) error {
				if g.bad[s] {
					return errBad
				}
				return nil
			}}},
			Goals: []explore.Goal[int]{{Name: "goal", Again: again, Reached: func(s int) bool { return g.goal[s] }}},
		}, explore.Options{Fair: g.demands})
		require.NoError(t, err)

		depths := g.depths(g.roots, func(int) bool { return true })
		states, deepest, shortest := 0, 0, -1
		for s, depth := range depths {
			if depth < 0 {
				continue
			}
			states, deepest = states+1, max(deepest, depth)
			if g.bad[s] && (shortest < 0 || depth < shortest) {
				shortest = depth
			}
		}
		require.Equal(t, states, result.States)
		require.Equal(t, deepest, result.Depth)
		broken, missed := found(result, explore.Broken), found(result, explore.NotReached)
		require.Equal(t, shortest >= 0, broken != nil)
		if broken != nil {
			require.Len(t, broken.Trace.Steps, shortest)
			way, err := explore.Replay(g, broken.Trace)
			require.NoError(t, err)
			require.True(t, g.bad[way[len(way)-1]])
			seen["broken"]++
		}
		require.Equal(t, g.misses(again), missed != nil, "%+v", g)
		if missed != nil {
			g.checkLasso(t, missed.Trace, again)
			seen[fmt.Sprintf("missed, again %t", again)]++
		} else {
			seen["reached"]++
		}
	})
	for _, what := range []string{"broken", "missed, again true", "missed, again false", "reached"} {
		require.Positive(t, seen[what], "%s was never drawn", what)
	}
}

// checkLasso walks a counterexample: it comes back to where its loop begins, avoids the goal, and is fair.
func (g *drawn) checkLasso(t *rapid.T, trace explore.Trace, again bool) {
	way, err := explore.Replay(g, trace)
	require.NoError(t, err)
	loop := way[trace.Loop:]
	require.Equal(t, loop[0], loop[len(loop)-1], "%s", &trace)
	for i, s := range way {
		require.False(t, g.goal[s] && (!again || i >= trace.Loop), "%s", &trace)
	}
	for label := range labels {
		name := string(rune('a' + label))
		taken := slices.ContainsFunc(trace.Steps[trace.Loop:], func(step string) bool { return step[:1] == name })
		disabled := slices.ContainsFunc(loop, func(s int) bool {
			return !slices.ContainsFunc(g.edges[s], func(e edge) bool { return e.label == label })
		})
		require.True(t, !g.fair[label] || taken || disabled, "unfair to %s: %s", name, &trace)
	}
}

func found(result *explore.Result, kind explore.Kind) *explore.Violation {
	for i := range result.Violations {
		if result.Violations[i].Kind == kind {
			return &result.Violations[i]
		}
	}
	return nil
}
