package step

import "github.com/agent-rollout/planner/model"

// Forget says how the memory of a failed revision changes when another one is desired or it is to be tried again; nil if it does not.
func Forget(state *model.State, desired, retry string) func(*model.State) {
	switch {
	case state.Retried != "" && retry != state.Retried:
		return func(s *model.State) { s.Retried = "" }
	case state.Failed == nil:
		return nil
	case state.Failed.Revision != desired:
		return func(s *model.State) { s.Failed = nil }
	case retry == state.Failed.Revision && state.Retried != retry:
		return func(s *model.State) { s.Failed, s.Retried = nil, retry }
	}
	return nil
}

// RememberedText says of a revision that failed what clears that. A decision to retry does not count twice.
func RememberedText(state *model.State) string {
	text := FailedText(state.Failed) + " and is not tried again: desire another revision, or "
	if state.Retried == state.Failed.Revision {
		return text + "remove spec.decision.retry, which was used already, and set it again to " + state.Failed.Revision
	}
	return text + "set spec.decision.retry to " + state.Failed.Revision
}
