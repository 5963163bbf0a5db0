package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// smallCluster is the number of nodes up to which the smallest window is looked for without being asked: that takes
// about ten more runs.
const smallCluster = 20

// simulateFlags are the flags of one call.
type simulateFlags struct {
	in input
	timingFlags
	images   []string
	faults   []string
	crashes  []int
	mend     bool
	decide   []string
	timeline string
	output   string
	window   bool
}

func newSimulate(live Live) *cobra.Command {
	f := simulateFlags{in: input{live: live}}
	cmd := &cobra.Command{
		Use:   "simulate {-f FILE | FILE}...",
		Short: "Play a rollout to its end, and say how long it takes and what it costs",
		Long: `Play the rollout against a small model of Kubernetes and of the nodes' file locks, from the state that the dump
shows until it is complete, blocked or stuck. Nothing is sent anywhere.

The timeline says what happened. "short" folds what happens to many nodes alike, "full" has a line for everything.
The summary gives the duration and its lower bound, how long nodes go without an agent, what was unavailable and in
overlap at the same time, and the requests. Same input and seed, same output. -o html writes all of it as one page that
needs no network: every node over the time, and the ledger at any instant.

Every plan on the way is checked by the validator, and every node for two processes of one component at the same
time: either ends the run with 1, and so does a rollout that ends blocked or stuck. A Surge with overlap Never runs both
processes, and is not checked for them. The simulated executor watches what it plans on: it plans when something changes,
and polls for nothing. A run of thousands of nodes takes minutes; a longer --plan-interval shortens it, and lengthens
the simulated rollout.

Faults:

  --image 'IMAGE=BEHAVIOUR', --image 'CONTAINER@IMAGE=BEHAVIOUR'
                       what an image does, in every container or in one:

` + behaviourHelp() + `

  --crash N            the executor dies right before its Nth request
  --fault 'AT Image IMAGE=BEHAVIOUR [until=AT]'
                       the same as --image, from a time of the run on
  --fault 'AT KIND …'  something that happens at a time of the run, as in '2m BreakNode worker-1 until=5m'. AT counts
                       from the start; until= ends the fault at such a time. The kinds:

` + faultHelp() + `

Decisions are given when the plan asks for them, bound to the revision that it asks about:

  --decide recover=Back    once a proven target has failed and holds: return to the source, or recover=Forward. Both are
                           played from there, and the output says what either costs
  --decide retry           once the desired revision is remembered as failed: try it again
  --decide canary=Promote  once a canary waits for a person: Promote, Fail or Resume; Pause while it runs`,
		Example: `  # Duration, gaps and cost of a rollout
  rollout simulate -f examples/snapshots/three-zones.yaml

  # Another budget, a slower registry, another draw of durations
  rollout simulate -f examples/snapshots/three-zones.yaml --set strategy.maxUnavailable=10% \
    --pull 3m --seed 7

  # What if the new image never becomes ready?
  rollout simulate -f examples/snapshots/two-workers.yaml \
    --image 'gcr.io/datadoghq/agent:7.81.1=NeverReady'

  # Forward or back, if the image goes bad when half of the nodes have it?
  rollout simulate -f examples/snapshots/half-way.yaml --decide recover=Back \
    --fault '30s Image gcr.io/datadoghq/agent:7.81.1=NeverReady'

  # What if a node dies half way, and comes back?
  rollout simulate -f examples/snapshots/two-workers.yaml --fault '1m LoseNode worker-2 until=20m'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.in.flags(cmd)
	flags := cmd.Flags()
	f.timingFlags.flags(cmd)
	flags.StringVar(&f.timeline, "timeline", "short", "short, full or none")
	flags.StringVarP(&f.output, "output", "o", "text", "text, json, yaml or html")
	flags.BoolVar(&f.window, "window", false, fmt.Sprintf("look for the smallest maxSurge that reaches the lower bound also with more than %d nodes", smallCluster))
	flags.StringArrayVar(&f.images, "image", nil, "what an image does (repeatable)")
	flags.StringArrayVar(&f.faults, "fault", nil, "a fault at a time of the run (repeatable)")
	flags.StringArrayVar(&f.decide, "decide", nil, "a decision, given when the plan asks for it: recover=, retry or canary= (repeatable)")
	flags.BoolVar(&f.mend, "mend", false, "let pulls succeed that fail in the inputs; without it they go on failing")
	flags.IntSliceVar(&f.crashes, "crash", nil, "the executor dies right before its Nth request (repeatable)")
	return cmd
}

func (f *simulateFlags) run(cmd *cobra.Command, files []string) error {
	if err := errors.Join(oneOf("timeline", f.timeline, "short", "full", "none"), oneOf("output", f.output, "text", "json", "yaml", "html")); err != nil {
		return asUsageError(cmd, err)
	}
	answers, err := readAnswers(f.decide)
	if err != nil {
		return err
	}
	lagging := f.timings.CacheLag > 0
	if err := f.settleTimings(); err != nil {
		return asUsageError(cmd, err)
	}
	snapshot, err := f.in.read(cmd, files...)
	if err != nil {
		return err
	}
	noteDoubled(notesOf(cmd), snapshot.Rollout)
	trouble, err := f.trouble(snapshot)
	if err != nil {
		return err
	}
	from := inherit(snapshot, f.mend)
	trouble.faults = append(from.faults(), trouble.faults...)
	w, err := world.New(snapshot, world.Options{Behaviour: trouble.images, Lagging: lagging})
	if err != nil {
		return err
	}
	rollout := *snapshot.Rollout
	rollout.Status.Watched = true
	sim := &simulated{
		start:     w.Clone(),
		disturbed: len(trouble.images)+len(trouble.faults)+len(trouble.crashes)+len(answers) > 0,
		answers:   answers,
		inherited: from,
		options: simulate.Options{
			Rollout: &rollout, Seed: f.seed, Timings: f.timings, Faults: trouble.faults, Crashes: trouble.crashes,
			AllowDouble: twoAgents(&rollout), Samples: f.output == "html",
			// A crash is no fault by itself, and is noted with everything else only.
			Detail: slices.ContainsFunc(trouble.faults, func(f simulate.Fault) bool { return f.Transition.Kind == world.Crash }),
		},
	}
	sim.line = newProgress(cmd.ErrOrStderr(), isQuiet(cmd))
	defer sim.line.clear()
	sim.ctx = cmd.Context()
	if err := sim.run(w); err != nil {
		sim.line.clear()
		if stopped := interrupted(err, elapsed(sim.result.Duration)+" into the rollout"); stopped != nil {
			err = stopped
		}
		var answer *notDoneError
		if !errors.As(err, &answer) {
			return err
		}
		if f.output != "html" {
			_ = sim.printTimeline(cmd.OutOrStdout(), f.timeline)
		}
		return err
	}
	note(notesOf(cmd), slices.Concat(sim.missed(), sim.unasked())...)
	if err := sim.playBoth(); err != nil {
		return err
	}
	if err := errors.Join(sim.findWindow(f.window), sim.raise()); err != nil {
		return err
	}
	sim.line.clear()
	if err := f.print(cmd, cmd.OutOrStdout(), sim); err != nil {
		return err
	}
	if r := &sim.result; r.Outcome != simulate.Complete {
		return notDone("the rollout ends %s", sim.ending())
	}
	return nil
}

func (f *simulateFlags) print(cmd *cobra.Command, out io.Writer, sim *simulated) error {
	switch f.output {
	case "json", "yaml":
		return printObject(out, kindSimulation, sim.view(f.timeline), f.output)
	case "html":
		return f.printPage(cmd, out, sim)
	}
	if err := sim.printVerdict(out); err != nil {
		return err
	}
	if err := sim.printTimeline(out, f.timeline); err != nil {
		return err
	}
	if f.timeline != "none" {
		if err := sim.printGantt(out); err != nil {
			return err
		}
	}
	return sim.printSummary(out)
}

// validating makes what ends a run at the first plan that breaks a property.
func validating() func(*model.Snapshot, *model.Plan) error {
	var v plan.Validator
	return func(snapshot *model.Snapshot, p *model.Plan) error { return brokenRules(v.Validate(snapshot, p)) }
}

// twoAgents tells whether the strategy lets two agents run on a node: a surge without locks does.
func twoAgents(rollout *model.Rollout) bool {
	strategy := rollout.WithDefaults().Spec.Strategy
	return strategy.Type == model.Surge && strategy.Overlap == model.Never
}

// onOneDaemonSet tells whether the rollout has no pair.
func (s *simulated) onOneDaemonSet() bool {
	return s.options.Rollout.WithDefaults().Spec.Strategy.Type != model.Pair
}

// simulated is one run with all that is told of it.
type simulated struct {
	start   *world.World // as it was before the run
	ctx     context.Context
	line    *progress
	options simulate.Options
	result  simulate.Result
	phases  []phase
	history *history // only where a page is made
	// source is the slot that served at the beginning; none on one DaemonSet.
	source model.Slot
	// done is how many nodes the first plan found on the recorded target.
	done int
	// disturbed says that faults were asked for: then the lower bound is not the measure.
	disturbed bool
	// window is what findWindow found; nil if there is nothing to look for.
	window *windowFound
	// raised is what more of the limit that decided the duration would give; nil if that was not measured.
	raised *simulate.Raised
	// answers are the decisions to be given, and either what both directions of a recovery cost.
	answers []answer
	either  []recovered
	// inherited is what failed before the run.
	inherited inherited
}

// phase is when the plans' phase changed.
type phase struct {
	at   time.Duration
	name model.Phase
}

// windowFound is the smallest window that reaches the lower bound.
type windowFound struct {
	// skipped says that it was not looked for, since the cluster is large.
	skipped  bool
	maxSurge int
	reached  bool
	// now is the window in force, and duration what the found one leads to.
	now      int
	duration time.Duration
}

// run plays the rollout. Two processes of one component, a broken property and a run that does not end are answers
// about the rollout, not about the input.
func (s *simulated) run(w *world.World) error {
	if w.Len() <= smallCluster || runtime.GOMAXPROCS(0) == 1 {
		return s.play(w, validating())
	}
	c := newChecker()
	err := s.play(w, c.check)
	if c.broken() {
		return s.play(s.start.Clone(), validating()) // again, to end right at that plan
	}
	return err
}

// play is one run whose plans are checked.
func (s *simulated) play(w *world.World, check func(*model.Snapshot, *model.Plan) error) error {
	options := s.options
	s.phases, s.done = nil, 0
	begin := options.Rollout.Status.ObservedAt.Time
	if options.Samples {
		s.history = newHistory(begin)
	}
	check = s.line.plans("simulating", untilDone(s.ctx, check))
	options.OnStep = func(snapshot *model.Snapshot, p *model.Plan) error {
		if len(s.phases) == 0 {
			s.source = p.Pair.Active
		}
		if len(s.phases) == 0 && p.Pair.Target != model.NoSlot {
			s.done = p.Pair.OnTarget
		}
		if n := len(s.phases); n == 0 || s.phases[n-1].name != p.Phase {
			s.phases = append(s.phases, phase{snapshot.Now().Sub(begin), p.Phase})
		}
		s.history.step(snapshot, p)
		return check(snapshot, p)
	}
	options.Decide = decider(options.Rollout.Spec.Decision, s.answers)
	var err error
	s.result, err = simulate.Run(w, new(plan.Planner).Next, options)
	var double *world.DoubleError
	var steps *simulate.StepsError
	switch {
	case errors.As(err, &double):
		return notDone("two processes at the same time, which the locks should have kept apart: %v", double)
	case errors.As(err, &steps):
		return notDone("%v", steps)
	}
	return err
}

// missed names the faults that could not happen when their time had come.
func (s *simulated) missed() (notes []string) {
	happened := map[world.Transition]bool{}
	for i := range s.result.Timeline {
		if e := &s.result.Timeline[i]; s.isFault(e) {
			happened[e.Event.Transition] = true
		}
	}
	for _, fault := range s.options.Faults {
		switch {
		case fault.Behaviour != nil || happened[fault.Transition]:
		case fault.At > s.result.Duration:
			notes = append(notes, fmt.Sprintf("the fault %q came after the end of the run.", fault.Transition))
		default:
			notes = append(notes, fmt.Sprintf("the fault %q could not happen at its time, and did nothing.", fault.Transition))
		}
	}
	return notes
}

// boundHolds tells whether the lower bound is the measure of the run: one whole revision, handed over without faults. A native
// surge is none: it does not wait until a node has settled.
func (s *simulated) boundHolds() bool {
	handoff := model.SetNodeSlot
	if s.options.Rollout.WithDefaults().Spec.Strategy.Type == model.RollingUpdate {
		handoff = model.DeletePod
	}
	handedOver := slices.ContainsFunc(s.result.Writes, func(w simulate.WriteCount) bool { return w.Kind == handoff && w.Done > 0 })
	return s.result.Outcome == simulate.Complete && s.result.Bound.Total > 0 && handedOver && s.done == 0 && !s.disturbed && !s.arms() &&
		s.options.Rollout.WithDefaults().Spec.Strategy.Type != model.Surge
}

// arms tells whether the run made the Pods ready for a pair first.
func (s *simulated) arms() bool {
	return slices.ContainsFunc(s.phases, func(p phase) bool { return p.name == model.PhaseArming })
}

// isFault tells whether the entry is a fault or a person's hand, and not what happens by itself.
func (s *simulated) isFault(e *simulate.Entry) bool {
	if e.Event == nil {
		return false
	}
	return e.Event.Kind.Fault() || slices.ContainsFunc(s.options.Faults, func(f simulate.Fault) bool {
		return f.Behaviour == nil && f.At == e.At && f.Transition == e.Event.Transition
	})
}

// quickRun is the most events of a run that is made once more to learn what another limit would give.
const quickRun = 20_000

// raise learns what more of the limit would give that decided the duration, where the run is quick.
func (s *simulated) raise() (err error) {
	if !s.boundHolds() || s.result.Steps > quickRun {
		return nil
	}
	options := s.options
	options.OnStep = s.line.plans("raising "+s.result.DecidedBy.String(), untilDone(s.ctx, validating()))
	s.raised, err = simulate.Raise(s.start, new(plan.Planner).Next, options, &s.result)
	return err
}

// findWindow looks for the smallest window if the run shows that there can be one.
func (s *simulated) findWindow(asked bool) error {
	r := &s.result
	strategy := s.options.Rollout.WithDefaults().Spec.Strategy
	if !s.boundHolds() || strategy.Overlap != model.Locked {
		return nil
	}
	if r.Bound.Nodes > smallCluster && !asked {
		s.window = &windowFound{skipped: true}
		return nil
	}
	options := s.options
	options.OnStep = s.line.plans("looking for the window", untilDone(s.ctx, validating()))
	found, reached, err := simulate.SmallestWindow(s.start, new(plan.Planner).Next, options)
	if err != nil {
		return err
	}
	s.window = &windowFound{maxSurge: found.MaxSurge, reached: reached, now: r.Limits.Window, duration: found.Result.Duration}
	return nil
}
