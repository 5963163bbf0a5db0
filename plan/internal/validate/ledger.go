package validate

import (
	"math"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// stand is what one node comes to.
type stand struct {
	index int
	node  *corev1.Node
	// bound: a Pod of the rollout is bound there, be it terminating.
	eligible, ready, bound bool
	// served: an available Pod counts there, serving: a Ready one of what may be sent away, for however short a while.
	served, serving bool
	// emptied: the node is given over, or the rollout took its agent to bring it back.
	emptied, exemptable bool
	// joins: the node is new, and has never had an available agent. forgiven: a person has set it aside with the target's failure.
	// hasServed: a Pod of the rollout there has been Ready, and is so no more.
	joins, forgiven, hasServed bool
	// done: the desired revision serves the node.
	done bool
	// What a pair's node takes of the window and of the cohort.
	inWindow, offSource bool
	// onTarget: the target's revision serves it, old: a former one has a Pod there, fitting: the target is not too big for it.
	onTarget, old, fitting bool
	// availableSince and restarted are, of a canary's node on the target, since when it is available and its newest restart.
	availableSince, restarted time.Time
}

// account are the sums of the nodes and the limits that they are held against. Each action changes its own copy.
type account struct {
	ledger                 budget.Ledger
	exemptable, forgiven   int
	inWindow, offSource    int
	onTarget, old, fitting int
	limits                 budget.Limits
	// availableSince and restarted are the latest of all nodes.
	availableSince, restarted time.Time
}

// column is the node's column of the ledger. What was emptied is charged to the rollout, but for a dead Node that a proven target,
// or what served before, is to come back to.
func (s *scene) column(at *stand) model.Blame {
	switch {
	case !at.eligible:
		return model.NotEligible
	case at.served:
		return model.Available
	case at.forgiven:
		return model.Exempt
	case at.joins:
		return model.Joining
	case at.emptied && (at.ready || s.advancing && !s.proven):
		return model.Committed
	}
	return model.Ambient
}

// young tells whether the Node is younger than the deadline, in which its first agent starts.
func (s *scene) young(node *corev1.Node) bool {
	made := node.CreationTimestamp.Time
	return !made.IsZero() && s.now.Before(made.Add(s.deadline()))
}

func (s *scene) deadline() time.Duration {
	return time.Duration(*s.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}

// forgives tells whether a person has gone on after the node was handed over to the target.
func (s *scene) forgives(moved model.Moved) bool {
	f := s.state.Forgiven
	return s.advancing && f != nil && f.Revision == s.targetRevision && !moved.At.IsZero() && !moved.At.After(f.Since.Time)
}

// book adds n nodes like this one to the column.
func (a account) book(at *stand, column model.Blame, n int) account {
	switch column {
	case model.NotEligible:
		return a
	case model.Available:
		a.ledger.Available += n
	case model.Committed:
		a.ledger.Committed += n
	case model.Joining:
		a.ledger.Joining += n
	case model.Exempt:
		a.ledger.Ambient, a.forgiven = a.ledger.Ambient+n, a.forgiven+n
	case model.Ambient:
		a.ledger.Ambient += n
		if at.exemptable {
			a.exemptable += n
		}
	}
	a.ledger.Eligible += n
	return a
}

// charged is the ledger with what is exempt.
func (s *scene) charged(a account) budget.Ledger {
	a.ledger.Exempt = a.forgiven + min(a.exemptable, s.rollout.Spec.Strategy.Exempt(a.ledger.Eligible))
	return a.ledger
}

// survey makes the account of every node, and judges the reports.
func (s *scene) survey(m mechanism, memo *Memo) (a account, found []Violation) {
	reports, found := s.reportsByNode()
	for i := range s.cluster.Len() {
		at := memo.stand(s, m, i)
		column, inWindow, offSource := s.column(at), at.inWindow, at.offSource
		for _, issued := range s.unseen[i] {
			// What was issued may have landed or not: the worse of both is charged.
			then := m.stand(i, &issued.Action.Write)
			column, inWindow, offSource = max(column, s.column(&then)), inWindow || then.inWindow, offSource || then.offSource
		}
		a = a.book(at, column, 1)
		a.inWindow, a.offSource = a.inWindow+count(inWindow), a.offSource+count(offSource)
		a.onTarget, a.old, a.fitting = a.onTarget+count(at.onTarget), a.old+count(at.old), a.fitting+count(at.fitting)
		a.availableSince, a.restarted = later(a.availableSince, at.availableSince), later(a.restarted, at.restarted)
		found = append(found, s.answered(at, reports[i])...)
	}
	a.limits = s.limits(a.ledger.Eligible)
	return a, found
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// limits resolves the limits for the eligible nodes. Nodes that go back are no cohort, and have no slow start; that begins with
// the promotion of a canary, which is the cohort while it holds, and has none.
func (s *scene) limits(eligible int) budget.Limits {
	elapsed, strategy := time.Duration(math.MaxInt64), &s.rollout.Spec.Strategy
	switch {
	case !s.advancing || s.canary.holds:
	case s.canary.verdict == model.CanaryIsValidated && s.state.Canary.Since != nil:
		elapsed = s.now.Sub(s.state.Canary.Since.Time)
	case s.state.TargetSince != nil:
		elapsed = s.now.Sub(s.state.TargetSince.Time)
	}
	limits := strategy.Limits(eligible, elapsed)
	if s.canary.holds {
		limits.Cohort = min(limits.Cohort, strategy.Canary.Size(eligible))
	}
	return limits
}

// seat applies the budget to a node that the action changes: what loses an available node is paid, what takes an unavailable one
// from its slot is free. One that only has not settled serves all the same: its move is free, but not next to what is above the limit.
func (s *scene) seat(a account, x act, before, after *stand, handoff bool) (account, []Violation) {
	from, to := s.column(before), s.column(after)
	found := s.maySit(s.charged(a), a.limits.Unavailable, x, from, to, handoff, before.serving)
	return a.book(before, from, -1).book(after, to, 1), found
}

func (s *scene) maySit(l budget.Ledger, limit int, x act, from, to model.Blame, handoff, serving bool) (found []Violation) {
	paid := from == model.Available && to != model.Available
	free := handoff && from == model.Ambient && to == model.Committed
	switch {
	case paid && l.Charged()+1 > limit:
		found = x.breaks(S2, "the node is available and would not be: %d committed + %d ambient − %d exempt + 1 > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, limit)
	case free && l.Committed+1 > limit:
		found = x.breaks(S2, "a free handoff takes a seat: %d committed + 1 > maxUnavailable %d", l.Committed, limit)
	case free && serving && l.Charged() > limit:
		found = x.breaks(S2, "the node's Pod is Ready and would go, while others are unavailable: %d committed + %d ambient − %d exempt > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, limit)
	}
	if !paid && !free {
		return found
	}
	found = append(found, s.spares(x, "a handoff")...)
	if until, settled := s.rollout.Status.Executor.Settled(s.now); !settled {
		found = append(found, x.breaks(S7, "a request of the executor's predecessor can still land until %s and a live list", until.UTC().Format(time.RFC3339))...)
	}
	return found
}

// spares: a paused or failed canary begins nothing, and takes no node from its source.
func (s *scene) spares(x act, what string) []Violation {
	if s.canary.halted {
		return x.breaks(Cohort, "%s while the canary is %s", what, s.canary.verdict)
	}
	return nil
}
