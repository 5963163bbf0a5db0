package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/verify"
)

// verified is a search with all that is told of it.
type verified struct {
	cut    *verify.Cutting
	judged property.List
	result *explore.Result
}

// status says what became of one property.
func (v *verified) status(name string) string {
	switch {
	case broken(v.result, name) != nil:
		return "BROKEN"
	case slices.Contains(v.result.Unjudged, name):
		return "not judged"
	case !v.result.Exhaustive():
		return "holds so far"
	}
	return "holds"
}

func (v *verified) print(out io.Writer) error {
	var b strings.Builder
	v.explored(&b, out)
	v.properties(&b, out)
	v.witnesses(&b, out)
	b.WriteString("\nNot checked\n")
	for _, line := range v.cut.NotChecked(v.result) {
		b.WriteString("  " + strings.Join(wrapped(line, columnsOf(out)-2), "\n  ") + "\n")
	}
	for i := range v.result.Violations {
		violation := &v.result.Violations[i]
		fmt.Fprintf(&b, "\n%s\n", violation.Error())
	}
	if err := v.verdict(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n"+b.String())
	return err
}

// verdict says in one line how the promises stand.
func (v *verified) verdict(out io.Writer) error {
	r := v.result
	where := fmt.Sprintf("%d states of %d of %d nodes", r.States, len(v.cut.Kept), v.cut.Nodes)
	holding := 0
	for _, p := range v.judged {
		if broken(r, p.Name) == nil && !slices.Contains(r.Unjudged, p.Name) {
			holding++
		}
	}
	switch {
	case len(r.Violations) > 0:
		return verdict(out, red, fmt.Sprintf("Verify: %d of %d promises are broken within %s.", len(r.Violations), len(v.judged), where))
	case !r.Exhaustive():
		return verdict(out, yellow, fmt.Sprintf("Verify: %d of %d promises hold so far, in %s; not every state was seen.", holding, len(v.judged), where))
	}
	return verdict(out, green, fmt.Sprintf("Verify: %d of %d promises hold, in all %s.", holding, len(v.judged), where))
}

func (v *verified) explored(b *strings.Builder, out io.Writer) {
	fmt.Fprintf(b, "%d of %d nodes\n", len(v.cut.Kept), v.cut.Nodes)
	table := newTable(b, out)
	for _, kept := range v.cut.Kept {
		others := ""
		if kept.Others > 0 {
			others = fmt.Sprintf("and %d more like it", kept.Others)
		}
		table.row("  "+kept.Node, kept.Why, others)
	}
	_ = table.flush() // a strings.Builder takes everything
	r := v.result
	how := "every state that can be reached"
	if !r.Exhaustive() {
		how = "NOT every state: the limit of " + r.Limit + " ended the search"
	}
	text := fmt.Sprintf("%d states, %d transitions, up to %d steps deep: %s", r.States, r.Transitions, r.Depth, how)
	b.WriteString("\n" + strings.Join(wrapped(text, columnsOf(out)), "\n") + "\n")
}

func (v *verified) properties(b *strings.Builder, out io.Writer) {
	b.WriteString("\nChecked\n")
	table := newTable(b, out)
	for _, p := range v.judged {
		table.row("  "+p.Name, v.status(p.Name), p.Sentence)
	}
	_ = table.flush()
}

func (v *verified) witnesses(b *strings.Builder, out io.Writer) {
	b.WriteString("\nReached\n")
	table := newTable(b, out)
	for i := range v.result.Witnesses {
		w := &v.result.Witnesses[i]
		if w.Count == 0 {
			table.row("  "+w.Name, "never")
			continue
		}
		table.row("  "+w.Name, counted(int(w.Count), "time"), "first after "+counted(len(w.Trace.Steps), "step"))
	}
	_ = table.flush()
}

// The JSON of a search.
type verifiedView struct {
	Kept        []verify.Kept   `json:"kept"`
	LeftOut     []verify.Kept   `json:"leftOut,omitempty"`
	Nodes       int             `json:"nodes"`
	States      int             `json:"states"`
	Transitions int64           `json:"transitions"`
	Depth       int             `json:"depth"`
	Exhaustive  bool            `json:"exhaustive"`
	Limit       string          `json:"limit,omitempty"`
	Checked     []checkedView   `json:"checked"`
	Reached     []reachedView   `json:"reached"`
	NotChecked  []string        `json:"notChecked"`
	Violations  []violationView `json:"violations,omitempty"`
}

type checkedView struct {
	Property string `json:"property"`
	Status   string `json:"status"`
	Sentence string `json:"sentence"`
}

type reachedView struct {
	What  string `json:"what"`
	Count int64  `json:"count"`
	First int    `json:"first"`
}

type violationView struct {
	Property string   `json:"property"`
	Kind     string   `json:"kind"`
	Cause    string   `json:"cause,omitempty"`
	Steps    []string `json:"steps"`
	// Loop is the number of steps after which the rest repeats for ever; -1 if the way just ends.
	Loop int `json:"loop"`
}

func (v *verified) view() *verifiedView {
	r := v.result
	view := &verifiedView{
		Kept: v.cut.Kept, LeftOut: v.cut.LeftOut, Nodes: v.cut.Nodes, States: r.States, Transitions: r.Transitions, Depth: r.Depth,
		Exhaustive: r.Exhaustive(), Limit: r.Limit, NotChecked: v.cut.NotChecked(r),
	}
	for _, p := range v.judged {
		view.Checked = append(view.Checked, checkedView{p.Name, v.status(p.Name), p.Sentence})
	}
	for i := range r.Witnesses {
		view.Reached = append(view.Reached, reachedView{r.Witnesses[i].Name, r.Witnesses[i].Count, len(r.Witnesses[i].Trace.Steps)})
	}
	for i := range r.Violations {
		violation := &r.Violations[i]
		one := violationView{Property: violation.Property, Kind: violation.Kind.String(), Steps: violation.Trace.Steps, Loop: violation.Trace.Loop}
		if violation.Cause != nil {
			one.Cause = violation.Cause.Error()
		}
		view.Violations = append(view.Violations, one)
	}
	return view
}
