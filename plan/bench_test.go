package plan_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// fleet is a cluster of n nodes made from the few of a real run: a steady pair, or one with half of its nodes on the
// target. Every node has two Pods: the agent's and another workload's. The lists are in random order.
func fleet(b testing.TB, n int, advancing bool) (model.Objects, *model.Rollout) {
	b.Helper()
	rollout := rolloutOf("1")
	cluster, err := model.NewCluster(model.Objects{Nodes: workers(4)})
	if err != nil {
		b.Fatal(err)
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: rollout}, world.Options{})
	if err != nil {
		b.Fatal(err)
	}
	now := drive(b, w, rollout, start, func(p *model.Plan) bool { return p.Complete() })
	if advancing {
		rollout = rolloutOf("2")
		now = drive(b, w, rollout, now, func(p *model.Plan) bool { return p.Pair.OnTarget == 2 && p.Pair.InOverlap == 2 })
	}
	snapshot, err := w.Truth(now, rollout)
	if err != nil {
		b.Fatal(err)
	}
	few := snapshot.Cluster
	objects := model.Objects{DaemonSets: few.DaemonSets()}
	for i := range n {
		name := fmt.Sprintf("node-%06d", i)
		node := few.Node(i % few.Len()).DeepCopy()
		node.Name, node.UID = name, types.UID("uid-"+name)
		node.Labels["kubernetes.io/hostname"] = name
		objects.Nodes = append(objects.Nodes, node)
		for j, pod := range few.Pods(i % few.Len()) {
			objects.Pods = append(objects.Pods, onNode(pod, name, j))
		}
		objects.Pods = append(objects.Pods, onNode(tenant(name, "100m"), name, 9))
	}
	random := rand.New(rand.NewSource(1))
	random.Shuffle(len(objects.Nodes), func(i, j int) { objects.Nodes[i], objects.Nodes[j] = objects.Nodes[j], objects.Nodes[i] })
	random.Shuffle(len(objects.Pods), func(i, j int) { objects.Pods[i], objects.Pods[j] = objects.Pods[j], objects.Pods[i] })
	facts := *rollout
	facts.Status.ObservedAt = metav1.NewTime(now)
	return objects, &facts
}

func onNode(pod *corev1.Pod, node string, j int) *corev1.Pod {
	clone := *pod
	clone.Name = fmt.Sprintf("%s-%s-%d", pod.Name, node, j)
	clone.UID = types.UID("uid-" + clone.Name)
	clone.Spec.NodeName = node
	return &clone
}

// drive plans, carries out and lets the world come to rest, until the plan is as it is to be.
func drive(b testing.TB, w *world.World, rollout *model.Rollout, now time.Time, until func(*model.Plan) bool) time.Time {
	for range 50 {
		snapshot, err := w.Snapshot(now, rollout)
		if err != nil {
			b.Fatal(err)
		}
		p, err := plan.Next(snapshot)
		if err != nil {
			b.Fatal(err)
		}
		if until(&p) {
			return now
		}
		for i := range p.Actions {
			if _, err := w.Apply(now, p.Actions[i].Write); err != nil {
				b.Fatal(err)
			}
		}
		for list := w.Enabled(now); len(list) > 0; list = w.Enabled(now) {
			if _, err := w.Do(now, list[0]); err != nil {
				b.Fatal(err)
			}
		}
		now = now.Add(11 * time.Second)
	}
	b.Fatal("the rollout does not get there")
	return now
}

// BenchmarkNext plans from a built cluster, without a memory: steady has nothing to do, advancing has half of its nodes in every stage. Compare
// two revisions of the code in one sitting, with -count and benchstat.
func BenchmarkNext(b *testing.B) {
	for _, n := range []int{2, 3, 1000, 5000, 130000} {
		for _, advancing := range []bool{false, true} {
			b.Run(fmt.Sprintf("nodes=%d/advancing=%t", n, advancing), func(b *testing.B) {
				objects, rollout := fleet(b, n, advancing)
				cluster, err := model.NewCluster(objects)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if _, err := plan.Next(&model.Snapshot{Cluster: cluster, Rollout: rollout}); err != nil {
						b.Fatal(err)
					}
				}
				reportPerNode(b, n)
			})
		}
	}
}

// BenchmarkNextFromObjects builds the cluster as well.
func BenchmarkNextFromObjects(b *testing.B) {
	for _, n := range []int{65000, 130000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			objects, rollout := fleet(b, n, false)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				cluster, err := model.NewCluster(objects)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := plan.Next(&model.Snapshot{Cluster: cluster, Rollout: rollout}); err != nil {
					b.Fatal(err)
				}
			}
			reportPerNode(b, n)
		})
	}
}

func reportPerNode(b *testing.B, n int) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(n)/float64(b.N), "ns/node")
}
