package validate

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pair is the mechanism of two DaemonSets: a node's label says whose Pods are admitted.
type pair struct{ *scene }

// marks are the rollout's label and annotations of a node.
type marks struct {
	label            model.NodeLabel
	candidate, moved string
}

func (s *scene) marksOf(node metav1.Object) marks {
	value, present := node.GetLabels()[s.keys.NodeSlot]
	notes := node.GetAnnotations()
	return marks{model.ParseNodeLabel(value, present), notes[s.keys.NodeCandidate], notes[s.keys.NodeMoved]}
}

// after returns the marks as the patch leaves them.
func (m marks) after(p *model.Patch, keys *model.Keys) marks {
	for i := range p.Labels {
		if e := &p.Labels[i]; e.Key == keys.NodeSlot {
			m.label = model.ParseNodeLabel(valueOf(e.To), e.To != nil)
		}
	}
	for i := range p.Annotations {
		switch e := &p.Annotations[i]; e.Key {
		case keys.NodeCandidate:
			m.candidate = valueOf(e.To)
		case keys.NodeMoved:
			m.moved = valueOf(e.To)
		}
	}
	return m
}

func valueOf(to *string) string {
	if to == nil {
		return ""
	}
	return *to
}

// sight is one node of a pair under its marks. The arrays are by slot.
type sight struct {
	stand
	marks
	admits [2]bool
	// available: a Pod of the slot is Ready long enough and not terminating; exact and desired: such a one has the slot's
	// wanted, and the desired revision.
	available, exact, desired [2]bool
	// older: the source's Pod is older than the target's record.
	older bool
	// cannot: the Pod that the overlap is for cannot prepare, has ended, or is not made in time, so that the node holds no place in the window.
	cannot bool
}

func (s pair) stand(i int, w *model.Write) stand { return s.look(i, w).stand }

// look reads one node, as it is or as the write leaves it.
func (s pair) look(i int, w *model.Write) sight {
	m, gone := s.marksOf(s.cluster.Node(i)), types.UID("")
	switch {
	case w == nil:
	case w.Patch != nil && w.Object.Kind == "Node":
		m = m.after(w.Patch, &s.keys)
	case w.Delete != nil:
		gone = w.Object.UID
	}
	at := s.pods(i, m, gone)
	toward, away := at.labelledOnly(s.to), at.labelledOnly(s.to.Other())
	released := m.label.Kind == model.Released
	at.served = s.serves(&at, model.Blue) || s.serves(&at, model.Green)
	moved := model.ParseMoved(m.moved)
	hadNone := s.advancing && s.proven && toward && m.label.Kind == model.Serves && !moved.Worked()
	at.emptied = released || toward && !hadNone && (s.advancing || s.returned(m.moved))
	at.joins = at.eligible && !at.served && m.label.Kind != model.Overlaps && (m.label.Kind == model.Unlabelled || moved.Joins) && !at.hasServed && s.young(at.node)
	at.forgiven = at.emptied && !at.served && s.forgives(moved)
	at.exemptable = !at.ready && !away
	if s.advancing {
		at.exemptable = !toward && !released && (!at.ready || at.older) || hadNone
	}
	at.done = s.plan.Revision != "" && (at.admits[0] && at.desired[0] || at.admits[1] && at.desired[1])
	at.inWindow = at.eligible && at.ready && at.both() && !at.cannot
	at.offSource = at.eligible && (at.both() || at.only(s.to) || released)
	if s.canary.holds && at.eligible {
		at.onTarget, at.fitting = toward && at.exact[s.to-1], s.fitsAtAll(at.node)
		at.availableSince, at.restarted = s.bakes(&at, moved.At)
	}
	return at
}

// pods reads the node's Pods; gone is one that is taken as deleted.
func (s pair) pods(i int, m marks, gone types.UID) sight {
	node := s.cluster.Node(i)
	at := sight{marks: m, stand: stand{index: i, node: node, ready: model.NodeReady(node)}}
	for j := range at.admits {
		at.admits[j] = s.slots[j].set != nil && s.slots[j].admits.takes(m.label)
	}
	held := m.label.Kind != model.Unlabelled
	ended, left := false, false
	for _, pod := range s.cluster.Pods(i) {
		slot := s.slotOf(pod)
		preparing := m.label.Kind == model.Overlaps && slot == m.label.To
		ended = ended || (preparing && model.Terminal(pod))
		at.hasServed = at.hasServed || slot != model.NoSlot && model.LostReadiness(pod)
		if slot == model.NoSlot || model.Terminal(pod) {
			continue
		}
		left = left || preparing
		held, at.bound = true, at.bound || model.Bound(pod)
		if !model.Terminating(pod) && pod.UID != gone {
			s.see(&at, pod, slot)
			at.cannot = at.cannot || (preparing && cannotPrepare(pod))
		}
	}
	at.cannot = at.cannot || (!left && (ended || m.label.Kind == model.Overlaps && s.overdue(m.moved)))
	at.eligible = s.eligible(node, held)
	return at
}

// see adds a live Pod of the slot to what is seen of its node.
func (s pair) see(at *sight, pod *corev1.Pod, slot model.Slot) {
	j := slot - 1
	if ready, _ := model.ReadySince(pod); ready && at.admits[j] {
		at.serving = true
	}
	if s.available(pod) {
		at.available[j] = true
		at.exact[j] = at.exact[j] || s.isExact(pod, slot)
		at.desired[j] = at.desired[j] || s.isOf(pod, slot, s.plan.Revision)
	}
	at.older = at.older || (slot != s.to && s.state.TargetSince != nil && pod.CreationTimestamp.Before(s.state.TargetSince))
}

// isExact tells whether the Pod has the revision that its slot is to serve.
func (s pair) isExact(pod *corev1.Pod, slot model.Slot) bool {
	want := s.slot(slot).revision
	if s.advancing && slot == s.target {
		want = s.targetRevision
	}
	return s.isOf(pod, slot, want)
}

// overdue tells whether the Pod that a label asks for has been awaited for longer than the deadline.
func (s pair) overdue(moved string) bool {
	since := model.ParseMoved(moved).At
	if at := s.state.TargetSince; at != nil && since.Before(at.Time) {
		since = at.Time
	}
	return !since.IsZero() && !s.now.Before(since.Add(s.deadline()))
}

func cannotPrepare(pod *corev1.Pod) bool {
	switch model.WaitingReason(pod) {
	case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError", "RegistryUnavailable":
		return true
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			return !model.Bound(pod) && c.Status == corev1.ConditionFalse
		}
	}
	return false
}

// only, labelledOnly and both tell which slots the label admits.
func (at *sight) only(slot model.Slot) bool { return at.admits[slot-1] && !at.admits[slot.Other()-1] }

func (at *sight) labelledOnly(slot model.Slot) bool {
	return at.label.Kind != model.Unlabelled && at.only(slot)
}

func (at *sight) both() bool {
	return at.label.Kind == model.Overlaps && at.admits[0] && at.admits[1]
}

// serves tells whether the slot serves the node: a Pod counts only where the label admits its slot, and where only the
// recorded target is admitted, only the exact one.
func (s pair) serves(at *sight, slot model.Slot) bool {
	j := slot - 1
	if at.only(slot) && s.advancing && slot == s.to {
		return at.exact[j] || at.available[j] && s.leftBehind(at)
	}
	return at.admits[j] && at.available[j]
}

// leftBehind tells whether the node got the target's slot before the target was recorded.
func (s pair) leftBehind(at *sight) bool {
	mark, since := model.ParseMoved(at.moved), s.state.TargetSince
	return since != nil && !mark.At.IsZero() && mark.At.Before(since.Truncate(time.Second))
}

// returned tells whether the rollout took the node's agent to bring it back: since the return began, else within the deadline.
func (s pair) returned(moved string) bool {
	since := s.now.Add(-s.deadline())
	if s.state.Return != nil {
		since = s.state.Return.Since.Time
	}
	mark := model.ParseMoved(moved)
	return mark.Paid && !mark.At.IsZero() && !mark.At.Before(since.Truncate(time.Second))
}

// fitsAtAll tells whether the node, were it empty, has the resources for the target's Pod.
func (s pair) fitsAtAll(node *corev1.Node) bool {
	set := s.slot(s.to).set
	if set == nil {
		return true
	}
	return !slices.ContainsFunc(capacity.Fit(&corev1.Pod{Spec: set.Spec.Template.Spec}, node, nil), func(short capacity.Shortfall) bool {
		return short.Kind == capacity.ShortResource && short.AboveAllocatable
	})
}
