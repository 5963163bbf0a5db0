package pair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// candidate is a node that may become one of the canary.
type candidate struct {
	proposal int
	group    string
	restarts int
	// turn is its place in the one order, round its place in its group behind those that the canary has there already.
	turn, round int
}

// chooseCanary counts the canary and chooses the nodes that it misses. The choice is sticky: what has left the source for
// the target stays, and only the missing number is chosen, among the eligible Ready nodes that the selector takes and that
// the target fits. The groups of the anti-affinity keys take turns, so that no group gets a second node before every other one
// that has a candidate left got its first; within a turn the nodes go first whose agent has restarted least, then the one
// order holds. Fewer candidates than are missing are all taken.
func (p *planner) chooseCanary() {
	c := p.canary
	if c == nil {
		return
	}
	status := &c.status
	status.Placed, status.Available = p.account.OffSource, p.survey.served
	status.Wanted = p.plan.Limits.Cohort
	chosen := 0
	if missing := status.Wanted - status.Placed; missing > 0 {
		candidates := p.candidates()
		status.Candidates = len(candidates)
		chosen = min(missing, len(candidates))
		if chosen < missing {
			status.Wanted = max(1, min(status.Wanted, p.fitting()))
		}
		for _, one := range candidates[:chosen] {
			p.proposals[one.proposal].chosen = true
		}
	}
	// Nothing else may leave the source: who asks for the target's chances must not count on it.
	p.survey.departing = chosen
}

// candidates returns all nodes that may be chosen, the best first.
func (p *planner) candidates() (list []candidate) {
	selector, turns := p.canarySelector(), p.turns()
	fits := p.fitsOnce()
	for i := range p.proposals {
		n := &p.proposals[i]
		node := p.cluster.Node(int(n.node))
		if (n.move != moveOverlap && n.move != moveRelease) || n.offSource || !selector.Matches(labels.Set(node.Labels)) || !fits(int(n.node)) {
			continue
		}
		one := candidate{proposal: i, group: p.canaryGroup(node), turn: int(n.node)}
		if turns != nil {
			one.turn = int(turns[n.node])
		}
		if n.available {
			one.turn += p.cluster.Len() // unavailable nodes have nothing to lose
		}
		for _, pod := range p.cluster.Pods(int(n.node)) {
			if uid := model.ControllerUID(pod); uid != "" && (uid == p.pair.slots[0].uid() || uid == p.pair.slots[1].uid()) {
				one.restarts += model.RestartSum(pod)
			}
		}
		list = append(list, one)
	}
	byRestarts := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.restarts, b.restarts), cmp.Compare(a.turn, b.turn))
	}
	slices.SortFunc(list, byRestarts)
	taken := map[string]int{}
	for _, node := range p.watched.nodes {
		taken[p.canaryGroup(p.cluster.Node(int(node)))]++
	}
	for i := range list {
		list[i].round = taken[list[i].group]
		taken[list[i].group]++
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.round, b.round) })
	return list
}

// canarySelector is the settings' selector, which is valid; without one every node matches.
func (p *planner) canarySelector() labels.Selector {
	if p.canary.settings.NodeSelector == nil {
		return labels.Everything()
	}
	selector, err := metav1.LabelSelectorAsSelector(p.canary.settings.NodeSelector)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// canaryGroup joins the node's values of the anti-affinity keys; a missing label is an empty value.
func (p *planner) canaryGroup(node *corev1.Node) string {
	keys := p.canary.settings.NodeAntiAffinityKeys
	if len(keys) == 0 {
		return ""
	}
	values := make([]string, len(keys))
	for i, key := range keys {
		values[i] = node.Labels[key]
	}
	return strings.Join(values, "\n") // no label's value has a line break
}

// fitsOnce returns a judge of nodes: does the target fit there once the source is gone? One that asks for no more than the
// source has fits wherever the source runs, if the node is big enough at all; else the node's other Pods decide, where they
// are known.
func (p *planner) fitsOnce() func(node int) bool {
	template := p.templateOf(p.journey.to)
	if template == nil {
		return func(int) bool { return true }
	}
	target := &corev1.Pod{Spec: *template}
	requests := capacity.Requests(target)
	grows := p.grows(requests)
	return func(i int) bool {
		node := p.cluster.Node(i)
		return bigEnough(node, requests) && (!grows || !p.rollout.Status.OtherPods.Listed(node.Name) || p.hasRoom(i, target))
	}
}

// grows tells whether the target asks for more than the source.
func (p *planner) grows(requests corev1.ResourceList) bool {
	source := p.templateOf(p.journey.from)
	if source == nil {
		return true
	}
	had := capacity.Requests(&corev1.Pod{Spec: *source})
	for name, q := range requests {
		if before := had[name]; q.Cmp(before) > 0 {
			return true
		}
	}
	return false
}

// hasRoom tells whether the node has room for the Pod beside the Pods of others.
func (p *planner) hasRoom(i int, pod *corev1.Pod) bool {
	var others []*corev1.Pod
	for _, other := range p.cluster.Pods(i) {
		if uid := model.ControllerUID(other); uid == "" || (uid != p.pair.slots[0].uid() && uid != p.pair.slots[1].uid()) {
			others = append(others, other)
		}
	}
	return !slices.ContainsFunc(capacity.Fit(pod, p.cluster.Node(i), others), func(short capacity.Shortfall) bool {
		return short.Kind == capacity.ShortResource || short.Kind == capacity.ShortPods
	})
}

// fitting counts the eligible nodes that are big enough for the target at all. Where those are fewer than the canary is to
// have, they are the canary: the others cannot follow anyway.
func (p *planner) fitting() (count int) {
	template := p.templateOf(p.journey.to)
	if template == nil {
		return p.survey.eligible
	}
	requests := capacity.Requests(&corev1.Pod{Spec: *template})
	for i := range p.plan.Nodes {
		r := &p.plan.Nodes[i]
		n, _ := p.cluster.Find(r.Node)
		if r.Blame != model.NotEligible && bigEnough(p.cluster.Node(n), requests) {
			count++
		}
	}
	return count
}

// bigEnough tells whether no request exceeds what the whole node has.
func bigEnough(node *corev1.Node, requests corev1.ResourceList) bool {
	for name, q := range requests {
		if room := node.Status.Allocatable[name]; q.Cmp(room) > 0 {
			return false
		}
	}
	return true
}
