package simulate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// A rollout at 1% with a planner that costs little: what is measured is the world, the clock and the building of
// snapshots. Pulls are short, since this planner hides them from nobody: the run then takes about as many
// plans as that of a prepared pair with pulls of a minute. Compare two states of the code with benchstat over ten runs each.
func BenchmarkRun(b *testing.B) {
	for _, nodes := range []int{1000, 5000, 15000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			start := cluster(b, nodes, world.Options{})
			r := rollout()
			r.Spec.Strategy.MaxUnavailable = ptr(intstr.FromString("1%"))
			simulated, plans := time.Duration(0), 0
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				result, err := simulate.Run(start.Clone(), deleteFirst("agent:2", nodes/100), simulate.Options{
					Rollout: r, Seed: 1, Timings: simulate.Timings{Pull: time.Second}, Faults: []simulate.Fault{upgrade(0, "agent:2")},
				})
				require.NoError(b, err)
				require.Equal(b, simulate.Complete, result.Outcome)
				simulated, plans = result.Duration, result.Plans
			}
			b.ReportMetric(float64(nodes*b.N)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(simulated.Seconds(), "simulated-s")
			b.ReportMetric(float64(plans), "plans")
		})
	}
}
