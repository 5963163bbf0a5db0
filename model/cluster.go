package model

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Cluster is an index over API objects: nodes in the order of their names, each with its Pods, and the
// DaemonSets. It is built once and shared by all rollouts; it holds the objects and changes none.
type Cluster struct {
	nodes  []*corev1.Node
	byName nameIndex
	pods   []*corev1.Pod // grouped by node, in the order of their names
	first  []int32       // the pods of node i are pods[first[i]:first[i+1]]
	stray  []*corev1.Pod // bound for no known node
	sets   []*appsv1.DaemonSet
}

// Objects are what a Cluster is built from. The lists may be in any order; the objects are kept, not copied.
type Objects struct {
	Nodes      []*corev1.Node
	Pods       []*corev1.Pod
	DaemonSets []*appsv1.DaemonSet
}

// ObjectError lists the objects that a cluster cannot be built from.
type ObjectError struct {
	// Faults has one line an object, in the order of the kinds and names.
	Faults []string
}

const shownFaults = 20

// Error lists up to twenty faults and counts the rest.
func (e *ObjectError) Error() string {
	shown := e.Faults
	rest := ""
	if len(shown) > shownFaults {
		rest = fmt.Sprintf("\n  and %d more", len(shown)-shownFaults)
		shown = shown[:shownFaults]
	}
	return fmt.Sprintf("%d objects cannot be used (if they come from an informer's cache, look at its Transform: model.TrimNode and model.TrimPod keep all that is read):\n  %s%s",
		len(e.Faults), strings.Join(shown, "\n  "), rest)
}

// NewCluster builds the index in one pass over the objects. Objects without a UID or a resourceVersion,
// objects that are given twice and nil pointers are refused with an *ObjectError that lists them all; a Pod that is given twice is
// noticed where both copies are on one node.
func NewCluster(objects Objects) (*Cluster, error) {
	var faults []string
	objects.Nodes, faults = withoutNil(faults, "Node", objects.Nodes)
	objects.DaemonSets, faults = withoutNil(faults, "DaemonSet", objects.DaemonSets)
	objects.Pods, faults = withoutNil(faults, "Pod", objects.Pods)
	c := &Cluster{
		nodes: sortedNodes(objects.Nodes),
		sets:  sortedByName(objects.DaemonSets),
	}
	faults = check(faults, "Node", c.nodes)
	faults = check(faults, "DaemonSet", c.sets)
	c.byName = newNameIndex(c.nodes)
	if faults = append(faults, c.groupPods(objects.Pods)...); len(faults) > 0 {
		sort.Strings(faults)
		return nil, &ObjectError{Faults: faults}
	}
	return c, nil
}

// groupPods checks the Pods and sorts them by their node with one counting pass, then each small group by name. It
// returns the Pods that cannot be used or are given twice. Every Pod is a way through memory, so that some are read at a time, step by step, and
// without a detour over an interface.
func (c *Cluster) groupPods(pods []*corev1.Pod) (faults []string) {
	at := make([]int32, len(pods))
	c.first = make([]int32, len(c.nodes)+1)
	var block [64]lookup
	for from := 0; from < len(pods); from += len(block) {
		part := pods[from:min(len(pods), from+len(block))]
		for i, pod := range part {
			block[i] = lookup{name: pod.Spec.NodeName}
		}
		for i, pod := range part {
			if pod.UID == "" || pod.ResourceVersion == "" {
				faults = checkIdentity(faults, "Pod", part[i:i+1])
			}
			if block[i].name == "" {
				block[i].name, _ = NodeOf(pod)
			}
		}
		c.byName.findAll(c.nodes, block[:len(part)])
		for i, pod := range part {
			n := block[i].number - 1
			if block[i].name == "" {
				n = -1
			}
			if at[from+i] = n; n < 0 {
				c.stray = append(c.stray, pod)
				continue
			}
			c.first[n+1]++
		}
	}
	for i := range c.nodes {
		c.first[i+1] += c.first[i]
	}
	c.pods = make([]*corev1.Pod, len(pods)-len(c.stray))
	for i := len(pods) - 1; i >= 0; i-- {
		if n := at[i]; n >= 0 {
			c.first[n+1]--
			c.pods[c.first[n+1]] = pods[i]
		}
	}
	// Filling from behind has turned first[n+1] into the start of n: shift back.
	copy(c.first, c.first[1:])
	c.first[len(c.nodes)] = int32(len(c.pods))
	for i := range c.nodes {
		if group := c.pods[c.first[i]:c.first[i+1]]; !podsInOrder(group) {
			faults = sortPods(faults, group)
		}
	}
	return sortPods(faults, c.stray)
}

// podsInOrder tells whether the Pods are in the order of their names already, each given once.
func podsInOrder(pods []*corev1.Pod) bool {
	for i := 1; i < len(pods); i++ {
		a, b := pods[i-1], pods[i]
		if a.Namespace > b.Namespace || a.Namespace == b.Namespace && a.Name >= b.Name {
			return false
		}
	}
	return true
}

func sortPods(faults []string, pods []*corev1.Pod) []string {
	if len(pods) < 2 {
		return faults
	}
	slices.SortFunc(pods, comparePods)
	if podsInOrder(pods) {
		return faults
	}
	return checkTwice(faults, "Pod", pods)
}

// Len returns the number of nodes.
func (c *Cluster) Len() int { return len(c.nodes) }

// Node returns the i-th node in the order of names.
func (c *Cluster) Node(i int) *corev1.Node { return c.nodes[i] }

// Find returns the index of the node of that name.
func (c *Cluster) Find(name string) (int, bool) {
	i, ok := c.byName.find(c.nodes, name)
	return int(i), ok
}

// Pods returns all Pods that run on the i-th node or are bound for it, in the order of names. The
// slice belongs to the cluster.
func (c *Cluster) Pods(i int) []*corev1.Pod { return c.pods[c.first[i]:c.first[i+1]:c.first[i+1]] }

// PodCount returns the number of Pods on known nodes.
func (c *Cluster) PodCount() int { return len(c.pods) }

// Stray returns the Pods that are bound for no known node.
func (c *Cluster) Stray() []*corev1.Pod { return c.stray }

// DaemonSets returns all DaemonSets, in the order of namespaces and names.
func (c *Cluster) DaemonSets() []*appsv1.DaemonSet { return c.sets }

// DaemonSet returns the DaemonSet of that name, or nil.
func (c *Cluster) DaemonSet(namespace, name string) *appsv1.DaemonSet {
	i, found := slices.BinarySearchFunc(c.sets, types.NamespacedName{Namespace: namespace, Name: name},
		func(set *appsv1.DaemonSet, key types.NamespacedName) int {
			if d := strings.Compare(set.Namespace, key.Namespace); d != 0 {
				return d
			}
			return strings.Compare(set.Name, key.Name)
		})
	if !found {
		return nil
	}
	return c.sets[i]
}

func compareNames[T metav1.Object](a, b T) int {
	if d := strings.Compare(a.GetNamespace(), b.GetNamespace()); d != 0 {
		return d
	}
	if d := strings.Compare(a.GetName(), b.GetName()); d != 0 {
		return d
	}
	return strings.Compare(string(a.GetUID()), string(b.GetUID()))
}

// comparePods is compareNames without the detour over an interface.
func comparePods(a, b *corev1.Pod) int {
	if d := strings.Compare(a.Namespace, b.Namespace); d != 0 {
		return d
	}
	if d := strings.Compare(a.Name, b.Name); d != 0 {
		return d
	}
	return strings.Compare(string(a.UID), string(b.UID))
}

// sortedNodes sorts by name without following 130,000 pointers again and again: what tells most names apart are the
// few bytes behind the prefix that all of them share.
func sortedNodes(nodes []*corev1.Node) []*corev1.Node {
	if slices.IsSortedFunc(nodes, compareNames[*corev1.Node]) {
		return slices.Clone(nodes)
	}
	type entry struct {
		key uint64
		at  int32
	}
	prefix := sharedPrefix(nodes)
	entries := make([]entry, len(nodes))
	for i, node := range nodes {
		entries[i] = entry{keyOf(node.Name[prefix:]), int32(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return compareNames(nodes[a.at], nodes[b.at])
	})
	sorted := make([]*corev1.Node, len(nodes))
	for i, e := range entries {
		sorted[i] = nodes[e.at]
	}
	return sorted
}

// sharedPrefix is the length of what all names begin with.
func sharedPrefix(nodes []*corev1.Node) int {
	prefix := len(nodes[0].Name)
	for _, node := range nodes {
		prefix = min(prefix, len(node.Name))
		for i := range prefix {
			if node.Name[i] != nodes[0].Name[i] {
				prefix = i
				break
			}
		}
	}
	return prefix
}

// keyOf packs the first eight bytes so that keys compare as the texts do.
func keyOf(text string) (key uint64) {
	for i := range 8 {
		key <<= 8
		if i < len(text) {
			key |= uint64(text[i])
		}
	}
	return key
}

func sortedByName[T metav1.Object](objects []T) []T {
	sorted := slices.Clone(objects)
	if !slices.IsSortedFunc(sorted, compareNames[T]) {
		slices.SortFunc(sorted, compareNames[T])
	}
	return sorted
}

func check[T metav1.Object](faults []string, kind string, sorted []T) []string {
	return checkTwice(checkIdentity(faults, kind, sorted), kind, sorted)
}

func checkTwice[T metav1.Object](faults []string, kind string, sorted []T) []string {
	for i := 1; i < len(sorted); i++ {
		if a, b := sorted[i-1], sorted[i]; a.GetNamespace() == b.GetNamespace() && a.GetName() == b.GetName() {
			faults = append(faults, fmt.Sprintf("%s %s: given twice", kind, nameOf(b)))
		}
	}
	return faults
}

// withoutNil returns the list itself if no pointer in it is nil, and a fault for each that is.
func withoutNil[T any](faults []string, kind string, objects []*T) ([]*T, []string) {
	if !slices.Contains(objects, nil) {
		return objects, faults
	}
	kept := make([]*T, 0, len(objects))
	for i, object := range objects {
		if object == nil {
			faults = append(faults, fmt.Sprintf("%s number %d of its list: is nil", kind, i+1))
			continue
		}
		kept = append(kept, object)
	}
	return kept, faults
}

func checkIdentity[T metav1.Object](faults []string, kind string, objects []T) []string {
	for _, object := range objects {
		switch {
		case object.GetUID() == "":
			faults = append(faults, fmt.Sprintf("%s %s: metadata.uid is missing", kind, nameOf(object)))
		case object.GetResourceVersion() == "":
			faults = append(faults, fmt.Sprintf("%s %s: metadata.resourceVersion is missing", kind, nameOf(object)))
		}
	}
	return faults
}

func nameOf(object metav1.Object) string {
	if object.GetNamespace() == "" {
		return object.GetName()
	}
	return object.GetNamespace() + "/" + object.GetName()
}
