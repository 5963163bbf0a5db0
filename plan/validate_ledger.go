package plan

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// marks are the rollout's label and annotations of a node.
type marks struct {
	label            model.NodeLabel
	candidate, moved string
}

func (v *validation) marksOf(node metav1.Object) marks {
	value, present := node.GetLabels()[v.keys.NodeSlot]
	notes := node.GetAnnotations()
	return marks{model.ParseNodeLabel(value, present), notes[v.keys.NodeCandidate], notes[v.keys.NodeMoved]}
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

// sight is what the snapshot says of one node under the given marks. The arrays are by slot.
type sight struct {
	marks
	index           int
	node            *corev1.Node
	eligible, ready bool
	// bound: a Pod of the rollout is bound there, be it terminating. older: the source's Pod is older than the target's record.
	bound, older bool
	admits       [2]bool
	// available: a Pod of the slot is Ready long enough and not terminating; exact and desired: such a one has the slot's
	// wanted, and the desired revision.
	available, exact, desired [2]bool
	// serving: a Pod of an admitted slot is Ready, for however short a while.
	serving bool
	// cannot: the Pod that the overlap is for cannot prepare, or has ended, so that the node holds no place in the window.
	cannot bool
}

// look reads one node; gone is a Pod that is taken as deleted.
func (v *validation) look(i int, m marks, gone types.UID) sight {
	node := v.cluster.Node(i)
	s := sight{marks: m, index: i, node: node, ready: model.NodeReady(node)}
	for j := range s.admits {
		s.admits[j] = v.slots[j].set != nil && v.slots[j].admits.takes(m.label)
	}
	held := m.label.Kind != model.Unlabelled
	ended, left := false, false
	for _, pod := range v.cluster.Pods(i) {
		slot := v.slotOf(pod)
		preparing := m.label.Kind == model.Overlaps && slot == m.label.To
		ended = ended || (preparing && model.Terminal(pod))
		if slot == model.NoSlot || model.Terminal(pod) {
			continue
		}
		left = left || preparing
		held, s.bound = true, s.bound || model.Bound(pod)
		if model.Terminating(pod) || pod.UID == gone {
			continue
		}
		j := slot - 1
		if ready, _ := model.ReadySince(pod); ready && s.admits[j] {
			s.serving = true
		}
		if v.available(pod) {
			s.available[j] = true
			s.exact[j] = s.exact[j] || v.isExact(pod, slot)
			s.desired[j] = s.desired[j] || v.isOf(pod, slot, v.plan.Revision)
		}
		s.older = s.older || (slot != v.to && v.state.TargetSince != nil && pod.CreationTimestamp.Before(v.state.TargetSince))
		s.cannot = s.cannot || (preparing && cannotPrepare(pod))
	}
	s.cannot = s.cannot || (ended && !left)
	s.eligible = v.eligible(node, held)
	return s
}

// eligible tells whether the desired Pod should run there. A node that the rollout holds does not leave for the taints of
// a Node that is not Ready: an agent that breaks its nodes would drop them from its own budget.
func (v *validation) eligible(node *corev1.Node, held bool) bool {
	if v.placement == nil {
		return false
	}
	verdict := v.placement.Judge(node)
	if verdict == capacity.KeepsRunning && held {
		bare := *node
		bare.Spec.Taints = slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(taint corev1.Taint) bool {
			return taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable
		})
		verdict = v.placement.Judge(&bare)
	}
	return verdict == capacity.Eligible
}

func (v *validation) available(pod *corev1.Pod) bool {
	ready, since := model.ReadySince(pod)
	return ready && model.Bound(pod) && !v.now.Before(since.Add(v.settle))
}

// isExact tells whether the Pod has the revision that its slot is to serve.
func (v *validation) isExact(pod *corev1.Pod, slot model.Slot) bool {
	want := v.slot(slot).revision
	if !v.home && slot == v.target {
		want = v.targetRevision
	}
	return v.isOf(pod, slot, want)
}

// isOf tells whether the slot's Pod is of the revision: it carries it, and no person had edited the template that it was made from.
func (v *validation) isOf(pod *corev1.Pod, slot model.Slot, revision string) bool {
	return pod.Annotations[v.keys.Revision] == revision && !v.slot(slot).edited.Made(pod)
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

// only and both tell which slots the label admits.
func (s *sight) only(slot model.Slot) bool { return s.admits[slot-1] && !s.admits[slot.Other()-1] }

func (s *sight) both() bool { return s.label.Kind == model.Overlaps && s.admits[0] && s.admits[1] }

// serves tells whether the slot serves the node: a Pod counts only where the label admits its slot, and where only the
// recorded target is admitted, only the exact one.
func (v *validation) serves(s *sight, slot model.Slot) bool {
	j := slot - 1
	if s.only(slot) && !v.home && slot == v.to {
		return s.exact[j]
	}
	return s.admits[j] && s.available[j]
}

// blame puts the node into its column of the ledger.
func (v *validation) blame(s *sight) model.Blame {
	toward := s.label.Kind != model.Unlabelled && s.only(v.to)
	switch {
	case !s.eligible:
		return model.NotEligible
	case v.serves(s, model.Blue) || v.serves(s, model.Green):
		return model.Available
	case s.label.Kind == model.Released && (s.ready || !(v.proven || v.home)):
		return model.Committed
	case !toward || (!s.ready && (v.proven || v.home)):
		return model.Ambient
	case v.home && !v.movedHome(s.moved):
		return model.Ambient
	}
	return model.Committed
}

// movedHome tells whether the rollout took the node's agent to bring it back: since the return began, else within the
// deadline.
func (v *validation) movedHome(moved string) bool {
	since := v.now.Add(-time.Duration(*v.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second)
	if v.state.Return != nil {
		since = v.state.Return.Since.Time
	}
	mark := model.ParseMoved(moved)
	return mark.Paid && !mark.At.IsZero() && !mark.At.Before(since.Truncate(time.Second))
}

// mayBeExempt: the Node is not Ready, or its Pod is older than the record of the target; never a node labelled target, nor one that was
// released for it.
func (v *validation) mayBeExempt(s *sight) bool {
	labelled := s.label.Kind != model.Unlabelled
	if v.home {
		return !s.ready && !(labelled && s.only(v.to.Other()))
	}
	return !(labelled && s.only(v.to)) && s.label.Kind != model.Released && (!s.ready || s.older)
}

// book adds the node's column to the ledger, or with -1 takes it off.
func (v *validation) book(s *sight, column model.Blame, n int) {
	v.bookColumn(column, v.mayBeExempt(s), n)
}

func (v *validation) bookColumn(column model.Blame, exemptable bool, n int) {
	switch column {
	case model.NotEligible:
		return
	case model.Available:
		v.ledger.Available += n
	case model.Committed:
		v.ledger.Committed += n
	case model.Ambient, model.Exempt:
		v.ledger.Ambient += n
		if exemptable {
			v.exemptable += n
		}
	}
	v.ledger.Eligible += n
}

func (v *validation) charged() budget.Ledger {
	l := v.ledger
	l.Exempt = min(v.exemptable, v.rollout.Spec.Strategy.Exempt(l.Eligible))
	return l
}

// holdsPlace and offSource tell what the node takes of the window and of the cohort.
func (s *sight) holdsPlace() bool { return s.eligible && s.ready && s.both() && !s.cannot }

func (v *validation) offSource(s *sight) bool {
	return s.eligible && (s.both() || s.only(v.to) || s.label.Kind == model.Released)
}
