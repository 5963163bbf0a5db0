package step

import "github.com/agent-rollout/planner/model"

// Issued sorts the actions whose effect does not show yet by what they are about: the nodes by their number in the cluster,
// each with what it costs, and whether a write on a DaemonSet or on the owner is under way.
func Issued(cluster *model.Cluster, issued []model.Issued) (nodes map[int]bool, cost map[int]model.Cost, objects bool) {
	nodes, cost = map[int]bool{}, map[int]model.Cost{}
	for i := range issued {
		action := &issued[i].Action
		if issued[i].Visible(cluster) {
			continue
		}
		n, ok := cluster.Find(action.Node)
		if action.Node == "" || !ok {
			objects = objects || action.Node == ""
			continue
		}
		nodes[n] = true
		sum := cost[n]
		if action.Cost.Seat != "" {
			sum.Seat = action.Cost.Seat
		}
		sum.Overlap = max(sum.Overlap, action.Cost.Overlap)
		sum.OffSource = max(sum.OffSource, action.Cost.OffSource)
		cost[n] = sum
	}
	return nodes, cost, objects
}
