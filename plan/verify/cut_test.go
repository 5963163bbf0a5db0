package verify_test

import (
	"testing"

	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

func TestCutKeepsWhatIsRare(t *testing.T) {
	d, err := dump.Files("../../examples/snapshots/half-way.yaml")
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	for _, c := range []struct {
		nodes int
		kept  []string
		left  int
	}{
		{1, []string{"worker-4"}, 4},
		{2, []string{"worker-4", "worker-5"}, 3},
		{3, []string{"worker-3", "worker-4", "worker-5"}, 2},
		{6, []string{"worker-1", "worker-2", "worker-3", "worker-4", "worker-5", "worker-6"}, 0},
		{9, []string{"worker-1", "worker-2", "worker-3", "worker-4", "worker-5", "worker-6"}, 0},
	} {
		cut, err := verify.Cut(snapshot, verify.CutOptions{Nodes: c.nodes})
		require.NoError(t, err)
		var kept []string
		for _, k := range cut.Kept {
			require.NotEmpty(t, k.Why)
			kept = append(kept, k.Node)
		}
		require.Equal(t, c.kept, kept)
		require.Len(t, cut.LeftOut, c.left)
		require.Equal(t, 6, cut.Nodes)
		require.Len(t, cut.Scope.Start.Nodes, len(kept))
		require.Len(t, cut.Scope.Start.DaemonSets, len(snapshot.Cluster.DaemonSets()))
	}
	_, err = verify.Cut(snapshot, verify.CutOptions{})
	require.ErrorContains(t, err, "at least one must be kept")
	_, err = verify.Cut(nil, verify.CutOptions{Nodes: 1})
	require.Error(t, err)
	require.NotZero(t, snapshot.Rollout.WithDefaults().Spec.Strategy.SettleSeconds, "the document is not changed")
}
