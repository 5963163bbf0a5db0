package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// proposeRelease lets the source leave before the destination is admitted. Where that asks for more than the source did, the node is not emptied
// unless there is room; elsewhere room is looked for once the node may move (deed).
func (v *view) proposeRelease(f *facts, pr proposal) proposal {
	if next := v.grown(f.from.Live); next != nil {
		return v.roomy(f, pr, next, f.from.Live)
	}
	return pr
}

// roomy keeps a node from being emptied of the Pod for one that cannot stand there. What a rollout has taken comes back whatever the room.
func (v *view) roomy(f *facts, pr proposal, next, leaving *corev1.Pod) proposal {
	if v.pair.record.state.Return != nil || v.life != lifePace || leaving == nil {
		return pr
	}
	set := model.ControllerUID(leaving)
	room := step.RoomFor(next, v.cluster, f.index, v.rollout, leaving, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == set })
	stands := proposal{stage: pr.stage, verdict: room.Verdict, reason: room.Reason, detail: room.Detail, needsPods: room.NeedsPods}
	switch {
	case room.Reason == "":
		return pr
	case step.NoRoom(room.Reason) && f.place == atFrom && f.label.Kind == model.Unlabelled:
		return act(pr.stage, model.LabelRepaired, moveRepair) // else it loses its Pod when unlabelled nodes change hands
	case step.NoRoom(room.Reason):
		return v.setAside(stands, room.Reason, room.Detail, time.Time{})
	}
	return stands
}

// templateBefore is the one whose Pods the destination's replace; nil on a node that strayed, where the Pod itself is asked.
func templateBefore(d *direction, from *slotView) *corev1.PodTemplateSpec {
	if d.back || from.set == nil {
		return nil
	}
	return &from.set.Spec.Template
}
