package model

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// State is what the rollout remembers beside the annotations that an existing operator knows: versioned
// JSON on both slots. A newer version is an error; unknown fields of this version are kept.
type State struct {
	Version int `json:"version"`
	// Sequence grows with every write: of two halves the higher one holds.
	Sequence int64 `json:"sequence"`
	// Proven is the target revision of which a handed over node had its exact target available.
	Proven string `json:"proven,omitempty"`
	// TargetSince is when the target was recorded; the slow start's ramp begins then.
	TargetSince *metav1.Time `json:"targetSince,omitempty"`
	// Return is set while nodes go back to the source; it is recorded before the first move.
	Return *Return `json:"return,omitempty"`
	// Failed is the memory of a failed revision. It is cleared when another desired revision is observed.
	Failed *Failed `json:"failed,omitempty"`
	// Retried is the revision whose memory decision.retry has cleared: the same decision, still standing
	// in the settings, does not clear it again.
	Retried string `json:"retried,omitempty"`
	// Forgiven is the decision to go on with a target in spite of the nodes where it had failed until then.
	Forgiven *Forgiven `json:"forgiven,omitempty"`
	// Canary is what is known of the recorded target's canary.
	Canary *CanaryRecord `json:"canary,omitempty"`

	// DeleteFirst says of a surge that the present template is rolled delete-first: its Pods may not stand beside the
	// former ones, or too many nodes were unavailable when it was written.
	DeleteFirst bool `json:"deleteFirst,omitempty"`
	// HandedOver is about when, on a single DaemonSet, the last source's Pod was deleted for a target that waited for it:
	// what takes over is not late before a deadline has passed since then.
	HandedOver *metav1.Time `json:"handedOver,omitempty"`

	unknown map[string]json.RawMessage
}

// ReturnCause says why nodes go back.
type ReturnCause string

const (
	// ReturnFailed: the target failed and was not proven.
	ReturnFailed ReturnCause = "Failed"
	// ReturnSuperseded: another revision is desired.
	ReturnSuperseded ReturnCause = "Superseded"
	// ReturnDecided: a person decided to go back.
	ReturnDecided ReturnCause = "Decided"
)

// Return is the recorded direction back to the source. What Pods do later never reverses it.
type Return struct {
	Revision string      `json:"revision"`
	Cause    ReturnCause `json:"cause"`
	Since    metav1.Time `json:"since"`
}

// Forgiven is what decision.recover Forward has set aside: the nodes that were handed over to the revision before the instant and where
// it has failed. The decision taken away and given again counts anew.
type Forgiven struct {
	Revision string      `json:"revision"`
	Since    metav1.Time `json:"since"`
	// Withdrawn says that the decision does not stand any more.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// Failed is a revision that failed, with the node that showed it first.
type Failed struct {
	Revision string      `json:"revision"`
	Reason   Reason      `json:"reason"`
	Node     string      `json:"node,omitempty"`
	Detail   string      `json:"detail,omitempty"`
	Since    metav1.Time `json:"since"`
}

var stateFields = []string{"version", "sequence", "proven", "targetSince", "return", "failed", "retried", "forgiven", "canary", "deleteFirst", "handedOver"}

type plainState State

// ParseState reads the annotation's value; the empty value is an empty state. The error is short, whatever the value.
func ParseState(value string) (State, error) {
	if value == "" {
		return State{Version: StateVersion}, nil
	}
	if state, plain := parsePlain(value); plain && state.check() == nil {
		return state, nil
	}
	return parseJSON(value)
}

// parseJSON reads a state of any form.
func parseJSON(value string) (State, error) {
	var state State
	if err := json.Unmarshal([]byte(value), (*plainState)(&state)); err != nil {
		return State{}, fmt.Errorf("the state is not readable: %s", shortText(err.Error()))
	}
	if state.Version < 1 || state.Version > StateVersion {
		return State{}, fmt.Errorf("the state has version %d, and this library knows up to %d", state.Version, StateVersion)
	}
	if err := state.check(); err != nil {
		return State{}, err
	}
	if err := json.Unmarshal([]byte(value), &state.unknown); err != nil {
		return State{}, fmt.Errorf("the state is not readable: %s", shortText(err.Error()))
	}
	for _, field := range stateFields {
		delete(state.unknown, field)
	}
	if len(state.unknown) == 0 {
		state.unknown = nil
	}
	return state, nil
}

// Text returns the annotation's value: canonical JSON with the unknown fields kept.
func (s State) Text() string {
	s.Version = StateVersion
	known, err := json.Marshal(plainState(s))
	if err != nil || len(s.unknown) == 0 {
		return string(known)
	}
	merged := map[string]json.RawMessage{}
	if err := json.Unmarshal(known, &merged); err != nil {
		return string(known)
	}
	for field, value := range s.unknown {
		merged[field] = value
	}
	text, err := json.Marshal(merged)
	if err != nil {
		return string(known)
	}
	return string(text)
}
