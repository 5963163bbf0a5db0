package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-rollout/planner/model"
)

// planVerdict is the plan in one line, with its colour.
func planVerdict(p *model.Plan) (colour, string) {
	stands := fmt.Sprintf("%d of %s updated", p.Pair.Updated, nodes(p.Pair.Desired))
	if p.Limits.Unavailable > 0 {
		stands += fmt.Sprintf(", %d unavailable (budget %d)", p.Ledger.Unavailable(), p.Limits.Unavailable)
	}
	switch blocked := p.Blocked(); {
	case blocked != nil:
		return red, fmt.Sprintf("Plan: blocked, %s; %s.", blocked.Reason, stands)
	case p.Complete() && len(p.Actions) == 0:
		return green, fmt.Sprintf("Plan: nothing to do; %s.", stands)
	case len(p.Actions) == 0:
		return yellow, fmt.Sprintf("Plan: no action now; %s.", stands)
	}
	handoffs, overlaps := 0, 0
	for i := range p.Actions {
		switch cost := p.Actions[i].Cost; {
		case cost.Seat != "":
			handoffs++
		case cost.Overlap > 0:
			overlaps++
		}
	}
	return green, fmt.Sprintf("Plan: %s, %d to enter overlap, %s; %s.",
		counted(handoffs, "handoff"), overlaps, counted(len(p.Actions)-handoffs-overlaps, "other write"), stands)
}

// samples names the first three, and says how many more there are.
func samples(names []string) string {
	const shown = 3
	text := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// shape is what nodes have in common.
type shape struct {
	stage   model.Stage
	verdict model.Verdict
	reason  model.Reason
}

// shapesOf groups the nodes by stage and reason.
func shapesOf(p *model.Plan) (order []shape, groups map[shape][]string) {
	groups = map[shape][]string{}
	for i := range p.Nodes {
		r := &p.Nodes[i]
		s := shape{r.Stage, r.Verdict, r.Reason}
		groups[s] = append(groups[s], r.Node)
	}
	for s := range groups {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.verdict, b.verdict), cmp.Compare(a.reason, b.reason))
	})
	return order, groups
}

func printShapes(out io.Writer, p *model.Plan) error {
	order, groups := shapesOf(p)
	t := newTable(out)
	t.row("NODES", "STAGE", "VERDICT", "REASON", "WHICH")
	for _, s := range order {
		names := inNaturalOrder(groups[s])
		t.row(strconv.Itoa(len(names)), s.stage.String(), s.verdict.String(), string(s.reason), samples(names))
	}
	return t.flush()
}

// alike are actions that follow one another and are alike but for their object.
type alike struct {
	first, last int
	action      *model.Action
	objects     []string
}

// alikeOf folds alike actions of nodes that follow one another.
func alikeOf(p *model.Plan) (runs []alike) {
	for i := range p.Actions {
		a := &p.Actions[i]
		name := a.Write.Object.String()
		if n := len(runs); n > 0 && a.Node != "" && sameButNode(runs[n-1].action, a) {
			runs[n-1].last, runs[n-1].objects = i, append(runs[n-1].objects, name)
			continue
		}
		runs = append(runs, alike{i, i, a, []string{name}})
	}
	return runs
}

var alikeTitles = []string{"#", "ACTION", "VERB", "OBJECT", "REASON", "COST"}

func printAlike(out io.Writer, p *model.Plan) error {
	t := newTable(out)
	t.row(alikeTitles...)
	for _, run := range alikeOf(p) {
		t.row(run.cells()...)
	}
	return t.flush()
}

// cells are its line.
func (run *alike) cells() []string {
	number := strconv.Itoa(run.first + 1)
	if run.last > run.first {
		number += "-" + strconv.Itoa(run.last+1)
	}
	object := run.objects[0]
	if more := len(run.objects) - 1; more > 0 {
		object += fmt.Sprintf(" and %d more", more)
	}
	return []string{number, string(run.action.Kind), run.action.Write.Verb(), object, string(run.action.Reason), costText(run.action, len(run.objects))}
}

func sameButNode(a, b *model.Action) bool {
	return a.Node != "" && a.Kind == b.Kind && a.Reason == b.Reason && a.Cost == b.Cost && a.Write.Verb() == b.Write.Verb()
}

// costText is the cost of one action, or of each of several.
func costText(a *model.Action, count int) string {
	text := a.Cost.String()
	if count > 1 && a.Cost != (model.Cost{}) {
		text += ", each"
	}
	return text
}
