package plan_test

import (
	"slices"
	"strconv"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// The forms of mutants: another document, other objects, or other actions.

func objectsAnd(change func(*model.Objects, *model.Rollout)) func(planner) planner {
	return func(next planner) planner {
		return func(s *model.Snapshot) (model.Plan, error) { return next(property.Changed(s, change)) }
	}
}

func settings(change func(*model.Rollout)) func(planner) planner {
	return objectsAnd(func(_ *model.Objects, r *model.Rollout) { change(r) })
}

func objects(change func(*model.Objects)) func(planner) planner {
	return objectsAnd(func(o *model.Objects, _ *model.Rollout) { change(o) })
}

func plans(change func(*model.Snapshot, *model.Plan)) func(planner) planner {
	return func(next planner) planner {
		return func(s *model.Snapshot) (model.Plan, error) {
			p, err := next(s)
			change(s, &p)
			return p, err
		}
	}
}

func actions(change func(*model.Snapshot, *model.Action)) func(planner) planner {
	return plans(func(s *model.Snapshot, p *model.Plan) {
		for i := range p.Actions {
			change(s, &p.Actions[i])
		}
	})
}

// dropping leaves actions out, and lets their reports wait.
func dropping(which func(*model.Action) bool) func(planner) planner {
	return plans(func(_ *model.Snapshot, p *model.Plan) {
		for i := range p.Nodes {
			if r := &p.Nodes[i]; r.Action > 0 && which(&p.Actions[r.Action-1]) {
				r.Action, r.Verdict = 0, model.Waits
			}
		}
		var kept []model.Action
		for i := range p.Actions {
			if which(&p.Actions[i]) {
				continue
			}
			kept = append(kept, p.Actions[i])
			for j := range p.Nodes {
				if p.Nodes[j].Action == int32(i+1) {
					p.Nodes[j].Action = int32(len(kept))
				}
			}
		}
		p.Actions = kept
	})
}

// readTurnedAway shows the admitted slot's Pod as serving while the one that is turned away is still Ready.
func readTurnedAway(o *model.Objects) {
	for _, node := range o.Nodes {
		label := model.ParseNodeLabel(node.Labels[slotKeys.NodeSlot], true)
		if label.Kind != model.Serves {
			continue
		}
		var away, admitted *corev1.Pod
		for _, pod := range o.Pods {
			if at, ok := model.NodeOf(pod); !ok || at != node.Name {
				continue
			}
			switch slotOfSet(o, pod) {
			case label.To:
				admitted = pod
			case label.To.Other():
				away = pod
			case model.NoSlot:
			}
		}
		if away != nil && admitted != nil {
			admitted.Status.Conditions = away.Status.Conditions
		}
	}
}

// readPrepared shows every bound Pod as running.
func readPrepared(o *model.Objects) {
	for _, pod := range o.Pods {
		if pod.Spec.NodeName == "" {
			continue
		}
		pod.Status.Phase = corev1.PodRunning
		started := pod.Status.StartTime
		pod.Status.ContainerStatuses = nil
		for i := range pod.Spec.Containers {
			status := corev1.ContainerStatus{Name: pod.Spec.Containers[i].Name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
			if started != nil {
				status.State.Running.StartedAt = *started
			}
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
		}
	}
}

func forgetRestarts(o *model.Objects) {
	for _, pod := range o.Pods {
		for i := range pod.Status.ContainerStatuses {
			status := &pod.Status.ContainerStatuses[i]
			status.RestartCount, status.LastTerminationState = 0, corev1.ContainerState{}
			if status.State.Running != nil {
				status.State.Running.StartedAt = pod.CreationTimestamp
			}
		}
	}
}

// readCandidates shows every overlapping node with its target's Pod as the recorded candidate.
func readCandidates(o *model.Objects) {
	for _, node := range o.Nodes {
		label := model.ParseNodeLabel(node.Labels[slotKeys.NodeSlot], true)
		if label.Kind != model.Overlaps {
			continue
		}
		for _, pod := range o.Pods {
			if at, ok := model.NodeOf(pod); ok && at == node.Name && slotOfSet(o, pod) == label.To {
				node.Annotations = withNote(node.Annotations, slotKeys.NodeCandidate, string(pod.UID))
			}
		}
	}
}

func withNote(notes map[string]string, key, value string) map[string]string {
	more := map[string]string{key: value}
	for k, v := range notes {
		if k != key {
			more[k] = v
		}
	}
	return more
}

func slotOfSet(o *model.Objects, pod *corev1.Pod) model.Slot {
	for _, set := range o.DaemonSets {
		if model.ControllerUID(pod) == set.UID {
			if set.Name == "agent" {
				return model.Blue
			}
			return model.Green
		}
	}
	return model.NoSlot
}

// readWrapped shows every Pod with the template of its DaemonSet.
func readWrapped(o *model.Objects) {
	for _, pod := range o.Pods {
		for _, set := range o.DaemonSets {
			if model.ControllerUID(pod) == set.UID {
				pod.Spec.Containers = set.Spec.Template.Spec.Containers
				pod.Spec.InitContainers = set.Spec.Template.Spec.InitContainers
				pod.Spec.Volumes = set.Spec.Template.Spec.Volumes
				pod.Annotations = set.Spec.Template.Annotations
			}
		}
	}
}

// deleteAnother lets a DeletePod hit another Pod of the node.
func deleteAnother(which func(*model.Action, *corev1.Pod) bool) func(*model.Snapshot, *model.Action) {
	return func(s *model.Snapshot, a *model.Action) {
		if a.Kind != model.DeletePod {
			return
		}
		n, _ := s.Cluster.Find(a.Node)
		pods := s.Cluster.Pods(n)
		if i := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return which(a, pod) }); i >= 0 {
			a.Write.Object.Namespace, a.Write.Object.Name, a.Write.Object.UID = pods[i].Namespace, pods[i].Name, pods[i].UID
		}
	}
}

// sourceOf returns the DaemonSet of the source while a target is recorded, else nil.
func sourceOf(s *model.Snapshot) *appsv1.DaemonSet {
	for _, set := range s.Cluster.DaemonSets() {
		if target, ok := model.ParseSlot(set.Annotations[slotKeys.TargetSlot]); ok && target != model.NoSlot {
			name := "agent"
			if target == model.Blue {
				name = "agent-green"
			}
			return s.Cluster.DaemonSet(namespace, name)
		}
	}
	return nil
}

func refOf(set *appsv1.DaemonSet) model.ObjectRef {
	return model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: set.UID}
}

// sourceFollows writes the desired images into the source as soon as nothing else is to do.
func sourceFollows(s *model.Snapshot, p *model.Plan) {
	source := sourceOf(s)
	if source == nil || len(p.Actions) > 0 || p.Blocked() != nil {
		return
	}
	spec := source.Spec.DeepCopy()
	for i := range spec.Template.Spec.Containers {
		spec.Template.Spec.Containers[i].Image = s.Rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Image
	}
	p.Actions = []model.Action{{Kind: model.UpdateSlot, Reason: model.SlotFollows, Write: model.Write{
		Object: refOf(source), Patch: &model.Patch{Generation: source.Generation, Spec: spec},
	}}}
}

// finishSuperseded takes the revision of the recorded target for the desired one.
func finishSuperseded(next planner) planner {
	return func(s *model.Snapshot) (model.Plan, error) {
		honest, err := next(s)
		source := sourceOf(s)
		if err != nil || source == nil || honest.Pair.TargetRevision == honest.Revision {
			return honest, err
		}
		for tag := range 5 {
			p, err := next(property.Changed(s, func(_ *model.Objects, r *model.Rollout) {
				ready := r.Spec.Desired.Spec.MinReadySeconds
				r.Spec.Desired = conventional(strconv.Itoa(tag))
				r.Spec.Desired.Spec.MinReadySeconds = ready
			}))
			if err == nil && p.Revision == honest.Pair.TargetRevision {
				p.Revision = honest.Revision
				return p, nil
			}
		}
		return honest, nil
	}
}
