package pair

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
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
			c.Add(step.RecordState(set, list, reason))
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

// updateSlot replaces a slot's spec, or mends first what forbids that.
func (c *course) updateSlot(live, want *appsv1.DaemonSet, reason model.Reason) {
	slot := model.Blue
	if live == c.pair.slot(model.Green).set {
		slot = model.Green
	}
	if c.mayWrite(slot, want) {
		c.writeSlot(live, want, reason)
	}
}

// writeSlot replaces a slot's spec; the revision annotation follows the template, and the note of the write says which generation it makes.
func (c *course) writeSlot(live, want *appsv1.DaemonSet, reason model.Reason) {
	notes := step.Edits{Live: live.Annotations}
	notes.NoteRevision(&c.keys, live, &want.Spec.Template)
	notes.NoteWritten(&c.keys, live, c.now)
	c.Add(step.UpdateSet(live, want.Spec.DeepCopy(), &notes, reason))
	c.Writing = true
}

// createSlot makes a DaemonSet with its half of the record, or mends first what forbids that.
func (c *course) createSlot(slot model.Slot, set *appsv1.DaemonSet, r record, reason model.Reason) {
	if !c.mayWrite(slot, set) {
		return
	}
	created := set.DeepCopy()
	for _, edit := range c.recordOn(&appsv1.DaemonSet{}, r) {
		created.Annotations[edit.Key] = *edit.To
	}
	c.Add(step.CreateSet(created, reason))
	c.Writing = true
}

func (c *course) deleteSlot(set *appsv1.DaemonSet, reason model.Reason) {
	c.Add(step.DeleteSet(set, reason))
	c.Writing = true
}
