package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fillCanary tells how the canary stands; of one that is over, nothing. A whole canary waits for its time alone, which no
// node's report says if it has all nodes.
func (p *planner) fillCanary() {
	c := p.canary
	if c == nil {
		return
	}
	s := c.status
	s.Mode, s.Begun = c.settings.ValidationMode, c.record.Begun
	s.Verdict, s.Reason, s.Node, s.Detail, s.Since = c.record.Verdict, c.record.Reason, c.record.Node, c.record.Detail, c.record.Since
	if at, ok := c.clock.EndsAt(); ok && s.Verdict == model.CanaryRuns {
		s.EndsAt = &metav1.Time{Time: at}
	}
	if at, ok := c.clock.TimesOutAt(); ok && s.Verdict != model.CanaryHasFailed {
		s.FailsAt = &metav1.Time{Time: at}
	}
	p.plan.Canary = &s
	if s.Whole() && s.EndsAt != nil && p.now.Before(s.EndsAt.Time) && p.hold == "" && p.refused == nil {
		p.wait(model.CanaryUnderWay, "the canary is "+step.CanaryText(&s, p.now))
	}
}

// canaryStandstill says what clears a canary that cannot go on by itself, while nothing is under way on its nodes; judged
// says that the canary is what the rollout waits for. While only its time is not over there is nothing to clear.
func (p *planner) canaryStandstill() (cause *blocked, judged bool) {
	s := p.plan.Canary
	if s == nil || p.hold == model.RolloutFrozen || p.hold == model.RolloutPaused || p.hold == model.RolloutHeld {
		return nil, false
	}
	decide := func(verbs string) string {
		return fmt.Sprintf("set spec.decision to {revision: %s, canary: %s}", p.canary.record.Revision, verbs)
	}
	text := "the canary is " + step.CanaryText(s, p.now)
	switch {
	case s.Verdict == model.CanaryIsPaused:
		return &blocked{model.CanaryPaused, text + ": " + decide("Resume") + ", Promote or Fail, or desire another revision"}, true
	case s.Verdict == model.CanaryHasFailed:
		return &blocked{model.CanaryFailed, text + ", and the source's template was lost with its DaemonSet: desire another revision"}, true
	case s.Whole() && s.Mode == model.CanaryManual:
		return &blocked{model.CanaryAwaited, text + ": " + decide("Promote") + " or Fail"}, true
	case s.Wanted == 0 && s.Placed == 0:
		return &blocked{model.CanaryShort, fmt.Sprintf("%s. No node is eligible, so there is none to prove the target on: add or untaint nodes, or %s", text, decide("Promote"))}, true
	case s.Placed < s.Wanted && s.Candidates == 0:
		return &blocked{model.CanaryShort, fmt.Sprintf("%s. It misses %s, and no eligible Ready node is left that canary.nodeSelector takes and the target fits: add or repair nodes, lower canary.replicas, or %s",
			text, step.Counted(s.Wanted-s.Placed, "node", "nodes"), decide("Promote"))}, true
	}
	return nil, false
}
