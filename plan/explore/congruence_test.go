package explore_test

import (
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
)

// The key forgets names, UIDs, versions and instants. It may, as long as states of one key have the same
// transitions to states of the same keys: what a search does not look at, it has then seen.
func TestTheKeyOfARolloutIsSound(t *testing.T) {
	states := 600
	if *which == "long" {
		states = 1_500
	}
	for _, s := range []scope{
		{name: "no fault", nodes: 2, revisions: []int{1, 2}},
		{name: "a full node, back", nodes: 2, full: 1, prompt: true, coarse: true, revisions: []int{1, 2, 1}},
		{name: "takeover", nodes: 1, crashes: 1, revisions: []int{1, 2}},
		{name: "a crash", nodes: 1, most: 1, faults: faultsOf(world.Crash), revisions: []int{1, 2}},
		{name: "a broken node", nodes: 1, most: 1, faults: faultsOf(world.BreakNode), revisions: []int{1, 2, 1}},
		{name: "a Pod deleted", nodes: 1, most: 1, faults: faultsOf(world.KillPod), revisions: []int{1, 2, 1}},
		{name: "a label edited", nodes: 1, most: 1, faults: edits, revisions: []int{1, 2}},
		{name: "nodes lag", nodes: 1, lags: []world.Cache{world.NodeCache}, revisions: []int{1, 2}},
		{name: "Pods lag", nodes: 1, lags: []world.Cache{world.PodCache}, revisions: []int{1, 2}},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			m, err := s.model()
			require.NoError(t, err)
			compared, err := explore.Congruent(m, states)
			require.NoError(t, err)
			require.Positive(t, compared)
			t.Logf("%d pairs of states agree", compared)
		})
	}
}
