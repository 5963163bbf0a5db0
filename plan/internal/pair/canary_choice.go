package pair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// candidate is a node that may become one of the canary.
type candidate struct {
	node     int32
	group    string
	standing standing
	restarts int
	// turn is its place in the one order, round its place in its group behind those that the canary has there already.
	turn, round int
}

// standing is what a node tells of a revision: the lower, the more.
type standing uint8

const (
	// works: its agent is available, so that a target that does not work there is to blame.
	works standing = iota
	// fell: its agent settles, or has fallen or was made since the target was recorded.
	fell
	// brokenBefore: it has not worked since then.
	brokenBefore
)

// standingOf judges a node by its agent of the slot that is left.
func (v *view) standingOf(m *step.Move) standing {
	if m.Available {
		return works
	}
	f := v.look(int(m.Node))
	if f.settling {
		return fell
	}
	since := f.node.CreationTimestamp.Time
	if pod := f.from.Live; pod != nil {
		_, changed := model.ReadySince(pod)
		since = step.Later(pod.CreationTimestamp.Time, changed)
	}
	if since.Before(v.direction.targetSince) {
		return brokenBefore
	}
	return fell
}

// chooseCanary counts the canary and chooses the nodes that it misses. The choice is sticky: what has left the source for
// the target stays, and only the missing number is chosen, among the eligible Ready nodes that the selector takes and that
// the target fits: first among those that are available, and one that was broken before the target was recorded only if no other is left. The
// groups of the anti-affinity keys take turns, so that no group gets a second node before every other one that has such a
// candidate left got its first; within a turn the nodes go first whose agent has restarted least, then the spread's order and the order of
// names hold. Fewer candidates than are missing are all taken.
func (c *course) chooseCanary() {
	c.mayBegin = c.survey.Count.Of(candidates)
	if c.canary == nil {
		return
	}
	status := &c.status
	status.Placed, status.Available = c.survey.Account.OffSource, c.survey.Count.Of(step.Served)
	status.Wanted = c.Limits.Cohort
	chosen := 0
	if missing := status.Wanted - status.Placed; missing > 0 {
		list := c.candidates()
		status.Candidates = len(list)
		chosen = min(missing, len(list))
		if chosen < missing {
			status.Wanted = max(1, min(status.Wanted, c.fitting()))
		}
		c.Chosen = map[int32]bool{}
		for _, one := range list[:chosen] {
			c.Chosen[one.node] = true
		}
	}
	c.mayBegin = chosen // nothing else may leave the source
}

// candidates returns all nodes that may be chosen, the best first.
func (c *course) candidates() (list []candidate) {
	selector, turns := c.canarySelector(), c.turns(c.survey)
	fits := c.fitsOnce()
	for i := range c.survey.Moves {
		m := &c.survey.Moves[i]
		node := c.cluster.Node(int(m.Node))
		if (m.Kind != moveOverlap && m.Kind != moveRelease) || m.Left || !selector.Matches(labels.Set(node.Labels)) || !fits(int(m.Node)) {
			continue
		}
		one := candidate{node: m.Node, group: c.canaryGroup(node), turn: int(m.Node), standing: c.standingOf(m)}
		if turns != nil {
			one.turn = int(turns[m.Node])
		}
		for _, pod := range c.cluster.Pods(int(m.Node)) {
			if uid := model.ControllerUID(pod); uid != "" && (uid == c.pair.slots[0].uid() || uid == c.pair.slots[1].uid()) {
				one.restarts += model.RestartSum(pod)
			}
		}
		list = append(list, one)
	}
	byRestarts := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.standing, b.standing), cmp.Compare(a.restarts, b.restarts), cmp.Compare(a.turn, b.turn))
	}
	slices.SortFunc(list, byRestarts)
	taken := map[string]int{}
	for _, node := range c.survey.Canary.Nodes {
		taken[c.canaryGroup(c.cluster.Node(int(node)))]++
	}
	for i := range list {
		list[i].round = taken[list[i].group]
		taken[list[i].group]++
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.standing, b.standing), cmp.Compare(a.round, b.round))
	})
	return list
}

// canarySelector is the settings' selector, which is valid; without one every node matches.
func (c *course) canarySelector() labels.Selector {
	if c.canary.settings.NodeSelector == nil {
		return labels.Everything()
	}
	selector, err := metav1.LabelSelectorAsSelector(c.canary.settings.NodeSelector)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// canaryGroup joins the node's values of the anti-affinity keys; a missing label is an empty value.
func (c *course) canaryGroup(node *corev1.Node) string {
	keys := c.canary.settings.NodeAntiAffinityKeys
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
func (c *course) fitsOnce() func(node int) bool {
	template := c.templateOf(c.direction.to)
	if template == nil {
		return func(int) bool { return true }
	}
	target := &corev1.Pod{Spec: *template}
	requests := capacity.Requests(target)
	grows := c.grows(requests)
	return func(i int) bool {
		node := c.cluster.Node(i)
		return bigEnough(node, requests) && (!grows || !c.rollout.Status.OtherPods.Listed(node.Name) || c.hasRoom(i, target))
	}
}

// grows tells whether the target asks for more than the source.
func (c *course) grows(requests corev1.ResourceList) bool {
	source := c.templateOf(c.direction.from)
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
func (c *course) hasRoom(i int, pod *corev1.Pod) bool {
	var others []*corev1.Pod
	for _, other := range c.cluster.Pods(i) {
		if uid := model.ControllerUID(other); uid == "" || (uid != c.pair.slots[0].uid() && uid != c.pair.slots[1].uid()) {
			others = append(others, other)
		}
	}
	return !slices.ContainsFunc(capacity.Fit(pod, c.cluster.Node(i), others), func(short capacity.Shortfall) bool {
		return short.Kind == capacity.ShortResource || short.Kind == capacity.ShortPods
	})
}

// fitting counts the eligible nodes that are big enough for the target at all. Where those are fewer than the canary is to
// have, they are the canary: the others cannot follow anyway.
func (c *course) fitting() (count int) {
	template := c.templateOf(c.direction.to)
	if template == nil {
		return c.survey.Count.Of(step.Eligible)
	}
	requests := capacity.Requests(&corev1.Pod{Spec: *template})
	for i := range c.survey.Reports {
		r := &c.survey.Reports[i]
		n, _ := c.cluster.Find(r.Node)
		if r.Blame != model.NotEligible && bigEnough(c.cluster.Node(n), requests) {
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
