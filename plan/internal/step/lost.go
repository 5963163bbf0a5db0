package step

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// LeaveLost tells whether all that is left of a DaemonSet that is being deleted are Pods on Nodes that have not been Ready since before the
// deadline. Nobody can end those but the Nodes' return or removal, after which Kubernetes does the rest without a plan: the nodes are set aside,
// and a teardown does not wait for them.
func (c *Course) LeaveLost(d Deadline, cluster *model.Cluster, set *appsv1.DaemonSet) bool {
	var left []model.Exception
	all := true
	EachPod(cluster, set, func(node *corev1.Node, pod *corev1.Pod) {
		lost := false
		if !model.NodeReady(node) && model.Terminating(pod) {
			since := Later(NodeReadySince(node), pod.DeletionTimestamp.Time)
			lost = c.lost(d, since)
			left = append(left, lostException(node, pod, since))
		}
		all = all && lost
	})
	return c.leave(all, left)
}

// LeaveUnwrapping tells whether the native update of a DaemonSet that is conventional again can replace no wrapped Pod that is left, since Nodes
// that have not been Ready since before the deadline hold those Pods, or spend its budget. When they return or are removed the native controller
// goes on without a plan: the nodes are set aside, and an opt-out does not wait for them.
func (c *Course) LeaveUnwrapping(d Deadline, cluster *model.Cluster, placement *Placement, set *appsv1.DaemonSet, settle time.Duration, wrapped func(*corev1.Pod) bool) bool {
	if placement == nil || set.Status.ObservedGeneration < set.Generation {
		return false
	}
	var left []model.Exception
	spent, wanted, held, all := 0, 0, 0, true
	for i := range cluster.Len() {
		node, old := cluster.Node(i), (*corev1.Pod)(nil)
		var pods Podset
		for _, pod := range cluster.Pods(i) {
			if model.ControllerUID(pod) == set.UID {
				pods.Add(pod)
				if !model.Terminal(pod) && wrapped(pod) {
					old = pod
				}
			}
		}
		verdict := placement.Judge(node, !pods.Gone())
		runs := verdict != capacity.Ineligible && (verdict != capacity.KeepsRunning || !pods.Gone())
		available, _ := AvailableFrom(pods.Live, d.Now, settle)
		since := NodeReadySince(node)
		switch {
		case available && old != nil:
			held++
			left = append(left, model.Exception{Node: node.Name, Reason: model.WaitingForBudget, Detail: fmt.Sprintf("Pod %s is still wrapped: the native rolling update replaces it once a Node that is lost is Ready again, or is removed", old.Name)})
		case available || !runs && old == nil:
		case model.NodeReady(node):
			all = false
		default:
			spent++
			all = all && c.lost(d, since)
			if old != nil {
				left = append(left, lostException(node, old, since))
			}
		}
		if runs {
			wanted++
		}
	}
	return c.leave(all && (held == 0 || spent >= nativeBudget(&set.Spec.UpdateStrategy, wanted)), left)
}

// nativeBudget is maxUnavailable of a native rolling update of so many nodes: 1 where nothing is said (apps/v1 RollingUpdateDaemonSet).
func nativeBudget(strategy *appsv1.DaemonSetUpdateStrategy, nodes int) int {
	most := intstr.FromInt32(1)
	if rolling := strategy.RollingUpdate; rolling != nil && rolling.MaxUnavailable != nil {
		most = *rolling.MaxUnavailable
	}
	count, err := budget.Resolve(most, nodes)
	if err != nil {
		return nodes // not a number: the API server has refused it
	}
	return count
}

// lost tells whether a Node that is not Ready has been so past the deadline, and asks for a plan then.
func (c *Course) lost(d Deadline, since time.Time) bool {
	passed, at := d.Passed(since)
	c.WakeAt(at, d.Now)
	return passed
}

func lostException(node *corev1.Node, pod *corev1.Pod, since time.Time) model.Exception {
	text := fmt.Sprintf("Pod %s ends when the Node is Ready again, or is removed", pod.Name)
	return model.Exception{Node: node.Name, Reason: model.NodeNotReady, Detail: text, Since: metav1.NewTime(since)}
}

// leave sets the nodes aside if nothing else is left.
func (c *Course) leave(all bool, left []model.Exception) bool {
	if !all || len(left) == 0 {
		return false
	}
	c.Left = joinLeft(c.Left, left)
	return true
}

// joinLeft adds what is left to the exceptions, each node once. Both are in the order of names.
func joinLeft(exceptions, left []model.Exception) []model.Exception {
	if len(left) == 0 {
		return exceptions
	}
	others := slices.DeleteFunc(slices.Clone(exceptions), func(e model.Exception) bool { return leftOn(left, e.Node) != nil })
	return MergeExceptions(others, left)
}

// leftOn is what is left on the node; nil for nothing.
func leftOn(left []model.Exception, node string) *model.Exception {
	at, found := slices.BinarySearchFunc(left, node, func(e model.Exception, name string) int { return strings.Compare(e.Node, name) })
	if !found {
		return nil
	}
	return &left[at]
}

// overrideLeft says of the nodes that a rollout leaves as they are what they wait for.
func overrideLeft(left []model.Exception) Override {
	return func(r *model.NodeReport) {
		if e := leftOn(left, r.Node); e != nil {
			r.Verdict, r.Reason, r.Detail = model.Waits, e.Reason, e.Detail
		}
	}
}

// GoneText says how a rollout has left the cluster.
func GoneText(plan *model.Plan) string {
	if n := len(plan.Exceptions); n > 0 {
		return fmt.Sprintf("the rollout has left, but for what is left on %s (%s first), which ends by itself once the lost Nodes are Ready again, or are removed", Counted(n, "node", "nodes"), plan.Exceptions[0].Node)
	}
	return "nothing of the rollout is left"
}
