package explore_test

import (
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
)

// BenchmarkRun measures the checker itself: the model costs next to nothing. Compare with benchstat.
func BenchmarkRun(b *testing.B) {
	goal := []explore.Goal[uint64]{{Name: "top", Reached: func(s uint64) bool { return s == 0x999999 }}}
	for _, c := range []struct {
		model counters
		goals []explore.Goal[uint64]
		name  string
		long  bool
	}{
		{counters{6, 9, 8}, nil, "states=1000000/key=8", false},
		{counters{6, 9, 40}, nil, "states=1000000/key=digest", false},
		{counters{6, 9, 8}, goal, "states=1000000/key=8/goal", false},
		{counters{7, 9, 8}, nil, "states=10000000/key=8", true},
	} {
		if c.long && *which != "long" {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var result *explore.Result
			for b.Loop() {
				var err error
				if result, err = explore.Run(c.model, explore.Properties[uint64]{Goals: c.goals}, explore.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(result.States*b.N)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(result.Transitions)*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
			b.ReportMetric(result.BytesPerState(), "B/state")
		})
	}
}
