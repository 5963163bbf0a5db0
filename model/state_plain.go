package model

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// parsePlain reads a state that Text has written and that knows nothing but what most rollouts do: the version, the
// sequence, the proven revision, the target's instant and the return. Every plan reads two states, and JSON costs more than the rest of what a slot
// says. Whatever else the value is, it is not plain.
func parsePlain(value string) (state State, plain bool) {
	rest, ok := strings.CutPrefix(value, `{"version":`+strconv.Itoa(StateVersion)+`,"sequence":`)
	if !ok {
		return State{}, false
	}
	digits, rest := rest[:leadingDigits(rest)], rest[leadingDigits(rest):]
	sequence, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) > 1 && digits[0] == '0' {
		return State{}, false // JSON knows no leading zero
	}
	state = State{Version: StateVersion, Sequence: sequence}
	if word, after, ok := cutWord(rest, `,"proven":`); ok {
		state.Proven, rest = word[1:len(word)-1], after
	}
	if word, after, ok := cutWord(rest, `,"targetSince":`); ok {
		state.TargetSince, rest = new(metav1.Time), after
		if state.TargetSince.UnmarshalJSON([]byte(word)) != nil {
			return State{}, false
		}
	}
	if after, ok := strings.CutPrefix(rest, `,"return":{`); ok {
		if state.Return, rest, ok = cutReturn(after); !ok {
			return State{}, false
		}
	}
	return state, rest == "}"
}

// cutReturn cuts the fields of a return, of which none is ever missing.
func cutReturn(text string) (r *Return, rest string, ok bool) {
	revision, rest, first := cutWord(text, `"revision":`)
	cause, rest, second := cutWord(rest, `,"cause":`)
	since, rest, third := cutWord(rest, `,"since":`)
	rest, closed := strings.CutPrefix(rest, "}")
	if !first || !second || !third || !closed {
		return nil, "", false
	}
	r = &Return{Revision: revision[1 : len(revision)-1], Cause: ReturnCause(cause[1 : len(cause)-1])}
	return r, rest, r.Since.UnmarshalJSON([]byte(since)) == nil
}

func leadingDigits(text string) (n int) {
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// cutWord cuts a field whose value is a quoted word of letters, digits and a few marks, with nothing to unquote.
func cutWord(text, field string) (word, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, field)
	if !ok || text == "" || text[0] != '"' {
		return "", "", false
	}
	end := 1
	for end < len(text) && isPlain(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '"' {
		return "", "", false
	}
	return text[:end+1], text[end+1:], true
}

func isPlain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.:+/", c) >= 0
}
