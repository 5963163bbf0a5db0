package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// edits collects guarded changes of one map of an object.
type edits struct {
	live map[string]string
	list []model.Edit
}

// set asks for a value; what stands there already needs no edit.
func (e *edits) set(key, value string) {
	if present, ok := e.live[key]; !ok || present != value {
		e.list = append(e.list, model.Edit{Key: key, From: e.from(key), To: &value})
	}
}

// remove asks for the key to be absent.
func (e *edits) remove(key string) {
	if from := e.from(key); from != nil {
		e.list = append(e.list, model.Edit{Key: key, From: from})
	}
}

// setOrRemove sets the value, and removes the key for an empty one.
func (e *edits) setOrRemove(key, value string) {
	if value == "" {
		e.remove(key)
		return
	}
	e.set(key, value)
}

// guard tests the present value without changing it.
func (e *edits) guard(key string) {
	if from := e.from(key); from != nil {
		e.list = append(e.list, model.Edit{Key: key, From: from, To: from})
	}
}

func (e *edits) from(key string) *string {
	if value, ok := e.live[key]; ok {
		return &value
	}
	return nil
}

func nodeRef(node *corev1.Node) model.ObjectRef {
	return model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}
}

func setRef(set *appsv1.DaemonSet) model.ObjectRef {
	return model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: set.UID}
}

func costOf(c budget.Cost) model.Cost {
	cost := model.Cost{Overlap: c.Overlap, OffSource: c.OffSource}
	if c.Seat != budget.NoSeat {
		cost.Seat = c.Seat.String()
	}
	return cost
}

// labelNode writes the node's slot label and the mark beside it. A handoff is guarded by the node's
// resourceVersion as well, so that a late request of a dead executor fails.
func (p *planner) labelNode(f *facts, label model.NodeLabel, reason model.Reason, cost budget.Cost) model.Action {
	labels := edits{live: f.node.Labels}
	notes := edits{live: f.node.Annotations}
	if value, ok := label.Value(); ok {
		labels.set(p.keys.NodeSlot, value)
		notes.set(p.keys.NodeMoved, model.Moved{At: p.now, Paid: f.available}.String())
	}
	notes.remove(p.keys.NodeCandidate)
	if label.Kind == model.Overlaps && p.executor.ID != "" {
		notes.set(p.keys.NodeFence, p.executor.ID)
	} else {
		notes.remove(p.keys.NodeFence)
	}
	patch := nodePatch(f.node, labels.list, notes.list)
	if label.Kind != model.Overlaps {
		patch.ResourceVersion = f.node.ResourceVersion
	}
	return model.Action{
		Kind: model.SetNodeSlot, Node: f.node.Name, Reason: reason, Cost: costOf(cost),
		Write: model.Write{Object: nodeRef(f.node), Patch: patch},
	}
}

func nodePatch(node *corev1.Node, labels, annotations []model.Edit) *model.Patch {
	return &model.Patch{
		Labels: labels, Annotations: annotations,
		NoLabels: len(node.Labels) == 0, NoAnnotations: len(node.Annotations) == 0,
	}
}

// recordCandidate writes which Pod was seen prepared, and this executor's fence.
func (p *planner) recordCandidate(f *facts, pod *corev1.Pod, reason model.Reason) model.Action {
	notes := edits{live: f.node.Annotations}
	notes.setOrRemove(p.keys.NodeCandidate, string(podUID(pod)))
	notes.setOrRemove(p.keys.NodeFence, p.executor.ID)
	labels := edits{live: f.node.Labels}
	labels.guard(p.keys.NodeSlot)
	return model.Action{
		Kind: model.RecordCandidate, Node: f.node.Name, Reason: reason,
		Write: model.Write{Object: nodeRef(f.node), Patch: nodePatch(f.node, labels.list, notes.list)},
	}
}

// clearNode removes everything of the rollout from a node.
func (p *planner) clearNode(node *corev1.Node, reason model.Reason) model.Action {
	labels := edits{live: node.Labels}
	labels.remove(p.keys.NodeSlot)
	notes := edits{live: node.Annotations}
	for _, key := range [...]string{p.keys.NodeCandidate, p.keys.NodeMoved, p.keys.NodeFence} {
		notes.remove(key)
	}
	patch := nodePatch(node, labels.list, notes.list)
	patch.ResourceVersion = node.ResourceVersion
	return model.Action{
		Kind: model.ClearNode, Node: node.Name, Reason: reason,
		Write: model.Write{Object: nodeRef(node), Patch: patch},
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

func deletePod(node string, pod *corev1.Pod, reason model.Reason, cost budget.Cost) model.Action {
	return model.Action{
		Kind: model.DeletePod, Node: node, Reason: reason, Cost: costOf(cost),
		Write: model.Write{
			Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Delete: &model.Delete{Propagation: metav1.DeletePropagationBackground},
		},
	}
}

// recordOn returns the edits that bring one DaemonSet's half of the record to the truth.
func (p *planner) recordOn(set *appsv1.DaemonSet, r record) []model.Edit {
	notes := edits{live: set.Annotations}
	notes.set(p.keys.ActiveSlot, r.active.String())
	notes.set(p.keys.Initialized, model.MarkPair)
	notes.setOrRemove(p.keys.TargetSlot, r.target.String())
	notes.setOrRemove(p.keys.TargetRevision, r.targetRevision)
	if text := r.state.Text(); r.state.Sequence > 0 {
		notes.set(p.keys.State, text)
	}
	return notes.list
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
				Write: model.Write{Object: setRef(set), Patch: &model.Patch{Annotations: list, NoAnnotations: len(set.Annotations) == 0}},
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
	notes := edits{live: live.Annotations}
	notes.setOrRemove(p.keys.Revision, want.Spec.Template.Annotations[p.keys.Revision])
	spec := want.Spec.DeepCopy()
	if spec.RevisionHistoryLimit == nil {
		spec.RevisionHistoryLimit = live.Spec.RevisionHistoryLimit
	}
	p.add(model.Action{
		Kind: model.UpdateSlot, Reason: reason,
		Write: model.Write{Object: setRef(live), Patch: &model.Patch{
			Generation: live.Generation, Annotations: notes.list, NoAnnotations: len(live.Annotations) == 0, Spec: spec,
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
	ref := setRef(created)
	p.add(model.Action{Kind: model.CreateSlot, Reason: reason, Write: model.Write{Object: ref, Create: created}})
	p.changing = true
}

func (p *planner) deleteSlot(set *appsv1.DaemonSet, reason model.Reason) {
	p.add(model.Action{
		Kind: model.DeleteSlot, Reason: reason,
		Write: model.Write{Object: setRef(set), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
	})
	p.changing = true
}

// add appends an action and returns its number, counted from 1.
func (p *planner) add(action model.Action) int32 {
	p.account.Writes++
	p.plan.Actions = append(p.plan.Actions, action)
	return int32(len(p.plan.Actions))
}
