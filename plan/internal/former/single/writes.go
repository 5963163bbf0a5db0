package single

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// add appends an action and returns its number, counted from 1.
func (p *planner) add(action model.Action) int32 {
	p.account.Writes++
	p.plan.Actions = append(p.plan.Actions, action)
	return int32(len(p.plan.Actions))
}

// notes are the DaemonSet's annotations, to be edited.
func (p *planner) notes() step.Edits { return step.Edits{Live: p.live.set.Annotations} }

// write changes the spec and the annotations in one request.
func (p *planner) write(reason model.Reason, spec *appsv1.DaemonSetSpec, notes *step.Edits) {
	live := p.live.set
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

// record writes a changed state, and nothing else.
func (p *planner) record(reason model.Reason, change func(*model.State)) {
	notes := p.notes()
	p.noteState(&notes, change)
	p.recordNotes(reason, &notes)
}

func (p *planner) recordNotes(reason model.Reason, notes *step.Edits) {
	p.add(model.Action{
		Kind: model.RecordState, Reason: reason,
		Write: model.Write{Object: step.SetRef(p.live.set), Patch: &model.Patch{Annotations: notes.List, NoAnnotations: len(p.live.set.Annotations) == 0}},
	})
}

// noteState edits the state under the next sequence; the planner goes on with the changed one.
func (p *planner) noteState(notes *step.Edits, change func(*model.State)) {
	state := p.live.state
	state.Sequence++
	change(&state)
	p.live.state = state
	notes.Set(p.keys.State, state.Text())
}

// advance writes a changed state before anything else is done.
func (p *planner) advance(reason model.Reason, change func(*model.State)) {
	p.record(reason, change)
	p.changing = true
}

func (p *planner) deleteSet(reason model.Reason) {
	p.add(model.Action{
		Kind: model.DeleteSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(p.live.set), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
	})
	p.changing = true
}

func (p *planner) createSet(set *appsv1.DaemonSet, reason model.Reason) {
	p.add(model.Action{Kind: model.CreateSlot, Reason: reason, Write: model.Write{Object: step.SetRef(set), Create: set}})
	p.changing = true
}

// wait says what the rollout as a whole waits for.
func (p *planner) wait(reason model.Reason, message string) {
	p.plan.Waits = append(p.plan.Waits, model.Wait{Reason: reason, Message: message})
}
