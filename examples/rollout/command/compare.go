package command

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// compareFlags are the flags of one call.
type compareFlags struct {
	in input
	timingFlags
	seeds  int
	window bool
	output string
}

func newCompare(live Live) *cobra.Command {
	f := compareFlags{in: input{live: live}}
	cmd := &cobra.Command{
		Use:   "compare {-f FILE | FILE}...",
		Short: "Roll the same cluster in every way there is, and set the results side by side",
		Long: `Roll the desired revision out on the same nodes in every way there is, all at the rollout's maxUnavailable: by each
strategy of this planner, by the native rolling update of one DaemonSet with maxUnavailable and with maxSurge, and by
the barrier planner, which prepares a pair batch by batch. The last three are there to be compared with only.

Every row starts from its own steady state: the revision that is deployed, installed in that way on the nodes of the
snapshot, with their other workloads. Nodes that are not Ready fall silent when the deployed revision runs there. A pair is
armed by then; if the snapshot shows a conventional DaemonSet, what arming it costs once is told by itself.

  DURATION        until every node that is Ready has the new revision and nothing is left to do
  BOUND           the duration as a multiple of the lower bound: ⌈nodes/budget⌉ × handoff + one preparation. It counts
                  settleSeconds in every handoff, for which only this planner's strategies wait
  NO AGENT        the sum over nodes of the time without an agent that they had before
  LONGEST         the longest such time of one node
  AT ONCE         the most nodes without an agent at the same time, and the budget
  +CPU, +MEMORY   the most that Pods beside others request at the same time
  CORE-S, GIB-S   the sum of that over time, in core-seconds and GiB-seconds; on a terminal that is wide enough
  WRITES          requests of the executor; those of controllers are not counted

Each row appears when it is made; interrupted, those that were made stay. A way that this cluster or template forbids, and one that does not come to its end, shows the reason instead. With
--seeds, a cell is the median, and two more tables have the least and the most. -o html writes one page that needs no network, with all
ways on one axis of time.`,
		Example: `  # All ways at the rollout's budget
  rollout compare -f examples/snapshots/two-workers.yaml

  # At another budget, over ten draws of durations
  rollout compare -f examples/snapshots/three-zones.yaml --set strategy.maxUnavailable=2 --seeds 10

  # With the smallest window that hides the pull
  rollout compare -f examples/snapshots/three-zones.yaml --window`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.in.flags(cmd)
	f.timingFlags.flags(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.seeds, "seeds", 1, "how many draws of all durations, from --seed on")
	flags.BoolVar(&f.window, "window", false, "give the pair the smallest maxSurge that reaches 1.05 times its lower bound")
	flags.StringVarP(&f.output, "output", "o", "text", "text, json, yaml or html")
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, files []string) error {
	err := oneOf("output", f.output, "text", "json", "yaml", "html")
	if f.seeds < 1 {
		err = errors.Join(err, fmt.Errorf("--seeds: %d is less than 1", f.seeds))
	}
	lagging := f.timings.CacheLag > 0
	if err = errors.Join(err, f.settleTimings()); err != nil {
		return asUsageError(cmd, err)
	}
	if lagging {
		return asUsageError(cmd, errors.New("--cache-lag: ways are compared with caches that are not late; see rollout simulate"))
	}
	snapshot, err := f.in.read(cmd, files...)
	if err != nil {
		return err
	}
	var table *compareTable
	shown := func(*compared, *arena.Row) error { return nil }
	if f.output == "text" {
		table = newCompareTable(cmd.OutOrStdout())
		shown = table.add
	}
	found, err := f.compare(cmd, snapshot, shown)
	stopped := interrupted(err, fmt.Sprintf("after %d of %d rows", len(found.rows), len(arena.Ways())))
	switch {
	case err != nil && stopped == nil:
		return err
	case isObject(f.output):
		return cmp.Or(stopped, printObject(cmd.OutOrStdout(), kindComparison, found.view(), f.output))
	case f.output == "html":
		return cmp.Or(stopped, f.printPage(cmd, cmd.OutOrStdout(), snapshot.Rollout, found))
	}
	return cmp.Or(table.end(found), stopped)
}

// compared is what a comparison found out.
type compared struct {
	rows  []arena.Row
	bound simulate.Bound
	seeds int
	down  []string
}

// compare makes all rows, and shows each when it is made. What was made until an error is returned beside it.
func (f *compareFlags) compare(cmd *cobra.Command, snapshot *model.Snapshot, show func(*compared, *arena.Row) error) (*compared, error) {
	c := &compared{seeds: f.seeds}
	a, err := arena.New(snapshot)
	if err != nil {
		return c, nothing(err)
	}
	c.down = inNaturalOrder(a.Down())
	line := newProgress(cmd.ErrOrStderr(), isQuiet(cmd))
	defer line.clear()
	ways := arena.Ways()
	options := arena.Options{Seed: f.seed, Seeds: f.seeds, Timings: f.timings, Window: f.window, OnStep: validating, Samples: f.output == "html"}
	options.OnPhase = func(way *arena.Way, phase string) { line.step(way.Name+", "+phase, len(c.rows), len(ways), "rows") }
	for row, err := range rowsOf(cmd.Context(), a, ways, options, runtime.GOMAXPROCS(0)) {
		if err != nil {
			return c, err
		}
		c.rows = append(c.rows, row)
		if len(row.Runs) > 0 {
			c.bound = row.Runs[0].Bound
		}
		line.clear()
		if err := show(c, &row); err != nil {
			return c, err
		}
	}
	if c.bound.Budget > 0 && c.bound.Nodes == 0 {
		return c, notDone("no node is eligible: there is nothing to compare")
	}
	return c, nil
}

// nothing makes an answer of what there is no comparison of.
func nothing(err error) error {
	var none *arena.NothingError
	if errors.As(err, &none) {
		return notDone("%s", none.Cause)
	}
	return refusal(err)
}

// values are one number of every run, from the least on.
func values(r *arena.Row, of func(*simulate.Result) float64) []float64 {
	values := make([]float64, len(r.Runs))
	for i := range r.Runs {
		values[i] = of(&r.Runs[i])
	}
	slices.Sort(values)
	return values
}
