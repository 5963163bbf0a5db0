package budget

import "fmt"

// Ledger is the account of a plan: every eligible node stands in exactly one of its four columns.
type Ledger struct {
	// Eligible is the number of nodes where the desired Pod should run.
	Eligible int `json:"eligible"`
	// Available nodes are served by the slot that their label names.
	Available int `json:"available"`
	// Ambient nodes are unavailable for a cause that is not the rollout's.
	Ambient int `json:"ambient"`
	// Committed nodes were moved by the rollout and are not available yet.
	Committed int `json:"committed"`
	// Joining nodes have never had an available agent: they are new, and the first one starts. They are not charged.
	Joining int `json:"joining,omitempty"`
	// Exempt is how many of the ambient nodes are not charged.
	Exempt int `json:"exempt"`
}

// Unavailable is ambient + committed: nodes that lost an agent, or never got one in time. Joining ones are not among them.
func (l Ledger) Unavailable() int { return l.Ambient + l.Committed }

// Charged is what a paid move finds on the account: committed + ambient − exempt.
func (l Ledger) Charged() int { return l.Committed + l.Ambient - l.Exempt }

// Balanced tells whether the columns add up and none is negative.
func (l Ledger) Balanced() bool {
	return l.Available >= 0 && l.Ambient >= 0 && l.Committed >= 0 && l.Joining >= 0 &&
		l.Exempt >= 0 && l.Exempt <= l.Ambient &&
		l.Eligible == l.Available+l.Ambient+l.Committed+l.Joining
}

// String draws the account.
func (l Ledger) String() string {
	s := fmt.Sprintf("%d eligible = %d available + %d ambient + %d committed", l.Eligible, l.Available, l.Ambient, l.Committed)
	if l.Joining > 0 {
		s += fmt.Sprintf(" + %d joining", l.Joining)
	}
	if l.Exempt > 0 {
		s += fmt.Sprintf(" (%d exempt)", l.Exempt)
	}
	return s
}
