package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// spreadOf is the lower median of sorted values, with the least and the most.
type spreadOf struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

func spread(sorted []float64) spreadOf {
	return spreadOf{sorted[(len(sorted)-1)/2], sorted[0], sorted[len(sorted)-1]}
}

// text writes the range only where there is one to see.
func (s spreadOf) text(write func(float64) string) string {
	median, least, most := write(s.Median), write(s.Least), write(s.Most)
	if least == most {
		return median
	}
	return fmt.Sprintf("%s (%s to %s)", median, least, most)
}

func (s spreadOf) median(write func(float64) string) string { return write(s.Median) }

// ends are the least and the most.
func (s spreadOf) ends(write func(float64) string) string {
	least, most := write(s.Least), write(s.Most)
	if least == most {
		return least
	}
	return least + " to " + most
}

func asDuration(s float64) string { return elapsed(time.Duration(s * float64(time.Second))) }

func asCount(n float64) string { return strconv.Itoa(int(n)) }

// column is one number of the table.
type column struct {
	title string
	of    func(*simulate.Result) float64
	write func(float64) string
}

const unavailableTitle = "UNAVAILABLE"

// rangesApart is how many of the columns show their ranges in one table: more would not fit a line.
const rangesApart = 5

var columns = []column{
	{"DURATION", func(r *simulate.Result) float64 { return seconds(r.Duration) }, asDuration},
	{"BOUND", boundShare, func(x float64) string { return "×" + strconv.FormatFloat(x, 'f', 2, 64) }},
	{"WITHOUT AGENT", func(r *simulate.Result) float64 { return seconds(r.NodeTime) }, asDuration},
	{"LONGEST GAP", func(r *simulate.Result) float64 { return seconds(r.LongestGap) }, asDuration},
	{unavailableTitle, func(r *simulate.Result) float64 { return float64(r.MostUnserved) }, asCount},
	{"+CPU", func(r *simulate.Result) float64 { return float64(r.Extra.PeakMilliCPU) }, asCPU},
	{"CORE-S", func(r *simulate.Result) float64 { return r.Extra.CoreSeconds }, rounded},
	{"+MEMORY", func(r *simulate.Result) float64 { return float64(r.Extra.PeakMemory) }, asMemory},
	{"GIB-S", func(r *simulate.Result) float64 { return r.Extra.GiBSeconds }, rounded},
	{"WRITES", func(r *simulate.Result) float64 { return float64(writesOf(r)) }, asCount},
}

func boundShare(r *simulate.Result) float64 {
	if r.Bound.Total == 0 {
		return 0
	}
	return r.Duration.Seconds() / r.Bound.Total.Seconds()
}

func writesOf(r *simulate.Result) (done int) {
	for _, w := range r.Writes {
		done += w.Done
	}
	return done
}

func rounded(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

func asCPU(milli float64) string {
	return resource.NewMilliQuantity(int64(milli), resource.DecimalSI).String()
}

func asMemory(bytes float64) string {
	return resource.NewQuantity(int64(bytes), resource.BinarySI).String()
}

func (c *compared) print(out io.Writer) error {
	b := &c.bound
	head := []string{"Every row starts from its own steady state: a pair is armed, the others are one conventional DaemonSet."}
	if b.Nodes > 0 {
		head = append([]string{fmt.Sprintf("%s, %d at a time: one revision takes %s at least (%d × %s of handoff + %s of preparation).",
			nodes(b.Nodes), b.Budget, elapsed(b.Total), (b.Nodes+b.Budget-1)/max(1, b.Budget), elapsed(b.Handoff), elapsed(b.Preparation))}, head...)
	}
	if c.seeds > 1 {
		head = append(head, fmt.Sprintf("Medians of %d draws of all durations; how far they lie apart stands below.", c.seeds))
	}
	if len(c.down) > 0 {
		head = append(head, fmt.Sprintf("Not Ready throughout: %s.", strings.Join(c.down, ", ")))
	}
	printLines(out, head)
	_, _ = io.WriteString(out, "\n")
	if err := c.printRows(out, columns, spreadOf.median); err != nil {
		return err
	}
	if c.seeds > 1 {
		_, _ = fmt.Fprintf(out, "\nThe least and the most of %d draws:\n", c.seeds)
		for _, part := range [][]column{columns[:rangesApart], columns[rangesApart:]} {
			_, _ = io.WriteString(out, "\n")
			if err := c.printRows(out, part, spreadOf.ends); err != nil {
				return err
			}
		}
	}
	if notes := c.notes(); len(notes) > 0 {
		_, _ = io.WriteString(out, "\n")
		printLines(out, notes)
	}
	return nil
}

// printLines wraps each text.
func printLines(out io.Writer, texts []string) {
	for _, text := range texts {
		_, _ = io.WriteString(out, strings.Join(wrapped(text, widest), "\n")+"\n")
	}
}

// printRows prints the columns of every way, each cell as said.
func (c *compared) printRows(out io.Writer, columns []column, cell func(spreadOf, func(float64) string) string) error {
	t := newTable(out)
	cells := []string{"STRATEGY"}
	for _, column := range columns {
		cells = append(cells, column.title)
	}
	t.row(cells...)
	for i := range c.rows {
		t.row(cellsOf(&c.rows[i], columns, cell)...)
	}
	return t.flush()
}

func cellsOf(r *arena.Row, columns []column, cell func(spreadOf, func(float64) string) string) []string {
	cells := []string{r.Way.Name}
	for _, column := range columns {
		if r.Reason != "" {
			cells = append(cells, "-")
			continue
		}
		text := cell(spread(values(r, column.of)), column.write)
		if column.title == unavailableTitle {
			text += fmt.Sprintf(" of %d", r.Runs[0].Bound.Budget)
		}
		cells = append(cells, text)
	}
	return cells
}

// notes say what the numbers do not: why a row has none, what is unsafe about it, and what arming costs.
func (c *compared) notes() (lines []string) {
	for i := range c.rows {
		row := &c.rows[i]
		if row.Reason != "" {
			lines = append(lines, fmt.Sprintf("%s: %s", row.Way.Name, row.Reason))
		}
		if row.Window > 0 {
			lines = append(lines, fmt.Sprintf("%s: with maxSurge %d, the smallest that reaches 1.05 times the bound.", row.Way.Name, row.Window))
		}
		if row.AboveBudget() {
			lines = append(lines, row.Way.Name+": more nodes are without an agent at the same time than the budget allows.")
		}
		if row.Doubles() {
			lines = append(lines, row.Way.Name+": "+doubled)
		}
	}
	for i := range c.rows {
		row := c.rows[i].Arming
		if row == nil {
			continue
		}
		if row.Reason != "" {
			lines = append(lines, fmt.Sprintf("Arming for %s, once: %s", row.Way.Name, row.Reason))
			continue
		}
		lines = append(lines, fmt.Sprintf("Arming for %s, once, and not in the row: %s; %s of nodes' time without an agent, %s at most on one node, %s at a time.",
			row.Way.Name, textOf(row, "DURATION"), textOf(row, "WITHOUT AGENT"), textOf(row, "LONGEST GAP"), textOf(row, "UNAVAILABLE")))
	}
	return lines
}

// text is the row's cell of that column.
func textOf(r *arena.Row, title string) string {
	for _, column := range columns {
		if column.title == title {
			return spread(values(r, column.of)).text(column.write)
		}
	}
	return ""
}
