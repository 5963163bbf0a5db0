package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// admit lets the moves pass the four limits (step.Admit): what holds one whatever the limits say, and what it comes to.
func admit(c *course) step.Admitted {
	return step.Admit(c.survey, &c.Course, step.Admission{Turns: c.turns(c.survey), Holds: c.holds, Deed: c.deed})
}

// turns are the nodes' places in the spread; nil where the order of names holds.
func (v *view) turns(s *step.Survey) []int32 {
	if len(s.Moves) < 2 {
		return nil
	}
	return v.memo.spread().Turns(v.cluster, v.rollout.Spec.Strategy.SpreadBy)
}

// moveOf is what admission has to know of the proposal.
func moveOf(f *facts, pr *proposal) step.Move {
	m := step.Move{
		Kind: pr.kind, Seat: pr.seat, Rank: rankOf(pr), Available: f.available, Settling: f.settling, Left: f.place != atFrom, Late: pr.late,
	}
	inWindow := f.place.overlaps() && !pr.offWindow && f.ready
	switch pr.kind {
	case moveOverlap:
		m.Overlap, m.OffSource = 1, 1
	case moveTurn:
		if !inWindow {
			m.Overlap = 1
		}
	case moveHandoff, moveTakeBack:
		if inWindow {
			m.Overlap = -1
		}
	case moveRelease, moveJoin:
		m.OffSource = 1
	case moveDead:
		if !m.Left {
			m.OffSource = 1
		}
	case stay, moveDeletePod, moveCandidate, moveRepair, moveAdmit, moveClear, moveReplace, moveNote:
	}
	return m
}

// rankOf orders the classes of moves: free repairs, then handoffs that take no seat, then free ones, then paid
// ones, then overlaps, then dead nodes.
func rankOf(pr *proposal) uint8 {
	switch pr.kind {
	case moveDeletePod, moveCandidate, moveTakeBack, moveTurn, moveRepair, moveAdmit, moveClear, moveJoin, moveNote:
		return 0
	case moveReplace, moveHandoff, moveRelease:
		switch pr.seat {
		case budget.NoSeat:
			return 1
		case budget.FreeSeat:
			return 2
		case budget.PaidSeat:
			return 3
		}
	case moveOverlap:
		return 4
	case moveDead:
		return 5
	case stay:
	}
	return 9
}

// holds returns why no move of the kind may be admitted now, whatever the limits say.
func (c *course) holds(m *step.Move) model.Reason {
	switch m.Kind {
	case moveDeletePod, moveCandidate, moveClear, moveNote:
		if c.issuedSlot {
			return model.ActionIssued
		}
		return ""
	case moveTakeBack, moveTurn, moveRepair, moveAdmit:
		if c.issuedSlot {
			return model.ActionIssued
		}
		if c.Writing {
			return model.WaitingForSlot
		}
		return ""
	case moveDead:
		if !c.othersDone() {
			return model.NodeNotReady
		}
	case moveOverlap, moveHandoff, moveRelease, moveReplace, moveJoin, stay:
	}
	switch {
	case c.issuedSlot:
		return model.ActionIssued
	case c.Writing:
		return model.WaitingForSlot
	case c.Hold != "":
		return c.Hold
	case c.canaryHolds(m):
		return model.WaitingForCanary
	case m.Kind == moveOverlap:
		return ""
	case c.survey.Count.Of(unfenced) > 0:
		return model.WaitingForFence
	}
	if _, settled := c.executor.Settled(c.now); !settled {
		return model.WaitingForFence // a request of a dead executor can still land
	}
	return ""
}

// canaryHolds is where a canary waits: no node leaves the source while it is not validated, but those that were chosen. What has
// begun may go on, a paused canary excepted.
func (c *course) canaryHolds(m *step.Move) bool {
	leaves := m.Kind == moveOverlap || m.Kind == moveRelease || (m.Kind == moveDead && !m.Left)
	return c.canary != nil && leaves && !c.Chosen[m.Node]
}

// othersDone tells whether only nodes are left whose Node is not Ready, and the destination is proven.
func (c *course) othersDone() bool {
	return (c.proven() || c.direction.back) && c.survey.Count.Of(pending) == 0 && c.failuresAside()
}

// deed looks at the node once more: only for one that may move are whole Pod specs read.
func (c *course) deed(m *step.Move) step.Deed {
	f := c.look(int(m.Node))
	pr := c.propose(&f)
	d := step.Deed{Move: *m}
	if other := c.refine(&f, pr); other.kind != pr.kind || other.detail != pr.detail {
		pr, d.Other = other, true
		d.Verdict, d.Reason, d.Detail, d.NeedsPods = pr.verdict, pr.reason, pr.detail, pr.needsPods
		d.Move = moveOf(&f, &pr)
		d.Move.Node, d.Move.Report, d.Move.Exempt = m.Node, m.Report, m.Exempt
	}
	d.Action = func(cost budget.Cost) model.Action { return c.actionOf(&f, &pr, cost) }
	return d
}

// refine judges a node that leaves its slot by what its Pods really run, and by the room that there is for the next one.
func (v *view) refine(f *facts, pr proposal) proposal {
	if pr.kind == moveOverlap {
		pr = v.refineOverlap(f, pr)
	}
	if pr.kind == moveRelease {
		pr = v.roomy(f, pr, f.from.Live, v.measured())
	}
	return pr
}

// refineOverlap chooses the way of a node that leaves its slot, judged by what its Pod really runs.
func (v *view) refineOverlap(f *facts, pr proposal) proposal {
	switch path, why := v.pathOf(f); path {
	case byOverlap:
		victims := v.evicted(f)
		if victims == "" {
			return pr
		}
		if v.rollout.Spec.Capacity.Preemption != model.AllowPreemption {
			pr = act(pr.stage, model.CapacityFallback, moveRelease).seated(f)
		}
		pr.detail = "a second Pod would evict " + victims
		return pr
	case byRelease:
		return act(pr.stage, model.ReleaseSource, moveRelease).seated(f)
	case noPath:
		return block(pr.stage, model.LocksDoNotExclude, why)
	}
	return block(pr.stage, model.LocksDoNotExclude, "")
}

// actionOf builds the request of an admitted move.
func (v *view) actionOf(f *facts, pr *proposal, cost budget.Cost) model.Action {
	to := v.direction.to
	switch pr.kind {
	case moveDeletePod, moveReplace:
		return step.DeletePod(f.node.Name, pr.pod, pr.reason, cost)
	case moveCandidate:
		return v.recordCandidate(f, pr.pod, pr.reason)
	case moveNote:
		return v.noteMoved(f, pr.reason)
	case moveClear:
		return v.clearNode(f.node, pr.reason)
	case moveOverlap, moveTurn:
		return v.labelNode(f, model.NodeLabel{Kind: model.Overlaps, To: to}, pr.reason, cost)
	case moveRelease:
		action := v.labelNode(f, model.NodeLabel{Kind: model.Released, To: to}, pr.reason, cost)
		action.Premises = v.premises(f, pr)
		return action
	case moveRepair:
		label := model.NodeLabel{Kind: model.Serves, To: v.repairedTo(f)}
		if v.losesOwner(f) && !f.to.Gone() {
			// In between both slots take unlabelled nodes, and both have Pods here: both are kept.
			label = model.NodeLabel{Kind: model.Overlaps, To: to}
		}
		return v.labelNode(f, label, pr.reason, cost)
	case moveHandoff, moveDead, moveAdmit, moveJoin:
		label := model.NodeLabel{Kind: model.Serves, To: to}
		if (pr.kind == moveDead || pr.kind == moveJoin) && v.mustRelease(f) {
			label.Kind = model.Released
		}
		action := v.labelNode(f, label, pr.reason, cost)
		action.Premises = v.premises(f, pr)
		return action
	case moveTakeBack:
		return v.labelNode(f, model.NodeLabel{Kind: model.Serves, To: v.takenBackTo(f, pr)}, pr.reason, cost)
	case stay:
	}
	return model.Action{}
}

// mustRelease tells whether a dead node still holds a Pod that a new one must not run beside: should the Node come back,
// it ends before the destination is admitted.
func (v *view) mustRelease(f *facts) bool {
	if f.from.Gone() {
		return false
	}
	path, _ := v.pathOf(f)
	return path != byOverlap
}

// takenBackTo is the slot that serves the node: the source where two Pods must not share it, else the destination.
func (v *view) takenBackTo(f *facts, pr *proposal) model.Slot {
	if pr.reason == model.LocksDoNotExclude && !f.serves() {
		return v.direction.from
	}
	return v.direction.to
}

// premises are the facts on other objects that the handoff rests on.
func (v *view) premises(f *facts, pr *proposal) []model.Premise {
	set := v.pair.slot(v.direction.to).set
	list := []model.Premise{{Kind: model.PremiseSlotRevision, Name: set.Name, UID: set.UID, Want: v.direction.toRevision}}
	if !v.direction.back {
		list = append(list, model.Premise{Kind: model.PremiseTargetRecorded, Name: set.Name, UID: set.UID, Want: v.direction.toRevision})
	}
	if pod := f.to.Live; pod != nil {
		list = append(list, step.PodPremise(pod, v.direction.toRevision, pr.reason))
	}
	return append(list, step.SeatPremise(pr.seat)...)
}
