package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

func newPlan(live Live) *cobra.Command {
	in := input{live: live}
	var output string
	var patches, every bool
	var before string
	cmd := &cobra.Command{
		Use:   "plan {-f FILE | FILE}...",
		Short: "Show the next actions, and where the nodes stand",
		Long: `Plan one step, and show the actions in the order in which they would be sent, with their reason and their cost,
and where the nodes stand and why they do or do not move: by shape, which is one line for every stage and reason with its
count and three nodes, or with --nodes a line for every node. -o html writes it as one page that needs no network.

With --diff it shows instead what changed between an older dump and this one: nodes that stand elsewhere, and what happened to their objects.

The plan is checked by the validator before it is printed. A blocked plan exits with 1 and says what clears it.`,
		Example: `  # The next actions on the dump of a cluster
  rollout plan -f examples/snapshots/two-workers.yaml

  # A dump and the document in files of their own, with another budget
  rollout plan -f cluster.yaml -f rollout.yaml --set strategy.maxUnavailable=10%

  # Straight from a cluster
  kubectl get nodes,pods,daemonsets -A -o yaml | rollout plan -f - -f rollout.yaml

  # Every node
  rollout plan -f examples/snapshots/half-way.yaml --nodes

  # What changed since the dump of an hour ago?
  rollout plan --diff before.yaml -f now.yaml -f rollout.yaml

  # The requests that an executor would send
  rollout plan -f examples/snapshots/half-way.yaml --patches`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "table", "wide", "json", "yaml", "html"); err != nil {
				return asUsageError(cmd, err)
			}
			if before != "" && (patches || every || output == "wide" || output == "html") {
				return asUsageError(cmd, errors.New("--diff goes with table, json and yaml"))
			}
			if patches && output != "table" && output != "wide" {
				return asUsageError(cmd, errors.New("--patches goes with table and wide: in json, yaml and html every action has its write already"))
			}
			snapshot, next, err := in.plan(cmd, args...)
			if err != nil {
				return err
			}
			if before != "" {
				return cmp.Or(in.printDifference(cmd, before, newPlanAt(snapshot, next), output), judge(snapshot, next))
			}
			if output == "html" {
				return cmp.Or(planPage(cmd, cmd.OutOrStdout(), snapshot, next), judge(snapshot, next))
			}
			if err := printPlan(cmd.OutOrStdout(), snapshot, next, planShown{output, patches, every || output == "wide"}); err != nil {
				return err
			}
			return judge(snapshot, next)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table, wide (every node, with since, ledger, zone and message), json, yaml or html")
	cmd.Flags().StringVar(&before, "diff", "", "an older dump: show what has changed since, on which nodes and why")
	cmd.Flags().BoolVar(&every, "nodes", false, "a line for every node and every action, instead of one for alike ones")
	cmd.Flags().BoolVar(&patches, "patches", false, "also print the requests: JSON patches, objects to create, preconditions of deletions")
	return cmd
}

func oneOf(flag, value string, words ...string) error {
	for _, word := range words {
		if value == word {
			return nil
		}
	}
	return fmt.Errorf("--%s: %q is not one of %s", flag, value, strings.Join(words, ", "))
}

// plan reads the snapshot and plans one step on it.
func (in *input) plan(cmd *cobra.Command, files ...string) (*model.Snapshot, *model.Plan, error) {
	snapshot, err := in.read(cmd, files...)
	if err != nil {
		return nil, nil, err
	}
	noteDoubled(notesOf(cmd), snapshot.Rollout)
	if rendering, err := plan.Render(snapshot); err == nil && snapshot.Rollout.WithDefaults().Spec.Intent == model.Run {
		note(notesOf(cmd), plan.Notices(snapshot, &rendering, in.selecting)...)
	}
	next, err := plan.Next(snapshot)
	if err != nil {
		return nil, nil, err
	}
	return snapshot, &next, nil
}

// judge returns what a plan's exit code says: a violation of a property, which is a bug of the planner, or the block.
func judge(snapshot *model.Snapshot, p *model.Plan) error {
	if err := violations(snapshot, p); err != nil {
		return err
	}
	if blocked := p.Blocked(); blocked != nil {
		return notDone("the rollout is blocked: %s: %s", blocked.Reason, blocked.Message)
	}
	return nil
}

func violations(snapshot *model.Snapshot, p *model.Plan) error {
	return brokenRules(plan.Validate(snapshot, p))
}

func brokenRules(found []plan.Violation) error {
	if len(found) == 0 {
		return nil
	}
	lines := make([]string, len(found))
	for i, v := range found {
		lines[i] = "\n  " + v.String()
	}
	return notDone("the plan breaks its own rules, which is a bug of the planner: do not carry it out%s", strings.Join(lines, ""))
}

// planShown says how a plan is shown.
type planShown struct {
	output         string
	patches, nodes bool
}

func printPlan(out io.Writer, snapshot *model.Snapshot, p *model.Plan, as planShown) error {
	switch as.output {
	case "json", "yaml":
		return printObject(out, kindPlan, viewOf(p), as.output)
	}
	c, text := planVerdict(p)
	if err := verdict(out, c, text); err != nil {
		return err
	}
	_, _ = io.WriteString(out, "\n"+fitted(plan.Summary(p), columnsOf(out))+"\n")
	if err := printActions(out, p, as); err != nil {
		return err
	}
	_, _ = io.WriteString(out, "\n")
	if err := printNodes(out, snapshot, forPeople(p), as); err != nil || !as.patches {
		return err
	}
	return printRequests(out, p)
}

// planView is a plan with the rendered messages.
type planView struct {
	*model.Plan
	Nodes []nodeView `json:"nodes,omitempty"`
}

type nodeView struct {
	model.NodeReport
	Message string `json:"message"`
}

func viewOf(p *model.Plan) planView {
	view := planView{Plan: p, Nodes: make([]nodeView, len(p.Nodes))}
	for i := range p.Nodes {
		view.Nodes[i] = nodeView{p.Nodes[i], plan.Message(p, &p.Nodes[i])}
	}
	return view
}

func printActions(out io.Writer, p *model.Plan, as planShown) error {
	if len(p.Actions) == 0 {
		_, err := io.WriteString(out, "No actions.\n")
		return err
	}
	if !as.nodes && !as.patches {
		return printAlike(out, p)
	}
	t := newTable(out)
	t.row("#", "ACTION", "VERB", "OBJECT", "REASON", "COST")
	for i := range p.Actions {
		a := &p.Actions[i]
		t.row(strconv.Itoa(i+1), string(a.Kind), a.Write.Verb(), a.Write.Object.String(), string(a.Reason), a.Cost.String())
	}
	return t.flush()
}

func printNodes(out io.Writer, snapshot *model.Snapshot, p *model.Plan, as planShown) error {
	if len(p.Nodes) == 0 {
		_, err := io.WriteString(out, "No node is eligible, and none holds anything of the rollout.\n")
		return err
	}
	if !as.nodes {
		return printShapes(out, p)
	}
	wide := as.output == "wide"
	t := newTable(out)
	cells := []string{"NODE", "STAGE", "VERDICT", "REASON", "ACTION"}
	if wide {
		cells = append(cells, "LEDGER", "ZONE", "SINCE", "MESSAGE")
	}
	t.row(cells...)
	for i := range p.Nodes {
		r := &p.Nodes[i]
		cells := []string{r.Node, r.Stage.String(), r.Verdict.String(), string(r.Reason), dash("")}
		if r.Action > 0 {
			cells[4] = "#" + strconv.Itoa(int(r.Action))
		}
		if wide {
			cells = append(cells, dash(r.Blame.String()), dash(zoneOf(snapshot, r.Node)), sinceText(r), plan.Message(p, r))
		}
		t.row(cells...)
	}
	return t.flush()
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func zoneOf(snapshot *model.Snapshot, name string) string {
	if i, ok := snapshot.Cluster.Find(name); ok {
		return snapshot.Cluster.Node(i).Labels[corev1.LabelTopologyZone]
	}
	return ""
}

func sinceText(r *model.NodeReport) string {
	if r.Since == 0 {
		return dash("")
	}
	return r.SinceTime().Format(time.RFC3339)
}

// printRequests prints every action as the request that carries it out.
func printRequests(out io.Writer, p *model.Plan) error {
	for i := range p.Actions {
		a := &p.Actions[i]
		_, _ = fmt.Fprintf(out, "\n# %d. %s: %s %s\n", i+1, a.Kind, a.Write.Verb(), a.Write.Object)
		text, err := requestOf(&a.Write)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s\n", text)
	}
	return nil
}

// requestOf is the request's body: an RFC 6902 patch with one operation a line, an object as YAML, or the
// options of a deletion.
func requestOf(w *model.Write) (string, error) {
	switch {
	case w.Create != nil:
		return manifest(w.Create)
	case w.Delete != nil:
		text, err := json.Marshal(struct {
			Preconditions     map[string]types.UID       `json:"preconditions"`
			PropagationPolicy metav1.DeletionPropagation `json:"propagationPolicy"`
		}{map[string]types.UID{"uid": w.Object.UID}, w.Delete.Propagation})
		return string(text), err
	}
	text, err := w.JSONPatch()
	if err != nil {
		return "", err
	}
	var operations []json.RawMessage
	if err := json.Unmarshal(text, &operations); err != nil {
		return "", err
	}
	lines := make([]string, len(operations))
	for i, operation := range operations {
		lines[i] = "  " + string(operation)
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]", nil
}
