package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// newWatch follows a rollout on a cluster.
func newWatch(live Live) *cobra.Command {
	in := input{live: live}
	var every, within time.Duration
	cmd := &cobra.Command{
		Use:   "watch [-f FILE...]",
		Short: "Follow a rollout until it ends",
		Long: `Follow a rollout that somebody else carries out: the cluster is read again and again, and what has changed is told with the plan's reasons.

Ends with 0 once the rollout is complete, and with 1 once it is blocked, with what clears that, or has not ended within --timeout.`,
		Example: "  # In a pipeline\n  rollout watch -f rollout.yaml --timeout 2h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every <= 0 {
				return asUsageError(cmd, fmt.Errorf("--every: %s is not longer than 0", every))
			}
			ctx, cancel := cmd.Context(), context.CancelFunc(func() {})
			if within > 0 {
				ctx, cancel = context.WithTimeout(ctx, within)
			}
			defer cancel()
			cmd.SetContext(ctx)
			return in.watch(cmd, every)
		},
	}
	in.flags(cmd)
	cmd.Flags().DurationVar(&every, "every", 10*time.Second, "how often the cluster is read")
	cmd.Flags().DurationVar(&within, "timeout", 0, "how long to follow; 0 is for ever")
	return cmd
}

func (in *input) watch(cmd *cobra.Command, every time.Duration) error {
	var before *planAt
	for {
		snapshot, next, err := in.plan(cmd)
		switch {
		case err != nil && cmd.Context().Err() != nil:
			return notDone("the rollout has not ended: %v", cmd.Context().Err())
		case err != nil:
			return err
		}
		now := newPlanAt(snapshot, next)
		if err := told(cmd.OutOrStdout(), before, &now); err != nil {
			return err
		}
		if blocked := next.Blocked(); blocked != nil || next.Ended() {
			return judge(snapshot, next)
		}
		before = &now
		_ = cmd.Flags().Set(quietFlag, "true") // notes are said once
		select {
		case <-cmd.Context().Done():
			return notDone("the rollout has not ended: %v", cmd.Context().Err())
		case <-time.After(every):
		}
	}
}

// told prints the plan in a line when it is first seen, and then what has changed.
func told(out io.Writer, before, now *planAt) error {
	if before != nil && !differs(before, now) {
		return nil
	}
	c, text := planVerdict(now.plan)
	if before == nil {
		return verdict(out, c, text)
	}
	if err := differenceOf(*before, *now).print(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func differs(before, now *planAt) bool {
	d := differenceOf(*before, *now)
	return len(d.Nodes)+len(d.Conditions)+len(d.DaemonSets) > 0 || before.plan.Phase != now.plan.Phase
}
