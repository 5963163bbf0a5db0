package model

import (
	"fmt"
	"strings"
)

// mostSequence bounds a state's sequence: no run comes near it by counting, and one more is still one more.
const mostSequence = 1 << 53

// check returns what of a state of this version no planner can have written, and none may follow.
func (s *State) check() error {
	switch {
	case s.Sequence < 0 || s.Sequence > mostSequence:
		return fmt.Errorf("the state has sequence %d, which is not from 0 to %d", s.Sequence, int64(mostSequence))
	case s.Return != nil && !s.Return.Cause.known():
		return fmt.Errorf("the state has a return for the cause %s, which this library does not know", shortQuote(string(s.Return.Cause)))
	case s.Canary != nil && !s.Canary.Verdict.known():
		return fmt.Errorf("the state has the canary verdict %s, which this library does not know", shortQuote(string(s.Canary.Verdict)))
	case s.Canary != nil && s.Canary.Suspended != nil && (s.Canary.Suspended.Seconds < 0 || s.Canary.Suspended.Seconds > mostSuspended):
		return fmt.Errorf("the state has a canary that was suspended for %d seconds", s.Canary.Suspended.Seconds)
	}
	return nil
}

func (c ReturnCause) known() bool {
	switch c {
	case ReturnFailed, ReturnSuperseded, ReturnDecided:
		return true
	}
	return false
}

func (v CanaryVerdict) known() bool {
	switch v {
	case CanaryRuns, CanaryIsPaused, CanaryHasFailed, CanaryIsValidated:
		return true
	}
	return false
}

// longestSaid is the most bytes of a text of others' making that a message repeats.
const longestSaid = 200

// shortText cuts a text that a message repeats: the annotations of one object may have 256 KiB, a condition's message 32 KiB.
func shortText(text string) string {
	if len(text) <= longestSaid {
		return text
	}
	return strings.ToValidUTF8(text[:longestSaid], "") + "…"
}

func shortQuote(text string) string { return fmt.Sprintf("%q", shortText(text)) }
