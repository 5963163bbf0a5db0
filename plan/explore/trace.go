package explore

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Trace is a way through a model, by the names of its transitions. Where a state has several transitions of one name,
// the second is written name#2, and so on.
type Trace struct {
	// Start is the index of the initial state.
	Start int
	Steps []string
	// Loop is the number of steps after which the rest repeats for ever; -1 if the trace just ends. A loop that begins at the
	// end is a run that rests there.
	Loop int
}

// String numbers the steps, one a line, and marks the loop.
func (t *Trace) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "from initial state %d", t.Start)
	for i, step := range t.Steps {
		if i == t.Loop {
			b.WriteString("\nthen for ever")
		}
		fmt.Fprintf(&b, "\n%4d %s", i+1, step)
	}
	if t.Loop == len(t.Steps) {
		b.WriteString("\nthen it rests for ever")
	}
	return b.String()
}

// ReplayError says that a trace is not one of the model.
type ReplayError struct {
	// Step is the index of the step that is not enabled; -1 if the start does not exist.
	Step    int
	Name    string
	Enabled []string
}

// Error names the step and what was enabled instead.
func (e *ReplayError) Error() string {
	if e.Step < 0 {
		return "there is no such initial state"
	}
	return fmt.Sprintf("step %d: %s is not enabled; enabled are: %s", e.Step+1, e.Name, strings.Join(e.Enabled, ", "))
}

// Replay goes the trace's way again and returns its states, the initial one first. The error is a *ReplayError; the
// states up to there are returned with it.
func Replay[S any](model Model[S], trace Trace) ([]S, error) {
	initial := model.Initial()
	if trace.Start < 0 || trace.Start >= len(initial) {
		return nil, &ReplayError{Step: -1}
	}
	states := []S{initial[trace.Start]}
	for i, step := range trace.Steps {
		var names []string
		found := false
		each(model, states[i], func(name, _ string, next S) bool {
			if names = append(names, name); name == step {
				found, states = true, append(states, next)
			}
			return !found
		})
		if !found {
			return states, &ReplayError{Step: i, Name: step, Enabled: names}
		}
	}
	return states, nil
}

// each yields the transitions with names that are unique in the state, beside the model's own, until told to stop.
func each[S any](model Model[S], state S, yield func(unique, name string, next S) bool) {
	count := map[string]int{}
	stopped := false
	model.Next(state, func(name string, next S) {
		if stopped {
			return
		}
		unique := name
		if count[name]++; count[name] > 1 {
			unique += "#" + strconv.Itoa(count[name])
		}
		stopped = !yield(unique, name, next)
	})
}

// step is one transition of a way through the numbered graph; an empty name is any transition to there.
type step struct {
	to   int32
	name string
}

// traceTo derives the shortest trace to a state, and of what is done there.
func (s *search[S]) traceTo(id int32, then ...step) (Trace, error) {
	start, path := s.pathTo(id)
	return s.derive(start, append(path, then...))
}

// pathTo follows the parents back to an initial state.
func (s *search[S]) pathTo(id int32) (start int, path []step) {
	for {
		parent := s.store.parent(id)
		if parent < 0 {
			slices.Reverse(path)
			return int(-1 - parent), path
		}
		path = append(path, step{to: id})
		id = parent
	}
}

// derive computes the states of a way again, and with them the names of its transitions.
func (s *search[S]) derive(start int, path []step) (Trace, error) {
	trace := Trace{Start: start, Loop: -1, Steps: make([]string, 0, len(path))}
	state := s.model.Initial()[start]
	for _, want := range path {
		next, name, found, err := s.follow(state, want)
		if err != nil {
			return trace, err
		}
		if !found {
			return trace, fmt.Errorf("after %d steps the model does not repeat its own transition: it is no function of its state\n%s", len(trace.Steps), &trace)
		}
		state, trace.Steps = next, append(trace.Steps, name)
	}
	return trace, nil
}

func (s *search[S]) follow(state S, want step) (next S, name string, found bool, err error) {
	var buf []byte
	var sum [sha256.Size]byte
	each(s.model, state, func(unique, plain string, to S) bool {
		if want.name != "" && plain != want.name {
			return true
		}
		buf = s.model.Key(to, buf[:0])
		kept, wrong := s.store.kept(buf, &sum)
		if err = wrong; err != nil {
			return false
		}
		if id, _ := s.store.find(kept); id == want.to {
			next, name, found = to, unique, true
		}
		return !found
	})
	return next, name, found, err
}
