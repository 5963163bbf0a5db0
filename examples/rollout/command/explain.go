package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

func newExplain(live Live) *cobra.Command {
	in := input{live: live}
	var all bool
	var output string
	cmd := &cobra.Command{
		Use:   "explain {[NODE] -f FILE... | REASON}",
		Short: "Say why nodes move or do not move, or what a reason means",
		Long: `Say why nodes move or do not move, at one of three sizes:

  by shape   one group for every verdict and reason, with its count, its share and three nodes (the default)
  --all      one line a node
  NODE       one node in full: its stage, the reason with its numbers, its place in the ledger, the action with what
             it writes, tests, rests on and costs, and what leads to the next plan

A blocked plan exits with 1 and says what clears it.

REASON is one of the codes that stand in plans, conditions and Events, such as WaitingForBudget: it is told what it means and what
ends it, without any input.`,
		Example: `  # A large cluster at a glance
  rollout explain -f examples/snapshots/three-zones.yaml

  # Why does this node not move?
  rollout explain worker-4 -f examples/snapshots/half-way.yaml

  # All nodes
  rollout explain --all -f examples/snapshots/half-way.yaml

  # What does a code mean, and what ends it?
  rollout explain WaitingForBudget`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("%s: one node is explained at a time, or all with --all; files are named with -f", strings.Join(args, " "))
			case len(args) == 1 && len(in.files) == 0 && live == nil && !isReason(args[0]):
				return fmt.Errorf("no input: %s is taken for the name of a node%s; name a file with -f, or -f - for standard input", args[0], spelling(args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "text", "json", "yaml"); err != nil {
				return asUsageError(cmd, err)
			}
			if len(args) > 0 && isReason(args[0]) {
				return printReason(cmd.OutOrStdout(), model.Reason(args[0]), output)
			}
			options := plan.ExplainOptions{All: all}
			if len(args) > 0 {
				options.Node = args[0]
			}
			if all && options.Node != "" {
				return asUsageError(cmd, errors.New("give a node or --all, not both"))
			}
			snapshot, next, err := in.plan(cmd)
			if err != nil {
				return err
			}
			text, err := plan.Explain(forPeople(next), options)
			if err != nil {
				return whyUnknown(snapshot, options.Node)
			}
			if isObject(output) {
				return cmp.Or(printObject(cmd.OutOrStdout(), kindExplanation, explanationOf(next, options.Node), output), judge(snapshot, next))
			}
			if _, err := io.WriteString(cmd.OutOrStdout(), fitted(text, columnsOf(cmd.OutOrStdout()))); err != nil {
				return err
			}
			return judge(snapshot, next)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or yaml: the last two have every node")
	cmd.Flags().BoolVar(&all, "all", false, "one line a node")
	return cmd
}

// whyUnknown tells why a plan says nothing of a node.
func whyUnknown(snapshot *model.Snapshot, node string) error {
	if _, ok := snapshot.Cluster.Find(node); ok {
		return fmt.Errorf("node %q is not eligible (its labels or taints keep the desired Pod off it) and holds nothing of the rollout: the plan leaves it alone", node)
	}
	return fmt.Errorf("node %q is not in the inputs", node)
}

// explanation is why nodes stand where they do, as JSON.
type explanation struct {
	Phase      model.Phase        `json:"phase"`
	Revision   string             `json:"revision,omitempty"`
	Ledger     budget.Ledger      `json:"ledger"`
	Limits     budget.Limits      `json:"limits"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Nodes are all of them, or the one that was asked for.
	Nodes []nodeView `json:"nodes"`
	// Action is what is done on that one.
	Action *model.Action `json:"action,omitempty"`
}

func explanationOf(p *model.Plan, node string) explanation {
	e := explanation{Phase: p.Phase, Revision: p.Revision, Ledger: p.Ledger, Limits: p.Limits, Conditions: p.Conditions, Nodes: viewOf(p).Nodes}
	if node == "" {
		return e
	}
	e.Nodes = slices.DeleteFunc(e.Nodes, func(v nodeView) bool { return v.Node != node })
	if at := int(e.Nodes[0].Action); at > 0 {
		e.Action = &p.Actions[at-1]
	}
	return e
}

// meaningView is what a reason means, as JSON.
type meaningView struct {
	Reason model.Reason `json:"reason"`
	Says   string       `json:"says"`
	Ends   string       `json:"ends,omitempty"`
}

// isReason tells reasons from nodes, whose names have no capitals.
func isReason(text string) bool { return plan.About(model.Reason(text)) != plan.Meaning{} }

// spelling proposes the reasons that differ from the text in capitals alone, or begin with it.
func spelling(text string) string {
	var near []string
	for _, reason := range model.Reasons() {
		if strings.HasPrefix(strings.ToLower(string(reason)), strings.ToLower(text)) {
			near = append(near, string(reason))
		}
	}
	if len(near) == 0 || len(near) > 5 {
		return ""
	}
	return " (or is the reason " + strings.Join(near, " or ") + " meant?)"
}

// printReason says what a reason means, and what ends it.
func printReason(out io.Writer, reason model.Reason, output string) error {
	about := plan.About(reason)
	if isObject(output) {
		return printObject(out, kindMeaning, meaningView{reason, about.Says, about.Ends}, output)
	}
	text := string(reason) + "\n  " + about.Says + "\n"
	if about.Ends != "" {
		text += "\nWhat ends it\n  " + about.Ends + "\n"
	}
	_, err := io.WriteString(out, fitted(text, columnsOf(out)))
	return err
}
