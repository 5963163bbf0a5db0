package baseline

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// pairNode is one node as the barrier planner sees it.
type pairNode struct {
	object *corev1.Node
	label  model.NodeLabel
	// source and target are the slots' Pods that neither terminate nor have ended.
	source, target                   *corev1.Pod
	sourceAvailable, targetAvailable bool
	exact, prepared                  bool
	onTarget                         bool
}

func (p *pass) read(name string) pairNode {
	i, _ := p.snapshot.Cluster.Find(name)
	node := p.snapshot.Cluster.Node(i)
	value, labelled := node.Labels[p.keys.NodeSlot]
	n := pairNode{object: node, label: model.ParseNodeLabel(value, labelled)}
	n.onTarget = n.label.Kind == model.Serves && n.label.To == p.next.Pair.Target
	for _, pod := range p.snapshot.Cluster.Pods(i) {
		if model.Terminating(pod) || model.Terminal(pod) {
			continue
		}
		switch model.ControllerUID(pod) {
		case p.source.UID:
			n.source = pod
			n.sourceAvailable = n.sourceAvailable || p.available(pod, p.source.Spec.MinReadySeconds)
		case p.target.UID:
			n.target = pod
			n.targetAvailable = p.available(pod, p.target.Spec.MinReadySeconds)
		}
	}
	if pod := n.target; pod != nil {
		n.exact = pod.Annotations[p.keys.Revision] == p.next.Pair.TargetRevision
		n.prepared = n.exact && model.AllRunning(pod) && !model.RestartedSince(pod, time.Time{})
	}
	n.targetAvailable = n.targetAvailable && n.exact
	return n
}

// served judges by the Pod of the slot that the label names, in overlap by the source's.
func (n *pairNode) served() bool {
	if n.onTarget {
		return n.targetAvailable
	}
	return n.sourceAvailable
}

// atSource tells whether the node is still to enter overlap.
func (n *pairNode) atSource(target model.Slot) bool {
	return n.label.Kind == model.Unlabelled || n.label.Kind == model.Serves && n.label.To != target
}

// available judges a Pod, and keeps when time alone will make it so.
func (p *pass) available(pod *corev1.Pod, minReady int32) bool {
	if availableFor(pod, p.snapshot, minReady) {
		return true
	}
	if ready, since := model.ReadySince(pod); ready && !model.Terminating(pod) {
		if at := since.Add(time.Duration(minReady) * time.Second); p.wake.IsZero() || at.Before(p.wake) {
			p.wake = at
		}
	}
	return false
}

// availableFor tells whether the Pod has been Ready for so many seconds and does not terminate.
func availableFor(pod *corev1.Pod, snapshot *model.Snapshot, minReady int32) bool {
	ready, since := model.ReadySince(pod)
	return ready && !model.Terminating(pod) && !snapshot.Now().Before(since.Add(time.Duration(minReady)*time.Second))
}
