package world

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/agent-rollout/planner/capacity"
)

// tally is what one node, or all of them, add to a DaemonSet's status.
type tally struct {
	desired, current, misscheduled, ready, available, updated int32
}

func (t *tally) add(o tally, sign int32) {
	t.desired += sign * o.desired
	t.current += sign * o.current
	t.misscheduled += sign * o.misscheduled
	t.ready += sign * o.ready
	t.available += sign * o.available
	t.updated += sign * o.updated
}

// recount marks that the node adds something else to the set's status from now on.
func (s *set) recount(n *node) {
	s.statusStale, s.stepStale = true, true
	if per := n.of(s); !per.stale {
		per.stale = true
		s.recounts = append(s.recounts, n)
	}
}

// statusOf counts a set's nodes as its controller does: of several Pods on a node only the oldest counts. An
// OnDelete set whose template changed has updatedNumberScheduled 0. Only nodes that changed are looked
// at, unless the controller has observed another spec, or time alone makes Pods available.
func (w *World) statusOf(s *set) appsv1.DaemonSetStatus {
	status := s.object.Status
	if s.observed == nil {
		return status
	}
	if s.counted != s.observed || s.observed.spec.MinReadySeconds > 0 {
		s.counted, s.sum = s.observed, tally{}
		for _, n := range s.recounts { // removed nodes are in no sum any more
			per := n.of(s)
			per.tally, per.stale = tally{}, false
		}
		for _, n := range w.nodes {
			per := n.of(s)
			per.tally, per.stale = w.tallyOf(s, n), false
			s.sum.add(per.tally, 1)
		}
	}
	for _, n := range s.recounts {
		per := n.of(s)
		if !per.stale {
			continue
		}
		s.sum.add(per.tally, -1)
		per.tally, per.stale = w.tallyOf(s, n), false
		s.sum.add(per.tally, 1)
	}
	s.recounts = s.recounts[:0]
	sum := &s.sum
	return appsv1.DaemonSetStatus{
		ObservedGeneration: status.ObservedGeneration, CollisionCount: status.CollisionCount, Conditions: status.Conditions,
		DesiredNumberScheduled: sum.desired, CurrentNumberScheduled: sum.current, NumberMisscheduled: sum.misscheduled,
		NumberReady: sum.ready, NumberAvailable: sum.available, UpdatedNumberScheduled: sum.updated,
		NumberUnavailable: sum.desired - sum.available,
	}
}

// tallyOf is one node's part.
func (w *World) tallyOf(s *set, n *node) (t tally) {
	if n.gone {
		return t
	}
	var first *pod
	for _, p := range n.pods {
		if p.set == s && !p.leftBehind() && (first == nil || older(p, first)) {
			first = p
		}
	}
	switch eligible := n.judge(s) == capacity.Eligible; {
	case !eligible && first != nil:
		t.misscheduled = 1
	case eligible:
		t.desired = 1
		if first == nil {
			break
		}
		t.current = 1
		if first.ready {
			t.ready = 1
		}
		if w.availablePod(first, s) {
			t.available = 1
		}
		if first.hash == s.observed.hash {
			t.updated = 1
		}
	}
	return t
}

func sameCounts(a, b *appsv1.DaemonSetStatus) bool {
	return a.CurrentNumberScheduled == b.CurrentNumberScheduled && a.NumberMisscheduled == b.NumberMisscheduled &&
		a.DesiredNumberScheduled == b.DesiredNumberScheduled && a.NumberReady == b.NumberReady &&
		a.UpdatedNumberScheduled == b.UpdatedNumberScheduled && a.NumberAvailable == b.NumberAvailable &&
		a.NumberUnavailable == b.NumberUnavailable
}
