package step

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Move is what one node would do next, as far as admission has to know it: the row of a survey. Everything else is judged again
// for the few that are admitted.
type Move struct {
	// Node is its number in the cluster, and Report that of its report.
	Node, Report int32
	// Kind is the mechanism's own word for what is to be done; 0 for nothing.
	Kind uint8
	// Rank is the move's class in the one order: the lower first.
	Rank uint8
	Seat budget.Seat
	// Overlap and OffSource are what the move adds to the window and to the cohort.
	Overlap, OffSource int8
	// Available says that the node is served, Settling that it serves and does not count as available yet, Left that it has
	// left the source already, Exempt that it is not charged.
	Available, Settling, Left, Exempt bool
	// Late says that the node had no working agent before, which proves nothing of a target: it goes last, as long as others may go.
	Late bool
}

// Cost is what the move takes of the limits.
func (m *Move) Cost() budget.Cost {
	return budget.Cost{
		Seat: m.Seat, Overlap: int(m.Overlap), OffSource: int(m.OffSource), Writes: 1, Exempt: m.Exempt, Settling: m.Settling,
	}
}

// loses orders nodes by what their move may lose: nothing, an agent that has not settled, one that is available.
func (m *Move) loses() int {
	switch {
	case m.Available:
		return 2
	case m.Settling:
		return 1
	}
	return 0
}

// Judgment is all that is said of one node before any limit is asked. It is made from the view and the node alone: to judge
// twice changes nothing.
type Judgment struct {
	// Report is the node's, if it is Reported: a node that the rollout has nothing to do with is not.
	Report   model.NodeReport
	Reported bool
	Traits   Traits
	Move     Move
	// Steady says that the judgment holds until something changes on the node, or until its Wake.
	Steady bool
	// Exemptable says that the ambient node may be taken off the charge.
	Exemptable bool
	// Aside is why the node is set aside: it cannot reach the destination, and nothing waits for it; "" if it is not. Since is when that, or a
	// failure of the target there, began; zero if it is not known.
	Aside model.Reason
	Since time.Time
	// NeedsPods says that capacity cannot be judged before the node's other Pods are listed.
	NeedsPods bool
	// Wake is when to look again; zero for never. ReturnedUntil is until when the node counts as just returned.
	Wake, ReturnedUntil time.Time
	// Faults are what is odd about objects on the node, each a sentence.
	Faults []string
	// Probe is what the node's Pod tells of a canary that holds the rollout; nil without one.
	Probe *CanaryProbe
}

// SetAside says why an eligible node that is not done is set aside, if it is: its Node is not Ready, or else the reason of what holds it.
func (j *Judgment) SetAside(ready, aside bool, reason model.Reason) {
	switch {
	case !j.Traits.Has(Eligible) || j.Report.Verdict == model.Done:
	case !ready:
		j.Aside = model.NodeNotReady
	case aside:
		j.Aside = reason
	}
}

// exception is what is said of the node if it is set aside for the reason.
func (j *Judgment) exception(why model.Reason) model.Exception {
	e := model.Exception{Node: j.Report.Node, Reason: why, Detail: j.Report.Detail}
	if !j.Since.IsZero() {
		e.Since = metav1.NewTime(j.Since)
	}
	return e
}

// Sooner returns the earlier of two instants at which to look again; the zero time is never.
func Sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// CanaryProbe is what one of the canary's nodes shows.
type CanaryProbe struct {
	// Restarts are the most that one container has had, FirstRestarted is the earliest that is known, and Restarted the newest of all.
	Restarts                  int32
	FirstRestarted, Restarted time.Time
	// Available is since when the exact target is available there; zero while it is not.
	Available time.Time
	// CannotStart is why a container does not start.
	CannotStart string
}

// CanaryView is what the canary's nodes show, all of them together. The node named is the first in the order of names.
type CanaryView struct {
	// Nodes are the eligible ones that have left the source.
	Nodes                      []int32
	Restarts                   int32
	RestartsOn                 string
	FirstRestarted, Restarted  time.Time
	CannotStart, CannotStartOn string
	// Available is since when the last of those that are available is.
	Available time.Time
}

func (v *CanaryView) add(node int, name string, probe *CanaryProbe) {
	v.Nodes = append(v.Nodes, int32(node))
	if probe.CannotStart != "" && v.CannotStart == "" {
		v.CannotStart, v.CannotStartOn = probe.CannotStart, name
	}
	if probe.Restarts > v.Restarts {
		v.Restarts, v.RestartsOn = probe.Restarts, name
	}
	v.FirstRestarted = Sooner(v.FirstRestarted, probe.FirstRestarted)
	v.Restarted, v.Available = Later(v.Restarted, probe.Restarted), Later(v.Available, probe.Available)
}
