package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// labelNode writes the node's slot label and the mark beside it. A handoff is guarded by the node's
// resourceVersion as well, so that a late request of a dead executor fails.
func (p *planner) labelNode(f *facts, label model.NodeLabel, reason model.Reason, cost budget.Cost) model.Action {
	labels := step.Edits{Live: f.node.Labels}
	notes := step.Edits{Live: f.node.Annotations}
	if value, ok := label.Value(); ok {
		labels.Set(p.keys.NodeSlot, value)
		notes.Set(p.keys.NodeMoved, model.Moved{At: p.now, Paid: f.available}.String())
	}
	notes.Remove(p.keys.NodeCandidate)
	if label.Kind == model.Overlaps && p.executor.ID != "" {
		notes.Set(p.keys.NodeFence, p.executor.ID)
	} else {
		notes.Remove(p.keys.NodeFence)
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

// recordCandidate writes which Pod was seen prepared, and this executor's fence.
func (p *planner) recordCandidate(f *facts, pod *corev1.Pod, reason model.Reason) model.Action {
	notes := step.Edits{Live: f.node.Annotations}
	notes.SetOrRemove(p.keys.NodeCandidate, string(podUID(pod)))
	notes.SetOrRemove(p.keys.NodeFence, p.executor.ID)
	labels := step.Edits{Live: f.node.Labels}
	labels.Guard(p.keys.NodeSlot)
	return model.Action{
		Kind: model.RecordCandidate, Node: f.node.Name, Reason: reason,
		Write: model.Write{Object: step.NodeRef(f.node), Patch: step.NodePatch(f.node, labels.List, notes.List)},
	}
}

// clearNode removes everything of the rollout from a node.
func (p *planner) clearNode(node *corev1.Node, reason model.Reason) model.Action {
	labels := step.Edits{Live: node.Labels}
	labels.Remove(p.keys.NodeSlot)
	notes := step.Edits{Live: node.Annotations}
	for _, key := range [...]string{p.keys.NodeCandidate, p.keys.NodeMoved, p.keys.NodeFence} {
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
func (p *planner) marked(node *corev1.Node) bool {
	if _, ok := node.Labels[p.keys.NodeSlot]; ok {
		return true
	}
	for _, key := range [...]string{p.keys.NodeCandidate, p.keys.NodeMoved, p.keys.NodeFence} {
		if _, ok := node.Annotations[key]; ok {
			return true
		}
	}
	return false
}

// recordOn returns the edits that bring one DaemonSet's half of the record to the truth.
func (p *planner) recordOn(set *appsv1.DaemonSet, r record) []model.Edit {
	notes := step.Edits{Live: set.Annotations}
	notes.Set(p.keys.ActiveSlot, r.active.String())
	notes.Set(p.keys.Initialized, model.MarkPair)
	notes.SetOrRemove(p.keys.TargetSlot, r.target.String())
	notes.SetOrRemove(p.keys.TargetRevision, r.targetRevision)
	if text := r.state.Text(); r.state.Sequence > 0 {
		notes.Set(p.keys.State, text)
	}
	return notes.List
}

// writeRecord brings both halves to the truth, one after the other, and tells whether there was anything to write. A
// plan that may write only once writes one half: the next one repairs the other.
func (p *planner) writeRecord(r record, reason model.Reason) (wrote bool) {
	for i := range p.pair.slots {
		set := p.pair.slots[i].set
		if set == nil || p.pair.slots[i].deleting() || p.account.Writes >= int(*p.rollout.Spec.Strategy.MaxWrites) {
			continue
		}
		if list := p.recordOn(set, r); len(list) > 0 {
			p.add(model.Action{
				Kind: model.RecordState, Reason: reason,
				Write: model.Write{Object: step.SetRef(set), Patch: &model.Patch{Annotations: list, NoAnnotations: len(set.Annotations) == 0}},
			})
			wrote = true
		}
	}
	return wrote
}

// advance writes a changed record under the next sequence.
func (p *planner) advance(reason model.Reason, change func(*record)) {
	r := p.pair.record
	r.state.Sequence++
	change(&r)
	p.writeRecord(r, reason)
	p.changing = true
}

// updateSlot replaces a slot's spec; the revision annotation follows the template.
func (p *planner) updateSlot(live, want *appsv1.DaemonSet, reason model.Reason) {
	notes := step.Edits{Live: live.Annotations}
	notes.NoteRevision(&p.keys, live, &want.Spec.Template)
	spec := want.Spec.DeepCopy()
	if spec.RevisionHistoryLimit == nil {
		spec.RevisionHistoryLimit = live.Spec.RevisionHistoryLimit
	}
	p.add(model.Action{
		Kind: model.UpdateSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(live), Patch: &model.Patch{
			Generation: live.Generation, Annotations: notes.List, NoAnnotations: len(live.Annotations) == 0, Spec: spec,
		}},
	})
	p.changing = true
}

// createSlot makes a DaemonSet with its half of the record.
func (p *planner) createSlot(set *appsv1.DaemonSet, r record, reason model.Reason) {
	created := set.DeepCopy()
	for _, edit := range p.recordOn(&appsv1.DaemonSet{}, r) {
		created.Annotations[edit.Key] = *edit.To
	}
	ref := step.SetRef(created)
	p.add(model.Action{Kind: model.CreateSlot, Reason: reason, Write: model.Write{Object: ref, Create: created}})
	p.changing = true
}

func (p *planner) deleteSlot(set *appsv1.DaemonSet, reason model.Reason) {
	p.add(model.Action{
		Kind: model.DeleteSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(set), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
	})
	p.changing = true
}

// add appends an action and returns its number, counted from 1.
func (p *planner) add(action model.Action) int32 {
	p.account.Writes++
	p.plan.Actions = append(p.plan.Actions, action)
	return int32(len(p.plan.Actions))
}
