package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
)

// admit lets the proposals pass the four limits, one by one, in the one order. What is held gets the limit
// that held it as its reason.
func (p *planner) admit() {
	p.orderProposals()
	for i := range p.proposals {
		n := &p.proposals[i]
		report := &p.plan.Nodes[n.report]
		if hold := p.holds(n); hold != "" {
			report.Verdict, report.Reason = model.Waits, hold
			continue
		}
		p.admitOne(n, report)
	}
}

// holds returns why no move of the kind may be admitted now, whatever the limits say.
func (p *planner) holds(n *nodeProposal) model.Reason {
	switch n.move {
	case moveDeletePod, moveCandidate, moveClear:
		if p.issuedSlot {
			return model.ActionIssued
		}
		return ""
	case moveTakeBack, moveTurn, moveRepair, moveAdmit:
		if p.issuedSlot {
			return model.ActionIssued
		}
		if p.changing {
			return model.WaitingForSlot
		}
		return ""
	case moveDead:
		if !p.othersDone() {
			return model.NodeNotReady
		}
	case moveOverlap, moveHandoff, moveRelease, moveReplace, stay:
	}
	switch {
	case p.issuedSlot:
		return model.ActionIssued
	case p.changing:
		return model.WaitingForSlot
	case p.hold != "":
		return p.hold
	case p.canaryHolds(n) != "":
		return p.canaryHolds(n)
	case n.move == moveOverlap:
		return ""
	case p.survey.unfenced > 0:
		return model.WaitingForFence
	}
	return p.fenceHolds()
}

// fenceHolds holds whatever costs availability while a request of a dead executor can still land.
func (p *planner) fenceHolds() model.Reason {
	until, settled := p.executor.Settled(p.now)
	if settled {
		return ""
	}
	p.clock.Wake(until)
	return model.WaitingForFence
}

// othersDone tells whether only nodes are left whose Node is not Ready, and the destination is proven.
func (p *planner) othersDone() bool {
	s := &p.survey
	proven := p.journey.proven || p.journey.home
	return proven && s.done+s.dead >= s.eligible && s.unfinished == 0
}

// admitOne asks the limits first, by what the survey kept, and reads the node again only if it may move.
func (p *planner) admitOne(n *nodeProposal, report *model.NodeReport) {
	cost := n.cost()
	if limit := p.account.Holds(p.plan.Limits, cost); limit != budget.Admitted {
		report.Verdict, report.Reason = model.Waits, heldBy(limit)
		return
	}
	f := p.gather(int(n.node))
	pr := p.propose(&f)
	if pr.move == moveOverlap {
		if pr = p.refineOverlap(&f, pr, n.chosen); pr.move != moveOverlap {
			p.admitRefined(n, report, &f, &pr)
			return
		}
	}
	p.carryOut(report, &f, &pr, cost)
}

// admitRefined admits a node that was to overlap and must leave in another way, or not at all.
func (p *planner) admitRefined(n *nodeProposal, report *model.NodeReport, f *facts, pr *proposal) {
	report.Verdict, report.Reason, report.Detail = pr.verdict, pr.reason, pr.detail
	if pr.move == stay {
		return
	}
	n.move, n.seat = pr.move, pr.seat
	if limit := p.account.Holds(p.plan.Limits, n.cost()); limit != budget.Admitted {
		report.Verdict, report.Reason = model.Waits, heldBy(limit)
		return
	}
	p.carryOut(report, f, pr, n.cost())
}

// carryOut charges an admitted move and adds its action.
func (p *planner) carryOut(report *model.NodeReport, f *facts, pr *proposal, cost budget.Cost) {
	action := p.actionOf(f, pr, cost)
	cost.Writes = 0 // add counts the write
	p.account.Charge(cost)
	report.Verdict = model.Acts
	report.Action = p.add(action)
}

// refineOverlap chooses the way of a node that leaves its slot, judged by what its Pod really runs. It is asked
// only for nodes that may move now, since it reads whole Pod specs.
func (p *planner) refineOverlap(f *facts, pr proposal, chosen bool) proposal {
	switch path, why := p.pathOf(f); path {
	case byOverlap:
		return pr
	case byRelease:
		if hold := p.holds(&nodeProposal{move: moveRelease, chosen: chosen}); hold != "" {
			return wait(pr.stage, hold, "")
		}
		return act(pr.stage, model.ReleaseSource, moveRelease).seated(f)
	case noPath:
		return block(pr.stage, model.LocksDoNotExclude, why)
	}
	return block(pr.stage, model.LocksDoNotExclude, "")
}

// cost says what the move takes of the limits.
func (n *nodeProposal) cost() budget.Cost {
	cost := budget.Cost{Seat: n.seat, Writes: 1, Exempt: n.exempt, Settling: n.settling}
	switch n.move {
	case moveOverlap:
		cost.Overlap, cost.OffSource = 1, 1
	case moveTurn:
		if !n.inWindow {
			cost.Overlap = 1
		}
	case moveHandoff, moveTakeBack:
		if n.inWindow {
			cost.Overlap = -1
		}
	case moveRelease:
		cost.OffSource = 1
	case moveDead:
		if !n.offSource {
			cost.OffSource = 1
		}
	case stay, moveDeletePod, moveCandidate, moveRepair, moveAdmit, moveClear, moveReplace:
	}
	return cost
}

func heldBy(limit budget.Limit) model.Reason {
	switch limit {
	case budget.Cohort:
		return model.WaitingForCohort
	case budget.Unavailable:
		return model.WaitingForBudget
	case budget.Window:
		return model.WaitingForWindow
	case budget.Writes, budget.Admitted:
		return model.WaitingForWrites
	}
	return model.WaitingForWrites
}

// actionOf builds the request of an admitted move.
func (p *planner) actionOf(f *facts, pr *proposal, cost budget.Cost) model.Action {
	to := p.journey.to
	switch pr.move {
	case moveDeletePod, moveReplace:
		return step.DeletePod(f.node.Name, pr.pod, pr.reason, cost)
	case moveCandidate:
		return p.recordCandidate(f, pr.pod, pr.reason)
	case moveClear:
		return p.clearNode(f.node, pr.reason)
	case moveOverlap, moveTurn:
		return p.labelNode(f, model.NodeLabel{Kind: model.Overlaps, To: to}, pr.reason, cost)
	case moveRelease:
		action := p.labelNode(f, model.NodeLabel{Kind: model.Released, To: to}, pr.reason, cost)
		action.Premises = p.premises(f, pr)
		return action
	case moveRepair:
		label := model.NodeLabel{Kind: model.Serves, To: p.repairedTo(f)}
		if p.losesOwner(f) && !f.to.gone() {
			// In between both slots take unlabelled nodes, and both have Pods here: both are kept.
			label = model.NodeLabel{Kind: model.Overlaps, To: to}
		}
		return p.labelNode(f, label, pr.reason, cost)
	case moveHandoff, moveDead, moveAdmit:
		label := model.NodeLabel{Kind: model.Serves, To: to}
		if pr.move == moveDead && p.mustRelease(f) {
			label.Kind = model.Released
		}
		action := p.labelNode(f, label, pr.reason, cost)
		action.Premises = p.premises(f, pr)
		return action
	case moveTakeBack:
		return p.labelNode(f, model.NodeLabel{Kind: model.Serves, To: p.takenBackTo(f, pr)}, pr.reason, cost)
	case stay:
	}
	return model.Action{}
}

// mustRelease tells whether a dead node still holds a Pod that a new one must not run beside: should the Node come back,
// it ends before the destination is admitted.
func (p *planner) mustRelease(f *facts) bool {
	if f.from.gone() {
		return false
	}
	path, _ := p.pathOf(f)
	return path != byOverlap
}

// takenBackTo is the slot that serves the node: the source where two Pods must not share it, else the destination.
func (p *planner) takenBackTo(f *facts, pr *proposal) model.Slot {
	if pr.reason == model.LocksDoNotExclude && !f.serves() {
		return p.journey.from
	}
	return p.journey.to
}

// premises are the facts on other objects that the handoff rests on.
func (p *planner) premises(f *facts, pr *proposal) []model.Premise {
	set := p.pair.slot(p.journey.to).set
	list := []model.Premise{{Kind: model.PremiseSlotRevision, Name: set.Name, UID: set.UID, Want: p.journey.toRevision}}
	if !p.journey.home {
		list = append(list, model.Premise{Kind: model.PremiseTargetRecorded, Name: set.Name, UID: set.UID, Want: p.journey.toRevision})
	}
	if pod := f.to.live; pod != nil {
		kind := model.PremisePodPrepared
		switch pr.reason {
		case model.HandoffServing:
			kind = model.PremisePodAvailable
		case model.CapacityFallback:
			kind = model.PremisePodUnschedulable
		}
		list = append(list, model.Premise{Kind: kind, Name: pod.Name, UID: pod.UID, Want: p.journey.toRevision})
	}
	if pr.seat != budget.NoSeat {
		list = append(list, model.Premise{Kind: model.PremiseSeatLeft})
	}
	return list
}
