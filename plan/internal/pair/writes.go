package pair

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// recordOn returns the edits that bring one DaemonSet's half of the record to the truth.
func (v *view) recordOn(set *appsv1.DaemonSet, r record) []model.Edit {
	notes := step.Edits{Live: set.Annotations}
	notes.Set(v.keys.ActiveSlot, r.active.String())
	notes.Set(v.keys.Initialized, model.MarkPair)
	notes.SetOrRemove(v.keys.TargetSlot, r.target.String())
	notes.SetOrRemove(v.keys.TargetRevision, r.targetRevision)
	if text := r.state.Text(); r.state.Sequence > 0 {
		notes.Set(v.keys.State, text)
	}
	return notes.List
}

// writeRecord brings both halves to the truth, one after the other, and tells whether there was anything to write. A
// plan that may write only once writes one half: the next one repairs the other.
func (c *course) writeRecord(r record, reason model.Reason) (wrote bool) {
	for i := range c.pair.slots {
		set := c.pair.slots[i].set
		if set == nil || c.pair.slots[i].deleting() || len(c.Actions) >= int(*c.rollout.Spec.Strategy.MaxWrites) {
			continue
		}
		if list := c.recordOn(set, r); len(list) > 0 {
			c.Add(model.Action{
				Kind: model.RecordState, Reason: reason,
				Write: model.Write{Object: step.SetRef(set), Patch: &model.Patch{Annotations: list, NoAnnotations: len(set.Annotations) == 0}},
			})
			wrote = true
		}
	}
	return wrote
}

// advance writes a changed record under the next sequence.
func (c *course) advance(reason model.Reason, change func(*record)) {
	r := c.pair.record
	r.state.Sequence++
	change(&r)
	c.writeRecord(r, reason)
	c.Record = &r.state
	c.Writing = true
}

// updateSlot replaces a slot's spec; the revision annotation follows the template.
func (c *course) updateSlot(live, want *appsv1.DaemonSet, reason model.Reason) {
	notes := step.Edits{Live: live.Annotations}
	notes.NoteRevision(&c.keys, live, &want.Spec.Template)
	spec := want.Spec.DeepCopy()
	if spec.RevisionHistoryLimit == nil {
		spec.RevisionHistoryLimit = live.Spec.RevisionHistoryLimit
	}
	c.Add(model.Action{
		Kind: model.UpdateSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(live), Patch: &model.Patch{
			Generation: live.Generation, Annotations: notes.List, NoAnnotations: len(live.Annotations) == 0, Spec: spec,
		}},
	})
	c.Writing = true
}

// createSlot makes a DaemonSet with its half of the record.
func (c *course) createSlot(set *appsv1.DaemonSet, r record, reason model.Reason) {
	created := set.DeepCopy()
	for _, edit := range c.recordOn(&appsv1.DaemonSet{}, r) {
		created.Annotations[edit.Key] = *edit.To
	}
	ref := step.SetRef(created)
	c.Add(model.Action{Kind: model.CreateSlot, Reason: reason, Write: model.Write{Object: ref, Create: created}})
	c.Writing = true
}

func (c *course) deleteSlot(set *appsv1.DaemonSet, reason model.Reason) {
	c.Add(model.Action{
		Kind: model.DeleteSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(set), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
	})
	c.Writing = true
}
