package explore

import (
	"fmt"
	"slices"
	"strings"
)

// CongruenceError says that two states have one key and different futures, so that a search looks at one and is
// blind to the other.
type CongruenceError struct {
	// One and Other are ways to the two states.
	One, Other Trace
	// Only are the transitions, each with a print of the key that it leads to, that just one of the states has.
	OnlyOne, OnlyOther []string
}

// Error gives both ways, and what the states do not share.
func (e *CongruenceError) Error() string {
	return fmt.Sprintf("two states have one key and different transitions:\nonly the first: %s\nonly the second: %s\nthe first: %s\nthe second: %s",
		strings.Join(e.OnlyOne, ", "), strings.Join(e.OnlyOther, ", "), &e.One, &e.Other)
}

// Congruent explores up to so many states and compares, whenever a state is met again, whose key has been seen, the
// transitions of both: names and keys of where they lead. It returns how many pairs it compared, and the first that
// differs as a *CongruenceError. A pair agrees for one step; with every pair agreeing, all futures do.
//
// It keeps every state: use it on small scopes, to test a key.
func Congruent[S any](model Model[S], states int) (compared int, err error) {
	c := congruence[S]{model: model, known: map[string]*first[S]{}}
	for i, state := range model.Initial() {
		if err := c.visit(state, Trace{Start: i, Loop: -1}); err != nil {
			return c.compared, err
		}
	}
	for i := 0; i < len(c.order) && len(c.order) < states; i++ {
		from := c.order[i]
		var failed error
		each(model, from.state, func(unique, _ string, next S) bool {
			way := Trace{Start: from.way.Start, Loop: -1, Steps: append(slices.Clip(from.way.Steps), unique)}
			failed = c.visit(next, way)
			return failed == nil
		})
		if failed != nil {
			return c.compared, failed
		}
	}
	return c.compared, nil
}

type congruence[S any] struct {
	model    Model[S]
	known    map[string]*first[S]
	order    []*first[S]
	compared int
}

// first is the state that was met first of its key.
type first[S any] struct {
	state S
	way   Trace
	moves []string // sorted
}

func (c *congruence[S]) visit(state S, way Trace) error {
	key := string(c.model.Key(state, nil))
	known, ok := c.known[key]
	moves := c.moves(state)
	if !ok {
		known = &first[S]{state, way, moves}
		c.known[key], c.order = known, append(c.order, known)
		return nil
	}
	c.compared++
	if slices.Equal(known.moves, moves) {
		return nil
	}
	return &CongruenceError{One: known.way, Other: way, OnlyOne: missing(known.moves, moves), OnlyOther: missing(moves, known.moves)}
}

func (c *congruence[S]) moves(state S) (moves []string) {
	c.model.Next(state, func(name string, next S) {
		moves = append(moves, fmt.Sprintf("%s → %q", name, c.model.Key(next, nil)))
	})
	slices.Sort(moves)
	return moves
}

func missing(list, from []string) (rest []string) {
	for _, item := range list {
		if _, found := slices.BinarySearch(from, item); !found {
			rest = append(rest, item)
		}
	}
	return rest
}
