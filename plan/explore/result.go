package explore

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Kind is how a property is violated. The set is closed.
type Kind uint8

const (
	// Broken: an invariant does not hold; the trace ends where it breaks.
	Broken Kind = iota
	// NotReached: a fair run goes round the trace's loop for ever, or rests at its end, without the goal.
	NotReached
	// NeverMet: no state and no transition of the whole graph was a witness.
	NeverMet
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Broken:
		return "broken"
	case NotReached:
		return "not reached"
	case NeverMet:
		return "never met"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Violation is the shortest way found in which a property is violated.
type Violation struct {
	Property string
	Kind     Kind
	// Cause is the invariant's error; nil for the other kinds.
	Cause error
	Trace Trace
}

// Error gives property, kind and cause, then the trace.
func (v *Violation) Error() string {
	text := v.Property + " " + v.Kind.String()
	if v.Cause != nil {
		text += ": " + v.Cause.Error()
	}
	if v.Kind != NeverMet {
		text += "\n" + v.Trace.String()
	}
	return text
}

// Unwrap returns the cause.
func (v *Violation) Unwrap() error { return v.Cause }

// Met is a witness: how often it was met, and the shortest way there. Count is of new states and of all transitions.
type Met struct {
	Name  string
	Count int64
	Trace Trace
}

// Result is what a search found.
type Result struct {
	States      int
	Transitions int64
	// Depth of the deepest state; Deadlocks counts states without any transition.
	Depth, Deadlocks int
	// Limit is empty if every reachable state was visited; else it says what ended the search.
	Limit string
	// Unjudged are the goals and the witnesses of which a limited search cannot tell.
	Unjudged   []string
	Violations []Violation
	Witnesses  []Met
	// KeyBytes is the size of a key as kept; Digests says that it is a digest of a longer one.
	KeyBytes int
	Digests  bool
	// VisitedBytes are the visited set's: keys, table and parents. GraphBytes are the kept transitions'.
	VisitedBytes, GraphBytes int64
	// Elapsed is 0 without a clock.
	Elapsed time.Duration
}

// Exhaustive tells whether every reachable state was visited.
func (r *Result) Exhaustive() bool { return r.Limit == "" }

// Err joins the violations; nil if there are none. A limit is no error.
func (r *Result) Err() error {
	var list []error
	for i := range r.Violations {
		list = append(list, &r.Violations[i])
	}
	return errors.Join(list...)
}

// Collision bounds the chance that two states had one digest, and so one was never looked at: n²/2¹²⁹. It is 0 if keys are
// kept as they are.
func (r *Result) Collision() float64 {
	if !r.Digests {
		return 0
	}
	return float64(r.States) * float64(r.States) / math.Pow(2, 8*digest+1)
}

// BytesPerState is the memory of the visited set and the graph, divided by the states.
func (r *Result) BytesPerState() float64 {
	if r.States == 0 {
		return 0
	}
	return float64(r.VisitedBytes+r.GraphBytes) / float64(r.States)
}

// String is one line of counts, one a witness, and the violations in full.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states, %d transitions, depth %d, %.1f B a state", r.States, r.Transitions, r.Depth, r.BytesPerState())
	if s := r.Elapsed.Seconds(); s > 0 {
		fmt.Fprintf(&b, ", %.1f s, %.0f states/s", s, float64(r.States)/s)
	}
	if r.Exhaustive() {
		b.WriteString(", exhaustive")
	} else {
		fmt.Fprintf(&b, ", NOT exhaustive: limit of %s", r.Limit)
	}
	if r.Digests {
		fmt.Fprintf(&b, ", chance of a collision ≤ %.0e", r.Collision())
	}
	for _, name := range r.Unjudged {
		fmt.Fprintf(&b, "\n  not judged: %s", name)
	}
	for i := range r.Witnesses {
		fmt.Fprintf(&b, "\n  %s: %d times, first after %d steps", r.Witnesses[i].Name, r.Witnesses[i].Count, len(r.Witnesses[i].Trace.Steps))
	}
	for i := range r.Violations {
		b.WriteString("\n  VIOLATED ")
		b.WriteString(strings.ReplaceAll(r.Violations[i].Error(), "\n", "\n  "))
	}
	return b.String()
}
