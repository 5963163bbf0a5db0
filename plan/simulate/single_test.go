package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// oneSet is the rollout of agent:tag on one DaemonSet.
func oneSet(tag string, strategy model.StrategyType, overlap model.OverlapMode, unavailable int32) *model.Rollout {
	r := pairOf(tag, intstr.FromInt32(unavailable))
	r.Spec.Strategy.Type, r.Spec.Strategy.Overlap = strategy, overlap
	return r
}

// servedByOne is a world in which one DaemonSet serves agent:1.
func servedByOne(t *testing.T, nodes int, r *model.Rollout, o world.Options) (*world.World, time.Time) {
	t.Helper()
	snapshot := worldtest.Snapshot(worldtest.Nodes(nodes), nil)
	snapshot.Rollout = r
	w, err := world.New(snapshot, o)
	require.NoError(t, err)
	result, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: r})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, result.Outcome, "%s: %s", result.Reason, result.Message)
	return w, worldtest.Start.Add(result.Duration + time.Minute)
}

// The three ways on one DaemonSet: delete-first blinds a node for as long as the pull takes; a surge hides that.
func TestRolloutsOnOneDaemonSet(t *testing.T) {
	for _, test := range []struct {
		name     string
		strategy model.StrategyType
		overlap  model.OverlapMode
		longest  time.Duration
		overlaps bool
	}{
		{"delete-first", model.RollingUpdate, "", 2 * time.Minute, false},
		{"prepared surge", model.Surge, model.Locked, 30 * time.Second, true},
		{"plain surge", model.Surge, model.Never, 5 * time.Second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, now := servedByOne(t, 8, oneSet("1", test.strategy, test.overlap, 2), world.Options{})
			r, err := simulate.Run(w, plan.Next, simulate.Options{
				Rollout: oneSet("2", test.strategy, test.overlap, 2), Start: now, AllowDouble: test.overlap == model.Never, OnStep: valid,
			})
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome, "%s: %s", r.Reason, r.Message)
			require.LessOrEqual(t, r.MostUnserved, 2)
			require.Equal(t, test.overlaps, r.MostOverlap > 0)
			require.LessOrEqual(t, r.MostOverlap, 4, "two new Pods that are not available yet, and two old ones that end")
			for _, gap := range r.Gaps {
				require.Less(t, gap.Longest, test.longest, gap.Node)
			}
		})
	}
}

func valid(snapshot *model.Snapshot, p *model.Plan) error {
	if violations := plan.Validate(snapshot, p); len(violations) > 0 {
		return violations[0]
	}
	return nil
}
