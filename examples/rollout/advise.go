package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// adviseFlags are the flags of one call.
type adviseFlags struct {
	in input
	timingFlags
	within time.Duration
	seeds  int
	output string
}

func newAdvise() *cobra.Command {
	f := adviseFlags{}
	cmd := &cobra.Command{
		Use:   "advise --within DURATION {-f FILE | FILE}...",
		Short: "Find the smallest maxUnavailable, and then the smallest maxSurge, that keep a deadline",
		Long: `Find by simulation the smallest maxUnavailable with which the rollout is complete within the deadline, whatever the
window, and then the smallest maxSurge that keeps it with that budget. Only a Pair with overlap Locked has a window of its
own: of a Surge maxSurge is the same number, and the others have none. Everything counts from the state that the dump
shows: what was rolled out before, and arming, if a pair is still to be made.

A setting keeps the deadline if the rollout does with every one of the seeds. That more never takes longer holds in
expectation only, so the neighbours of what is found are tried as well. The answer is in nodes, with the share of the
eligible ones. The two numbers of the Rollout document are not read; all its other settings are.

No setting can be faster than ⌈nodes/budget⌉ × handoff + one preparation; where the old Pod goes first, with a RollingUpdate
and with overlap Never, than ⌈nodes/budget⌉ × (preparation + handoff). If none keeps the deadline, the answer says whether
that bound forbids it, and exits with 1.`,
		Example: `  # The settings for a maintenance window of two hours
  rollout advise --within 2h -f cluster.yaml -f rollout.yaml

  # With a slow registry, over ten draws of durations
  rollout advise --within 10m -f examples/snapshots/three-zones.yaml --pull 3m --seeds 10`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.in.flags(cmd)
	f.timingFlags.flags(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&f.within, "within", 0, "the deadline, as in 2h or 45m")
	flags.IntVar(&f.seeds, "seeds", 3, "how many draws of all durations must keep the deadline, from --seed on")
	flags.StringVarP(&f.output, "output", "o", "text", "text or json")
	return cmd
}

func (f *adviseFlags) run(cmd *cobra.Command, files []string) error {
	err := oneOf("output", f.output, "text", "json")
	switch {
	case !cmd.Flags().Changed("within"):
		err = errors.Join(err, errors.New("--within: give the deadline, as in --within 2h"))
	case f.within <= 0:
		err = errors.Join(err, fmt.Errorf("--within: %s is not longer than 0", f.within))
	}
	if f.seeds < 1 {
		err = errors.Join(err, fmt.Errorf("--seeds: %d is less than 1", f.seeds))
	}
	lagging := f.timings.CacheLag > 0
	if err = errors.Join(err, f.settleTimings()); err != nil {
		return asUsageError(cmd, err)
	}
	snapshot, err := f.in.read(cmd, files...)
	if err != nil {
		return err
	}
	w, err := world.New(snapshot, world.Options{Lagging: lagging})
	if err != nil {
		return err
	}
	rollout := *snapshot.Rollout
	rollout.Status.Watched = true
	a := &advisor{world: w, rollout: &rollout, flags: f, tried: map[setting]*trial{}}
	advice, err := a.advise()
	if err != nil {
		return err
	}
	if f.output == "json" {
		err = printObject(cmd.OutOrStdout(), advice.view(), "json")
	} else {
		err = advice.print(cmd.OutOrStdout())
	}
	if err == nil && advice.failure != "" {
		err = notDone("no setting keeps %s: %s", elapsed(f.within), advice.failure)
	}
	return err
}

// setting is one choice of the two numbers, in nodes; maxSurge is 0 where the strategy has none.
type setting struct{ maxUnavailable, maxSurge int }

// trial is what the seeds made of a setting.
type trial struct {
	setting
	durations []float64 // in seconds, sorted; of the runs that were complete
	// incomplete is how the first run ended that was not complete; empty if there is none.
	incomplete string
	keeps      bool
}

// advice is the answer.
type advice struct {
	within  time.Duration
	seeds   int
	bound   strategyBound
	rollout *model.Rollout
	surges  bool
	failure string
	// chosen is the setting; less are those with one less of either number, nil where there is no less.
	chosen      *trial
	less, lessW *trial
	least       int // the least budget that the lower bound allows; 0 if none
	// done is how many nodes are at the target already: the lower bound is that of a whole rollout.
	done int
}

// advisor tries settings.
type advisor struct {
	world   *world.World
	rollout *model.Rollout
	flags   *adviseFlags
	bound   strategyBound
	planner plan.Planner
	done    int
	// blocked is why the first plan can do nothing; empty if it can.
	blocked string
	tried   map[setting]*trial
}

// advise searches for the budget with the widest window, which never holds anything up, and then for the window.
func (a *advisor) advise() (*advice, error) {
	surges := a.surges()
	widest := func(budget int) setting {
		if !surges {
			return setting{budget, 0}
		}
		return setting{budget, a.bound.Nodes}
	}
	if err := a.measure(surges); err != nil {
		return nil, err
	}
	out := &advice{within: a.flags.within, seeds: a.flags.seeds, bound: a.bound, rollout: a.rollout, surges: surges, done: a.done, least: a.bound.least(a.flags.within)}
	n := a.bound.Nodes
	if n == 0 {
		out.failure = cmp.Or(a.blocked, "no node is eligible")
		return out, nil
	}
	budget, err := a.smallest(max(1, out.least), n, widest)
	if err != nil {
		return nil, err
	}
	if budget == 0 {
		all, err := a.try(widest(n))
		if err != nil {
			return nil, err
		}
		out.failure = a.forbidden(all)
		return out, nil
	}
	if out.chosen, err = a.try(widest(budget)); err != nil {
		return nil, err
	}
	if budget > 1 {
		if out.less, err = a.try(widest(budget - 1)); err != nil {
			return nil, err
		}
	}
	if !surges {
		return out, nil
	}
	withBudget := func(window int) setting { return setting{budget, window} }
	window, err := a.smallest(min(n, budget), n, withBudget)
	if err != nil {
		return nil, err
	}
	if out.chosen, err = a.try(withBudget(window)); err == nil && window > 1 {
		out.lessW, err = a.try(withBudget(window - 1))
	}
	return out, err
}

// surges tells whether the strategy has a window of its own.
func (a *advisor) surges() bool {
	s := a.rollout.WithDefaults().Spec.Strategy
	return s.Type == model.Pair && s.Overlap == model.Locked
}

// measure learns the number of eligible nodes, how many are done, and the durations that the lower bound is made of.
func (a *advisor) measure(surges bool) error {
	one := setting{1, 0}
	if surges {
		one.maxSurge = 1
	}
	o := a.options(one, a.flags.seed)
	bound, err := simulate.BoundOf(a.world, o)
	if err != nil {
		return err
	}
	a.bound = boundOfStrategy(bound, o.Rollout)
	first, err := a.world.Truth(o.Rollout.Status.ObservedAt.Time, o.Rollout)
	if err != nil {
		return err
	}
	next, err := plan.Next(first)
	if blocked := next.Blocked(); blocked != nil {
		a.blocked = fmt.Sprintf("the rollout is blocked: %s: %s", blocked.Reason, blocked.Message)
	}
	if next.Pair.Target != model.NoSlot {
		a.done = next.Pair.OnTarget
	}
	return err
}

// smallest finds the smallest number up to high that keeps the deadline; 0 if none does. It begins at the guess, doubles
// until a number keeps it, and halves the distance to one that does not.
func (a *advisor) smallest(guess, high int, of func(int) setting) (int, error) {
	var failed error
	keeps := func(n int) bool {
		t, err := a.try(of(n))
		if err != nil {
			failed = err
			return false
		}
		return t.keeps
	}
	fails, found := 0, min(guess, high)
	for !keeps(found) {
		if failed != nil || found == high {
			return 0, failed
		}
		fails, found = found, min(high, 2*found)
	}
	for found-fails > 1 {
		if middle := fails + (found-fails)/2; keeps(middle) {
			found = middle
		} else {
			fails = middle
		}
	}
	return settled(found, high, keeps), failed
}

// settled looks at the neighbours of what a search has found: a smaller one that keeps the deadline is taken, and one whose
// larger neighbour does not keep it was luck, and is given up for the next that keeps it.
func settled(found, high int, keeps func(int) bool) int {
	for found > 1 && keeps(found-1) {
		found--
	}
	for found < high && !keeps(found+1) {
		next := found + 2
		for next <= high && !keeps(next) {
			next++
		}
		if next > high {
			break
		}
		found = next
	}
	return found
}

// try runs a setting over the seeds, once.
func (a *advisor) try(s setting) (*trial, error) {
	if t, ok := a.tried[s]; ok {
		return t, nil
	}
	t := &trial{setting: s, keeps: true}
	a.tried[s] = t
	for i := range a.flags.seeds {
		r, err := simulate.Run(a.world.Clone(), a.planner.Next, a.options(s, a.flags.seed+uint64(i)))
		if err != nil {
			return nil, refusal(err)
		}
		if r.Outcome != simulate.Complete {
			t.incomplete, t.keeps = "ends "+ending(&r), false
			break
		}
		t.durations = append(t.durations, seconds(r.Duration))
		t.keeps = t.keeps && r.Duration <= a.flags.within
	}
	slices.Sort(t.durations)
	return t, nil
}

func (a *advisor) options(s setting, seed uint64) simulate.Options {
	r := *a.rollout
	budget, window := intstr.FromInt(s.maxUnavailable), intstr.FromInt(s.maxSurge)
	r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &budget, nil
	if s.maxSurge > 0 {
		r.Spec.Strategy.MaxSurge = &window
	}
	return simulate.Options{Rollout: &r, Seed: seed, Timings: a.flags.timings, OnStep: violationsOf}
}

// forbidden says why not even a budget of all nodes keeps the deadline.
func (a *advisor) forbidden(all *trial) string {
	b := &a.bound
	least := b.total(b.Nodes)
	if least > a.flags.within && a.done == 0 {
		return fmt.Sprintf("one handoff (%s) after one preparation (%s) takes %s, even with all %s at a time",
			elapsed(b.Handoff), elapsed(b.Preparation), elapsed(least), nodes(b.Nodes))
	}
	if all.incomplete != "" {
		return fmt.Sprintf("with all %s at a time the rollout %s", nodes(b.Nodes), all.incomplete)
	}
	text := fmt.Sprintf("with all %s at a time the rollout takes %s", nodes(b.Nodes), all.text())
	if a.done == 0 {
		text += ", though its lower bound is " + elapsed(least)
	}
	return text
}

// text is the median duration with its range.
func (t *trial) text() string {
	if t.incomplete != "" {
		return "no end: it " + t.incomplete
	}
	return spread(t.durations).text(asDuration)
}

func (a *advice) print(out io.Writer) error {
	t := newText(out)
	t.row("Deadline", fmt.Sprintf("%s, for %s; every one of %s of the durations has to keep it", elapsed(a.within), nodes(a.bound.Nodes), counted(a.seeds, "draw")))
	if a.bound.Nodes > 0 {
		t.row("Lower bound", a.boundText())
	}
	t.row("Varied", a.variedText())
	t.row("Not varied", notVaried(a.rollout))
	if a.chosen == nil {
		t.row("Advice", "none")
		return t.flush()
	}
	c := a.chosen
	t.row("Advice", strings.Join(a.words(c), ", "))
	t.row("Duration", c.text())
	if a.less != nil {
		t.row("One less", fmt.Sprintf("maxUnavailable: %d takes %s%s", a.less.maxUnavailable, a.less.text(), emptyIf(!a.surges, ", whatever the window")))
	}
	if a.lessW != nil {
		t.row(emptyIf(a.less != nil, "One less"), fmt.Sprintf("maxSurge: %d takes %s", a.lessW.maxSurge, a.lessW.text()))
	}
	return t.flush()
}

// variedText says which settings were tried, in the place of the document's.
func (a *advice) variedText() string {
	switch s := a.rollout.WithDefaults().Spec.Strategy; {
	case a.surges:
		return "maxUnavailable, with a window of all nodes, and then maxSurge with that budget"
	case s.Type == model.Surge:
		return "maxUnavailable; maxSurge is the same number"
	}
	return "maxUnavailable"
}

// notVaried are the other settings of the pacing, which were as the document has them.
func notVaried(r *model.Rollout) string {
	s := r.WithDefaults().Spec.Strategy
	words := []string{strings.TrimSpace(string(s.Type) + " " + string(s.Overlap)), fmt.Sprintf("settleSeconds: %d", *s.SettleSeconds)}
	for _, number := range []struct {
		name  string
		value *intstr.IntOrString
	}{{"exemptUnhealthy", s.ExemptUnhealthy}, {"partition", s.Partition}} {
		if *number.value != intstr.FromInt32(0) {
			words = append(words, fmt.Sprintf("%s: %s", number.name, number.value))
		}
	}
	if *s.MaxWrites != model.DefaultMaxWrites {
		words = append(words, fmt.Sprintf("maxWrites: %d", *s.MaxWrites))
	}
	if len(s.SpreadBy) > 0 {
		words = append(words, "spreadBy: "+strings.Join(s.SpreadBy, ", "))
	}
	if s.SlowStart != nil {
		words = append(words, fmt.Sprintf("slowStart: %s every %s", &s.SlowStart.Increase, s.SlowStart.Interval.Duration))
	}
	if s.Canary != nil {
		words = append(words, "the canary")
	}
	return strings.Join(words, ", ") + ", and the rest of the document"
}

func emptyIf(empty bool, text string) string {
	if empty {
		return ""
	}
	return text
}

func (a *advice) words(t *trial) []string {
	share := func(n int) string { return fmt.Sprintf("%d (%s of the nodes)", n, percent(n, a.bound.Nodes)) }
	words := []string{"maxUnavailable: " + share(t.maxUnavailable)}
	if a.surges {
		words = append(words, "maxSurge: "+share(t.maxSurge))
	}
	return words
}

func (a *advice) boundText() string {
	b := &a.bound
	text := b.text(fmt.Sprintf("⌈%d/maxUnavailable⌉", b.Nodes))
	switch {
	case a.done > 0:
		return text + fmt.Sprintf(", for a whole rollout; %d of %s are at the target already", a.done, nodes(b.Nodes))
	case a.least == 0:
		return text + ": above the deadline for any budget"
	case a.least > 1:
		return text + fmt.Sprintf(": less than %d at a time cannot keep the deadline, jitter aside", a.least)
	}
	return text
}

func percent(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of)) }

// adviceView is an advice as JSON. Durations are in seconds.
type adviceView struct {
	Within       float64    `json:"withinSeconds"`
	Seeds        int        `json:"seeds"`
	Nodes        int        `json:"nodes"`
	Handoff      float64    `json:"handoffSeconds"`
	Preparation  float64    `json:"preparationSeconds"`
	AtTarget     int        `json:"nodesAtTarget,omitempty"`
	LeastByBound int        `json:"leastMaxUnavailableByLowerBound,omitempty"`
	Failure      string     `json:"failure,omitempty"`
	Advice       *trialView `json:"advice,omitempty"`
	LessBudget   *trialView `json:"oneLessMaxUnavailable,omitempty"`
	LessWindow   *trialView `json:"oneLessMaxSurge,omitempty"`
}

type trialView struct {
	MaxUnavailable int       `json:"maxUnavailable"`
	ShareOfNodes   float64   `json:"maxUnavailableShare"`
	MaxSurge       int       `json:"maxSurge,omitempty"`
	SurgeShare     float64   `json:"maxSurgeShare,omitempty"`
	Duration       *spreadOf `json:"durationSeconds,omitempty"`
	Incomplete     string    `json:"incomplete,omitempty"`
}

func (a *advice) view() adviceView {
	b := &a.bound
	trial := func(t *trial) *trialView {
		if t == nil {
			return nil
		}
		view := &trialView{MaxUnavailable: t.maxUnavailable, ShareOfNodes: thousandths(float64(t.maxUnavailable) / float64(b.Nodes)),
			MaxSurge: t.maxSurge, SurgeShare: thousandths(float64(t.maxSurge) / float64(b.Nodes)), Incomplete: t.incomplete}
		if t.incomplete == "" {
			s := spread(t.durations)
			view.Duration = &s
		}
		return view
	}
	return adviceView{Within: seconds(a.within), Seeds: a.seeds, Nodes: b.Nodes, Handoff: seconds(b.Handoff), Preparation: seconds(b.Preparation),
		AtTarget: a.done, LeastByBound: a.least, Failure: a.failure, Advice: trial(a.chosen), LessBudget: trial(a.less), LessWindow: trial(a.lessW)}
}
