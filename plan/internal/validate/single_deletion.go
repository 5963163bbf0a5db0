package validate

import (
	"slices"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func (s single) judge(a account, x act, sound bool) (account, []Violation) {
	if !sound {
		return a, nil
	}
	switch x.Write.Object.Kind {
	case "Pod":
		return s.deletion(a, x)
	case "Node":
		return a, x.breaks(S9, "a rollout on one DaemonSet writes no node")
	case "DaemonSet":
		return a, s.written(a, x)
	}
	return a, nil
}

// deletion judges the deletion of a Pod.
func (s single) deletion(a account, x act) (account, []Violation) {
	i, _ := s.cluster.Find(x.Node)
	if found := s.notYet(x, i); found != nil {
		return a, found
	}
	before, after := s.look(i, ""), s.look(i, x.Write.Object.UID)
	pods := slices.Concat(before.former, before.fresh)
	p := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return pod.UID == x.Write.Object.UID })
	switch {
	case p < 0:
		return a, x.breaks(S4, "Pod %s is terminating or over: it goes without a plan", x.Write.Object.Name)
	case !before.eligible && before.bound:
		return a, x.breaks(S9, "the node is not eligible: its Pod %s is not the rollout's to delete", pods[p].Name)
	case !before.eligible:
		return a, nil
	}
	var found []Violation
	former := p < len(before.former)
	if why := s.keepsPod(&before, former); why != "" {
		found = x.breaks(S4, "Pod %s would be deleted: %s", pods[p].Name, why)
	}
	remembered := s.state.Failed != nil && s.state.Failed.Revision == s.plan.Revision
	if former && !before.freshAvailable && !s.returning() && !remembered && s.plan.Revision != "" && s.targetRevision != s.plan.Revision {
		found = append(found, x.breaks(S8, "a handover to revision %q, while %s is desired", s.targetRevision, s.plan.Revision)...)
	}
	seated, more := s.seat(a, x, &before.stand, &after.stand, former)
	return seated, append(found, more...)
}

// keepsPod says why a Pod of the former or of the template's revision must not be deleted, and "" if it may.
func (s single) keepsPod(at *holding, former bool) string {
	set := s.set().set
	switch {
	case set.Status.ObservedGeneration < set.Generation:
		return "the controller has not seen the template, and makes the same Pod again"
	case !former && at.freshAvailable:
		return "it has the template's revision, and is available"
	case !former && !at.formerAvailable:
		return "it has the template's revision, and nothing else serves"
	case !former || at.freshAvailable:
		return ""
	case !at.ready:
		return "its Node is not Ready, so nothing would come in its place"
	case s.deletesFirst():
		return s.keepsFirst(at)
	case len(at.fresh) != 1 || len(at.former) != 1:
		return "there is not exactly one Pod of each revision"
	}
	return s.keepsUntilReplaced(at, at.fresh[0])
}

// keepsFirst: where Pods are deleted first, the native controller must not act, and the next Pod must have a place.
func (s single) keepsFirst(at *holding) string {
	set := s.set().set
	switch {
	case set.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType:
		return "the native controller is not known to be stopped"
	case len(at.fresh) > 0:
		return "a new Pod stands beside it, which the controller deletes"
	case s.returning():
		return ""
	case at.formerAvailable && model.Pressure(at.node) != "":
		return "it is available, and the kubelet evicts Pods here for " + string(model.Pressure(at.node))
	}
	if short := s.noRoom(&at.stand, model.Blue, func(o *corev1.Pod) bool { return s.slotOf(o) != model.NoSlot }); short != "" {
		return "there is no room for the next one: " + short
	}
	return ""
}

// keepsUntilReplaced: a replacement takes over if it waits, prepared, behind locks, or by the capacity rule.
func (s single) keepsUntilReplaced(at *holding, next *corev1.Pod) string {
	if text := s.promised(&at.stand, next); text != "" && !model.Bound(next) {
		return text
	}
	if s.strays(next, at.former[0]) {
		return "the new Pod does not run the template's containers and images"
	}
	if !model.Bound(next) {
		answer := capacity.Fallback(s.question(&at.stand, next, func(o *corev1.Pod) bool { return s.slotOf(o) != model.NoSlot && !s.isFresh(o) }))
		if answer.Verdict != capacity.FitsOnceSourceGone {
			return "by the capacity rule the answer is " + answer.Verdict.String() + ": " + answer.Detail
		}
		return ""
	}
	switch {
	case s.rollout.Spec.Strategy.Overlap != model.Locked:
		return "the new Pod is not available, and waits for no lock"
	case !model.AllRunning(next) || model.RestartedSince(next, next.CreationTimestamp.Time):
		return "the new Pod is not prepared"
	case lockspec.MayOverlap(&at.former[0].Spec, &next.Spec) != nil:
		return "the new Pod does not wait for the locks of this one"
	}
	return ""
}

// strays tells whether a replacement has other containers or images than the template, but for those that the old Pod has too.
func (s single) strays(next, old *corev1.Pod) bool {
	among := func(containers []corev1.Container, c corev1.Container) bool {
		return slices.ContainsFunc(containers, func(o corev1.Container) bool { return o.Name == c.Name && model.SameImage(o.Image, c.Image) })
	}
	template := s.set().set.Spec.Template.Spec.Containers
	return slices.ContainsFunc(template, func(c corev1.Container) bool { return !among(next.Spec.Containers, c) }) ||
		slices.ContainsFunc(next.Spec.Containers, func(c corev1.Container) bool { return !among(template, c) && !among(old.Spec.Containers, c) })
}
