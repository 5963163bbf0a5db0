package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// TestClusterIsThatOfAllObjects plays at random, faults and late deliveries included, and compares every snapshot with a cluster
// that is built from all objects anew.
func TestClusterIsThatOfAllObjects(t *testing.T) {
	shared, joined := 0, 0
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		l := newLab(t, Options{Lagging: seed%2 == 1}, worldtest.Nodes(4), worldtest.Set("agent", "1", worldtest.Rolling(intstr.FromInt32(1), false)))
		kept := l.w
		for step := range 150 {
			list := l.w.Enabled(l.now)
			if random.IntN(5) == 0 || len(list) == 0 {
				list = slices.DeleteFunc(l.w.Faults(l.now), func(t Transition) bool {
					return t.Kind == RemoveNode || t.Kind == KillSet && step%20 > 0
				})
			}
			if joins := random.IntN(30); joins < 2 && l.w.Len() > 2 {
				list = []Transition{
					{Kind: JoinNode, Node: fmt.Sprintf("m%d", step), Value: l.w.Nodes()[0]}, {Kind: RemoveNode, Node: l.w.Nodes()[1]},
				}[joins:][:1]
			}
			if len(list) == 0 {
				continue
			}
			if _, err := l.w.Do(l.now, list[random.IntN(len(list))]); err != nil {
				continue
			}
			l.now = l.now.Add(time.Second)
			if step == 70 {
				l.w, kept = l.w.Clone(), l.w
			}
			if random.IntN(3) == 0 {
				continue // more than one change between two looks
			}
			for _, lagging := range []bool{false, seed%2 == 1} {
				former := l.w.truth
				if lagging {
					former = l.w.shown
				}
				got, err := l.w.cluster(lagging)
				require.NoError(t, err)
				want, err := model.NewCluster(l.w.objects(lagging))
				require.NoError(t, err)
				require.Equal(t, contents(want), contents(got), "seed %d, step %d, lagging %t", seed, step, lagging)
				if former != nil && former.Len() == got.Len() {
					shared++
				} else {
					joined++
				}
			}
		}
		got, err := kept.cluster(false)
		require.NoError(t, err)
		want, err := model.NewCluster(kept.objects(false))
		require.NoError(t, err)
		require.Equal(t, contents(want), contents(got), "seed %d, the world that was cloned", seed)
	}
	require.Greater(t, shared, 500)
	require.Greater(t, joined, 20)
}

// contents lists the addresses of all that a cluster holds, in its order.
func contents(c *model.Cluster) (lines []string) {
	line := func(node string, pods []*corev1.Pod) {
		for _, pod := range pods {
			node += fmt.Sprintf(" %s %p", pod.Name, pod)
		}
		lines = append(lines, node)
	}
	for i := range c.Len() {
		line(fmt.Sprintf("%s %p:", c.Node(i).Name, c.Node(i)), c.Pods(i))
	}
	line("stray:", c.Stray())
	for _, set := range c.DaemonSets() {
		lines = append(lines, address(set))
	}
	return lines
}

func address(set *appsv1.DaemonSet) string {
	return fmt.Sprintf("%s/%s %p", set.Namespace, set.Name, set)
}
