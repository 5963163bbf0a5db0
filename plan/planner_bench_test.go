package plan_test

import (
	"fmt"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// BenchmarkPlanner plans again and again with what the first plan left, from a built cluster: 2 and 3 nodes are what exploration
// visits by the million, where only what a plan costs at all counts. BenchmarkNext is the same without a memory.
func BenchmarkPlanner(b *testing.B) {
	for _, n := range []int{2, 3, 5000, 130000} {
		for _, advancing := range []bool{false, true} {
			b.Run(fmt.Sprintf("nodes=%d/advancing=%t", n, advancing), func(b *testing.B) {
				objects, rollout := fleet(b, n, advancing)
				cluster, err := model.NewCluster(objects)
				if err != nil {
					b.Fatal(err)
				}
				var planner plan.Planner
				snapshot := &model.Snapshot{Cluster: cluster, Rollout: rollout}
				if _, err := planner.Next(snapshot); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if _, err := planner.Next(snapshot); err != nil {
						b.Fatal(err)
					}
				}
				reportPerNode(b, n)
			})
		}
	}
}
