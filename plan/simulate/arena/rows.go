package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
)

// Options are the settings of a comparison.
type Options struct {
	// Seed of all durations, and how many draws of them, from it on (1).
	Seed    uint64
	Seeds   int
	Timings simulate.Timings
	// Window gives the pair with locks the smallest maxSurge that reaches 1.05 times its lower bound.
	Window bool
	// Samples keeps the samples of every run; see simulate.Options.
	Samples bool
	// OnStep makes, for each row, what sees every plan of a strategy of this planner with the snapshot that it was made from; an error of that ends the
	// row.
	OnStep func() func(*model.Snapshot, *model.Plan) error
	// OnPhase is told what begins. Rows that are made at the same time call it, and OnStep, at the same time.
	OnPhase func(way *Way, phase string)
}

// Row is one way to roll, with the runs of all draws.
type Row struct {
	Way Way
	// Window is the maxSurge that was looked for; 0 if the rollout's own holds.
	Window int
	// Reason is why there are no numbers; empty if there are.
	Reason string
	Runs   []simulate.Result
	// Arming is what making a pair of a conventional DaemonSet costs, once; nil if this way or the snapshot needs none.
	Arming *Row
	// Raised is what a wider window would give, where that is what decided the first draw of a strategy of this planner and the
	// run is short; see simulate.Raise.
	Raised *simulate.Raised
}

// quick is the most events of a run that is made once more.
const quick = 20_000

// AboveBudget tells whether more nodes were without an agent at the same time than the budget allows.
func (r *Row) AboveBudget() bool {
	for i := range r.Runs {
		if run := &r.Runs[i]; run.MostUnserved > run.Bound.Budget {
			return true
		}
	}
	return false
}

// Doubles tells whether two processes of one component ran on a node at the same time.
func (r *Row) Doubles() bool {
	for i := range r.Runs {
		if r.Runs[i].Double != nil {
			return true
		}
	}
	return false
}

// Row installs one way and rolls. Several rows may be made at the same time: none depends on another. What the way refuses is its row's reason; the error is a plan's, OnStep's or the context's.
func (a *Arena) Row(ctx context.Context, way Way, o Options) (Row, error) {
	e := &entry{Arena: a, ctx: ctx, way: way, strategy: way.strategy(a.snapshot.Rollout), options: o}
	if o.OnStep != nil {
		e.judge = o.OnStep()
	}
	row, err := e.row()
	if err != nil {
		return row, fmt.Errorf("%s: %w", way.Name, err)
	}
	if a.conventional && way.Is == Ours && e.strategy.Type == model.Pair && row.Reason == "" {
		e.phase("arming")
		arming, err := e.runs(a.arm)
		if err != nil {
			return row, fmt.Errorf("arming of %s: %w", way.Name, err)
		}
		row.Arming = &arming
	}
	return row, nil
}

// entry is one way in the arena.
type entry struct {
	*Arena
	ctx      context.Context
	way      Way
	strategy model.Strategy
	options  Options
	judge    func(*model.Snapshot, *model.Plan) error
}

func (e *entry) phase(name string) {
	if e.options.OnPhase != nil {
		e.options.OnPhase(&e.way, name)
	}
}

func (e *entry) row() (Row, error) {
	e.phase("installing")
	from, installed, err := e.install()
	switch {
	case refusedDocument(err) != "":
		return Row{Way: e.way, Reason: "refused: " + refusedDocument(err)}, nil
	case err != nil:
		return Row{}, err
	case from == nil && installed.Outcome == simulate.Blocked:
		return Row{Way: e.way, Reason: "refused: " + installed.Reason + ": " + installed.Message}, nil
	case from == nil:
		return Row{Way: e.way, Reason: "the deployed revision cannot be installed in this way: it ends " + installed.Ending()}, nil
	}
	window := 0
	if e.options.Window && e.way.Is == Ours && e.strategy.Type == model.Pair && e.strategy.Overlap == model.Locked {
		e.phase("looking for the window")
		o := simulate.Options{Rollout: e.rollout(e.wanted, e.strategy), Start: from.start, Seed: e.options.Seed, Timings: e.options.Timings, OnStep: e.onStep(nil)}
		found, reached, err := simulate.SmallestWindow(from.world, e.way.planner(), o)
		if err != nil {
			return Row{}, err
		}
		if reached {
			window = found.MaxSurge
			surge := intstr.FromInt32(int32(window))
			e.strategy.MaxSurge = &surge
		}
	}
	e.phase("rolling")
	row, err := e.runs(func(e *entry, o simulate.Options) (simulate.Result, error) { return e.roll(from, o) })
	row.Window = window
	if err != nil || len(row.Runs) == 0 || e.way.Is == CompareOnly {
		return row, err
	}
	if first := &row.Runs[0]; first.DecidedBy == simulate.ByWindow && first.Steps <= quick {
		e.phase("raising the window")
		row.Raised, err = e.raise(from, first)
	}
	return row, err
}

// runs runs every draw, until one has no numbers.
func (e *entry) runs(run func(*entry, simulate.Options) (simulate.Result, error)) (Row, error) {
	row := Row{Way: e.way}
	for i := range max(1, e.options.Seeds) {
		o := simulate.Options{Seed: e.options.Seed + uint64(i), Timings: e.options.Timings, AllowDouble: e.way.Is != Ours, OnStep: e.onStep(nil), Samples: e.options.Samples}
		if e.way.Is != CompareOnly {
			o.OnStep = e.onStep(e.judge)
		}
		result, err := run(e, o)
		if err != nil {
			return row, err
		}
		if result.Outcome != simulate.Complete {
			row.Reason, row.Runs = "ends "+result.Ending(), nil
			return row, nil
		}
		row.Runs = append(row.Runs, result)
	}
	return row, nil
}

// onStep ends a run when the context is done.
func (e *entry) onStep(also func(*model.Snapshot, *model.Plan) error) func(*model.Snapshot, *model.Plan) error {
	return func(s *model.Snapshot, p *model.Plan) error {
		if err := e.ctx.Err(); err != nil || also == nil {
			return err
		}
		return also(s, p)
	}
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
