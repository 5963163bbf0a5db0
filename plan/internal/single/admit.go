package single

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// admit lets the deletions pass the limits (step.Admit): what holds one whatever the limits say, and what it comes to. What takes no
// seat comes first, then what takes a free one, then the paid ones.
func admit(c *course) step.Admitted {
	var turns []int32
	if len(c.survey.Moves) > 1 && !c.Still {
		turns = c.memo.spread().Turns(c.cluster, c.strategy.SpreadBy)
	}
	return step.Admit(c.survey, &c.Course, step.Admission{Turns: turns, Holds: c.holds, Record: c.noteEmptied, Deed: c.deed})
}

// holds returns why no such deletion may be admitted now, whatever the limits say.
func (c *course) holds(m *step.Move) model.Reason {
	free := m.Seat == budget.NoSeat && c.Hold != model.RolloutFrozen
	switch {
	case c.issuedSet:
		return model.ActionIssued
	case c.Writing:
		return model.WaitingForSlot
	case free && !c.live.observed():
		return model.SlotNotObserved // the controller would make the same Pod again, from the template that it knows
	case free:
		return ""
	case c.Hold != "":
		return c.Hold
	case c.live.emptiedFull:
		return model.WaitingForWrites
	}
	if _, settled := c.executor.Settled(c.now); !settled {
		return model.WaitingForFence // a request of a dead executor can still delete another Pod
	}
	return ""
}

// deed looks at the node once more, and whether the next Pod would find room there: only for one that may move are whole Pod specs read.
func (c *course) deed(m *step.Move) step.Deed {
	f := c.look(int(m.Node))
	proposed := c.propose(&f)
	pr := c.refine(&f, proposed)
	d := step.Deed{Other: pr.pod == nil || pr.detail != proposed.detail, Verdict: pr.verdict, Reason: pr.reason, Detail: pr.detail, NeedsPods: pr.needsPods}
	if pr.pod == nil {
		return d
	}
	d.Move, d.Action = *m, func(cost budget.Cost) model.Action {
		action := step.DeletePod(f.node.Name, pr.pod, pr.reason, cost)
		action.Premises = c.premises(&pr)
		return action
	}
	return d
}

// noteEmptied notes, before the deletions, the nodes whose Pods they take: they are charged until they are served again, and the deadline
// of what comes counts from now. What is served again, or has no Node any more, is left out.
func (c *course) noteEmptied(reports []int32) model.Action {
	emptied := model.Emptied{}
	for _, report := range reports {
		r := &c.survey.Reports[report]
		emptied[r.Node] = model.Moved{At: c.now, Paid: r.Blame == model.Available, Lost: r.Blame != model.Available && c.fell(r.Node)}
	}
	return c.emptiedAction(emptied)
}

// fell tells whether the node's old Pod has fallen since the target was recorded.
func (c *course) fell(name string) bool {
	i, ok := c.cluster.Find(name)
	if !ok || c.live.state.TargetSince == nil {
		return false
	}
	f := c.look(i)
	return step.FellSince(f.old.Live, c.live.state.TargetSince.Time)
}

// emptiedAction writes the record of emptied nodes with these in it.
func (c *course) emptiedAction(emptied model.Emptied) model.Action {
	notes := c.notes()
	notes.SetOrRemove(c.keys.Emptied, c.live.emptied.Next(c.emptiedOver, emptied).Text())
	return step.RecordState(c.live.set, notes.List, model.EmptiedNoted)
}

// emptiedOver tells whether the node needs no mark any more: it is served again, or its Node is gone or was made anew.
func (v *view) emptiedOver(name string) bool {
	i, ok := v.cluster.Find(name)
	if !ok || v.live.emptied.Of(v.cluster.Node(i)).At.IsZero() {
		return true
	}
	f := v.look(i)
	return f.available
}

// premises are the facts on other objects that the deletion rests on.
func (v *view) premises(pr *proposal) []model.Premise {
	set := v.live.set
	list := []model.Premise{{Kind: model.PremiseSlotRevision, Name: set.Name, UID: set.UID, Want: v.live.revision}}
	if pr.successor != nil {
		list = append(list, step.PodPremise(pr.successor, v.live.revision, pr.reason))
	}
	return append(list, step.SeatPremise(pr.seat)...)
}
