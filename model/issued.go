package model

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// Visible tells whether the cluster shows the effect of the action, so that it leaves the list of issued ones:
// the object is gone, has another UID, or its resourceVersion is not older than the result; of a delete also when the
// deletion timestamp shows. Without a result the outcome is unknown, and only the object's absence, another
// UID or, for a delete, its deletion timestamp settles it.
//
// A created object that is not there may be gone again: that shows once another object of the kind is not older than
// the result, or by a live read, after which the embedder drops the entry.
//
// An object of a kind that the cluster does not hold (the owner) is taken as visible once there is a result.
func (i *Issued) Visible(c *Cluster) bool {
	write := &i.Action.Write
	object, known := c.object(i)
	if !known {
		return i.Result != nil
	}
	if write.Create != nil {
		if object == nil {
			return i.Result != nil && c.hasSeen(i.Result.ResourceVersion)
		}
		return i.Result == nil || object.GetUID() == i.Result.UID || c.hasSeen(i.Result.ResourceVersion)
	}
	if object == nil || object.GetUID() != write.Object.UID {
		return true
	}
	if write.Delete != nil && object.GetDeletionTimestamp() != nil {
		return true
	}
	return i.Result != nil && write.Patch != nil && notOlder(object.GetResourceVersion(), i.Result.ResourceVersion)
}

// hasSeen tells whether a DaemonSet of the cluster is not older than the version.
func (c *Cluster) hasSeen(version string) bool {
	for _, set := range c.sets {
		if notOlder(set.ResourceVersion, version) {
			return true
		}
	}
	return false
}

// object returns the written object as the cluster shows it, nil if it is not there; known is false for
// kinds that a cluster does not hold.
func (c *Cluster) object(i *Issued) (object metav1.Object, known bool) {
	return c.Object(i.Action.Write.Object, i.Action.Node)
}

// Object returns the object of that kind, namespace and name as the cluster shows it, and nil if it is not there; a Pod is looked for on
// the node, and if that is not known among those that are bound for no known node. known is false for kinds that a cluster does
// not hold.
func (c *Cluster) Object(ref ObjectRef, node string) (object metav1.Object, known bool) {
	switch ref.Kind {
	case "Node":
		if n, ok := c.Find(ref.Name); ok {
			return c.nodes[n], true
		}
		return nil, true
	case "DaemonSet":
		if set := c.DaemonSet(ref.Namespace, ref.Name); set != nil {
			return set, true
		}
		return nil, true
	case "Pod":
		pods := c.stray
		if n, ok := c.Find(node); ok {
			pods = c.Pods(n)
		}
		if pod := podOf(pods, ref); pod != nil {
			return pod, true
		}
		return nil, true
	}
	return nil, false
}

func podOf(pods []*corev1.Pod, ref ObjectRef) *corev1.Pod {
	for _, pod := range pods {
		if pod.Name == ref.Name && pod.Namespace == ref.Namespace {
			return pod
		}
	}
	return nil
}

// notOlder compares two resourceVersions of one resource. What cannot be compared is older unless equal: then
// the action stays charged, which costs time and no node.
func notOlder(version, than string) bool {
	order, err := resourceversion.CompareResourceVersion(version, than)
	if err != nil {
		return version == than
	}
	return order >= 0
}
