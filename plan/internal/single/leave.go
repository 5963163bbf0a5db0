package single

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// optOut ends as the conventional DaemonSet with its own strategy: one write of the spec takes the marks with it. While wrapped
// Pods are left the strategy is a rolling update without surge, so that an unwrapped Pod never stands beside one.
func (c *course) optOut() {
	c.keepStill(model.PhaseOptingOut)
	want := c.conventional()
	switch {
	case c.issuedSet:
	case c.live.set == nil:
		step.StripServerFields(want)
		c.write(step.CreateSet(want, model.HandedBack))
	case c.marked() || !step.Covers(&c.live.set.Spec, &want.Spec):
		notes := c.notes()
		for _, key := range c.keys.OnSingle() {
			if key != c.keys.Written {
				notes.Remove(key)
			}
		}
		c.writeSpec(&want.Spec, &notes, model.HandedBack)
	case !c.live.observed():
		c.AwaitController(c.limit(), &c.keys, c.live.set, fmt.Sprintf("the controller has not seen the conventional spec of DaemonSet %s yet", c.name))
	case c.wrappedLeft() && !c.LeaveUnwrapping(c.limit(), c.cluster, c.placement, c.live.set, c.settle, c.wrapped):
		c.AwaitUnwrapping(c.limit(), c.cluster, &c.keys, c.live.set, c.settle, *c.rollout.Spec.Failure.MaxRestarts, c.wrapped)
	case c.ForgetWritten(&c.keys, c.live.set, model.HandedBack):
	default: // a strategy that waits for wrapped Pods on lost Nodes is written once those are gone
		c.Phase, c.Release = model.PhaseGone, step.Covers(&c.live.set.Spec, &c.rollout.Spec.Desired.Spec)
		c.Overrides = append(c.Overrides, step.OverrideAllDone(model.HandedBack))
	}
}

// marked tells whether the DaemonSet or its template carries anything of the rollout but the note of its own end.
func (v *view) marked() bool {
	for _, key := range v.keys.OnSingle() {
		if _, ok := v.live.set.Annotations[key]; ok && key != v.keys.Written {
			return true
		}
	}
	return v.live.revision != ""
}

func (v *view) conventional() *appsv1.DaemonSet {
	want := v.rollout.Spec.Desired.DeepCopy()
	surge, _ := rolling(&want.Spec.UpdateStrategy)
	if (surge != "0" || want.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType) && v.wrappedLeft() {
		most, none := *v.strategy.MaxUnavailable, intstr.FromInt32(0)
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type:          appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &most, MaxSurge: &none},
		}
	}
	return want
}

func (v *view) wrappedLeft() bool {
	for i := range v.cluster.Len() {
		for _, pod := range v.cluster.Pods(i) {
			if uid := model.ControllerUID(pod); uid == "" || uid != v.live.uid() || model.Terminal(pod) {
				continue
			}
			if v.wrapped(pod) {
				return true
			}
		}
	}
	return false
}

// wrapped tells whether the Pod waits behind locks, those of a schema that is not known included.
func (v *view) wrapped(pod *corev1.Pod) bool {
	wrapping, _ := lockspec.Inspect(&pod.Spec)
	return len(wrapping.Components) > 0 || pod.Annotations[v.keys.Schema] != ""
}

// tearDown deletes the DaemonSet in foreground, waits, and clears the intent. Every step is told by what is left, so that a
// crash between any two resumes.
func (c *course) tearDown() {
	c.Phase = model.PhaseTearingDown
	set := c.live.set
	if set != nil && set.DeletionTimestamp != nil && c.LeaveLost(c.limit(), c.cluster, set) {
		set = nil
	}
	switch {
	case c.issuedSet:
	case set != nil && c.recordIntent(model.IntentRecorded, func(notes *step.Edits) { notes.Set(c.keys.Cleanup, model.MarkSingle) }):
	case set != nil && set.DeletionTimestamp != nil:
		c.AwaitDeletion(c.limit(), c.cluster, set, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", c.name))
	case set != nil:
		c.write(step.DeleteSet(set, model.RolloutTornDown))
	case c.recordIntent(model.RolloutTornDown, func(notes *step.Edits) { notes.Remove(c.keys.Cleanup); notes.Remove(c.keys.Mode) }):
	default:
		c.Phase, c.Release = model.PhaseGone, true
	}
}

// recordIntent writes the owner's annotations, and tells whether there was anything to write.
func (c *course) recordIntent(reason model.Reason, edit func(*step.Edits)) bool {
	notes := step.Edits{Live: c.rollout.Metadata.Annotations}
	edit(&notes)
	action, wrote := step.RecordIntent(&c.rollout.Metadata, notes.List, reason)
	if wrote {
		c.Add(action)
	}
	return wrote
}
