package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// course is what is decided of the whole, while it is being decided. It reads the view and the survey, and writes itself alone.
type course struct {
	*view
	survey *step.Survey
	step.Course
	// status is how a canary stands that holds the rollout, clock how long it lasts, and remembered its record with what is seen now.
	status     model.CanaryStatus
	clock      budget.CanaryClock
	remembered model.CanaryRecord
	// unfrozen counts the first actions that a freeze lets through.
	unfrozen int
	// mayBegin counts the nodes that may leave the source.
	mayBegin int
}

// steer decides what concerns the whole: the edits of the record, the writes of DaemonSets, holds and limits.
func steer(v *view, s *step.Survey) *course {
	c := &course{view: v, survey: s}
	c.Refused = v.refused
	if v.issuedSlot {
		c.Wait(model.ActionIssued, "a write on a DaemonSet or on the owner was sent, and its effect does not show yet")
	}
	if until, settled := v.executor.Settled(v.now); !settled {
		c.WakeAt(until, v.now) // the fence of a new executor runs out
	}
	if c.Refused == nil && s.Count.Of(foreignHeld) > 0 {
		c.Refused = step.Block(model.ForeignPods, step.DetailOf(s.Reports, model.ForeignPods))
		return c
	}
	switch v.life {
	case lifeRefused:
	case lifeTearDown:
		c.tearDown()
	case lifeConventional:
		c.keepConventional()
	case lifeInstall:
		c.install()
	case lifeArm:
		c.arm()
	case lifeArming:
		c.arming()
	case lifeDeletion:
		c.awaitDeletion()
	case lifeRecreate:
		c.recreate()
	case lifeLeave:
		c.optOut()
	case lifePace:
		if v.blueAlone() && s.Count.Of(step.OffDestination) == 0 && v.pair.slot(model.Blue).owns {
			c.optOut()
		} else {
			c.pace()
		}
	}
	return c
}

// keepStill asks for no move while the pair itself is being made or taken away; the override says what the nodes wait for.
func (c *course) keepStill(phase model.Phase, override step.Override) {
	c.Phase, c.Still = phase, true
	c.setLimits()
	c.Overrides = append(c.Overrides, override)
}

// pace plans an initialized pair with both DaemonSets in place: let the record follow what the nodes show, keep the slots in
// order, and let nodes move within the limits.
func (c *course) pace() {
	c.Phase = c.phaseRecorded()
	c.Writing = !c.issuedSlot && c.Refused == nil && (c.suspendFrozen() || c.writeRecord(c.pair.record, model.StateRepaired))
	c.setLimits()
	c.chooseCanary()
	c.setCanaryClock()
	switch r := &c.pair.record; {
	case c.Refused != nil || c.Writing:
	case c.issuedSlot || !c.slotsInOrder():
	case r.target == model.NoSlot:
		c.steady()
	case r.state.Return != nil:
		c.returning()
	default:
		c.advancing()
	}
	c.setHold()
}

// phaseRecorded is the phase that the record alone tells.
func (c *course) phaseRecorded() model.Phase {
	switch r := &c.pair.record; {
	case r.target == model.NoSlot:
		return model.PhaseSteady
	case r.state.Return != nil:
		return model.PhaseReturning
	case c.canary != nil:
		return model.PhaseCanary
	}
	return model.PhaseAdvancing
}

func (c *course) setLimits() {
	elapsed := time.Duration(1<<62 - 1)
	began := c.rampBegan()
	if !began.IsZero() {
		elapsed = c.now.Sub(began)
	}
	c.Limits = c.rollout.Spec.Strategy.Limits(c.survey.Count.Of(step.Eligible), elapsed)
	if slow := c.rollout.Spec.Strategy.SlowStart; slow != nil && !began.IsZero() && c.canary == nil && elapsed >= 0 {
		c.WakeAt(began.Add((elapsed/slow.Interval.Duration+1)*slow.Interval.Duration), c.now)
	}
	if c.direction.back {
		// Nodes that go back are not a cohort of a new revision.
		c.Limits.Cohort = c.survey.Count.Of(step.Eligible)
	}
	c.limitCanary()
}

// setHold says what stops handoffs and overlaps altogether.
func (c *course) setHold() {
	switch {
	case c.rollout.Spec.Strategy.Paused:
		c.Hold = model.RolloutPaused
	case !c.pair.slots[0].observed() || !c.pair.slots[1].observed():
		c.Hold = model.SlotNotObserved
	case c.canary.halted() != "":
		c.Hold = c.canary.halted()
	}
}

// steady plans without a recorded target: the active slot serves, the other one follows or gets the next revision.
func (c *course) steady() {
	c.Phase = model.PhaseSteady
	active := c.pair.slot(c.pair.record.active)
	if c.forgetFailure() || !c.ownSafely(c.pair.record.active) {
		return
	}
	if c.rollout.Spec.Intent == model.OptOut && c.pair.record.active == model.Blue {
		c.Phase = model.PhaseOptingOut
		return
	}
	if c.render.Revision == active.revision {
		if c.survey.Count.Of(step.OffDestination) > 0 {
			c.Phase = model.PhaseRepairing
		}
		c.keepTemplates()
		return
	}
	if failed := c.pair.record.state.Failed; failed != nil {
		c.Overrides = append(c.Overrides, step.OverrideDone(model.Blocks, model.RevisionRemembered))
		c.keepTemplates()
		return
	}
	if c.survey.Count.Of(step.OffDestination) > 0 {
		c.Phase = model.PhaseRepairing
		return
	}
	c.prepareTarget()
}

// forgetFailure clears the memory of a failed revision when another one is desired or it is to be tried again.
func (c *course) forgetFailure() bool {
	change := step.Forget(&c.pair.record.state, c.render.Revision, c.rollout.Spec.Decision.Retry)
	if change == nil {
		return false
	}
	c.advance(model.FailureForgotten, func(r *record) { change(&r.state) })
	return true
}

// prepareTarget gives the inactive slot the desired revision, waits until that is observed, and records the target.
func (c *course) prepareTarget() {
	c.Phase = model.PhasePreparing
	slot := c.pair.record.active.Other()
	view := c.pair.slot(slot)
	if b := c.refuseTarget(); b != nil {
		c.Refused = b
		return
	}
	if view.revision != c.render.Revision || !c.wanted(slot, false).covers(view.set) {
		c.updateSlot(view.set, c.render.Slot(slot, false), model.NewRevision)
		return
	}
	if !view.observed() {
		c.AwaitController(c.limit(), &c.keys, view.set, fmt.Sprintf("the controller has not seen the new revision of DaemonSet %s yet", view.set.Name))
		return
	}
	if n := c.survey.Count.Of(returned); n > 0 && c.rollout.Spec.Strategy.Exempt(c.survey.Count.Of(step.Eligible)) > 0 {
		// Their Pods would be older than the new target, and so exempt, although it was the rollout that took the former ones.
		c.WakeAt(c.survey.ReturnedUntil, c.now)
		c.Wait(model.SourceStarting, fmt.Sprintf("%s home and not available yet: none may be exempt from the budget of the next revision", step.Counted(n, "node came", "nodes came")))
		return
	}
	c.advance(model.TargetRecorded, func(r *record) {
		r.target, r.targetRevision = slot, c.render.Revision
		r.state.Proven, r.state.TargetSince = "", &metav1.Time{Time: c.now}
		r.state.Canary = c.canaryRecord(r.targetRevision)
	})
}

// refuseTarget compares what the two revisions lock. Two wrapped generations whose locks do not exclude each other
// cannot be handed over.
func (c *course) refuseTarget() *step.BlockedError {
	if c.rollout.Spec.Strategy.Overlap == model.Never {
		return nil
	}
	active := c.pair.slot(c.pair.record.active).set
	source, _ := lockspec.Inspect(&active.Spec.Template.Spec)
	target, _ := lockspec.Inspect(&c.render.Template().Spec)
	if len(source.Components) == 0 || len(target.Components) == 0 {
		return nil
	}
	if err := lockspec.MayOverlap(&active.Spec.Template.Spec, &c.render.Template().Spec); err != nil {
		return step.Block(model.ComponentsChanged, fmt.Sprintf("%v. Or roll this revision without overlap: set spec.strategy.overlap to Never", err))
	}
	return nil
}

// advancing plans with a recorded target and no return.
func (c *course) advancing() {
	if c.survey.Count.Of(step.Served) > 0 && !c.direction.proven {
		c.advance(model.TargetProven, func(r *record) { r.state.Proven = r.targetRevision })
		return
	}
	decision := &c.rollout.Spec.Decision
	decided := decision.Revision == c.pair.record.targetRevision && decision.Recover != ""
	switch {
	case c.superseded() && !c.finishFirst():
		c.beginReturn(model.ReturnSuperseded)
	case decided && decision.Recover == model.Back && !c.sourceLost():
		c.beginReturn(model.ReturnDecided)
	case c.canary != nil:
		c.proveCanary(decided)
	case c.noteForgiven(decided && decision.Recover == model.Forward):
	case !c.failuresAside() && !c.chance():
		c.failing()
	case c.over():
		c.completing()
	}
}

// noteForgiven records, once, that a person goes on in spite of the nodes where the target has failed until now, and that such a decision
// was taken away. It tells whether there was anything to record.
func (c *course) noteForgiven(forward bool) bool {
	change := step.ForgivenChange(c.pair.record.state.Forgiven, c.pair.record.targetRevision, forward, c.now)
	if change != nil {
		c.advance(model.FailuresForgiven, func(r *record) { change(&r.state) })
	}
	return change != nil
}

// failuresAside tells whether the rollout ends without the nodes where the target has failed: there are none, or no more than
// failure.maxExceptions, or the target is superseded, and what cannot finish must not keep the next revision waiting.
func (c *course) failuresAside() bool {
	failed := c.survey.Count.Of(step.Failed)
	if failed == 0 {
		return true
	}
	return c.proven() && (c.render != nil && c.superseded() || failed <= c.rollout.Spec.Failure.Exceptions(c.survey.Count.Of(step.Eligible)))
}

// proven tells whether the target is, as the plan leaves it.
func (c *course) proven() bool {
	d := &c.direction
	return d.proven || !d.back && c.Record != nil && c.Record.Proven == d.toRevision
}

// superseded tells whether the recorded target is not what is desired any more: a new revision, a return to the
// old one, or an opt-out, which ends on blue.
func (c *course) superseded() bool {
	r := &c.pair.record
	return c.render.Revision != r.targetRevision || (c.rollout.Spec.Intent == model.OptOut && r.target != model.Blue)
}

// finishFirst tells whether a superseded target is finished before the next revision: it is proven, more than half of the nodes are on
// it, and the desired revision is not the source's own. What cannot finish is set aside. A canary that holds is not finished.
func (c *course) finishFirst() bool {
	source, target := c.pair.slot(c.pair.record.active), c.pair.slot(c.pair.record.target)
	return c.canary == nil && c.direction.proven && target.revision == c.pair.record.targetRevision && 2*c.survey.Count.Of(atDestination) > c.survey.Count.Of(step.Eligible) &&
		c.render.Revision != source.revision && c.rollout.Spec.Intent == model.Run
}

// chance tells whether the target may still prove itself, or go on, without a decision: on a node that was handed over, or
// on one that may be handed over within the limits.
func (c *course) chance() bool {
	count, limits, account := &c.survey.Count, c.Limits, &c.survey.Account
	if count.Of(mayProve) > 0 {
		return true
	}
	paid := account.Holds(limits, budget.Cost{Seat: budget.PaidSeat}) == budget.Admitted
	free := account.Ambient > 0 && account.Holds(limits, budget.Cost{Seat: budget.FreeSeat}) == budget.Admitted
	if !paid && !free {
		return false
	}
	room := account.Holds(limits, budget.Cost{Overlap: 1, OffSource: 1}) == budget.Admitted
	return count.Of(mayProveOverlapping) > 0 || (c.mayBegin > 0 && room)
}

// failing follows a failed target that has no chance left. An unproven one is cancelled; a proven one waits
// for a decision, since a zone's outage must not take back a proven zone. A canary that fails by its settings returns
// either way (proveCanary): until it is validated that is the decision, and no more than the canary's nodes can be taken back.
func (c *course) failing() {
	if !c.direction.proven && c.rollout.Spec.Failure.Action == model.Cancel && !c.sourceLost() {
		c.beginReturn(model.ReturnFailed)
		return
	}
	c.Phase = model.PhaseHeld
	c.Hold = model.RolloutHeld
}

// sourceLost tells whether the source's DaemonSet was deleted with its template, and made anew from the target's: then
// there is nothing to return to.
func (c *course) sourceLost() bool {
	return c.pair.slot(c.direction.from).revision == c.direction.toRevision
}

// beginReturn records the direction before the first move. What Pods do later never reverses it.
func (c *course) beginReturn(cause model.ReturnCause) {
	c.Phase = model.PhaseReturning
	c.advance(model.ReturnBegun, func(r *record) {
		since := metav1.Time{Time: c.now}
		r.state.Return = &model.Return{Revision: r.targetRevision, Cause: cause, Since: since}
		if cause != model.ReturnSuperseded {
			failed := c.survey.Failure
			switch {
			case c.canary.halted() == model.CanaryFailed:
				ruled := &c.canary.record
				failed = model.Failed{Reason: model.CanaryFailed, Node: ruled.Node, Detail: step.CanaryCause(ruled.Reason, "", ruled.Detail)}
			case failed.Node == "":
				failed.Reason = model.DecidedBack
			}
			failed.Revision, failed.Since = r.targetRevision, since
			r.state.Failed = &failed
		}
	})
}

// returning brings every node back, then clears the target.
func (c *course) returning() {
	c.Phase = model.PhaseReturning
	if !c.ownSafely(c.pair.record.active) || c.survey.Count.Of(step.OffDestination) > 0 {
		return
	}
	c.advance(model.ReturnComplete, func(r *record) {
		r.target, r.targetRevision = model.NoSlot, ""
		r.state.Return, r.state.Proven, r.state.TargetSince, r.state.Canary, r.state.Forgiven = nil, "", nil, nil, nil
	})
}

// over tells whether the last handoff is done: the target is proven, every eligible node is served by it and no source Pod is left, those
// excepted that are dead, that join, and that are set aside.
func (c *course) over() bool {
	proven := c.proven() || c.survey.Count.Of(step.Eligible) == 0 || c.pair.slot(c.direction.to).owns // nobody is asked for proof after it
	return proven && c.survey.Count.Of(pending) == 0 && c.survey.Count.Of(deadElsewhere) == 0 && c.failuresAside()
}

// completing moves the ownership of unlabelled nodes, then records completion.
func (c *course) completing() {
	c.Phase = model.PhaseCompleting
	if !c.own(c.direction.to) {
		return
	}
	c.advance(model.RolloutComplete, func(r *record) {
		r.active, r.target, r.targetRevision = r.target, model.NoSlot, ""
		r.state.Proven, r.state.TargetSince, r.state.Canary, r.state.Forgiven = "", nil, nil, nil
	})
}
