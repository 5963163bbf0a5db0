package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/examples/rollout/page"
	"github.com/agent-rollout/planner/plan/simulate"
)

const (
	// shownSlow is how many nodes the page names that took the longest, and of many nodes how many gaps its data have.
	shownSlow = 12
	// shownWhy is how many reasons are named of each.
	shownWhy = 4
	// shownLines is how many lines of a timeline the page has.
	shownLines = 2000
	// shownEvents is how many faults and decisions are marked on the axis.
	shownEvents = 100
)

// printPage writes the run as a page.
func (f *simulateFlags) printPage(cmd *cobra.Command, out io.Writer, sim *simulated) error {
	c, text := sim.verdict()
	p := pageOf(cmd, sim.options.Rollout, c, text)
	nodes := sim.pageNodes()
	if sim.result.Outcome != simulate.Complete {
		p.Lead = sim.ending()
	}
	p.Facts = sim.facts()
	p.Figure = "The rollout over its time"
	chart := sim.chart(nodes)
	p.Chart = chart
	view := sim.view(f.timeline)
	if len(nodes) > page.Most {
		p.Note = fmt.Sprintf("More than %d nodes: they are drawn by zone and by the states they come through.", page.Most)
		view.Timeline, view.Gaps = nil, nil
		for _, gap := range longestGaps(&sim.result, shownSlow) {
			view.Gaps = append(view.Gaps, viewOfGap(gap))
		}
	}
	p.Result = typed{kindSimulation, view}
	p.Tables = append(p.Tables, sim.slowTable(nodes))
	summary := page.Table{Title: "In numbers"}
	for _, line := range sim.summary() {
		summary.Rows = append(summary.Rows, page.Row{Cells: []string{line.name, line.text}})
	}
	p.Tables = append(p.Tables, summary)
	if f.timeline != "none" {
		p.Tables = append(p.Tables, sim.happeningsTable(f.timeline))
	}
	settings, err := settingsTable(sim.options.Rollout)
	if err != nil {
		return err
	}
	p.Tables = append(p.Tables, settings, f.timingsTable())
	return page.Write(out, p)
}

// facts are the numbers that are shown large.
func (s *simulated) facts() []page.Fact {
	r := &s.result
	requests := 0
	for _, w := range r.Writes {
		requests += w.Done
	}
	bound := ""
	if s.boundHolds() {
		b := simulate.BoundOfStrategy(r.Bound, s.options.Rollout)
		bound = "at least " + elapsed(b.TotalAt(b.Budget))
	}
	facts := []page.Fact{
		{Name: "Duration", Value: elapsed(r.Duration), Of: bound},
		{Name: "No agent, longest", Value: elapsed(r.LongestGap), Of: "median " + elapsed(medianGap(r))},
		{Name: "No agent, at once", Value: fmt.Sprint(r.MostUnserved), Of: fmt.Sprintf("budget %d", r.Limits.Unavailable)},
		{Name: "No agent, in all", Value: elapsed(r.NodeTime), Of: "of nodes' time"},
	}
	if s.mayOverlap() || r.MostOverlap > 0 {
		facts = append(facts, page.Fact{Name: "Two Pods, at once", Value: fmt.Sprint(r.MostOverlap), Of: fmt.Sprintf("window %d", r.Limits.Window)})
	}
	return append(facts, page.Fact{Name: "Requests", Value: fmt.Sprint(requests), Of: "in " + counted(r.Plans, "plan")})
}

// chart is what the figure is drawn from.
func (s *simulated) chart(nodes []page.Node) *page.RunChart {
	r := &s.result
	duration := seconds(r.Duration)
	chart := &page.RunChart{Duration: duration, Samples: samplesOf(r), Plans: &s.history.account, Reasons: s.history.reasons}
	chart.Plans.Thin(duration)
	for _, p := range s.phases {
		chart.Phases = append(chart.Phases, page.Mark{At: seconds(p.at), Text: string(p.name)})
	}
	chart.Events = s.events()
	if len(nodes) > page.Most {
		chart.Groups, chart.Reasons = page.Grouped(nodes, duration), nil
		return chart
	}
	chart.Nodes = nodes
	return chart
}

// samplesOf are the run's samples as columns.
func samplesOf(r *simulate.Result) *page.Samples {
	columns := &page.Samples{}
	for _, s := range r.Samples {
		columns.At = append(columns.At, seconds(s.At))
		columns.Unserved = append(columns.Unserved, s.Unserved)
		columns.Overlap = append(columns.Overlap, s.Overlap)
		columns.Pulling = append(columns.Pulling, s.Pulling)
		columns.MilliCPU = append(columns.MilliCPU, s.MilliCPU)
		columns.Memory = append(columns.Memory, s.Memory)
	}
	columns.Thin(seconds(r.Duration))
	return columns
}

// events are faults, crashes and decisions.
func (s *simulated) events() (marks []page.Mark) {
	for i := range s.options.Faults {
		for _, h := range imageLines(&s.options.Faults[i]) {
			marks = append(marks, page.Mark{At: seconds(h.at), Text: h.what})
		}
	}
	for i := range s.result.Timeline {
		e := &s.result.Timeline[i]
		if !s.isFault(e) && e.What != simulate.ExecutorCrashed && e.What != simulate.Decided {
			continue
		}
		text := entryText(e, s.onOneDaemonSet())
		if e.Node != "" {
			text = e.Node + ": " + text
		}
		marks = append(marks, page.Mark{At: seconds(e.At), Text: text})
	}
	slices.SortStableFunc(marks, func(a, b page.Mark) int { return cmp.Compare(a.At, b.At) })
	return marks[:min(shownEvents, len(marks))]
}

// pageNodes are the nodes' lines, those that were done first above: what actions put them into, and over it when they were without an agent.
func (s *simulated) pageNodes() (nodes []page.Node) {
	r := &s.result
	s.history.end(seconds(r.Duration))
	first, longest, absent := map[string]rune{}, map[string]time.Duration{}, map[string][]simulate.Absence{}
	for i := range s.history.nodes {
		first[s.history.nodes[i].name] = s.history.nodes[i].first
	}
	for _, gap := range r.Gaps {
		longest[gap.Node] = gap.Longest
	}
	for _, a := range r.Absences {
		absent[a.Node] = append(absent[a.Node], a)
	}
	turns := s.turns(maps.Clone(first))
	states := map[rune]page.State{untouched: page.Source, overlapped: page.Overlap, handedOver: page.Target}
	for i := range s.history.nodes {
		h := &s.history.nodes[i]
		n := page.Node{Name: h.name, Zone: h.zone, Notes: h.notes, Failed: h.failed, Aside: h.aside, Gap: seconds(longest[h.name]),
			Turns: []page.Turn{{State: states[h.first]}}}
		for _, t := range turns[h.name] {
			if state, ok := states[t.mark]; ok && n.Turns[len(n.Turns)-1].State != state {
				n.Turns = append(n.Turns, page.Turn{At: seconds(t.at), State: state})
			}
		}
		for _, a := range absent[h.name] {
			state, span := page.Gap, page.Span{From: seconds(a.From), Until: seconds(a.Until)}
			if !a.Eligible {
				state = page.Away
			}
			if a.Until == r.Duration {
				span.Until = math.Inf(1)
			}
			n.Put(state, span)
		}
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, func(a, b page.Node) int {
		return cmp.Or(cmp.Compare(doneTurn(&a), doneTurn(&b)), natural(a.Name, b.Name))
	})
	return nodes
}

// doneTurn is the last change of a node; one that never changes comes last.
func doneTurn(n *page.Node) float64 {
	if len(n.Turns) == 1 {
		return math.Inf(1)
	}
	return n.Turns[len(n.Turns)-1].At
}

// slow is how long a node took.
type slow struct {
	node        *page.Node
	from, until float64 // while it was neither on the source nor on the target with its agent
	times       map[page.State]float64
}

// slowest are the nodes that were the longest under way.
func slowest(nodes []page.Node, duration float64) (list []slow) {
	for i := range nodes {
		n := &nodes[i]
		s := slow{node: n, from: -1, times: map[page.State]float64{}}
		for j, t := range n.Turns {
			until := duration
			if j+1 < len(n.Turns) {
				until = n.Turns[j+1].At
			}
			if t.State == page.Source || t.State == page.Target {
				continue
			}
			if s.from < 0 {
				s.from = t.At
			}
			s.until = until
			s.times[t.State] += until - t.At
		}
		if s.from >= 0 && len(n.Turns) > 1 { // not of one that stays as it was found
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b slow) int {
		return cmp.Or(cmp.Compare(b.until-b.from, a.until-a.from), cmp.Compare(b.node.Gap, a.node.Gap), natural(a.node.Name, b.node.Name))
	})
	return list[:min(shownSlow, len(list))]
}

func (s *simulated) slowTable(nodes []page.Node) page.Table {
	t := page.Table{Title: "The slowest nodes, and why", Head: []string{"Node", "Zone", "Under way", "In overlap", "Without agent", "", "What the plans waited for there"}, Numbers: []int{2, 3, 4}}
	list, most := slowest(nodes, seconds(s.result.Duration)), 0.0
	for _, one := range list {
		most = max(most, one.times[page.Overlap]+one.times[page.Gap]+one.times[page.Away])
	}
	for _, one := range list {
		share := func(class, name string, state page.State) page.Share {
			return page.Share{Class: class, Name: name, Percent: one.times[state] / max(most, 0.001) * 100}
		}
		t.Rows = append(t.Rows, page.Row{
			Cells: []string{one.node.Name, dash(one.node.Zone), asDuration(one.until - one.from), asDuration(one.times[page.Overlap]), asDuration(one.node.Gap), "", s.why(&one)},
			Bar:   []page.Share{share("overlap", "in overlap", page.Overlap), share("gap", "without an agent", page.Gap), share("away", "not eligible", page.Away)},
		})
	}
	if len(list) == 0 {
		t.Note = "No node was in overlap or without an agent."
	}
	return t
}

// why names the reasons that held the longest while the node was under way.
func (s *simulated) why(one *slow) string {
	lasted := make([]float64, len(s.history.reasons))
	notes := one.node.Notes
	for i, note := range notes {
		until := one.until
		if i+1 < len(notes) {
			until = min(until, notes[i+1].At)
		}
		lasted[note.Reason] += max(0, until-max(note.At, one.from))
	}
	order := make([]int, 0, len(lasted))
	for reason, time := range lasted {
		if time >= 0.1 {
			order = append(order, reason)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lasted[b], lasted[a]) })
	text := ""
	for i, reason := range order[:min(shownWhy, len(order))] {
		if i > 0 {
			text += ", "
		}
		text += s.history.reasons[reason] + " " + asDuration(lasted[reason])
	}
	return text
}

func (s *simulated) happeningsTable(size string) page.Table {
	t := page.Table{Title: "What happened", Head: []string{"Time", "Node", "What"}, Numbers: []int{0}, Closed: true}
	lines := s.happenings(size)
	if more := len(lines) - shownLines; more > 0 {
		t.Note = fmt.Sprintf("the first %d lines; %d more stand in -o json", shownLines, more)
		lines = lines[:shownLines]
	}
	for _, h := range lines {
		t.Rows = append(t.Rows, page.Row{Cells: []string{h.when(), h.where(), h.sentence()}})
	}
	return t
}
