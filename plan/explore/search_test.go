package explore_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/stretchr/testify/require"
)

// counters are so many counters that step on, each for itself, up to a top. Keys are padded to a length.
type counters struct {
	count, top int
	key        int
}

var counterNames = [...]string{"step 0", "step 1", "step 2", "step 3", "step 4", "step 5", "step 6", "step 7", "step 8", "step 9"}

func (counters) Initial() []uint64 { return []uint64{0} }

func (c counters) Next(s uint64, yield func(string, uint64)) {
	for i := range c.count {
		if s>>(4*i)&15 < uint64(c.top) {
			yield(counterNames[i], s+1<<(4*i))
		}
	}
}

func (c counters) Key(s uint64, buf []byte) []byte {
	for len(buf) < c.key-8 {
		buf = append(buf, 0)
	}
	return binary.LittleEndian.AppendUint64(buf, s)
}

func TestSearchCountsEveryStateOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		model   counters
		options explore.Options
		states  int
		depth   int
		limit   string
		digests bool
	}{
		{"to the end", counters{4, 9, 8}, explore.Options{}, 10_000, 36, "", false},
		{"with the widest exact key", counters{4, 9, 32}, explore.Options{}, 10_000, 36, "", false},
		{"with digests", counters{4, 9, 40}, explore.Options{}, 10_000, 36, "", true},
		{"over many pages", counters{5, 9, 8}, explore.Options{}, 100_000, 45, "", false},
		{"to a number of states", counters{4, 9, 8}, explore.Options{MaxStates: 500}, 500, 8, "500 states", false},
		{"to the very number of states", counters{4, 9, 8}, explore.Options{MaxStates: 10_000}, 10_000, 36, "", false},
		{"to a depth", counters{4, 9, 8}, explore.Options{MaxDepth: 2}, 15, 2, "depth 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, err := explore.Run(c.model, explore.Properties[uint64]{}, c.options)
			require.NoError(t, err)
			require.Equal(t, c.states, result.States)
			require.Equal(t, c.depth, result.Depth)
			require.Equal(t, c.limit, result.Limit)
			require.Equal(t, c.limit == "", result.Exhaustive())
			require.Equal(t, c.digests, result.Digests)
			require.Equal(t, c.digests, result.Collision() > 0)
		})
	}
}

func TestALimitLeavesGoalsUnjudged(t *testing.T) {
	never := explore.Goal[uint64]{Name: "never", Reached: func(uint64) bool { return false }}
	met := explore.Witness[uint64]{Name: "the top", State: func(s uint64) bool { return s == 0x9999 }}
	result, err := explore.Run(counters{4, 9, 8}, explore.Properties[uint64]{
		Goals: []explore.Goal[uint64]{never}, Sometimes: []explore.Witness[uint64]{met},
	}, explore.Options{MaxStates: 9})
	require.NoError(t, err)
	require.Empty(t, result.Violations)
	require.Equal(t, []string{"never", "the top"}, result.Unjudged)
	require.Contains(t, result.String(), "NOT exhaustive: limit of 9 states")
	require.Contains(t, result.String(), "not judged: never")
}

func TestAWitnessThatIsNeverMetIsAViolation(t *testing.T) {
	result, err := explore.Run(counters{2, 3, 8}, explore.Properties[uint64]{Sometimes: []explore.Witness[uint64]{
		{Name: "three threes", State: func(s uint64) bool { return s == 0x333 }},
		{Name: "the last step", Step: func(_ uint64, _ string, to uint64) bool { return to == 0x33 }},
	}}, explore.Options{})
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, explore.NeverMet, result.Violations[0].Kind)
	require.EqualValues(t, 2, result.Witnesses[1].Count, "two transitions lead there")
	require.Len(t, result.Witnesses[1].Trace.Steps, 6)
}

var errSecond = errors.New("it does")

func TestStepInvariantsNameTheTransition(t *testing.T) {
	result, err := explore.Run(counters{2, 3, 8}, explore.Properties[uint64]{Steps: []explore.StepInvariant[uint64]{
		{Name: "the second never passes the first", Holds: func(from uint64, _ string, to uint64) error {
			if to>>4&15 > to&15 {
				return errSecond
			}
			return nil
		}},
	}}, explore.Options{StopAtFirst: true})
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, []string{"step 1"}, result.Violations[0].Trace.Steps)
	require.Equal(t, "the first violation", result.Limit)
	var violation *explore.Violation
	require.ErrorAs(t, result.Err(), &violation)
	require.ErrorIs(t, result.Err(), errSecond)
	require.EqualError(t, violation, "the second never passes the first broken: it does\nfrom initial state 0\n   1 step 1")
}

// ragged has keys of two lengths.
type ragged struct{ spinner }

func (ragged) Key(s uint8, buf []byte) []byte { return append(buf, make([]byte, 1+s)...) }

// empty begins nowhere.
type empty struct{ spinner }

func (empty) Initial() []uint8 { return nil }

func TestModelsThatCannotBeExplored(t *testing.T) {
	_, err := explore.Run(ragged{}, explore.Properties[uint8]{}, explore.Options{})
	var key *explore.KeyError
	require.ErrorAs(t, err, &key)
	_, err = explore.Run(empty{}, explore.Properties[uint8]{}, explore.Options{})
	require.ErrorIs(t, err, explore.ErrNoStates)
	_, err = explore.Run(spinner{}, explore.Properties[uint8]{Goals: make([]explore.Goal[uint8], 9)}, explore.Options{})
	require.Error(t, err)
}

// double has two transitions of one name.
type double struct{ spinner }

func (double) Next(s uint8, yield func(string, uint8)) {
	if s == 0 {
		yield("go", 1)
		yield("go", 2)
	}
}

func TestTracesTellTransitionsOfOneNameApart(t *testing.T) {
	result, err := explore.Run(double{}, explore.Properties[uint8]{Sometimes: []explore.Witness[uint8]{
		{Name: "two", State: func(s uint8) bool { return s == 2 }},
		{Name: "to two", Step: func(_ uint8, _ string, to uint8) bool { return to == 2 }},
	}}, explore.Options{})
	require.NoError(t, err)
	for _, met := range result.Witnesses {
		require.Equal(t, []string{"go#2"}, met.Trace.Steps)
		way, err := explore.Replay(double{}, met.Trace)
		require.NoError(t, err)
		require.Equal(t, []uint8{0, 2}, way)
	}
}

func TestReplayRefusesWhatIsNotEnabled(t *testing.T) {
	way, err := explore.Replay(spinner{}, explore.Trace{Steps: []string{"spin", "jump"}})
	var replay *explore.ReplayError
	require.ErrorAs(t, err, &replay)
	require.Equal(t, &explore.ReplayError{Step: 1, Name: "jump", Enabled: []string{"spin", "finish"}}, replay)
	require.Equal(t, []uint8{0, 1}, way)
	_, err = explore.Replay(spinner{}, explore.Trace{Start: 1})
	require.ErrorAs(t, err, &replay)
}

func TestElapsedIsOfTheGivenClock(t *testing.T) {
	now := time.Unix(0, 0)
	result, err := explore.Run(counters{2, 3, 8}, explore.Properties[uint64]{}, explore.Options{Clock: func() time.Time {
		now = now.Add(2 * time.Second)
		return now
	}})
	require.NoError(t, err)
	require.Equal(t, 2*time.Second, result.Elapsed)
	require.Contains(t, result.String(), "2.0 s, 8 states/s")
}

// A search tells how far it is: every state once, and then each goal.
func TestASearchTellsItsProgress(t *testing.T) {
	var told []explore.Progress
	goals := []explore.Goal[uint64]{
		{Name: "the top", Reached: func(s uint64) bool { return s == 0x22 }}, {Name: "the start", Reached: func(s uint64) bool { return s == 0 }},
	}
	result, err := explore.Run(counters{2, 2, 8}, explore.Properties[uint64]{Goals: goals}, explore.Options{OnProgress: func(p explore.Progress) { told = append(told, p) }})
	require.NoError(t, err)
	require.Len(t, told, result.States+len(goals))
	for i, p := range told[:result.States] {
		require.Equal(t, i+1, p.Expanded)
		require.GreaterOrEqual(t, p.States, p.Expanded)
		require.Empty(t, p.Goal)
	}
	for i, p := range told[result.States:] {
		require.Equal(t, explore.Progress{Expanded: 9, States: 9, Goal: goals[i].Name, Judged: i, Goals: 2}, p)
	}
}
