package single

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// run chooses what the rollout's life needs now.
func (p *planner) run() {
	if p.issuedSet {
		p.wait(model.ActionIssued, "a write on the DaemonSet or on the owner was sent, and its effect does not show yet")
	}
	if until, settled := p.executor.Settled(p.now); !settled {
		p.clock.Wake(until)
	}
	live := &p.live
	switch {
	case p.refused != nil && p.refused.Reason != model.TemplateRefused && p.refused.Reason != model.DesiredMissing:
	case p.rollout.Spec.Intent == model.Teardown || p.tearing():
		p.tearDown()
	case live.set != nil && live.set.DeletionTimestamp != nil:
		p.awaitDeletion()
	case p.rollout.Spec.Intent == model.OptOut:
		p.optOut()
	case live.set == nil && p.refused != nil:
	case live.set == nil:
		p.install()
	case live.mode != p.mode() && p.refused == nil:
		p.adopt()
	default:
		p.pace()
	}
}

// surveyAtRest reports all nodes with one reason, while the DaemonSet as a whole is being made or taken over.
func (p *planner) surveyAtRest() {
	p.surveyNodes()
	p.setLimits()
	p.proposals = nil
	for i := range p.plan.Nodes {
		r := &p.plan.Nodes[i]
		r.Verdict, r.Reason, r.Stage = model.Waits, model.WaitingForSlot, model.StageSource
	}
}

func (p *planner) install() {
	p.plan.Phase = model.PhaseInstalling
	p.surveyAtRest()
	if p.issuedSet {
		return
	}
	set := p.render.Set()
	_, settled := p.executor.Settled(p.now)
	if why, message := step.Unmade(p.cluster, p.issuedNodes, !settled && !p.locked(), set); why != "" {
		p.wait(why, message)
		return
	}
	p.createSet(set, model.SlotMissing)
}

// adopt takes over a DaemonSet, conventional or of the other strategy: it is marked, and the native controller stopped, before
// its template is changed, or a native rolling update could begin.
func (p *planner) adopt() {
	p.plan.Phase = model.PhasePreparing
	p.surveyAtRest()
	if p.issuedSet {
		return
	}
	notes := p.notes()
	notes.Set(p.keys.Mode, p.mode())
	spec := p.live.set.Spec.DeepCopy()
	spec.UpdateStrategy = p.strategyFor(true)
	p.write(model.DaemonSetAdopted, spec, &notes)
}

func (p *planner) awaitDeletion() {
	p.plan.Phase = model.PhaseRepairing
	p.surveyAtRest()
	p.wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted with its Pods: it is made anew afterwards", p.name))
}

// pace plans a rollout with its DaemonSet in place: look at every node, let the record follow what they show, keep template and
// strategy as they are to be, and delete Pods within the limits.
func (p *planner) pace() {
	p.surveyNodes()
	p.setLimits()
	p.plan.Phase = p.phaseRecorded()
	p.lost = p.readinessLost()
	if p.refused == nil && !p.issuedSet {
		p.transit()
	}
	p.setHold()
	p.admit()
}

// phaseRecorded is the phase that the record and the nodes alone tell.
func (p *planner) phaseRecorded() model.Phase {
	switch {
	case p.live.home():
		return model.PhaseReturning
	case p.live.held() && !p.goesForward():
		return model.PhaseHeld
	case p.live.recorded():
		return model.PhaseAdvancing
	case p.survey.strayed > 0:
		return model.PhaseRepairing
	}
	return model.PhaseSteady
}

// setLimits resolves the limits. A slow start begins with the record of the target.
func (p *planner) setLimits() {
	elapsed := time.Duration(1<<62 - 1)
	if p.live.recorded() {
		elapsed = p.now.Sub(p.live.state.TargetSince.Time)
	}
	p.plan.Limits = p.strategy.Limits(p.survey.eligible, elapsed)
	if slow := p.strategy.SlowStart; slow != nil && p.live.recorded() && elapsed >= 0 {
		p.clock.Wake(p.live.state.TargetSince.Add((elapsed/slow.Interval.Duration + 1) * slow.Interval.Duration))
	}
}

// readinessLost tells whether the native controller must not go on: outside maxSurge it makes a new Pod beside every old one
// that is not Ready, and deletes that one at once.
func (p *planner) readinessLost() bool {
	return p.surges() && !p.live.state.DeleteFirst && p.survey.stale > 0 && p.account.Charged() > p.plan.Limits.Unavailable
}

// setHold says what stops deletions that take a seat.
func (p *planner) setHold() {
	switch {
	case p.strategy.Frozen:
		p.hold = model.RolloutFrozen
	case p.strategy.Paused:
		p.hold = model.RolloutPaused
	case p.plan.Phase == model.PhaseHeld:
		p.hold = model.RolloutHeld
	case p.lost && !p.changing:
		p.hold = model.ReadinessLost
	case !p.live.observed():
		p.hold = model.SlotNotObserved
	case p.deletesFirst() && !p.live.onDelete():
		p.hold = model.WaitingForSlot
	}
	if p.hold == "" || p.hold == model.SlotNotObserved {
		return
	}
	for i := range p.plan.Nodes {
		// No native controller begins with them now.
		if r := &p.plan.Nodes[i]; r.Reason == model.WaitingForWindow {
			r.Reason = p.hold
		}
	}
}

// transit writes at most one change of the DaemonSet. The first that is due comes first.
func (p *planner) transit() {
	if !p.live.observed() {
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the spec of DaemonSet %s yet (generation %d, observed %d)", p.name, p.live.set.Generation, p.live.set.Status.ObservedGeneration))
		return
	}
	for _, due := range [...]func() bool{p.frozen, p.forget, p.prove, p.decide, p.next, p.keep, p.finished} {
		if due() || p.changing {
			return
		}
	}
}

// frozen stops the native controller, once, and then everything.
func (p *planner) frozen() bool {
	if p.strategy.Frozen && !p.keepStrategy() && p.superseded() {
		p.plan.Phase = model.PhasePreparing
	}
	return p.strategy.Frozen
}

// forget clears the memory of a failed revision when another one is desired or it is to be tried again.
func (p *planner) forget() bool {
	state, retry := &p.live.state, p.rollout.Spec.Decision.Retry
	switch {
	case state.Retried != "" && retry != state.Retried:
		p.advance(model.FailureForgotten, func(s *model.State) { s.Retried = "" })
	case state.Failed == nil:
		return false
	case state.Failed.Revision != p.render.Revision:
		p.advance(model.FailureForgotten, func(s *model.State) { s.Failed = nil })
	case retry == state.Failed.Revision && state.Retried != retry:
		p.advance(model.FailureForgotten, func(s *model.State) { s.Failed, s.Retried = nil, retry })
	default:
		return false
	}
	return true
}

// prove records, once, that the target serves on a node.
func (p *planner) prove() bool {
	if !p.live.recorded() || p.live.proven() || p.survey.served == 0 {
		return false
	}
	p.advance(model.TargetProven, func(s *model.State) { s.Proven = p.live.revision })
	return true
}

// superseded tells whether the target is not what is desired any more. On one DaemonSet the next template is the answer: it is
// written at once, and what is under way counts for it.
func (p *planner) superseded() bool { return p.render.Revision != p.live.revision }

// goesForward and goesBack tell whether a person has decided about the present target.
func (p *planner) goesForward() bool { return p.decided(model.Forward) }

func (p *planner) goesBack() bool { return p.decided(model.Back) }

func (p *planner) decided(direction model.Direction) bool {
	d := &p.rollout.Spec.Decision
	return p.live.recorded() && d.Revision == p.live.revision && d.Recover == direction
}

// decide follows a failed target, a decision, and a surge that had to be stopped.
func (p *planner) decide() bool {
	switch {
	case p.live.home() && p.lost:
		// The way back is never barred: it goes on within the budget, one deletion after the other.
		p.advance(model.DeleteFirst, func(s *model.State) { s.DeleteFirst = true })
	case !p.live.recorded() || p.superseded():
	case p.goesBack() && p.live.source != nil:
		p.beginReturn(model.ReturnDecided)
	case p.goesForward() && p.live.held():
		p.advance(model.FailureForgotten, func(s *model.State) { s.Failed = nil })
	case p.goesForward() && p.lost:
		p.advance(model.DeleteFirst, func(s *model.State) { s.DeleteFirst = true })
	case p.plan.Phase == model.PhaseHeld || p.goesForward():
	case p.survey.failures > 0 && !p.chance():
		p.fail()
	}
	return p.changing
}

// chance tells whether the target may still prove itself, or go on, without a decision: where it was begun, or on a node
// that may follow within the limits.
func (p *planner) chance() bool {
	s, limits := &p.survey, p.plan.Limits
	seat := p.account.Ambient > 0 && p.account.Holds(limits, budget.Cost{Seat: budget.FreeSeat}) == budget.Admitted ||
		p.account.Holds(limits, budget.Cost{Seat: budget.PaidSeat}) == budget.Admitted
	room := p.account.Overlap < limits.Window
	switch {
	case s.hopeful > 0:
		return true
	case p.strategy.Paused:
		return false
	case p.deletesFirst():
		return seat && s.departing > 0
	case p.locked():
		return seat && (s.waiting > 0 || room && s.departing > 0)
	}
	return seat && s.waiting > 0 || room && s.departing > 0
}

// fail follows a target that has no chance left. An unproven one is cancelled; a proven one waits for a decision, since a
// zone's outage must not take back a proven zone. A surge remembers that it waits.
func (p *planner) fail() {
	if !p.live.proven() && p.rollout.Spec.Failure.Action == model.Cancel && p.live.source != nil {
		p.beginReturn(model.ReturnFailed)
		return
	}
	p.plan.Phase = model.PhaseHeld
	if p.surges() {
		p.advance(model.TargetFailed, func(s *model.State) { s.Failed = p.failed() })
	}
}

// failed is the memory of the present target.
func (p *planner) failed() *model.Failed {
	failed := p.survey.failure
	switch {
	case failed.Node != "":
	case p.live.held():
		failed = *p.live.state.Failed
	default:
		failed.Reason = model.DecidedBack
	}
	failed.Revision, failed.Since = p.live.revision, metav1.Time{Time: p.now}
	return &failed
}

// beginReturn writes the former template back. The direction is recorded with it, in one request: what Pods do later never
// reverses it.
func (p *planner) beginReturn(cause model.ReturnCause) {
	back, failed, from := p.live.source, p.failed(), p.live.revision
	p.writeTemplate(model.ReturnBegun, back.Revision, &back.Template, func(s *model.State) {
		s.Return = &model.Return{Revision: from, Cause: cause, Since: metav1.Time{Time: p.now}}
		s.Failed, s.TargetSince = failed, nil
	})
	if p.changing {
		p.plan.Phase = model.PhaseReturning
	}
}

// next writes the desired template. A return to the former one by desire is a return; every other one is a target.
func (p *planner) next() bool {
	if !p.superseded() {
		return false
	}
	failed, former := p.live.state.Failed, p.live.source
	switch template := &p.render.prepared.Spec.Template; {
	case failed != nil:
		p.rest(model.Blocks, model.RevisionRemembered)
		return false
	case p.strategy.Paused:
		p.rest(model.Waits, model.RolloutPaused)
		p.plan.Phase = model.PhasePreparing
		return false
	case p.live.recorded() && former != nil && former.Revision == p.render.Revision:
		from := p.live.revision
		p.writeTemplate(model.ReturnBegun, p.render.Revision, template, func(s *model.State) {
			s.Return = &model.Return{Revision: from, Cause: model.ReturnSuperseded, Since: metav1.Time{Time: p.now}}
			s.TargetSince = nil
		})
	default:
		p.writeTemplate(model.NewRevision, p.render.Revision, template, func(s *model.State) {
			s.Return, s.TargetSince = nil, &metav1.Time{Time: p.now}
		})
	}
	p.plan.Phase = model.PhasePreparing
	return true
}

// writeTemplate writes a template with all that belongs to it: its revision, the state, and the template to go back to. The
// native controller never meets a template that is not its to roll: it is stopped before one that is rolled delete-first, in a
// write of its own, and seen, and while the rollout is paused; while it is stopped it is started again only after the template.
func (p *planner) writeTemplate(reason model.Reason, revision string, template *corev1.PodTemplateSpec, change func(*model.State)) {
	spec := p.live.set.Spec.DeepCopy()
	if revision == p.render.Revision {
		spec = p.render.prepared.Spec.DeepCopy()
	}
	spec.Template = *template.DeepCopy()
	set := &appsv1.DaemonSet{ObjectMeta: p.live.set.ObjectMeta, Spec: *spec}
	first := !p.surges() || p.account.Charged() > p.plan.Limits.Unavailable || !p.mayStand(set)
	spec.UpdateStrategy = p.strategyFor(first || p.live.onDelete() || p.strategy.Paused)
	if !sameStrategy(&p.live.set.Spec.UpdateStrategy, &spec.UpdateStrategy) {
		p.writeStrategy(spec.UpdateStrategy)
		return
	}
	notes := p.notes()
	notes.NoteRevision(&p.keys, p.live.set, template)
	kept := p.formerTemplate()
	p.noteState(&notes, func(s *model.State) {
		s.Proven, s.HandedOver = "", nil
		change(s)
		s.DeleteFirst = p.surges() && first
		if s.Return != nil {
			kept = nil
		}
	})
	notes.SetOrRemove(p.keys.Source, kept.textOrNone())
	p.write(reason, spec, &notes)
}

// formerTemplate is what to go back to from the template that comes now: the present one where it is proven, else the one that
// is kept already; nil for none.
func (p *planner) formerTemplate() *source {
	if p.live.recorded() && !p.live.proven() {
		return p.live.source
	}
	return &source{Revision: p.live.revision, Template: p.live.set.Spec.Template}
}

// textOrNone is the annotation's value; empty for none, and for one that is too large.
func (s *source) textOrNone() string {
	if s == nil {
		return ""
	}
	return s.text()
}

// writeStrategy writes the native strategy alone. With OnDelete the controller keeps the older of two Pods on a node: where
// only the younger serves, the older one goes first.
func (p *planner) writeStrategy(strategy appsv1.DaemonSetUpdateStrategy) {
	reason := model.SurgeEnabled
	spec := p.live.set.Spec.DeepCopy()
	if spec.UpdateStrategy = strategy; strategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		reason = model.NativeStopped
		if p.survey.alone > 0 {
			p.wait(model.WaitingForPodsToEnd, fmt.Sprintf("the native controller is stopped once the old Pods are gone beside which the new ones serve alone: %s", step.Counted(p.survey.alone, "node", "nodes")))
			return
		}
	} else {
		spec.MinReadySeconds = max(spec.MinReadySeconds, *p.strategy.SettleSeconds)
	}
	notes := p.notes()
	p.write(reason, spec, &notes)
}

// stopped tells whether the native controller must not surge now.
func (p *planner) stopped() bool {
	return p.deletesFirst() || p.strategy.Paused || p.strategy.Frozen || p.lost || p.plan.Phase == model.PhaseHeld
}

// keepStrategy keeps the native strategy as it is to be now.
func (p *planner) keepStrategy() bool {
	want := p.strategyFor(p.stopped())
	if sameStrategy(&p.live.set.Spec.UpdateStrategy, &want) {
		return false
	}
	p.writeStrategy(want)
	return true
}

// keep puts right what a hand edit left: the strategy, and what the spec does not say any more.
func (p *planner) keep() bool {
	if p.keepStrategy() || p.superseded() || p.strategy.Paused {
		return p.changing
	}
	want := p.render.Set()
	want.Spec.UpdateStrategy = p.live.set.Spec.UpdateStrategy
	if step.Covers(&p.live.set.Spec, &want.Spec) {
		return false
	}
	notes := p.notes()
	notes.NoteRevision(&p.keys, p.live.set, &want.Spec.Template)
	p.write(model.SlotDrifted, &want.Spec, &notes)
	return true
}

// finished records the end of a return, or of the target's rollout. Nodes whose Node is not Ready follow when they come back.
func (p *planner) finished() bool {
	switch {
	case p.survey.elsewhere > 0:
	case p.live.home():
		p.advance(model.ReturnComplete, func(s *model.State) { s.Return, s.DeleteFirst = nil, false })
	case p.live.recorded() && !p.superseded() && (p.live.proven() || p.survey.eligible == 0):
		p.plan.Phase = model.PhaseCompleting
		notes := p.notes()
		p.noteState(&notes, func(s *model.State) {
			s.Proven, s.TargetSince, s.HandedOver, s.Failed, s.DeleteFirst = "", nil, nil, nil, false
		})
		notes.Remove(p.keys.Source)
		p.recordNotes(model.RolloutComplete, &notes)
		p.changing = true
	}
	return p.changing
}

// rest gives every node that would be done, were the revision not another one, the reason why it stays.
func (p *planner) rest(verdict model.Verdict, reason model.Reason) {
	for i := range p.plan.Nodes {
		if r := &p.plan.Nodes[i]; r.Verdict == model.Done {
			r.Verdict, r.Reason, r.Stage = verdict, reason, model.StageSource
		}
	}
}
