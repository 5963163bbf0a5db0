package step

import (
	"fmt"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
)

// CanaryCount says how many of the canary's nodes are available, and if some are not placed yet, how many are.
func CanaryCount(s *model.CanaryStatus) string {
	text := fmt.Sprintf("%d of %d available", s.Available, max(s.Wanted, s.Placed))
	if s.Placed < s.Wanted {
		text += fmt.Sprintf(", %d placed", s.Placed)
	}
	return text
}

// CanaryText says how the canary stands at that instant: "2 of 3 available, ends in 4m0s at the earliest".
func CanaryText(s *model.CanaryStatus, now time.Time) string {
	words := []string{CanaryCount(s)}
	switch s.Verdict {
	case model.CanaryIsPaused:
		words = append(words, "paused"+since(s)+InBrackets(CanaryCause(s.Reason, s.Node, s.Detail)))
	case model.CanaryHasFailed:
		words = append(words, "failed"+since(s)+InBrackets(CanaryCause(s.Reason, s.Node, s.Detail)))
	case model.CanaryIsValidated:
		words = append(words, "validated"+since(s))
	case model.CanaryRuns:
		words = append(words, canaryEnd(s, now))
	}
	if s.SuspendedSince != nil {
		words = append(words, "its clocks stand since "+s.SuspendedSince.UTC().Format("15:04:05"))
	}
	if s.FailsAt != nil {
		words = append(words, "fails in "+s.FailsAt.Sub(now).Round(time.Second).String())
	}
	return strings.Join(words, ", ")
}

func canaryEnd(s *model.CanaryStatus, now time.Time) string {
	switch {
	case s.Mode == model.CanaryManual:
		return "promoted by decision.canary alone"
	case !s.Whole():
		return "its time begins once all of its nodes are available"
	case s.EndsAt == nil:
		return "ends once it has lasted long enough"
	case now.Before(s.EndsAt.Time):
		return "ends in " + s.EndsAt.Sub(now).Round(time.Second).String() + " at the earliest"
	}
	return "its time is over"
}

func since(s *model.CanaryStatus) string {
	if s.Since == nil {
		return ""
	}
	return " since " + s.Since.UTC().Format("15:04:05")
}

// CanaryCause says why a verdict was given.
func CanaryCause(reason model.Reason, node, detail string) string {
	text := detail
	switch reason {
	case model.CanaryDecided:
		text = "by decision"
	case model.CanaryCannotStart:
		text = "cannot start: " + detail
	case model.TargetFailed:
		text = "the target failed"
		if detail != "" {
			text += ": " + detail
		}
	case model.CanaryRestarts, model.CanaryRestartsLast, model.CanaryTimeout:
	}
	if node != "" {
		text += " on node " + node
	}
	return text
}
