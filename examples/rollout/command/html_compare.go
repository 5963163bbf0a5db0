package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/examples/rollout/page"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// printPage writes the comparison as a page.
func (f *compareFlags) printPage(cmd *cobra.Command, out io.Writer, rollout *model.Rollout, c *compared) error {
	text, head := c.head()
	if best := c.best(); best != "" && len(c.rows) == len(arena.Ways()) {
		head = append([]string{text}, head...)
		text = best
	}
	p := pageOf(cmd, rollout, green, text)
	p.Result, p.Figure = typed{kindComparison, c.view()}, "Every way on one axis of time"
	b := &c.bound
	ended := 0
	for i := range c.rows {
		ended += min(1, len(c.rows[i].Runs))
	}
	p.Facts = []page.Fact{
		{Name: "Nodes", Value: fmt.Sprint(b.Nodes), Of: fmt.Sprintf("%d at a time", b.Budget)},
		{Name: "Lower bound", Value: elapsed(b.Total), Of: fmt.Sprintf("handoff %s, preparation %s", elapsed(b.Handoff), elapsed(b.Preparation))},
		{Name: "Ways that come to their end", Value: fmt.Sprint(ended), Of: fmt.Sprintf("of %d", len(c.rows))},
		{Name: "Draws", Value: fmt.Sprint(c.seeds), Of: fmt.Sprintf("from seed %d on", f.seed)},
	}
	chart := &page.WaysChart{}
	for i := range c.rows {
		row := &c.rows[i]
		way := page.Way{Name: row.Way.Name, Reason: row.Reason, Other: row.Way.Is == arena.CompareOnly}
		if len(row.Runs) > 0 {
			way.Duration, way.Samples = seconds(row.Runs[0].Duration), samplesOf(&row.Runs[0])
		}
		chart.Ways = append(chart.Ways, way)
	}
	p.Chart = chart
	if f.seeds > 1 {
		p.Note = fmt.Sprintf("Drawn with seed %d; the table has medians of %d draws.", f.seed, f.seeds)
	}
	p.Tables = append(p.Tables, c.pageTable(), linesTable("How to read it", head))
	if notes := c.notes(); len(notes) > 0 {
		p.Tables = append(p.Tables, linesTable("Notes", notes))
	}
	settings, err := settingsTable(rollout)
	if err != nil {
		return err
	}
	p.Tables = append(p.Tables, settings, f.timingsTable())
	return page.Write(out, p)
}

// pageTable has every column, with the range of several draws.
func (c *compared) pageTable() page.Table {
	t := page.Table{Title: "In numbers", Head: []string{"Strategy"}}
	for i, column := range columns {
		t.Head, t.Numbers = append(t.Head, column.title), append(t.Numbers, i+1)
	}
	for i := range c.rows {
		t.Rows = append(t.Rows, page.Row{Cells: cellsOf(&c.rows[i], columns, spreadOf.text)})
	}
	return t
}
