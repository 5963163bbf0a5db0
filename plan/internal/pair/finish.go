package pair

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// pollBusy and pollIdle are when to look again if the embedder does not say that it watches.
	pollBusy = 30 * time.Second
	pollIdle = 5 * time.Minute
	// namedNodes is how many nodes a message names.
	namedNodes = 3
)

// finish turns the step's result into the plan: what may not proceed has no actions and a Blocked condition.
func (p *planner) finish() model.Plan {
	p.plan.Ledger = p.account.Ledger
	p.ledgerBeforeMoves()
	switch {
	case p.refused != nil:
		p.plan.Phase = model.PhaseBlocked
		p.plan.Actions, p.plan.Waits, p.plan.RequeueAfter = nil, nil, 0
		p.blockNodes()
	case p.rollout.Spec.Strategy.Frozen && (len(p.plan.Actions) > 0 || !p.settled()):
		p.freeze()
	}
	if p.refused == nil && p.render != nil && p.plan.Phase != model.PhaseGone && p.journey.toRevision != p.render.Revision {
		p.rest(model.Waits, model.WaitingForRevision)
	}
	p.fillPair()
	p.fillConditions()
	p.fillWakeUp()
	return p.plan
}

// ledgerBeforeMoves gives the account back what the plan's own moves were charged: the ledger is that of the snapshot.
func (p *planner) ledgerBeforeMoves() {
	ledger := &p.plan.Ledger
	ledger.Available, ledger.Ambient, ledger.Committed, ledger.Exempt = 0, 0, 0, 0
	for i := range p.plan.Nodes {
		switch p.plan.Nodes[i].Blame {
		case model.Available:
			ledger.Available++
		case model.Ambient:
			ledger.Ambient++
		case model.Exempt:
			ledger.Ambient++
			ledger.Exempt++
		case model.Committed:
			ledger.Committed++
		case model.NotEligible:
		}
	}
}

// blockNodes gives every eligible node the cause that blocks the rollout.
func (p *planner) blockNodes() {
	if p.plan.Nodes == nil && p.placement != nil {
		for i := range p.cluster.Len() {
			if node := p.cluster.Node(i); p.placement.Judge(node) == capacity.Eligible {
				p.plan.Nodes = append(p.plan.Nodes, model.NodeReport{Node: node.Name})
			}
		}
		p.plan.Pair.Desired = len(p.plan.Nodes)
	}
	for i := range p.plan.Nodes {
		r := &p.plan.Nodes[i]
		r.Verdict, r.Reason, r.Action, r.Detail = model.Blocks, p.refused.reason, 0, ""
	}
}

// freeze takes every action back.
func (p *planner) freeze() {
	p.plan.Actions = nil
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict == model.Acts {
			r.Verdict, r.Reason, r.Action = model.Waits, model.RolloutFrozen, 0
		}
	}
	p.hold = model.RolloutFrozen
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
	p.condition(model.ConditionAvailable, p.availableCondition)
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
	status := metav1.ConditionFalse
	if holds {
		status = metav1.ConditionTrue
	}
	p.plan.Conditions = append(p.plan.Conditions, metav1.Condition{
		Type: kind, Status: status, Reason: string(reason), Message: message, LastTransitionTime: p.plan.ObservedAt,
	})
}

func (p *planner) availableCondition() (bool, model.Reason, string) {
	ledger := p.plan.Ledger
	if ledger.Eligible == 0 {
		return true, model.NothingToServe, "no node is eligible"
	}
	if ledger.Unavailable() > p.plan.Limits.Unavailable+ledger.Exempt {
		return false, model.AboveBudget, fmt.Sprintf("%s; maxUnavailable is %d", ledger, p.plan.Limits.Unavailable)
	}
	return true, model.WithinBudget, ledger.String()
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
		s := &p.plan.Pair
		text := fmt.Sprintf("%s: %d of %d nodes updated, %d in overlap", p.plan.Phase, s.Updated, s.Desired, s.InOverlap)
		if len(p.plan.Waits) > 0 {
			text += "; " + p.plan.Waits[0].Message
		}
		return true, model.RolloutUnderWay, text
	}
}

func (p *planner) degradedCondition() (bool, model.Reason, string) {
	if p.survey.failures > 0 {
		f := p.survey.failure
		return true, model.TargetFailed, fmt.Sprintf("the target failed on %s, first on %s%s", counted(p.survey.failures, "node", "nodes"), f.Node, inBrackets(f.Detail))
	}
	if failed := p.pair.record.state.Failed; failed != nil {
		return true, model.RevisionRemembered, failedText(failed)
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
		return &blocked{model.RevisionRemembered, failedText(failed) + " and is not tried again: desire another revision, or " + p.retryText(failed)}
	}
	if p.settled() || p.underWay() {
		return nil
	}
	return p.standstill()
}

// underWay tells whether a node waits for something that comes by itself.
func (p *planner) underWay() bool {
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict == model.Waits && comesByItself(r.Reason) {
			return true
		}
	}
	return false
}

func comesByItself(reason model.Reason) bool {
	switch reason {
	case model.ActionIssued, model.SourceStarting, model.SourceExiting, model.TargetCreating, model.TargetScheduling,
		model.TargetPreparing, model.TargetStarting, model.TargetSettling, model.TargetExiting, model.TargetRestarting,
		model.WaitingForPodsToEnd, model.WaitingForFence, model.WaitingForSlot, model.WaitingForRevision, model.WaitingForArming, model.SlotNotObserved:
		return true
	}
	return false
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
	count := map[model.Reason]int{}
	first := map[model.Reason][]string{}
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict != model.Done && r.Stage != model.StageLeaving {
			count[r.Reason]++
			if len(first[r.Reason]) < namedNodes {
				first[r.Reason] = append(first[r.Reason], r.Node)
			}
		}
	}
	count[p.hold]++
	for _, cause := range causes {
		if count[cause] > 0 {
			return p.clearing(cause, len(first[cause]), count[cause], strings.Join(first[cause], ", "))
		}
	}
	return nil
}

// clearing words what has to change.
func (p *planner) clearing(reason model.Reason, named, count int, nodes string) *blocked {
	limits := p.plan.Limits
	if count > named {
		nodes += ", …"
	}
	switch reason {
	case model.WaitingForBudget:
		return &blocked{model.BudgetSpent, fmt.Sprintf("%s for budget: %d committed + %d ambient − %d exempt ≥ maxUnavailable %d. It is spent by %s: repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy",
			counted(count, "node waits", "nodes wait"), p.plan.Ledger.Committed, p.plan.Ledger.Ambient, p.plan.Ledger.Exempt, limits.Unavailable, p.spenders())}
	case model.WaitingForCohort:
		return &blocked{model.PartitionReached, fmt.Sprintf("%s on the source by spec.strategy.partition: %d may be off it. Lower the partition to go on", counted(count, "node stays", "nodes stay"), limits.Cohort)}
	case model.WaitingForWindow:
		return &blocked{model.WaitingForWindow, fmt.Sprintf("%s for a place in the window of %d (spec.strategy.maxSurge), and no node in it can move", counted(count, "node waits", "nodes wait"), limits.Window)}
	case model.RolloutPaused:
		return &blocked{reason, "spec.strategy.paused stops handoffs and overlaps: set it to false to go on"}
	case model.RolloutFrozen:
		return &blocked{reason, "spec.strategy.frozen stops everything: set it to false to go on"}
	case model.RolloutHeld, model.TargetFailed:
		return &blocked{model.FailedHold, p.heldText()}
	case model.OtherPodsUnknown:
		return &blocked{reason, fmt.Sprintf("capacity cannot be judged on %s (%s): list all Pods of the nodes named in needs", counted(count, "node", "nodes"), nodes)}
	case model.NodeUnderPressure:
		return &blocked{reason, fmt.Sprintf("%s under pressure (%s)%s: nothing is added there while it lasts. Relieve it, or remove the nodes", counted(count, "node is", "nodes are"), nodes, p.firstDetail(reason))}
	case model.NodeNotReady:
		return &blocked{reason, fmt.Sprintf("%s not Ready (%s), and no other node is left to prove the target on", counted(count, "node is", "nodes are"), nodes)}
	}
	return &blocked{reason, fmt.Sprintf("%s cannot move (%s)%s", counted(count, "node", "nodes"), nodes, p.firstDetail(reason))}
}

// firstDetail is what a component of the cluster said of the first node with the reason.
func (p *planner) firstDetail(reason model.Reason) string {
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Reason == reason && r.Detail != "" {
			return ": " + r.Detail
		}
	}
	return ""
}

// spenders names the nodes that the budget is spent on.
func (p *planner) spenders() string {
	var named []string
	more := 0
	for i := range p.plan.Nodes {
		r := &p.plan.Nodes[i]
		if r.Blame != model.Ambient && r.Blame != model.Committed {
			continue
		}
		if len(named) == namedNodes {
			more++
			continue
		}
		why := r.Blame.String()
		if n, ok := p.cluster.Find(r.Node); ok && !model.NodeReady(p.cluster.Node(n)) {
			why += ", its Node is not Ready"
		}
		named = append(named, fmt.Sprintf("%s (%s)", r.Node, why))
	}
	if more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(named, ", ")
}

func (p *planner) fillWakeUp() {
	switch p.plan.Phase {
	case model.PhaseGone:
		return
	case model.PhaseTearingDown:
		p.plan.WakeOn = []string{"DaemonSet", "Node"}
	default:
		p.plan.WakeOn = []string{"DaemonSet", "Node", "Pod"}
	}
	if !p.clock.next.IsZero() {
		p.plan.RequeueAfter = p.clock.next.Sub(p.now)
	}
	if p.rollout.Status.Watched {
		return
	}
	poll := pollIdle
	if !p.settled() {
		poll = pollBusy
	}
	if p.plan.RequeueAfter == 0 || poll < p.plan.RequeueAfter {
		p.plan.RequeueAfter = poll
	}
	slices.Sort(p.plan.Needs)
}

// heldText words the decision that a failed target waits for.
func (p *planner) heldText() string {
	failed := fmt.Sprintf("the target failed on %s, first on %s, and nothing more may be admitted", counted(p.survey.failures, "node", "nodes"), p.survey.failure.Node)
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

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// failedText says why a revision is remembered.
func failedText(failed *model.Failed) string {
	if failed.Reason == model.DecidedBack {
		return fmt.Sprintf("revision %s was taken back by decision", short(failed.Revision))
	}
	return fmt.Sprintf("revision %s failed on node %s%s", short(failed.Revision), failed.Node, inBrackets(failed.Detail))
}

func inBrackets(detail string) string {
	if detail == "" {
		return ""
	}
	return " (" + detail + ")"
}
