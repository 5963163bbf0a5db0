package execute

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// Reads names what is to be read from the API server itself, past every cache (a list or a get without a resourceVersion). What is named
// and is not there is left out of the answer, and counts as gone.
type Reads struct {
	// All asks for all that the caches hold, by the same selectors: the nodes, the DaemonSets and the Pods.
	All bool
	// PodsOn asks for all Pods that are bound to these nodes (field selector spec.nodeName), of every namespace.
	PodsOn []string
	// Objects are single Nodes, DaemonSets and Pods.
	Objects []model.ObjectRef
}

// Any tells whether there is something to read.
func (r Reads) Any() bool { return r.All || len(r.PodsOn)+len(r.Objects) > 0 }

// names tells whether the object is among what is read.
func (r Reads) names(ref model.ObjectRef, node string) bool {
	return r.All || ref.Kind == "Pod" && slices.Contains(r.PodsOn, node) ||
		slices.ContainsFunc(r.Objects, func(named model.ObjectRef) bool { return sameObject(named, ref) })
}

// From answers from a cluster that shows everything as it is: for simulations, and for who has listed everything anyway.
func (r Reads) From(live *model.Cluster) (o model.Objects) {
	for _, set := range live.DaemonSets() {
		if r.names(refOf("DaemonSet", set), "") {
			o.DaemonSets = append(o.DaemonSets, set)
		}
	}
	for _, i := range r.numbers(live) {
		node := live.Node(i)
		if r.names(refOf("Node", node), "") {
			o.Nodes = append(o.Nodes, node)
		}
		for _, pod := range live.Pods(i) {
			if r.names(refOf("Pod", pod), node.Name) {
				o.Pods = append(o.Pods, pod)
			}
		}
	}
	for _, pod := range live.Stray() {
		if r.names(refOf("Pod", pod), "") {
			o.Pods = append(o.Pods, pod)
		}
	}
	return o
}

// numbers are the nodes to look at: those that are named, or all, since the name of a Pod does not tell its node.
func (r Reads) numbers(live *model.Cluster) (numbers []int) {
	for _, name := range r.PodsOn {
		numbers = appendNode(numbers, live, name)
	}
	all := r.All
	for i := range r.Objects {
		ref := &r.Objects[i]
		if ref.Kind == "Node" {
			numbers = appendNode(numbers, live, ref.Name)
		}
		all = all || ref.Kind == "Pod" && !slices.ContainsFunc(numbers, func(n int) bool {
			object, _ := live.Object(*ref, live.Node(n).Name)
			return object != nil
		})
	}
	if !all {
		return numbers
	}
	numbers = numbers[:0]
	for i := range live.Len() {
		numbers = append(numbers, i)
	}
	return numbers
}

func appendNode(numbers []int, c *model.Cluster, name string) []int {
	if i, ok := c.Find(name); ok && !slices.Contains(numbers, i) {
		numbers = append(numbers, i)
	}
	return numbers
}

func refOf(kind string, object metav1.Object) model.ObjectRef {
	return model.ObjectRef{Kind: kind, Namespace: object.GetNamespace(), Name: object.GetName(), UID: object.GetUID()}
}

// object finds a named object in the answer.
func object(o *model.Objects, ref model.ObjectRef) metav1.Object {
	switch ref.Kind {
	case "Node":
		return named(o.Nodes, ref)
	case "DaemonSet":
		return named(o.DaemonSets, ref)
	case "Pod":
		return named(o.Pods, ref)
	}
	return nil
}

// named returns nil, and not a pointer that is nil, if there is no such object.
func named[T metav1.Object](list []T, ref model.ObjectRef) metav1.Object {
	for _, object := range list {
		if object.GetName() == ref.Name && object.GetNamespace() == ref.Namespace {
			return object
		}
	}
	return nil
}

// changes compares an answer with what a cluster shows. Of Pods that are bound to no node only those are gone that were named.
func (r Reads) changes(view *model.Cluster, fresh *model.Objects) (c model.Changes) {
	for _, ref := range r.Objects {
		former, _ := view.Object(ref, "")
		switch live := object(fresh, ref).(type) {
		case *corev1.Node:
			if former == nil || !sameVersion(former, live) {
				c.Present.Nodes = append(c.Present.Nodes, live)
			}
		case *appsv1.DaemonSet:
			if former == nil || !sameSet(former.(*appsv1.DaemonSet), live) {
				c.Present.DaemonSets = append(c.Present.DaemonSets, live)
			}
		case nil:
			switch former := former.(type) {
			case *corev1.Node:
				c.Gone.Nodes = append(c.Gone.Nodes, former)
			case *appsv1.DaemonSet:
				c.Gone.DaemonSets = append(c.Gone.DaemonSets, former)
			}
		}
	}
	for _, node := range r.PodsOn {
		i, ok := view.Find(node)
		if !ok {
			continue
		}
		for _, former := range view.Pods(i) {
			ref := refOf("Pod", former)
			asked := model.Bound(former) || slices.ContainsFunc(r.Objects, func(named model.ObjectRef) bool { return sameObject(named, ref) })
			if live := object(fresh, ref); live == nil && asked {
				c.Gone.Pods = append(c.Gone.Pods, former)
			}
		}
	}
	for _, pod := range fresh.Pods {
		node, _ := model.NodeOf(pod)
		if former, _ := view.Object(refOf("Pod", pod), node); former == nil || !sameVersion(former, pod) {
			c.Present.Pods = append(c.Present.Pods, pod)
		}
	}
	return c
}

// sameVersion tells whether two copies of an object are of one version.
func sameVersion(a, b metav1.Object) bool {
	return a.GetUID() == b.GetUID() && a.GetResourceVersion() == b.GetResourceVersion()
}

// sameSet: the counts in a DaemonSet's status, which change with every Pod, make no other one.
func sameSet(a, b *appsv1.DaemonSet) bool {
	return sameVersion(a, b) || a.UID == b.UID && a.Generation == b.Generation && a.Status.ObservedGeneration == b.Status.ObservedGeneration &&
		(a.DeletionTimestamp == nil) == (b.DeletionTimestamp == nil) && maps.Equal(a.Annotations, b.Annotations)
}

// refsOf names the objects of the changes.
func refsOf(c *model.Changes) (refs []model.ObjectRef) {
	for _, o := range [...]*model.Objects{&c.Present, &c.Gone} {
		for _, node := range o.Nodes {
			refs = append(refs, refOf("Node", node))
		}
		for _, set := range o.DaemonSets {
			refs = append(refs, refOf("DaemonSet", set))
		}
		for _, pod := range o.Pods {
			refs = append(refs, refOf("Pod", pod))
		}
	}
	return refs
}
