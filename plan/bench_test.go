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

// sizes are the numbers of nodes of benchmarks.
var sizes = []int{1000, 5000, 15000, 65000, 130000}

// states are where a rollout stands in benchmarks: nothing is left to do; its target was just recorded; half of the nodes are on it and the others in
// overlap; the same, and the former revision is desired again; the pair is to be one DaemonSet again.
var states = []string{"steady", "begun", "advancing", "returning", "leaving"}

func fleet(b testing.TB, n int, advancing bool) (model.Objects, *model.Rollout) {
	if advancing {
		return fleetIn(b, n, "advancing")
	}
	return fleetIn(b, n, "steady")
}

// fleetIn is a cluster of n nodes made from the few of a real run that stands there. Every node has two Pods or three: the agent's and another
// workload's. The lists are in random order.
func fleetIn(b testing.TB, n int, state string) (model.Objects, *model.Rollout) {
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
	until := func(of *model.Rollout, stands func(*model.Plan) bool) {
		rollout = of
		now = drive(b, w, rollout, now, stands)
	}
	halfWay := func(p *model.Plan) bool { return p.Pair.OnTarget == 2 && p.Pair.InOverlap == 2 }
	switch state {
	case "begun":
		until(rolloutOf("2"), func(p *model.Plan) bool { return p.Phase == model.PhaseAdvancing })
	case "advancing":
		until(rolloutOf("2"), halfWay)
	case "returning":
		until(rolloutOf("2"), halfWay)
		until(rolloutOf("1"), func(p *model.Plan) bool { return p.Phase == model.PhaseReturning })
	case "leaving":
		rollout = rolloutOf("1", func(r *model.Rollout) { r.Spec.Intent = model.OptOut })
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

// benchFleet runs a benchmark on every size, and in every one of the states.
func benchFleet(b *testing.B, sizes []int, states []string, run func(b *testing.B, snapshot *model.Snapshot)) {
	for _, n := range sizes {
		for _, state := range states {
			b.Run(fmt.Sprintf("state=%s/nodes=%d", state, n), func(b *testing.B) {
				objects, rollout := fleetIn(b, n, state)
				cluster, err := model.NewCluster(objects)
				if err != nil {
					b.Fatal(err)
				}
				snapshot := &model.Snapshot{Cluster: cluster, Rollout: rollout}
				b.ReportAllocs()
				run(b, snapshot)
				reportPerNode(b, n)
			})
		}
	}
}

// BenchmarkNext plans from a built cluster, without a memory. Compare two revisions of the code in one sitting, with -count and benchstat.
func BenchmarkNext(b *testing.B) {
	benchFleet(b, append([]int{2, 3}, sizes...), states, func(b *testing.B, snapshot *model.Snapshot) {
		for b.Loop() {
			if _, err := plan.Next(snapshot); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPlanner plans again and again with what the first plan left: 2 and 3 nodes are what exploration visits by the million, where only what
// a plan costs at all counts.
func BenchmarkPlanner(b *testing.B) {
	benchFleet(b, append([]int{2, 3}, sizes...), states, func(b *testing.B, snapshot *model.Snapshot) {
		var planner plan.Planner
		for range 2 {
			if _, err := planner.Next(snapshot); err != nil {
				b.Fatal(err)
			}
		}
		for b.Loop() {
			if _, err := planner.Next(snapshot); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkValidate judges a plan, without a memory; BenchmarkValidator with what the first judgement left.
func BenchmarkValidate(b *testing.B) {
	benchJudgement(b, func() func(*model.Snapshot, *model.Plan) []plan.Violation { return plan.Validate })
}

func BenchmarkValidator(b *testing.B) {
	benchJudgement(b, func() func(*model.Snapshot, *model.Plan) []plan.Violation { return new(plan.Validator).Validate })
}

func benchJudgement(b *testing.B, judges func() func(*model.Snapshot, *model.Plan) []plan.Violation) {
	benchFleet(b, sizes, []string{"steady", "advancing"}, func(b *testing.B, snapshot *model.Snapshot) {
		judge, p := judges(), planOf(b, snapshot)
		if found := judge(snapshot, p); len(found) > 0 {
			b.Fatal(found)
		}
		for b.Loop() {
			judge(snapshot, p)
		}
	})
}

// BenchmarkExplain tells the shape of a plan.
func BenchmarkExplain(b *testing.B) {
	benchFleet(b, sizes, []string{"steady", "advancing"}, func(b *testing.B, snapshot *model.Snapshot) {
		p := planOf(b, snapshot)
		for b.Loop() {
			if _, err := plan.Explain(p, plan.ExplainOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func planOf(b *testing.B, snapshot *model.Snapshot) *model.Plan {
	p, err := plan.Next(snapshot)
	if err != nil {
		b.Fatal(err)
	}
	return &p
}

// BenchmarkNextFromObjects builds the cluster as well.
func BenchmarkNextFromObjects(b *testing.B) {
	for _, n := range sizes {
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
