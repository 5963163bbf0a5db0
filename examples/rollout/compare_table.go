package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
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

func asDuration(s float64) string { return elapsed(time.Duration(s * float64(time.Second))) }

func asCount(n float64) string { return strconv.Itoa(int(n)) }

// column is one number of the table.
type column struct {
	title string
	of    func(*simulate.Result) float64
	write func(float64) string
}

var columns = []column{
	{"DURATION", func(r *simulate.Result) float64 { return seconds(r.Duration) }, asDuration},
	{"BOUND", boundShare, func(x float64) string { return "×" + strconv.FormatFloat(x, 'f', 2, 64) }},
	{"WITHOUT AGENT", func(r *simulate.Result) float64 { return seconds(r.NodeTime) }, asDuration},
	{"LONGEST GAP", func(r *simulate.Result) float64 { return seconds(r.LongestGap) }, asDuration},
	{"UNAVAILABLE", func(r *simulate.Result) float64 { return float64(r.MostUnserved) }, asCount},
	{"EXTRA CPU", func(r *simulate.Result) float64 { return float64(r.Extra.PeakMilliCPU) }, asCPU},
	{"CORE-S", func(r *simulate.Result) float64 { return r.Extra.CoreSeconds }, rounded},
	{"EXTRA MEMORY", func(r *simulate.Result) float64 { return float64(r.Extra.PeakMemory) }, asMemory},
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
	if b.Nodes > 0 {
		_, _ = fmt.Fprintf(out, "%s, %d at a time: one revision takes %s at least (%d × %s of handoff + %s of preparation).\n",
			nodes(b.Nodes), b.Budget, elapsed(b.Total), (b.Nodes+b.Budget-1)/max(1, b.Budget), elapsed(b.Handoff), elapsed(b.Preparation))
	}
	_, _ = io.WriteString(out, "Every row starts from its own steady state: a pair is armed, the others are one conventional DaemonSet.\n")
	if c.seeds > 1 {
		_, _ = fmt.Fprintf(out, "Medians of %d draws of all durations, with the least and the most.\n", c.seeds)
	}
	if len(c.down) > 0 {
		_, _ = fmt.Fprintf(out, "Not Ready throughout: %s.\n", strings.Join(c.down, ", "))
	}
	_, _ = io.WriteString(out, "\n")
	if err := c.printRows(out); err != nil {
		return err
	}
	for _, line := range c.notes() {
		_, _ = fmt.Fprintf(out, "\n%s", line)
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (c *compared) printRows(out io.Writer) error {
	t := newTable(out)
	cells := []string{"STRATEGY"}
	for _, column := range columns {
		cells = append(cells, column.title)
	}
	t.row(cells...)
	for i := range c.rows {
		t.row(c.rows[i].cells()...)
	}
	return t.flush()
}

func (r *comparedRow) cells() []string {
	cells := []string{r.way.name}
	for _, column := range columns {
		if r.reason != "" {
			cells = append(cells, "-")
			continue
		}
		text := spread(r.values(column.of)).text(column.write)
		if column.title == "UNAVAILABLE" {
			text += r.budgetText()
		}
		cells = append(cells, text)
	}
	return cells
}

func (r *comparedRow) budgetText() string {
	limit := r.runs[0].Bound.Budget
	text := fmt.Sprintf(" of %d", limit)
	if r.aboveBudget() {
		text += ", above the budget"
	}
	return text
}

func (r *comparedRow) aboveBudget() bool {
	for i := range r.runs {
		if run := &r.runs[i]; run.MostUnserved > run.Bound.Budget {
			return true
		}
	}
	return false
}

// doubles tells whether two processes of one component ran on a node at the same time.
func (r *comparedRow) doubles() bool {
	for i := range r.runs {
		if r.runs[i].Double != nil {
			return true
		}
	}
	return false
}

// notes say what the numbers do not: why a row has none, what is unsafe about it, and what arming costs.
func (c *compared) notes() (lines []string) {
	for i := range c.rows {
		row := &c.rows[i]
		if row.reason != "" {
			lines = append(lines, fmt.Sprintf("%s: %s", row.way.name, row.reason))
		}
		if row.doubles() {
			lines = append(lines, row.way.name+": "+doubled)
		}
	}
	for i := range c.arming {
		row := &c.arming[i]
		if row.reason != "" {
			lines = append(lines, fmt.Sprintf("Arming for %s, once: %s", row.way.name, row.reason))
			continue
		}
		lines = append(lines, fmt.Sprintf("Arming for %s, once, and not in the row: %s; %s of nodes' time without an agent, %s at most on one node, %s at a time.",
			row.way.name, row.text("DURATION"), row.text("WITHOUT AGENT"), row.text("LONGEST GAP"), row.text("UNAVAILABLE")))
	}
	return lines
}

// text is the row's cell of that column.
func (r *comparedRow) text(title string) string {
	for _, column := range columns {
		if column.title == title {
			return spread(r.values(column.of)).text(column.write)
		}
	}
	return ""
}

func windowed(s model.Strategy, window int) model.Strategy {
	surge := intstr.FromInt32(int32(window))
	s.MaxSurge = &surge
	return s
}
