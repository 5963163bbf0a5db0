// Package page writes what the command found out as one HTML file that needs nothing else: no network, no framework. Its styles, its
// script and its data are inside; the numbers are those that the command prints as text and JSON, handed over as they are.
//
// Call Write with a Page. The data stand in one script element, #data, as
//
//	{"command": "simulate", "result": …, "chart": …}
//
// where result is what `-o json` prints, and chart what the figures are drawn from: a RunChart, a WaysChart or a PlanChart. Above Most
// nodes, lists of single nodes are left out of both, and the figures show groups.
//
// The files, in reading order:
//
//	page.go    the page and its parts
//	chart.go   what the figures are drawn from
//	groups.go  nodes that are too many for a line each
//	thin.go    series that are too long
//	page.html, page.css, page.js
package page

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
)

// Most is the most nodes that have a line each.
const Most = 500

// Tone says how good the answer is.
type Tone string

// The tones of a verdict.
const (
	Good  Tone = "good"
	Mixed Tone = "mixed"
	Bad   Tone = "bad"
)

// Page is one page.
type Page struct {
	// Command is simulate, compare or plan; Call the command line; Subject the rollout's namespace and name.
	Command, Call, Subject string
	// Verdict is the answer in one line.
	Verdict string
	Tone    Tone
	// Lead says more of it where there is more to say.
	Lead string
	// Facts are the numbers that matter most, shown large.
	Facts []Fact
	// Tables come in their order, below the figure.
	Tables []Table
	// Figure is what the figure is called; Note what it leaves out.
	Figure, Note string
	// Ledger is a plan's, drawn as a bar; nil for none.
	Ledger *Ledger
	// Result is what -o json prints.
	Result any
	// Chart is a RunChart, a WaysChart or a PlanChart.
	Chart any
}

// Fact is a number with what it counts, and what it is to be measured by.
type Fact struct{ Name, Value, Of string }

// Ledger is the account of a plan, and the most of it that may be unavailable.
type Ledger struct {
	Eligible, Budget int
	Text             string
	Columns          []Column
}

// Column is one of the ledger.
type Column struct {
	Class, Name string
	Count       int
}

// Percent is the column's share of the eligible nodes.
func (l *Ledger) Percent(c Column) float64 {
	return float64(c.Count) / float64(max(1, l.Eligible)) * 100
}

// Limit is where the budget ends on the bar, from its right.
func (l *Ledger) Limit() float64 {
	return float64(min(l.Budget, l.Eligible)) / float64(max(1, l.Eligible)) * 100
}

// Table is rows of cells.
type Table struct {
	Title, Note string
	Head        []string
	// Numbers are the columns that are aligned to the right, counted from 0.
	Numbers []int
	Rows    []Row
	// Closed tables open with a click, and in print.
	Closed bool
	// Text, if not empty, is shown in place of rows, as it is.
	Text string
}

// Row is a line of a table. Bar is a last cell that shows shares.
type Row struct {
	Cells []string
	Bar   []Share
	// More are lines that open with a click.
	More string
}

// Share is a part of a bar.
type Share struct {
	Class, Name string
	Percent     float64
}

//go:embed page.html
var markup string

//go:embed page.css
var styles string

//go:embed page.js
var script string

var pages = template.Must(template.New("page").Funcs(template.FuncMap{
	"last": func(i int, cells []string) bool { return i == len(cells)-1 },
	"number": func(t Table, column int) bool {
		for _, n := range t.Numbers {
			if n == column {
				return true
			}
		}
		return false
	},
}).Parse(markup))

// Write writes the page. The error is the writer's, or of values that JSON does not know.
func Write(out io.Writer, p *Page) error {
	data, err := json.Marshal(struct { // it writes <, > and & as escapes: nothing in it can end the script element
		Command string `json:"command"`
		Result  any    `json:"result"`
		Chart   any    `json:"chart"`
	}{p.Command, p.Result, p.Chart})
	if err != nil {
		return err
	}
	return pages.Execute(out, struct {
		*Page
		CSS          template.CSS
		Script, Data template.JS
	}{p, template.CSS(styles), template.JS(script), template.JS(data)})
}
