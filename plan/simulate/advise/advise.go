// Package advise finds by simulation the settings that keep a deadline: the smallest maxUnavailable with which a rollout is
// complete in time, whatever the window, and then the smallest maxSurge that keeps it with that budget.
//
// Call [Find] on the world as it is now:
//
//	w, err := world.New(snapshot, world.Options{})
//	advice, err := advise.Find(w, advise.Options{Rollout: snapshot.Rollout, Within: 2 * time.Hour, Seeds: 3})
//
// A setting keeps the deadline if the rollout does with every one of the draws of all durations. That more never takes longer
// holds in expectation only, so the neighbours of what is found are tried as well.
package advise

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// Options are the settings of a search.
type Options struct {
	// Rollout is the thing planned; its maxUnavailable and maxSurge are not read, all its other settings are.
	Rollout *model.Rollout
	// Within is the deadline, from the world's state on: what was rolled out before, and arming, count.
	Within time.Duration
	// Seed of all durations, and how many draws of them, from it on, must keep the deadline (1).
	Seed    uint64
	Seeds   int
	Timings simulate.Timings
	// OnStep sees every plan; an error ends the search.
	OnStep func(*model.Snapshot, *model.Plan) error
	// OnTrial is told every setting once it was tried.
	OnTrial func(*Trial)
}

// Setting is one choice of the two numbers, in nodes; MaxSurge is 0 where the strategy has none of its own.
type Setting struct{ MaxUnavailable, MaxSurge int }

// Trial is what the draws made of a setting.
type Trial struct {
	Setting
	// Durations of the runs that were complete, from the shortest on.
	Durations []time.Duration
	// Incomplete is how the first run ended that was not complete; empty if there is none. No draw was tried after it.
	Incomplete string
	// Keeps tells whether every draw kept the deadline.
	Keeps bool
}

// Failure is why no setting keeps a deadline. The set is closed.
type Failure uint8

const (
	// Found: there is no failure.
	Found Failure = iota
	// NothingToRoll: no node is eligible, or the first plan is blocked.
	NothingToRoll
	// BelowBound: not even all nodes at a time could be quicker than the lower bound.
	BelowBound
	// NoEnd: with all nodes at a time the rollout does not come to its end.
	NoEnd
	// TooSlow: with all nodes at a time it is complete, and too late.
	TooSlow
)

// Advice is the answer.
type Advice struct {
	// Bound is the lower bound of a whole rollout by this strategy, and Least the smallest budget that it allows; 0 if none.
	Bound simulate.StrategyBound
	Least int
	// Surges tells whether the strategy has a window of its own, which then was looked for.
	Surges bool
	// AtTarget is how many nodes are at the target already.
	AtTarget int
	// Failure is Found if Chosen is the setting. All is the trial of all nodes at a time if that kept no deadline, and Blocked
	// why the first plan can do nothing.
	Failure Failure
	All     *Trial
	Blocked string
	Chosen  *Trial
	// LessBudget and LessWindow are the trials of one less of either number; nil where there is no less.
	LessBudget, LessWindow *Trial
}

// Find searches for the budget with the widest window, which never holds anything up, and then for the window. The world is
// left as it is. The error is that of a plan, of a run, or of OnStep.
func Find(w *world.World, o Options) (*Advice, error) {
	rollout := *o.Rollout
	rollout.Status.Watched = true
	o.Rollout = &rollout
	s := rollout.WithDefaults().Spec.Strategy
	a := &search{world: w, options: o, tried: map[Setting]*Trial{},
		advice: &Advice{Surges: s.Type == model.Pair && s.Overlap == model.Locked}}
	if err := a.measure(); err != nil {
		return nil, err
	}
	return a.advice, a.find()
}

// search tries settings.
type search struct {
	world   *world.World
	options Options
	advice  *Advice
	planner plan.Planner
	tried   map[Setting]*Trial
}

// widest is the budget with a window of all nodes.
func (a *search) widest(budget int) Setting {
	if !a.advice.Surges {
		return Setting{MaxUnavailable: budget}
	}
	return Setting{budget, a.advice.Bound.Nodes}
}

func (a *search) find() error {
	n, out := a.advice.Bound.Nodes, a.advice
	if n == 0 {
		out.Failure, out.Blocked = NothingToRoll, cmp.Or(out.Blocked, "no node is eligible")
		return nil
	}
	budget, err := a.smallest(max(1, out.Least), n, a.widest)
	if err != nil {
		return err
	}
	if budget == 0 {
		out.All, err = a.try(a.widest(n))
		out.Failure = a.failure()
		return err
	}
	if out.Chosen, err = a.try(a.widest(budget)); err != nil {
		return err
	}
	if budget > 1 {
		if out.LessBudget, err = a.try(a.widest(budget - 1)); err != nil {
			return err
		}
	}
	if !out.Surges {
		return nil
	}
	return a.findWindow(budget)
}

func (a *search) findWindow(budget int) error {
	n, out := a.advice.Bound.Nodes, a.advice
	withBudget := func(window int) Setting { return Setting{budget, window} }
	window, err := a.smallest(min(n, budget), n, withBudget)
	if err != nil {
		return err
	}
	if out.Chosen, err = a.try(withBudget(window)); err == nil && window > 1 {
		out.LessWindow, err = a.try(withBudget(window - 1))
	}
	return err
}

// failure says why not even a budget of all nodes keeps the deadline.
func (a *search) failure() Failure {
	b := &a.advice.Bound
	switch {
	case b.TotalAt(b.Nodes) > a.options.Within && a.advice.AtTarget == 0:
		return BelowBound
	case a.advice.All != nil && a.advice.All.Incomplete != "":
		return NoEnd
	}
	return TooSlow
}

// measure learns the number of eligible nodes, how many are done, and the durations that the lower bound is made of.
func (a *search) measure() error {
	one := Setting{MaxUnavailable: 1}
	if a.advice.Surges {
		one.MaxSurge = 1
	}
	o := a.run(one, a.options.Seed)
	bound, err := simulate.BoundOf(a.world, o)
	if err != nil {
		return err
	}
	a.advice.Bound = simulate.BoundOfStrategy(bound, o.Rollout)
	a.advice.Least = a.advice.Bound.Least(a.options.Within)
	first, err := a.world.Truth(o.Rollout.Status.ObservedAt.Time, o.Rollout)
	if err != nil {
		return err
	}
	next, err := plan.Next(first)
	if blocked := next.Blocked(); blocked != nil {
		a.advice.Blocked = fmt.Sprintf("the rollout is blocked: %s: %s", blocked.Reason, blocked.Message)
	}
	if next.Pair.Target != model.NoSlot {
		a.advice.AtTarget = next.Pair.OnTarget
	}
	return err
}

// smallest finds the smallest number up to high that keeps the deadline; 0 if none does. It begins at the guess, doubles
// until a number keeps it, and halves the distance to one that does not.
func (a *search) smallest(guess, high int, of func(int) Setting) (int, error) {
	var failed error
	keeps := func(n int) bool {
		t, err := a.try(of(n))
		if err != nil {
			failed = err
			return false
		}
		return t.Keeps
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

// try runs a setting over the draws, once.
func (a *search) try(s Setting) (*Trial, error) {
	if t, ok := a.tried[s]; ok {
		return t, nil
	}
	t := &Trial{Setting: s, Keeps: true}
	a.tried[s] = t
	for i := range max(1, a.options.Seeds) {
		r, err := simulate.Run(a.world.Clone(), a.planner.Next, a.run(s, a.options.Seed+uint64(i)))
		if err != nil {
			return nil, err
		}
		if r.Outcome != simulate.Complete {
			t.Incomplete, t.Keeps = "ends "+r.Ending(), false
			break
		}
		t.Durations = append(t.Durations, r.Duration)
		t.Keeps = t.Keeps && r.Duration <= a.options.Within
	}
	slices.Sort(t.Durations)
	if a.options.OnTrial != nil {
		a.options.OnTrial(t)
	}
	return t, nil
}

// run are the options of one run.
func (a *search) run(s Setting, seed uint64) simulate.Options {
	r := *a.options.Rollout
	budget, window := intstr.FromInt(s.MaxUnavailable), intstr.FromInt(s.MaxSurge)
	r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &budget, nil
	if s.MaxSurge > 0 {
		r.Spec.Strategy.MaxSurge = &window
	}
	return simulate.Options{Rollout: &r, Seed: seed, Timings: a.options.Timings, OnStep: a.options.OnStep}
}
