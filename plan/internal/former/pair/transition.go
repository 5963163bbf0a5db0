package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pace plans an initialized pair with both DaemonSets in place: look at every node, let the record follow
// what they show, keep the slots in order, and move nodes within the limits.
func (p *planner) pace() {
	p.journey = journeyOf(&p.pair)
	p.beginCanary()
	p.plan.Phase = p.phaseRecorded()
	p.changing = !p.issuedSlot && p.refused == nil && p.writeRecord(p.pair.record, model.StateRepaired)
	p.surveyNodes()
	p.setLimits()
	p.chooseCanary()
	switch r := &p.pair.record; {
	case p.refused != nil || p.changing:
	case p.issuedSlot || !p.slotsInOrder():
	case r.target == model.NoSlot:
		p.steady()
	case r.state.Return != nil:
		p.returning()
	default:
		p.advancing()
	}
	p.setHold()
	p.admit()
}

// phaseRecorded is the phase that the record alone tells.
func (p *planner) phaseRecorded() model.Phase {
	switch r := &p.pair.record; {
	case r.target == model.NoSlot:
		return model.PhaseSteady
	case r.state.Return != nil:
		return model.PhaseReturning
	case p.canary != nil:
		return model.PhaseCanary
	}
	return model.PhaseAdvancing
}

func (p *planner) setLimits() {
	elapsed := time.Duration(1<<62 - 1)
	began := p.rampBegan()
	if !began.IsZero() {
		elapsed = p.now.Sub(began)
	}
	p.plan.Limits = p.rollout.Spec.Strategy.Limits(p.survey.eligible, elapsed)
	if slow := p.rollout.Spec.Strategy.SlowStart; slow != nil && !began.IsZero() && p.canary == nil && elapsed >= 0 {
		p.clock.Wake(began.Add((elapsed/slow.Interval.Duration + 1) * slow.Interval.Duration))
	}
	if p.journey.home {
		// Nodes that go home are not a cohort of a new revision.
		p.plan.Limits.Cohort = p.survey.eligible
	}
	p.limitCanary()
}

// setHold says what stops handoffs and overlaps altogether.
func (p *planner) setHold() {
	switch {
	case p.rollout.Spec.Strategy.Paused:
		p.hold = model.RolloutPaused
	case !p.pair.slots[0].observed() || !p.pair.slots[1].observed():
		p.hold = model.SlotNotObserved
	case p.canary.halted() != "":
		p.hold = p.canary.halted()
	}
}

// steady plans without a recorded target: the active slot serves, the other one follows or gets the next revision.
func (p *planner) steady() {
	p.plan.Phase = model.PhaseSteady
	active := p.pair.slot(p.pair.record.active)
	if p.forgetFailure() || !p.ownSafely(p.pair.record.active) {
		return
	}
	if p.rollout.Spec.Intent == model.OptOut && p.pair.record.active == model.Blue {
		p.plan.Phase = model.PhaseOptingOut
		return
	}
	if p.render.Revision == active.revision {
		if p.survey.elsewhere > 0 {
			p.plan.Phase = model.PhaseRepairing
		}
		p.keepTemplates()
		return
	}
	if failed := p.pair.record.state.Failed; failed != nil {
		p.rest(model.Blocks, model.RevisionRemembered)
		p.keepTemplates()
		return
	}
	if p.survey.elsewhere > 0 {
		p.plan.Phase = model.PhaseRepairing
		return
	}
	p.prepareTarget()
}

// forgetFailure clears the memory of a failed revision when another one is desired or it is to be tried again.
func (p *planner) forgetFailure() bool {
	state := &p.pair.record.state
	retry := p.rollout.Spec.Decision.Retry
	switch {
	case state.Retried != "" && retry != state.Retried:
		p.advance(model.FailureForgotten, func(r *record) { r.state.Retried = "" })
	case state.Failed == nil:
		return false
	case state.Failed.Revision != p.render.Revision:
		p.advance(model.FailureForgotten, func(r *record) { r.state.Failed = nil })
	case retry == state.Failed.Revision && state.Retried != retry:
		p.advance(model.FailureForgotten, func(r *record) { r.state.Failed, r.state.Retried = nil, retry })
	default:
		return false
	}
	return true
}

// prepareTarget gives the inactive slot the desired revision, waits until that is observed, and records the target.
func (p *planner) prepareTarget() {
	p.plan.Phase = model.PhasePreparing
	slot := p.pair.record.active.Other()
	view := p.pair.slot(slot)
	if b := p.refuseTarget(); b != nil {
		p.refused = b
		return
	}
	if view.revision != p.render.Revision || !p.wanted(slot, false).covers(view.set) {
		p.updateSlot(view.set, p.render.Slot(slot, false), model.NewRevision)
		return
	}
	if !view.observed() {
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the new revision of DaemonSet %s yet", view.set.Name))
		return
	}
	if s := &p.survey; s.returned > 0 && p.rollout.Spec.Strategy.Exempt(s.eligible) > 0 {
		// Their Pods would be older than the new target, and so exempt, although it was the rollout that took the former ones.
		p.clock.Wake(s.returnedUntil)
		p.wait(model.SourceStarting, fmt.Sprintf("%s home and not available yet: none may be exempt from the budget of the next revision", step.Counted(s.returned, "node came", "nodes came")))
		return
	}
	p.advance(model.TargetRecorded, func(r *record) {
		r.target, r.targetRevision = slot, p.render.Revision
		r.state.Proven, r.state.TargetSince = "", &metav1.Time{Time: p.now}
		r.state.Canary = p.canaryRecord(r.targetRevision)
	})
}

// refuseTarget compares what the two revisions lock. Two wrapped generations whose locks do not exclude each other
// cannot be handed over.
func (p *planner) refuseTarget() *blocked {
	if p.rollout.Spec.Strategy.Overlap == model.Never {
		return nil
	}
	active := p.pair.slot(p.pair.record.active).set
	source, _ := lockspec.Inspect(&active.Spec.Template.Spec)
	target, _ := lockspec.Inspect(&p.render.Template().Spec)
	if len(source.Components) == 0 || len(target.Components) == 0 {
		return nil
	}
	if err := lockspec.MayOverlap(&active.Spec.Template.Spec, &p.render.Template().Spec); err != nil {
		return &blocked{model.ComponentsChanged, fmt.Sprintf("%v. Or roll this revision without overlap: set spec.strategy.overlap to Never", err)}
	}
	return nil
}

// advancing plans with a recorded target and no return.
func (p *planner) advancing() {
	if p.survey.served > 0 && !p.journey.proven {
		p.advance(model.TargetProven, func(r *record) { r.state.Proven = r.targetRevision })
		p.journey.proven = true
		return
	}
	decision := &p.rollout.Spec.Decision
	decided := decision.Revision == p.pair.record.targetRevision && decision.Recover != ""
	switch {
	case p.superseded() && !p.finishFirst():
		p.beginReturn(model.ReturnSuperseded)
	case decided && decision.Recover == model.Back && !p.sourceLost():
		p.beginReturn(model.ReturnDecided)
	case p.canary != nil:
		p.proveCanary(decided)
	case p.survey.failures > 0 && !decided && !p.chance():
		p.failing()
	case p.over():
		p.completing()
	}
}

// superseded tells whether the recorded target is not what is desired any more: a new revision, a return to the
// old one, or an opt-out, which ends on blue.
func (p *planner) superseded() bool {
	r := &p.pair.record
	return p.render.Revision != r.targetRevision || (p.rollout.Spec.Intent == model.OptOut && r.target != model.Blue)
}

// finishFirst tells whether a superseded target is finished before the next revision: it is proven and healthy, more
// than half of the nodes are on it, and the desired revision is not the source's own. A canary that holds is not finished.
func (p *planner) finishFirst() bool {
	source, target := p.pair.slot(p.pair.record.active), p.pair.slot(p.pair.record.target)
	return p.canary == nil && p.journey.proven && target.revision == p.pair.record.targetRevision && p.survey.failures == 0 && 2*p.survey.atTo > p.survey.eligible &&
		p.render.Revision != source.revision && p.rollout.Spec.Intent == model.Run
}

// chance tells whether the target may still prove itself, or go on, without a decision: on a node that was handed over, or
// on one that may be handed over within the limits.
func (p *planner) chance() bool {
	s, limits := &p.survey, p.plan.Limits
	if s.committedHope > 0 {
		return true
	}
	paid := p.account.Holds(limits, budget.Cost{Seat: budget.PaidSeat}) == budget.Admitted
	free := p.account.Ambient > 0 && p.account.Holds(limits, budget.Cost{Seat: budget.FreeSeat}) == budget.Admitted
	if !paid && !free {
		return false
	}
	room := p.account.Holds(limits, budget.Cost{Overlap: 1, OffSource: 1}) == budget.Admitted
	return s.overlapHope > 0 || (s.departing > 0 && room)
}

// failing follows a failed target that has no chance left. An unproven one is cancelled; a proven one waits
// for a decision, since a zone's outage must not take back a proven zone. A canary that fails by its settings returns
// either way (proveCanary): until it is validated that is the decision, and no more than the canary's nodes can be taken back.
func (p *planner) failing() {
	if !p.journey.proven && p.rollout.Spec.Failure.Action == model.Cancel && !p.sourceLost() {
		p.beginReturn(model.ReturnFailed)
		return
	}
	p.plan.Phase = model.PhaseHeld
	p.hold = model.RolloutHeld
}

// sourceLost tells whether the source's DaemonSet was deleted with its template, and made anew from the target's: then
// there is nothing to return to.
func (p *planner) sourceLost() bool {
	return p.pair.slot(p.journey.from).revision == p.journey.toRevision
}

// beginReturn records the direction before the first move. What Pods do later never reverses it.
func (p *planner) beginReturn(cause model.ReturnCause) {
	p.plan.Phase = model.PhaseReturning
	p.advance(model.ReturnBegun, func(r *record) {
		since := metav1.Time{Time: p.now}
		r.state.Return = &model.Return{Revision: r.targetRevision, Cause: cause, Since: since}
		if cause != model.ReturnSuperseded {
			failed := p.survey.failure
			switch {
			case p.canary.halted() == model.CanaryFailed:
				c := &p.canary.record
				failed = model.Failed{Reason: model.CanaryFailed, Node: c.Node, Detail: step.CanaryCause(c.Reason, "", c.Detail)}
			case failed.Node == "":
				failed.Reason = model.DecidedBack
			}
			failed.Revision, failed.Since = r.targetRevision, since
			r.state.Failed = &failed
		}
	})
}

// returning brings every node home, then clears the target.
func (p *planner) returning() {
	p.plan.Phase = model.PhaseReturning
	if !p.ownSafely(p.pair.record.active) || p.survey.elsewhere > 0 {
		return
	}
	p.advance(model.ReturnComplete, func(r *record) {
		r.target, r.targetRevision = model.NoSlot, ""
		r.state.Return, r.state.Proven, r.state.TargetSince, r.state.Canary = nil, "", nil, nil
	})
}

// over tells whether the last handoff is done: every eligible node is served by the exact target and no source
// Pod is left, dead nodes excepted. Once the ownership of unlabelled nodes has begun to move, the labels decide alone.
func (p *planner) over() bool {
	s := &p.survey
	arrived := s.atTo+s.parked == s.eligible
	if p.pair.slot(p.journey.to).owns {
		return arrived
	}
	return arrived && s.unfinished == 0
}

// completing moves the ownership of unlabelled nodes, then records completion.
func (p *planner) completing() {
	p.plan.Phase = model.PhaseCompleting
	if !p.own(p.journey.to) {
		return
	}
	p.advance(model.RolloutComplete, func(r *record) {
		r.active, r.target, r.targetRevision = r.target, model.NoSlot, ""
		r.state.Proven, r.state.TargetSince, r.state.Canary = "", nil, nil
	})
}

// rest gives every node that would be done, were the revision not another one, the reason why it stays.
func (p *planner) rest(verdict model.Verdict, reason model.Reason) {
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict == model.Done {
			r.Verdict, r.Reason, r.Stage = verdict, reason, model.StageSource
		}
	}
}

// wait says what the rollout as a whole waits for.
func (p *planner) wait(reason model.Reason, message string) {
	p.plan.Waits = append(p.plan.Waits, model.Wait{Reason: reason, Message: message})
}
