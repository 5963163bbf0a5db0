package explore

import "time"

// Model is what is explored. Its methods must be functions of their arguments: the same state gives the same
// transitions in the same order.
type Model[S any] interface {
	// Initial returns the states to begin with.
	Initial() []S
	// Next yields every transition that is enabled, with its name. Fairness speaks of names: transitions of one name are
	// one transition, wherever they lead. The state must not be changed.
	Next(state S, yield func(name string, next S))
	// Key appends what tells the state from others. Keys of up to 32 bytes must all have one length.
	Key(state S, buf []byte) []byte
}

// Invariant must hold in every state.
type Invariant[S any] struct {
	Name  string
	Holds func(S) error
}

// StepInvariant must hold of every transition.
type StepInvariant[S any] struct {
	Name  string
	Holds func(from S, name string, to S) error
}

// Witness must be met at least once: in a state, on a transition, or either if both are set.
type Witness[S any] struct {
	Name  string
	State func(S) bool
	Step  func(from S, name string, to S) bool
}

// Goal must be reached by every fair run: from the initial states, or with Again from every state that can be reached.
type Goal[S any] struct {
	Name    string
	Reached func(S) bool
	Again   bool
}

// Properties are what is judged. Their names must differ.
type Properties[S any] struct {
	Always    []Invariant[S]
	Steps     []StepInvariant[S]
	Sometimes []Witness[S]
	// Goals, at most eight. They make the search keep all transitions, of 6 bytes each.
	Goals []Goal[S]
}

// Options of a search. The zero value searches to the end.
type Options struct {
	// MaxStates and MaxDepth end the search early; 0 is no limit. The depth of an initial state is 0.
	MaxStates, MaxDepth int
	// StopAtFirst ends the search with the first violation of an invariant.
	StopAtFirst bool
	// Fair tells whether a transition that stays enabled happens at some time. nil: every one. A fault, which may never
	// come, is not fair.
	Fair func(name string) bool
	// Clock measures the search for Result.Elapsed; nil: it is not measured.
	Clock func() time.Time
	// OnProgress is told how far the search is: after every state whose successors are known, and before every goal is judged.
	OnProgress func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	// Expanded are the states whose successors are known, of the States that were found until now.
	Expanded, States int
	// Goal is the one that is judged next, after so many of all Goals; empty while states are visited.
	Goal          string
	Judged, Goals int
}
