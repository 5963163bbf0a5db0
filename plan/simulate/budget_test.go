package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// strategies are all ways to roll that a rollout may ask for.
var strategies = []struct {
	name string
	set  func(*model.Strategy)
	// spares says that it is not meant to take any node's agent: two run at the same time instead.
	spares bool
}{
	{"Pair Locked", func(s *model.Strategy) { s.Type, s.Overlap = model.Pair, model.Locked }, false},
	{"Pair Never", func(s *model.Strategy) { s.Type, s.Overlap = model.Pair, model.Never }, false},
	{"Surge Locked", func(s *model.Strategy) { s.Type, s.Overlap = model.Surge, model.Locked }, false},
	{"Surge Never", func(s *model.Strategy) { s.Type, s.Overlap = model.Surge, model.Never }, true},
	{"RollingUpdate", func(s *model.Strategy) { s.Type = model.RollingUpdate }, false},
}

// mishap is what one simulation has to cope with. None of it takes an agent away by itself: then the nodes without one
// are the rollout's own doing.
type mishap struct {
	budget, window int32
	image          world.Behaviour
	lag            time.Duration
	crashes        []simulate.Crash
}

func mishapOf(seed uint64) mishap {
	r := rand.New(rand.NewPCG(seed, 0))
	m := mishap{budget: 1 + r.Int32N(2), window: 1 + r.Int32N(4)}
	switch r.IntN(4) {
	case 0:
		m.image = world.Behaviours()[1+r.IntN(len(world.Behaviours())-1)]
	case 1:
		m.crashes = []simulate.Crash{{Before: 1 + r.IntN(15), Late: time.Duration(r.IntN(2)*(1+r.IntN(40))) * time.Second}}
	}
	if r.IntN(3) == 0 {
		// An image that crashes three seconds after it was ready must not look ready for all of settleSeconds, ten,
		// because the caches are late: no planner could tell.
		m.lag = time.Duration(1+r.IntN(6)) * time.Second
	}
	return m
}

// play rolls a small cluster from agent:1 to agent:2.
func (m *mishap) play(w *world.World, now time.Time, seed uint64, planner simulate.Planner, set func(*model.Strategy)) (simulate.Result, error) {
	r := plain(pairOf("2", intstr.FromInt32(m.budget)))
	window := intstr.FromInt32(m.window)
	r.Spec.Failure.ProgressDeadlineSeconds = ptr(int32(90)) // a bad image is seen soon: most of a run's time is planning
	if set(&r.Spec.Strategy); r.Spec.Strategy.Type == model.Pair {
		r.Spec.Strategy.MaxSurge = &window
	}
	w = w.Clone()
	w.SetBehaviour("agent:2", m.image)
	return simulate.Run(w, planner, simulate.Options{Rollout: r, Start: now, Seed: seed,
		AllowDouble: r.Spec.Strategy.Overlap != model.Locked, Crashes: m.crashes,
		Timings: simulate.Timings{CacheLag: m.lag, Pull: 20 * time.Second, PlanInterval: 4 * time.Second}})
}

// installedBy is a world of so many nodes on which the strategy has installed agent:1.
func installedBy(t *testing.T, nodes int, set func(*model.Strategy)) (*world.World, time.Time) {
	t.Helper()
	return installedWith(t, nodes, intstr.FromInt32(2), world.Options{Lagging: true}, func(r *model.Rollout) {
		set(&plain(r).Spec.Strategy)
	})
}

// plain leaves the agent one container: most of a small run is rendering.
func plain(r *model.Rollout) *model.Rollout {
	pod := &r.Spec.Desired.Spec.Template.Spec
	pod.InitContainers, pod.Containers = nil, pod.Containers[:1]
	return r
}

// Every strategy keeps its budget as it really is, and not only as its plans show it.
func TestEveryStrategyStaysWithinItsBudget(t *testing.T) {
	const nodes = 3
	runs := 1000
	if testing.Short() {
		runs = 100
	}
	for _, strategy := range strategies {
		t.Run(strategy.name, func(t *testing.T) {
			t.Parallel()
			w, now := installedBy(t, nodes, strategy.set)
			reached := map[string]int{}
			for seed := range uint64(runs) {
				m := mishapOf(seed)
				result, err := m.play(w, now, seed, plan.Next, strategy.set)
				require.NoError(t, err, "seed %d: %+v", seed, m)
				require.LessOrEqual(t, result.MostUnserved, int(m.budget), "seed %d: %+v", seed, m)
				require.False(t, strategy.spares && result.MostUnserved > 0, "seed %d: %+v", seed, m)
				reached[result.Outcome.String()]++
				reached[fmt.Sprintf("unserved %d of %d", result.MostUnserved, m.budget)]++
				if len(m.crashes) > 0 && result.Outcome == simulate.Complete {
					reached["complete after a crash"]++
				}
				if result.MostOverlap > 1 {
					reached["two in overlap"]++
				}
			}
			// A run that never comes near its budget shows nothing.
			wanted := map[string]int{"Complete": runs / 2, "complete after a crash": runs / 8, "unserved 1 of 1": runs / 4, "unserved 2 of 2": runs / 8}
			if strategy.spares {
				wanted = map[string]int{"Complete": runs / 2, "complete after a crash": runs / 8, "two in overlap": runs / 8}
			}
			for what, least := range wanted {
				require.GreaterOrEqual(t, reached[what], least, "%s: %v", what, reached)
			}
		})
	}
}

// A planner that takes one node more than its budget is found out by the same runs.
func TestTheBudgetTestFindsOneNodeTooMany(t *testing.T) {
	set := strategies[0].set
	w, now := installedBy(t, 4, set)
	greedy := func(s *model.Snapshot) (model.Plan, error) {
		r := *s.Rollout
		more := intstr.FromInt32(r.Spec.Strategy.MaxUnavailable.IntVal + 1)
		r.Spec.Strategy.MaxUnavailable = &more
		return plan.Next(&model.Snapshot{Cluster: s.Cluster, Rollout: &r})
	}
	for seed := range uint64(100) {
		m := mishapOf(seed)
		result, err := m.play(w, now, seed, greedy, set)
		require.NoError(t, err)
		if result.MostUnserved > int(m.budget) {
			return
		}
	}
	t.Fatal("a budget that is one too large was never noticed")
}
