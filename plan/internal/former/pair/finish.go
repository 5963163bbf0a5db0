package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	"k8s.io/apimachinery/pkg/types"
)

// finish turns the step's result into the plan: what may not proceed has no actions and a Blocked condition.
func (p *planner) finish() model.Plan {
	step.FillLedger(&p.plan, &p.account)
	switch {
	case p.refused != nil:
		p.plan.Phase = model.PhaseBlocked
		p.plan.Actions, p.plan.Waits, p.plan.RequeueAfter = nil, nil, 0
		holding := step.Holding{Label: p.keys.NodeSlot, Sets: []types.UID{p.pair.slot(model.Blue).uid(), p.pair.slot(model.Green).uid()}}
		step.BlockNodes(&p.plan, p.cluster, p.placement, holding, p.refused.reason)
	case p.rollout.Spec.Strategy.Frozen && (len(p.plan.Actions) > 0 || !p.settled()):
		step.Freeze(&p.plan)
		p.hold = model.RolloutFrozen
	}
	if p.refused == nil && p.render != nil && p.plan.Phase != model.PhaseGone && p.journey.toRevision != p.render.Revision {
		p.rest(model.Waits, model.WaitingForRevision)
	}
	p.fillPair()
	p.fillCanary()
	p.fillConditions()
	step.FillWakeUp(&p.plan, &p.clock, p.rollout.Status.Watched, !p.settled())
	return p.plan
}

func (p *planner) fillPair() {
	status, r := &p.plan.Pair, &p.pair.record
	status.Active, status.Target, status.TargetRevision = r.active, r.target, r.targetRevision
	status.ActiveRevision = p.pair.slot(r.active).revision
	status.Proven = p.journey.proven
	status.Available = p.plan.Ledger.Available
	status.Unavailable = p.plan.Ledger.Unavailable()
	if r.target == model.NoSlot || p.journey.home {
		// The journey's destination is the source then: turn the columns.
		status.OnSource, status.OnTarget = status.OnTarget, status.OnSource
	}
}

func (p *planner) fillConditions() {
	blocked := p.blockedCondition()
	p.condition(model.ConditionAvailable, func() (bool, model.Reason, string) { return step.Available(&p.plan) })
	p.condition(model.ConditionProgressing, p.progressingCondition(blocked))
	p.condition(model.ConditionDegraded, p.degradedCondition)
	p.condition(model.ConditionBlocked, func() (bool, model.Reason, string) {
		if blocked == nil {
			return false, model.AsExpected, ""
		}
		return true, blocked.reason, blocked.message
	})
}

func (p *planner) condition(kind string, judge func() (bool, model.Reason, string)) {
	holds, reason, message := judge()
	step.AddCondition(&p.plan, kind, holds, reason, message)
}

func (p *planner) progressingCondition(blocked *blocked) func() (bool, model.Reason, string) {
	return func() (bool, model.Reason, string) {
		switch {
		case blocked != nil:
			return false, blocked.reason, "see the condition " + model.ConditionBlocked
		case p.hold == model.RolloutFrozen || p.hold == model.RolloutPaused:
			return false, p.hold, fmt.Sprintf("%s: %d of %d nodes updated", p.plan.Phase, p.plan.Pair.Updated, p.plan.Pair.Desired)
		case p.plan.Phase == model.PhaseGone:
			return false, model.Reconciled, "nothing of the rollout is left"
		case p.settled():
			return false, model.Reconciled, fmt.Sprintf("%d of %d nodes are served by the desired revision", p.plan.Pair.Updated, p.plan.Pair.Desired)
		}
		s, reason := &p.plan.Pair, model.RolloutUnderWay
		text := fmt.Sprintf("%s: %d of %d nodes updated, %d in overlap", p.plan.Phase, s.Updated, s.Desired, s.InOverlap)
		if len(p.plan.Waits) > 0 {
			text += "; " + p.plan.Waits[0].Message
		}
		if p.plan.Canary != nil && p.plan.Phase == model.PhaseCanary {
			if reason = model.CanaryUnderWay; len(p.plan.Waits) == 0 {
				text += "; the canary is " + step.CanaryText(p.plan.Canary, p.now)
			}
		}
		return true, reason, text
	}
}

func (p *planner) degradedCondition() (bool, model.Reason, string) {
	if halted := p.canary.halted(); halted != "" {
		return true, halted, "the canary is " + step.CanaryText(p.plan.Canary, p.now)
	}
	if p.survey.failures > 0 {
		f := p.survey.failure
		return true, model.TargetFailed, fmt.Sprintf("the target failed on %s, first on %s%s", step.Counted(p.survey.failures, "node", "nodes"), f.Node, step.InBrackets(f.Detail))
	}
	if failed := p.pair.record.state.Failed; failed != nil {
		return true, model.RevisionRemembered, step.FailedText(failed)
	}
	return false, model.AsExpected, ""
}

// settled tells whether nothing is left to do or to wait for.
func (p *planner) settled() bool {
	return len(p.plan.Actions) == 0 && len(p.plan.Waits) == 0 && (p.plan.Phase == model.PhaseSteady || p.plan.Phase == model.PhaseGone)
}

// blockedCondition says what clears a plan that cannot go on by itself: a refusal, a memory, a hold, or a limit
// with nothing under way that would free it.
func (p *planner) blockedCondition() *blocked {
	if p.refused != nil {
		return p.refused
	}
	if p.standing != nil {
		return p.standing
	}
	if len(p.plan.Actions) > 0 || len(p.plan.Waits) > 0 {
		return nil
	}
	if failed := p.pair.record.state.Failed; p.plan.Phase == model.PhaseSteady && failed != nil && p.render != nil && failed.Revision == p.render.Revision {
		return &blocked{model.RevisionRemembered, step.FailedText(failed) + " and is not tried again: desire another revision, or " + p.retryText(failed)}
	}
	if p.settled() || step.UnderWay(&p.plan) {
		return nil
	}
	if b, judged := p.canaryStandstill(); judged {
		return b
	}
	return p.standstill()
}

// causes are the reasons of a standstill, the root before what only follows from it: a node that waits for the window
// waits for those in it.
var causes = [...]model.Reason{
	model.RolloutFrozen, model.RolloutPaused, model.RolloutHeld, model.WaitingForBudget, model.TargetFailed, model.OtherPodsUnknown,
	model.NeverFits, model.StillShort, model.CannotSchedule, model.LocksDoNotExclude, model.WaitingForCohort,
	model.WaitingForWindow, model.NodeUnderPressure, model.NodeNotReady,
}

// standstill names the cause that holds the nodes, and what clears it.
func (p *planner) standstill() *blocked {
	for _, cause := range causes {
		count, nodes := step.Held(&p.plan, cause)
		if count > 0 || cause == p.hold {
			return p.clearing(cause, count, nodes)
		}
	}
	return nil
}

// clearing words what has to change.
func (p *planner) clearing(reason model.Reason, count int, nodes string) *blocked {
	limits := p.plan.Limits
	switch reason {
	case model.WaitingForBudget:
		return &blocked{model.BudgetSpent, fmt.Sprintf("%s for budget: %d committed + %d ambient − %d exempt ≥ maxUnavailable %d. It is spent by %s: %s",
			step.Counted(count, "node waits", "nodes wait"), p.plan.Ledger.Committed, p.plan.Ledger.Ambient, p.plan.Ledger.Exempt, limits.Unavailable, step.Spenders(&p.plan, p.cluster), step.SpentText(&p.plan, p.rollout.Spec.Strategy.Exempt(p.plan.Ledger.Eligible)))}
	case model.WaitingForCohort:
		return &blocked{model.PartitionReached, fmt.Sprintf("%s on the source by spec.strategy.partition: %d may be off it. Lower the partition to go on", step.Counted(count, "node stays", "nodes stay"), limits.Cohort)}
	case model.WaitingForWindow:
		return &blocked{model.WaitingForWindow, fmt.Sprintf("%s for a place in the window of %d (spec.strategy.maxSurge), and no node in it can move", step.Counted(count, "node waits", "nodes wait"), limits.Window)}
	case model.RolloutPaused:
		return &blocked{reason, "spec.strategy.paused stops handoffs and overlaps: set it to false to go on"}
	case model.RolloutFrozen:
		return &blocked{reason, "spec.strategy.frozen stops everything: set it to false to go on"}
	case model.RolloutHeld, model.TargetFailed:
		return &blocked{model.FailedHold, p.heldText()}
	case model.OtherPodsUnknown:
		return &blocked{reason, fmt.Sprintf("capacity cannot be judged on %s (%s): list all Pods of the nodes named in needs", step.Counted(count, "node", "nodes"), nodes)}
	case model.NodeUnderPressure:
		return &blocked{reason, fmt.Sprintf("%s under pressure (%s)%s: nothing is added there while it lasts. Relieve it, or remove the nodes", step.Counted(count, "node is", "nodes are"), nodes, step.FirstDetail(&p.plan, reason))}
	case model.NodeNotReady:
		return &blocked{reason, fmt.Sprintf("%s not Ready (%s), and no other node is left to prove the target on", step.Counted(count, "node is", "nodes are"), nodes)}
	}
	return &blocked{reason, fmt.Sprintf("%s cannot move (%s)%s", step.Counted(count, "node", "nodes"), nodes, step.FirstDetail(&p.plan, reason))}
}

// heldText words the decision that a failed target waits for.
func (p *planner) heldText() string {
	failed := fmt.Sprintf("the target failed on %s, first on %s, and nothing more may be admitted", step.Counted(p.survey.failures, "node", "nodes"), p.survey.failure.Node)
	if p.sourceLost() {
		return failed + ": the source's template was lost with its DaemonSet, so desire another revision, or repair those nodes"
	}
	return failed + fmt.Sprintf(": set spec.decision to {revision: %s, recover: Forward} or Back, or repair those nodes", p.pair.record.targetRevision)
}

// retryText says how a remembered revision is tried again; the same decision does not count twice.
func (p *planner) retryText(failed *model.Failed) string {
	if p.pair.record.state.Retried == failed.Revision {
		return "remove spec.decision.retry, which was used already, and set it again to " + failed.Revision
	}
	return "set spec.decision.retry to " + failed.Revision
}
