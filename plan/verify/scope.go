package verify

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
)

// Planner is one planning step: plan.Next, or any other.
type Planner func(*model.Snapshot) (model.Plan, error)

// Triggers say when the executor plans. The set is closed.
type Triggers uint8

const (
	// Anytime: in every state, whether something has changed or not.
	Anytime Triggers = iota
	// Woken: after a change of an object of a kind that the last plan's WakeOn names, after a refusal, or when its
	// RequeueAfter has passed.
	Woken
	// Polled: every trigger is lost. Only the last plan's RequeueAfter lets it plan again, or a refusal.
	Polled
)

// Document is what is desired at one time. The change from one to the next may come at any moment, or never.
type Document struct {
	// Name stands in traces: "revision 2", "opt-out".
	Name    string
	Rollout *model.Rollout
	// Bad: the desired revision never serves. The end is that the former one serves, and that the bad one is remembered.
	Bad bool
	// MayFail: time may pass the deadline though the revision is good. The end may be the one of a bad one as well.
	MayFail bool
	// Held: a setting holds nodes back. The end is that every node is served, and that the plan rests.
	Held bool
	// Refused: the plan is Blocked. The end is that every node is served, and that the plan rests.
	Refused bool
}

// Fault is a kind of fault. Value is what the world cannot make up: a label edit, a taint, an image, a propagation, the name of a
// node that joins.
type Fault struct {
	Kind  world.Kind
	Value string
}

// Witness is what a search must meet so often, or it proves nothing; what has no least number is counted only. It is the beginning of a transition's name, a word in
// it, or one of the states Blocked, Complete and Remembered.
type Witness struct {
	What  string
	Least int64
}

// Scope says what is explored.
type Scope struct {
	Name string
	// Long scopes are left out of a quick run.
	Long bool
	// Start is the cluster to begin with.
	Start model.Objects
	// Documents that are desired one after the other; of the first one the start is the result, unless Fresh.
	Documents []Document
	// Fresh starts with the objects as they are: nothing is installed first, and nodes without an agent are no loss.
	Fresh bool
	// Given starts with the objects as they are, whatever state that is. Nodes without an agent are a loss unless they are so at
	// the start.
	Given bool
	// Deployed starts where the first document's plain DaemonSet serves every node of the start, and is Given otherwise.
	Deployed bool
	// Images tell what images do, by image or container@image.
	Images map[string]world.Behaviour

	// Prompt executors carry a plan out with nothing in between, and Coarse worlds hurry through small steps: binding, init
	// containers, readiness after startup, the object's end after the last process.
	Prompt, Coarse bool
	Triggers       Triggers
	// Forgetful executors do not tell the planner what they have issued.
	Forgetful bool
	// Literal executors look again only at what costs availability by the plan's own word, a paid seat, as plan.Validate asks for; the
	// others look at all that rests on other objects, as package execute asks for.
	Literal bool
	// Lists: before what rests on other objects the executor reads everything live, not only what the step names, and lets a clone of its run judge
	// by that: what befalls other nodes behind caches that are late is seen.
	Lists bool
	// Lags are the caches that show changes late.
	Lags []world.Cache

	// Most faults of these kinds may happen, and so many crashes of executors. Lasting faults never end.
	Most    int
	Faults  []Fault
	Lasting bool
	Crashes int
	// Pulls are images that may fail to be pulled for a while: each time is a fault.
	Pulls []string
	// Clocks are how far the executor's clock may be wrong for a while, Still that it stands; each time is a fault.
	Clocks []time.Duration

	Witnesses []Witness

	// OpenWorld scopes are judged by the promises that Judges names beside the others; and nobody asks of one where something stays bad that it
	// ends served.
	OpenWorld bool
	Judges    []string
	// Known is what the planner is known to get wrong here, by its name in RESULTS.md; empty for nothing. Such a scope is
	// not among Scopes.
	Known string
	// After are transitions that happen before anything is explored, once the first document serves: they are nobody's fault, and
	// nobody ends what they begin.
	After []world.Transition

	// Planner and Validate are plan.Next and plan.Validate if they are nil. With another Validate the executor's fresh looks find nothing: a
	// planner that is wrong is to be seen.
	Planner  Planner
	Validate func(*model.Snapshot, *model.Plan) []plan.Violation
}

// MostFaults is the most that a number of a scope can be: documents, faults, crashes and clocks have four bits each of a key.
const MostFaults = 15

// Still is the clock that stands.
const Still time.Duration = 1

const (
	// Deadline is a duration that no trace reaches, and that a jump of time passes: it stands for every duration of a
	// document.
	Deadline = 1_000_000 * time.Second
	jump     = 2 * Deadline
	tick     = time.Second
	right    = 0 // the clock
)

// places is the most nodes that the scope can have.
func (s *Scope) places() int {
	places := len(s.Start.Nodes)
	for _, fault := range s.Faults {
		if fault.Kind == world.JoinNode {
			places++
		}
	}
	for _, t := range s.After {
		if t.Kind == world.JoinNode {
			places++
		}
	}
	return places
}

func (s *Scope) wipes() bool {
	for _, fault := range s.Faults {
		if fault.Kind == world.KillSet && fault.Value != "Orphan" {
			return true
		}
	}
	return false
}

// ages are what the planner notices of time: that the deadline has passed, that a Pod has settled, and how often the slow
// start has grown.
func (s *Scope) ages() []time.Duration {
	ages := []time.Duration{Deadline}
	for i := range s.Documents {
		strategy := s.Documents[i].Rollout.WithDefaults().Spec.Strategy
		if settle := time.Duration(*strategy.SettleSeconds) * time.Second; settle > 0 {
			ages = append(ages, settle)
		}
		if strategy.SlowStart != nil {
			ages = append(ages, 2*Deadline, 4*Deadline)
		}
	}
	slices.Sort(ages)
	return slices.Compact(ages)
}

// restTime is how long a waiting replacement must have run since its last restart in a prepared surge before it is made anew: the
// one duration within reach of a trace. It is 0 elsewhere.
func (s *Scope) restTime() time.Duration {
	for i := range s.Documents {
		strategy := s.Documents[i].Rollout.WithDefaults().Spec.Strategy
		if strategy.Type == model.Surge && strategy.Overlap == model.Locked {
			return time.Minute
		}
	}
	return 0
}
