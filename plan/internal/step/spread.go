package step

import (
	"slices"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// Spread keeps the turns of one cluster's nodes as long as their names and the keys' labels are the same. A nil Spread keeps nothing.
type Spread struct {
	keys  []string
	nodes []*corev1.Node
	turns []int32
}

// Turns returns what the function of that name does. It is not to be changed.
func (s *Spread) Turns(cluster *model.Cluster, keys []string) []int32 {
	if s == nil || len(keys) == 0 {
		return Turns(cluster, keys)
	}
	if !s.same(cluster, keys) {
		s.keys, s.turns, s.nodes = keys, Turns(cluster, keys), make([]*corev1.Node, cluster.Len())
		for i := range s.nodes {
			s.nodes[i] = cluster.Node(i)
		}
	}
	return s.turns
}

func (s *Spread) same(cluster *model.Cluster, keys []string) bool {
	if len(s.nodes) != cluster.Len() || !slices.Equal(s.keys, keys) {
		return false
	}
	for i, former := range s.nodes {
		node := cluster.Node(i)
		if former == node {
			continue
		}
		if former.Name != node.Name || slices.ContainsFunc(keys, func(key string) bool { return former.Labels[key] != node.Labels[key] }) {
			return false
		}
		s.nodes[i] = node
	}
	return true
}

// Turns gives every node its place in the spread over all nodes, so that the order does not change while the rollout
// goes on; nil without a key, where the order of names holds.
func Turns(cluster *model.Cluster, keys []string) []int32 {
	if len(keys) == 0 {
		return nil
	}
	nodes := make([]int32, cluster.Len())
	for i := range nodes {
		nodes[i] = int32(i)
	}
	turns := make([]int32, len(nodes))
	for turn, node := range spread(cluster, nodes, keys) {
		turns[node] = int32(turn)
	}
	return turns
}

// spread lets the values of the first key take turns, and within each value those of the next key. The
// nodes come in the order of names, which decides where no key is left.
func spread(cluster *model.Cluster, nodes []int32, keys []string) []int32 {
	if len(keys) == 0 || len(nodes) < 2 {
		return nodes
	}
	groups := map[string][]int32{}
	var values []string
	for _, node := range nodes {
		value := cluster.Node(int(node)).Labels[keys[0]]
		if _, ok := groups[value]; !ok {
			values = append(values, value)
		}
		groups[value] = append(groups[value], node)
	}
	slices.Sort(values)
	for _, value := range values {
		groups[value] = spread(cluster, groups[value], keys[1:])
	}
	spread := make([]int32, 0, len(nodes))
	for turn := 0; len(spread) < len(nodes); turn++ {
		for _, value := range values {
			if group := groups[value]; turn < len(group) {
				spread = append(spread, group[turn])
			}
		}
	}
	return spread
}
