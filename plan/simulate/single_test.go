package simulate_test

import (
	"fmt"
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

const manyRuns = 1000

// A thousand runs of different durations a strategy, with caches that lag, executors that crash, requests that land late, and
// targets that are bad: none takes more nodes than the budget.
func TestManyRunsOnOneDaemonSet(t *testing.T) {
	bad := []world.Behaviour{world.Good, world.Good, world.Good, world.Good, world.Good, world.Good, world.Good, world.PullFails, world.NeverReady, world.CrashLoops}
	for _, strategy := range []model.StrategyType{model.RollingUpdate, model.Surge} {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			overlap := model.OverlapMode("")
			if strategy == model.Surge {
				overlap = model.Locked
			}
			served, now := servedByOne(t, 3, oneSet("1", strategy, overlap, 1), world.Options{Lagging: true})
			ended := map[simulate.Outcome]int{}
			for seed := range uint64(manyRuns) {
				w := served.Clone()
				w.SetBehaviour("agent:2", bad[seed%uint64(len(bad))])
				budget := int32(1 + seed%2)
				o := simulate.Options{
					Rollout: oneSet("2", strategy, overlap, budget), Start: now, Seed: seed,
					Timings: simulate.Timings{CacheLag: time.Duration(seed%4) * time.Second, Jitter: 0.5, PlanInterval: 20 * time.Second, Pull: 5 * time.Second},
				}
				o.Rollout.Spec.Failure.ProgressDeadlineSeconds = ptr(int32(90))
				if seed%10 == 0 {
					o.OnStep = valid
				}
				if seed%3 == 0 {
					o.Crashes = []simulate.Crash{{Before: 1 + int(seed%7), Late: time.Duration(seed%5) * 5 * time.Second}}
				}
				r, err := simulate.Run(w, plan.Next, o)
				require.NoError(t, err, "seed %d", seed)
				require.LessOrEqual(t, r.MostUnserved, int(budget), "seed %d", seed)
				ended[r.Outcome]++
				if bad[seed%uint64(len(bad))] == world.Good {
					require.Equal(t, simulate.Complete, r.Outcome, "seed %d: %s: %s", seed, r.Reason, r.Message)
				}
			}
			require.GreaterOrEqual(t, ended[simulate.Complete], manyRuns*7/10, fmt.Sprint(ended))
			require.GreaterOrEqual(t, ended[simulate.Blocked], manyRuns/5, fmt.Sprint(ended))
		})
	}
}
