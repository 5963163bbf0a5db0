package command

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

func snapshotIn(t *testing.T, file string) *model.Snapshot {
	t.Helper()
	d, err := dump.Files("../../snapshots/" + file)
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	return snapshot
}

// some are the ways of these names.
func some(names ...string) []arena.Way {
	return slices.DeleteFunc(arena.Ways(), func(way arena.Way) bool { return !slices.Contains(names, way.Name) })
}

func allRows(t *testing.T, a *arena.Arena, ways []arena.Way, o arena.Options, atOnce int) (rows []arena.Row) {
	t.Helper()
	for row, err := range rowsOf(context.Background(), a, ways, o, atOnce) {
		require.NoError(t, err)
		rows = append(rows, row)
	}
	return rows
}

// Rows come in the order of the ways, and are the same whether they are made one after the other or at the same time.
func TestRowsMadeTogetherAreTheSame(t *testing.T) {
	snapshot := snapshotIn(t, "conventional.yaml")
	before, err := json.Marshal(snapshot.Rollout)
	require.NoError(t, err)
	a, err := arena.New(snapshot)
	require.NoError(t, err)
	ways := some("Pair Locked", "Pair Never", "Surge Never", "native maxUnavailable")
	one := allRows(t, a, ways, arena.Options{Seed: 1}, 1)
	var lock sync.Mutex
	phases := map[string]int{}
	four := allRows(t, a, ways, arena.Options{Seed: 1, OnPhase: func(way *arena.Way, phase string) {
		lock.Lock()
		defer lock.Unlock()
		phases[phase]++
	}}, 4)
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
	a, err := arena.New(snapshotIn(t, "two-workers.yaml"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var rows []arena.Row
	var last error
	for row, err := range rowsOf(ctx, a, some("Pair Locked", "Pair Never", "RollingUpdate"), arena.Options{Seed: 1}, 1) {
		if last = err; err != nil {
			break
		}
		rows = append(rows, row)
		cancel()
	}
	require.Len(t, rows, 1)
	require.ErrorIs(t, last, context.Canceled)
}
