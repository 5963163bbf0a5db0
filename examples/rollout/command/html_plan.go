package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/examples/rollout/page"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// planPage writes the plan as a page.
func planPage(cmd *cobra.Command, out io.Writer, snapshot *model.Snapshot, p *model.Plan) error {
	c, text := planVerdict(p)
	sheet := pageOf(cmd, snapshot.Rollout, c, text)
	if blocked := p.Blocked(); blocked != nil {
		sheet.Lead = blocked.Message
	}
	people := forPeople(p)
	view := viewOf(p)
	chart := planChart(snapshot, people)
	if len(p.Nodes) > page.Most {
		sheet.Note = fmt.Sprintf("More than %d nodes: they stand by shape here, and one by one in -o json.", page.Most)
		view.Nodes = nil
	}
	sheet.Result, sheet.Chart = typed{kindPlan, view}, chart
	sheet.Figure = "The ledger"
	sheet.Ledger = ledgerOf(p)
	sheet.Facts = []page.Fact{
		{Name: "Updated", Value: strconv.Itoa(p.Pair.Updated), Of: "of " + nodes(p.Pair.Desired)},
		{Name: "Unavailable", Value: strconv.Itoa(p.Ledger.Unavailable()), Of: fmt.Sprintf("budget %d", p.Limits.Unavailable)},
		{Name: "In overlap", Value: strconv.Itoa(p.Pair.InOverlap), Of: fmt.Sprintf("window %d", p.Limits.Window)},
		{Name: "Actions", Value: strconv.Itoa(len(p.Actions)), Of: "at most " + counted(p.Limits.Writes, "write")},
		{Name: "Phase", Value: string(p.Phase), Of: nextLook(p)},
	}
	sheet.Tables = append(sheet.Tables, shapeTable(people, chart), actionTable(p))
	sheet.Tables = append(sheet.Tables, attention(p)...)
	if len(p.Nodes) <= page.Most && len(p.Nodes) > 0 {
		sheet.Tables = append(sheet.Tables, nodeTable(snapshot, people))
	}
	settings, err := settingsTable(snapshot.Rollout)
	if err != nil {
		return err
	}
	sheet.Tables = append(sheet.Tables, settings)
	return page.Write(out, sheet)
}

// nextLook is when to plan again.
func nextLook(p *model.Plan) string {
	if p.RequeueAfter == 0 {
		return "plan again on a change"
	}
	return "plan again in " + elapsed(p.RequeueAfter)
}

// ledgerOf has what is charged at its right end, where the budget is marked.
func ledgerOf(p *model.Plan) *page.Ledger {
	l := &p.Ledger
	return &page.Ledger{Eligible: l.Eligible, Budget: p.Limits.Unavailable, Text: l.String(), Columns: []page.Column{
		{Class: "exempt", Name: "ambient, exempt", Count: l.Exempt},
		{Class: "joining", Name: "joining", Count: l.Joining},
		{Class: "available", Name: "available", Count: l.Available},
		{Class: "ambient", Name: "ambient, charged", Count: l.Ambient - l.Exempt},
		{Class: "committed", Name: "committed", Count: l.Committed},
	}}
}

func planChart(snapshot *model.Snapshot, p *model.Plan) *page.PlanChart {
	order, groups := shapesOf(p)
	chart := &page.PlanChart{}
	for _, s := range order {
		shape := page.Shape{Stage: s.stage.String(), Verdict: s.verdict.String(), Reason: string(s.reason), Count: len(groups[s])}
		for _, name := range groups[s] {
			if zone := zoneOf(snapshot, name); zone != "" {
				if shape.Zones == nil {
					shape.Zones = map[string]int{}
				}
				shape.Zones[zone]++
			}
		}
		chart.Shapes = append(chart.Shapes, shape)
	}
	return chart
}

// mostZones is up to how many zones have a column each.
const mostZones = 6

// shapeTable has a line for the nodes of one stage and reason; it opens to what the plan says of the first of them, and to their names.
func shapeTable(p *model.Plan, chart *page.PlanChart) page.Table {
	order, groups := shapesOf(p)
	zones := zonesOf(chart)
	t := page.Table{Title: "Nodes by shape", Head: []string{"Nodes", "", "Stage", "Verdict", "Reason"}, Numbers: []int{0}}
	for i, zone := range zones {
		t.Head, t.Numbers = append(t.Head, zone), append(t.Numbers, 5+i)
	}
	t.Head = append(t.Head, "Which")
	message := map[string]string{}
	for i := range p.Nodes {
		message[p.Nodes[i].Node] = plan.Message(p, &p.Nodes[i])
	}
	most := 0
	for _, names := range groups {
		most = max(most, len(names))
	}
	for i, s := range order {
		names := inNaturalOrder(groups[s])
		row := page.Row{Cells: []string{strconv.Itoa(len(names)), "", s.stage.String(), s.verdict.String(), string(s.reason)},
			Bar: []page.Share{{Class: classOf(s.stage), Name: s.stage.String(), Percent: float64(len(names)) / float64(most) * 100}}}
		for _, zone := range zones {
			row.Cells = append(row.Cells, strconv.Itoa(chart.Shapes[i].Zones[zone]))
		}
		row.Cells = append(row.Cells, samples(names))
		row.More = names[0] + ": " + message[names[0]]
		t.Rows = append(t.Rows, row)
	}
	if len(order) == 0 {
		t.Note = "No node is eligible, and none holds anything of the rollout."
	}
	return t
}

// zonesOf are the zones of the nodes if there are few.
func zonesOf(chart *page.PlanChart) (zones []string) {
	seen := map[string]bool{}
	for i := range chart.Shapes {
		for zone := range chart.Shapes[i].Zones {
			seen[zone] = true
		}
	}
	if len(seen) < 2 || len(seen) > mostZones {
		return nil
	}
	for zone := range seen {
		zones = append(zones, zone)
	}
	slices.SortFunc(zones, natural)
	return zones
}

// classOf is the colour of a stage.
func classOf(s model.Stage) string {
	switch s {
	case model.StageOverlap:
		return "overlap"
	case model.StageReleased, model.StageLeaving:
		return "gap"
	case model.StageTarget, model.StageComplete:
		return "target"
	case model.StageForeign:
		return "exception"
	case model.StageSource:
	}
	return "source"
}

func actionTable(p *model.Plan) page.Table {
	t := page.Table{Title: "Actions, in their order", Head: sentenceCase(alikeTitles), Numbers: []int{0}}
	for _, run := range alikeOf(p) {
		row := page.Row{Cells: run.cells()}
		if len(run.objects) > 1 {
			row.More = fmt.Sprintf("All %d: %s", len(run.objects), joined(run.objects))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(p.Actions) == 0 {
		t.Note = "No actions."
	}
	return t
}

// joined names at most so many as fit a paragraph.
func joined(names []string) string {
	const most = 40
	text := ""
	for i, name := range names[:min(most, len(names))] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// sentenceCase writes titles as a page does.
func sentenceCase(titles []string) []string {
	own := make([]string, len(titles))
	for i, title := range titles {
		own[i] = title[:1]
		for _, r := range title[1:] {
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			own[i] += string(r)
		}
	}
	return own
}

// attention is what asks for a person's look: exceptions, waits, faults and conditions.
func attention(p *model.Plan) (tables []page.Table) {
	if len(p.Exceptions) > 0 {
		t := page.Table{Title: "Exceptions", Note: "set aside: neither the end of the rollout nor the next revision waits for them", Head: []string{"Node", "Reason", "Since", "Detail"}}
		for _, e := range p.Exceptions[:min(page.Most, len(p.Exceptions))] {
			since := ""
			if !e.Since.IsZero() {
				since = e.Since.UTC().Format(time.RFC3339)
			}
			t.Rows = append(t.Rows, page.Row{Cells: []string{e.Node, string(e.Reason), dash(since), dash(e.Detail)}})
		}
		tables = append(tables, t)
	}
	if len(p.Waits) > 0 {
		t := page.Table{Title: "The rollout waits", Head: []string{"Reason", "Message"}}
		for _, w := range p.Waits {
			t.Rows = append(t.Rows, page.Row{Cells: []string{string(w.Reason), w.Message}})
		}
		tables = append(tables, t)
	}
	if len(p.Faults) > 0 {
		tables = append(tables, linesTable("Odd objects", p.Faults[:min(page.Most, len(p.Faults))]))
	}
	conditions := page.Table{Title: "Conditions", Head: []string{"Type", "Status", "Reason", "Message"}}
	for _, c := range p.Conditions {
		conditions.Rows = append(conditions.Rows, page.Row{Cells: []string{c.Type, string(c.Status), c.Reason, cmp.Or(c.Message, dash(""))}})
	}
	return append(tables, conditions)
}

func nodeTable(snapshot *model.Snapshot, p *model.Plan) page.Table {
	t := page.Table{Title: "Every node", Head: []string{"Node", "Zone", "Stage", "Verdict", "Reason", "Action", "Ledger", "Since", "Message"}, Closed: len(p.Nodes) > smallCluster}
	for i := range p.Nodes {
		r := &p.Nodes[i]
		action := ""
		if r.Action > 0 {
			action = "#" + strconv.Itoa(int(r.Action))
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{r.Node, dash(zoneOf(snapshot, r.Node)), r.Stage.String(), r.Verdict.String(), string(r.Reason),
			dash(action), dash(r.Blame.String()), sinceText(r), plan.Message(p, r)}})
	}
	return t
}
