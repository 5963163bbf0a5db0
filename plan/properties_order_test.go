package plan_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
)

// TestOrderOfListsDoesNotMatter plans and simulates the shipped snapshots with their lists in other orders (S12).
func TestOrderOfListsDoesNotMatter(t *testing.T) {
	files, err := filepath.Glob("../examples/snapshots/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 4)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			d, err := dump.Files(file)
			require.NoError(t, err)
			snapshot, err := d.Snapshot()
			require.NoError(t, err)
			first, err := plan.Next(snapshot)
			require.NoError(t, err)
			require.NotEmpty(t, first.Nodes)
			run := simulated(t, snapshot)
			for seed := range uint64(4) {
				other := property.Shuffled(snapshot, rand.New(rand.NewPCG(seed, 0)).IntN)
				p, err := plan.Next(other)
				require.NoError(t, err)
				require.Equal(t, jsonOf(first), jsonOf(p), "seed %d", seed)
				if seed < 2 {
					require.Equal(t, run, simulated(t, other), "seed %d", seed)
				}
			}
		})
	}
}

// simulated is all of a run that its seed decides.
func simulated(t *testing.T, snapshot *model.Snapshot) string {
	w, err := world.New(snapshot, world.Options{})
	require.NoError(t, err)
	result, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: snapshot.Rollout, Start: snapshot.Now(), Seed: 7, Detail: true})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, result.Outcome, "%s: %s", result.Reason, result.Message)
	require.NotEmpty(t, result.Timeline)
	return jsonOf(result)
}
