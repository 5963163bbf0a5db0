package simulate

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// Bound is what no way to roll that respects the budget can be faster than, by the run's base durations:
//
//	Total = ⌈Nodes / Budget⌉ × Handoff + Preparation
//	Handoff = Write + Controller + Stop + Lock + Start + Ready + max(minReadySeconds, settleSeconds)
//	Preparation = Schedule + Pull + Init + Create
//
// Every node is without an available agent for one handoff at least, at most Budget of them at a time, and
// the first handoff has to wait for one target to be prepared. Example: 5,000 nodes, 1%, a handoff of 23 s
// and 64 s of preparation: 100 × 23 s + 64 s = 39 min 24 s.
type Bound struct {
	Nodes, Budget        int
	Handoff, Preparation time.Duration
	Total                time.Duration
}

func boundOf(w *world.World, o *Options) Bound {
	var b Bound
	for _, name := range w.Nodes() {
		if w.Eligible(name) {
			b.Nodes++
		}
	}
	settle := time.Duration(0)
	if o.Rollout != nil {
		r := o.Rollout.WithDefaults()
		b.Budget = r.Spec.Strategy.Limits(b.Nodes, 0).Unavailable
		if r.Spec.Strategy.SlowStart != nil { // the ramp only makes it slower
			full := r.Spec.Strategy
			full.SlowStart = nil
			b.Budget = full.Limits(b.Nodes, 0).Unavailable
		}
		settle = time.Duration(*r.Spec.Strategy.SettleSeconds) * time.Second
		if d := r.Spec.Desired; d != nil {
			settle = max(settle, time.Duration(d.Spec.MinReadySeconds)*time.Second)
		}
	}
	t := &o.Timings
	b.Handoff = t.Write + t.Controller + t.Stop + t.Lock + t.Start + t.Ready + settle
	b.Preparation = t.Schedule + t.Pull + t.Init + t.Create
	if b.Budget > 0 {
		b.Total = time.Duration((b.Nodes+b.Budget-1)/b.Budget)*b.Handoff + b.Preparation
	}
	return b
}

// Window is one try of SmallestWindow.
type Window struct {
	MaxSurge int
	Result   Result
}

// ReachesBound tells whether a run completed within 1.05 times its lower bound.
func (r *Result) ReachesBound() bool {
	return r.Outcome == Complete && r.Duration <= r.Bound.Total+r.Bound.Total/20
}

// SmallestWindow finds the smallest maxSurge with which the rollout reaches 1.05 times its lower bound: the
// window that hides pull and start behind the handoffs before. The world is left as it is. It doubles the
// window from the budget on until a run reaches the bound, then halves the distance; that more window
// never makes a run slower is taken for granted. If even a window of all nodes does not reach the bound, ok
// is false and the try with that window is returned.
func SmallestWindow(w *world.World, planner Planner, o Options) (smallest Window, ok bool, err error) {
	first := boundOf(w, ptr(o.withDefaults(w.Len())))
	try := func(window int) (Window, error) {
		own := o
		own.Rollout = withWindow(o.Rollout, window)
		result, err := Run(w.Clone(), planner, own)
		return Window{MaxSurge: window, Result: result}, err
	}
	low, high := 0, max(1, first.Budget) // low does not reach the bound
	for {
		if smallest, err = try(min(high, max(1, first.Nodes))); err != nil {
			return smallest, false, err
		}
		if smallest.Result.ReachesBound() {
			break
		}
		if high >= first.Nodes {
			return smallest, false, nil
		}
		low, high = high, 2*high
	}
	for high = smallest.MaxSurge; high-low > 1; {
		middle := low + (high-low)/2
		tried, err := try(middle)
		if err != nil {
			return tried, false, err
		}
		if tried.Result.ReachesBound() {
			smallest, high = tried, middle
		} else {
			low = middle
		}
	}
	return smallest, true, nil
}

func withWindow(r *model.Rollout, window int) *model.Rollout {
	if r == nil {
		return nil
	}
	own := *r
	own.Spec.Strategy.MaxSurge = ptr(intstr.FromInt32(int32(window)))
	return &own
}

func ptr[T any](value T) *T { return &value }

// BoundOf is the lower bound of a run with these options from the world's state, without running it. The error is for a
// missing world.
func BoundOf(w *world.World, o Options) (Bound, error) {
	if w == nil {
		return Bound{}, errors.New("a lower bound needs a world")
	}
	o = o.withDefaults(w.Len())
	return boundOf(w, &o), nil
}
