package page

import "math"

// State is what a node is in.
type State int

// The states of a node.
const (
	// Source: as it was, with its agent.
	Source State = iota
	// Overlap: the target prepares beside the source.
	Overlap
	// Gap: without an agent.
	Gap
	// Target: handed over, with its agent.
	Target
	// Away: without an agent while the node is not eligible, which counts in no gap.
	Away
	states
)

// RunChart is what a simulated rollout is drawn from. All times are seconds since the start, and series are columns of equal length.
type RunChart struct {
	Duration float64   `json:"durationSeconds"`
	Samples  *Samples  `json:"samples,omitempty"`
	Plans    *Accounts `json:"plans"`
	Phases   []Mark    `json:"phases,omitempty"`
	Events   []Mark    `json:"events,omitempty"`
	// Nodes are a line each, Groups lines of many; one of them is empty.
	Nodes  []Node  `json:"nodes,omitempty"`
	Groups []Group `json:"groups,omitempty"`
	// Reasons are those that nodes name by their place, from 0.
	Reasons []string `json:"reasons,omitempty"`
}

// Samples is the fleet as it really is: how many nodes are without an agent, have two Pods, and pull; and what Pods beside others request.
type Samples struct {
	At       []float64 `json:"at"`
	Unserved []int     `json:"withoutAgent"`
	Overlap  []int     `json:"inOverlap"`
	Pulling  []int     `json:"pulling"`
	MilliCPU []int64   `json:"extraMilliCPU"`
	Memory   []int64   `json:"extraMemoryBytes"`
}

// Accounts are the ledgers of the plans with their limits, one for every change.
type Accounts struct {
	At        []float64 `json:"at"`
	Eligible  []int     `json:"eligible"`
	Available []int     `json:"available"`
	Ambient   []int     `json:"ambient"`
	Committed []int     `json:"committed"`
	Joining   []int     `json:"joining"`
	Exempt    []int     `json:"exempt"`
	OnSource  []int     `json:"onSource"`
	InOverlap []int     `json:"inOverlap"`
	OnTarget  []int     `json:"onTarget"`
	Updated   []int     `json:"updated"`
	Budget    []int     `json:"budget"`
	Window    []int     `json:"window"`
}

// Mark is something at an instant.
type Mark struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// Turn is when a node comes into a state; in JSON [at, state].
type Turn struct {
	At    float64
	State State
}

// Note is when plans begin to give a reason for a node; in JSON [at, reason].
type Note struct {
	At     float64
	Reason int
}

// Span is a time within the run.
type Span struct {
	From  float64 `json:"from"`
	Until float64 `json:"until"`
}

// Node is the line of one node. The first turn is at 0.
type Node struct {
	Name   string  `json:"node"`
	Zone   string  `json:"zone,omitempty"`
	Turns  []Turn  `json:"turns"`
	Notes  []Note  `json:"reasons,omitempty"`
	Failed []Span  `json:"failed,omitempty"`
	Aside  []Span  `json:"exception,omitempty"`
	Gap    float64 `json:"longestGapSeconds,omitempty"`
}

// Put puts the node into the state within the span, whatever its turns say; what holds to the end of the run is until +Inf.
func (n *Node) Put(state State, s Span) {
	var turns []Turn
	add := func(at float64, state State) {
		if last := len(turns) - 1; last < 0 || turns[last].State != state {
			turns = append(turns, Turn{at, state})
		}
	}
	after := Source // what its turns say at the end of the span
	for _, t := range n.Turns {
		if t.At < s.From {
			add(t.At, t.State)
		}
		if t.At <= s.Until {
			after = t.State
		}
	}
	add(s.From, state)
	if !math.IsInf(s.Until, 1) {
		add(s.Until, after)
	}
	for _, t := range n.Turns {
		if t.At > s.Until {
			add(t.At, t.State)
		}
	}
	n.Turns = turns
}

// WaysChart is what a comparison is drawn from: what each way takes from the fleet, in its first draw.
type WaysChart struct {
	Ways []Way `json:"ways"`
}

// Way is one of them.
type Way struct {
	Name     string   `json:"strategy"`
	Duration float64  `json:"durationSeconds"`
	Reason   string   `json:"reason,omitempty"`
	Other    bool     `json:"comparison,omitempty"`
	Samples  *Samples `json:"samples,omitempty"`
}

// PlanChart is what a plan is drawn from: the nodes by shape.
type PlanChart struct {
	Shapes []Shape `json:"shapes"`
}

// Shape is what nodes have in common, with their number by zone.
type Shape struct {
	Stage   string         `json:"stage"`
	Verdict string         `json:"verdict"`
	Reason  string         `json:"reason"`
	Count   int            `json:"nodes"`
	Zones   map[string]int `json:"zones,omitempty"`
}

// MarshalJSON writes [at, state].
func (t Turn) MarshalJSON() ([]byte, error) { return pair(t.At, int(t.State)), nil }

// MarshalJSON writes [at, reason].
func (n Note) MarshalJSON() ([]byte, error) { return pair(n.At, n.Reason), nil }
