package model

import (
	"strings"
	"time"
)

// Moved is the mark that every write of a node's slot label leaves beside it. It lets the deadline
// and the blame survive a restart.
type Moved struct {
	// At is when the label was written; zero if unknown.
	At time.Time
	// Paid says that the node was available before the write. An unreadable mark counts as paid.
	Paid bool
}

// ParseMoved reads `<RFC3339> paid|free`. Anything else, and a missing mark, is paid at an unknown time.
func ParseMoved(value string) Moved {
	at, word, _ := strings.Cut(value, " ")
	moved := Moved{Paid: word != HandoffFree}
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		moved.At = t
	}
	return moved
}

// String returns the mark as it is written, in UTC and whole seconds.
func (m Moved) String() string {
	word := HandoffFree
	if m.Paid {
		word = HandoffPaid
	}
	return m.At.UTC().Format(time.RFC3339) + " " + word
}
