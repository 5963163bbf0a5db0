package capacity

import (
	"fmt"
	"math/rand"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// fleet is a seeded cluster with the labels and the taints that nodes of a cloud have.
func fleet(n int) []*corev1.Node {
	r := rand.New(rand.NewSource(1))
	slots := []string{"blue", "green", "blue-to-green"}
	nodes := make([]*corev1.Node, n)
	for i := range nodes {
		name := fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", i/256, i%256)
		nodes[i] = node(name, "cpu=4 memory=16Gi", label(
			"kubernetes.io/arch=amd64", "kubernetes.io/os=linux", "node.kubernetes.io/instance-type=m5.xlarge",
			fmt.Sprintf("topology.kubernetes.io/zone=zone-%d", r.Intn(3)), "topology.kubernetes.io/region=region-1",
			"example.com/rollout-slot-0123456789ab="+slots[r.Intn(len(slots))],
		))
		if r.Intn(10) == 0 {
			taint("node.kubernetes.io/unschedulable:NoSchedule")(nodes[i])
		}
		if r.Intn(20) == 0 {
			taint("dedicated=db:NoSchedule")(nodes[i])
		}
	}
	return nodes
}

// One operation judges every node, as a planning step does. Compare runs with benchstat.
func BenchmarkJudge(b *testing.B) {
	slot := "example.com/rollout-slot-0123456789ab"
	for _, tmpl := range []struct {
		name string
		tmpl *corev1.PodTemplateSpec
	}{
		{"plain", template()},
		{"selector", template(selector(map[string]string{"kubernetes.io/os": "linux"}))},
		{"pair", template(selector(map[string]string{"kubernetes.io/os": "linux"}), affine(
			exprs(requirement(slot, corev1.NodeSelectorOpDoesNotExist)),
			exprs(requirement(slot, corev1.NodeSelectorOpIn, "blue", "blue-to-green", "green-to-blue")),
		))},
	} {
		for _, n := range []int{1000, 100000} {
			b.Run(fmt.Sprintf("%s/nodes=%d", tmpl.name, n), func(b *testing.B) {
				nodes, p := fleet(n), placement(b, tmpl.tmpl)
				b.ReportAllocs()
				eligible := 0
				for b.Loop() {
					eligible = 0
					for _, node := range nodes {
						if p.Judge(node) == Eligible {
							eligible++
						}
					}
				}
				if eligible == 0 || eligible == n {
					b.Fatalf("%d of %d eligible", eligible, n)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
			})
		}
	}
}

func crowd(n int) []*corev1.Pod {
	pods := make([]*corev1.Pod, n)
	for i := range pods {
		pods[i] = pod(fmt.Sprint("p", i), "cpu=50m memory=128Mi", on("n1"), port(corev1.ContainerPort{ContainerPort: 8080}))
	}
	return pods
}

func BenchmarkFit(b *testing.B) {
	others, p := crowd(30), pod("target", "cpu=600m memory=512Mi")
	n := node("n1", "cpu=4 memory=16Gi pods=110")
	b.Run("fresh/pods=30", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if Fit(p, n, others) != nil {
				b.Fatal("does not fit")
			}
		}
	})
	b.Run("room/pods=30", func(b *testing.B) {
		room := NewRoom(n, others)
		b.ReportAllocs()
		for b.Loop() {
			if room.Fit(p) != nil {
				b.Fatal("does not fit")
			}
		}
	})
}

func BenchmarkParseMessage(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if !ParseMessage(shortOfCPU + tail2).OnlyCapacity(false) {
			b.Fatal("not capacity")
		}
	}
}

func BenchmarkFallback(b *testing.B) {
	q := question(beside(crowd(8)...), onNode(allocatable("cpu=1100m memory=4Gi pods=110")))
	b.ReportAllocs()
	for b.Loop() {
		if a := Fallback(q); a.Verdict != FitsOnceSourceGone {
			b.Fatal(a.Verdict, a.Detail)
		}
	}
}
