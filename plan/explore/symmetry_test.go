package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/stretchr/testify/require"
)

// turns is a pacing that takes the workers in the order of their numbers, as a planner breaks ties, and that
// forgets to charge those who fell by themselves. One of them may fall.
type turns struct {
	// sorts makes the key forget which worker is in which state, as if they were interchangeable.
	sorts bool
}

type crew [3]byte // up, down, moving, done

const (
	up     = 'u'
	down   = 'd'
	moving = 'm'
	done   = 'D'
)

func (turns) Initial() []crew { return []crew{{up, up, up}} }

func (turns) Next(s crew, yield func(string, crew)) {
	first := slices.IndexFunc(s[:], func(b byte) bool { return b == up || b == down })
	if first >= 0 && !slices.Contains(s[:], moving) {
		next := s
		next[first] = moving
		yield(fmt.Sprintf("move %d", first), next)
	}
	for i := range s {
		next := s
		switch {
		case s[i] == moving:
			next[i] = done
			yield(fmt.Sprintf("arrive %d", i), next)
		case s[i] == up && !slices.Contains(s[:], down) && !slices.Contains(s[:], moving) && !slices.Contains(s[:], done):
			next[i] = down
			yield(fmt.Sprintf("fall %d", i), next)
		}
	}
}

func (m turns) Key(s crew, buf []byte) []byte {
	if m.sorts {
		slices.Sort(s[:])
	}
	return append(buf, s[:]...)
}

func oneAway(s crew) error {
	away := 0
	for _, b := range s {
		if b == down || b == moving {
			away++
		}
	}
	if away > 1 {
		return fmt.Errorf("%d away", away)
	}
	return nil
}

// Sorting would be sound if no rule looked at the order. Here it drops the state in which the second worker
// fell for the one in which the first did, and only the dropped one leads to the overspend.
func TestUnsoundSymmetryHidesAViolation(t *testing.T) {
	properties := explore.Properties[crew]{Always: []explore.Invariant[crew]{{Name: "one away", Holds: oneAway}}}
	sound, err := explore.Run(turns{}, properties, explore.Options{})
	require.NoError(t, err)
	require.Len(t, sound.Violations, 1)
	require.Equal(t, []string{"fall 1", "move 0"}, sound.Violations[0].Trace.Steps)

	blind, err := explore.Run(turns{sorts: true}, properties, explore.Options{})
	require.NoError(t, err)
	require.True(t, blind.Exhaustive())
	require.Empty(t, blind.Violations, "the sorted key is known to be blind here")
	require.Less(t, blind.States, sound.States)

	_, err = explore.Congruent(turns{sorts: true}, 100)
	var differs *explore.CongruenceError
	require.ErrorAs(t, err, &differs, "and Congruent tells")
	compared, err := explore.Congruent(turns{}, 100)
	require.NoError(t, err)
	require.Positive(t, compared)
}
