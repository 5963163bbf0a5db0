package world

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
)

// step is what the native rolling update does in one sync.
type step struct {
	create []*node
	delete []*pod
}

func (s *step) empty() bool { return len(s.create) == 0 && len(s.delete) == 0 }

// The API's limit on creates and deletes of one sync.
const burst = 250

// limits resolves maxSurge and maxUnavailable against the number of nodes where a Pod should run; a
// percentage is rounded up. If both come out as 0 while a Pod should run somewhere, maxUnavailable is 1.
func limits(rolling *appsv1.RollingUpdateDaemonSet, desired int) (surge, unavailable int) {
	surge = resolved(rolling.MaxSurge, desired, 0)
	unavailable = resolved(rolling.MaxUnavailable, desired, 1)
	if desired > 0 && surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

func resolved(value *intstr.IntOrString, total, otherwise int) int {
	if value == nil {
		return otherwise
	}
	n, err := budget.Resolve(*value, total)
	if err != nil {
		return otherwise
	}
	return n
}

// updateStep is the update step of a sync: nothing as long as there are Pods to adopt, with which a sync begins, or the manage step
// has something to do, since the controller then waits to see its own creations and deletions first.
func (w *World) updateStep(s *set) step {
	for _, n := range w.nodes {
		if w.adopts(s, n) || len(w.manage(nil, s, n)) > 0 {
			s.again = time.Time{}
			return step{}
		}
	}
	return w.rollingStep(s)
}

// rollingStep is the native controller's update step (1.34) for a whole set: one with
// maxUnavailable, one with maxSurge. Where the controller takes candidates in random order, this one
// takes them in the order of node names.
func (w *World) rollingStep(s *set) step {
	if !s.manages() || s.observed.spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return step{}
	}
	nodes := w.rollingNodes(s)
	desired := 0
	for i := range nodes {
		if nodes[i].eligible {
			desired++
		}
	}
	rolling := s.observed.spec.UpdateStrategy.RollingUpdate
	if rolling == nil {
		rolling = &appsv1.RollingUpdateDaemonSet{}
	}
	surge, unavailable := limits(rolling, desired)
	var did step
	if surge > 0 {
		did = surgeStep(nodes, surge, desired)
	} else {
		did = unavailableStep(nodes, unavailable)
	}
	did.create = slices.DeleteFunc(did.create, func(n *node) bool { return !w.admits(s, n) })
	did.create = did.create[:min(len(did.create), burst)]
	did.delete = did.delete[:min(len(did.delete), burst)]
	return did
}

// rollingNode is one node as the update step sees it: its Pods of the set that neither terminate nor
// have ended.
type rollingNode struct {
	node         *node
	eligible     bool
	old, fresh   *pod
	oldAvailable bool
	newAvailable bool
	excess       bool // more than one old or more than one new Pod: the manage step's business
}

// rollingNodes are the nodes that have Pods of the set, and those that should.
func (w *World) rollingNodes(s *set) []rollingNode {
	nodes := make([]rollingNode, 0, len(w.nodes))
	s.again = time.Time{}
	for _, n := range w.nodes {
		r := rollingNode{node: n, eligible: n.judge(s) == capacity.Eligible}
		has := false
		for _, p := range n.pods {
			if p.set != s || p.leftBehind() {
				continue
			}
			has = true
			s.note(w, p)
			switch {
			case p.terminating() || p.failed:
			case p.hash == s.observed.hash:
				r.excess = r.excess || r.fresh != nil
				r.fresh, r.newAvailable = p, w.availablePod(p, s)
			default:
				r.excess = r.excess || r.old != nil
				r.old, r.oldAvailable = p, w.availablePod(p, s)
			}
		}
		if has || r.eligible {
			nodes = append(nodes, r)
		}
	}
	return nodes
}

// unavailableStep deletes old Pods that are not available whatever the budget, and available ones
// while less than the budget is unavailable: old or new, empty or terminating.
func unavailableStep(nodes []rollingNode, budget int) (did step) {
	unavailable := 0
	var candidates []*pod
	for i := range nodes {
		switch r := &nodes[i]; {
		case r.excess, (r.old == nil) == (r.fresh == nil):
			unavailable++
		case r.fresh != nil:
			if !r.newAvailable {
				unavailable++
			}
		case !r.oldAvailable:
			did.delete = append(did.delete, r.old)
			unavailable++
		default:
			candidates = append(candidates, r.old)
		}
	}
	room := max(0, budget-unavailable)
	did.delete = append(did.delete, candidates[:min(room, len(candidates))]...)
	return did
}

// surgeStep puts a new Pod beside every old one that is not available, beside available ones while fewer
// than surge new Pods are not available yet, and deletes an old one whose new one is available. Old Pods
// that may only go on running go while more nodes are available than desired.
func surgeStep(nodes []rollingNode, surge, desired int) (did step) {
	surging, available := 0, 0
	var candidates []*node
	var sunset []*pod
	for i := range nodes {
		r := &nodes[i]
		if r.old != nil && r.oldAvailable || r.fresh != nil && r.newAvailable {
			available++
		}
		switch {
		case r.excess:
			surging++
		case r.old == nil: // an unavailable new Pod alone costs nothing
		case r.fresh != nil && !r.newAvailable:
			surging++
		case r.fresh != nil:
			did.delete = append(did.delete, r.old)
		case !r.oldAvailable && r.eligible:
			did.create = append(did.create, r.node)
		case !r.oldAvailable:
			did.delete = append(did.delete, r.old)
		case r.eligible:
			candidates = append(candidates, r.node)
		default:
			sunset = append(sunset, r.old)
		}
	}
	room := max(0, surge-surging)
	did.create = append(did.create, candidates[:min(room, len(candidates))]...)
	spare := max(0, available-desired)
	did.delete = append(did.delete, sunset[:min(spare, len(sunset))]...)
	return did
}

// availablePod: Ready for minReadySeconds.
func (w *World) availablePod(p *pod, s *set) bool {
	return p.ready && !w.availableAt(p, s).After(w.now)
}

func (w *World) availableAt(p *pod, s *set) time.Time {
	return p.readyAt.Add(seconds(int64(s.observed.spec.MinReadySeconds)))
}

// note keeps the next instant at which time alone makes a Pod available.
func (s *set) note(w *World, p *pod) {
	if at := w.availableAt(p, s); p.ready && at.After(w.now) && (s.again.IsZero() || at.Before(s.again)) {
		s.again = at
	}
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }
