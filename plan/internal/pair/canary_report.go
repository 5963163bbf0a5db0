package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fillCanary tells how the canary stands; of one that is over, nothing. A whole canary waits for its time alone, which no
// node's report says if it has all nodes.
func (t *telling) fillCanary() {
	held := t.canary
	if held == nil {
		return
	}
	s := t.status
	s.Mode, s.Begun = held.settings.ValidationMode, held.record.Begun
	s.Verdict, s.Reason, s.Node, s.Detail, s.Since = held.record.Verdict, held.record.Reason, held.record.Node, held.record.Detail, held.record.Since
	if suspended := held.record.Suspended; suspended != nil && s.Verdict != model.CanaryHasFailed {
		s.SuspendedSince = suspended.Since
	}
	if at, ok := t.clock.EndsAt(); ok && s.Verdict == model.CanaryRuns {
		s.EndsAt = &metav1.Time{Time: at}
	}
	if at, ok := t.clock.TimesOutAt(); ok && s.Verdict != model.CanaryHasFailed {
		s.FailsAt = &metav1.Time{Time: at}
	}
	t.plan.Canary = &s
	if s.Whole() && s.EndsAt != nil && t.now.Before(s.EndsAt.Time) && t.hold == "" && t.Refused == nil {
		t.plan.Waits = append(t.plan.Waits, model.Wait{Reason: model.CanaryUnderWay, Message: "the canary is " + step.CanaryText(&s, t.now)})
	}
}

// canaryStandstill says what clears a canary that cannot go on by itself, while nothing is under way on its nodes; judged
// says that the canary is what the rollout waits for. While only its time is not over there is nothing to clear.
func (t *telling) canaryStandstill() (cause *step.BlockedError, judged bool) {
	s := t.plan.Canary
	if s == nil || t.hold == model.RolloutFrozen || t.hold == model.RolloutPaused || t.hold == model.RolloutHeld {
		return nil, false
	}
	decide := func(verbs string) string {
		return fmt.Sprintf("set spec.decision to {revision: %s, canary: %s}", t.canary.record.Revision, verbs)
	}
	text := "the canary is " + step.CanaryText(s, t.now)
	switch {
	case s.Verdict == model.CanaryIsPaused:
		return step.Block(model.CanaryPaused, text+": "+decide("Resume")+", Promote or Fail, or desire another revision"), true
	case s.Verdict == model.CanaryHasFailed:
		return step.Block(model.CanaryFailed, text+", and the source's template was lost with its DaemonSet: desire another revision"), true
	case s.Whole() && s.Mode == model.CanaryManual:
		return step.Block(model.CanaryAwaited, text+": "+decide("Promote")+" or Fail"), true
	case s.Wanted == 0 && s.Placed == 0:
		return step.Block(model.CanaryShort, fmt.Sprintf("%s. No node is eligible, so there is none to prove the target on: add or untaint nodes, or %s", text, decide("Promote"))), true
	case s.Placed < s.Wanted && s.Candidates == 0:
		return step.Block(model.CanaryShort, fmt.Sprintf("%s. It misses %s, and no eligible Ready node is left that canary.nodeSelector takes and the target fits: add or repair nodes, lower canary.replicas, or %s",
			text, step.Counted(s.Wanted-s.Placed, "node", "nodes"), decide("Promote"))), true
	}
	return nil, false
}
