package plan

import (
	"fmt"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// Message renders one node's report for people: what holds the node, with the numbers. It is not stored in
// the plan, since most of 130,000 messages are never read.
func Message(p *model.Plan, r *model.NodeReport) string {
	text := sentence(p, r)
	if r.Detail != "" && !carriesDetail(r.Reason) {
		text += ": " + r.Detail
	}
	return text
}

func carriesDetail(reason model.Reason) bool { return reason == model.LabelRepaired }

func sentence(p *model.Plan, r *model.NodeReport) string {
	if onOneDaemonSet(p) {
		if text := singleSentence(r); text != "" {
			return text + seatOf(p, r)
		}
	}
	switch r.Verdict {
	case model.Done:
		return doneSentence(r.Reason)
	case model.Acts:
		return actSentence(p, r)
	case model.Waits:
		return waitSentence(p, r)
	case model.Blocks:
		return blockSentence(p, r)
	}
	return string(r.Reason)
}

func doneSentence(reason model.Reason) string {
	switch reason {
	case model.OnTarget:
		return "served by the target"
	case model.OnSource:
		return "served by the active slot"
	case model.HandedBack:
		return "served by the conventional DaemonSet"
	}
	return string(reason)
}

func actSentence(p *model.Plan, r *model.NodeReport) string {
	switch r.Reason {
	case model.BeginOverlap:
		return "enters overlap: the target prepares beside the source"
	case model.CandidatePrepared:
		return "the target is prepared: its UID is recorded before the handoff"
	case model.NodeFenced:
		return "the overlapping node is marked by this executor, so that a late request of an earlier one fails"
	case model.HandoffPrepared:
		return "handoff: the source exits and the prepared target gets the locks" + seatOf(p, r)
	case model.HandoffServing:
		return "handoff: the target serves already"
	case model.CapacityFallback:
		return "handoff without overlap: the target fits only once the source is gone" + seatOf(p, r)
	case model.ReleaseSource:
		return "the source is released before the target is admitted" + seatOf(p, r)
	case model.AdmitTarget:
		return "the source is gone: the target is admitted"
	case model.TakeBack:
		return "back to the slot that serves the node"
	case model.TurnBack:
		return "the overlap turns round: the node goes home"
	case model.LabelRepaired:
		if r.Detail == "" {
			return "the node, which has no slot label, gets that of the slot that serves it, so that it keeps its Pod"
		}
		return fmt.Sprintf("the slot label %q means nothing: the node goes back to the active slot", r.Detail)
	case model.JoinsTarget:
		return "the node is new and has no agent yet: it gets the proven target at once"
	case model.TurnedAwayDeleted:
		return "a Pod that the node's label has turned away, and that its controller has left in place, is deleted"
	case model.DeadNodeMoved:
		return "all other nodes are done: the dead node's label follows"
	case model.UnboundTurnedAway:
		return "an unbound Pod of the slot that the node turned away is deleted, since it could be bound here later"
	case model.StaleRevision:
		return "a Pod of an older revision is deleted" + seatOf(p, r)
	case model.WaitingRestarted:
		return "the waiting target restarted while the source serves: it is deleted and tried again"
	case model.LocksSplit:
		return "the source lost locks to the unproven target, which is deleted to give them back"
	case model.LocksDoNotExclude:
		return "the two Pods must not share the node"
	case model.NodeLeft:
		return "no longer eligible and no Pod left: label and annotations are removed"
	}
	return string(r.Reason)
}

func seatOf(p *model.Plan, r *model.NodeReport) string {
	if r.Action < 1 || int(r.Action) > len(p.Actions) {
		return ""
	}
	switch cost := p.Actions[r.Action-1].Cost; cost.SeatTaken() {
	case budget.PaidSeat:
		return " (paid)"
	case budget.FreeSeat:
		if cost.Unsure {
			return " (free, to be confirmed by a fresh look)"
		}
		return " (free)"
	case budget.NoSeat:
	}
	return ""
}

func waitSentence(p *model.Plan, r *model.NodeReport) string {
	switch r.Reason {
	case model.WaitingForCohort:
		return fmt.Sprintf("waiting for cohort: %d nodes may be off the source (partition)", p.Limits.Cohort)
	case model.WaitingForBudget:
		return budgetSentence(p)
	case model.WaitingForWindow:
		return fmt.Sprintf("waiting for window: %d nodes in overlap, %d may be", p.Pair.InOverlap, p.Limits.Window)
	case model.WaitingForWrites:
		return fmt.Sprintf("waiting for writes: this plan has its %d", p.Limits.Writes)
	case model.WaitingForFence:
		return "waiting for fence: requests of an earlier executor may still land"
	case model.WaitingForSlot:
		if p.Pair.Active == model.NoSlot {
			return "waiting for a DaemonSet: it, or the record on it, is being written first"
		}
		return "waiting for the slots: a DaemonSet or the record is being written first"
	case model.WaitingForRevision:
		return "served, and waiting for the desired revision: what is under way comes first"
	case model.WaitingForArming:
		return "waiting for arming: the wrapper is being installed"
	case model.SlotNotObserved:
		return "waiting for the DaemonSet controller to see a slot's new spec"
	case model.ActionIssued:
		return "an action was sent, and its effect does not show yet"
	case model.RolloutPaused:
		return "paused: spec.strategy.paused stops handoffs and overlaps"
	case model.RolloutFrozen:
		return "frozen: spec.strategy.frozen stops everything"
	case model.WaitingForCanary:
		return "waiting for the canary: " + canaryText(p)
	case model.CanaryPaused, model.CanaryFailed:
		return "held by the canary: " + canaryText(p)
	case model.RolloutHeld:
		return "held: the target failed, and a decision is needed"
	case model.ReadinessLost:
		return fmt.Sprintf("held: %d nodes are unavailable, and the native controller, which is stopped, would replace every unready Pod at once", p.Ledger.Unavailable())
	}
	return waitForPods(r.Reason)
}

// canaryText says how the canary stood when the plan was made.
func canaryText(p *model.Plan) string {
	if p.Canary == nil {
		return "not validated"
	}
	return step.CanaryText(p.Canary, p.ObservedAt.Time)
}

// budgetSentence is the inequality of the budget with this plan's own handoffs on the account.
func budgetSentence(p *model.Plan) string {
	committed, ambient := p.Ledger.Committed, p.Ledger.Ambient
	for i := range p.Actions {
		switch p.Actions[i].Cost.SeatTaken() {
		case budget.PaidSeat:
			committed++
		case budget.FreeSeat:
			committed, ambient = committed+1, ambient-1
		case budget.NoSeat:
		}
	}
	exempt := ""
	if p.Ledger.Exempt > 0 {
		exempt = fmt.Sprintf(" − %d exempt", p.Ledger.Exempt)
	}
	own := ""
	if taken := committed - p.Ledger.Committed; taken > 0 {
		own = fmt.Sprintf(", %d of them by this plan", taken)
	}
	return fmt.Sprintf("waiting for budget: %d committed + %d ambient%s ≥ %d%s", committed, ambient, exempt, p.Limits.Unavailable, own)
}

func waitForPods(reason model.Reason) string {
	switch reason {
	case model.SourceStarting:
		return "the serving slot's Pod is starting"
	case model.SourceExiting:
		return "the source's Pod is going away"
	case model.TargetCreating:
		return "the target's Pod is not there yet"
	case model.TargetScheduling:
		return "the target's Pod is not bound yet"
	case model.TargetPreparing:
		return "the target is preparing"
	case model.TargetStarting:
		return "the target is starting"
	case model.TargetSettling:
		return "the target is Ready and must stay so for a while"
	case model.TargetExiting:
		return "a former target's Pod is going away"
	case model.TargetRestarting:
		return "the target restarts"
	case model.NodeNotReady:
		return "the Node is not Ready: it is left for last"
	case model.NodeUnderPressure:
		return "the Node is under pressure, and the source serves it: nothing is added while it lasts"
	case model.OtherPodsUnknown:
		return "the node's other Pods are not in the snapshot: capacity cannot be judged"
	case model.NodeLeaving:
		return "no longer eligible: left alone while a Pod is bound here"
	case model.WaitingForPodsToEnd:
		return "waiting for the Pods of the other slot to end"
	}
	return string(reason)
}

func blockSentence(p *model.Plan, r *model.NodeReport) string {
	switch r.Reason {
	case model.NeverFits:
		return "the target never fits this node"
	case model.StillShort:
		return "the target does not fit even once the source is gone"
	case model.CannotSchedule:
		return "the target cannot be scheduled here, and not for capacity"
	case model.LocksDoNotExclude:
		return "the two revisions' locks do not exclude each other"
	case model.TargetFailed:
		return "the target failed here"
	case model.SourceNotStarting:
		return "the agent of the serving slot does not start here: the node is set aside"
	case model.DeletionHangs:
		return "a Pod does not end: the node is set aside"
	case model.ForeignPods:
		return "somebody else's Pod runs here"
	case model.RevisionRemembered:
		return "the desired revision failed before and is not tried again"
	}
	if c := p.Condition(model.ConditionBlocked); c != nil && c.Reason == string(r.Reason) {
		return "the rollout is blocked: " + c.Message
	}
	return string(r.Reason)
}
