package plan_test

import (
	"slices"
	"strconv"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// singleMutants are planners of a rollout on one DaemonSet with one small fault, each with the property and the game that kill
// it.
var singleMutants = []mutant{
	{"delete-first: maxUnavailable is one more", "S2", "rolling", settings(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable = number(r.Spec.Strategy.MaxUnavailable.IntValue() + 1)
	})},
	{"delete-first: settleSeconds are 0", "S2", "rolling", settings(func(r *model.Rollout) { r.Spec.Strategy.SettleSeconds = new(int32) })},
	{"delete-first: terminating Pods count as live", "S2", "rolling", objects(func(o *model.Objects) {
		for _, pod := range o.Pods {
			pod.DeletionTimestamp = nil
		}
	})},
	{"delete-first: more unhealthy nodes are exempt", "S2", "rolling", settings(func(r *model.Rollout) { r.Spec.Strategy.ExemptUnhealthy = number(3) })},
	{"surge: maxUnavailable is one more", "S2", "surge", settings(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable = number(r.Spec.Strategy.MaxUnavailable.IntValue() + 1)
	})},
	{"surge: the native controller is let loose on unready Pods", "S2", "surge", settings(func(r *model.Rollout) { r.Spec.Strategy.ExemptUnhealthy = number(9) })},
	{"delete-first: nobody looks whether the next Pod fits", "S4", "rolling", bigRequests},
	{"delete-first: a dead node's Pod is deleted", "S4", "rolling", objects(func(o *model.Objects) {
		for _, node := range o.Nodes {
			for i := range node.Status.Conditions {
				node.Status.Conditions[i].Status = corev1.ConditionTrue
			}
			node.Spec.Taints = nil
		}
	})},
	{"surge: Pods that do not run are prepared", "S4", "surge", objects(readPrepared)},
	{"surge: restarts are not seen", "S4", "surge", objects(forgetRestarts)},
	{"surge: the replacement is deleted in place of the old Pod", "S4", "surge", actions(deleteAnother(func(a *model.Action, pod *corev1.Pod) bool {
		return pod.Namespace == namespace && pod.UID != a.Write.Object.UID
	}))},
	{"surge: a target is taken for proven at once", "S4", "surge", plans(provenAtOnce)},
	{"surge: nobody waits for the controller", "S4", "surge", objects(func(o *model.Objects) {
		for _, set := range o.DaemonSets {
			set.Status.ObservedGeneration = set.Generation
		}
	})},
	{"delete-first: the former template is not kept", "S5", "rolling", actions(withoutNote(slotKeys.Source))},
	{"surge: the former template is given up too early", "S5", "surge", plans(forgetSource)},
	{"delete-first: a delete does not test the UID", "S6", "rolling", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Delete != nil {
			a.Write.Object.UID = ""
		}
	})},
	{"surge: a spec does not test the generation", "S6", "surge", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Patch != nil {
			a.Write.Patch.Generation = 0
		}
	})},
	{"delete-first: issued actions are forgotten", "S7", "rolling", settings(func(r *model.Rollout) { r.Status.Issued = nil })},
	{"surge: issued actions are forgotten", "S7", "surge", settings(func(r *model.Rollout) { r.Status.Issued = nil })},
	{"delete-first: a new executor is not known", "S7", "rolling", settings(func(r *model.Rollout) { r.Status.Executor = model.Executor{} })},
	{"delete-first: a superseded target is finished", "S8", "rolling", finishPresent},
	{"delete-first: taints are not seen", "S9", "rolling", objects(func(o *model.Objects) {
		for _, node := range o.Nodes {
			node.Spec.Taints = nil
		}
	})},
	{"delete-first: a DaemonSet is made without its owner", "S9", "rolling", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Create != nil {
			a.Write.Create.OwnerReferences = nil
		}
	})},
	{"surge: maxSurge is one more than the budget", "S11", "surge", actions(func(_ *model.Snapshot, a *model.Action) {
		if p := a.Write.Patch; p != nil && p.Spec != nil && p.Spec.UpdateStrategy.RollingUpdate != nil {
			p.Spec.UpdateStrategy.RollingUpdate.MaxSurge = number(p.Spec.UpdateStrategy.RollingUpdate.MaxSurge.IntValue() + 1)
		}
	})},
	{"surge: maxWrites is not kept", "S11", "surge", settings(func(r *model.Rollout) { r.Spec.Strategy.MaxWrites = nil })},
	{"delete-first: a report is left out", "S13", "rolling", plans(func(_ *model.Snapshot, p *model.Plan) {
		if len(p.Nodes) > 1 {
			p.Nodes = p.Nodes[1:]
		}
	})},
	{"delete-first: nothing is said of what is waited for", "L3", "rolling", plans(func(_ *model.Snapshot, p *model.Plan) { p.Waits, p.Nodes = nil, nil })},
	{"delete-first: the last deletion is not made", "L1", "rolling", dropping(func(a *model.Action) bool { return a.Node == "n1" && a.Cost.Seat != "" })},
	{"delete-first: the proof is not recorded", "L1", "rolling", dropping(func(a *model.Action) bool { return a.Reason == model.TargetProven })},
	{"surge: no handover is made", "L1", "surge", dropping(func(a *model.Action) bool { return a.Reason == model.HandoffPrepared })},
	{"surge: the native controller is not started again", "L1", "surge", dropping(func(a *model.Action) bool { return a.Reason == model.SurgeEnabled })},
	{"surge: completion is not recorded", "L1", "plain surge", dropping(func(a *model.Action) bool { return a.Reason == model.RolloutComplete })},
	{"one DaemonSet: an opt-out is not understood", "L5", "one set back", settings(func(r *model.Rollout) { r.Spec.Intent = model.Run })},
	{"one DaemonSet: a teardown ends too early", "L5", "one set back", dropping(func(a *model.Action) bool { return a.Reason == model.RolloutTornDown })},
	{"delete-first: maxUnavailable is one more, as it really is", "S3", "bad rolling", settings(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable = number(r.Spec.Strategy.MaxUnavailable.IntValue() + 1)
	})},
}

// bigRequests desires a Pod that fits no node, and lets the planner believe that every node is larger.
func bigRequests(next planner) planner {
	return func(s *model.Snapshot) (model.Plan, error) {
		for i := range s.Rollout.Spec.Desired.Spec.Template.Spec.Containers {
			if s.Rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Image != "agent:1" {
				s.Rollout.Spec.Desired.Spec.Template.Spec.Containers[i].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1900m")}
			}
		}
		return next(property.Changed(s, func(o *model.Objects, _ *model.Rollout) {
			for _, node := range o.Nodes {
				node.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("64")
			}
		}))
	}
}

// provenAtOnce records the proof with the first handover.
func provenAtOnce(s *model.Snapshot, p *model.Plan) {
	for i := range p.Actions {
		patch := p.Actions[i].Write.Patch
		if p.Actions[i].Reason != model.EmptiedNoted || patch == nil {
			continue
		}
		set := s.Cluster.DaemonSet(namespace, "agent")
		from := set.Annotations[slotKeys.State]
		state, _ := model.ParseState(from)
		state.Sequence, state.Proven = state.Sequence+1, set.Spec.Template.Annotations[slotKeys.Revision]
		text := state.Text()
		patch.Annotations = append(patch.Annotations, model.Edit{Key: slotKeys.State, From: &from, To: &text})
	}
}

// withoutNote leaves an annotation out of every write.
func withoutNote(key string) func(*model.Snapshot, *model.Action) {
	return func(_ *model.Snapshot, a *model.Action) {
		if p := a.Write.Patch; p != nil {
			p.Annotations = slices.DeleteFunc(p.Annotations, func(e model.Edit) bool { return e.Key == key })
		}
	}
}

// forgetSource removes the former template with the first handover.
func forgetSource(s *model.Snapshot, p *model.Plan) {
	for i := range p.Actions {
		set := s.Cluster.DaemonSet(namespace, "agent")
		if patch := p.Actions[i].Write.Patch; p.Actions[i].Reason == model.EmptiedNoted && patch != nil {
			if text, ok := set.Annotations[slotKeys.Source]; ok {
				patch.Annotations = append(patch.Annotations, model.Edit{Key: slotKeys.Source, From: &text})
			}
		}
	}
}

// finishPresent takes the revision of the present template for the desired one.
func finishPresent(next planner) planner {
	return func(s *model.Snapshot) (model.Plan, error) {
		honest, err := next(s)
		set := s.Cluster.DaemonSet(namespace, "agent")
		if err != nil || set == nil || set.Spec.Template.Annotations[slotKeys.Revision] == honest.Revision {
			return honest, err
		}
		for tag := range 5 {
			p, err := next(property.Changed(s, func(_ *model.Objects, r *model.Rollout) {
				ready := r.Spec.Desired.Spec.MinReadySeconds
				r.Spec.Desired = conventional(strconv.Itoa(tag))
				r.Spec.Desired.Spec.MinReadySeconds = ready
			}))
			if err == nil && p.Revision == set.Spec.Template.Annotations[slotKeys.Revision] {
				p.Revision = honest.Revision
				return p, nil
			}
		}
		return honest, nil
	}
}
