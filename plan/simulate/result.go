package simulate

import (
	"fmt"
	"strings"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// Outcome is how a run ended. The set is closed.
type Outcome uint8

const (
	// Complete: the rollout is at its end.
	Complete Outcome = iota
	// Blocked: the plan is blocked, and nothing of what is under way can change that.
	Blocked
	// Stuck: no action, nothing under way, and nothing that would ask for another plan; or no progress
	// for StuckAfter.
	Stuck
)

// String names the outcome.
func (o Outcome) String() string {
	switch o {
	case Complete:
		return "Complete"
	case Blocked:
		return "Blocked"
	case Stuck:
		return "Stuck"
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// Word is the outcome in a sentence: "the rollout ends complete".
func (o Outcome) Word() string { return strings.ToLower(o.String()) }

// What says what a line of the timeline is. The set is closed.
type What uint8

const (
	// Happened: a transition of the world; Event is set.
	Happened What = iota
	// Sent: an action was carried out; Action is set.
	Sent
	// Refused: an action was refused, by the API server or by the fresh look before it; Action and Err are set.
	Refused
	// LostService and Served: a node lost its agent, and has one again, as it really is.
	LostService
	Served
	// ExecutorCrashed and ExecutorStarted.
	ExecutorCrashed
	ExecutorStarted
	// Decided: Options.Decide gave a decision.
	Decided
)

// String names the kind of line.
func (w What) String() string {
	switch w {
	case Happened:
		return "Happened"
	case Sent:
		return "Sent"
	case Refused:
		return "Refused"
	case LostService:
		return "LostService"
	case Served:
		return "Served"
	case ExecutorCrashed:
		return "ExecutorCrashed"
	case ExecutorStarted:
		return "ExecutorStarted"
	case Decided:
		return "Decided"
	}
	return fmt.Sprintf("What(%d)", uint8(w))
}

// Entry is one line of the timeline.
type Entry struct {
	At     time.Duration // since the start
	Node   string        // empty if it is about no single node
	What   What
	Event  *world.Event
	Action *model.Action
	Err    error
	// Decision is what the rollout's decision is from here on, if What is Decided.
	Decision *model.Decision
}

// NodeGap is how long a node that once had an agent was without one, from the first action on: while it was eligible, and
// beside that while it was not, a dead or a tainted node for instance.
type NodeGap struct {
	Node    string
	Longest time.Duration
	Total   time.Duration
	// Open: it was eligible, and still without one, at the end.
	Open bool
	// Ineligible is the time in which the agent should not have run there. It is in no other number.
	Ineligible time.Duration
}

// WriteCount counts the requests of one verb on one kind of object, for one kind of action.
type WriteCount struct {
	Verb   string
	Object string
	Kind   model.ActionKind
	Done   int
	// Refused by the API server or, before it was sent, by a fresh look.
	Refused int
}

// Extra is what the rollout's Pods request on nodes that have more than one, less the greatest one of each such node:
// the room that overlap, or a native surge, needs beside what the agent needs anyway. Pods that are not bound hold
// nothing, and terminating ones hold theirs until they are gone.
type Extra struct {
	// PeakMilliCPU and PeakMemory, in bytes, are the most over all nodes at one instant, each for itself.
	PeakMilliCPU, PeakMemory int64
	// CoreSeconds and GiBSeconds are the sums over nodes and time.
	CoreSeconds, GiBSeconds float64
}

// Turn is a decision, with what the run had come to until then: two runs that differ in their decision alone are the same up
// to it.
type Turn struct {
	At       time.Duration // since the start
	Decision model.Decision
	// NodeTime is what Result.NodeTime would have been had the run ended then.
	NodeTime time.Duration
}

// Result is what a run found out.
type Result struct {
	Outcome Outcome
	// Reason and Message say why it is Blocked or Stuck, and what clears it: the condition of that name, or the
	// plan's first wait.
	Reason, Message string
	// Last is the last plan.
	Last model.Plan

	Duration time.Duration
	Timeline []Entry
	// Turns are the decisions of Options.Decide.
	Turns []Turn

	// Gaps has a line for every node that was without an agent, in the order of names; LongestGap is the
	// longest of all, and NodeTime their sum: node-seconds without an agent, of eligible nodes.
	Gaps       []NodeGap
	LongestGap time.Duration
	NodeTime   time.Duration
	// MostUnserved is the most eligible nodes that once had an agent and were without one at the same
	// time, from the first action on and as it really was; MostUnavailable what the plans' ledgers said.
	MostUnserved    int
	MostUnavailable int
	// Limits are the last plan's.
	Limits budget.Limits
	// DecidedBy is the limit that nodes waited for; Raise tells what more of it would give.
	DecidedBy Limit

	// MostOverlap is the most nodes that had two live Pods of the rollout at the same time;
	// OverlapTime the sum over nodes: what the rollout cost in capacity.
	MostOverlap int
	OverlapTime time.Duration
	// Extra is what Pods beside others hold, as the scheduler counts it.
	Extra Extra
	// Samples, if Options.Samples is set, have a line for every change of what they hold, and Absences one for each time
	// that a node was without an agent, in the order in which they ended.
	Samples  []Sample
	Absences []Absence
	// Double is the first time that two processes of one component ran on a node.
	Double *world.DoubleError

	// Violations of the properties, the first of each; empty unless Options.Judge is set.
	Violations []property.Violation

	Writes []WriteCount
	Plans  int
	Steps  int
	Bound  Bound
}

// Ending says how the run ended, and why: "blocked: FailedHold: the target failed on 2 nodes".
func (r *Result) Ending() string {
	text := r.Outcome.Word()
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	if r.Message != "" {
		text += ": " + r.Message
	}
	return text
}
