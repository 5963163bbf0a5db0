package command

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

func newCheckTemplate(live Live) *cobra.Command {
	in := input{live: live, lone: true}
	var output string
	cmd := &cobra.Command{
		Use:   "check-template {-f FILE | FILE}...",
		Short: "List everything that keeps a template from being rolled out",
		Long: `List everything that keeps the desired Pod template from being rolled out with its strategy: what the lock wrapper cannot
protect, what the two slots of a pair could not share (a plain Surge and a RollingUpdate need neither), and what every API server
refuses. All refusals are printed, each with its field path.

A file that holds just one DaemonSet will do. Services, PodDisruptionBudgets, NetworkPolicies and PodMonitors in the inputs are held
against both slots, and the nodes against the template. Prints ok, with what that takes for granted and what is left to the API server, and
exits with 0; or exits with 1.`,
		Example: `  # The template that a Rollout document desires
  rollout check-template -f examples/snapshots/conventional.yaml

  # A DaemonSet of your own
  rollout check-template daemonset.yaml

  # The same with the cluster's nodes and what selects Pods there
  kubectl get nodes,services,pdb,netpol -A -o yaml | rollout check-template daemonset.yaml -

  # The same without overlap, which needs no locks, and on one DaemonSet
  rollout check-template daemonset.yaml --set strategy.overlap=Never
  rollout check-template daemonset.yaml --set strategy.type=RollingUpdate`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "text", "json", "yaml"); err != nil {
				return asUsageError(cmd, err)
			}
			snapshot, err := in.read(cmd, args...)
			if err != nil {
				return err
			}
			rendering, err := plan.Render(snapshot)
			faults := refusals(err)
			if err != nil && len(faults) == 0 {
				return refusal(err)
			}
			faults = append(serverFaults(snapshot.Rollout.Spec.Desired, faults), faults...)
			found := checked{Accepted: len(faults) == 0, Faults: faults}
			if found.Accepted {
				found.Notes, found.Assumed, found.Unchecked = plan.Notices(snapshot, &rendering, in.selecting), assumed(snapshot.Rollout), plan.Unchecked
			}
			if isObject(output) {
				err = printObject(cmd.OutOrStdout(), kindCheck, found, output)
			} else {
				err = found.print(cmd.OutOrStdout())
			}
			if err == nil && !found.Accepted {
				err = notDone("the template is refused (%d)", len(faults))
			}
			return err
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or yaml")
	return cmd
}

// serverFaults are what any API server refuses of the desired DaemonSet, but for what is known already.
func serverFaults(desired *appsv1.DaemonSet, known []string) (lines []string) {
	if desired == nil {
		return nil
	}
	for _, fault := range plan.CheckDaemonSet(desired) {
		if line := fault.Error(); !slices.Contains(known, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// checked is what was found of a template.
type checked struct {
	Accepted bool     `json:"accepted"`
	Faults   []string `json:"faults,omitempty"`
	// Notes are to be known all the same, Assumed is what locks take for granted, Unchecked is left to the API server.
	Notes     []string `json:"notes,omitempty"`
	Assumed   []string `json:"assumed,omitempty"`
	Unchecked string   `json:"unchecked,omitempty"`
}

// assumed is what the locks of the template take for granted.
func assumed(rollout *model.Rollout) []string {
	r := rollout.WithDefaults()
	if r.Spec.Desired == nil || r.Spec.Strategy.Type == model.RollingUpdate || r.Spec.Strategy.Overlap != model.Locked {
		return nil
	}
	spec, _ := lockspec.Resolve(r.Spec.Lock, field.NewPath("spec", "lock")) // its faults are refusals
	return lockspec.Assumptions(&r.Spec.Desired.Spec.Template, &spec)
}

func (c *checked) print(out io.Writer) error {
	if !c.Accepted {
		_, err := io.WriteString(out, strings.Join(c.Faults, "\n")+"\n")
		return err
	}
	lines := []string{"ok"}
	for _, line := range c.Notes {
		lines = append(lines, wrapped("note: "+line, columnsOf(out))...)
	}
	for _, line := range c.Assumed {
		lines = append(lines, wrapped("taken for granted: "+line, columnsOf(out))...)
	}
	lines = append(lines, wrapped(c.Unchecked, columnsOf(out))...)
	_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n")
	return err
}
