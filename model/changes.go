package model

import (
	"cmp"
	"slices"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Changes are what a watch has told since a cluster was built.
type Changes struct {
	// Present are the objects that are new or have changed, as they are now.
	Present Objects
	// Gone are those that are there no more, as they were last seen: what counts is the name, and of a Pod its node. A Pod
	// that is on another node than before is gone and present. What the cluster does not have is ignored.
	Gone Objects
}

// Apply returns the cluster after the changes: the same as NewCluster makes of all objects together, sharing with the
// receiver what did not change. The receiver stays as it is. It copies the lists, which takes little beside an index of
// 5,000 nodes; a node that joins or leaves costs as much as NewCluster. The error is an *ObjectError with the faults of
// what is present, and a Pod counts as given twice as for NewCluster.
func (c *Cluster) Apply(changes Changes) (*Cluster, error) {
	if changes.empty() {
		return c, nil
	}
	next := *c
	var faults []string
	faults = checkIdentity(faults, "Node", changes.Present.Nodes)
	faults = checkIdentity(faults, "Pod", changes.Present.Pods)
	faults = checkIdentity(faults, "DaemonSet", changes.Present.DaemonSets)
	faults = append(faults, next.changeSets(&changes)...)
	if c.nodesDiffer(&changes) {
		return c.rebuilt(faults, &changes)
	}
	faults = append(faults, next.changeNodes(changes.Present.Nodes)...)
	faults = append(faults, next.changePods(&changes)...)
	if len(faults) > 0 {
		sort.Strings(faults)
		return nil, &ObjectError{Faults: faults}
	}
	return &next, nil
}

func (c *Changes) empty() bool {
	none := func(o *Objects) bool { return len(o.Nodes)+len(o.Pods)+len(o.DaemonSets) == 0 }
	return none(&c.Present) && none(&c.Gone)
}

// nodesDiffer tells whether a node joins or leaves: then the nodes have other numbers, and Pods find or lose theirs.
func (c *Cluster) nodesDiffer(changes *Changes) bool {
	known := func(node *corev1.Node) bool { _, ok := c.byName.find(c.nodes, node.Name); return ok }
	return slices.ContainsFunc(changes.Gone.Nodes, known) ||
		slices.ContainsFunc(changes.Present.Nodes, func(node *corev1.Node) bool { return !known(node) })
}

// changeSets replaces the list of DaemonSets.
func (c *Cluster) changeSets(changes *Changes) []string {
	present, gone := changes.Present.DaemonSets, changes.Gone.DaemonSets
	if len(present)+len(gone) == 0 {
		return nil
	}
	left := without(without(c.sets, gone), present)
	c.sets = sortedByName(append(left, present...))
	return checkTwice(nil, "DaemonSet", c.sets)
}

// without returns a new list of the objects whose names are not among the others'.
func without(sets, others []*appsv1.DaemonSet) []*appsv1.DaemonSet {
	return slices.DeleteFunc(slices.Clone(sets), func(set *appsv1.DaemonSet) bool {
		return slices.ContainsFunc(others, func(other *appsv1.DaemonSet) bool { return sameName(set, other) })
	})
}

func sameName[T interface {
	GetNamespace() string
	GetName() string
}](a, b T) bool {
	return a.GetNamespace() == b.GetNamespace() && a.GetName() == b.GetName()
}

// changeNodes replaces nodes in their places.
func (c *Cluster) changeNodes(present []*corev1.Node) (faults []string) {
	if len(present) == 0 {
		return nil
	}
	if sorted := sortedNodes(present); len(sorted) > 1 {
		faults = checkTwice(faults, "Node", sorted)
	}
	former := c.nodes
	c.nodes = slices.Clone(c.nodes)
	for _, node := range present {
		n, _ := c.byName.find(former, node.Name)
		c.nodes[n] = node
	}
	return faults
}

// rebuilt makes the cluster anew from its objects and the changes.
func (c *Cluster) rebuilt(faults []string, changes *Changes) (*Cluster, error) {
	if len(faults) > 0 {
		sort.Strings(faults)
		return nil, &ObjectError{Faults: faults}
	}
	replaced := make([]bool, len(c.nodes))
	for _, nodes := range [...][]*corev1.Node{changes.Gone.Nodes, changes.Present.Nodes} {
		for _, node := range nodes {
			if n, ok := c.byName.find(c.nodes, node.Name); ok {
				replaced[n] = true
			}
		}
	}
	nodes := slices.Clone(changes.Present.Nodes)
	for n, node := range c.nodes {
		if !replaced[n] {
			nodes = append(nodes, node)
		}
	}
	next := *c
	if twice := next.changePods(changes); len(twice) > 0 {
		return nil, &ObjectError{Faults: twice}
	}
	next.changeSets(changes)
	return NewCluster(Objects{
		Nodes:      nodes,
		Pods:       append(slices.Clone(next.pods), next.stray...),
		DaemonSets: next.sets,
	})
}

// podChange is one Pod that is new, changed or gone, with the number of its node; nowhere for none that is known.
type podChange struct {
	node int32
	pod  *corev1.Pod
	gone bool
}

const nowhere = int32(-1)

// changePods replaces the Pods, node by node.
func (c *Cluster) changePods(changes *Changes) (faults []string) {
	list := c.podChanges(changes)
	if len(list) == 0 {
		return nil
	}
	former := *c
	groups := make([][]*corev1.Pod, 0, len(list))
	var numbers []int32
	for len(list) > 0 {
		node := list[0].node
		end := slices.IndexFunc(list, func(change podChange) bool { return change.node != node })
		if end < 0 {
			end = len(list)
		}
		pods := former.stray
		if node != nowhere {
			pods = former.Pods(int(node))
		}
		pods = changedPods(pods, list[:end])
		faults = sortPods(faults, pods)
		if list = list[end:]; node == nowhere {
			c.stray = pods
			continue
		}
		groups, numbers = append(groups, pods), append(numbers, node)
	}
	c.putPods(numbers, groups)
	return faults
}

// podChanges lists the changes in the order of nodes. A Pod that was bound for no known node until now is
// taken from there.
func (c *Cluster) podChanges(changes *Changes) []podChange {
	list := make([]podChange, 0, len(changes.Gone.Pods)+len(changes.Present.Pods))
	add := func(pods []*corev1.Pod, gone bool) {
		for _, pod := range pods {
			node := c.numberOf(pod)
			if node != nowhere && slices.ContainsFunc(c.stray, func(other *corev1.Pod) bool { return sameName(pod, other) }) {
				list = append(list, podChange{nowhere, pod, true})
			}
			list = append(list, podChange{node, pod, gone})
		}
	}
	add(changes.Gone.Pods, true)
	add(changes.Present.Pods, false)
	slices.SortStableFunc(list, func(a, b podChange) int {
		return cmp.Compare(a.node, b.node)
	})
	return list
}

func (c *Cluster) numberOf(pod *corev1.Pod) int32 {
	if name, ok := NodeOf(pod); ok {
		if n, known := c.byName.find(c.nodes, name); known {
			return n
		}
	}
	return nowhere
}

// changedPods returns a new list of one node's Pods after the changes.
func changedPods(pods []*corev1.Pod, changes []podChange) []*corev1.Pod {
	left := slices.DeleteFunc(slices.Clone(pods), func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(changes, func(change podChange) bool { return sameName(pod, change.pod) })
	})
	for _, change := range changes {
		if !change.gone {
			left = append(left, change.pod)
		}
	}
	return left
}

// putPods puts the groups of the nodes with these numbers, which ascend, in the place of the former ones.
func (c *Cluster) putPods(numbers []int32, groups [][]*corev1.Pod) {
	total, grown := len(c.pods), false
	for i, n := range numbers {
		more := len(groups[i]) - len(c.Pods(int(n)))
		total, grown = total+more, grown || more != 0
	}
	pods, first := make([]*corev1.Pod, 0, total), c.first
	if grown {
		first = slices.Clone(c.first)
	}
	from := int32(0)
	for i, n := range numbers {
		pods = append(append(pods, c.pods[from:c.first[n]]...), groups[i]...)
		from = c.first[n+1]
		if !grown {
			continue
		}
		last := int32(len(c.nodes))
		if i+1 < len(numbers) {
			last = numbers[i+1]
		}
		shift := int32(len(pods)) - from
		for k := n + 1; k <= last; k++ {
			first[k] = c.first[k] + shift
		}
	}
	c.pods, c.first = append(pods, c.pods[from:]...), first
}
