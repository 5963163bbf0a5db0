package step

import (
	"fmt"
	"slices"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Identity is what is one rollout's own: a key belongs to one rollout, and so do the Pods that its selectors take.
type Identity struct {
	Keys      *model.Keys
	Namespace string
	// Owner is the UID of the owner; empty if it is not known.
	Owner types.UID
	// Names are the rollout's DaemonSets', the desired one's first.
	Names []string
	// Sets are its DaemonSets as they are, or as they would be made.
	Sets []*appsv1.DaemonSet
	// Locks is the directory of the node that holds the locks of its Pods; empty for Pods without.
	Locks string
}

// LocksOf is the directory of the locks that the rollout's Pods take; empty where they take none.
func LocksOf(rollout *model.Rollout) string {
	if rollout.Spec.Strategy.Overlap != model.Locked {
		return ""
	}
	spec, _ := lockspec.Resolve(rollout.Spec.Lock, nil) // its faults are the document's
	return spec.HostDirectory
}

// Strangers refuses a cluster in which another DaemonSet holds what is the rollout's: its marks under a former name, its node key, or
// the labels of its Pods. It names the DaemonSet and what to do; nil if there is none.
func (id *Identity) Strangers(cluster *model.Cluster) *BlockedError {
	for _, set := range cluster.DaemonSets() {
		if set.Namespace == id.Namespace && slices.Contains(id.Names, set.Name) {
			continue
		}
		name := set.Namespace + "/" + set.Name
		switch {
		case id.renamed(set):
			return Block(model.NameChanged, fmt.Sprintf("DaemonSet %s carries the marks of this rollout, and the desired one is called %s: its Pods would run beside the new ones, on the same nodes. Keep the name, or tear the rollout down under the former one first (spec.intent Teardown with metadata.name of desired: %s)", name, id.Names[0], set.Name))
		case GoesBy(&set.Spec.Template.Spec, id.Keys.NodeSlot):
			return Block(model.KeyTaken, fmt.Sprintf("DaemonSet %s goes by the node label %s too, which is this rollout's own: two rollouts of one owner would clear each other's marks. Give each rollout an owner of its own (metadata.name), or delete that DaemonSet", name, id.Keys.NodeSlot))
		case set.Namespace == id.Namespace && id.takes(set):
			return Block(model.ForeignDaemonSet, fmt.Sprintf("DaemonSet %s selects the Pods of this rollout by the same labels: two agents would run on a node. Delete it, or give one of the two other labels", name))
		}
	}
	return nil
}

// renamed tells whether the DaemonSet was this rollout's under another name.
func (id *Identity) renamed(set *appsv1.DaemonSet) bool {
	if set.Namespace != id.Namespace || id.Owner == "" || model.ControllerUID(set) != id.Owner {
		return false
	}
	for _, key := range append(id.Keys.OnPair(), id.Keys.OnSingle()...) {
		if _, ok := set.Annotations[key]; ok {
			return true
		}
	}
	return set.Spec.Template.Annotations[id.Keys.Revision] != ""
}

// takes tells whether the DaemonSet's selector takes Pods of one of the rollout's templates.
func (id *Identity) takes(set *appsv1.DaemonSet) bool {
	return slices.ContainsFunc(id.Sets, func(own *appsv1.DaemonSet) bool {
		return own != nil && Carries(own.Spec.Template.Labels, set.Spec.Selector)
	})
}

// GoesBy tells whether the Pod's place depends on the node label.
func GoesBy(spec *corev1.PodSpec, key string) bool {
	if _, ok := spec.NodeSelector[key]; ok {
		return true
	}
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return false
	}
	return slices.ContainsFunc(spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return e.Key == key })
	})
}

// Foreign tells whether the Pod runs under another controller and carries the labels of one of the rollout's DaemonSets, so that no Pod may
// start beside it, or takes the same locks in another namespace: each would wait for the other.
func (id *Identity) Foreign(pod *corev1.Pod) bool {
	controller := model.ControllerUID(pod)
	if controller == "" || model.Terminal(pod) {
		return false
	}
	if pod.Namespace != id.Namespace {
		return !model.Terminating(pod) && id.sharesLocks(&pod.Spec)
	}
	own := func(set *appsv1.DaemonSet) bool { return set != nil && set.UID == controller }
	taking := func(set *appsv1.DaemonSet) bool { return set != nil && Carries(pod.Labels, set.Spec.Selector) }
	return !slices.ContainsFunc(id.Sets, own) && slices.ContainsFunc(id.Sets, taking)
}

// sharesLocks tells whether the Pod takes the lock of one of the rollout's own containers.
func (id *Identity) sharesLocks(pod *corev1.PodSpec) bool {
	mounts := func(v corev1.Volume) bool { return v.HostPath != nil && v.HostPath.Path == id.Locks }
	if id.Locks == "" || !slices.ContainsFunc(pod.Volumes, mounts) {
		return false
	}
	theirs, _ := lockspec.Inspect(pod)
	own := func(name string) bool {
		return slices.ContainsFunc(id.Sets, func(set *appsv1.DaemonSet) bool {
			return set != nil && slices.ContainsFunc(set.Spec.Template.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
		})
	}
	return theirs.HostDirectory == id.Locks && slices.ContainsFunc(theirs.Components, func(c lockspec.Component) bool { return own(c.Container) })
}

// Former tells whether the foreign Pod's controller is a DaemonSet of the namespace that is gone: its Pods end, or are adopted by nobody.
func (id *Identity) Former(cluster *model.Cluster, pod *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(pod)
	return pod.Namespace == id.Namespace && ref != nil && ref.Kind == "DaemonSet" && !slices.ContainsFunc(cluster.DaemonSets(), func(set *appsv1.DaemonSet) bool { return set.UID == ref.UID })
}

// FormerText says of a node what it waits for.
func FormerText(pod *corev1.Pod) string {
	return fmt.Sprintf("Pod %s of a former DaemonSet (UID %s) runs there, and no other may start beside it: delete it if it does not end", pod.Name, model.ControllerUID(pod))
}

// ForeignText says who holds the rollout's labels or locks, and what to do.
func (id *Identity) ForeignText(node string, pod *corev1.Pod) string {
	ref := metav1.GetControllerOfNoCopy(pod)
	if pod.Namespace != id.Namespace {
		return fmt.Sprintf("Pod %s/%s on node %s belongs to %s %s (UID %s) and takes the same host locks in %s: the agents of two namespaces would wait for each other. Keep one of them off the other's nodes, or give one a hostDirectory of its own (spec.lock.spec)", pod.Namespace, pod.Name, node, ref.Kind, ref.Name, ref.UID, id.Locks)
	}
	text := fmt.Sprintf("Pod %s on node %s carries the labels of this rollout and belongs to %s %s (UID %s): two agents would run there. ", pod.Name, node, ref.Kind, ref.Name, ref.UID)
	if ref.Kind == "ExtendedDaemonSetReplicaSet" || ref.Kind == "ExtendedDaemonSet" {
		return text + "To migrate, let the ExtendedDaemonSet go first: delete it with its Pods, or narrow its node selector node by node; rollout import makes the Rollout document of it"
	}
	return text + "Delete that one, or give one of the two other labels"
}
