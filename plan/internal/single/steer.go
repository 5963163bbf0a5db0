package single

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// course is what is decided of the whole, while it is being decided. It reads the view and the survey, and writes itself alone.
type course struct {
	*view
	survey *step.Survey
	step.Course
	// lost says that more nodes are unavailable than a native surge may be let loose on.
	lost bool
}

// after is the record as the plan leaves it.
func (c *course) after() record {
	r := c.live.record
	if c.Record != nil {
		r.state = *c.Record
	}
	return r
}

// steer decides what concerns the whole: the record, the writes of the DaemonSet, holds and limits.
func steer(v *view, s *step.Survey) *course {
	c := &course{view: v, survey: s}
	c.Refused = v.refused
	if v.issuedSet {
		c.Wait(model.ActionIssued, "a write on the DaemonSet or on the owner was sent, and its effect does not show yet")
	}
	if until, settled := v.executor.Settled(v.now); !settled {
		c.WakeAt(until, v.now)
	}
	if c.Refused == nil && s.Count.Of(foreignHeld) > 0 {
		c.Refused = step.Block(model.ForeignPods, step.DetailOf(s.Reports, model.ForeignPods))
		return c
	}
	switch v.life {
	case lifeRefused:
	case lifeTearDown:
		c.tearDown()
	case lifeDeletion:
		c.awaitDeletion()
	case lifeOptOut:
		c.optOut()
	case lifeInstall:
		c.install()
	case lifeAdopt:
		c.adopt()
	case lifePace:
		c.pace()
	}
	return c
}

// keepStill asks for no move while the DaemonSet as a whole is being made or taken over.
func (c *course) keepStill(phase model.Phase) {
	c.Phase, c.Still = phase, true
	c.setLimits()
	c.Overrides = append(c.Overrides, step.OverrideAll(model.WaitingForSlot))
}

func (c *course) install() {
	c.keepStill(model.PhaseInstalling)
	if c.issuedSet {
		return
	}
	set := c.render.Set()
	_, settled := c.executor.Settled(c.now)
	if !c.AwaitUnmade(c.limit(), c.cluster, c.issuedNodes, !settled && !c.locked(), set) {
		c.write(step.CreateSet(set, model.SlotMissing))
	}
}

// adopt takes over a DaemonSet, conventional or of the other strategy: it is marked, and the native controller stopped, before
// its template is changed, or a native rolling update could begin.
func (c *course) adopt() {
	c.keepStill(model.PhasePreparing)
	if c.issuedSet {
		return
	}
	notes := c.notes()
	notes.Set(c.keys.Mode, c.mode())
	spec := c.live.set.Spec.DeepCopy()
	spec.UpdateStrategy = c.strategyFor(true)
	c.writeSpec(spec, &notes, model.DaemonSetAdopted)
}

func (c *course) awaitDeletion() {
	c.keepStill(model.PhaseRepairing)
	c.AwaitDeletion(c.limit(), c.cluster, c.live.set, fmt.Sprintf("DaemonSet %s is being deleted with its Pods: it is made anew afterwards", c.name))
}

// pace plans a rollout with its DaemonSet in place: let the record follow what the nodes show, keep template and strategy as they
// are to be, and delete Pods within the limits.
func (c *course) pace() {
	c.setLimits()
	c.Phase = c.phaseRecorded()
	c.lost = c.readinessLost()
	if c.Refused == nil && !c.issuedSet {
		c.transit()
	}
	c.setHold()
}

// phaseRecorded is the phase that the record and the nodes alone tell.
func (c *course) phaseRecorded() model.Phase {
	switch {
	case c.live.returning():
		return model.PhaseReturning
	case c.live.failed() && !c.goesForward():
		return model.PhaseHeld
	case c.live.hasTarget():
		return model.PhaseAdvancing
	case c.survey.Count.Of(replaceable) > 0:
		return model.PhaseRepairing
	}
	return model.PhaseSteady
}

// setLimits resolves the limits. A slow start begins with the record of the target.
func (c *course) setLimits() {
	elapsed := time.Duration(1<<62 - 1)
	if c.live.hasTarget() {
		elapsed = c.now.Sub(c.live.state.TargetSince.Time)
	}
	c.Limits = c.strategy.Limits(c.survey.Count.Of(step.Eligible), elapsed)
	if slow := c.strategy.SlowStart; slow != nil && c.live.hasTarget() && elapsed >= 0 {
		c.WakeAt(c.live.state.TargetSince.Add((elapsed/slow.Interval.Duration+1)*slow.Interval.Duration), c.now)
	}
}

// readinessLost tells whether the native controller must not go on: outside maxSurge it makes a new Pod beside every old one
// that is not Ready, and deletes that one at once.
func (c *course) readinessLost() bool {
	return c.surges() && !c.live.state.DeleteFirst && c.survey.Count.Of(stale) > 0 && c.survey.Account.Charged() > c.Limits.Unavailable
}

// setHold says what stops deletions that take a seat.
func (c *course) setHold() {
	after := c.after()
	switch {
	case c.strategy.Frozen:
		c.Hold = model.RolloutFrozen
	case c.strategy.Paused:
		c.Hold = model.RolloutPaused
	case c.Phase == model.PhaseHeld:
		c.Hold = model.RolloutHeld
	case c.lost && !c.Writing:
		c.Hold = model.ReadinessLost
	case !c.live.observed():
		c.Hold = model.SlotNotObserved
	case c.deletesFirst(&after) && !c.live.onDelete():
		c.Hold = model.WaitingForSlot
	}
	if c.Hold == "" {
		c.awaitBegin()
	}
	if c.Hold != "" && c.Hold != model.SlotNotObserved {
		c.Overrides = append(c.Overrides, notBegun(c.Hold))
	}
}

// awaitBegin waits for the native controller to begin with the nodes that it has room for, while none is in overlap. One that does not
// begin for longer than the deadline cannot: the wait is over.
func (c *course) awaitBegin() {
	count := &c.survey.Count
	if c.Writing || !c.surges() || c.deletesFirst(&c.live.record) || count.Of(candidates) == 0 || count.Of(step.InOverlap) > 0 {
		return
	}
	since := c.begunLast()
	passed, at := c.limit().Passed(since)
	if passed {
		c.Stalled = step.Block(model.ControllerRests, fmt.Sprintf("the DaemonSet controller has begun with none of %s for %s, though %s of the surge are free: the events of DaemonSet %s say why (a quota, an admission webhook), or the controller does not run",
			step.Counted(count.Of(candidates), "node", "nodes"), c.limit().Lasted(since), step.Counted(c.Limits.Window, "place", "places"), c.name))
		return
	}
	c.WakeAt(at, c.now)
	c.Wait(model.TargetCreating, "the native controller makes the new Pods beside the old ones")
}

// begunLast is when the native controller had something to begin with, or began last: when the spec was written, and the youngest Pod made.
func (c *course) begunLast() time.Time {
	since, _ := step.WrittenAt(&c.keys, c.live.set)
	if c.live.hasTarget() {
		since = step.Later(since, c.live.state.TargetSince.Time)
	}
	for i := range c.cluster.Len() {
		for _, pod := range c.cluster.Pods(i) {
			if model.ControllerUID(pod) == c.live.uid() {
				since = step.Later(since, pod.CreationTimestamp.Time)
			}
		}
	}
	return since
}

// notBegun says why no native controller begins now with the nodes that wait for the window.
func notBegun(hold model.Reason) step.Override {
	return func(r *model.NodeReport) {
		if r.Reason == model.WaitingForWindow {
			r.Reason = hold
		}
	}
}

// transit writes at most one change of the DaemonSet. The first that is due comes first.
func (c *course) transit() {
	if !c.live.observed() {
		c.AwaitController(c.limit(), &c.keys, c.live.set, fmt.Sprintf("the controller has not seen the spec of DaemonSet %s yet (generation %d, observed %d)", c.name, c.live.set.Generation, c.live.set.Status.ObservedGeneration))
		return
	}
	for _, due := range [...]func() bool{c.frozen, c.forget, c.prove, c.decide, c.next, c.keep, c.wakeController, c.noteMissing, c.finished} {
		if due() || c.Writing {
			return
		}
	}
}

// frozen stops the native controller, once, and then everything.
func (c *course) frozen() bool {
	if c.strategy.Frozen && !c.keepStrategy() && c.superseded() {
		c.Phase = model.PhasePreparing
	}
	return c.strategy.Frozen
}

// forget clears the memory of a failed revision when another one is desired or it is to be tried again.
func (c *course) forget() bool {
	change := step.Forget(&c.live.state, c.render.Revision, c.rollout.Spec.Decision.Retry)
	if change != nil {
		c.advance(model.FailureForgotten, change)
	}
	return change != nil
}

// prove records, once, that the target serves on a node.
func (c *course) prove() bool {
	if !c.live.hasTarget() || c.live.proven() || c.survey.Count.Of(step.Served) == 0 {
		return false
	}
	c.advance(model.TargetProven, func(s *model.State) { s.Proven = c.live.revision })
	return true
}

// goesForward and goesBack tell whether a person has decided about the present target.
func (c *course) goesForward() bool { return c.decided(model.Forward) }

func (c *course) goesBack() bool { return c.decided(model.Back) }

func (c *course) decided(direction model.Direction) bool {
	d := &c.rollout.Spec.Decision
	return c.live.hasTarget() && d.Revision == c.live.revision && d.Recover == direction
}

// decide follows a failed target, a decision, and a surge that had to be stopped.
func (c *course) decide() bool {
	switch {
	case c.live.returning() && c.lost:
		// The way back is never barred: it goes on within the budget, one deletion after the other.
		c.advance(model.DeleteFirst, func(s *model.State) { s.DeleteFirst = true })
	case !c.live.hasTarget() || c.superseded():
	case c.goesBack() && c.live.source != nil:
		c.beginReturn(model.ReturnDecided)
	case c.noteForgiven():
	case c.live.failed() && c.forgives(c.live.state.Failed):
		c.advance(model.FailureForgotten, func(s *model.State) { s.Failed = nil })
	case c.goesForward() && c.lost:
		c.advance(model.DeleteFirst, func(s *model.State) { s.DeleteFirst = true })
	case c.Phase == model.PhaseHeld:
	case !c.failuresAside() && !c.chance():
		c.fail()
	}
	return c.Writing
}

// noteForgiven records, once, that a person goes on in spite of the nodes where the target has failed until now, and that such a decision
// was taken away. It tells whether there was anything to record.
func (c *course) noteForgiven() bool {
	change := step.ForgivenChange(c.live.state.Forgiven, c.live.revision, c.goesForward(), c.now)
	if change != nil {
		c.advance(model.FailuresForgiven, change)
	}
	return change != nil
}

// forgives tells whether a failure that is remembered was there when a person decided to go on.
func (c *course) forgives(failed *model.Failed) bool {
	f := c.live.state.Forgiven
	return f != nil && f.Revision == c.live.revision && !f.Since.Before(&failed.Since)
}

// failuresAside tells whether the rollout ends without the nodes where the target has failed: there are none, or no more than
// failure.maxExceptions.
func (c *course) failuresAside() bool {
	failed := c.survey.Count.Of(step.Failed)
	after := c.after()
	return failed == 0 || after.proven() && failed <= c.rollout.Spec.Failure.Exceptions(c.survey.Count.Of(step.Eligible))
}

// wakeController writes the DaemonSet once where the native controller rests although its work is not done: any write wakes it.
func (c *course) wakeController() bool {
	if c.survey.Count.Of(rests) == 0 {
		return false
	}
	notes := c.notes()
	notes.Set(c.keys.Nudged, c.now.UTC().Format(time.RFC3339))
	c.write(step.RecordState(c.live.set, notes.List, model.ControllerWoken))
	return true
}

// noteMissing notes nodes without a Pod of which nothing tells since when: a person has deleted it, or the controller has taken it. Their
// deadline counts from now. Between rollouts it takes out who is served again: who is lost after that is no node of the next one's doing.
func (c *course) noteMissing() bool {
	stale := !c.live.hasTarget() && !c.live.returning() && len(c.live.emptied.Next(c.emptiedOver, nil)) < len(c.live.emptied)
	if !stale && c.survey.Count.Of(unnoted) == 0 || c.live.emptiedFull {
		return false
	}
	missing := model.Emptied{}
	for i := range c.cluster.Len() {
		if f := c.look(i); c.unnoted(&f) {
			missing[f.node.Name] = model.Moved{At: c.now, Lost: true}
		}
	}
	c.write(c.emptiedAction(missing))
	return true
}

// chance tells whether the target may still prove itself, or go on, without a decision: where it was begun, or on a node
// that may follow within the limits.
func (c *course) chance() bool {
	count, account, limits := &c.survey.Count, &c.survey.Account, c.Limits
	seat := account.Ambient > 0 && account.Holds(limits, budget.Cost{Seat: budget.FreeSeat}) == budget.Admitted ||
		account.Holds(limits, budget.Cost{Seat: budget.PaidSeat}) == budget.Admitted
	begin := account.Overlap < limits.Window && count.Of(candidates) > 0
	switch {
	case count.Of(mayProve) > 0:
		return true
	case c.strategy.Paused:
		return false
	case c.deletesFirst(&c.live.record):
		return seat && count.Of(candidates) > 0
	case c.locked():
		return seat && (count.Of(mayProveSeated) > 0 || begin)
	}
	return seat && count.Of(mayProveSeated) > 0 || begin
}

// fail follows a target that has no chance left. An unproven one is cancelled; a proven one waits for a decision, since a
// zone's outage must not take back a proven zone. A surge remembers that it waits.
func (c *course) fail() {
	if !c.live.proven() && c.rollout.Spec.Failure.Action == model.Cancel && c.live.source != nil {
		c.beginReturn(model.ReturnFailed)
		return
	}
	c.Phase = model.PhaseHeld
	if c.surges() {
		c.advance(model.TargetFailed, func(s *model.State) { s.Failed = c.failure() })
	}
}

// failure is the memory of the present target.
func (c *course) failure() *model.Failed {
	failed := c.survey.Failure
	switch {
	case failed.Node != "":
	case c.live.failed():
		failed = *c.live.state.Failed
	default:
		failed.Reason = model.DecidedBack
	}
	failed.Revision, failed.Since = c.live.revision, metav1.Time{Time: c.now}
	return &failed
}

// beginReturn writes the former template back. The direction is recorded with it, in one request: what Pods do later never
// reverses it.
func (c *course) beginReturn(cause model.ReturnCause) {
	back := c.live.source
	c.writeTemplate(model.ReturnBegun, back.Revision, &back.Template, func(s *model.State) {
		s.Return = c.returnFor(cause)
		s.Failed, s.TargetSince = c.failure(), nil
	})
	if c.Writing {
		c.Phase = model.PhaseReturning
	}
}

func (c *course) returnFor(cause model.ReturnCause) *model.Return {
	return &model.Return{Revision: c.live.revision, Cause: cause, Since: metav1.Time{Time: c.now}}
}

// next writes the desired template. A return to the former one by desire is a return; every other one is a target.
func (c *course) next() bool {
	if !c.superseded() {
		return false
	}
	former := c.live.source
	switch template := &c.render.prepared.Spec.Template; {
	case c.live.state.Failed != nil:
		c.Overrides = append(c.Overrides, step.OverrideDone(model.Blocks, model.RevisionRemembered))
		return false
	case c.strategy.Paused:
		c.Overrides = append(c.Overrides, step.OverrideDone(model.Waits, model.RolloutPaused))
		c.Phase = model.PhasePreparing
		return false
	case c.live.hasTarget() && former != nil && former.Revision == c.render.Revision:
		c.writeTemplate(model.ReturnBegun, c.render.Revision, template, func(s *model.State) {
			s.Return, s.TargetSince = c.returnFor(model.ReturnSuperseded), nil
		})
	default:
		c.writeTemplate(model.NewRevision, c.render.Revision, template, func(s *model.State) {
			s.Return, s.TargetSince = nil, &metav1.Time{Time: c.now}
		})
	}
	c.Phase = model.PhasePreparing
	return true
}

// finished records the end of a return, or of the target's rollout. Nodes whose Node is not Ready follow when they come back.
func (c *course) finished() bool {
	switch {
	case c.survey.Count.Of(step.OffDestination) > 0 || !c.failuresAside():
	case c.live.returning():
		c.advance(model.ReturnComplete, func(s *model.State) { s.Return, s.DeleteFirst, s.Forgiven = nil, false, nil })
	case c.live.hasTarget() && !c.superseded() && (c.live.proven() || c.survey.Count.Of(step.Eligible) == 0):
		c.Phase = model.PhaseCompleting
		notes := c.notes()
		c.noteState(&notes, func(s *model.State) {
			s.Proven, s.TargetSince, s.HandedOver, s.Failed, s.DeleteFirst, s.Forgiven = "", nil, nil, nil, false, nil
		})
		notes.Remove(c.keys.Source)
		c.write(step.RecordState(c.live.set, notes.List, model.RolloutComplete))
	}
	return c.Writing
}
