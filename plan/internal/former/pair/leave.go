package pair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// leavingForGood tells whether the hand back to blue is over: what is left of an opt-out needs no pair any more.
func (p *planner) leavingForGood() bool {
	r := &p.pair.record
	blue := p.pair.slot(model.Blue)
	if p.render == nil {
		return false
	}
	return p.rollout.Spec.Intent == model.OptOut && r.active == model.Blue && r.target == model.NoSlot &&
		blue.set != nil && (p.pair.slot(model.Green).set == nil && !p.orphansLeft() || p.pair.slot(model.Green).set != nil && p.home())
}

// home tells whether every node is back on blue, and blue owns the unlabelled ones.
func (p *planner) home() bool {
	p.journey = journeyOf(&p.pair)
	p.surveyNodes()
	elsewhere := p.survey.elsewhere
	p.resetAccount()
	return elsewhere == 0 && p.pair.slot(model.Blue).owns
}

// resetAccount forgets a look at the nodes that was only a question.
func (p *planner) resetAccount() {
	writes := p.account.Writes
	p.account = budget.Account{Writes: writes}
	p.plan.Pair, p.plan.Nodes, p.plan.Needs, p.proposals = model.PairStatus{}, nil, nil, nil
}

// optOut ends the pair: green goes, the nodes' labels go, then blue gets the conventional template by a native rolling
// update. An unwrapped Pod never stands beside a wrapped one, since there is only one slot left and no surge.
func (p *planner) optOut() {
	p.plan.Phase = model.PhaseOptingOut
	p.surveyHome(model.WaitingForSlot)
	blue, green := p.pair.slot(model.Blue), p.pair.slot(model.Green)
	switch {
	case p.issuedSlot:
	case green.set != nil && !green.deleting():
		p.deleteSlot(green.set, model.HandedBack)
	case green.set != nil:
		p.wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", green.set.Name))
	case p.clearNodes(model.HandedBack) || p.awaitLost():
	default:
		p.makeConventional(blue.set, model.HandedBack)
	}
}

// makeConventional gives blue the conventional spec and takes the pair's marks from it.
func (p *planner) makeConventional(live *appsv1.DaemonSet, reason model.Reason) {
	want := p.conventional()
	notes := step.Edits{Live: live.Annotations}
	for _, key := range p.keys.OnPair() {
		notes.Remove(key)
	}
	p.add(model.Action{
		Kind: model.UpdateSlot, Reason: reason,
		Write: model.Write{Object: step.SetRef(live), Patch: &model.Patch{
			Generation: live.Generation, Annotations: notes.List, NoAnnotations: len(live.Annotations) == 0, Spec: want.Spec.DeepCopy(),
		}},
	})
	p.changing = true
}

// conventional is the desired DaemonSet; while wrapped Pods are left, without surge.
func (p *planner) conventional() *appsv1.DaemonSet {
	want := p.rollout.Spec.Desired.DeepCopy()
	strategy := want.Spec.UpdateStrategy
	surges := strategy.RollingUpdate != nil && strategy.RollingUpdate.MaxSurge != nil && strategy.RollingUpdate.MaxSurge.String() != "0"
	if (surges || strategy.Type == appsv1.OnDeleteDaemonSetStrategyType) && p.wrappedLeft() {
		want.Spec.UpdateStrategy = conventionalStrategy(*p.rollout.Spec.Strategy.MaxUnavailable)
	}
	return want
}

func (p *planner) wrappedLeft() bool {
	uid := p.pair.slot(model.Blue).uid()
	for i := range p.cluster.Len() {
		for _, pod := range p.cluster.Pods(i) {
			if uid != "" && model.ControllerUID(pod) == uid && pod.Annotations[p.keys.Armed] != "" && !model.Terminal(pod) {
				return true
			}
		}
	}
	return false
}

// orphansLeft tells whether Pods of a slot whose DaemonSet is gone run on without a controller. No conventional Pod may start
// beside them, since it waits for nobody: the slot is made anew, takes them over, and ends like any other.
func (p *planner) orphansLeft() bool {
	return p.lostPods(func(pod *corev1.Pod) bool { return !model.Terminating(pod) })
}

// awaitLost waits for Pods of a slot whose DaemonSet is gone to end, and tells whether there are any.
func (p *planner) awaitLost() bool {
	left := p.lostPods(model.Terminating)
	if left {
		p.wait(model.WaitingForPodsToEnd, "Pods of a DaemonSet that is gone still end, and no conventional Pod may start beside them")
	}
	return left
}

// lostPods tells whether there is such a Pod of this pair that no DaemonSet controls any more. It has the labels of one of the
// slots: other rollouts of the namespace bear the same marks.
func (p *planner) lostPods(such func(*corev1.Pod) bool) bool {
	if p.render == nil {
		return false
	}
	blue, green := p.render.Slot(model.Blue, false).Spec.Selector, p.render.Slot(model.Green, false).Spec.Selector
	alive := map[types.UID]bool{}
	for _, set := range p.cluster.DaemonSets() {
		alive[set.UID] = true
	}
	for i := range p.cluster.Len() {
		for _, pod := range p.cluster.Pods(i) {
			ours := pod.Namespace == p.rollout.Metadata.Namespace && pod.Annotations[p.keys.Armed] != "" && (step.Carries(pod.Labels, blue) || step.Carries(pod.Labels, green))
			if ours && !model.Terminal(pod) && !alive[model.ControllerUID(pod)] && such(pod) {
				return true
			}
		}
	}
	return false
}

// keepConventional ends an opt-out: the one DaemonSet is as desired, and every Pod is unwrapped.
func (p *planner) keepConventional() {
	p.plan.Phase = model.PhaseOptingOut
	p.surveyHome(model.WaitingForSlot)
	live := p.pair.slot(model.Blue)
	switch {
	case p.issuedSlot:
	case p.awaitLost():
	case live.set == nil:
		set := p.rollout.Spec.Desired.DeepCopy()
		step.StripServerFields(set)
		p.add(model.Action{Kind: model.CreateSlot, Reason: model.HandedBack, Write: model.Write{Object: step.SetRef(set), Create: set}})
	case !step.Covers(&live.set.Spec, &p.conventional().Spec):
		p.makeConventional(live.set, model.HandedBack)
	case p.clearNodes(model.HandedBack):
	case p.wrappedLeft():
		p.wait(model.WaitingForWrapping, "wrapped Pods are left: the native rolling update replaces them")
	default:
		p.plan.Phase, p.plan.ReleaseOwner = model.PhaseGone, true
		for i := range p.plan.Nodes {
			p.plan.Nodes[i].Verdict, p.plan.Nodes[i].Reason = model.Done, model.HandedBack
		}
	}
}

// tearDown deletes both DaemonSets in foreground, waits, clears the nodes and the intent. Every step is told by
// what is left, so that a crash between any two resumes.
func (p *planner) tearDown() {
	p.plan.Phase = model.PhaseTearingDown
	if p.issuedSlot {
		return
	}
	if p.recordIntent() {
		return
	}
	left := false
	for _, slot := range model.Slots() {
		view := p.pair.slot(slot)
		switch {
		case view.set == nil:
			continue
		case view.deleting():
			p.wait(model.SlotBeingDeleted, fmt.Sprintf("DaemonSet %s is being deleted with its Pods", view.set.Name))
		default:
			p.deleteSlot(view.set, model.RolloutTornDown)
		}
		left = true
	}
	if left || p.clearNodes(model.RolloutTornDown) || p.clearIntent() {
		return
	}
	p.plan.Phase, p.plan.ReleaseOwner = model.PhaseGone, true
}

// clearNodes removes label and annotations from every node that still has them, as many as one plan may write.
func (p *planner) clearNodes(reason model.Reason) bool {
	left := false
	for i := range p.cluster.Len() {
		node := p.cluster.Node(i)
		if !p.marked(node) {
			continue
		}
		left = true
		if p.account.Writes < int(*p.rollout.Spec.Strategy.MaxWrites) && !p.issuedNodes[i] {
			p.pointAt(node.Name, reason, p.add(p.clearNode(node, reason)))
		}
	}
	return left
}

// pointAt lets the node's report name the action; a node that is not eligible gets one for it.
func (p *planner) pointAt(node string, reason model.Reason, action int32) {
	i, found := slices.BinarySearchFunc(p.plan.Nodes, node, func(r model.NodeReport, name string) int { return strings.Compare(r.Node, name) })
	if !found {
		p.plan.Nodes = slices.Insert(p.plan.Nodes, i, model.NodeReport{Node: node, Stage: model.StageLeaving})
	}
	r := &p.plan.Nodes[i]
	r.Verdict, r.Reason, r.Action = model.Acts, reason, action
}

// recordIntent marks the owner before the first deletion, so that a teardown, once begun, is resumed whatever the
// intent says later.
func (p *planner) recordIntent() bool {
	notes := step.Edits{Live: p.rollout.Metadata.Annotations}
	notes.Set(p.keys.Cleanup, model.MarkPair)
	if p.pair.slot(model.Blue).set == nil && p.pair.slot(model.Green).set == nil {
		return false
	}
	return p.editOwner(notes.List, model.IntentRecorded)
}

func (p *planner) clearIntent() bool {
	notes := step.Edits{Live: p.rollout.Metadata.Annotations}
	notes.Remove(p.keys.Cleanup)
	notes.Remove(p.keys.Mode)
	return p.editOwner(notes.List, model.RolloutTornDown)
}

// editOwner writes the owner's annotations. An owner that the snapshot does not identify, as in a dump, has none to write.
func (p *planner) editOwner(list []model.Edit, reason model.Reason) bool {
	owner := &p.rollout.Metadata
	if len(list) == 0 || owner.UID == "" || owner.Kind == "" {
		return false
	}
	p.add(model.Action{
		Kind: model.RecordIntent, Reason: reason,
		Write: model.Write{
			Object: model.ObjectRef{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: owner.Namespace, Name: owner.Name, UID: owner.UID},
			Patch:  &model.Patch{Annotations: list, NoAnnotations: len(owner.Annotations) == 0},
		},
	})
	return true
}
