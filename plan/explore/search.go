package explore

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
)

const mostGoals = 8

// ErrNoStates says that a model has no initial state: nothing would be judged.
var ErrNoStates = errors.New("the model has no initial state")

// Run explores the model and judges the properties. A violation is part of the result; the error is for a model that
// cannot be explored: ErrNoStates, a *KeyError, or more than eight goals.
func Run[S any](model Model[S], properties Properties[S], options Options) (*Result, error) {
	if len(properties.Goals) > mostGoals {
		return nil, fmt.Errorf("%d goals: a search judges at most %d", len(properties.Goals), mostGoals)
	}
	s := &search[S]{model: model, properties: properties, options: options, broken: map[string]bool{}}
	s.result.Witnesses = make([]Met, len(properties.Sometimes))
	for i := range properties.Sometimes {
		s.result.Witnesses[i].Name = properties.Sometimes[i].Name
	}
	if options.Clock != nil {
		began := options.Clock()
		defer func() { s.result.Elapsed = options.Clock().Sub(began) }()
	}
	if err := s.explore(); err != nil {
		return nil, err
	}
	s.measure()
	if err := s.judgeGoals(); err != nil {
		return nil, err
	}
	s.judgeWitnesses()
	return &s.result, nil
}

// judgeWitnesses: what a limited search did not meet it might have met later.
func (s *search[S]) judgeWitnesses() {
	for i := range s.result.Witnesses {
		switch w := &s.result.Witnesses[i]; {
		case w.Count > 0:
		case s.result.Limit != "":
			s.result.Unjudged = append(s.result.Unjudged, w.Name)
		default:
			s.result.Violations = append(s.result.Violations, Violation{Property: w.Name, Kind: NeverMet, Trace: Trace{Loop: -1}})
		}
	}
}

// search is one run.
type search[S any] struct {
	model      Model[S]
	properties Properties[S]
	options    Options
	store      *store
	graph      graph
	result     Result
	broken     map[string]bool // properties with a violation already
	expanded   int

	here, ahead []item[S]
	buf         []byte
	sum         [sha256.Size]byte
	err         error

	// The state that is being expanded, and whether it has shown no transition yet.
	from  *item[S]
	none  bool
	yield func(string, S) // taken, bound once
}

// item is a state whose successors are yet to be computed.
type item[S any] struct {
	id    int32
	state S
}

func (s *search[S]) explore() error {
	initial := s.model.Initial()
	if len(initial) == 0 {
		return ErrNoStates
	}
	s.store = newStore(len(s.model.Key(initial[0], nil)))
	s.graph.init(len(s.properties.Goals) > 0)
	s.yield = s.taken
	for i, state := range initial {
		// The parent of an initial state is its index, below all numbers.
		if _, _, err := s.visit(state, int32(-1-i)); err != nil {
			return err
		}
	}
	for depth := 0; len(s.ahead) > 0; depth++ {
		s.result.Depth = depth
		if s.options.MaxDepth > 0 && depth == s.options.MaxDepth {
			s.limit("depth %d", depth)
			return nil
		}
		s.here, s.ahead = s.ahead, s.here[:0]
		for i := range s.here {
			if s.stopped() {
				return nil
			}
			if s.expand(&s.here[i]); s.err != nil {
				return s.err
			}
			s.here[i] = item[S]{} // let the state go
			s.expanded++
			s.tell(Progress{Expanded: s.expanded, States: s.store.count})
		}
	}
	return nil
}

func (s *search[S]) tell(p Progress) {
	if s.options.OnProgress != nil {
		s.options.OnProgress(p)
	}
}

func (s *search[S]) stopped() bool {
	if s.options.StopAtFirst && len(s.result.Violations) > 0 {
		s.limit("the first violation")
	}
	return s.result.Limit != ""
}

func (s *search[S]) limit(format string, args ...any) {
	if s.result.Limit == "" {
		s.result.Limit = fmt.Sprintf(format, args...)
	}
}

// expand computes a state's successors.
func (s *search[S]) expand(from *item[S]) {
	s.graph.begin()
	s.from, s.none = from, true
	s.model.Next(from.state, s.yield)
	if s.none {
		s.result.Deadlocks++
	}
}

// taken judges one transition of the state that is being expanded.
func (s *search[S]) taken(name string, next S) {
	s.none = false
	if s.err != nil || s.result.Limit != "" {
		return
	}
	s.result.Transitions++
	id, _, err := s.visit(next, s.from.id)
	if err != nil || id < 0 {
		s.err = err
		return
	}
	if !s.graph.add(id, name) {
		s.limit("%d names of transitions", math.MaxUint16)
	}
	s.judgeStep(s.from, step{id, name}, next)
}

// visit numbers a state and judges it if it is new. The number is -1 if a limit keeps it out.
func (s *search[S]) visit(state S, parent int32) (id int32, fresh bool, err error) {
	s.buf = s.model.Key(state, s.buf[:0])
	kept, err := s.store.kept(s.buf, &s.sum)
	if err != nil {
		return -1, false, err
	}
	full := s.store.full() || s.options.MaxStates > 0 && s.store.count >= s.options.MaxStates
	if full {
		if id, _ = s.store.find(kept); id < 0 {
			s.limit("%d states", s.store.count)
		}
		return id, false, nil
	}
	id, fresh = s.store.add(kept, parent)
	if !fresh {
		return id, false, nil
	}
	s.ahead = append(s.ahead, item[S]{id, state})
	return id, true, s.judgeState(id, state)
}

func (s *search[S]) judgeState(id int32, state S) error {
	for i := range s.properties.Always {
		p := &s.properties.Always[i]
		if s.broken[p.Name] {
			continue
		}
		if err := p.Holds(state); err != nil {
			if err := s.violated(p.Name, err, id); err != nil {
				return err
			}
		}
	}
	for i := range s.properties.Sometimes {
		if w := &s.properties.Sometimes[i]; w.State != nil && w.State(state) {
			s.met(i, id)
		}
	}
	var reached uint8
	for i := range s.properties.Goals {
		if s.properties.Goals[i].Reached(state) {
			reached |= 1 << i
		}
	}
	s.graph.mark(reached)
	return nil
}

func (s *search[S]) judgeStep(from *item[S], taken step, next S) {
	for i := range s.properties.Steps {
		p := &s.properties.Steps[i]
		if s.broken[p.Name] {
			continue
		}
		if err := p.Holds(from.state, taken.name, next); err != nil {
			s.err = cmp.Or(s.err, s.violated(p.Name, err, from.id, taken))
		}
	}
	for i := range s.properties.Sometimes {
		if w := &s.properties.Sometimes[i]; w.Step != nil && w.Step(from.state, taken.name, next) {
			s.met(i, from.id, taken)
		}
	}
}

// violated records the first, and so a shortest, violation of a property.
func (s *search[S]) violated(property string, cause error, id int32, then ...step) error {
	trace, err := s.traceTo(id, then...)
	s.broken[property] = true
	s.result.Violations = append(s.result.Violations, Violation{Property: property, Kind: Broken, Cause: cause, Trace: trace})
	return err
}

func (s *search[S]) met(i int, id int32, then ...step) {
	w := &s.result.Witnesses[i]
	if w.Count++; w.Count == 1 {
		trace, err := s.traceTo(id, then...)
		w.Trace, s.err = trace, cmp.Or(s.err, err)
	}
}

func (s *search[S]) measure() {
	s.result.States = s.store.count
	s.result.KeyBytes, s.result.Digests = s.store.width, s.store.digests
	s.result.VisitedBytes, s.result.GraphBytes = s.store.bytes(), s.graph.bytes()
}
