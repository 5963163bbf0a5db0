package step

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
)

// Compose puts together what the stages have found: the survey's reports with the other answers of the course, then with what
// became of their moves. The head names the rollout. The survey must not be used afterwards: its reports are the plan's now.
func Compose(head model.Plan, s *Survey, c *Course, a *Admitted) model.Plan {
	plan := head
	plan.Phase, plan.Limits, plan.Actions, plan.Waits, plan.ReleaseOwner = c.Phase, c.Limits, a.Actions, c.Waits, c.Release
	plan.Exceptions = joinLeft(s.Exceptions, c.Left)
	plan.Nodes, plan.Faults, plan.Needs = s.Reports, s.Faults, append(s.Needs, a.Needs...)
	Apply(plan.Nodes, c.Overrides...)
	if len(c.Left) > 0 {
		Apply(plan.Nodes, overrideLeft(c.Left))
	}
	for i := range a.Outcomes {
		o := &a.Outcomes[i]
		r := &plan.Nodes[o.Report]
		r.Verdict, r.Reason, r.Action = o.Verdict, o.Reason, o.Action
	}
	for _, d := range a.Details {
		plan.Nodes[d.Report].Detail = d.Text
	}
	plan.Ledger = s.Account.Ledger
	plan.Pair = model.PairStatus{
		Desired: s.Count.Of(Eligible), Updated: s.Count.Of(Updated), Ready: s.Count.Of(Ready),
		Available: plan.Ledger.Available, Unavailable: plan.Ledger.Unavailable(),
		OnSource: s.Count.Of(OnSource), OnTarget: s.Count.Of(OnTarget), InOverlap: s.Count.Of(InOverlap),
	}
	return plan
}

// Settled tells whether nothing is left to do or to wait for.
func Settled(plan *model.Plan) bool {
	return len(plan.Actions) == 0 && len(plan.Waits) == 0 && (plan.Phase == model.PhaseSteady || plan.Phase == model.PhaseGone)
}

// ServedText says how many nodes are where they are to be at the end.
func ServedText(plan *model.Plan) string {
	text := fmt.Sprintf("%d of %d nodes are served by the desired revision", plan.Pair.Updated, plan.Pair.Desired)
	if n := len(plan.Exceptions); n > 0 {
		text += fmt.Sprintf(", %s set aside", Counted(n, "is", "are"))
	}
	if n := plan.Ledger.Joining; n > 0 {
		text += fmt.Sprintf(", %s", Counted(n, "joins", "join"))
	}
	return text
}

// Claim is what a condition says.
type Claim struct {
	Holds   bool
	Reason  model.Reason
	Message string
}

// AddConditions adds the four conditions. Blocked is what the plan cannot go on without; nil for nothing.
func AddConditions(plan *model.Plan, progressing, degraded Claim, blocked *BlockedError) {
	holds, reason, message := AvailableCondition(plan)
	AddCondition(plan, model.ConditionAvailable, holds, reason, message)
	if blocked != nil {
		progressing = Claim{Reason: blocked.Reason, Message: "see the condition " + model.ConditionBlocked}
	}
	AddCondition(plan, model.ConditionProgressing, progressing.Holds, progressing.Reason, progressing.Message)
	AddCondition(plan, model.ConditionDegraded, degraded.Holds, degraded.Reason, degraded.Message)
	if blocked == nil {
		blocked = Block(model.AsExpected, "")
		AddCondition(plan, model.ConditionBlocked, false, blocked.Reason, "")
		return
	}
	AddCondition(plan, model.ConditionBlocked, true, blocked.Reason, blocked.Message)
}
