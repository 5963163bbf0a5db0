package step

import (
	"cmp"
	"fmt"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
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
