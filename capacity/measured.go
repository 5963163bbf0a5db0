package capacity

import (
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// measuredNodes are looked at for what a revision's Pods ask for; of a larger cluster as many or up to twice that, in even steps of the nodes' order: admission
// treats a revision's Pods alike, and a plan's cost must not grow with the cluster.
const measuredNodes = 1000

// Measured returns the DaemonSet as its next Pod will ask for room: each resource as the template requests it, or as that live Pod of the revision
// does which requests most. Admission raises requests (a VerticalPodAutoscaler, a LimitRange, an injected container), and a person may by
// a resize in place. What is above the template is added to its overhead; the DaemonSet itself is returned where there is nothing. Of says which Pods
// are the revision's. Pods that end, and those that nothing has bound, have passed admission too and count, those that are over do not.
func Measured(set *appsv1.DaemonSet, cluster *model.Cluster, of func(*corev1.Pod) bool) *appsv1.DaemonSet {
	template := Requests(&corev1.Pod{Spec: set.Spec.Template.Spec})
	most := template
	for i := 0; i < cluster.Len(); i += max(1, cluster.Len()/measuredNodes) {
		for _, pod := range cluster.Pods(i) {
			if of(pod) && !model.Terminal(pod) {
				most = larger(most, Requests(pod))
			}
		}
	}
	overhead := set.Spec.Template.Spec.Overhead.DeepCopy()
	raised := false
	for _, name := range inOrder(most) {
		if above := amountOf(name, most[name]) - amountOf(name, template[name]); above > 0 {
			overhead, raised = plus(overhead, name, above), true
		}
	}
	if !raised {
		return set
	}
	out := *set
	out.Spec.Template.Spec.Overhead = overhead
	return &out
}

// larger is the larger request of each resource, in a list of its own where the first is not the largest.
func larger(a, b corev1.ResourceList) corev1.ResourceList {
	own := false
	for _, name := range inOrder(b) {
		if amountOf(name, b[name]) <= amountOf(name, a[name]) {
			continue
		}
		if !own {
			a, own = a.DeepCopy(), true
		}
		if a == nil {
			a = corev1.ResourceList{}
		}
		a[name] = b[name]
	}
	return a
}

// plus adds an amount to one resource of the list.
func plus(list corev1.ResourceList, name corev1.ResourceName, amount int64) corev1.ResourceList {
	if list == nil {
		list = corev1.ResourceList{}
	}
	q := *resource.NewQuantity(amount, resource.DecimalSI)
	if name == corev1.ResourceCPU {
		q = *resource.NewMilliQuantity(amount, resource.DecimalSI)
	}
	q.Add(list[name])
	list[name] = q
	return list
}
