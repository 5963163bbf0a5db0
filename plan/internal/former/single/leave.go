package single

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// optOut ends as the conventional DaemonSet with its own strategy: one write of the spec takes the marks with it. While wrapped
// Pods are left the strategy is a rolling update without surge, so that an unwrapped Pod never stands beside one.
func (p *planner) optOut() {
	p.plan.Phase = model.PhaseOptingOut
	p.surveyAtRest()
	want := p.conventional()
	switch {
	case p.issuedSet:
	case p.live.set == nil:
		step.StripServerFields(want)
		p.createSet(want, model.HandedBack)
	case p.marked() || !step.Covers(&p.live.set.Spec, &want.Spec):
		notes := p.notes()
		for _, key := range p.keys.OnSingle() {
			notes.Remove(key)
		}
		p.write(model.HandedBack, &want.Spec, &notes)
	case !p.live.observed():
		p.wait(model.SlotNotObserved, fmt.Sprintf("the controller has not seen the conventional spec of DaemonSet %s yet", p.name))
	case p.wrappedLeft():
		p.wait(model.WaitingForWrapping, "wrapped Pods are left: the native rolling update replaces them")
	default:
		p.plan.Phase, p.plan.ReleaseOwner = model.PhaseGone, true
		for i := range p.plan.Nodes {
			p.plan.Nodes[i].Verdict, p.plan.Nodes[i].Reason = model.Done, model.HandedBack
		}
	}
}

// marked tells whether the DaemonSet or its template carries anything of the rollout.
func (p *planner) marked() bool {
	for _, key := range p.keys.OnSingle() {
		if _, ok := p.live.set.Annotations[key]; ok {
			return true
		}
	}
	return p.live.revision != ""
}

func (p *planner) conventional() *appsv1.DaemonSet {
	want := p.rollout.Spec.Desired.DeepCopy()
	surge, _ := rolling(&want.Spec.UpdateStrategy)
	if (surge != "0" || want.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType) && p.wrappedLeft() {
		most, none := *p.strategy.MaxUnavailable, intstr.FromInt32(0)
		want.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type:          appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &most, MaxSurge: &none},
		}
	}
	return want
}

func (p *planner) wrappedLeft() bool {
	for i := range p.cluster.Len() {
		for _, pod := range p.cluster.Pods(i) {
			if uid := model.ControllerUID(pod); uid == "" || uid != p.live.uid() || model.Terminal(pod) {
				continue
			}
			if wrapping, _ := lockspec.Inspect(&pod.Spec); len(wrapping.Components) > 0 {
				return true
			}
		}
	}
	return false
}

// tearDown deletes the DaemonSet in foreground, waits, and clears the intent. Every step is told by what is left, so that a
// crash between any two resumes.
func (p *planner) tearDown() {
	p.plan.Phase = model.PhaseTearingDown
	owner := step.Edits{Live: p.rollout.Metadata.Annotations}
	switch {
	case p.issuedSet:
	case p.live.set != nil && p.editOwner(&owner, func() { owner.Set(p.keys.Cleanup, model.MarkSingle) }, model.IntentRecorded):
	case p.live.set != nil && p.live.set.DeletionTimestamp != nil:
		p.wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", p.name))
	case p.live.set != nil:
		p.deleteSet(model.RolloutTornDown)
	case p.editOwner(&owner, func() { owner.Remove(p.keys.Cleanup); owner.Remove(p.keys.Mode) }, model.RolloutTornDown):
	default:
		p.plan.Phase, p.plan.ReleaseOwner = model.PhaseGone, true
	}
}

// editOwner writes the owner's annotations. An owner that the snapshot does not identify, as in a dump, has none to write.
func (p *planner) editOwner(notes *step.Edits, edit func(), reason model.Reason) bool {
	owner := &p.rollout.Metadata
	if owner.UID == "" || owner.Kind == "" {
		return false
	}
	if edit(); len(notes.List) == 0 {
		return false
	}
	p.add(model.Action{
		Kind: model.RecordIntent, Reason: reason,
		Write: model.Write{
			Object: model.ObjectRef{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: owner.Namespace, Name: owner.Name, UID: owner.UID},
			Patch:  &model.Patch{Annotations: notes.List, NoAnnotations: len(owner.Annotations) == 0},
		},
	})
	return true
}
