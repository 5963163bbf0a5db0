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
	// Joins says that the node had never had an available agent before the write. Lost says that it had one since the target was recorded, and had lost it
	// before the write, be it its source or a successor that may have served and is awaited anew.
	Joins, Lost bool
}

// ParseMoved reads `<RFC3339> paid|free|joins|lost`. Anything else, and a missing mark, is paid at an unknown time.
func ParseMoved(value string) Moved {
	at, word, _ := strings.Cut(value, " ")
	moved := Moved{Joins: word == HandoffJoins, Lost: word == HandoffLost}
	moved.Paid = word != HandoffFree && !moved.Joins && !moved.Lost
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		moved.At = t
	}
	return moved
}

// String returns the mark as it is written, in UTC and whole seconds.
func (m Moved) String() string {
	word := HandoffFree
	switch {
	case m.Joins:
		word = HandoffJoins
	case m.Lost:
		word = HandoffLost
	case m.Paid:
		word = HandoffPaid
	}
	return m.At.UTC().Format(time.RFC3339) + " " + word
}

// Worked tells whether the node had a working agent when the rollout took it, or had one since the target was recorded.
func (m Moved) Worked() bool { return m.Paid || m.Lost }
