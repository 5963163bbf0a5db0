package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/agent-rollout/planner/plan/simulate"
)

// shownGaps is how many nodes are named that were the longest without an agent.
const shownGaps = 5

func (s *simulated) printSummary(out io.Writer) error {
	r := &s.result
	t := newTable(out)
	t.row("Outcome", ending(r))
	t.row("Duration", s.durationText())
	t.row("Without agent", gapText(r))
	for _, gap := range longestGaps(r) {
		t.row("", fmt.Sprintf("%s: %s%s", gap.Node, elapsed(gap.Longest), openText(gap)))
	}
	t.row("Unavailable", fmt.Sprintf("at most %s at the same time, where the budget allows %d; in the plans' ledgers, which also count nodes that were out before and those that have not settled: %d",
		nodes(r.MostUnserved), r.Limits.Unavailable, r.MostUnavailable))
	t.row("Overlap", fmt.Sprintf("at most %s with two Pods at the same time, where the window allows %d; %s of nodes' time in all",
		nodes(r.MostOverlap), r.Limits.Window, elapsed(r.OverlapTime)))
	for i := range s.either {
		if i == 0 {
			t.row("Recovery", fmt.Sprintf("decided after %s; from that state on:", elapsed(s.either[0].at)))
		}
		t.row("", s.either[i].text())
	}
	if s.window != nil {
		t.row("Window", s.window.text())
	}
	requests, refused := 0, 0
	for _, w := range r.Writes {
		requests, refused = requests+w.Done, refused+w.Refused
	}
	t.row("Requests", fmt.Sprintf("%d in %d plans%s", requests, r.Plans, refusedText(refused)))
	for _, w := range r.Writes {
		t.row("", fmt.Sprintf("%s %s, %s: %d%s", w.Verb, w.Object, w.Kind, w.Done, refusedText(w.Refused)))
	}
	return t.flush()
}

// durationText sets the duration against its lower bound, where the run was one whole rollout.
func (s *simulated) durationText() string {
	r := &s.result
	text := elapsed(r.Duration)
	b := &r.Bound
	switch {
	case s.done > 0:
		return text + fmt.Sprintf("; %d of %s were at the target before", s.done, nodes(b.Nodes))
	case s.arms():
		return text + ", arming included"
	case !s.boundHolds():
		return text
	}
	return text + fmt.Sprintf("; one revision on %s, %d at a time, takes %s at least: %d × %s of handoff + %s of preparation",
		nodes(b.Nodes), b.Budget, elapsed(b.Total), (b.Nodes+b.Budget-1)/b.Budget, elapsed(b.Handoff), elapsed(b.Preparation))
}

func gapText(r *simulate.Result) string {
	if len(r.Gaps) == 0 {
		return "no node at any time"
	}
	return fmt.Sprintf("%s, while eligible; %s at most, half of them no more than %s; %s of nodes' time in all",
		nodes(len(r.Gaps)), elapsed(r.LongestGap), elapsed(medianGap(r)), elapsed(r.NodeTime))
}

// medianGap is the lower median of the longest gaps of the nodes that had one.
func medianGap(r *simulate.Result) time.Duration {
	if len(r.Gaps) == 0 {
		return 0
	}
	gaps := make([]time.Duration, len(r.Gaps))
	for i := range r.Gaps {
		gaps[i] = r.Gaps[i].Longest
	}
	slices.Sort(gaps)
	return gaps[(len(gaps)-1)/2]
}

func longestGaps(r *simulate.Result) []simulate.NodeGap {
	gaps := slices.Clone(r.Gaps)
	slices.SortStableFunc(gaps, func(a, b simulate.NodeGap) int { return cmp.Compare(b.Longest, a.Longest) })
	return gaps[:min(shownGaps, len(gaps))]
}

func nodes(count int) string {
	if count == 1 {
		return "1 node"
	}
	return strconv.Itoa(count) + " nodes"
}

func openText(gap simulate.NodeGap) string {
	if gap.Open {
		return ", and still without one at the end"
	}
	return ""
}

func refusedText(count int) string {
	if count == 0 {
		return ""
	}
	return ", " + strconv.Itoa(count) + " refused"
}

func (w *windowFound) text() string {
	switch {
	case w.skipped:
		return fmt.Sprintf("the smallest maxSurge that reaches the bound is looked for on up to %d nodes, and on more with --window", smallCluster)
	case !w.reached:
		return fmt.Sprintf("no maxSurge reaches 1.05 times that bound; with %d it takes %s", w.maxSurge, elapsed(w.duration))
	case w.maxSurge == w.now:
		return fmt.Sprintf("%d is the smallest maxSurge that reaches 1.05 times that bound", w.maxSurge)
	}
	return fmt.Sprintf("%d is the smallest maxSurge that reaches 1.05 times that bound, with %s; here it is %d", w.maxSurge, elapsed(w.duration), w.now)
}
