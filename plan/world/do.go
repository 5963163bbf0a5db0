package world

import (
	"reflect"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/capacity"
)

// Do lets a transition happen and returns what it did: itself, and what followed at once. A transition
// that is not possible now is an *ImpossibleError and changes nothing.
func (w *World) Do(now time.Time, t Transition) ([]Event, error) {
	w.at(now)
	w.bare = 0
	events, err := w.do(t)
	if err == nil {
		w.feedView()
	}
	return events, err
}

func (w *World) do(t Transition) ([]Event, error) {
	switch t.Kind {
	case ObserveSet, UpdateStep, WriteStatus, CollectSet, KillSet, EditTemplate, RestController, WakeController, RemakeSet, EditAnnotation:
		s := w.findSet(t.Set)
		if s == nil || s.gone {
			return nil, impossible(t, "there is no such DaemonSet")
		}
		return w.doSet(t, s)
	case JoinNode:
		return w.doJoin(t)
	case DenyPods, AllowPods:
		return w.doAdmission(t)
	case InjectContainer, InjectNothing:
		if (t.Value == "") != (t.Kind == InjectNothing) || t.Value == w.inject {
			return nil, impossible(t, "it is so already, or the image is missing")
		}
		w.inject = t.Value
		return []Event{{Transition: t}}, nil
	case Deliver:
		return w.doDeliver(t)
	}
	n := w.findNode(t.Node)
	if n == nil {
		return nil, impossible(t, "there is no such node")
	}
	switch t.Kind {
	case CreatePod:
		return w.doCreate(t, n)
	case BreakNode, LoseNode, MendNode, RebootNode, CordonNode, UncordonNode, TaintNode, UntaintNode, BreakPulls, MendPulls,
		RemoveNode, EditLabel, PressNode, RelieveNode, RenewNode:
		return w.doNode(t, n)
	}
	p := n.find(t.Pod)
	if p == nil {
		return nil, impossible(t, "there is no such Pod")
	}
	switch t.Kind {
	case DeletePod, AdoptPod:
		return w.doManaged(t, p)
	case CollectPod, KillPod, FailPod:
		return w.doPod(t, p)
	case BindPod, RefusePod:
		return w.doSchedule(t, p)
	case HoldPod, FreePod, StickPod, UnstickPod, LosePod:
		return w.doObstacle(t, p)
	default:
		if t.Kind == RemovePod && p.static {
			w.drop(p)
			return []Event{{Transition: t}}, nil
		}
		return w.doKubelet(t, p)
	}
}

func (w *World) doSet(t Transition, s *set) ([]Event, error) {
	switch t.Kind {
	case ObserveSet:
		if s.object.DeletionTimestamp != nil {
			return nil, impossible(t, "the DaemonSet is being deleted")
		}
		w.observe(s)
	case UpdateStep:
		return w.doUpdateStep(t, s)
	case WriteStatus:
		status := w.statusOf(s)
		s.statusStale = false
		if sameCounts(&status, &s.object.Status) {
			return nil, nil
		}
		w.changeSet(s, func(object *appsv1.DaemonSet) { object.Status = status })
	case CollectSet:
		if s.object.DeletionTimestamp == nil || !s.orphans() && w.hasPods(s) {
			return nil, impossible(t, "its Pods must go first")
		}
		w.collectSet(s)
	case KillSet:
		if s.object.DeletionTimestamp != nil {
			return nil, impossible(t, "the DaemonSet is being deleted")
		}
		w.deleteSet(s, metav1.DeletionPropagation(t.Value))
	case EditTemplate:
		return w.doEditTemplate(t, s)
	case EditAnnotation:
		w.changeSet(s, func(object *appsv1.DaemonSet) { object.Annotations = keyEdited(object.Annotations, t.Value) })
		w.wake(s)
	case RestController:
		if why := w.restController(s); why != "" {
			return nil, impossible(t, why)
		}
	case WakeController:
		if !s.resting {
			return nil, impossible(t, "it does not rest")
		}
		w.wake(s)
	case RemakeSet:
		if s.object.DeletionTimestamp != nil {
			return nil, impossible(t, "the DaemonSet is being deleted")
		}
		w.remakeSet(s)
	}
	return []Event{{Transition: t}}, nil
}

// observe lets the controller act upon the present spec.
func (w *World) observe(s *set) {
	former := s.observed
	s.observed = w.compile(s.object)
	// What a dump's Pods lend as the hash of their template stays it while the template stays.
	if former != nil && former.template == s.observed.template {
		s.observed.hash = former.hash
	}
	w.epoch++
	s.statusStale, s.stepStale = true, true
	w.changeSet(s, func(object *appsv1.DaemonSet) { object.Status.ObservedGeneration = object.Generation })
	w.free(s)
	for _, n := range w.nodes {
		w.touchNode(n)
	}
}

// free lets the controller see the Pods that wait unbound for nodes that turned away: any write of their
// DaemonSet does that.
func (w *World) free(s *set) {
	if !s.manages() {
		return
	}
	for _, n := range w.nodes {
		for _, p := range n.pods {
			if p.set == s && !p.bound && n.judge(s) == capacity.Ineligible {
				p.freed = true
				w.touchNode(n)
			}
		}
	}
}

// touchManaged lets a driver look again where the manage step has something to do: with a surge that can be so by time
// alone, when a new Pod has been Ready for long enough and its old one is to go.
func (w *World) touchManaged(s *set) {
	for _, n := range w.nodes {
		if len(w.manage(nil, s, n)) > 0 {
			w.touchNode(n)
		}
	}
}

func (w *World) doUpdateStep(t Transition, s *set) ([]Event, error) {
	next := w.updateStep(s)
	if next.empty() {
		w.touchManaged(s)
	}
	s.stepStale = false
	w.touchSet(s)
	var events []Event
	for _, n := range next.create {
		p := w.createPod(s, n)
		events = append(events, Event{Transition: setTransition(CreatePod, s, p)})
	}
	for _, p := range next.delete {
		events = append(events, Event{Transition: setTransition(DeletePod, s, p)})
		w.deletePod(p)
	}
	if len(events) > 0 {
		events = append([]Event{{Transition: t}}, events...)
	}
	return events, nil
}

func (w *World) doEditTemplate(t Transition, s *set) ([]Event, error) {
	for i := range s.object.Spec.Template.Spec.Containers {
		if s.object.Spec.Template.Spec.Containers[i].Name != t.Container {
			continue
		}
		spec := s.object.Spec.DeepCopy()
		spec.Template.Spec.Containers[i].Image = t.Value
		w.writeSpec(s, spec)
		return []Event{{Transition: t}}, nil
	}
	return nil, impossible(t, "there is no such container")
}

// writeSpec replaces a DaemonSet's spec; the generation grows if it is another one.
func (w *World) writeSpec(s *set, spec *appsv1.DaemonSetSpec) {
	w.changeSet(s, func(object *appsv1.DaemonSet) { respec(object, spec) })
	w.wake(s)
}

// respec gives the object another spec, as the API server does: its generation grows, and so does its template's own, which is
// kept in an annotation, if the template is another one.
func respec(object *appsv1.DaemonSet, spec *appsv1.DaemonSetSpec) {
	object.Generation++
	if !reflect.DeepEqual(object.Spec.Template, spec.Template) {
		generation, err := strconv.ParseInt(object.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
		if err != nil {
			generation = object.Generation // a snapshot need not have it
		}
		object.Annotations = withKey(object.Annotations, appsv1.DeprecatedTemplateGeneration, strconv.FormatInt(generation+1, 10))
	}
	object.Spec = *spec
}

func (w *World) doCreate(t Transition, n *node) ([]Event, error) {
	s := w.findSet(t.Set)
	if s == nil {
		return nil, impossible(t, "there is no such DaemonSet")
	}
	for _, possible := range w.manage(nil, s, n) {
		if possible.Kind == CreatePod {
			p := w.createPod(s, n)
			return []Event{{Transition: setTransition(CreatePod, s, p)}}, nil
		}
	}
	return nil, impossible(t, "the controller makes no Pod here now")
}

func (w *World) doManaged(t Transition, p *pod) ([]Event, error) {
	s := w.findSet(t.Set)
	switch {
	case s == nil:
		return nil, impossible(t, "there is no such DaemonSet")
	case t.Kind == AdoptPod:
		if w.adoption(p) != s {
			return nil, impossible(t, "the DaemonSet does not adopt the Pod")
		}
		controller := true
		p.set, p.member = s, s.member
		w.editPod(p, func(base *corev1.Pod) {
			base.OwnerReferences = append(base.OwnerReferences[:len(base.OwnerReferences):len(base.OwnerReferences)],
				metav1.OwnerReference{APIVersion: "apps/v1", Kind: "DaemonSet", Name: s.object.Name, UID: s.object.UID,
					Controller: &controller, BlockOwnerDeletion: &controller})
		})
		return []Event{{Transition: t}}, nil
	}
	for _, possible := range w.manage(nil, s, p.node) {
		if possible == t {
			w.deletePod(p)
			return []Event{{Transition: t}}, nil
		}
	}
	return nil, impossible(t, "the controller keeps the Pod")
}

func (w *World) doPod(t Transition, p *pod) ([]Event, error) {
	switch t.Kind {
	case CollectPod:
		s := p.set
		if s == nil || p.terminating() || !s.gone && (s.object.DeletionTimestamp == nil || s.orphans()) {
			return nil, impossible(t, "the Pod's owner stays")
		}
		w.deletePod(p)
	case KillPod:
		if p.terminating() {
			return nil, impossible(t, "the Pod is being deleted")
		}
		w.deletePod(p)
	case FailPod:
		if p.static || !p.bound || p.failed || p.terminating() || !p.node.ready {
			return nil, impossible(t, "the Pod cannot be evicted")
		}
		for i := range p.containers {
			if c := &p.containers[i]; c.state.process() {
				c.end(w.now, ended, 137)
			} else {
				c.state = ended
			}
		}
		p.failed = true
		p.node.room++
		w.settle(p)
	}
	return []Event{{Transition: t}}, nil
}

// deleteSet begins a DaemonSet's deletion.
func (w *World) deleteSet(s *set, propagation metav1.DeletionPropagation) {
	finalizer := ""
	switch propagation {
	case metav1.DeletePropagationForeground:
		finalizer = metav1.FinalizerDeleteDependents
	case metav1.DeletePropagationOrphan:
		finalizer = metav1.FinalizerOrphanDependents
	case metav1.DeletePropagationBackground:
	}
	if finalizer == "" {
		w.collectSet(s)
		return
	}
	w.changeSet(s, func(object *appsv1.DaemonSet) {
		at := w.stamp()
		object.DeletionTimestamp = &at
		object.Finalizers = append(object.Finalizers[:len(object.Finalizers):len(object.Finalizers)], finalizer)
	})
	w.touchPodsOf(s)
}

func (w *World) touchPodsOf(s *set) {
	for _, n := range w.nodes {
		for _, p := range n.pods {
			if p.set == s {
				w.touchNode(n)
			}
		}
	}
}

// collectSet removes a DaemonSet from the API; its Pods are orphaned if it was deleted so, and
// collected otherwise.
func (w *World) collectSet(s *set) {
	w.touchPodsOf(s)
	if s.orphans() {
		for _, n := range w.nodes {
			for _, p := range n.pods {
				if p.set == s {
					w.orphan(p)
				}
			}
		}
	}
	s.gone = true
	w.epoch++
	w.touched.any = true
	w.sets = removed(w.sets, s)
	w.view.lostSet(w, s)
}

func (w *World) orphan(p *pod) {
	uid := p.set.object.UID
	p.set = nil
	w.editPod(p, func(base *corev1.Pod) {
		var refs []metav1.OwnerReference
		for _, ref := range base.OwnerReferences {
			if ref.UID != uid {
				refs = append(refs, ref)
			}
		}
		base.OwnerReferences = refs
	})
}

func removed[T comparable](list []T, item T) []T {
	rest := make([]T, 0, len(list))
	for _, other := range list {
		if other != item {
			rest = append(rest, other)
		}
	}
	return rest
}
