package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
)

// choose keeps the nodes: one of every kind in the order of kinds, then further ones of the largest kind.
func (c *Cutting) choose(snapshot *model.Snapshot, document *model.Rollout, most int) map[string]bool {
	groups := kindsOfNodes(snapshot, document)
	chosen := map[string]bool{}
	for i := range groups {
		g := &groups[i]
		if len(chosen) == most {
			c.LeftOut = append(c.LeftOut, Kept{Node: g.nodes[0], Why: g.what, Others: len(g.nodes) - 1})
			continue
		}
		chosen[g.nodes[0]] = true
		c.Kept = append(c.Kept, Kept{Node: g.nodes[0], Why: g.what, Others: len(g.nodes) - 1})
	}
	for len(chosen) < min(most, snapshot.Cluster.Len()) {
		at := -1
		for i := range c.Kept {
			if c.Kept[i].Others > 0 && (at < 0 || c.Kept[i].Others > c.Kept[at].Others) {
				at = i
			}
		}
		g := groups[slices.IndexFunc(groups, func(g group) bool { return chosen[g.nodes[0]] && g.what == c.Kept[at].Why })]
		next := g.nodes[slices.IndexFunc(g.nodes, func(n string) bool { return !chosen[n] })]
		c.Kept[at].Others--
		chosen[next] = true
		c.Kept = append(c.Kept, Kept{Node: next, Why: g.what})
	}
	slices.SortFunc(c.Kept, func(a, b Kept) int { return strings.Compare(a.Node, b.Node) })
	return chosen
}

// group are the nodes of one kind.
type group struct {
	what  string
	rank  int
	nodes []string
}

// kindsOfNodes groups the nodes: those in flight or out of order first, then the kinds with the fewest nodes.
func kindsOfNodes(snapshot *model.Snapshot, document *model.Rollout) []group {
	keys := model.NewKeys(document.Spec.Slots.Domain, document.Metadata.Namespace, document.Metadata.Name)
	var placement *capacity.Placement
	if document.Spec.Desired != nil {
		placement, _ = capacity.NewPlacement(&document.Spec.Desired.Spec.Template)
	}
	byKind := map[string]*group{}
	for i := range snapshot.Cluster.Len() {
		node := snapshot.Cluster.Node(i)
		what, rank := kindOfNode(node, ownPods(snapshot, i), keys, placement)
		g := byKind[what]
		if g == nil {
			g = &group{what: what, rank: rank}
			byKind[what] = g
		}
		g.nodes = append(g.nodes, node.Name)
	}
	groups := make([]group, 0, len(byKind))
	for _, what := range slices.Sorted(maps.Keys(byKind)) {
		slices.Sort(byKind[what].nodes)
		groups = append(groups, *byKind[what])
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(len(a.nodes), len(b.nodes)))
	})
	return groups
}

// kindOfNode says in words what tells the node from others, and how much it matters: being in flight more than everything
// else together, and so on downwards.
func kindOfNode(node *corev1.Node, pods []*corev1.Pod, keys model.Keys, placement *capacity.Placement) (what string, rank int) {
	var words []string
	label, labelled := node.Labels[keys.NodeSlot]
	switch kind := model.ParseNodeLabel(label, labelled); {
	case !labelled:
		words = append(words, "without label")
	case kind.Kind == model.Overlaps:
		words, rank = append(words, "in overlap "+label), 16
	default:
		words = append(words, "labelled "+label)
	}
	if !model.NodeReady(node) {
		words, rank = append(words, "not Ready"), rank|4
	}
	if node.Spec.Unschedulable {
		words, rank = append(words, "cordoned"), rank|2
	}
	for _, taint := range node.Spec.Taints {
		if taint.Key != corev1.TaintNodeUnschedulable && taint.Key != corev1.TaintNodeUnreachable && taint.Key != corev1.TaintNodeNotReady {
			words, rank = append(words, "tainted "+taint.Key+":"+string(taint.Effect)), rank|1
		}
	}
	if placement != nil && placement.Judge(node) == capacity.Ineligible {
		words = append(words, "not eligible")
	}
	for _, pod := range pods {
		if ready, _ := model.ReadySince(pod); !ready || pod.DeletionTimestamp != nil {
			words, rank = append(words, "a Pod of the agent is not Ready"), rank|8
			break
		}
	}
	return fmt.Sprintf("%s, Pods of the agent: %d", strings.Join(words, ", "), len(pods)), rank
}

// ownPods are the Pods of the DaemonSets in the rollout's namespace on the node.
func ownPods(snapshot *model.Snapshot, node int) (pods []*corev1.Pod) {
	for _, pod := range snapshot.Cluster.Pods(node) {
		uid := model.ControllerUID(pod)
		if slices.ContainsFunc(snapshot.Cluster.DaemonSets(), func(set *appsv1.DaemonSet) bool {
			return set.UID == uid && set.Namespace == snapshot.Rollout.Metadata.Namespace
		}) {
			pods = append(pods, pod)
		}
	}
	return pods
}
