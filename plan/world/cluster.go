package world

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// cluster is what the API server has, or what the lagging caches show. It shares with the one before what has not changed.
func (w *World) cluster(lagging bool) (next *model.Cluster, err error) {
	former := &w.truth
	if lagging {
		former = &w.shown
	}
	if changes, ok := w.changesSince(*former, lagging); ok {
		next, err = (*former).Apply(changes)
	} else {
		next, err = model.NewCluster(w.objects(lagging))
	}
	if err == nil {
		*former = next
	}
	return next, err
}

// changesSince compares the objects with those of a cluster, by their addresses: none is ever changed in place. It returns
// false if there is no cluster, or if a node joins or leaves.
func (w *World) changesSince(former *model.Cluster, lagging bool) (changes model.Changes, ok bool) {
	// Where caches lag, a Pod can be shown whose node is not.
	astray := func(p *pod) bool { return p.node.gone }
	if former == nil || len(former.Stray()) != len(w.stray) || lagging && (len(w.view.nodes) > 0 || slices.ContainsFunc(w.view.pods, astray)) {
		return changes, false
	}
	still := w.stillShown(lagging)
	i := 0
	for _, n := range w.nodes {
		object := n.object
		if lagging {
			object = n.seen
		}
		switch {
		case object == nil && len(n.pods) > 0:
			return changes, false // its Pods may show before it does
		case object == nil:
			continue
		case i == former.Len() || former.Node(i) != object && former.Node(i).Name != object.Name:
			return changes, false
		case former.Node(i) != object:
			changes.Present.Nodes = append(changes.Present.Nodes, object)
		}
		w.podChanges(&changes, n, former.Pods(i), still[n], lagging)
		i++
	}
	w.setChanges(&changes, former.DaemonSets(), lagging)
	return changes, i == former.Len()
}

// stillShown are the Pods that are gone and that lagging caches show, by their nodes.
func (w *World) stillShown(lagging bool) map[*node][]*corev1.Pod {
	if !lagging || len(w.view.pods) == 0 {
		return nil
	}
	still := map[*node][]*corev1.Pod{}
	for _, p := range w.view.pods {
		if p.seen != nil {
			still[p.node] = append(still[p.node], p.seen)
		}
	}
	return still
}

// podChanges compares the Pods of one node.
func (w *World) podChanges(changes *model.Changes, n *node, former, still []*corev1.Pod, lagging bool) {
	shown := 0
	before := len(changes.Present.Pods)
	see := func(object *corev1.Pod) {
		if shown++; !slices.Contains(former, object) {
			changes.Present.Pods = append(changes.Present.Pods, object)
		}
	}
	for _, p := range n.pods {
		if object := w.shownPod(p, lagging); object != nil {
			see(object)
		}
	}
	for _, object := range still {
		see(object)
	}
	if shown == len(former) && before == len(changes.Present.Pods) {
		return
	}
	for _, gone := range former {
		named := func(object *corev1.Pod) bool { return object.Name == gone.Name && object.Namespace == gone.Namespace }
		here := func(p *pod) bool { object := w.shownPod(p, lagging); return object != nil && named(object) }
		if !slices.ContainsFunc(n.pods, here) && !slices.ContainsFunc(still, named) {
			changes.Gone.Pods = append(changes.Gone.Pods, gone)
		}
	}
}

func (w *World) shownPod(p *pod, lagging bool) *corev1.Pod {
	if lagging {
		return p.seen
	}
	return w.podObject(p)
}

// setChanges gives the whole list if it has changed: there are few.
func (w *World) setChanges(changes *model.Changes, former []*appsv1.DaemonSet, lagging bool) {
	var present []*appsv1.DaemonSet
	for _, s := range w.sets {
		present = append(present, shown(s.object, s.seen, lagging)...)
	}
	if lagging {
		for _, s := range w.view.sets {
			present = append(present, shown(nil, s.seen, true)...)
		}
	}
	if !slices.Equal(present, former) {
		changes.Present.DaemonSets, changes.Gone.DaemonSets = present, former
	}
}
