package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/plan"
)

func newCheckTemplate() *cobra.Command {
	in := input{lone: true}
	cmd := &cobra.Command{
		Use:   "check-template {-f FILE | FILE}...",
		Short: "List everything that keeps a template from being rolled out",
		Long: `List everything that keeps the desired Pod template from being rolled out with its strategy: what the lock wrapper cannot
protect, and what the two slots of a pair could not share. All refusals are printed, each with its field path. A plain Surge and
a RollingUpdate need neither.

A file that holds just one DaemonSet will do. Prints ok and exits with 0, or exits with 1.`,
		Example: `  # The template that a Rollout document desires
  rollout check-template -f examples/snapshots/conventional.yaml

  # A DaemonSet of your own
  rollout check-template daemonset.yaml

  # The same without overlap, which needs no locks, and on one DaemonSet
  rollout check-template daemonset.yaml --set strategy.overlap=Never
  rollout check-template daemonset.yaml --set strategy.type=RollingUpdate`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			snapshot, err := in.read(cmd, args...)
			if err != nil {
				return err
			}
			_, err = plan.Render(snapshot)
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "ok")
				return err
			}
			faults := refusals(err)
			if len(faults) == 0 {
				return refusal(err)
			}
			for _, fault := range faults {
				_, _ = fmt.Fprintln(cmd.OutOrStdout(), fault)
			}
			return notDone("the template is refused (%d)", len(faults))
		},
	}
	in.flags(cmd)
	return cmd
}
