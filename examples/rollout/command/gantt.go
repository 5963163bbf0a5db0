package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

// What a node's line shows at an instant; of several nodes, what the most of them are in, and without an agent if one is.
const (
	untouched  = '·'
	overlapped = 'o'
	unserved   = 'x'
	handedOver = '#'
)

// ganttLines is how many lines a gantt has at most: more nodes share them, in the order in which they were done.
const ganttLines = 10

// turn is when a node's line changes.
type turn struct {
	at   time.Duration
	mark rune
}

// printGantt draws the nodes over the time of the run: who is in overlap, without an agent, and handed over.
func (s *simulated) printGantt(out io.Writer) error {
	turns := s.turns(map[string]rune{})
	maps.DeleteFunc(turns, func(_ string, list []turn) bool {
		return !slices.ContainsFunc(list, func(t turn) bool { return t.mark != untouched })
	})
	if len(turns) < 2 || s.result.Duration == 0 {
		return nil
	}
	names := slices.SortedFunc(maps.Keys(turns), natural)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(doneAt(turns[a]), doneAt(turns[b])) })
	groups := inGroups(names, ganttLines)
	titles, widest := make([]string, len(groups)), 0
	for i, group := range groups {
		if titles[i] = group[0]; len(group) > 1 {
			titles[i] = fmt.Sprintf("%d nodes", len(group))
		}
		widest = max(widest, len(titles[i]))
	}
	cells := min(columnsOf(out)-widest-2, 60)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  0s%s\n", strings.Repeat(" ", widest), strings.Repeat(" ", max(1, cells-2-len(elapsed(s.result.Duration))))+elapsed(s.result.Duration))
	for i, group := range groups {
		b.WriteString(padded(titles[i], widest) + "  " + drawn(group, turns, s.result.Duration, cells) + "\n")
	}
	fmt.Fprintf(&b, "%s  %c as it was, %c in overlap, %c without an agent, %c handed over\n\n", strings.Repeat(" ", widest), untouched, overlapped, unserved, handedOver)
	_, err := io.WriteString(out, b.String())
	return err
}

// turns reads the timeline: of a node without an agent only that it is, of others what they are in. A handover shows once it has
// come to its end. The marks are what nodes were in at the beginning, where that is not untouched.
func (s *simulated) turns(marks map[string]rune) map[string][]turn {
	turns, lost := map[string][]turn{}, map[string]bool{}
	for i := range s.result.Timeline {
		e := &s.result.Timeline[i]
		add := func(mark rune) { turns[e.Node] = append(turns[e.Node], turn{e.At, mark}) }
		switch {
		case e.Node == "":
		case e.What == simulate.Sent:
			mark, ok := s.markOf(e.Action)
			if !ok {
				continue
			}
			if marks[e.Node] = mark; mark != handedOver && !lost[e.Node] {
				add(mark)
			}
		case e.What == simulate.LostService:
			lost[e.Node] = true
			add(unserved)
		case e.What == simulate.Served:
			lost[e.Node] = false
			add(cmp.Or(marks[e.Node], untouched))
		}
	}
	return turns
}

// markOf is what a node is in after the action, while it has an agent.
func (s *simulated) markOf(a *model.Action) (rune, bool) {
	switch {
	case a.Kind == model.DeletePod && s.onOneDaemonSet():
		return handedOver, true
	case a.Kind != model.SetNodeSlot || a.Write.Patch == nil || len(a.Write.Patch.Labels) == 0 || a.Write.Patch.Labels[0].To == nil:
		return 0, false
	}
	label := model.ParseNodeLabel(*a.Write.Patch.Labels[0].To, true)
	switch {
	case label.Kind == model.Overlaps:
		return overlapped, true
	case label.To == s.source:
		return untouched, true
	}
	return handedOver, true
}

// doneAt is the last change of a node.
func doneAt(turns []turn) time.Duration { return turns[len(turns)-1].at }

// inGroups spreads the names over so many lines, as evenly as it goes, in their order.
func inGroups(names []string, lines int) (groups [][]string) {
	lines = min(lines, len(names))
	for i := range lines {
		groups = append(groups, names[i*len(names)/lines:(i+1)*len(names)/lines])
	}
	return groups
}

// drawn is the line of a group.
func drawn(group []string, turns map[string][]turn, whole time.Duration, cells int) string {
	line := make([]rune, cells)
	for cell := range line {
		from, to := whole*time.Duration(cell)/time.Duration(cells), whole*time.Duration(cell+1)/time.Duration(cells)
		line[cell] = markIn(group, turns, from, to)
	}
	return string(line)
}

// markIn is what the group is in within the interval.
func markIn(group []string, turns map[string][]turn, from, to time.Duration) rune {
	counts := map[rune]int{}
	for _, name := range group {
		mark := untouched
		for _, t := range turns[name] {
			if t.at >= to {
				break
			}
			if mark = t.mark; mark == unserved && t.at >= from {
				return unserved
			}
		}
		if mark == unserved {
			return unserved
		}
		counts[mark]++
	}
	most := untouched
	for _, mark := range []rune{overlapped, handedOver} {
		if counts[mark] > counts[most] {
			most = mark
		}
	}
	return most
}
