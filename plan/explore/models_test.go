package explore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/stretchr/testify/require"
)

// peterson is mutual exclusion of two processes by two flags and a turn.
type peterson struct {
	// hasty lets a process look at the other flag before it sets its own.
	hasty bool
}

type petersonState struct {
	pc   [2]uint8 // idle, flagged, waiting, critical
	flag [2]bool
	turn uint8
}

const (
	idle uint8 = iota
	flagged
	waits
	critical
)

func (peterson) Initial() []petersonState { return []petersonState{{}} }

func (p peterson) Next(s petersonState, yield func(string, petersonState)) {
	for i := range uint8(2) {
		next, other := s, 1-i
		switch s.pc[i] {
		case idle:
			if next.flag[i], next.pc[i] = true, flagged; p.hasty {
				next.flag[i], next.pc[i] = false, waits
			}
			yield(fmt.Sprintf("want %d", i), next)
		case flagged:
			next.turn, next.pc[i] = other, waits
			yield(fmt.Sprintf("give way %d", i), next)
		case waits:
			if !s.flag[other] || !p.hasty && s.turn == i {
				next.pc[i] = critical
				if p.hasty {
					next.pc[i] = flagged + 10
				}
				yield(fmt.Sprintf("enter %d", i), next)
			}
		case flagged + 10:
			next.flag[i], next.pc[i] = true, critical
			yield(fmt.Sprintf("flag %d", i), next)
		case critical:
			next.flag[i], next.pc[i] = false, idle
			yield(fmt.Sprintf("leave %d", i), next)
		}
	}
}

func (peterson) Key(s petersonState, buf []byte) []byte {
	return append(buf, s.pc[0], s.pc[1], bit(s.flag[0])|bit(s.flag[1])<<1, s.turn)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func exclusion(s petersonState) error {
	if s.pc[0] == critical && s.pc[1] == critical {
		return errors.New("both are in the critical section")
	}
	return nil
}

// A process may rest idle for ever; whoever wants in gets in.
func enters(i int) explore.Goal[petersonState] {
	return explore.Goal[petersonState]{
		Name: fmt.Sprintf("process %d gets in", i), Again: true,
		Reached: func(s petersonState) bool { return s.pc[i] == idle || s.pc[i] == critical },
	}
}

func notWant(name string) bool { return !strings.HasPrefix(name, "want") }

func TestPeterson(t *testing.T) {
	result, err := explore.Run(peterson{}, explore.Properties[petersonState]{
		Always: []explore.Invariant[petersonState]{{Name: "exclusion", Holds: exclusion}},
		Sometimes: []explore.Witness[petersonState]{
			{Name: "contention", State: func(s petersonState) bool { return s.pc == [2]uint8{waits, waits} }},
		},
		Goals: []explore.Goal[petersonState]{enters(0), enters(1)},
	}, explore.Options{Fair: notWant})
	require.NoError(t, err)
	require.Empty(t, result.Violations, "%s", result)
	require.True(t, result.Exhaustive())
	require.Positive(t, result.Witnesses[0].Count)
}

func TestHastyPetersonBreaksExclusion(t *testing.T) {
	result, err := explore.Run(peterson{hasty: true}, explore.Properties[petersonState]{
		Always: []explore.Invariant[petersonState]{{Name: "exclusion", Holds: exclusion}},
	}, explore.Options{StopAtFirst: true})
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Len(t, result.Violations[0].Trace.Steps, 6, "the shortest way has three steps a process")
	states, err := explore.Replay(peterson{hasty: true}, result.Violations[0].Trace)
	require.NoError(t, err)
	require.Error(t, exclusion(states[len(states)-1]))
}

// philosophers take the left fork first, or all but the last one do.
type philosophers struct {
	seats    int
	lastTurn bool // the last one takes the right fork first
}

// table holds, by fork, who holds it, one-based.
type table [4]uint8

func (philosophers) Initial() []table { return []table{{}} }

func (p philosophers) Next(s table, yield func(string, table)) {
	for i := range p.seats {
		first, second := i, (i+1)%p.seats
		if p.lastTurn && i == p.seats-1 {
			first, second = second, first
		}
		me, next := uint8(i+1), s
		switch {
		case s[first] == me && s[second] == me:
			next[first], next[second] = 0, 0
			yield(fmt.Sprintf("philosopher %d puts both down", i), next)
		case s[first] == me && s[second] == 0:
			next[second] = me
			yield(fmt.Sprintf("philosopher %d eats", i), next)
		case s[first] == 0:
			next[first] = me
			yield(fmt.Sprintf("philosopher %d takes a fork", i), next)
		}
	}
}

func (philosophers) Key(s table, buf []byte) []byte { return append(buf, s[:]...) }

func (p philosophers) eats(s table) bool {
	for i := range p.seats {
		if s[i] != 0 && s[i] == s[(i+1)%p.seats] {
			return true
		}
	}
	return false
}

func TestPhilosophers(t *testing.T) {
	for _, c := range []struct {
		name      string
		model     philosophers
		deadlocks int
	}{
		{"all take the left fork first", philosophers{seats: 4}, 1},
		{"the last one takes the right fork first", philosophers{seats: 4, lastTurn: true}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, err := explore.Run(c.model, explore.Properties[table]{
				Goals: []explore.Goal[table]{{Name: "somebody eats", Reached: c.model.eats, Again: true}},
			}, explore.Options{})
			require.NoError(t, err)
			require.Equal(t, c.deadlocks, result.Deadlocks)
			require.Len(t, result.Violations, c.deadlocks)
			if c.deadlocks > 0 {
				trace := result.Violations[0].Trace
				require.Len(t, trace.Steps, 4, "everybody has taken one fork")
				require.Equal(t, len(trace.Steps), trace.Loop, "and rests")
				require.Contains(t, trace.String(), "then it rests for ever")
			}
		})
	}
}

// spinner turns for ever unless its only other transition happens.
type spinner struct{}

func (spinner) Initial() []uint8 { return []uint8{0} }

func (spinner) Next(s uint8, yield func(string, uint8)) {
	if s == 9 {
		return
	}
	yield("spin", (s+1)%3)
	yield("finish", 9)
}

func (spinner) Key(s uint8, buf []byte) []byte { return append(buf, s) }

func TestFairnessAloneExcludesALoop(t *testing.T) {
	goal := []explore.Goal[uint8]{{Name: "finishes", Reached: func(s uint8) bool { return s == 9 }}}
	for _, c := range []struct {
		name string
		fair func(string) bool
		want []string // the loop
	}{
		{"every transition is fair", nil, nil},
		{"finishing need not happen", func(name string) bool { return name != "finish" }, []string{"spin", "spin", "spin"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, err := explore.Run(spinner{}, explore.Properties[uint8]{Goals: goal}, explore.Options{Fair: c.fair})
			require.NoError(t, err)
			if c.want == nil {
				require.Empty(t, result.Violations)
				return
			}
			require.Len(t, result.Violations, 1)
			require.Equal(t, explore.NotReached, result.Violations[0].Kind)
			require.Zero(t, result.Violations[0].Trace.Loop)
			// One spin is taken; that the run is fair to it needs no more than one, and the way back.
			require.Equal(t, c.want, result.Violations[0].Trace.Steps)
		})
	}
}

// ring passes one token round; a faulty ring may make a second one.
type ring struct {
	size   int
	faulty bool
}

func (ring) Initial() []uint16 { return []uint16{1} }

func (r ring) Next(s uint16, yield func(string, uint16)) {
	for i := range r.size {
		if s&(1<<i) == 0 {
			continue
		}
		next := uint16(1) << ((i + 1) % r.size)
		yield(fmt.Sprintf("%d passes the token", i), s&^(1<<i)|next)
		if r.faulty && i == r.size-1 {
			yield(fmt.Sprintf("%d keeps a copy", i), s|next)
		}
	}
}

func (ring) Key(s uint16, buf []byte) []byte { return append(buf, byte(s), byte(s>>8)) }

func TestTokenRing(t *testing.T) {
	for _, c := range []struct {
		ring   ring
		states int
		broken int
	}{
		{ring{size: 5}, 5, 0},
		{ring{size: 5, faulty: true}, 31, 1},
	} {
		t.Run(fmt.Sprintf("%+v", c.ring), func(t *testing.T) {
			properties := explore.Properties[uint16]{
				Always: []explore.Invariant[uint16]{{Name: "one token", Holds: func(s uint16) error {
					if s&(s-1) != 0 {
						return fmt.Errorf("tokens %05b", s)
					}
					return nil
				}}},
			}
			for i := range c.ring.size {
				properties.Goals = append(properties.Goals, explore.Goal[uint16]{
					Name: fmt.Sprintf("%d has the token", i), Again: true, Reached: func(s uint16) bool { return s&(1<<i) != 0 },
				})
			}
			result, err := explore.Run(c.ring, properties, explore.Options{})
			require.NoError(t, err)
			require.Equal(t, c.states, result.States)
			require.Len(t, result.Violations, c.broken, "%s", result)
			if c.broken > 0 {
				require.Equal(t, "4 keeps a copy", result.Violations[0].Trace.Steps[4])
			}
		})
	}
}
