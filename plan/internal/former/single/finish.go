package single

import (
	"fmt"
	"slices"

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
		step.BlockNodes(&p.plan, p.cluster, p.placement, step.Holding{Label: p.keys.NodeSlot, Sets: []types.UID{p.live.uid()}}, p.refused.Reason)
	case p.strategy.Frozen && (len(p.plan.Actions) > 0 || !p.settled()):
		p.freeze()
	}
	if p.refused == nil && p.render != nil && p.plan.Phase != model.PhaseGone && p.superseded() {
		p.rest(model.Waits, model.WaitingForRevision)
	}
	p.fillStatus()
	blocked := p.blockedCondition()
	p.condition(model.ConditionAvailable, func() (bool, model.Reason, string) { return step.Available(&p.plan) })
	p.condition(model.ConditionProgressing, func() (bool, model.Reason, string) { return p.progressing(blocked) })
	p.condition(model.ConditionDegraded, p.degraded)
	p.condition(model.ConditionBlocked, func() (bool, model.Reason, string) {
		if blocked == nil {
			return false, model.AsExpected, ""
		}
		return true, blocked.Reason, blocked.Message
	})
	slices.Sort(p.plan.Needs)
	step.FillWakeUp(&p.plan, &p.clock, p.rollout.Status.Watched, !p.settled())
	return p.plan
}

func (p *planner) condition(kind string, judge func() (bool, model.Reason, string)) {
	holds, reason, message := judge()
	step.AddCondition(&p.plan, kind, holds, reason, message)
}

// freeze takes back every action but the one that stops the native controller.
func (p *planner) freeze() {
	stop := slices.DeleteFunc(p.plan.Actions, func(a model.Action) bool { return a.Reason != model.NativeStopped })
	step.Freeze(&p.plan)
	p.plan.Actions = stop
	p.hold = model.RolloutFrozen
}

func (p *planner) fillStatus() {
	status := &p.plan.Pair
	status.ActiveRevision = p.live.revision
	if p.live.recorded() {
		status.TargetRevision, status.ActiveRevision = p.live.revision, ""
		if p.live.source != nil {
			status.ActiveRevision = p.live.source.Revision
		}
	} else {
		// There is no target: all nodes that belong to the template are on the source.
		status.OnSource, status.OnTarget = status.OnTarget, status.OnSource
	}
	status.Proven = p.live.proven()
	status.Available, status.Unavailable = p.plan.Ledger.Available, p.plan.Ledger.Unavailable()
}

// settled tells whether nothing is left to do or to wait for.
func (p *planner) settled() bool {
	return len(p.plan.Actions) == 0 && len(p.plan.Waits) == 0 && (p.plan.Phase == model.PhaseSteady || p.plan.Phase == model.PhaseGone)
}

func (p *planner) progressing(blocked *step.BlockedError) (bool, model.Reason, string) {
	status := &p.plan.Pair
	switch {
	case blocked != nil:
		return false, blocked.Reason, "see the condition " + model.ConditionBlocked
	case p.hold == model.RolloutFrozen || p.hold == model.RolloutPaused:
		return false, p.hold, fmt.Sprintf("%s: %d of %d nodes updated", p.plan.Phase, status.Updated, status.Desired)
	case p.plan.Phase == model.PhaseGone:
		return false, model.Reconciled, "nothing of the rollout is left"
	case p.settled() && status.Updated == status.Desired:
		return false, model.Reconciled, fmt.Sprintf("%d of %d nodes are served by the desired revision", status.Updated, status.Desired)
	}
	text := fmt.Sprintf("%s: %d of %d nodes updated", p.plan.Phase, status.Updated, status.Desired)
	if p.surges() {
		text += fmt.Sprintf(", %d in overlap", status.InOverlap)
	}
	if len(p.plan.Waits) > 0 {
		text += "; " + p.plan.Waits[0].Message
	}
	return true, model.RolloutUnderWay, text
}

func (p *planner) degraded() (bool, model.Reason, string) {
	if s := &p.survey; s.failures > 0 {
		return true, model.TargetFailed, fmt.Sprintf("the new revision failed on %s, first on %s%s", step.Counted(s.failures, "node", "nodes"), s.failure.Node, step.InBrackets(s.failure.Detail))
	}
	if failed := p.live.state.Failed; failed != nil {
		return true, model.RevisionRemembered, step.FailedText(failed)
	}
	if p.lost {
		return true, model.ReadinessLost, p.lostText()
	}
	return false, model.AsExpected, ""
}

// blockedCondition says what clears a plan that cannot go on by itself: a refusal, a memory, a hold, or a limit with nothing
// under way that would free it.
func (p *planner) blockedCondition() *step.BlockedError {
	switch failed := p.live.state.Failed; {
	case p.refused != nil:
		return p.refused
	case len(p.plan.Actions)+len(p.plan.Waits) > 0:
		return nil
	case p.lost && p.hold == model.ReadinessLost:
		return p.clearing(model.ReadinessLost, 0, "")
	case p.plan.Phase == model.PhaseHeld:
		return p.clearing(model.RolloutHeld, 0, "")
	case p.plan.Phase == model.PhaseSteady && failed != nil && p.render != nil && failed.Revision == p.render.Revision:
		return step.Block(model.RevisionRemembered, step.FailedText(failed)+" and is not tried again: desire another revision, or "+p.retryText(failed))
	case p.settled() || step.UnderWay(&p.plan):
		return nil
	}
	for _, cause := range causes {
		count, nodes := step.Held(&p.plan, cause)
		if count > 0 || cause == p.hold {
			return p.clearing(cause, count, nodes)
		}
	}
	return nil
}

// causes are the reasons of a standstill, the root before what only follows from it.
var causes = [...]model.Reason{
	model.RolloutFrozen, model.RolloutPaused, model.RolloutHeld, model.ReadinessLost, model.WaitingForBudget, model.TargetFailed,
	model.OtherPodsUnknown, model.NeverFits, model.StillShort, model.CannotSchedule, model.WaitingForWindow,
	model.NodeUnderPressure, model.NodeNotReady,
}

// clearing words what has to change.
func (p *planner) clearing(reason model.Reason, count int, nodes string) *step.BlockedError {
	l, limits := p.plan.Ledger, p.plan.Limits
	switch reason {
	case model.WaitingForBudget:
		return step.Block(model.BudgetSpent, fmt.Sprintf("%s for budget: %d committed + %d ambient − %d exempt ≥ maxUnavailable %d. It is spent by %s: %s",
			step.Counted(count, "node waits", "nodes wait"), l.Committed, l.Ambient, l.Exempt, limits.Unavailable, step.Spenders(&p.plan, p.cluster), step.SpentText(&p.plan, p.strategy.Exempt(l.Eligible))))
	case model.WaitingForWindow:
		return step.Block(reason, fmt.Sprintf("%s for one of the %d places of the surge, and no node in it can move", step.Counted(count, "node waits", "nodes wait"), limits.Window))
	case model.RolloutPaused:
		return step.Block(reason, "spec.strategy.paused stops all deletions: set it to false to go on")
	case model.RolloutFrozen:
		return step.Block(reason, "spec.strategy.frozen stops everything: set it to false to go on")
	case model.ReadinessLost:
		return step.Block(reason, p.lostText())
	case model.RolloutHeld, model.TargetFailed:
		return step.Block(model.FailedHold, p.heldText())
	case model.OtherPodsUnknown:
		return step.Block(reason, fmt.Sprintf("capacity cannot be judged on %s (%s): list all Pods of the nodes named in needs", step.Counted(count, "node", "nodes"), nodes))
	case model.NodeUnderPressure:
		return step.Block(reason, fmt.Sprintf("%s under pressure (%s)%s: nothing is added there while it lasts. Relieve it, or remove the nodes", step.Counted(count, "node is", "nodes are"), nodes, step.FirstDetail(&p.plan, reason)))
	case model.NodeNotReady:
		return step.Block(reason, fmt.Sprintf("%s not Ready (%s), and no other node is left to prove the new revision on", step.Counted(count, "node is", "nodes are"), nodes))
	}
	return step.Block(reason, fmt.Sprintf("%s cannot move (%s)%s", step.Counted(count, "node", "nodes"), nodes, step.FirstDetail(&p.plan, reason)))
}

// lostText carries the inequality for which the native controller was stopped.
func (p *planner) lostText() string {
	l := p.plan.Ledger
	text := fmt.Sprintf("systemic readiness loss: %d of %d nodes are unavailable, %d committed + %d ambient − %d exempt > maxUnavailable %d, spent by %s. The native controller is stopped, since it would replace every unready Pod at once. To go on, %s; or desire another revision, which is then rolled delete-first",
		l.Unavailable(), l.Eligible, l.Committed, l.Ambient, l.Exempt, p.plan.Limits.Unavailable, step.Spenders(&p.plan, p.cluster), step.SpentText(&p.plan, p.strategy.Exempt(l.Eligible)))
	if p.live.recorded() {
		text += fmt.Sprintf("; spec.decision {revision: %s, recover: Forward} goes on delete-first with this one", p.live.revision)
	}
	return text
}

// heldText words the decision that a failed target waits for.
func (p *planner) heldText() string {
	failed := fmt.Sprintf("the new revision failed on %s, first on %s", step.Counted(p.survey.failures, "node", "nodes"), p.survey.failure.Node)
	if memory := p.live.state.Failed; p.survey.failures == 0 && memory != nil {
		failed = step.FailedText(memory)
	}
	if p.live.source == nil {
		return failed + fmt.Sprintf(", and nothing more may be admitted. No former template is kept (a new DaemonSet has none, and one above %d KiB is not kept): desire the former revision, or repair those nodes, or set spec.decision to {revision: %s, recover: Forward}", mostSource>>10, p.live.revision)
	}
	return failed + fmt.Sprintf(", and nothing more may be admitted: set spec.decision to {revision: %s, recover: Forward} or Back, or repair those nodes", p.live.revision)
}

// retryText says how a remembered revision is tried again; the same decision does not count twice.
func (p *planner) retryText(failed *model.Failed) string {
	if p.live.state.Retried == failed.Revision {
		return "remove spec.decision.retry, which was used already, and set it again to " + failed.Revision
	}
	return "set spec.decision.retry to " + failed.Revision
}
