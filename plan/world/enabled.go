package world

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Enabled lists everything that can happen next by itself at that instant: no faults, no people. The
// order is fixed: the sets' transitions, then the nodes' in the order of names, then the caches'.
func (w *World) Enabled(now time.Time) []Transition {
	w.at(now)
	var list []Transition
	for _, s := range w.sets {
		list = w.setEnabled(list, s, true)
	}
	for _, n := range w.nodes {
		list = w.nodeEnabled(list, n)
	}
	return w.view.enabled(list)
}

// EnabledOn lists what can happen next by itself on one node.
func (w *World) EnabledOn(now time.Time, name string) []Transition {
	w.at(now)
	n := w.findNode(name)
	if n == nil {
		return nil
	}
	return w.nodeEnabled(nil, n)
}

// EnabledOf lists what can happen next by itself to one DaemonSet as a whole. UpdateStep and
// WriteStatus are listed as soon as something of the set has changed, although they may then find
// nothing to do: finding out means to look at every node.
func (w *World) EnabledOf(now time.Time, name string) []Transition {
	w.at(now)
	s := w.findSet(name)
	if s == nil {
		return nil
	}
	return w.setEnabled(nil, s, false)
}

// UpdateDue returns when UpdateStep of the set is to be tried again though nothing changes: a Pod will
// then have been Ready for minReadySeconds. It is the zero time if none waits for that.
func (w *World) UpdateDue(name string) time.Time {
	if s := w.findSet(name); s != nil {
		return s.again
	}
	return time.Time{}
}

func (w *World) setEnabled(list []Transition, s *set, exact bool) []Transition {
	if s.gone || !s.member {
		return list
	}
	if s.object.DeletionTimestamp != nil {
		if s.orphans() || !w.hasPods(s) {
			list = append(list, Transition{Kind: CollectSet, Set: s.name()})
		}
		return list
	}
	if s.observed == nil || s.object.Status.ObservedGeneration != s.object.Generation {
		list = append(list, Transition{Kind: ObserveSet, Set: s.name()})
	}
	if s.observed == nil {
		return list
	}
	if s.observed.spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType && w.stepPossible(s, exact) {
		list = append(list, Transition{Kind: UpdateStep, Set: s.name()})
	}
	if !w.options.NoStatusCounts && w.statusPossible(s, exact) {
		list = append(list, Transition{Kind: WriteStatus, Set: s.name()})
	}
	return list
}

func (w *World) stepPossible(s *set, exact bool) bool {
	if !exact {
		return s.stepStale
	}
	next := w.updateStep(s)
	return !next.empty()
}

func (w *World) statusPossible(s *set, exact bool) bool {
	if !exact || !s.statusStale {
		return s.statusStale
	}
	status := w.statusOf(s)
	return !sameCounts(&status, &s.object.Status)
}

// orphans tells whether the set was deleted so that its Pods stay.
func (s *set) orphans() bool {
	for _, finalizer := range s.object.Finalizers {
		if finalizer == metav1.FinalizerOrphanDependents {
			return true
		}
	}
	return false
}

func (w *World) hasPods(s *set) bool {
	for _, n := range w.nodes {
		for _, p := range n.pods {
			if p.set == s {
				return true
			}
		}
	}
	return false
}

func (w *World) nodeEnabled(list []Transition, n *node) []Transition {
	for _, s := range w.sets {
		list = w.manage(list, s, n)
	}
	for _, p := range n.pods {
		if p.static {
			list = w.kubeletEnabledStatic(list, p)
			continue
		}
		if s := p.set; s != nil && !p.terminating() && (s.gone || s.object.DeletionTimestamp != nil && !s.orphans()) {
			list = append(list, podTransition(CollectPod, p))
		}
		if s := w.adoption(p); s != nil {
			list = append(list, setTransition(AdoptPod, s, p))
		}
		list = w.schedulerEnabled(list, p)
		list = w.kubeletEnabled(list, p)
	}
	return w.locksEnabled(list, n)
}

// kubeletEnabledStatic: another workload's Pod that somebody deleted goes.
func (w *World) kubeletEnabledStatic(list []Transition, p *pod) []Transition {
	if p.terminating() && p.bound && p.node.ready {
		return append(list, podTransition(RemovePod, p))
	}
	return list
}

// Faults lists what could go wrong at that instant and what a person could do, without the choices that
// have no end: labels, images, joining nodes, what admission refuses and what it adds are the driver's to make
// up.
func (w *World) Faults(now time.Time) []Transition {
	w.at(now)
	var list []Transition
	for _, s := range w.sets {
		if s.member && !s.gone && s.object.DeletionTimestamp == nil {
			for _, propagation := range [...]metav1.DeletionPropagation{
				metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan,
			} {
				list = append(list, Transition{Kind: KillSet, Set: s.name(), Value: string(propagation)})
			}
			list = append(list, Transition{Kind: RemakeSet, Set: s.name()})
			if s.resting {
				list = append(list, Transition{Kind: WakeController, Set: s.name()})
			} else if s.manages() {
				list = append(list, Transition{Kind: RestController, Set: s.name()})
			}
		}
	}
	if w.inject != "" {
		list = append(list, Transition{Kind: InjectNothing})
	}
	for _, d := range w.denied {
		list = append(list, Transition{Kind: AllowPods, Node: d.node, Value: d.image})
	}
	for _, n := range w.nodes {
		list = n.faults(list)
		for _, p := range n.pods {
			list = w.podFaults(list, p)
		}
	}
	return list
}

func (n *node) faults(list []Transition) []Transition {
	add := func(kind Kind) { list = append(list, Transition{Kind: kind, Node: n.object.Name}) }
	if n.ready {
		add(BreakNode)
		add(LoseNode)
		add(RebootNode)
	} else {
		add(MendNode)
	}
	if n.object.Spec.Unschedulable {
		add(UncordonNode)
	} else {
		add(CordonNode)
	}
	if n.pulls {
		add(BreakPulls)
	} else {
		add(MendPulls)
	}
	if n.pressed {
		add(RelieveNode)
	} else {
		add(PressNode)
	}
	add(RemoveNode)
	add(RenewNode)
	return list
}

// obstacles are those of a Pod's deletion.
func (p *pod) obstacles(list []Transition) []Transition {
	for _, possible := range [...]struct {
		kind Kind
		is   bool
	}{
		{HoldPod, p.bound && !p.held()}, {FreePod, p.held()}, {StickPod, p.bound && !p.stuck && !p.over}, {UnstickPod, p.stuck},
		{LosePod, p.node.lost && !p.held()},
	} {
		if possible.is {
			list = append(list, podTransition(possible.kind, p))
		}
	}
	return list
}

func (w *World) podFaults(list []Transition, p *pod) []Transition {
	if p.static {
		return list
	}
	list = p.obstacles(list)
	if p.terminating() {
		return list
	}
	list = append(list, podTransition(KillPod, p))
	if !p.bound || p.failed || !p.node.ready {
		return list
	}
	list = append(list, podTransition(FailPod, p))
	for i := range p.containers {
		if p.containers[i].state == ready {
			list = append(list, w.containerTransition(StopReadiness, p, i))
		}
		if p.containers[i].state.process() {
			list = append(list, w.containerTransition(Crash, p, i))
		}
	}
	return list
}
