package model

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Facts are what a plan depends on beside the API objects and the settings.
type Facts struct {
	// ObservedAt is the instant of the snapshot: the planner's only clock.
	ObservedAt metav1.Time `json:"observedAt,omitempty"`
	// Issued are the actions that were sent and whose effect the snapshot may not show yet.
	Issued []Issued `json:"issued,omitempty"`
	// Executor identifies the process that carries the actions out.
	Executor Executor `json:"executor,omitempty"`
	// Watched says that the embedder plans again whenever an object of a kind in WakeOn changes, so
	// that a plan needs no timer of its own for them.
	Watched bool `json:"watched,omitempty"`
	// OtherPods says of which nodes the Pods of other workloads are in the snapshot.
	OtherPods OtherPods `json:"otherPods,omitempty"`
}

// OtherPods says where the snapshot is complete. Without the other Pods of a node capacity cannot be
// judged there, and the plan waits and names the node in Needs.
type OtherPods struct {
	// All says that the Pods of all nodes are.
	All bool `json:"all,omitempty"`
	// Nodes are those of which they are, where not all are.
	Nodes []string `json:"nodes,omitempty"`
}

// Listed tells whether the other Pods of the node are in the snapshot.
func (o OtherPods) Listed(node string) bool { return o.All || slices.Contains(o.Nodes, node) }

// Executor identifies one run of an executor. A request of its dead predecessor can still land late:
// ID fences the nodes in overlap, and Since with RequestTimeout holds all handoffs back for a while.
type Executor struct {
	// ID is a fresh name for every start and every leadership; empty means that no other executor has
	// ever acted, as in an offline run.
	ID string `json:"id,omitempty"`
	// Since is when this run began.
	Since metav1.Time `json:"since,omitempty"`
	// RequestTimeout is the longest that a request of the predecessor can be under way.
	RequestTimeout metav1.Duration `json:"requestTimeout,omitempty"`
	// Listed says that a live list was read since then.
	Listed bool `json:"listed,omitempty"`
}

// Settled tells whether no request of a predecessor can land any more. Otherwise it returns the
// instant from which that holds; the zero time if it waits for a live list.
func (e Executor) Settled(now time.Time) (until time.Time, ok bool) {
	if e.ID == "" {
		return time.Time{}, true
	}
	if until = e.Since.Add(e.RequestTimeout.Duration); now.Before(until) {
		return until, false
	}
	return time.Time{}, e.Listed
}

// Issued is an action that was sent.
type Issued struct {
	Action Action      `json:"action"`
	At     metav1.Time `json:"at"`
	// Result is what the API server answered; nil while the outcome is unknown.
	Result *Result `json:"result,omitempty"`
}

// Result identifies the written object as the API server returned it.
type Result struct {
	UID             types.UID `json:"uid,omitempty"`
	ResourceVersion string    `json:"resourceVersion,omitempty"`
	Generation      int64     `json:"generation,omitempty"`
}

// Snapshot is the input of one planning step. Nothing in it is changed.
type Snapshot struct {
	Cluster *Cluster
	Rollout *Rollout
}

// Now returns the instant of the snapshot.
func (s *Snapshot) Now() time.Time { return s.Rollout.Status.ObservedAt.Time }
