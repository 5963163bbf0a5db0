package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// canary is one step of a canary that holds the rollout: a target is recorded, the nodes go to it, and it is not validated.
type canary struct {
	settings *model.Canary
	// record is what is remembered of it; recorded says that the state has it already.
	record   model.CanaryRecord
	recorded bool
	clock    budget.CanaryClock
	status   model.CanaryStatus
}

// beginCanary finds the canary that holds the rollout. One that the state does not know, since the setting is younger than
// the target, holds all the same: the nodes that have left the source already are its nodes. Nodes that go home are no
// canary, nor are those of an opt-out, which is a decision itself.
func (p *planner) beginCanary() {
	p.canary = nil
	settings, r := p.rollout.Spec.Strategy.Canary, &p.pair.record
	if settings == nil || p.journey.home || p.rollout.Spec.Intent != model.Run {
		return
	}
	c := &canary{settings: settings, record: model.CanaryRecord{Revision: r.targetRevision, Begun: metav1.Time{Time: p.now}}}
	if record := r.state.CanaryOf(r.targetRevision); record != nil {
		c.record, c.recorded = *record, true
	}
	if c.record.Verdict == model.CanaryIsValidated {
		return
	}
	c.clock = settings.Clock(&c.record)
	p.canary = c
}

// canaryRecord is what the record of a new target remembers: nil without a canary.
func (p *planner) canaryRecord(revision string) *model.CanaryRecord {
	if p.rollout.Spec.Strategy.Canary == nil || p.rollout.Spec.Intent != model.Run {
		return nil
	}
	return &model.CanaryRecord{Revision: revision, Begun: metav1.Time{Time: p.now}}
}

// rampBegan is when the slow start's ramp began: with the promotion where there was a canary, else with the record of the
// target; zero if the ramp does not matter.
func (p *planner) rampBegan() time.Time {
	r := &p.pair.record
	switch record := r.state.CanaryOf(r.targetRevision); {
	case p.journey.home:
		return time.Time{}
	case p.canary != nil:
		return p.now // the ramp's first step holds until the promotion
	case record != nil && record.Verdict == model.CanaryIsValidated && record.Since != nil:
		return record.Since.Time
	}
	return p.journey.targetSince
}

// limitCanary lowers the cohort to the canary's size.
func (p *planner) limitCanary() {
	if p.canary != nil {
		p.plan.Limits.Cohort = min(p.plan.Limits.Cohort, p.canary.settings.Size(p.survey.eligible))
	}
}

// canaryHolds returns why a move may not be admitted while the canary is not validated. What has begun may go on, a paused
// canary excepted; a node that leaves the source must be one of those chosen.
func (p *planner) canaryHolds(n *nodeProposal) model.Reason {
	leaves := n.move == moveOverlap || n.move == moveRelease || (n.move == moveDead && !n.offSource)
	if p.canary == nil || !leaves || n.chosen {
		return ""
	}
	return model.WaitingForCanary
}

// halted says why a canary neither places nor hands over; empty while it does. A released node gets its target all the
// same: a pause must not leave it without an agent.
func (c *canary) halted() model.Reason {
	if c == nil {
		return ""
	}
	switch c.record.Verdict {
	case model.CanaryIsPaused:
		return model.CanaryPaused
	case model.CanaryHasFailed:
		return model.CanaryFailed
	case model.CanaryRuns, model.CanaryIsValidated:
	}
	return ""
}

// proveCanary plans while the canary holds the rollout: what is decided of it is recorded, one thing at a time and before
// anything follows from it. Its failure returns the nodes although the target may be proven: until it is validated, the
// settings themselves decide. forward says that a person wants the target in spite of its failures.
func (p *planner) proveCanary(forward bool) {
	c := p.canary
	for _, at := range c.clock.Wakes() {
		p.clock.Wake(at)
	}
	ruling := p.ruleCanary(forward)
	switch {
	case !c.recorded:
		p.recordCanary(model.CanaryBegun, c.record)
	case c.record.Verdict == model.CanaryHasFailed && !p.sourceLost():
		p.beginReturn(model.ReturnFailed)
	case ruling != nil:
		p.recordCanary(ruling.why, ruling.apply(p.withRestarts(c.record), p.now))
	case p.restartedAgain():
		p.recordCanary(model.CanaryRestarted, p.withRestarts(c.record))
	case c.record.Verdict == model.CanaryRuns && p.survey.failures > 0 && !forward && !p.chance():
		p.failing() // it does not fail by itself: failure.action decides
	}
}

func (p *planner) recordCanary(reason model.Reason, changed model.CanaryRecord) {
	p.advance(reason, func(r *record) { r.state.Canary = &changed })
}

// ruling is a verdict that the record does not have yet.
type ruling struct {
	// why the record is written, and the verdict's own cause.
	why, cause   model.Reason
	verdict      model.CanaryVerdict
	node, detail string
	resumes      bool
}

// apply returns the record with the ruling in it.
func (r *ruling) apply(record model.CanaryRecord, now time.Time) model.CanaryRecord {
	record.Verdict, record.Reason, record.Node, record.Detail = r.verdict, r.cause, r.node, r.detail
	record.Since, record.Resumed = nil, record.Resumed || r.resumes
	if r.verdict != model.CanaryRuns {
		record.Since = &metav1.Time{Time: now}
	}
	return record
}

// ruleCanary judges the canary; nil if nothing is to be decided. A failure beats everything, a promotion beats a pause, and
// what a person has resumed pauses by itself no more. Nothing is promoted while the rollout is paused.
func (p *planner) ruleCanary(forward bool) *ruling {
	c := p.canary
	verb := model.CanaryVerb("")
	if d := &p.rollout.Spec.Decision; d.Revision == c.record.Revision {
		verb = d.Canary
	}
	if c.record.Verdict == model.CanaryHasFailed {
		return nil
	}
	if failure := p.canaryFails(verb, forward); failure != nil {
		failure.why, failure.verdict = model.CanaryFailed, model.CanaryHasFailed
		return failure
	}
	mayPromote := !p.rollout.Spec.Strategy.Paused
	paused := c.record.Verdict == model.CanaryIsPaused
	switch {
	case verb == model.PromoteCanary && mayPromote:
		return &ruling{why: model.CanaryValidated, cause: model.CanaryDecided, verdict: model.CanaryIsValidated}
	case verb == model.PauseCanary && !paused:
		return &ruling{why: model.CanaryPaused, cause: model.CanaryDecided, verdict: model.CanaryIsPaused}
	case verb == model.ResumeCanary && (paused || !c.record.Resumed):
		return &ruling{why: model.CanaryResumed, resumes: true}
	case paused || verb == model.PauseCanary:
		return nil
	}
	if pause := p.canaryPauses(); pause != nil {
		pause.why, pause.verdict = model.CanaryPaused, model.CanaryIsPaused
		return pause
	}
	if mayPromote && c.status.Whole() && c.clock.Ended(p.now) {
		return &ruling{why: model.CanaryValidated, cause: model.CanaryValidated, verdict: model.CanaryIsValidated}
	}
	return nil
}

// canaryFails returns the failure of the canary: by decision, by its restarts, by their span, by its timeout, or by a target
// that failed by the deadline with no chance left. A paused canary does not fail by the deadline: it waits for a person.
func (p *planner) canaryFails(verb model.CanaryVerb, forward bool) *ruling {
	c, seen := p.canary, &p.watched
	fail := c.settings.AutoFail
	switch {
	case verb == model.FailCanary:
		return &ruling{cause: model.CanaryDecided}
	case !fail.On():
		return nil
	case seen.restarts > *fail.MaxRestarts:
		return &ruling{cause: model.CanaryRestarts, node: seen.restartsOn, detail: fmt.Sprintf("%d restarts > autoFail.maxRestarts %d", seen.restarts, *fail.MaxRestarts)}
	}
	record := p.withRestarts(c.record)
	if span := restartSpan(&record); fail.MaxRestartsDuration != nil && span > fail.MaxRestartsDuration.Duration {
		return &ruling{cause: model.CanaryRestartsLast, detail: fmt.Sprintf("restarts over %s > autoFail.maxRestartsDuration %s", span, fail.MaxRestartsDuration.Duration)}
	}
	if c.clock.TimedOut(p.now) {
		return &ruling{cause: model.CanaryTimeout, detail: fmt.Sprintf("not validated within autoFail.canaryTimeout %s: %s", c.clock.Timeout, step.CanaryCount(&c.status))}
	}
	if f := &p.survey.failure; f.Node != "" && c.record.Verdict == model.CanaryRuns && !forward && !p.chance() {
		return &ruling{cause: f.Reason, node: f.Node, detail: f.Detail}
	}
	return nil
}

func restartSpan(record *model.CanaryRecord) time.Duration {
	if record.FirstRestart == nil || record.LastRestart == nil {
		return 0
	}
	return record.LastRestart.Sub(record.FirstRestart.Time)
}

// canaryPauses returns the pause that the canary's Pods call for.
func (p *planner) canaryPauses() *ruling {
	c, seen := p.canary, &p.watched
	pause := c.settings.AutoPause
	switch {
	case !pause.On() || c.record.Resumed:
		return nil
	case seen.cannotStart != "":
		return &ruling{cause: model.CanaryCannotStart, node: seen.cannotStartOn, detail: seen.cannotStart}
	case seen.restarts > *pause.MaxRestarts:
		return &ruling{cause: model.CanaryRestarts, node: seen.restartsOn, detail: fmt.Sprintf("%d restarts > autoPause.maxRestarts %d", seen.restarts, *pause.MaxRestarts)}
	}
	return nil
}
