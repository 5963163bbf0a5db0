package step

import (
	"cmp"
	"fmt"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// NotOwnersText says that a desired DaemonSet is not controlled by the rollout's owner, and which reference makes it so.
func NotOwnersText(desired *appsv1.DaemonSet, owner *model.Owner, uid types.UID) string {
	wanted := fmt.Sprintf("the rollout's owner, %s %s (uid %s)", cmp.Or(owner.Kind, "metadata.name"), owner.Name, cmp.Or(uid, "unknown"))
	const at = "spec.desired.metadata.ownerReferences: "
	ref := metav1.GetControllerOfNoCopy(desired)
	if ref == nil {
		return at + "no controller; add a reference to " + wanted + " with controller: true"
	}
	return at + fmt.Sprintf("the controller is %s %s (uid %s); make it ", ref.Kind, ref.Name, ref.UID) + wanted
}

// Orphaned tells whether the Pod runs without a controller and carries the labels of the DaemonSet: its controller adopts it, unless
// it ends already.
func Orphaned(pod *corev1.Pod, set *appsv1.DaemonSet) bool {
	return pod.Namespace == set.Namespace && model.ControllerUID(pod) == "" && !model.Terminal(pod) && Carries(pod.Labels, set.Spec.Selector)
}

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
