package model

import (
	"fmt"
	"time"
)

// Stage is where a node stands in the rollout.
type Stage uint8

const (
	// StageSource: the source slot serves the node.
	StageSource Stage = iota
	// StageOverlap: both slots are admitted.
	StageOverlap
	// StageReleased: no slot is admitted until the source's Pods are gone.
	StageReleased
	// StageTarget: handed over, and the exact target is not available yet.
	StageTarget
	// StageComplete: served by the exact target, and no source Pod is left.
	StageComplete
	// StageLeaving: no longer eligible, but a Pod of the rollout is still bound there.
	StageLeaving
	// StageForeign: the label's value is not one of ours.
	StageForeign
)

var stageWords = [...]string{"Source", "Overlap", "Released", "Target", "Complete", "Leaving", "Foreign"}

// String returns the stage's word.
func (s Stage) String() string { return wordOf(stageWords[:], int(s)) }

// MarshalText writes the word.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Stage) UnmarshalText(text []byte) error {
	i, err := indexOf("stage", stageWords[:], text)
	*s = Stage(i)
	return err
}

// Verdict says what a report answers: does the node move, and if not, who is to act?
type Verdict uint8

const (
	// Done: the node is where it is to be.
	Done Verdict = iota
	// Acts: the plan has an action for the node.
	Acts
	// Waits: something is under way or a limit holds; the node moves by itself later.
	Waits
	// Blocks: the node does not move until somebody changes something.
	Blocks
)

var verdictWords = [...]string{"Done", "Action", "Wait", "Block"}

// String returns the verdict's word.
func (v Verdict) String() string { return wordOf(verdictWords[:], int(v)) }

// MarshalText writes the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word.
func (v *Verdict) UnmarshalText(text []byte) error {
	i, err := indexOf("verdict", verdictWords[:], text)
	*v = Verdict(i)
	return err
}

// Blame says in which column of the ledger a node stands.
type Blame uint8

const (
	// NotEligible: the node is in no column.
	NotEligible Blame = iota
	// Available: served.
	Available
	// Ambient: unavailable, not by the rollout's doing, and charged.
	Ambient
	// Exempt: ambient and not charged.
	Exempt
	// Committed: unavailable since the rollout moved it.
	Committed
	// Joining: the node is new and has never had an available agent; it is not charged while its first one starts.
	Joining
)

var blameWords = [...]string{"", "available", "ambient", "exempt", "committed", "joining"}

// String returns the column's word.
func (b Blame) String() string { return wordOf(blameWords[:], int(b)) }

// MarshalText writes the word.
func (b Blame) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the word.
func (b *Blame) UnmarshalText(text []byte) error {
	i, err := indexOf("blame", blameWords[:], text)
	*b = Blame(i)
	return err
}

// NodeReport says of one node where it stands and why it does or does not move. It holds no rendered
// text: plan.Message makes it when it is asked for.
type NodeReport struct {
	Node    string  `json:"node"`
	Reason  Reason  `json:"reason"`
	Stage   Stage   `json:"stage"`
	Verdict Verdict `json:"verdict"`
	Blame   Blame   `json:"blame,omitempty"`
	// Action is the index in the plan's actions plus one, and 0 if there is none.
	Action int32 `json:"action,omitempty"`
	// Since is when the node entered its stage, in Unix seconds; 0 if unknown.
	Since int64 `json:"since,omitempty"`
	// Detail is what a component of the cluster said: the scheduler's message, a container's waiting reason.
	Detail string `json:"detail,omitempty"`
}

// SinceTime returns Since as a time; the zero time if unknown.
func (r *NodeReport) SinceTime() time.Time {
	if r.Since == 0 {
		return time.Time{}
	}
	return time.Unix(r.Since, 0).UTC()
}

func wordOf(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return "unknown"
	}
	return words[i]
}

func indexOf(what string, words []string, text []byte) (int, error) {
	for i, word := range words {
		if word == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q", what, text)
}
