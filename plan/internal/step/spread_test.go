package step

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
)

// A Spread that remembers gives the turns of one that does not, whatever joins, leaves, or is labelled in between.
func TestSpreadRemembersTurnsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Spread
		nodes, version := map[string]*corev1.Node{}, 0
		for range rapid.IntRange(2, 8).Draw(t, "plans") {
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "node")
				if rapid.IntRange(0, 4).Draw(t, "leaves") == 0 {
					delete(nodes, name)
					continue
				}
				version++
				labels := map[string]string{"rack": strconv.Itoa(rapid.IntRange(1, 2).Draw(t, "rack"))}
				if rapid.Bool().Draw(t, "in a zone") {
					labels["zone"] = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "zone")
				}
				nodes[name] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: strconv.Itoa(version), Labels: labels}}
			}
			var objects model.Objects
			for _, node := range nodes {
				objects.Nodes = append(objects.Nodes, node)
			}
			cluster, err := model.NewCluster(objects)
			require.NoError(t, err)
			keys := rapid.SampledFrom([][]string{nil, {"zone"}, {"zone"}, {"zone", "rack"}}).Draw(t, "keys")
			require.Equal(t, Turns(cluster, keys), s.Turns(cluster, keys))
			require.Equal(t, Turns(cluster, keys), (*Spread)(nil).Turns(cluster, keys))
		}
	})
}
