package single

import (
	"fmt"
	"slices"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	"k8s.io/apimachinery/pkg/types"
)

// telling is the plan while it is put together from what the stages have found.
type telling struct {
	*course
	plan model.Plan
	// hold is the course's, or that everything is frozen.
	hold model.Reason
	// record is what is remembered as the plan leaves it.
	record record
}

// report turns what the stages have found into the plan: what may not proceed has no actions and a Blocked condition.
func report(c *course, admitted *step.Admitted) model.Plan {
	owner := &c.rollout.Metadata
	head := model.Plan{Namespace: owner.Namespace, Name: owner.Name, ObservedAt: c.rollout.Status.ObservedAt}
	if c.render != nil {
		head.Revision = c.render.Revision
	}
	t := &telling{course: c, plan: step.Compose(head, c.survey, &c.Course, admitted), hold: c.Hold, record: c.after()}
	if c.failuresAside() {
		t.plan.Exceptions = step.MergeExceptions(t.plan.Exceptions, c.survey.Failed)
	}
	switch {
	case c.Refused != nil:
		step.BlockPlan(&t.plan, c.cluster, c.placement, step.Holding{Label: c.keys.NodeSlot, Sets: []types.UID{c.live.uid()}}, c.Refused.Reason)
	case c.strategy.Frozen && (len(t.plan.Actions) > 0 || !step.Settled(&t.plan)):
		t.freeze()
	}
	if c.Refused == nil && c.render != nil && t.plan.Phase != model.PhaseGone && c.superseded() {
		step.Apply(t.plan.Nodes, step.OverrideDone(model.Waits, model.WaitingForRevision))
	}
	t.fillStatus()
	step.AddConditions(&t.plan, t.progressing(), t.degraded(), t.blocked())
	step.WakeUp(&t.plan, step.Sooner(c.survey.Wake, c.Wake), c.now, c.rollout.Status.Watched, !step.Settled(&t.plan))
	return t.plan
}

// freeze takes back every action but the one that stops the native controller.
func (t *telling) freeze() {
	t.plan.Actions = slices.DeleteFunc(t.plan.Actions, func(a model.Action) bool { return a.Reason != model.NativeStopped })
	step.Apply(t.plan.Nodes, step.Freeze)
	t.hold = model.RolloutFrozen
}

func (t *telling) fillStatus() {
	status := &t.plan.Pair
	status.ActiveRevision = t.live.revision
	if t.record.hasTarget() {
		status.TargetRevision, status.ActiveRevision = t.live.revision, ""
		if t.live.source != nil {
			status.ActiveRevision = t.live.source.Revision
		}
	} else {
		// There is no target: all nodes that belong to the template are on the source.
		status.OnSource, status.OnTarget = status.OnTarget, status.OnSource
	}
	status.Proven = t.record.proven()
}

func (t *telling) progressing() step.Claim {
	status, phase := &t.plan.Pair, t.plan.Phase
	updated := fmt.Sprintf("%s: %d of %d nodes updated", phase, status.Updated, status.Desired)
	switch {
	case t.hold == model.RolloutFrozen || t.hold == model.RolloutPaused:
		return step.Claim{Reason: t.hold, Message: updated}
	case phase == model.PhaseGone:
		return step.Claim{Reason: model.Reconciled, Message: step.GoneText(&t.plan)}
	case step.Settled(&t.plan) && status.Updated+len(t.plan.Exceptions)+t.plan.Ledger.Joining >= status.Desired:
		return step.Claim{Reason: model.Reconciled, Message: step.ServedText(&t.plan)}
	}
	if t.surges() {
		updated += fmt.Sprintf(", %d in overlap", status.InOverlap)
	}
	if len(t.plan.Waits) > 0 {
		updated += "; " + t.plan.Waits[0].Message
	}
	return step.Claim{Holds: true, Reason: model.RolloutUnderWay, Message: updated}
}

func (t *telling) degraded() step.Claim {
	switch failures, failed := t.survey.Count.Of(step.Failed), t.record.state.Failed; {
	case failures > 0 && !t.failuresAside():
		return step.Claim{Holds: true, Reason: model.TargetFailed, Message: t.failedText() + step.InBrackets(t.survey.Failure.Detail)}
	case failed != nil:
		return step.Claim{Holds: true, Reason: model.RevisionRemembered, Message: step.FailedText(failed)}
	case t.lost:
		return step.Claim{Holds: true, Reason: model.ReadinessLost, Message: t.lostText()}
	}
	return step.ExceptedClaim(&t.plan)
}

// blocked says what clears a plan that cannot go on by itself: a refusal, a memory, a hold, or a limit with nothing under way that
// would free it.
func (t *telling) blocked() *step.BlockedError {
	switch failed := t.record.state.Failed; {
	case t.Refused != nil:
		return t.Refused
	case len(t.plan.Actions) > 0:
		return nil
	case t.Stalled != nil || len(t.plan.Waits) > 0:
		return t.Stalled
	case t.lost && t.hold == model.ReadinessLost:
		return step.Block(model.ReadinessLost, t.lostText())
	case t.plan.Phase == model.PhaseHeld:
		return step.Block(model.FailedHold, t.heldText())
	case t.plan.Phase == model.PhaseSteady && failed != nil && t.render != nil && failed.Revision == t.render.Revision:
		return step.Block(model.RevisionRemembered, step.RememberedText(&t.record.state))
	case step.Settled(&t.plan) || step.UnderWay(&t.plan):
		return nil
	}
	cause := step.FirstCause(&t.plan, causes[:], t.hold)
	return t.clearing(&cause)
}

// causes are the reasons of a standstill, the root before what only follows from it.
var causes = [...]model.Reason{
	model.RolloutFrozen, model.RolloutPaused, model.RolloutHeld, model.ReadinessLost, model.WaitingForBudget, model.TargetFailed,
	model.SourceNotStarting, model.DeletionHangs, model.LocksDoNotExclude, model.OtherPodsUnknown, model.NeverFits, model.StillShort, model.CannotSchedule, model.WaitingForWindow,
	model.NodeUnderPressure, model.NodeNotReady,
}

// clearing words what has to change; nil where nothing holds the rollout.
func (t *telling) clearing(s *step.Standstill) *step.BlockedError {
	switch s.Reason {
	case "":
		return nil
	case model.WaitingForWindow:
		return step.Block(s.Reason, fmt.Sprintf("%s for one of the %d places of the surge, and no node in it can move", step.Counted(s.Nodes, "node waits", "nodes wait"), t.plan.Limits.Window))
	case model.RolloutPaused:
		return step.Block(s.Reason, "spec.strategy.paused stops all deletions: set it to false to go on")
	case model.ReadinessLost:
		return step.Block(s.Reason, t.lostText())
	case model.RolloutHeld, model.TargetFailed:
		return step.Block(model.FailedHold, t.heldText())
	case model.NodeNotReady:
		return step.Block(s.Reason, fmt.Sprintf("%s not Ready (%s), and no other node is left to prove the new revision on", step.Counted(s.Nodes, "node is", "nodes are"), s.Named))
	}
	return s.Clearing(&t.plan, t.cluster, t.strategy)
}

// lostText carries the inequality for which the native controller was stopped.
func (t *telling) lostText() string {
	l := t.plan.Ledger
	text := fmt.Sprintf("systemic readiness loss: %d of %d nodes are unavailable, %d committed + %d ambient − %d exempt > maxUnavailable %d, spent by %s. The native controller is stopped, since it would replace every unready Pod at once. To go on, %s; or desire another revision, which is then rolled delete-first",
		l.Unavailable(), l.Eligible, l.Committed, l.Ambient, l.Exempt, t.plan.Limits.Unavailable, step.Spenders(t.plan.Nodes, t.cluster), step.SpentText(&t.plan, t.strategy.Exempt(l.Eligible)))
	if t.record.hasTarget() {
		text += fmt.Sprintf("; spec.decision {revision: %s, recover: Forward} goes on delete-first with this one", t.live.revision)
	}
	return text
}

func (t *telling) failedText() string {
	return fmt.Sprintf("the new revision failed on %s, first on %s", step.Counted(t.survey.Count.Of(step.Failed), "node", "nodes"), t.survey.Failure.Node)
}

// heldText words the decision that a failed target waits for.
func (t *telling) heldText() string {
	failed := t.failedText()
	if memory := t.record.state.Failed; t.survey.Count.Of(step.Failed) == 0 && memory != nil {
		failed = step.FailedText(memory)
	}
	if t.live.source == nil {
		return failed + fmt.Sprintf(", and nothing more may be admitted. No former template is kept (a new DaemonSet has none, and one above %d KiB is not kept): desire the former revision, or repair those nodes, or set spec.decision to {revision: %s, recover: Forward}", mostSource>>10, t.live.revision)
	}
	return failed + fmt.Sprintf(", and nothing more may be admitted: set spec.decision to {revision: %s, recover: Forward} or Back, or repair those nodes", t.live.revision)
}
