package model

import (
	"cmp"
	"strings"

	"github.com/agent-rollout/planner/budget"
	"k8s.io/apimachinery/pkg/types"
)

// ActionKind says what an action is for. The set is closed here and may grow: executors switch on the
// form of the write, never on the kind.
type ActionKind string

const (
	// CreateSlot makes one of the two DaemonSets of a pair, or the only one.
	CreateSlot ActionKind = "CreateSlot"
	// UpdateSlot replaces the spec of one; on one DaemonSet with its revision and its state in the same request.
	UpdateSlot ActionKind = "UpdateSlot"
	// DeleteSlot deletes one in foreground.
	DeleteSlot ActionKind = "DeleteSlot"
	// RecordState writes the rollout's state on one of the DaemonSets, or the only one.
	RecordState ActionKind = "RecordState"
	// RecordIntent writes the owner's annotations.
	RecordIntent ActionKind = "RecordIntent"
	// SetNodeSlot writes a node's slot label. Only of a pair: on one DaemonSet nodes are left as they are.
	SetNodeSlot ActionKind = "SetNodeSlot"
	// RecordCandidate writes on a node which target Pod was seen prepared there. Only of a pair.
	RecordCandidate ActionKind = "RecordCandidate"
	// ClearNode removes the label and annotations of a pair from a node.
	ClearNode ActionKind = "ClearNode"
	// DeletePod deletes one Pod under its UID. On one DaemonSet it is the handoff.
	DeletePod ActionKind = "DeletePod"
)

// Action is one API request, with all that it depends on, why it is done and what it costs.
type Action struct {
	Kind  ActionKind `json:"kind"`
	Write Write      `json:"write"`
	// Node that the action is about, if it is about one.
	Node string `json:"node,omitempty"`
	// Premises are facts on other objects, which no request can test: plan.Validate judges them on the
	// freshest snapshot right before the action is sent, whether it is paid or free.
	Premises []Premise `json:"premises,omitempty"`
	Reason   Reason    `json:"reason"`
	Cost     Cost      `json:"cost,omitzero"`
}

// Cost is what an action takes of the limits.
type Cost struct {
	// Seat is none, free or paid: what the action takes of maxUnavailable, at most.
	Seat string `json:"seat,omitempty"`
	// Unsure says that the paid seat is a free one as the snapshot shows the node, and would be one too many if the node is served in
	// truth: like every paid one it is to be confirmed by a fresh look.
	Unsure bool `json:"unsure,omitempty"`
	// Overlap is 1 if the action adds a node to the window, and -1 if it gives its place back.
	Overlap int `json:"overlap,omitempty"`
	// OffSource is 1 if the action adds a node to the cohort.
	OffSource int `json:"offSource,omitempty"`
}

// SeatTaken returns the budget's word for the seat, as the snapshot shows the node.
func (c Cost) SeatTaken() budget.Seat {
	switch {
	case c.Seat == budget.FreeSeat.String() || c.Unsure:
		return budget.FreeSeat
	case c.Seat == budget.PaidSeat.String():
		return budget.PaidSeat
	}
	return budget.NoSeat
}

// String says what an action takes of the limits: "paid seat, 1 off the source, gives its place in the window back".
func (c Cost) String() string {
	var words []string
	if seat := c.SeatTaken(); seat != budget.NoSeat {
		words = append(words, seat.String()+" seat")
	}
	if c.OffSource > 0 {
		words = append(words, "one more off the source")
	}
	switch {
	case c.Overlap > 0:
		words = append(words, "a place in the window")
	case c.Overlap < 0:
		words = append(words, "gives its place in the window back")
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}

// PremiseKind names a fact on another object.
type PremiseKind string

const (
	// PremisePodPrepared: the Pod has everything but the locks.
	PremisePodPrepared PremiseKind = "PodPrepared"
	// PremisePodAvailable: the Pod is available.
	PremisePodAvailable PremiseKind = "PodAvailable"
	// PremisePodUnschedulable: the Pod is Pending for capacity that the source's Pod holds.
	PremisePodUnschedulable PremiseKind = "PodUnschedulable"
	// PremiseSlotRevision: the DaemonSet has the revision in Want, and its controller has seen it.
	PremiseSlotRevision PremiseKind = "SlotRevision"
	// PremiseTargetRecorded: the revision in Want is the recorded target on the DaemonSet.
	PremiseTargetRecorded PremiseKind = "TargetRecorded"
	// PremiseSeatLeft: the budget has room for the action, as the freshest snapshot shows the node and all others.
	PremiseSeatLeft PremiseKind = "SeatLeft"
)

// Premise is a fact on an object other than the written one.
type Premise struct {
	Kind PremiseKind `json:"kind"`
	// Name and UID of the Pod or the DaemonSet; empty for PremiseSeatLeft.
	Name string    `json:"name,omitempty"`
	UID  types.UID `json:"uid,omitempty"`
	Want string    `json:"want,omitempty"`
}
