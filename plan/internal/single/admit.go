package single

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// admit lets the deletions pass the limits (step.Admit): what holds one whatever the limits say, and what it comes to. What takes no
// seat comes first, then what takes a free one, then the paid ones.
func admit(c *course) step.Admitted {
	var turns []int32
	if len(c.survey.Moves) > 1 && !c.Still {
		turns = step.Turns(c.cluster, c.strategy.SpreadBy)
	}
	return step.Admit(c.survey, &c.Course, step.Admission{Turns: turns, Holds: c.holds, Deed: c.deed})
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
	}
	if _, settled := c.executor.Settled(c.now); !settled {
		return model.WaitingForFence // a request of a dead executor can still delete another Pod
	}
	return ""
}

// deed looks at the node once more, and whether the next Pod would find room there: only for one that may move are whole Pod specs read.
func (c *course) deed(m *step.Move) step.Deed {
	f := c.look(int(m.Node))
	pr := c.refine(&f, c.propose(&f))
	if pr.pod == nil {
		return step.Deed{Other: true, Verdict: pr.verdict, Reason: pr.reason, Detail: pr.detail, NeedsPods: pr.needsPods}
	}
	return step.Deed{Move: *m, First: c.noteHandover(&pr), Action: func() model.Action {
		action := step.DeletePod(f.node.Name, pr.pod, pr.reason, m.Cost())
		action.Premises = c.premises(&pr)
		return action
	}}
}

// handoverGrain is how exactly the time of the last handover is noted: a twentieth of the deadline.
const handoverGrain = 20

// noteHandover notes, before the deletion, that a target that waited will take over: its deadline begins then. Nil if that is not to be
// noted.
func (v *view) noteHandover(pr *proposal) *model.Action {
	if !v.live.hasTarget() || pr.reason != model.HandoffPrepared && pr.reason != model.CapacityFallback {
		return nil
	}
	if at := v.live.state.HandedOver; at != nil && v.now.Sub(at.Time) < v.deadline()/handoverGrain {
		return nil
	}
	notes := v.notes()
	v.changedState(&notes, func(s *model.State) { s.HandedOver = &metav1.Time{Time: v.now} })
	action := step.RecordState(v.live.set, notes.List, model.HandoverNoted)
	return &action
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
