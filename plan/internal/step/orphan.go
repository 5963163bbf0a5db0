package step

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Orphaned tells whether the Pod runs without a controller and carries the labels of the DaemonSet: its controller adopts it, unless
// it ends already.
func Orphaned(pod *corev1.Pod, set *appsv1.DaemonSet) bool {
	return pod.Namespace == set.Namespace && model.ControllerUID(pod) == "" && !model.Terminal(pod) && Carries(pod.Labels, set.Spec.Selector)
}

// OrphanText is said of a node on which another Pod must not start yet.
const OrphanText = "a Pod without a controller is adopted first, or ends"

// Carries tells whether the labels are those that the selector's matchLabels ask for; a selector without any takes nothing.
func Carries(labels map[string]string, selector *metav1.LabelSelector) bool {
	if selector == nil || len(selector.MatchLabels) == 0 {
		return false
	}
	for key, value := range selector.MatchLabels {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// AwaitUnmade waits, and tells so, as long as the DaemonSet may not be made yet: its Pods would start beside others that no lock keeps apart from
// them, or it has no locks and an unsettled executor's predecessor may have made one whose Pods are not seen. The others are the
// rollout's other DaemonSets.
func (c *Course) AwaitUnmade(d Deadline, cluster *model.Cluster, issued map[int]bool, unsettled bool, set *appsv1.DaemonSet, others ...*appsv1.DaemonSet) bool {
	if node, pod := firstLeft(cluster, issued, set, others); pod != nil {
		whose := "without a controller"
		if uid := model.ControllerUID(pod); uid != "" {
			whose = "of a former DaemonSet (UID " + string(uid) + ")"
		}
		text := "Pod " + pod.Name + " " + whose + " still runs on node " + node + ", perhaps others elsewhere, and no lock keeps new ones from starting beside them: DaemonSet " + set.Name + " is made only after them. Delete them, or repair or remove the node, if they do not end"
		c.Await(d, endsSince(pod), model.WaitingForPodsToEnd, text, func(lasted string) *BlockedError {
			return Block(model.DeletionHangs, text+": it has been left for "+lasted)
		})
		return true
	}
	if unsettled {
		c.Wait(model.WaitingForFence, "a request of the executor's predecessor can still land, or no live list has been read: without locks DaemonSet "+set.Name+" is made after that")
	}
	return unsettled
}

// endsSince is since when a Pod that nobody keeps is awaited to end: since its deletion, or where nobody has deleted it, since it was made.
func endsSince(pod *corev1.Pod) time.Time {
	if model.Terminating(pod) {
		return pod.DeletionTimestamp.Time
	}
	return pod.CreationTimestamp.Time
}

// firstLeft returns the first node with a Pod, and that Pod, beside which the DaemonSet, if it were made now, would start another one: one of a
// deleted DaemonSet that the garbage collector has not ended yet, or one without a controller that ends, or is about to since an action on
// its node was issued. Such a Pod is not adopted; where locks exclude each other the new one waits for it. The others are the rollout's
// other DaemonSets.
func firstLeft(cluster *model.Cluster, issued map[int]bool, set *appsv1.DaemonSet, others []*appsv1.DaemonSet) (node string, first *corev1.Pod) {
	sets := append([]*appsv1.DaemonSet{set}, others...)
	for i := range cluster.Len() {
		for _, pod := range cluster.Pods(i) {
			left := slices.ContainsFunc(sets, func(of *appsv1.DaemonSet) bool {
				return former(pod, of) || Orphaned(pod, of) && (model.Terminating(pod) || issued[i])
			})
			if left && lockspec.MayOverlap(&pod.Spec, &set.Spec.Template.Spec) != nil {
				return cluster.Node(i).Name, pod
			}
		}
	}
	return "", nil
}

// former tells whether the Pod belongs to another DaemonSet of that name, which is gone.
func former(pod *corev1.Pod, set *appsv1.DaemonSet) bool {
	ref := metav1.GetControllerOfNoCopy(pod)
	return ref != nil && ref.Kind == "DaemonSet" && ref.Name == set.Name && ref.UID != set.UID && pod.Namespace == set.Namespace && !model.Terminal(pod)
}
