package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ExplainOptions choose how much Explain says of the nodes. The zero value groups them by shape, which stays
// short whatever the size of the cluster.
type ExplainOptions struct {
	// Node asks for this node in full, and for no other.
	Node string
	// All asks for one line a node. It is not looked at if Node is set.
	All bool
}

// UnknownNodeError says that a plan has no report of the node: it is not in the snapshot, or it is not eligible and
// holds nothing of the rollout.
type UnknownNodeError struct{ Node string }

// Error names the node.
func (e *UnknownNodeError) Error() string {
	return fmt.Sprintf("the plan has no report of node %q: it is not in the snapshot, or it is not eligible and holds nothing of the rollout", e.Node)
}

// Explain tells in plain text what a plan does and why the rest does not move. It begins with a head: phase,
// revision, ledger, limits, and the conditions that ask for attention. Then come the nodes at one of three sizes: by
// shape, which is one group for every verdict and reason with its count, its share of the reports and three samples; one
// line a node; or one node in full. Same plan, same text. The error is an *UnknownNodeError.
func Explain(p *model.Plan, o ExplainOptions) (string, error) {
	out := &explanation{plan: p}
	out.table(out.head)
	switch {
	case o.Node != "":
		i := slices.IndexFunc(p.Nodes, func(r model.NodeReport) bool { return r.Node == o.Node })
		if i < 0 {
			return "", &UnknownNodeError{Node: o.Node}
		}
		out.line("")
		out.table(func() { out.inFull(&p.Nodes[i]) })
	case len(p.Nodes) == 0:
		out.line("\nNo node is eligible, and none holds anything of the rollout.")
	case o.All:
		out.line("")
		out.table(out.lines)
	default:
		out.line("")
		out.table(out.shapes)
	}
	return out.text.String(), nil
}

// Summary is the head of Explain alone: phase, revision, ledger, limits, and the conditions that ask for attention.
func Summary(p *model.Plan) string {
	out := &explanation{plan: p}
	out.table(out.head)
	return out.text.String()
}

// explanation is a text that grows, part of it in columns.
type explanation struct {
	plan    *model.Plan
	text    strings.Builder
	columns *tabwriter.Writer
}

// table aligns all rows that fill writes.
func (e *explanation) table(fill func()) {
	e.columns = tabwriter.NewWriter(&e.text, 0, 0, 2, ' ', 0)
	fill()
	_ = e.columns.Flush() // a strings.Builder never fails
}

func (e *explanation) row(cells ...string) {
	_, _ = e.columns.Write([]byte(strings.Join(cells, "\t") + "\n"))
}

func (e *explanation) line(text string) { e.text.WriteString(text + "\n") }

// head is what concerns the rollout as a whole.
func (e *explanation) head() {
	p := e.plan
	e.row("Rollout", strings.TrimPrefix(p.Namespace+"/"+p.Name, "/")+atTime(p.ObservedAt.Time))
	e.row("Phase", string(p.Phase)+inWords(p))
	e.row("Revision", e.revisions())
	if uncounted(p) {
		e.row("Ledger", "not counted: the plan is blocked before")
	} else {
		e.row("Ledger", p.Ledger.String())
		e.row("Limits", fmt.Sprintf("budget %d, window %d, cohort %d, writes %d", p.Limits.Unavailable, p.Limits.Window, p.Limits.Cohort, p.Limits.Writes))
	}
	if p.Canary != nil {
		e.row("Canary", canaryText(p))
	}
	for i := range p.Conditions {
		if c := &p.Conditions[i]; asksForAttention(c, p.Blocked() != nil) {
			e.row(c.Type, fmt.Sprintf("%s, %s%s", c.Status, c.Reason, afterColon(c.Message)))
		}
	}
	for _, wait := range p.Waits {
		e.row("Waits", fmt.Sprintf("%s: %s", wait.Reason, wait.Message))
	}
	for _, fault := range p.Faults {
		e.row("Fault", fault)
	}
	if len(p.Needs) > 0 {
		e.row("Needs", fmt.Sprintf("all Pods of %s", samples(p.Needs, len(p.Needs))))
	}
	e.row("Next plan", e.wakesUp())
}

// uncounted tells whether the plan was refused before its nodes were judged: the ledger and the limits are zeros then. No
// limits that were resolved have 0 writes.
func uncounted(p *model.Plan) bool {
	return p.Phase == model.PhaseBlocked && p.Ledger.Eligible == 0 && p.Limits == (budget.Limits{})
}

// revisions names the desired revision and, where there is a pair, what its slots have.
func (e *explanation) revisions() string {
	p := e.plan
	words := []string{cmp.Or(shortRevision(p.Revision), "none")}
	if p.Revision == "" && p.Pair.Updated > 0 {
		words[0] = "none of its own: the DaemonSet is kept as it was taken over"
	}
	if p.Pair.Active != model.NoSlot && p.Pair.ActiveRevision != "" {
		words = append(words, fmt.Sprintf("active %s has %s", p.Pair.Active, shortRevision(p.Pair.ActiveRevision)))
	}
	proven := "not proven"
	if p.Pair.Proven {
		proven = "proven"
	}
	switch {
	case p.Pair.Target != model.NoSlot:
		words = append(words, fmt.Sprintf("target %s has %s, %s", p.Pair.Target, shortRevision(p.Pair.TargetRevision), proven))
	case p.Pair.TargetRevision != "":
		words = append(words, "the target, "+proven)
	}
	return strings.Join(words, "; ")
}

// shortRevision is as much of a revision as tells two of them apart.
func shortRevision(revision string) string {
	const shown = 12
	return revision[:min(shown, len(revision))]
}

func afterColon(message string) string {
	if message == "" {
		return ""
	}
	return ": " + message
}

func asksForAttention(c *metav1.Condition, blocked bool) bool {
	switch c.Type {
	case model.ConditionBlocked, model.ConditionDegraded:
		return c.Status != metav1.ConditionFalse
	case model.ConditionProgressing:
		return !blocked
	}
	return c.Status != metav1.ConditionTrue
}

// wakesUp says what leads to the next plan.
func (e *explanation) wakesUp() string {
	var words []string
	if after := e.plan.RequeueAfter; after > 0 {
		words = append(words, "in "+after.Round(time.Millisecond).String())
	}
	if kinds := e.plan.WakeOn; len(kinds) > 0 {
		words = append(words, "when a "+strings.Join(kinds, ", a ")+" changes")
	}
	if len(words) == 0 {
		return "never: nothing is left to do"
	}
	return strings.Join(words, ", or ")
}

// shape is one group of reports.
type shape struct {
	verdict model.Verdict
	reason  model.Reason
	count   int
	nodes   []string // the first few
	first   *model.NodeReport
}

const shownSamples = 3

// shapes has two rows a group: its size with samples, and what it says. What needs a person comes first.
func (e *explanation) shapes() {
	e.row("VERDICT", "REASON", "NODES", "SHARE", "SAMPLES, AND WHAT IT SAYS")
	for _, s := range shapesOf(e.plan.Nodes) {
		e.row(s.verdict.String(), string(s.reason), fmt.Sprint(s.count), share(s.count, len(e.plan.Nodes)), samples(s.nodes, s.count))
		general := *s.first
		if general.Action = 0; s.count > 1 && !carriesDetail(s.reason) {
			general.Detail = ""
		}
		e.row("", "", "", "", Message(e.plan, &general))
	}
}

func shapesOf(reports []model.NodeReport) []*shape {
	type key struct {
		verdict model.Verdict
		reason  model.Reason
	}
	known := map[key]*shape{}
	var list []*shape
	for i := range reports {
		r := &reports[i]
		s := known[key{r.Verdict, r.Reason}]
		if s == nil {
			s = &shape{verdict: r.Verdict, reason: r.Reason, first: r}
			known[key{r.Verdict, r.Reason}] = s
			list = append(list, s)
		}
		if s.count++; len(s.nodes) < shownSamples {
			s.nodes = append(s.nodes, r.Node)
		}
	}
	slices.SortFunc(list, func(a, b *shape) int {
		return cmp.Or(cmp.Compare(b.verdict, a.verdict), cmp.Compare(b.count, a.count), cmp.Compare(a.reason, b.reason))
	})
	return list
}

// share is count in percent of all, to one decimal; what rounds to none of them or to all is written as less or more.
func share(count, all int) string {
	text := fmt.Sprintf("%.1f%%", 100*float64(count)/float64(all))
	switch {
	case count < all && text == "100.0%":
		return ">99.9%"
	case text == "0.0%":
		return "<0.1%"
	}
	return text
}

// samples names the first few of count.
func samples(names []string, count int) string {
	shown := names[:min(len(names), shownSamples)]
	text := strings.Join(shown, ", ")
	if more := count - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// lines has one row a node, in the plan's order.
func (e *explanation) lines() {
	e.row("NODE", "STAGE", "VERDICT", "REASON", "MESSAGE")
	for i := range e.plan.Nodes {
		r := &e.plan.Nodes[i]
		e.row(r.Node, r.Stage.String(), r.Verdict.String(), string(r.Reason), Message(e.plan, r))
	}
}

func atTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return ", as of " + at.UTC().Format(time.RFC3339)
}

// served says that it serves, unless no node has an available agent.
func served(p *model.Plan, what string) string {
	if p.Ledger.Available == 0 && p.Ledger.Eligible > 0 {
		return ""
	}
	return what + " serves, and "
}

// inWords says what a phase is. A rollout on one DaemonSet has no active slot.
func inWords(p *model.Plan) string {
	if p.Pair.Active == model.NoSlot {
		switch p.Phase {
		case model.PhasePreparing:
			return ": the DaemonSet gets the new revision"
		case model.PhaseCompleting:
			return ": every node is done, the record follows"
		case model.PhaseSteady:
			return ": " + served(p, "the DaemonSet") + "nothing is to be moved"
		case model.PhaseAdvancing:
			return ": node by node from the old Pod to the new one"
		case model.PhaseReturning:
			return ": node by node back to the former revision"
		case model.PhaseHeld:
			return ": the new revision failed, and waits for a decision"
		case model.PhaseOptingOut:
			return ": the DaemonSet becomes the conventional one"
		}
	}
	switch p.Phase {
	case model.PhaseBlocked:
		return ": nothing is done until the cause is cleared"
	case model.PhaseInstalling:
		return ": the DaemonSets are being made"
	case model.PhaseArming:
		return ": one conventional rollout makes the Pods ready for a pair"
	case model.PhaseSteady:
		return ": " + served(p, "the active slot") + "nothing is to be moved"
	case model.PhasePreparing:
		return ": the inactive slot gets the new revision"
	case model.PhaseAdvancing:
		return ": node by node from source to target"
	case model.PhaseCanary:
		return ": a first few nodes prove the target before the others follow"
	case model.PhaseCompleting:
		return ": every node is handed over, ownership and record follow"
	case model.PhaseReturning:
		return ": node by node back to the source"
	case model.PhaseHeld:
		return ": a failed target waits for a decision"
	case model.PhaseRepairing:
		return ": a slot or a node is being put right"
	case model.PhaseOptingOut:
		return ": the pair becomes one conventional DaemonSet"
	case model.PhaseTearingDown:
		return ": everything of the rollout is being deleted"
	case model.PhaseGone:
		if len(p.Exceptions) > 0 {
			return ": nothing of the rollout is left but what waits for lost Nodes"
		}
		return ": nothing of the rollout is left"
	}
	return ""
}
