package validate

import (
	"time"

	"github.com/agent-rollout/planner/model"
)

// verdicts judges what a write of the record decides of the canary: it is validated by a person, or by its time with every
// node of it served; and what is validated or failed stays so.
func (s pair) verdicts(a account, x act) (found []Violation) {
	if !s.canary.holds || x.Write.Patch == nil {
		return nil
	}
	for i := range x.Write.Patch.Annotations {
		edit := &x.Write.Patch.Annotations[i]
		if edit.Key != s.keys.State || edit.To == nil {
			continue
		}
		next, err := model.ParseState(*edit.To)
		switch {
		case err != nil:
			found = append(found, x.breaks(Form, "the state is not readable: %v", err)...)
		case next.Sequence <= s.state.Sequence || next.Canary == nil || next.Canary.Verdict == s.canary.verdict:
		case next.Canary.Verdict == model.CanaryIsValidated:
			found = append(found, s.mayValidate(a, x)...)
		case s.canary.verdict == model.CanaryHasFailed:
			found = append(found, x.breaks(Cohort, "the canary has failed and would be %q again", next.Canary.Verdict)...)
		}
	}
	return found
}

// bakes reads of the exact Pod on a canary's node since when it is available, and its newest restart since the node was handed over.
func (s pair) bakes(at *sight, moved time.Time) (availableSince, restarted time.Time) {
	if !at.labelledOnly(s.to) {
		return availableSince, restarted
	}
	for _, pod := range s.cluster.Pods(at.index) {
		if s.slotOf(pod) != s.to || model.Terminal(pod) || model.Terminating(pod) || !s.isExact(pod, s.to) {
			continue
		}
		if ready, since := model.ReadySince(pod); ready {
			availableSince = later(availableSince, since.Add(s.settle))
		}
		if _, _, newest := model.RestartsAfter(pod, moved); at.ready {
			restarted = later(restarted, newest)
		}
	}
	return availableSince, restarted
}

func (s pair) mayValidate(a account, x act) (found []Violation) {
	d, strategy, last := &s.rollout.Spec.Decision, &s.rollout.Spec.Strategy, s.state.Canary
	c, wanted := strategy.Canary, max(1, min(a.fitting, a.limits.Cohort))
	if last == nil {
		last = &model.CanaryRecord{Begun: s.rollout.Status.ObservedAt}
	}
	clock := c.Clock(last.Suspend(false, s.now))
	bakes, restarted := clock.Suspended.From(later(clock.Begun, a.availableSince)), clock.Suspended.From(later(clock.LastRestart, a.restarted))
	switch {
	case s.canary.verdict == model.CanaryHasFailed:
		return x.breaks(Cohort, "a failed canary would be validated")
	case d.Revision == s.targetRevision && d.Canary == model.PromoteCanary:
		return nil
	case s.canary.halted || c.ValidationMode != model.CanaryAuto:
		found = x.breaks(Cohort, "the canary is %q in mode %s, and nobody has promoted it", s.canary.verdict, c.ValidationMode)
	case strategy.Paused || strategy.Frozen:
		found = x.breaks(Cohort, "the canary would be validated by its time while the rollout is paused or frozen")
	case s.now.Before(bakes.Add(c.Duration.Duration)):
		found = x.breaks(Cohort, "the canary's duration of %s is not over", c.Duration.Duration)
	case a.onTarget < wanted || a.onTarget < a.offSource:
		found = x.breaks(Cohort, "%d nodes are served by the target, the canary has %d and is to have %d", a.onTarget, a.offSource, wanted)
	}
	if quiet := c.NoRestartsDuration; quiet != nil && !restarted.IsZero() && s.now.Before(restarted.Add(quiet.Duration)) {
		found = append(found, x.breaks(Cohort, "the last restart, counted from %s, is not %s ago", restarted.UTC(), quiet.Duration)...)
	}
	return found
}
