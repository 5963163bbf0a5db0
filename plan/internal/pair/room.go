package pair

import (
	"cmp"
	"sync"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// proposeRelease lets the source leave before the destination is admitted. Where that asks for more than the source did, the node is not emptied
// unless there is room; elsewhere room is looked for once the node may move (deed).
func (v *view) proposeRelease(f *facts, pr proposal) proposal {
	if to := v.pair.slot(v.direction.to).set; v.grown(f.from.Live) {
		return v.roomy(f, pr, f.from.Live, to)
	}
	return pr
}

// readMeasured reads, once and when first asked for, what the destination's next Pod asks for by what its live ones do. Judgments are kept, and go by the template.
func (v *view) readMeasured() func() *appsv1.DaemonSet {
	return sync.OnceValue(func() *appsv1.DaemonSet {
		to := v.pair.slot(v.direction.to)
		if to.set == nil {
			return nil
		}
		return capacity.Measured(to.set, v.cluster, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == to.uid() && v.isExact(pod) })
	})
}

// roomy keeps a node from being emptied of the Pod for one of the DaemonSet that cannot stand there. What a rollout has taken comes back whatever the room.
func (v *view) roomy(f *facts, pr proposal, leaving *corev1.Pod, to *appsv1.DaemonSet) proposal {
	if v.pair.record.state.Return != nil || v.life != lifePace || leaving == nil {
		return pr
	}
	from := model.ControllerUID(leaving)
	room := step.RoomFor(to, v.cluster, f.index, v.rollout, leaving, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == from })
	stands := proposal{stage: pr.stage, verdict: room.Verdict, reason: room.Reason, detail: room.Detail, needsPods: room.NeedsPods}
	switch {
	case room.Reason == "":
		pr.detail = cmp.Or(room.Detail, pr.detail)
		return pr
	case step.NoRoom(room.Reason) && f.place == atFrom && f.label.Kind == model.Unlabelled:
		return act(pr.stage, model.LabelRepaired, moveRepair) // else it loses its Pod when unlabelled nodes change hands
	case step.NoRoom(room.Reason):
		return v.setAside(stands, room.Reason, room.Detail, time.Time{})
	}
	return stands
}

// evicted says whom the scheduler would evict for a second Pod on the node, beside the source's.
func (v *view) evicted(f *facts) string {
	set := v.measured()
	if set == nil || f.from.Live == nil {
		return ""
	}
	return step.Victims(set, v.cluster, f.index, f.from.Live, func(*corev1.Pod) bool { return false })
}

// templateBefore is the one whose Pods the destination's replace; nil on a node that strayed, where the Pod itself is asked.
func templateBefore(d *direction, from *slotView) *corev1.PodTemplateSpec {
	if d.back || from.set == nil {
		return nil
	}
	return &from.set.Spec.Template
}
