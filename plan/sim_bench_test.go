package plan_test

import (
	"fmt"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// BenchmarkSimulate rolls one revision over a whole fleet with 60 s pulls and a budget of 1%, from the steady pair on. It
// reports how many simulated seconds pass in one of the machine's.
func BenchmarkSimulate(b *testing.B) {
	for _, n := range []int{1000, 5000, 15000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			limit, window := intstr.FromString("1%"), intstr.FromString("8%")
			change := func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &limit, &window
			}
			cluster, err := model.NewCluster(model.Objects{Nodes: workers(n)})
			if err != nil {
				b.Fatal(err)
			}
			installed := rolloutOf("1", change)
			w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: installed}, world.Options{})
			if err != nil {
				b.Fatal(err)
			}
			first, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: installed, Seed: 1})
			if err != nil || first.Outcome != simulate.Complete {
				b.Fatal(first.Outcome, err)
			}
			b.ResetTimer()
			for range b.N {
				o := simulate.Options{Rollout: rolloutOf("2", change), Seed: 1, Start: start.Add(first.Duration)}
				result, err := simulate.Run(w.Clone(), new(plan.Planner).Next, o)
				if err != nil || result.Outcome != simulate.Complete {
					b.Fatal(result.Outcome, result.Message, err)
				}
				b.ReportMetric(result.Duration.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "simulated-s/s")
				b.ReportMetric(result.Duration.Seconds()/result.Bound.Total.Seconds(), "of-the-bound")
				b.ReportMetric(float64(result.Plans), "plans")
			}
		})
	}
}
