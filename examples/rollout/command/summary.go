package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

// shownGaps is how many nodes are named that were the longest without an agent.
const shownGaps = 5

func (s *simulated) printSummary(out io.Writer) error {
	t := newTable(out)
	for _, line := range s.summary() {
		t.row(line.name, line.text)
	}
	return t.flush()
}

// summaryLine is one number in words; one without a name belongs to the line above it.
type summaryLine struct{ name, text string }

// summary is what the run cost.
func (s *simulated) summary() (lines []summaryLine) {
	r := &s.result
	row := func(name, text string) { lines = append(lines, summaryLine{name, text}) }
	row("Outcome", s.ending())
	if text := s.inherited.text(); text != "" {
		row("Assumed", text)
	}
	row("Duration", s.durationText())
	if s.boundHolds() {
		b := simulate.BoundOfStrategy(r.Bound, s.options.Rollout)
		row("Lower bound", fmt.Sprintf("%s for %s, %d at a time: %s",
			elapsed(b.TotalAt(b.Budget)), nodes(b.Nodes), b.Budget, boundText(&b, strconv.Itoa((b.Nodes+b.Budget-1)/b.Budget))))
	}
	row("Without agent", gapText(r))
	for _, gap := range longestGaps(r, shownGaps) {
		row("", fmt.Sprintf("%s: %s", gap.Node, nodeGapText(gap)))
	}
	if r.Limits != (budget.Limits{}) { // a plan that was blocked before it counted has none
		row("Unavailable", unavailableText(r))
		if s.mayOverlap() || r.MostOverlap > 0 {
			row("Overlap", overlapText(r))
		}
	}
	for i := range s.either {
		if i == 0 {
			row("Recovery", fmt.Sprintf("decided after %s; from that state on:", elapsed(s.either[0].at)))
		}
		row("", s.either[i].text())
	}
	if text := s.heldText(); text != "" {
		row("Held back", text)
	}
	if s.window != nil {
		row("Window", s.window.text())
	}
	requests, refused := 0, 0
	for _, w := range r.Writes {
		requests, refused = requests+w.Done, refused+w.Refused
	}
	row("Requests", fmt.Sprintf("%d in %s%s", requests, counted(r.Plans, "plan"), refusedText(refused)))
	for _, w := range r.Writes {
		row("", fmt.Sprintf("%s %s, %s: %d%s", w.Verb, w.Object, w.Kind, w.Done, refusedText(w.Refused)))
	}
	return lines
}

// printVerdict says in one line how the rollout ends and what it costs.
func (s *simulated) printVerdict(out io.Writer) error {
	c, text := s.verdict()
	if err := verdict(out, c, text); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// verdict is that line, and its colour.
func (s *simulated) verdict() (colour, string) {
	r := &s.result
	end, c := r.Outcome.Word(), green
	switch {
	case s.wentBack():
		end, c = "back where it was, as decided,", yellow
	case r.Outcome != simulate.Complete:
		c = red
	case len(r.Last.Exceptions) > 0:
		end, c = "complete, except "+nodes(len(r.Last.Exceptions))+",", yellow
	}
	text := fmt.Sprintf("Simulate: %s after %s; ", end, elapsed(r.Duration))
	if gaps := len(gapsOf(r)); gaps == 0 {
		text += "no node is without an agent."
	} else {
		text += fmt.Sprintf("%s without an agent, at most %d at a time, %s each.", nodes(gaps), r.MostUnserved, elapsed(r.LongestGap))
	}
	return c, text
}

// heldText names the limit that decided the duration, and what more of it would give.
func (s *simulated) heldText() string {
	r := &s.result
	if !s.boundHolds() || r.DecidedBy == simulate.NoLimit {
		return ""
	}
	text := fmt.Sprintf("by %s, for which nodes waited the most", r.DecidedBy)
	if s.raised == nil {
		return text
	}
	if r.DecidedBy == simulate.ByWindow && !s.raised.Gains(r) {
		return fmt.Sprintf("by %s; %s %d instead of %d gains nothing", simulate.ByBudget, r.DecidedBy, s.raised.To, s.raised.From)
	}
	return text + "; " + raisedText(r.DecidedBy, s.raised, r.Bound.Nodes)
}

// raisedText says what more of the limit gave.
func raisedText(by simulate.Limit, raised *simulate.Raised, all int) string {
	value := fmt.Sprintf("with %s %d", by, raised.To)
	if by != simulate.ByWrites {
		value += fmt.Sprintf(" (%s of the nodes)", percent(raised.To, all))
	}
	value += fmt.Sprintf(" instead of %d", raised.From)
	if r := &raised.Result; r.Outcome != simulate.Complete {
		return value + " it ends " + r.Ending()
	}
	return value + " it takes " + elapsed(raised.Result.Duration)
}

func unavailableText(r *simulate.Result) string {
	text := fmt.Sprintf("at most %s without an agent at the same time, where the budget allows %d", nodes(r.MostUnserved), r.Limits.Unavailable)
	if r.MostUnavailable != r.MostUnserved {
		text += fmt.Sprintf("; the plans count %d, with those that were out before or have not settled", r.MostUnavailable)
	}
	return text
}

func overlapText(r *simulate.Result) string {
	text := fmt.Sprintf("at most %s with two Pods at the same time, where the window allows %d", nodes(r.MostOverlap), r.Limits.Window)
	if r.MostOverlap > r.Limits.Window {
		text += ", beside nodes that were just handed over or are down"
	}
	return text + fmt.Sprintf("; %s of nodes' time in all", elapsed(r.OverlapTime))
}

// mayOverlap tells whether the strategy makes a second Pod beside the one that serves.
func (s *simulated) mayOverlap() bool {
	strategy := s.options.Rollout.WithDefaults().Spec.Strategy
	return strategy.Type == model.Surge || strategy.Type == model.Pair && strategy.Overlap == model.Locked
}

// durationText says what else there was in the duration than one whole rollout.
func (s *simulated) durationText() string {
	r := &s.result
	text := elapsed(r.Duration)
	if s.wentBack() {
		back := recoveredBy(model.Back, r)
		text += fmt.Sprintf("; the way back, decided after %s, took %s of it", elapsed(back.at), elapsed(back.duration))
	}
	switch {
	case s.done > 0:
		return text + fmt.Sprintf("; %d of %s were at the target before", s.done, nodes(r.Bound.Nodes))
	case s.arms():
		return text + ", arming included"
	}
	return text
}

func gapText(r *simulate.Result) string {
	gaps := len(gapsOf(r))
	switch {
	case len(r.Gaps) == 0:
		return "no node at any time"
	case gaps == 0:
		return "no node while it was eligible"
	}
	return fmt.Sprintf("%s; %s at most, half of them no more than %s; %s of nodes' time in all",
		nodes(gaps), elapsed(r.LongestGap), elapsed(medianGap(r)), elapsed(r.NodeTime))
}

// gapsOf are the longest gaps of the nodes that were without an agent while they were eligible.
func gapsOf(r *simulate.Result) (gaps []time.Duration) {
	for i := range r.Gaps {
		if gap := &r.Gaps[i]; gap.Total > 0 || gap.Open {
			gaps = append(gaps, gap.Longest)
		}
	}
	slices.Sort(gaps)
	return gaps
}

// nodeGapText is the longest gap of a node, and what else there was.
func nodeGapText(gap simulate.NodeGap) string {
	var words []string
	if gap.Total > 0 || gap.Open {
		words = append(words, elapsed(gap.Longest))
	}
	if gap.Ineligible > 0 {
		words = append(words, elapsed(gap.Ineligible)+" in which the node was not eligible")
	}
	if gap.Open {
		words = append(words, "still without one at the end")
	}
	return strings.Join(words, "; ")
}

// medianGap is the lower median of the longest gaps of the nodes that had one.
func medianGap(r *simulate.Result) time.Duration {
	gaps := gapsOf(r)
	if len(gaps) == 0 {
		return 0
	}
	return gaps[(len(gaps)-1)/2]
}

// longestGaps are those of so many nodes that were the longest without an agent.
func longestGaps(r *simulate.Result, most int) []simulate.NodeGap {
	gaps := slices.Clone(r.Gaps)
	slices.SortStableFunc(gaps, func(a, b simulate.NodeGap) int {
		return cmp.Or(cmp.Compare(b.Longest, a.Longest), cmp.Compare(b.Ineligible, a.Ineligible), natural(a.Node, b.Node))
	})
	return gaps[:min(most, len(gaps))]
}

func nodes(count int) string { return counted(count, "node") }

// counted writes a number with its noun.
func counted(count int, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return strconv.Itoa(count) + " " + one + "s"
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
