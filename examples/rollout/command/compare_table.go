package command

import (
	"fmt"
	"io"
	"slices"
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
	// typical is the width that most cells fit into: rows are printed before the next ones are known.
	typical int
	of      func(*simulate.Result) float64
	write   func(float64) string
}

const unavailableTitle = "AT ONCE"

// rangesApart is how many of the columns show their ranges in one table: more would not fit a line.
const rangesApart = 3

var columns = []column{
	{"DURATION", 8, func(r *simulate.Result) float64 { return seconds(r.Duration) }, asDuration},
	{"BOUND", 5, boundShare, func(x float64) string { return "×" + strconv.FormatFloat(x, 'f', 2, 64) }},
	{"NO AGENT", 9, func(r *simulate.Result) float64 { return seconds(r.NodeTime) }, asDuration},
	{"LONGEST", 8, func(r *simulate.Result) float64 { return seconds(r.LongestGap) }, asDuration},
	{unavailableTitle, 8, func(r *simulate.Result) float64 { return float64(r.MostUnserved) }, asCount},
	{"+CPU", 6, func(r *simulate.Result) float64 { return float64(r.Extra.PeakMilliCPU) }, asCPU},
	{"CORE-S", 6, func(r *simulate.Result) float64 { return r.Extra.CoreSeconds }, rounded},
	{"+MEMORY", 8, func(r *simulate.Result) float64 { return float64(r.Extra.PeakMemory) }, asMemory},
	{"GIB-S", 6, func(r *simulate.Result) float64 { return r.Extra.GiBSeconds }, rounded},
	{"WRITES", 6, func(r *simulate.Result) float64 { return float64(writesOf(r)) }, asCount},
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

// sums are the columns that a narrow output leaves out.
var sums = []string{"CORE-S", "GIB-S"}

// compareTable prints a comparison row by row.
type compareTable struct {
	out     io.Writer
	columns []column
	// early are rows that were made before the bound was known, which the head tells.
	early []*arena.Row
	begun bool
}

func newCompareTable(out io.Writer) *compareTable {
	t := &compareTable{out: out, columns: columns}
	if t.width() > columnsOf(out) {
		t.columns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return slices.Contains(sums, c.title) })
	}
	return t
}

// nameWidth is that of the longest name of a way.
func nameWidth() (width int) {
	for _, way := range arena.Ways() {
		width = max(width, len(way.Name))
	}
	return width
}

func (t *compareTable) width() int {
	width := nameWidth()
	for _, column := range t.columns {
		width += 2 + max(len(column.title), column.typical)
	}
	return width
}

// add prints a row that was made.
func (t *compareTable) add(c *compared, row *arena.Row) error {
	t.early = append(t.early, row)
	if len(row.Runs) == 0 && !t.begun {
		return nil
	}
	return t.flush(c)
}

// flush prints the head, once, and the rows that wait.
func (t *compareTable) flush(c *compared) error {
	if !t.begun {
		t.begun = true
		if err := c.printHead(t.out); err != nil {
			return err
		}
		titles := []string{"STRATEGY"}
		for _, column := range t.columns {
			titles = append(titles, column.title)
		}
		if err := t.line(titles); err != nil {
			return err
		}
	}
	for _, row := range t.early {
		if err := t.line(cellsOf(row, t.columns, spreadOf.median)); err != nil {
			return err
		}
	}
	t.early = nil
	return nil
}

func (t *compareTable) line(cells []string) error {
	line := padded(cells[0], nameWidth())
	for i, column := range t.columns {
		line += "  " + padded(cells[i+1], max(len(column.title), column.typical))
	}
	_, err := io.WriteString(t.out, strings.TrimRight(line, " ")+"\n")
	return err
}

// end prints what stands below the rows: how far the draws lie apart, notes, and the verdict.
func (t *compareTable) end(c *compared) error {
	if len(c.rows) == 0 {
		return nil
	}
	if err := t.flush(c); err != nil {
		return err
	}
	out := t.out
	if c.seeds > 1 {
		_, _ = fmt.Fprintf(out, "\nThe least and the most of %d draws:\n", c.seeds)
		for part := range slices.Chunk(columns, rangesApart) {
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
	if best := c.best(); best != "" && len(c.rows) == len(arena.Ways()) {
		_, _ = io.WriteString(out, "\n")
		return verdict(out, green, best)
	}
	return nil
}

// head says what is compared: the first line, and the others.
func (c *compared) head() (text string, head []string) {
	b := &c.bound
	text = fmt.Sprintf("Compare: %d ways to roll the desired revision.", len(arena.Ways()))
	if b.Nodes > 0 {
		text = fmt.Sprintf("Compare: %d ways to roll %s, %d at a time; none can be done before %s.", len(arena.Ways()), nodes(b.Nodes), b.Budget, elapsed(b.Total))
		head = append(head, fmt.Sprintf("Lower bound: %d × %s of handoff + %s of preparation.", (b.Nodes+b.Budget-1)/max(1, b.Budget), elapsed(b.Handoff), elapsed(b.Preparation)))
	}
	head = append(head, "Every row starts from its own steady state: an armed pair, or one conventional DaemonSet.")
	if c.seeds > 1 {
		head = append(head, fmt.Sprintf("Medians of %d draws of all durations; how far they lie apart stands below.", c.seeds))
	}
	if len(c.down) > 0 {
		head = append(head, fmt.Sprintf("Not Ready throughout: %s.", strings.Join(c.down, ", ")))
	}
	return text, head
}

func (c *compared) printHead(out io.Writer) error {
	text, head := c.head()
	if err := verdict(out, green, text); err != nil {
		return err
	}
	printLines(out, head)
	_, err := io.WriteString(out, "\n")
	return err
}

// best names the ways that are the quickest and the kindest, of those that never run two agents on a node; empty if none ends.
func (c *compared) best() string {
	var quickest, kindest *arena.Row
	median := func(r *arena.Row, of func(*simulate.Result) float64) float64 { return spread(values(r, of)).Median }
	duration := func(r *simulate.Result) float64 { return seconds(r.Duration) }
	without := func(r *simulate.Result) float64 { return seconds(r.NodeTime) }
	for i := range c.rows {
		row := &c.rows[i]
		if row.Reason != "" || row.Doubles() {
			continue
		}
		if quickest == nil || median(row, duration) < median(quickest, duration) {
			quickest = row
		}
		if kindest == nil || median(row, without) < median(kindest, without) {
			kindest = row
		}
	}
	if quickest == nil {
		return ""
	}
	name := "; " + kindest.Way.Name
	if kindest == quickest {
		name = ","
	}
	return fmt.Sprintf("Best of those with one agent a node: %s in %s%s with %s without an agent.",
		quickest.Way.Name, asDuration(median(quickest, duration)), name, asDuration(median(kindest, without)))
}

// printLines wraps each text.
func printLines(out io.Writer, texts []string) {
	for _, text := range texts {
		_, _ = io.WriteString(out, strings.Join(wrapped(text, columnsOf(out)), "\n")+"\n")
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
	lines = append(lines, c.heldNotes()...)
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
			row.Way.Name, textOf(row, "DURATION"), textOf(row, "NO AGENT"), textOf(row, "LONGEST"), textOf(row, unavailableTitle)))
	}
	return lines
}

// heldNotes name the limit that decided the duration of each strategy, and what a wider window would give.
func (c *compared) heldNotes() (lines []string) {
	var byBudget []string
	for i := range c.rows {
		row := &c.rows[i]
		if len(row.Runs) == 0 || row.Way.Is == arena.CompareOnly {
			continue
		}
		switch by := row.Runs[0].DecidedBy; {
		case by == simulate.NoLimit:
		case by == simulate.ByBudget, row.Raised != nil && !row.Raised.Gains(&row.Runs[0]):
			byBudget = append(byBudget, row.Way.Name)
		case row.Raised != nil:
			lines = append(lines, fmt.Sprintf("%s: held back by %s; %s.", row.Way.Name, by, raisedText(by, row.Raised, c.bound.Nodes)))
		default:
			lines = append(lines, fmt.Sprintf("%s: held back by %s.", row.Way.Name, by))
		}
	}
	if len(byBudget) > 0 {
		lines = append(lines, "Held back by maxUnavailable, at which all are compared: "+strings.Join(byBudget, ", ")+".")
	}
	return lines
}

// textOf is the row's cell of that column.
func textOf(r *arena.Row, title string) string {
	for _, column := range columns {
		if column.title == title {
			return spread(values(r, column.of)).text(column.write)
		}
	}
	return ""
}
