package pair

import (
	"fmt"
	"slices"
	"strings"

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
}

// report turns what the stages have found into the plan: what may not proceed has no actions and a Blocked condition.
func report(c *course, admitted *step.Admitted) model.Plan {
	owner := &c.rollout.Metadata
	head := model.Plan{Namespace: owner.Namespace, Name: owner.Name, ObservedAt: c.rollout.Status.ObservedAt, Revision: c.revision}
	t := &telling{course: c, plan: step.Compose(head, c.survey, &c.Course, admitted), hold: c.Hold}
	t.pointAtActions()
	if c.failuresAside() {
		t.plan.Exceptions = step.MergeExceptions(t.plan.Exceptions, c.survey.Failed)
	}
	switch {
	case c.Refused != nil:
		holding := step.Holding{Label: c.keys.NodeSlot, Sets: []types.UID{c.pair.slot(model.Blue).uid(), c.pair.slot(model.Green).uid()}}
		step.BlockPlan(&t.plan, c.cluster, c.placement, holding, c.Refused.Reason)
	case c.rollout.Spec.Strategy.Frozen && (len(t.plan.Actions) > 0 || !step.Settled(&t.plan)):
		t.plan.Actions, t.hold = slices.Clone(t.Actions[:t.unfrozen]), model.RolloutFrozen
		step.Apply(t.plan.Nodes, step.Freeze)
	}
	if c.Refused == nil && c.render != nil && t.plan.Phase != model.PhaseGone && c.direction.toRevision != c.render.Revision {
		step.Apply(t.plan.Nodes, step.OverrideDone(model.Waits, model.WaitingForRevision))
	}
	t.fillPair()
	t.fillCanary()
	step.AddConditions(&t.plan, t.progressing(), t.degraded(), t.blocked())
	step.WakeUp(&t.plan, step.Sooner(c.survey.Wake, c.Wake), c.now, c.rollout.Status.Watched, !step.Settled(&t.plan))
	return t.plan
}

// pointAtActions lets the reports of nodes name the course's own actions on them; a node that is not eligible gets one for it.
func (t *telling) pointAtActions() {
	for i := range t.Actions {
		a := &t.Actions[i]
		if a.Node == "" {
			continue
		}
		at, found := slices.BinarySearchFunc(t.plan.Nodes, a.Node, func(r model.NodeReport, name string) int { return strings.Compare(r.Node, name) })
		if !found {
			t.plan.Nodes = slices.Insert(t.plan.Nodes, at, model.NodeReport{Node: a.Node, Stage: model.StageLeaving})
		}
		r := &t.plan.Nodes[at]
		r.Verdict, r.Reason, r.Action = model.Acts, a.Reason, int32(i+1)
	}
}

func (t *telling) fillPair() {
	status, r := &t.plan.Pair, &t.pair.record
	status.Active, status.Target, status.TargetRevision = r.active, r.target, r.targetRevision
	status.ActiveRevision = t.pair.slot(r.active).revision
	status.Proven = t.proven()
	if r.target == model.NoSlot || t.direction.back {
		// The destination is the source then: turn the columns.
		status.OnSource, status.OnTarget = status.OnTarget, status.OnSource
	}
}

func (t *telling) progressing() step.Claim {
	status, phase := &t.plan.Pair, t.plan.Phase
	updated := fmt.Sprintf("%s: %d of %d nodes updated", phase, status.Updated, status.Desired)
	switch {
	case t.hold == model.RolloutFrozen || t.hold == model.RolloutPaused:
		return step.Claim{Reason: t.hold, Message: updated}
	case phase == model.PhaseGone:
		return step.Claim{Reason: model.Reconciled, Message: step.GoneText(&t.plan)}
	case step.Settled(&t.plan):
		return step.Claim{Reason: model.Reconciled, Message: step.ServedText(&t.plan)}
	}
	claim := step.Claim{Holds: true, Reason: model.RolloutUnderWay, Message: updated + fmt.Sprintf(", %d in overlap", status.InOverlap)}
	if len(t.plan.Waits) > 0 {
		claim.Message += "; " + t.plan.Waits[0].Message
	}
	if t.plan.Canary != nil && phase == model.PhaseCanary {
		if claim.Reason = model.CanaryUnderWay; len(t.plan.Waits) == 0 {
			claim.Message += "; the canary is " + step.CanaryText(t.plan.Canary, t.now)
		}
	}
	return claim
}

func (t *telling) degraded() step.Claim {
	if halted := t.canary.halted(); halted != "" {
		return step.Claim{Holds: true, Reason: halted, Message: "the canary is " + step.CanaryText(t.plan.Canary, t.now)}
	}
	if failures, f := t.survey.Count.Of(step.Failed), &t.survey.Failure; failures > 0 && !t.failuresAside() {
		return step.Claim{Holds: true, Reason: model.TargetFailed, Message: fmt.Sprintf("the target failed on %s, first on %s%s", step.Counted(failures, "node", "nodes"), f.Node, step.InBrackets(f.Detail))}
	}
	if failed := t.pair.record.state.Failed; failed != nil {
		return step.Claim{Holds: true, Reason: model.RevisionRemembered, Message: step.FailedText(failed)}
	}
	return step.ExceptedClaim(&t.plan)
}

// blocked says what clears a plan that cannot go on by itself: a refusal, a memory, a hold, or a limit
// with nothing under way that would free it.
func (t *telling) blocked() *step.BlockedError {
	if t.Refused != nil {
		return t.Refused
	}
	if len(t.plan.Actions) > 0 {
		return nil
	}
	if t.Stalled != nil || len(t.plan.Waits) > 0 {
		return t.Stalled
	}
	if failed := t.pair.record.state.Failed; t.plan.Phase == model.PhaseSteady && failed != nil && t.render != nil && failed.Revision == t.render.Revision {
		return step.Block(model.RevisionRemembered, step.RememberedText(&t.pair.record.state))
	}
	if step.Settled(&t.plan) || step.UnderWay(&t.plan) {
		return nil
	}
	if b, judged := t.canaryStandstill(); judged {
		return b
	}
	return t.standstill()
}

// causes are the reasons of a standstill, the root before what only follows from it: a node that waits for the window
// waits for those in it.
var causes = [...]model.Reason{
	model.RolloutFrozen, model.RolloutPaused, model.RolloutHeld, model.WaitingForBudget, model.TargetFailed, model.OtherPodsUnknown,
	model.SourceNotStarting, model.DeletionHangs, model.NeverFits, model.StillShort, model.CannotSchedule, model.LocksDoNotExclude, model.WaitingForCohort,
	model.WaitingForWindow, model.NodeUnderPressure, model.NodeNotReady,
}

// standstill names the cause that holds the nodes, and what clears it.
func (t *telling) standstill() *step.BlockedError {
	s := step.FirstCause(&t.plan, causes[:], t.hold)
	limits := t.plan.Limits
	switch s.Reason {
	case "":
		return nil
	case model.WaitingForCohort:
		text := fmt.Sprintf("%s on the source by spec.strategy.partition: %d may be off it. Lower the partition to go on", step.Counted(s.Nodes, "node stays", "nodes stay"), limits.Cohort)
		if t.superseded() {
			text += ": the present target is finished first, and then the desired revision follows, a second pass; or desire the source's revision again, and all nodes return to it"
		}
		return step.Block(model.PartitionReached, text)
	case model.WaitingForWindow:
		return step.Block(s.Reason, fmt.Sprintf("%s for a place in the window of %d (spec.strategy.maxSurge), and no node in it can move", step.Counted(s.Nodes, "node waits", "nodes wait"), limits.Window))
	case model.RolloutPaused:
		return step.Block(s.Reason, "spec.strategy.paused stops handoffs and overlaps: set it to false to go on")
	case model.RolloutHeld, model.TargetFailed:
		return step.Block(model.FailedHold, t.heldText())
	case model.NodeNotReady:
		return step.Block(s.Reason, fmt.Sprintf("%s not Ready (%s), and no other node is left to prove the target on", step.Counted(s.Nodes, "node is", "nodes are"), s.Named))
	}
	return s.Clearing(&t.plan, t.cluster, &t.rollout.Spec.Strategy)
}

// heldText words the decision that a failed target waits for.
func (t *telling) heldText() string {
	failed := fmt.Sprintf("the target failed on %s, first on %s, and nothing more may be admitted", step.Counted(t.survey.Count.Of(step.Failed), "node", "nodes"), t.survey.Failure.Node)
	if t.sourceLost() {
		return failed + ": the source's template was lost with its DaemonSet, so desire another revision, or repair those nodes"
	}
	return failed + fmt.Sprintf(": set spec.decision to {revision: %s, recover: Forward}%s or Back, or repair those nodes, or raise spec.failure.maxExceptions", t.pair.record.targetRevision, t.againText())
}

// againText says that a decision that stands already covers what had failed before it.
func (t *telling) againText() string {
	if f := t.pair.record.state.Forgiven; f != nil && f.Revision == t.pair.record.targetRevision && !f.Withdrawn {
		return " anew (take it away first: it covers what had failed before it)"
	}
	return ""
}
