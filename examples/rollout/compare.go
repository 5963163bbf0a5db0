package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/baseline"
)

// standing says what a way to roll is to this planner. The set is closed.
type standing uint8

const (
	// ours is a strategy that a rollout may ask for.
	ours standing = iota
	// unlocked is one too, and lets two processes of the agent run on a node at the same time.
	unlocked
	// compareOnly is no strategy.
	compareOnly
)

// way is one way to roll.
type way struct {
	name    string
	is      standing
	planner simulate.Planner
	set     func(*model.Strategy)
	// window is the maxSurge that was looked for; 0 if the rollout's own holds.
	window int
}

// ways are all that is compared, in the order of the table's rows. Each has the rollout's budget and its other settings,
// as far as it knows them.
func ways() []way {
	pair := func(overlap model.OverlapMode) func(*model.Strategy) {
		return func(s *model.Strategy) { s.Type, s.Overlap = model.Pair, overlap }
	}
	surge := func(overlap model.OverlapMode) func(*model.Strategy) {
		return func(s *model.Strategy) {
			s.Type, s.Overlap, s.MaxSurge = model.Surge, overlap, nil
			s.SpreadBy, s.SlowStart = nil, nil // the native controller chooses the nodes of a surge, and paces it
		}
	}
	rolling := func(s *model.Strategy) { s.Type, s.Overlap, s.MaxSurge = model.RollingUpdate, "", nil }
	return []way{
		{name: "Pair Locked", is: ours, planner: new(plan.Planner).Next, set: pair(model.Locked)},
		{name: "Pair Never", is: ours, planner: new(plan.Planner).Next, set: pair(model.Never)},
		{name: "Surge Locked", is: ours, planner: new(plan.Planner).Next, set: surge(model.Locked)},
		{name: "Surge Never", is: unlocked, planner: new(plan.Planner).Next, set: surge(model.Never)},
		{name: "RollingUpdate", is: ours, planner: new(plan.Planner).Next, set: rolling},
		{name: "native maxUnavailable", is: compareOnly, planner: baseline.NativeUnavailable, set: pair(model.Locked)},
		{name: "native maxSurge", is: compareOnly, planner: baseline.NativeSurge, set: pair(model.Locked)},
		{name: "barrier planner", is: compareOnly, planner: baseline.Barrier, set: pair(model.Locked)},
	}
}

// compareFlags are the flags of one call.
type compareFlags struct {
	in input
	timingFlags
	seeds  int
	window bool
	output string
}

func newCompare() *cobra.Command {
	var f compareFlags
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
  WITHOUT AGENT   the sum over nodes of the time without an agent that they had before
  LONGEST GAP     the longest such time of one node
  UNAVAILABLE     the most nodes without an agent at the same time, and the budget
  +CPU, +MEMORY   the most that Pods beside others request at the same time
  CORE-S, GIB-S   the sum of that over time, in core-seconds and GiB-seconds
  WRITES          requests of the executor; those of controllers are not counted

A way that this cluster or template forbids, and one that does not come to its end, shows the reason instead. With
--seeds, a cell is the median, and two more tables have the least and the most.`,
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
	flags.StringVarP(&f.output, "output", "o", "text", "text or json")
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, files []string) error {
	err := oneOf("output", f.output, "text", "json")
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
	found, err := f.compare(snapshot)
	if err != nil {
		return err
	}
	if f.output == "json" {
		return printObject(cmd.OutOrStdout(), found.view(), "json")
	}
	return found.print(cmd.OutOrStdout())
}

// compared is what a comparison found out.
type compared struct {
	rows []comparedRow
	// arming are what making a pair of a conventional DaemonSet costs, for each way that needs one.
	arming []comparedRow
	bound  simulate.Bound
	seeds  int
	down   []string
}

// comparedRow is one way to roll, with the runs of all seeds.
type comparedRow struct {
	way way
	// reason is why there are no numbers; empty if there are.
	reason string
	runs   []simulate.Result
}

// stand tells why a result has no numbers to compare; empty if it has.
func stand(r *simulate.Result) string {
	if r.Outcome == simulate.Complete {
		return ""
	}
	return "ends " + ending(r)
}

func (f *compareFlags) compare(snapshot *model.Snapshot) (*compared, error) {
	a, err := newArena(snapshot)
	if err != nil {
		return nil, err
	}
	c := &compared{seeds: f.seeds, down: a.down}
	for _, way := range ways() {
		row, err := f.row(a, way)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
		c.rows = append(c.rows, row)
		if len(row.runs) > 0 {
			c.bound = row.runs[0].Bound
		}
		if !a.conventional || way.is != ours || way.strategy(snapshot).Type != model.Pair || row.reason != "" {
			continue
		}
		arming, err := f.runs(way, func(o simulate.Options) (simulate.Result, error) {
			return a.arm(way.planner, way.strategy(snapshot), o)
		})
		if err != nil {
			return nil, fmt.Errorf("arming of %s: %w", way.name, err)
		}
		c.arming = append(c.arming, arming)
	}
	if c.bound.Budget > 0 && c.bound.Nodes == 0 {
		return nil, notDone("no node is eligible: there is nothing to compare")
	}
	return c, nil
}

// strategy is the rollout's for this way.
func (w *way) strategy(snapshot *model.Snapshot) model.Strategy {
	s := snapshot.Rollout.Spec.Strategy
	s.Paused, s.Frozen = false, false
	w.set(&s)
	return s
}

// row installs and rolls. What the way refuses is its row's reason.
func (f *compareFlags) row(a *arena, way way) (comparedRow, error) {
	strategy := way.strategy(a.snapshot)
	from, installed, err := a.install(way.planner, strategy)
	switch {
	case refusedDocument(err) != "":
		return comparedRow{way: way, reason: "refused: " + refusedDocument(err)}, nil
	case err != nil:
		return comparedRow{}, err
	case from == nil && installed.Outcome == simulate.Blocked:
		return comparedRow{way: way, reason: "refused: " + installed.Reason + ": " + installed.Message}, nil
	case from == nil:
		return comparedRow{way: way, reason: "the deployed revision cannot be installed in this way: it " + stand(&installed)}, nil
	}
	if f.window && way.is == ours && strategy.Type == model.Pair && strategy.Overlap == model.Locked {
		o := simulate.Options{Rollout: a.rollout(a.wanted, strategy), Start: from.start, Seed: f.seed, Timings: f.timings}
		found, reached, err := simulate.SmallestWindow(from.world, way.planner, o)
		if err != nil {
			return comparedRow{}, err
		}
		if reached {
			strategy = windowed(strategy, found.MaxSurge)
			way.window = found.MaxSurge
		}
	}
	return f.runs(way, func(o simulate.Options) (simulate.Result, error) { return a.roll(from, way.planner, strategy, o) })
}

// runs runs every seed, until one has no numbers.
func (f *compareFlags) runs(way way, run func(simulate.Options) (simulate.Result, error)) (comparedRow, error) {
	row := comparedRow{way: way}
	for i := range f.seeds {
		o := simulate.Options{Seed: f.seed + uint64(i), Timings: f.timings, AllowDouble: way.is != ours}
		if way.is != compareOnly {
			o.OnStep = violationsOf
		}
		result, err := run(o)
		if err != nil {
			return row, err
		}
		if row.reason = stand(&result); row.reason != "" {
			row.runs = nil
			return row, nil
		}
		row.runs = append(row.runs, result)
	}
	return row, nil
}

// refusedDocument lists the faults of a document that asks for what the planner does not do; empty for another error.
func refusedDocument(err error) string {
	var document *plan.DocumentError
	if !errors.As(err, &document) {
		return ""
	}
	faults := make([]string, len(document.Faults))
	for i, fault := range document.Faults {
		faults[i] = fault.Error()
	}
	return strings.Join(faults, "; ")
}

// values are one number of every run.
func (r *comparedRow) values(of func(*simulate.Result) float64) []float64 {
	values := make([]float64, len(r.runs))
	for i := range r.runs {
		values[i] = of(&r.runs[i])
	}
	slices.Sort(values)
	return values
}
