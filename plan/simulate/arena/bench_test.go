package arena_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// BenchmarkCompare makes every row, one after the other, at a budget of 1%, and judges every plan. 5,000 nodes take minutes.
func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{200, 1000, 5000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			a, err := arena.New(widened(b, snapshotOf(b, "two-workers.yaml"), n))
			require.NoError(b, err)
			rows := 0
			b.ReportAllocs()
			for b.Loop() {
				for _, way := range arena.Ways() {
					row, err := a.Row(context.Background(), way, arena.Options{OnStep: validating})
					require.NoError(b, err)
					rows += len(row.Runs)
				}
			}
			b.ReportMetric(float64(rows)/float64(b.N), "rows")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

func validating() func(*model.Snapshot, *model.Plan) error {
	var v plan.Validator
	return func(s *model.Snapshot, p *model.Plan) error {
		if found := v.Validate(s, p); len(found) > 0 {
			return found[0]
		}
		return nil
	}
}

// widened has n nodes, copies of the snapshot's with their Pods.
func widened(b *testing.B, s *model.Snapshot, n int) *model.Snapshot {
	objects := model.Objects{DaemonSets: s.Cluster.DaemonSets()}
	for i := range n {
		from := i % s.Cluster.Len()
		node := s.Cluster.Node(from).DeepCopy()
		node.Name = fmt.Sprintf("node-%06d", i)
		node.UID = types.UID("uid-" + node.Name)
		objects.Nodes = append(objects.Nodes, node)
		for k, pod := range s.Cluster.Pods(from) {
			pod = pod.DeepCopy()
			pod.Name = fmt.Sprintf("pod-%d-%06d", k, i)
			pod.UID, pod.Spec.NodeName = types.UID("uid-"+pod.Name), node.Name
			objects.Pods = append(objects.Pods, pod)
		}
	}
	cluster, err := model.NewCluster(objects)
	require.NoError(b, err)
	rollout, budget := *s.Rollout, intstr.FromString("1%")
	rollout.Spec.Strategy.MaxUnavailable = &budget
	return &model.Snapshot{Cluster: cluster, Rollout: &rollout}
}
