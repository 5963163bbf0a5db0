package verify_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/agent-rollout/planner/plan/world"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// nodeKeys and the like are the trials' own reading of a cluster.
var nodeKeys = model.NewKeys("", "datadog", "agent")

func imageOf(revision int) string { return fmt.Sprintf("agent:%d", revision) }

func imageIn(template *corev1.PodTemplateSpec) string { return template.Spec.Containers[0].Image }

// slotOf is the slot of a DaemonSet or of one of its Pods, by its name.
func slotOf(object string) string {
	if strings.HasPrefix(object, "agent-green") {
		return model.Green.String()
	}
	return model.Blue.String()
}

// slotLabels are the nodes' slot labels as they are.
func slotLabels(s *verify.State) map[string]string {
	truth, list := s.Truth(), map[string]string{}
	for i := range truth.Len() {
		list[truth.Node(i).Name] = truth.Node(i).Labels[nodeKeys.NodeSlot]
	}
	return list
}

// servedBy tells whether the node is served by a Pod of the slot.
func servedBy(s *verify.State, node, slot string) bool {
	return s.World().Served(node) && slices.ContainsFunc(s.World().Holders(node), func(h world.Holder) bool {
		return slotOf(h.Pod[strings.IndexByte(h.Pod, '/')+1:]) == slot
	})
}

// taken are the nodes that are labelled for the recorded target, which does not serve them.
func taken(s *verify.State) (list []string) {
	target := ""
	for _, set := range s.Truth().DaemonSets() {
		target = max(target, set.Annotations[nodeKeys.TargetSlot])
	}
	for node, label := range slotLabels(s) {
		if target != "" && label == target && !servedBy(s, node, target) {
			list = append(list, node)
		}
	}
	slices.Sort(list)
	return list
}

// aSeatForEveryHandoff: no label is written so that more nodes than maxUnavailable are handed over and not served by their target.
func aSeatForEveryHandoff(from *verify.State, name string, to *verify.State) error {
	before, after := taken(from), taken(to)
	if !verify.Fair(name) || len(after) <= 1 || len(after) <= len(before) {
		return nil
	}
	for _, node := range after {
		if slotLabels(from)[node] != slotLabels(to)[node] {
			return fmt.Errorf("%v are handed over, and the target serves none of them", after)
		}
	}
	return nil
}

// costsNone: at most one node is not served, whatever a person did.
func costsNone(s *verify.State) error {
	without := slices.DeleteFunc(s.World().Nodes(), s.World().Served)
	if len(without) > 1 {
		return fmt.Errorf("%v are not served", without)
	}
	return nil
}

// whatKubernetesKeeps: the controller deletes no Pod that serves a tainted node, unless the node was handed over before.
func whatKubernetesKeeps(from *verify.State, name string, _ *verify.State) error {
	truth, labels := from.Truth(), slotLabels(from)
	for i := range truth.Len() {
		node := truth.Node(i)
		if len(node.Spec.Taints) == 0 || labels[node.Name] != "" {
			continue
		}
		for _, slot := range model.Slots() {
			if name == fmt.Sprintf("DeletePod %s %s", node.Name, slot) && servedBy(from, node.Name, slot.String()) {
				return fmt.Errorf("node %s is tainted, and slot %s, whose Pod Kubernetes would keep, serves it", node.Name, slot)
			}
		}
	}
	return nil
}

var (
	seats = explore.StepInvariant[*verify.State]{Name: seat, Holds: aSeatForEveryHandoff}
	keeps = explore.StepInvariant[*verify.State]{Name: kept, Holds: whatKubernetesKeeps}
)

// afterCompletion tells whether the second revision is recorded as complete.
func afterCompletion(s *verify.State) bool {
	return !slices.ContainsFunc(s.Truth().DaemonSets(), func(set *appsv1.DaemonSet) bool {
		return set.Annotations[nodeKeys.ActiveSlot] != model.Green.String() || set.Annotations[nodeKeys.TargetSlot] != ""
	})
}

// targetProven tells whether no target is recorded that may still be condemned.
func targetProven(s *verify.State) bool {
	return !slices.ContainsFunc(s.Truth().DaemonSets(), func(set *appsv1.DaemonSet) bool {
		target := set.Annotations[nodeKeys.TargetRevision]
		state, err := model.ParseState(set.Annotations[nodeKeys.State])
		return target != "" && (err != nil || state.Proven != target)
	})
}

// newcomer: no Pod of a former revision is ever made on a node that joins after completion.
var newcomer = explore.Invariant[*verify.State]{Name: joining, Holds: func(s *verify.State) error {
	truth := s.Truth()
	if n, ok := truth.Find("n2"); ok {
		for _, pod := range truth.Pods(n) {
			if image := pod.Spec.Containers[0].Image; image != imageOf(2) {
				return fmt.Errorf("node n2 joins after completion and gets %s", image)
			}
		}
	}
	return nil
}}

// runs tells whether the revision serves the node.
func runs(s *verify.State, node string, revision int) bool {
	truth := s.Truth()
	n, _ := truth.Find(node)
	return s.World().Served(node) && slices.ContainsFunc(truth.Pods(n), func(p *corev1.Pod) bool {
		return p.Spec.Containers[0].Image == imageOf(revision) && slices.ContainsFunc(s.World().Holders(node), func(h world.Holder) bool {
			return h.Pod == p.Namespace+"/"+p.Name
		})
	})
}

// livingNodes is the end of a rollout in which a node stays dead: every other one is served, and completion is recorded.
func livingNodes(m trialModel) func(*verify.State) bool {
	return func(s *verify.State) bool {
		truth, desired := s.Truth(), m.revision(s)
		for i := range truth.Len() {
			if node := truth.Node(i); model.NodeReady(node) && !runs(s, node.Name, desired) {
				return false
			}
		}
		return !slices.ContainsFunc(truth.DaemonSets(), func(set *appsv1.DaemonSet) bool {
			return set.Annotations[nodeKeys.TargetSlot] != "" || desired == 2 && set.Annotations[nodeKeys.ActiveSlot] != model.Green.String()
		})
	}
}

// secondNode is the end of a rollout whose target does not fit the first node.
func secondNode(m trialModel) func(*verify.State) bool {
	return func(s *verify.State) bool { return runs(s, "n2", m.revision(s)) }
}

// revision is the one that is desired.
func (m trialModel) revision(s *verify.State) int {
	image := imageIn(&m.Desired(s).Spec.Desired.Spec.Template)
	return m.trial.revisions[slices.IndexFunc(m.trial.revisions, func(r int) bool { return imageOf(r) == image })]
}

// noUnwantedHandoff: no label is written for a recorded target that is not proven, and that is not what is desired.
func (m trialModel) noUnwantedHandoff(from *verify.State, name string, to *verify.State) error {
	for _, set := range from.Truth().DaemonSets() {
		target := set.Annotations[nodeKeys.TargetSlot]
		if target == "" || target != slotOf(set.Name) || imageIn(&set.Spec.Template) == imageIn(&m.Desired(from).Spec.Desired.Spec.Template) {
			continue
		}
		state, err := model.ParseState(set.Annotations[nodeKeys.State])
		if err != nil {
			return err
		}
		before, after := slotLabels(from), slotLabels(to)
		for node := range after {
			if verify.Fair(name) && before[node] != after[node] && after[node] == target && state.Proven != set.Annotations[nodeKeys.TargetRevision] {
				return fmt.Errorf("node %s is handed over to an image that is not desired any more", node)
			}
		}
	}
	return nil
}
