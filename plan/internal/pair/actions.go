package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// labelNode writes the node's slot label and the mark beside it. A handoff is guarded by the node's
// resourceVersion as well, so that a late request of a dead executor fails.
func (v *view) labelNode(f *facts, label model.NodeLabel, reason model.Reason, cost budget.Cost) model.Action {
	labels := step.Edits{Live: f.node.Labels}
	notes := step.Edits{Live: f.node.Annotations}
	if value, ok := label.Value(); ok {
		labels.Set(v.keys.NodeSlot, value)
		notes.Set(v.keys.NodeMoved, v.moved(f).String())
	}
	notes.Remove(v.keys.NodeCandidate)
	if label.Kind == model.Overlaps && v.executor.ID != "" {
		notes.Set(v.keys.NodeFence, v.executor.ID)
	} else {
		notes.Remove(v.keys.NodeFence)
	}
	patch := step.NodePatch(f.node, labels.List, notes.List)
	if label.Kind != model.Overlaps {
		patch.ResourceVersion = f.node.ResourceVersion
	}
	return model.Action{
		Kind: model.SetNodeSlot, Node: f.node.Name, Reason: reason, Cost: step.CostOf(cost),
		Write: model.Write{Object: step.NodeRef(f.node), Patch: patch},
	}
}

// moved is the mark of a write now. What it says of the node's agent is what served before the overlap began, or the release.
func (v *view) moved(f *facts) model.Moved {
	under := f.place.overlaps() || f.place == released
	paid := f.available || under && f.moved.Paid
	return model.Moved{At: v.now, Paid: paid, Joins: f.joining, Lost: !paid && !f.joining && (under && f.moved.Lost || step.FellSince(f.from.Live, v.direction.targetSince))}
}

// recordCandidate writes which Pod was seen prepared, and this executor's fence.
func (v *view) recordCandidate(f *facts, pod *corev1.Pod, reason model.Reason) model.Action {
	notes := step.Edits{Live: f.node.Annotations}
	notes.SetOrRemove(v.keys.NodeCandidate, string(podUID(pod)))
	notes.SetOrRemove(v.keys.NodeFence, v.executor.ID)
	labels := step.Edits{Live: f.node.Labels}
	labels.Guard(v.keys.NodeSlot)
	return model.Action{
		Kind: model.RecordCandidate, Node: f.node.Name, Reason: reason,
		Write: model.Write{Object: step.NodeRef(f.node), Patch: step.NodePatch(f.node, labels.List, notes.List)},
	}
}

// noteMoved notes that the node's Pod is awaited from now on, under the label that it has.
func (v *view) noteMoved(f *facts, reason model.Reason) model.Action {
	notes := step.Edits{Live: f.node.Annotations}
	notes.Set(v.keys.NodeMoved, model.Moved{At: v.now, Lost: true}.String())
	labels := step.Edits{Live: f.node.Labels}
	labels.Guard(v.keys.NodeSlot)
	return model.Action{
		Kind: model.RecordCandidate, Node: f.node.Name, Reason: reason,
		Write: model.Write{Object: step.NodeRef(f.node), Patch: step.NodePatch(f.node, labels.List, notes.List)},
	}
}

// clearNode removes everything of the rollout from a node.
func (v *view) clearNode(node *corev1.Node, reason model.Reason) model.Action {
	labels := step.Edits{Live: node.Labels}
	labels.Remove(v.keys.NodeSlot)
	notes := step.Edits{Live: node.Annotations}
	for _, key := range [...]string{v.keys.NodeCandidate, v.keys.NodeMoved, v.keys.NodeFence} {
		notes.Remove(key)
	}
	patch := step.NodePatch(node, labels.List, notes.List)
	patch.ResourceVersion = node.ResourceVersion
	return model.Action{
		Kind: model.ClearNode, Node: node.Name, Reason: reason,
		Write: model.Write{Object: step.NodeRef(node), Patch: patch},
	}
}

// marked tells whether the node carries anything of the rollout.
func (v *view) marked(node *corev1.Node) bool {
	if _, ok := node.Labels[v.keys.NodeSlot]; ok {
		return true
	}
	for _, key := range [...]string{v.keys.NodeCandidate, v.keys.NodeMoved, v.keys.NodeFence} {
		if _, ok := node.Annotations[key]; ok {
			return true
		}
	}
	return false
}
