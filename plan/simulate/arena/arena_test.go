package arena_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

func snapshotOf(t testing.TB, file string) *model.Snapshot {
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

// What OnStep says ends the comparison, and names the way.
func TestRowsEndWithOnStep(t *testing.T) {
	a, err := arena.New(snapshotOf(t, "two-workers.yaml"))
	require.NoError(t, err)
	_, err = a.Row(context.Background(), some("Pair Locked")[0], arena.Options{OnStep: func() func(*model.Snapshot, *model.Plan) error {
		return func(*model.Snapshot, *model.Plan) error { return errors.New("enough") }
	}})
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
