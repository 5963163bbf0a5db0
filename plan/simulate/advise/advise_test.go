package advise_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/simulate/advise"
	"github.com/agent-rollout/planner/plan/world"
)

func start(t *testing.T, file string) (*world.World, advise.Options) {
	t.Helper()
	d, err := dump.Options{}.Files("../../../examples/snapshots/" + file)
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	w, err := world.New(snapshot, world.Options{})
	require.NoError(t, err)
	return w, advise.Options{Rollout: snapshot.Rollout, Seed: 1, Seeds: 2}
}

// What is found keeps the deadline in every draw, one less of either number does not, and every trial was told.
func TestFind(t *testing.T) {
	w, o := start(t, "three-zones.yaml")
	o.Within = 6 * time.Minute
	told := map[advise.Setting]*advise.Trial{}
	o.OnTrial = func(trial *advise.Trial) {
		require.NotContains(t, told, trial.Setting, "each setting is tried once")
		told[trial.Setting] = trial
	}
	found, err := advise.Find(w, o)
	require.NoError(t, err)
	require.Equal(t, advise.Found, found.Failure)
	require.True(t, found.Surges)
	require.Equal(t, 11, found.Bound.Nodes)
	require.Len(t, found.Chosen.Durations, 2)
	for _, d := range found.Chosen.Durations {
		require.LessOrEqual(t, d, o.Within)
	}
	require.GreaterOrEqual(t, found.Chosen.MaxUnavailable, found.Least)
	require.NotNil(t, found.LessWindow)
	require.False(t, found.LessWindow.Keeps)
	require.Same(t, found.Chosen, told[found.Chosen.Setting])
	if found.Chosen.MaxUnavailable > 1 {
		require.False(t, found.LessBudget.Keeps)
	}
}

func TestFindSaysWhyThereIsNone(t *testing.T) {
	w, o := start(t, "two-workers.yaml")
	o.Within = time.Minute
	found, err := advise.Find(w, o)
	require.NoError(t, err)
	require.Equal(t, advise.BelowBound, found.Failure)
	require.Nil(t, found.Chosen)
	require.False(t, found.All.Keeps)

	o.OnStep = func(*model.Snapshot, *model.Plan) error { return errors.New("enough") }
	_, err = advise.Find(w, o)
	require.EqualError(t, err, "enough")
}
