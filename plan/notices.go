package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Notices tells, a sentence each, what a person should know of a rollout before it begins, and what no plan refuses: which of the objects that
// select the agent's Pods would lose those of a slot, on which odd nodes the template is to run, a budget that leaves no agent anywhere, and
// that taking a DaemonSet over needs a roll of its own, and why. The rendering is the snapshot's, as [Render] returns it.
func Notices(snapshot *model.Snapshot, rendering *Rendering, selecting []model.Selecting) (list []string) {
	rollout := snapshot.Rollout.WithDefaults()
	for i := range selecting {
		list = append(list, loses(&selecting[i], rendering)...)
	}
	placement, err := capacity.NewPlacement(&rendering.Conventional.Spec.Template)
	if err != nil {
		return list // which is refused
	}
	eligible, odd := 0, map[string][]string{}
	for i := range snapshot.Cluster.Len() {
		node := snapshot.Cluster.Node(i)
		if placement.Judge(node) != capacity.Eligible {
			continue
		}
		eligible++
		if kind := oddKind(node); kind != "" {
			odd[kind] = append(odd[kind], node.Name)
		}
	}
	for _, kind := range oddKinds {
		if names := odd[kind.name]; len(names) > 0 && !asksFor(&rendering.Conventional.Spec.Template.Spec, kind.key) {
			list = append(list, fmt.Sprintf("the template is to run on %s, where a Linux agent never becomes available: %s. Keep it off by a node selector or affinity (%s)", kind.name, someOf(names), kind.advice))
		}
	}
	if most := rollout.Spec.Strategy.MaxUnavailable; most.Type == intstr.Int && eligible > 1 && most.IntValue() >= eligible {
		list = append(list, fmt.Sprintf("spec.strategy.maxUnavailable is %d, and the template runs on %d nodes: all of them may be without an agent at once", most.IntValue(), eligible))
	}
	if text := takeover(snapshot.Cluster, rollout, rendering.Conventional); text != "" {
		list = append(list, text)
	}
	return list
}

// takeover says why a conventional DaemonSet is rolled once before the rollout has it as it needs it, though nothing else is changed; "" where
// that is not so.
func takeover(cluster *model.Cluster, rollout *model.Rollout, desired *appsv1.DaemonSet) string {
	live := cluster.DaemonSet(desired.Namespace, desired.Name)
	keys := model.NewKeys(rollout.Spec.Slots.Domain, rollout.Metadata.Namespace, rollout.Metadata.Name)
	if live == nil || live.Annotations[keys.Mode] != "" || live.Annotations[keys.Revision] != "" || live.Spec.Template.Annotations[keys.Revision] != "" {
		return ""
	}
	why := ""
	switch strategy := &rollout.Spec.Strategy; {
	case strategy.Type != model.RollingUpdate && strategy.Overlap == model.Locked:
		why = "every Pod needs the lock wrapper before a second one may stand beside it"
	case strategy.Type == model.Pair:
		why = "every Pod has to say which revision it is of, so that nodes can be pinned to one"
	default:
		return ""
	}
	return fmt.Sprintf("DaemonSet %s/%s is taken over by one roll of all its Pods at spec.strategy.maxUnavailable, even if nothing is changed: %s. A RollingUpdate, or a Surge without locks, restarts none", live.Namespace, live.Name, why)
}

// loses tells which slots' Pods the object would not select, though it selects the template's.
func loses(s *model.Selecting, r *Rendering) (list []string) {
	conventional := &r.Conventional.Spec.Template
	ours := func(namespace string) bool { return namespace == "" || namespace == r.Conventional.Namespace } // a rendered chart names none
	if len(s.Namespaces) > 0 && !slices.ContainsFunc(s.Namespaces, ours) || !s.Selector.Matches(labels.Set(conventional.Labels)) {
		return nil
	}
	for _, set := range []*appsv1.DaemonSet{r.Blue, r.Green} {
		if set != nil && !s.Selector.Matches(labels.Set(set.Spec.Template.Labels)) {
			list = append(list, fmt.Sprintf("%s %s/%s would lose the Pods of DaemonSet %s: its %s is %s. Let it select by other labels, or name in spec.slots.selectorLabel one that the DaemonSet's selector has not before there is a pair: green then keeps every label",
				s.Kind, s.Namespace, s.Name, set.Name, s.Path, s.Selector))
		}
	}
	return list
}

// oddKinds are kinds of node on which no DaemonSet of a Linux agent can run, with the label that tells them and the advice.
var oddKinds = [...]struct{ name, key, value, advice string }{
	{"Windows nodes", corev1.LabelOSStable, string(corev1.Windows), "kubernetes.io/os: linux"},
	{"Fargate nodes", "eks.amazonaws.com/compute-type", "fargate", "eks.amazonaws.com/compute-type NotIn [fargate]"},
	{"virtual nodes", "type", "virtual-kubelet", "type NotIn [virtual-kubelet]"},
}

func oddKind(node *corev1.Node) string {
	for _, kind := range oddKinds {
		if node.Labels[kind.key] == kind.value {
			return kind.name
		}
	}
	return ""
}

// asksFor tells whether the template itself speaks of the node label, so that such nodes are what it is meant for.
func asksFor(pod *corev1.PodSpec, key string) bool {
	return step.GoesBy(pod, key) || pod.OS != nil && key == corev1.LabelOSStable
}

// someOf names three, and counts the others.
func someOf(names []string) string {
	text := strings.Join(names[:min(len(names), step.NamedNodes)], ", ")
	if more := len(names) - step.NamedNodes; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
