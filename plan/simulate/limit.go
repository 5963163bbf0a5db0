package simulate

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// Limit is the setting of a rollout that decided how long it took. The set is closed.
type Limit uint8

const (
	// NoLimit: nodes waited for no limit, or for none of them for long.
	NoLimit Limit = iota
	// ByBudget, ByWindow, ByCohort, ByWrites: maxUnavailable, maxSurge, the canary or the partition, maxWrites.
	ByBudget
	ByWindow
	ByCohort
	ByWrites
)

// String is the setting's name.
func (l Limit) String() string {
	switch l {
	case NoLimit:
		return "none"
	case ByBudget:
		return "maxUnavailable"
	case ByWindow:
		return "maxSurge"
	case ByCohort:
		return "canary or partition"
	case ByWrites:
		return "maxWrites"
	}
	return fmt.Sprintf("Limit(%d)", uint8(l))
}

// waits are how long the rollout advanced, and how long of that a node waited for each limit: from a plan to the next that is
// looked at.
type waits struct {
	advanced time.Duration
	waited   [ByWrites + 1]time.Duration
	// last is what the last plan said, at its time; before the first one nothing waits.
	last   [ByWrites + 1]bool
	lastAt time.Time
	on     bool
}

// wantsLook tells whether a plan is looked at: every one on up to a thousand nodes, every second on two thousand, and so on.
func wantsLook(plans, nodes int) bool { return plans%(1+nodes/1000) == 0 }

func (h *waits) look(p *model.Plan, now time.Time) {
	if h.on {
		passed := now.Sub(h.lastAt)
		h.advanced += passed
		for l, waits := range h.last {
			if waits {
				h.waited[l] += passed
			}
		}
	}
	h.on, h.lastAt, h.last = p.Phase == model.PhaseAdvancing || p.Phase == model.PhaseCanary, now, [ByWrites + 1]bool{}
	if !h.on {
		return
	}
	for i := range p.Nodes {
		switch p.Nodes[i].Reason {
		case model.WaitingForBudget:
			h.last[ByBudget] = true
		case model.WaitingForWindow:
			h.last[ByWindow] = true
		case model.WaitingForCohort, model.WaitingForCanary:
			h.last[ByCohort] = true
		case model.WaitingForWrites:
			h.last[ByWrites] = true
		default:
		}
	}
}

// decided is the budget if a node waited for it at least half of the time: it comes last, so whoever waits for it has passed the
// others. Else it is what was waited for the longest, if that is a quarter of the time.
func (h *waits) decided() Limit {
	if h.advanced == 0 {
		return NoLimit
	}
	if 2*h.waited[ByBudget] >= h.advanced {
		return ByBudget
	}
	most := ByBudget
	for l := ByWindow; l <= ByWrites; l++ {
		if h.waited[l] > h.waited[most] {
			most = l
		}
	}
	if 4*h.waited[most] < h.advanced {
		return NoLimit
	}
	return most
}

// Raised is what one more run found with the limit that decided the first one raised, and nothing else changed.
type Raised struct {
	// From is the limit's value in nodes or writes, To twice that, and at most all nodes.
	From, To int
	Result   Result
}

// Gains tells whether more of the limit made the run shorter by a fiftieth or more. If it did not, nodes waited for the limit and
// lost nothing by it, and what comes after it decides.
func (r *Raised) Gains(first *Result) bool {
	return r.Result.Outcome == Complete && r.Result.Duration < first.Duration-first.Duration/50
}

// Raise runs once more, from the world's state, with the limit that decided the result doubled. A default that follows from the
// limit follows it: a larger maxUnavailable also widens a maxSurge that is left out. The world is left as it is. It is nil where
// no limit decided, where it has no value of its own (a canary, a partition), and where it is all nodes already.
func Raise(w *world.World, planner Planner, o Options, r *Result) (*Raised, error) {
	if o.Rollout == nil {
		return nil, nil
	}
	own := *o.Rollout
	s := &own.Spec.Strategy
	raised := &Raised{}
	to := func(from, most int) *intstr.IntOrString {
		raised.From, raised.To = from, min(2*from, most)
		return ptr(intstr.FromInt(raised.To))
	}
	switch r.DecidedBy {
	case NoLimit, ByCohort:
		return nil, nil
	case ByBudget:
		s.MaxUnavailable = to(r.Limits.Unavailable, r.Bound.Nodes)
		if s.Type == model.Surge {
			s.MaxSurge = nil // the same number
		}
	case ByWindow:
		s.MaxSurge = to(r.Limits.Window, r.Bound.Nodes)
	case ByWrites:
		s.MaxWrites = ptr(int32(to(r.Limits.Writes, 2*r.Limits.Writes).IntValue()))
	}
	if raised.To <= raised.From {
		return nil, nil
	}
	o.Rollout = &own
	var err error
	raised.Result, err = Run(w.Clone(), planner, o)
	return raised, err
}
