package step

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What is taken over from the memo, run by run, sums up to what was judged node by node, and changed nodes are judged anew.
func TestSumWithAMemoIsTheSumWithout(t *testing.T) {
	const n = 200
	var nodes []*corev1.Node
	for i := range n {
		name := fmt.Sprintf("n%03d", i)
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1"}})
	}
	clusterOf := func() *model.Cluster {
		cluster, err := model.NewCluster(model.Objects{Nodes: nodes})
		require.NoError(t, err)
		return cluster
	}
	cluster, judged := clusterOf(), 0
	judge := func(i int) Judgment {
		judged++
		node := cluster.Node(i)
		number := 0
		_, err := fmt.Sscanf(node.Name, "n%03d", &number)
		require.NoError(t, err)
		j := Judgment{
			Reported: number%5 != 0, Report: model.NodeReport{Node: node.Name}, Steady: number%7 != 0,
			Traits: Eligible | Column(model.Available) | Ready.If(number > 90) | Served.If(node.Labels["changed"] != ""),
		}
		if number%3 == 0 {
			j.Move.Kind = 1
		}
		return j
	}
	var memo NodeMemo
	now := time.Unix(100, 0)
	sums := func(same bool, issued map[int]bool) int {
		want := Sum(n, judge, nil)
		memo.Follow(cluster, now, same, issued)
		judged = 0
		require.Equal(t, want, Sum(n, judge, &memo))
		return judged
	}
	unsteady := (n + 6) / 7
	require.Equal(t, n, sums(true, nil), "nothing is known at first")
	require.Equal(t, unsteady, sums(true, nil))
	require.Equal(t, unsteady+1, sums(true, map[int]bool{1: true}), "an issued action")
	nodes[2] = nodes[2].DeepCopy()
	nodes[2].Labels = map[string]string{"changed": "yes"}
	cluster = clusterOf()
	require.Equal(t, unsteady+1, sums(true, nil), "a node that changed")
	nodes[2].Name, nodes[2].UID = "n000a", "n000a" // now the second
	cluster = clusterOf()
	require.Equal(t, unsteady+1, sums(true, nil), "a node with another name is a new one, and here one that is never kept")
	require.Equal(t, n, sums(false, nil), "judged by something else")
	now = now.Add(-time.Second)
	require.Equal(t, n, sums(true, nil), "time ran backwards")
}
