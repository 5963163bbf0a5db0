package pair

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// slotPods are the Pods of one slot on one node.
type slotPods struct {
	// live is the one that counts: neither terminating nor over; of several the bound, then the oldest.
	live *corev1.Pod
	// unbound is a live Pod that no kubelet has yet.
	unbound *corev1.Pod
	// terminating counts the Pods on their way out, and dying are those of them whose processes may still run.
	terminating int
	dying       []*corev1.Pod
	// ended is the youngest Pod that is over: evicted, or refused by the kubelet.
	ended *corev1.Pod
}

func (s *slotPods) add(pod *corev1.Pod) {
	switch {
	case model.Terminal(pod): // no process is left of it
		if s.ended == nil || s.ended.CreationTimestamp.Before(&pod.CreationTimestamp) {
			s.ended = pod
		}
		return
	case model.Terminating(pod):
		s.terminating++
		if model.Bound(pod) {
			s.dying = append(s.dying, pod)
		}
		return
	}
	if !model.Bound(pod) {
		s.unbound = pod
	}
	if s.live == nil || preferred(pod, s.live) {
		s.live = pod
	}
}

func preferred(a, b *corev1.Pod) bool {
	if model.Bound(a) != model.Bound(b) {
		return model.Bound(a)
	}
	if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return a.CreationTimestamp.Before(&b.CreationTimestamp)
	}
	return a.Name < b.Name
}

// ending says why the slot's last Pod ended; "" if none has.
func (s *slotPods) ending() string {
	if s.ended == nil {
		return ""
	}
	return "the last Pod ended: " + cmp.Or(s.ended.Status.Reason, string(s.ended.Status.Phase))
}

// gone tells whether no Pod of the slot is left.
func (s *slotPods) gone() bool { return s.live == nil && s.unbound == nil && s.terminating == 0 }

// facts are what the snapshot says of one node.
type facts struct {
	index    int
	node     *corev1.Node
	label    model.NodeLabel
	place    place
	eligible capacity.Eligibility
	ready    bool
	from, to slotPods
	// legacy says that the label's value is an old spelling, which no slot's affinity knows.
	legacy bool
	// orphaned says that a Pod without a controller runs there that carries a slot's labels.
	orphaned bool
	// issued says that an action on the node was sent whose effect does not show yet.
	issued bool

	// Availability of the two Pods, the label aside, and of the node.
	fromAvailable, toAvailable bool
	available                  bool
	// settling says that a Pod that the label admits is Ready, though the node does not count as available.
	settling bool
	// exact says that the destination's live Pod has the destination's revision.
	exact bool
	moved model.Moved
}

// gather reads the facts of the i-th node.
func (p *planner) gather(i int) facts {
	node := p.cluster.Node(i)
	value, labelled := node.Labels[p.keys.NodeSlot]
	f := facts{
		index: i, node: node, ready: model.NodeReady(node),
		label: model.ParseNodeLabel(value, labelled),
	}
	f.place = p.journey.place(f.label)
	if now, known := f.label.Value(); known && labelled && value != now {
		f.legacy, f.place = true, astray
	}
	from, to := p.pair.slot(p.journey.from).uid(), p.pair.slot(p.journey.to).uid()
	for _, pod := range p.cluster.Pods(i) {
		switch controller := model.ControllerUID(pod); controller {
		case "":
			f.orphaned = p.orphan(pod) || f.orphaned
		case from:
			f.from.add(pod)
		case to:
			f.to.add(pod)
		}
	}
	f.eligible = p.eligibility(&f, labelled)
	if labelled {
		f.moved = model.ParseMoved(node.Annotations[p.keys.NodeMoved])
	}
	f.issued = p.issuedNodes[i]
	p.judge(&f)
	return f
}

// eligibility judges the node; the rollout holds it by its label or by a Pod.
func (p *planner) eligibility(f *facts, labelled bool) capacity.Eligibility {
	return p.placement.Judge(f.node, labelled || !f.from.gone() || !f.to.gone())
}

// orphan reports a Pod without a controller that carries a slot's labels, and tells whether it is one: it may hold locks,
// and is left alone.
func (p *planner) orphan(pod *corev1.Pod) (found bool) {
	for _, slot := range model.Slots() {
		set := p.pair.slot(slot).set
		if set == nil || !step.Orphaned(pod, set) {
			continue
		}
		fault := fmt.Sprintf("Pod %s has the labels of DaemonSet %s and no controller: it is left alone, and may hold locks", pod.Name, set.Name)
		if !slices.Contains(p.plan.Faults, fault) {
			p.plan.Faults = append(p.plan.Faults, fault)
		}
		found = true
	}
	return found
}

// judge settles availability. A Pod counts only where its node's label admits its slot: what the label
// turns away is as good as gone, though it is still Ready.
func (p *planner) judge(f *facts) {
	f.fromAvailable = p.clock.Available(f.from.live)
	f.toAvailable = p.clock.Available(f.to.live)
	f.exact = f.to.live != nil && p.isExact(f.to.live)
	to := f.toAvailable && (f.exact || p.journey.home || f.place != atTo)
	f.available = (f.place.admitsFrom() && f.fromAvailable) || (f.place.admitsTo() && to)
	f.settling = !f.available && (f.place.admitsFrom() && step.Ready(f.from.live) || f.place.admitsTo() && step.Ready(f.to.live))
}

// isExact tells whether a Pod of the destination has the destination's revision, and was not made from a template that a person
// had edited.
func (p *planner) isExact(pod *corev1.Pod) bool {
	return pod.Annotations[p.keys.Revision] == p.journey.toRevision && !p.pair.slot(p.journey.to).edited.Made(pod)
}

// serves tells whether the exact destination Pod is available.
func (f *facts) serves() bool { return f.exact && f.toAvailable }

// prepared tells whether the destination's Pod has everything but, perhaps, the locks: exact, bound, every
// container running, and not restarted since it began to wait.
func (p *planner) prepared(f *facts) bool {
	pod := f.to.live
	return f.ready && f.exact && pod != nil && model.Bound(pod) && model.AllRunning(pod) && !model.RestartedSince(pod, p.waitBegan(f))
}

// waitBegan is when the destination's Pod began to wait behind the locks: when its node entered overlap, or
// when it was made, whichever was later.
func (p *planner) waitBegan(f *facts) time.Time {
	began := f.moved.At
	if f.to.live != nil && f.to.live.CreationTimestamp.After(began) {
		began = f.to.live.CreationTimestamp.Time
	}
	return began
}

// candidate returns the recorded candidate's UID.
func (p *planner) candidate(f *facts) types.UID {
	return types.UID(f.node.Annotations[p.keys.NodeCandidate])
}

// fenced tells whether this executor has written the overlapping node's marks.
func (p *planner) fenced(f *facts) bool {
	return p.executor.ID == "" || f.node.Annotations[p.keys.NodeFence] == p.executor.ID
}

// sourceBroken tells whether the source was unready before this destination Pod existed: then deleting
// the destination again would not bring the source back.
func (f *facts) sourceBroken() bool {
	if f.from.live == nil {
		return true
	}
	ready, since := model.ReadySince(f.from.live)
	return !ready && f.to.live != nil && since.Before(f.to.live.CreationTimestamp.Time)
}

// sourceHolds tells whether the source's Pod still holds some of the locks.
func (f *facts) sourceHolds() bool {
	return f.from.live != nil && model.StartedContainers(f.from.live) > 0
}

// sourceFell returns when the source's Pod became unready; zero while it is Ready.
func (f *facts) sourceFell() time.Time {
	if f.from.live == nil {
		return time.Time{}
	}
	ready, since := model.ReadySince(f.from.live)
	if ready {
		return time.Time{}
	}
	return since
}
