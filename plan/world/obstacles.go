package world

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/capacity"
)

// denial is what admission refuses: Pods with the image, on the node; empty for any.
type denial struct{ node, image string }

func (d denial) compare(o denial) int {
	return cmp.Or(strings.Compare(d.node, o.node), strings.Compare(d.image, o.image))
}

// admits tells whether admission takes a new Pod of the set on the node.
func (w *World) admits(s *set, n *node) bool {
	return !slices.ContainsFunc(w.denied, func(d denial) bool {
		return (d.node == "" || d.node == n.object.Name) && (d.image == "" || s.observed.runs(d.image))
	})
}

func (r *revision) runs(image string) bool {
	return slices.ContainsFunc(r.spec.Template.Spec.Containers, func(c corev1.Container) bool { return c.Image == image })
}

// doAdmission changes what admission refuses. The list is never changed in place: clones share it.
func (w *World) doAdmission(t Transition) ([]Event, error) {
	d, denied := denial{t.Node, t.Value}, t.Kind == DenyPods
	at, has := slices.BinarySearchFunc(w.denied, d, denial.compare)
	switch {
	case t.Node != "" && w.findNode(t.Node) == nil:
		return nil, impossible(t, "there is no such node")
	case has == denied:
		return nil, impossible(t, "it is so already")
	case denied:
		w.denied = slices.Insert(slices.Clone(w.denied), at, d)
	default:
		w.denied = slices.Delete(slices.Clone(w.denied), at, at+1)
	}
	for _, n := range w.nodes {
		w.touchNode(n)
	}
	for _, s := range w.sets {
		s.stepStale = true
		w.touchSet(s)
	}
	return []Event{{Transition: t}}, nil
}

// Injected is the name of InjectContainer's container.
const Injected = "injected"

// Holding is the finalizer of HoldPod.
const Holding = "example.com/holds"

func (p *pod) held() bool { return len(p.base.Finalizers) > 0 }

// begun tells whether a process of the Pod has ever run.
func (p *pod) begun() bool {
	return slices.ContainsFunc(p.containers, func(c container) bool { return c.state.process() || c.state == crashed || c.state == ended })
}

// Pressed tells whether the node is under pressure, so that new Pods on it are evicted.
func (w *World) Pressed(name string) bool {
	n := w.findNode(name)
	return n != nil && n.pressed
}

// doObstacle lets a Pod's deletion hang, or go on.
func (w *World) doObstacle(t Transition, p *pod) ([]Event, error) {
	why := ""
	switch {
	case p.static:
		why = "it is another workload's"
	case t.Kind == HoldPod && (p.held() || !p.bound):
		why = "it is held already, or not bound: then its deletion is the Pod garbage collector's"
	case t.Kind == HoldPod:
		w.editPod(p, func(base *corev1.Pod) { base.Finalizers = []string{Holding} })
	case t.Kind == FreePod && !p.held():
		why = "nothing holds it"
	case t.Kind == FreePod:
		w.editPod(p, func(base *corev1.Pod) { base.Finalizers = nil })
		if p.over {
			w.drop(p)
		}
	case t.Kind == LosePod && (!p.node.lost || p.held()):
		why = "its machine runs, or a finalizer holds it"
	case t.Kind == LosePod:
		w.drop(p)
	case p.stuck == (t.Kind == StickPod):
		why = "it is so already"
	default:
		p.stuck = t.Kind == StickPod
		w.touchNode(p.node)
	}
	if why != "" {
		return nil, impossible(t, why)
	}
	return []Event{{Transition: t}}, nil
}

// wake lets the controller of a set that it has lost see everything again.
func (w *World) wake(s *set) {
	if !s.resting {
		return
	}
	s.resting, s.statusStale, s.stepStale = false, true, true
	w.touchSet(s)
	w.free(s)
	for _, n := range w.nodes {
		w.touchNode(n)
	}
}

func (w *World) restController(s *set) string {
	if s.resting || !s.manages() {
		return "it rests already, or does not act at all"
	}
	s.resting = true
	w.touchSet(s)
	for _, n := range w.nodes {
		w.touchNode(n)
	}
	return ""
}

// remakeSet deletes the set as a person does, and applies the same object again.
func (w *World) remakeSet(s *set) {
	object := *s.object
	w.deleteSet(s, metav1.DeletePropagationBackground)
	object.UID, object.ResourceVersion, object.Generation = w.nextUID(), w.nextVersion(), 1
	object.Annotations = withKey(object.Annotations, appsv1.DeprecatedTemplateGeneration, "1")
	object.CreationTimestamp, object.Status = w.stamp(), appsv1.DaemonSetStatus{}
	w.addSet(&object)
}

// addSet takes a DaemonSet that was created.
func (w *World) addSet(object *appsv1.DaemonSet) *set {
	s := &set{object: object, member: true}
	w.sets = append(w.sets, s)
	sortSets(w.sets)
	w.changeSet(s, func(*appsv1.DaemonSet) {})
	return s
}

// renewNode gives the node another object of its name.
func (w *World) renewNode(n *node) {
	w.changeNode(n, func(object *corev1.Node) {
		object.UID, object.CreationTimestamp, object.Annotations = w.nextUID(), w.stamp(), nil
		if w.keys.NodeSlot != "" {
			object.Labels = withKey(object.Labels, w.keys.NodeSlot, "")
			delete(object.Labels, w.keys.NodeSlot)
		}
	})
	n.emptied = false
}

// Emptied lists the nodes, eligible or not Ready, that a write of an executor has left without an agent, as it really is, until one serves
// there again or the Node object is another one: those that the budget is there for, whatever else the cluster does to them.
func (w *World) Emptied() (nodes []string) {
	for _, n := range w.nodes {
		if n.emptied && (!n.ready || w.eligible(n)) {
			nodes = append(nodes, n.object.Name)
		}
	}
	return nodes
}

// Member tells whether the DaemonSet with the UID is the rollout's own.
func (w *World) Member(uid types.UID) bool {
	s := w.setByUID(uid)
	return s != nil && s.member
}

// Bare is how many eligible nodes had no agent, as it really is, right after the last write of an executor that took one away; 0
// if none did since something else happened.
func (w *World) Bare() int { return w.bare }

// empties carries a write out on a node, and notes whether it takes the agent away, and what else is without one then.
func (w *World) empties(n *node, write func()) {
	before := n.staffed()
	write()
	now := n.staffed()
	n.emptied = (n.emptied || before) && !now
	if !before || now {
		return
	}
	bare := 0
	for _, other := range w.nodes {
		if other == n || !w.staffs(other) && w.eligible(other) {
			bare++
		}
	}
	w.bare = max(w.bare, bare)
}

// staffing is what staffed said of a node, of those touches and that epoch.
type staffing struct {
	touches, epoch uint32
	known, staffed bool
}

// staffs is staffed for a node to which nothing happens now: it looks again only where something has.
func (w *World) staffs(n *node) bool {
	if !n.staffing.holds(w, n) {
		n.staffing = staffing{n.touches, w.epoch, true, n.staffed()}
	}
	return n.staffing.staffed
}

func (s *staffing) holds(w *World, n *node) bool {
	return s.known && s.touches == n.touches && s.epoch == w.epoch
}

// refill takes the note off once an agent serves.
func (n *node) refill() {
	if n.emptied && n.staffed() {
		n.emptied = false
	}
}

// staffed tells whether a Pod serves the node that nobody is about to take away: it does not end, and its node admits it.
func (n *node) staffed() bool {
	if n.lost {
		return false
	}
	for _, p := range n.pods {
		if !p.member || p.failed || p.terminating() || len(p.containers) == 0 {
			continue
		}
		ready := !slices.ContainsFunc(p.containers, func(c container) bool { return c.state != ready })
		if ready && p.stays() {
			return true
		}
	}
	return false
}

// stays tells whether the Pod's node admits it; who has no controller stays where it is.
func (p *pod) stays() bool {
	return p.set == nil || !p.set.gone && (p.set.observed == nil || p.node.judge(p.set) != capacity.Ineligible)
}
