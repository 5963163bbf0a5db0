package plan_test

import (
	"fmt"
	"strings"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	corev1 "k8s.io/api/core/v1"
)

// show are the commands that print more than the actions.
func (s *teller) show(verb string) bool {
	switch verb {
	case "draw":
		fmt.Fprintf(&s.out, "    %s\n", s.draw())
	case "explain":
		p := s.lab.last
		for i := range p.Nodes {
			r := &p.Nodes[i]
			fmt.Fprintf(&s.out, "  %s %s %s: %s\n", r.Node, r.Verdict, r.Reason, s.plain(plan.Message(&p, r)))
		}
	case "conditions":
		for _, c := range s.lab.last.Conditions {
			fmt.Fprintf(&s.out, "  %s=%s %s: %s\n", c.Type, c.Status, c.Reason, s.plain(c.Message))
		}
	case "ledger":
		fmt.Fprintf(&s.out, "  %s\n", s.lab.last.Ledger)
	default:
		return false
	}
	return true
}

// draw draws every node: its label and the Pods of both slots, as the legend says.
func (s *teller) draw() string {
	cluster := s.snapshot().Cluster
	key := model.NewKeys(s.rollout.Spec.Slots.Domain, namespace, "agent").NodeSlot
	var nodes []string
	for i := range cluster.Len() {
		n := cluster.Node(i)
		text := n.Name
		if !model.NodeReady(n) {
			text += "!"
		}
		if label, ok := n.Labels[key]; ok {
			text += ":" + label
		}
		for _, pod := range cluster.Pods(i) {
			if pod.Namespace == namespace {
				text += " " + s.drawPod(pod)
			}
		}
		nodes = append(nodes, text)
	}
	return strings.Join(nodes, " | ")
}

func (s *teller) drawPod(pod *corev1.Pod) string {
	letter := "o" // an orphan
	for _, ref := range pod.OwnerReferences {
		letter = "b"
		if strings.HasSuffix(ref.Name, "-green") {
			letter = "g"
		}
	}
	_, tag, _ := strings.Cut(pod.Spec.Containers[0].Image, ":")
	return letter + tag + podState(pod)
}

func podState(pod *corev1.Pod) string {
	ready, _ := model.ReadySince(pod)
	state := ""
	switch started := model.StartedContainers(pod); {
	case model.Terminal(pod):
		state = "failed"
	case !model.Bound(pod):
		state = "pending"
	case ready:
		state = "ready"
	case started > 0 && started < len(pod.Spec.Containers):
		state = "split"
	case model.AllRunning(pod) && started == 0:
		state = "waits"
	default:
		state = "starts"
	}
	if model.Terminating(pod) {
		state += "-ends"
	}
	return "(" + state + ")"
}
