package single

import (
	"cmp"
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// admit lets the deletions pass the limits, one by one, in the one order. What is held gets what held it as its reason.
func (p *planner) admit() {
	p.orderProposals()
	for i := range p.proposals {
		n := &p.proposals[i]
		report := &p.plan.Nodes[n.report]
		if hold := p.holds(n.seat); hold != "" {
			report.Verdict, report.Reason = model.Waits, hold
			continue
		}
		p.admitOne(n, report)
	}
}

// orderProposals brings the deletions into the one order: what takes no seat, then what takes a free one, then the paid ones;
// unavailable nodes first, then the spread's turns, then names.
func (p *planner) orderProposals() {
	var turns []int32
	if len(p.proposals) > 1 {
		turns = step.Turns(p.cluster, p.strategy.SpreadBy)
	}
	slices.SortFunc(p.proposals, func(a, b nodeProposal) int {
		if d := a.loses() - b.loses(); d != 0 && a.seat == b.seat {
			return d
		}
		if a.seat != b.seat || turns == nil {
			return cmp.Or(cmp.Compare(a.seat, b.seat), cmp.Compare(a.node, b.node))
		}
		return cmp.Compare(turns[a.node], turns[b.node])
	})
}

// loses orders nodes by what the deletion may lose: nothing, an agent that has not settled, one that is available.
func (n *nodeProposal) loses() int {
	switch {
	case n.available:
		return 2
	case n.settling:
		return 1
	}
	return 0
}

// holds returns why no deletion of the kind may be admitted now, whatever the limits say.
func (p *planner) holds(seat budget.Seat) model.Reason {
	switch {
	case p.issuedSet:
		return model.ActionIssued
	case p.changing:
		return model.WaitingForSlot
	case seat == budget.NoSeat && p.hold != model.RolloutFrozen && !p.live.observed():
		return model.SlotNotObserved // the controller would make the same Pod again, from the template that it knows
	case seat == budget.NoSeat && p.hold != model.RolloutFrozen:
		return ""
	case p.hold != "":
		return p.hold
	}
	if until, settled := p.executor.Settled(p.now); !settled {
		// A request of a dead executor can still delete another Pod.
		p.clock.Wake(until)
		return model.WaitingForFence
	}
	return ""
}

// admitOne asks the limits first, and reads the node again only if it may move.
func (p *planner) admitOne(n *nodeProposal, report *model.NodeReport) {
	cost := budget.Cost{Seat: n.seat, Writes: 1, Exempt: n.exempt, Settling: n.settling}
	if limit := p.account.Holds(p.plan.Limits, cost); limit != budget.Admitted {
		report.Verdict, report.Reason = model.Waits, heldBy(limit)
		return
	}
	f := p.gather(int(n.node))
	pr := p.refine(&f, p.propose(&f))
	if pr.pod == nil {
		report.Verdict, report.Reason, report.Detail = pr.verdict, pr.reason, pr.detail
		if pr.needsPods {
			p.need(f.node.Name)
		}
		return
	}
	if !p.noteHandover(&pr) {
		report.Verdict, report.Reason = model.Waits, model.WaitingForWrites
		return
	}
	action := step.DeletePod(f.node.Name, pr.pod, pr.reason, cost)
	action.Premises = p.premises(&pr)
	cost.Writes = 0 // add counts the write
	p.account.Charge(cost)
	report.Verdict = model.Acts
	report.Action = p.add(action)
}

func heldBy(limit budget.Limit) model.Reason {
	switch limit {
	case budget.Unavailable:
		return model.WaitingForBudget
	case budget.Writes, budget.Cohort, budget.Window, budget.Admitted:
		return model.WaitingForWrites
	}
	return model.WaitingForWrites
}

// handoverGrain is how exactly the time of the last handover is noted: a twentieth of the deadline.
const handoverGrain = 20

// noteHandover notes, before the deletion, that a target that waited will take over: its deadline begins then. It tells
// whether the deletion may follow in this plan.
func (p *planner) noteHandover(pr *proposal) bool {
	if !p.live.recorded() || pr.reason != model.HandoffPrepared && pr.reason != model.CapacityFallback {
		return true
	}
	if at := p.live.state.HandedOver; at != nil && p.now.Sub(at.Time) < p.deadline()/handoverGrain {
		return true
	}
	if p.account.Writes+2 > p.plan.Limits.Writes {
		return false
	}
	p.record(model.HandoverNoted, func(s *model.State) { s.HandedOver = &metav1.Time{Time: p.now} })
	return true
}

// premises are the facts on other objects that the deletion rests on.
func (p *planner) premises(pr *proposal) []model.Premise {
	set := p.live.set
	list := []model.Premise{{Kind: model.PremiseSlotRevision, Name: set.Name, UID: set.UID, Want: p.live.revision}}
	if pr.beside != nil {
		kind := model.PremisePodPrepared
		switch pr.reason {
		case model.HandoffServing:
			kind = model.PremisePodAvailable
		case model.CapacityFallback:
			kind = model.PremisePodUnschedulable
		}
		list = append(list, model.Premise{Kind: kind, Name: pr.beside.Name, UID: pr.beside.UID, Want: p.live.revision})
	}
	if pr.seat != budget.NoSeat {
		list = append(list, model.Premise{Kind: model.PremiseSeatLeft})
	}
	return list
}
