package arena_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

func snapshotOf(t *testing.T, file string) *model.Snapshot {
	t.Helper()
	d, err := dump.Options{}.Files("../../../examples/snapshots/" + file)
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	return snapshot
}

// some are the ways of these names.
func some(names ...string) (ways []arena.Way) {
	for _, way := range arena.Ways() {
		for _, name := range names {
			if way.Name == name {
				ways = append(ways, way)
			}
		}
	}
	return ways
}

func rowsOf(t *testing.T, a *arena.Arena, ways []arena.Way, o arena.Options) (rows []arena.Row) {
	t.Helper()
	for row, err := range a.Rows(context.Background(), ways, o) {
		require.NoError(t, err)
		rows = append(rows, row)
	}
	return rows
}

// Rows come in the order of the ways, and are the same whether they are made one after the other or at the same time.
func TestRowsMadeTogetherAreTheSame(t *testing.T) {
	snapshot := snapshotOf(t, "conventional.yaml")
	before, err := json.Marshal(snapshot.Rollout)
	require.NoError(t, err)
	a, err := arena.New(snapshot)
	require.NoError(t, err)
	ways := some("Pair Locked", "Pair Never", "Surge Never", "native maxUnavailable")
	one := rowsOf(t, a, ways, arena.Options{Seed: 1})
	var lock sync.Mutex
	phases := map[string]int{}
	four := rowsOf(t, a, ways, arena.Options{Seed: 1, Parallel: 4, OnPhase: func(way *arena.Way, phase string) {
		lock.Lock()
		defer lock.Unlock()
		phases[phase]++
	}})
	require.Len(t, four, len(ways))
	for i := range one {
		require.Equal(t, ways[i].Name, four[i].Way.Name)
		require.Equal(t, one[i].Reason, four[i].Reason)
		require.Equal(t, one[i].Runs, four[i].Runs, ways[i].Name)
		require.Equal(t, one[i].Arming == nil, four[i].Arming == nil)
	}
	require.NotNil(t, four[0].Arming, "a conventional DaemonSet is armed once")
	require.Contains(t, four[2].Reason, "refused: TemplateRefused")
	require.Nil(t, four[3].Arming)
	require.Equal(t, map[string]int{"installing": 4, "rolling": 3, "raising the window": 1, "arming": 2}, phases)
	require.Equal(t, one[0].Raised, four[0].Raised)
	require.Equal(t, simulate.ByWindow, four[0].Runs[0].DecidedBy)
	after, err := json.Marshal(snapshot.Rollout)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "the input is unchanged")
}

// A comparison that is interrupted has given the rows that were made.
func TestRowsEndWithTheContext(t *testing.T) {
	a, err := arena.New(snapshotOf(t, "two-workers.yaml"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var rows []arena.Row
	var last error
	for row, err := range a.Rows(ctx, some("Pair Locked", "Pair Never", "RollingUpdate"), arena.Options{Seed: 1}) {
		if last = err; err != nil {
			break
		}
		rows = append(rows, row)
		cancel()
	}
	require.Len(t, rows, 1)
	require.ErrorIs(t, last, context.Canceled)
}

// What OnStep says ends the comparison, and names the way.
func TestRowsEndWithOnStep(t *testing.T) {
	a, err := arena.New(snapshotOf(t, "two-workers.yaml"))
	require.NoError(t, err)
	_, err = a.Row(context.Background(), some("Pair Locked")[0], arena.Options{OnStep: func(*model.Snapshot, *model.Plan) error { return errors.New("enough") }})
	require.EqualError(t, err, "Pair Locked: enough")
}

func TestNothingToCompare(t *testing.T) {
	snapshot := snapshotOf(t, "two-workers.yaml")
	snapshot.Rollout.Spec.DesiredFrom.Images = nil
	_, err := arena.New(snapshot)
	var nothing *arena.NothingError
	require.ErrorAs(t, err, &nothing)
	require.Contains(t, err.Error(), "deployed already")
}
