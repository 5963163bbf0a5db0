package step

import (
	"slices"

	"github.com/agent-rollout/planner/model"
)

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
