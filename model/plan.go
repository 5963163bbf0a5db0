package model

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is where the rollout stands as a whole.
type Phase string

const (
	// PhaseBlocked: nothing is done until the Blocked condition's cause is cleared.
	PhaseBlocked Phase = "Blocked"
	// PhaseInstalling: the DaemonSets are being made.
	PhaseInstalling Phase = "Installing"
	// PhaseArming: one conventional rollout installs the wrapper. Only of a pair: a surge installs it delete-first.
	PhaseArming Phase = "Arming"
	// PhaseSteady: the active slot, or the one DaemonSet, serves, and nothing is to be moved.
	PhaseSteady Phase = "Steady"
	// PhasePreparing: the inactive slot, or the one DaemonSet, gets the new revision, which becomes the target.
	PhasePreparing Phase = "Preparing"
	// PhaseAdvancing: node by node from source to target.
	PhaseAdvancing Phase = "Advancing"
	// PhaseCanary: a first few nodes prove the target before the others follow.
	PhaseCanary Phase = "Canary"
	// PhaseCompleting: every node is handed over; ownership and state follow.
	PhaseCompleting Phase = "Completing"
	// PhaseReturning: node by node back to the source.
	PhaseReturning Phase = "Returning"
	// PhaseHeld: a failed target waits for a decision.
	PhaseHeld Phase = "Held"
	// PhaseRepairing: a slot or a node is being put right.
	PhaseRepairing Phase = "Repairing"
	// PhaseOptingOut: the pair, or the one DaemonSet, becomes the conventional one.
	PhaseOptingOut Phase = "OptingOut"
	// PhaseTearingDown: everything of the rollout is being deleted.
	PhaseTearingDown Phase = "TearingDown"
	// PhaseGone: nothing of the rollout is left.
	PhaseGone Phase = "Gone"
)

// Types of the conditions that a plan carries.
const (
	ConditionProgressing = "Progressing"
	ConditionAvailable   = "Available"
	ConditionDegraded    = "Degraded"
	ConditionBlocked     = "Blocked"
)

// Plan is the answer of one planning step: the next actions, and a reason for everything that does not
// move. It belongs to the snapshot observed at ObservedAt.
type Plan struct {
	Namespace  string      `json:"namespace,omitempty"`
	Name       string      `json:"name"`
	ObservedAt metav1.Time `json:"observedAt,omitempty"`
	// Revision is the desired revision; empty where none can be rendered, and for a DaemonSet that was taken over as it is.
	Revision string `json:"revision,omitempty"`
	Phase    Phase  `json:"phase"`
	// Actions in the order in which they are to be sent. Any prefix may be carried out.
	Actions []Action `json:"actions,omitempty"`
	// Waits are what the rollout itself waits for: a slot not yet observed, a foreground deletion.
	Waits []Wait `json:"waits,omitempty"`
	// Nodes has one report for every eligible node, and for every other one that the rollout still holds.
	Nodes  []NodeReport  `json:"nodes,omitempty"`
	Ledger budget.Ledger `json:"ledger"`
	Limits budget.Limits `json:"limits"`
	Pair   PairStatus    `json:"pair"`
	// Canary is how the recorded target's canary stands; nil without one.
	Canary     *CanaryStatus      `json:"canary,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// WakeOn are the kinds of object whose change would change this plan.
	WakeOn []string `json:"wakeOn,omitempty"`
	// RequeueAfter is when to plan again without such a change; 0 means never.
	RequeueAfter time.Duration `json:"requeueAfter,omitempty"`
	// Exceptions are the eligible nodes that are set aside: they cannot reach the desired revision, and neither the end of the
	// rollout nor the next revision waits for them. In the order of names.
	Exceptions []Exception `json:"exceptions,omitempty"`
	// Needs are nodes whose other Pods must be listed before capacity can be judged there.
	Needs []string `json:"needs,omitempty"`
	// ReleaseOwner says that nothing is left to do for the owner: drop its finalizer.
	ReleaseOwner bool `json:"releaseOwner,omitempty"`
	// Faults are odd cluster objects that the plan works around.
	Faults []string `json:"faults,omitempty"`
}

// Exception is a node that is set aside, with the cause. It is tried again when something changes on it.
type Exception struct {
	Node   string `json:"node"`
	Reason Reason `json:"reason"`
	Detail string `json:"detail,omitempty"`
	// Since is when the cause began; left out if that is not known.
	Since metav1.Time `json:"since,omitzero"`
}

// Wait is something that the rollout as a whole waits for.
type Wait struct {
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
}

// PairStatus counts eligible nodes, as a DaemonSet's status does, over both slots, or the one DaemonSet: the status of
// one OnDelete DaemonSet of a pair says nothing about the agent as a whole.
type PairStatus struct {
	// Active and Target are empty on one DaemonSet; its revisions stand below.
	Active         Slot   `json:"active,omitempty"`
	Target         Slot   `json:"target,omitempty"`
	ActiveRevision string `json:"activeRevision,omitempty"`
	TargetRevision string `json:"targetRevision,omitempty"`
	// Proven says that a node that was handed over had its exact target available.
	Proven bool `json:"proven,omitempty"`
	// Desired is the number of eligible nodes; Updated of them are served by the desired revision.
	Desired     int `json:"desired"`
	Updated     int `json:"updated"`
	Ready       int `json:"ready"`
	Available   int `json:"available"`
	Unavailable int `json:"unavailable"`
	// OnSource, OnTarget and InOverlap count the nodes' labels, and on one DaemonSet, where nodes have none, the Pods:
	// on the target is a node without a Pod of another revision, in overlap one with both. With no target recorded all
	// are on the active slot, or on the source.
	OnSource  int `json:"onSource"`
	OnTarget  int `json:"onTarget"`
	InOverlap int `json:"inOverlap"`
}

// Condition returns the condition of that type, or nil.
func (p *Plan) Condition(kind string) *metav1.Condition {
	for i := range p.Conditions {
		if p.Conditions[i].Type == kind {
			return &p.Conditions[i]
		}
	}
	return nil
}

// Blocked returns the Blocked condition if it is True, or nil.
func (p *Plan) Blocked() *metav1.Condition {
	if c := p.Condition(ConditionBlocked); c != nil && c.Status == metav1.ConditionTrue {
		return c
	}
	return nil
}

// Complete tells whether the rollout is at its end: nothing to do, and nothing to wait for but nodes that are set aside, that join or leave,
// and whose Node is not Ready. With exceptions it is complete except those.
func (p *Plan) Complete() bool {
	return p.over(func(e *Exception) bool { return e.Reason != SourceNotStarting }) // which is where it is to be
}

// Ended tells whether the plan is complete, or would be if the agent started on nodes that have it already and are set aside.
func (p *Plan) Ended() bool { return p.over(func(*Exception) bool { return true }) }

// over tells whether nothing is to be done or awaited but for those nodes that are set aside.
func (p *Plan) over(but func(*Exception) bool) bool {
	if len(p.Actions) > 0 || len(p.Waits) > 0 || p.Blocked() != nil || p.Phase != PhaseSteady && p.Phase != PhaseGone {
		return false
	}
	excepted := p.Exceptions
	for i := range p.Nodes {
		r := &p.Nodes[i]
		for len(excepted) > 0 && excepted[0].Node < r.Node {
			excepted = excepted[1:]
		}
		aside := len(excepted) > 0 && excepted[0].Node == r.Node && but(&excepted[0])
		if r.Verdict != Done && !aside && r.Blame != Joining && r.Reason != NodeNotReady && r.Reason != NodeLeaving {
			return false
		}
	}
	return true
}
