package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// canary holds the rollout: a target is recorded, the nodes go to it, and it is not validated.
type canary struct {
	settings *model.Canary
	// record is what is remembered of it, and that its clocks stand now or run again; recorded says that the state has one, and noted
	// that it has this one.
	record          model.CanaryRecord
	recorded, noted bool
}

// canaryThatHolds finds the canary that holds the rollout. One that the state does not know, since the setting is younger than
// the target, holds all the same: the nodes that have left the source already are its nodes. Nodes that go back are no
// canary, nor are those of an opt-out, which is a decision itself.
func (v *view) canaryThatHolds() *canary {
	settings, r := v.rollout.Spec.Strategy.Canary, &v.pair.record
	if settings == nil || v.direction.back || v.rollout.Spec.Intent != model.Run {
		return nil
	}
	held := &canary{settings: settings, record: model.CanaryRecord{Revision: r.targetRevision, Begun: metav1.Time{Time: v.now}}}
	if record := r.state.CanaryOf(r.targetRevision); record != nil {
		held.record, held.recorded = *record, true
	}
	if held.record.Verdict == model.CanaryIsValidated {
		return nil
	}
	suspended := &held.record
	if held.record.Verdict != model.CanaryHasFailed {
		suspended = held.record.Suspend(v.suspends(), v.now)
	}
	held.noted = held.recorded && suspended == &held.record
	held.record = *suspended
	return held
}

// suspends tells whether the clocks of a canary stand.
func (v *view) suspends() bool {
	return v.rollout.Spec.Strategy.Paused || v.rollout.Spec.Strategy.Frozen
}

// canaryRecord is what the record of a new target remembers: nil without a canary.
func (c *course) canaryRecord(revision string) *model.CanaryRecord {
	if c.rollout.Spec.Strategy.Canary == nil || c.rollout.Spec.Intent != model.Run {
		return nil
	}
	begun := model.CanaryRecord{Revision: revision, Begun: metav1.Time{Time: c.now}}
	return begun.Suspend(c.suspends(), c.now)
}

// setCanaryClock says by what the snapshot shows, recorded or not, how long the canary lasts: from when the last of its nodes became
// available, and since the newest restart.
func (c *course) setCanaryClock() {
	if c.canary == nil {
		return
	}
	c.remembered = rememberRestarts(c.canary.record, &c.survey.Canary)
	c.clock = c.canary.settings.Clock(&c.remembered)
	c.clock.Whole, c.clock.Available = c.status.Whole(), c.survey.Canary.Available
}

// suspendFrozen notes that the clocks stand: the one write that a freeze lets through, since nothing else would tell how long it was.
func (c *course) suspendFrozen() bool {
	if !c.rollout.Spec.Strategy.Frozen || c.canary == nil || !c.canary.recorded || c.canary.noted {
		return false
	}
	c.recordCanary(model.CanarySuspended, c.canary.record)
	c.unfrozen = len(c.Actions)
	return true
}

// rampBegan is when the slow start's ramp began: with the promotion where there was a canary, else with the record of the
// target; zero if the ramp does not matter. A canary's nodes are so few by themselves that none does.
func (c *course) rampBegan() time.Time {
	r := &c.pair.record
	switch record := r.state.CanaryOf(r.targetRevision); {
	case c.direction.back || c.canary != nil:
		return time.Time{}
	case record != nil && record.Verdict == model.CanaryIsValidated && record.Since != nil:
		return record.Since.Time
	}
	return c.direction.targetSince
}

// limitCanary lowers the cohort to the canary's size.
func (c *course) limitCanary() {
	if c.canary != nil {
		c.Limits.Cohort = min(c.Limits.Cohort, c.canary.settings.Size(c.survey.Count.Of(step.Eligible)))
	}
}

// halted says why a canary neither places nor hands over; empty while it does. A released node gets its target all the
// same: a pause must not leave it without an agent.
func (k *canary) halted() model.Reason {
	if k == nil {
		return ""
	}
	switch k.record.Verdict {
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
func (c *course) proveCanary(forward bool) {
	record := c.canary.record
	for _, at := range c.clock.Wakes() {
		c.WakeAt(at, c.now)
	}
	ruling := c.ruleCanary(forward)
	switch {
	case !c.canary.recorded:
		c.recordCanary(model.CanaryBegun, record)
	case record.Verdict == model.CanaryHasFailed && !c.sourceLost():
		c.beginReturn(model.ReturnFailed)
	case ruling != nil:
		c.recordCanary(ruling.why, ruling.apply(c.remembered, c.now))
	case c.remembered.LastRestart != record.LastRestart:
		c.recordCanary(model.CanaryRestarted, c.remembered)
	case !c.canary.noted:
		c.recordCanary(model.CanarySuspended, c.remembered)
	case record.Verdict == model.CanaryRuns && c.survey.Count.Of(step.Failed) > 0 && !forward && !c.chance():
		c.failing() // it does not fail by itself: failure.action decides
	}
}

func (c *course) recordCanary(reason model.Reason, changed model.CanaryRecord) {
	c.advance(reason, func(r *record) { r.state.Canary = &changed })
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
func (c *course) ruleCanary(forward bool) *ruling {
	record := &c.canary.record
	verb := model.CanaryVerb("")
	if d := &c.rollout.Spec.Decision; d.Revision == record.Revision {
		verb = d.Canary
	}
	if record.Verdict == model.CanaryHasFailed {
		return nil
	}
	if failure := c.canaryFails(verb, forward); failure != nil {
		failure.why, failure.verdict = model.CanaryFailed, model.CanaryHasFailed
		return failure
	}
	mayPromote := !c.rollout.Spec.Strategy.Paused
	paused := record.Verdict == model.CanaryIsPaused
	switch {
	case verb == model.PromoteCanary && mayPromote:
		return &ruling{why: model.CanaryValidated, cause: model.CanaryDecided, verdict: model.CanaryIsValidated}
	case verb == model.PauseCanary && !paused:
		return &ruling{why: model.CanaryPaused, cause: model.CanaryDecided, verdict: model.CanaryIsPaused}
	case verb == model.ResumeCanary && (paused || !record.Resumed):
		return &ruling{why: model.CanaryResumed, resumes: true}
	case paused || verb == model.PauseCanary:
		return nil
	}
	if pause := c.canaryPauses(); pause != nil {
		pause.why, pause.verdict = model.CanaryPaused, model.CanaryIsPaused
		return pause
	}
	if mayPromote && c.status.Whole() && c.clock.Ended(c.now) {
		return &ruling{why: model.CanaryValidated, cause: model.CanaryValidated, verdict: model.CanaryIsValidated}
	}
	return nil
}

// canaryFails returns the failure of the canary: by decision, by its restarts, by their span, by its timeout, or by a target
// that failed by the deadline with no chance left. A paused canary does not fail by the deadline: it waits for a person.
func (c *course) canaryFails(verb model.CanaryVerb, forward bool) *ruling {
	held, seen := c.canary, &c.survey.Canary
	fail := held.settings.AutoFail
	switch {
	case verb == model.FailCanary:
		return &ruling{cause: model.CanaryDecided}
	case !fail.On():
		return nil
	case seen.Restarts > *fail.MaxRestarts:
		return &ruling{cause: model.CanaryRestarts, node: seen.RestartsOn, detail: fmt.Sprintf("%d restarts > autoFail.maxRestarts %d", seen.Restarts, *fail.MaxRestarts)}
	}
	if span := restartSpan(&c.remembered); fail.MaxRestartsDuration != nil && span > fail.MaxRestartsDuration.Duration {
		return &ruling{cause: model.CanaryRestartsLast, detail: fmt.Sprintf("restarts over %s > autoFail.maxRestartsDuration %s", span, fail.MaxRestartsDuration.Duration)}
	}
	if c.clock.TimedOut(c.now) {
		return &ruling{cause: model.CanaryTimeout, detail: fmt.Sprintf("not validated within autoFail.canaryTimeout %s: %s", c.clock.Timeout, step.CanaryCount(&c.status))}
	}
	if f := &c.survey.Failure; f.Node != "" && held.record.Verdict == model.CanaryRuns && !forward && !c.chance() {
		return &ruling{cause: f.Reason, node: f.Node, detail: f.Detail}
	}
	return nil
}

// canaryPauses returns the pause that the canary's Pods call for.
func (c *course) canaryPauses() *ruling {
	seen, pause := &c.survey.Canary, c.canary.settings.AutoPause
	switch {
	case !pause.On() || c.canary.record.Resumed:
		return nil
	case seen.CannotStart != "":
		return &ruling{cause: model.CanaryCannotStart, node: seen.CannotStartOn, detail: seen.CannotStart}
	case seen.Restarts > *pause.MaxRestarts:
		return &ruling{cause: model.CanaryRestarts, node: seen.RestartsOn, detail: fmt.Sprintf("%d restarts > autoPause.maxRestarts %d", seen.Restarts, *pause.MaxRestarts)}
	}
	return nil
}

// rememberRestarts returns the record with the restarts that were seen now. Times are kept to the second, as JSON keeps them.
func rememberRestarts(record model.CanaryRecord, seen *step.CanaryView) model.CanaryRecord {
	newest := seen.Restarted.Truncate(time.Second)
	if newest.IsZero() || (record.LastRestart != nil && !newest.After(record.LastRestart.Time)) {
		return record
	}
	record.LastRestart = &metav1.Time{Time: newest}
	if record.FirstRestart == nil {
		record.FirstRestart = &metav1.Time{Time: seen.FirstRestarted.Truncate(time.Second)}
	}
	return record
}

func restartSpan(record *model.CanaryRecord) time.Duration {
	if record.FirstRestart == nil || record.LastRestart == nil {
		return 0
	}
	return record.LastRestart.Sub(record.FirstRestart.Time)
}
