package validate

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// single is the mechanism of one DaemonSet. A Pod counts for the revision in its annotation: old ones have another than the
// DaemonSet's template.
type single struct{ *scene }

// holding is one node with its live Pods, those of another and those of the template's revision.
type holding struct {
	stand
	former, fresh                   []*corev1.Pod
	formerAvailable, freshAvailable bool
}

func (s single) stand(i int, w *model.Write) stand {
	if w == nil || w.Delete == nil {
		return s.look(i, "").stand
	}
	return s.look(i, w.Object.UID).stand
}

// look reads one node; gone is a Pod that is taken as deleted.
func (s single) look(i int, gone types.UID) holding {
	at := s.pods(i, gone)
	at.served = at.formerAvailable || at.freshAvailable
	// What is made next on a node without an old Pod has the newest template: the node is the target's.
	taken := s.taken(at.node)
	at.emptied = len(at.former) == 0 && (s.advancing || !taken.At.IsZero() || s.returning() && s.returned(&at))
	at.joins = at.eligible && !at.served && taken.At.IsZero() && !at.hasServed && s.young(at.node)
	at.forgiven = at.emptied && !at.served && s.advancing && s.state.Forgiven != nil && s.state.Forgiven.Revision == s.targetRevision && s.lateSince(&at, taken, s.state.Forgiven.Since.Time)
	at.exemptable = s.mayBeExempt(&at)
	at.done = at.freshAvailable && s.targetRevision == s.plan.Revision && s.desires()
	at.onTarget, at.old = at.eligible && at.freshAvailable, at.eligible && len(at.former) > 0
	return at
}

// desires tells whether there is a template that is to run: one with a revision, or that of a DaemonSet which was taken over as it is.
func (s single) desires() bool {
	set := s.set().set
	return s.plan.Revision != "" || set != nil && set.Annotations[s.keys.Mode] != "" && s.plan.Blocked() == nil
}

func (s single) pods(i int, gone types.UID) holding {
	node := s.cluster.Node(i)
	at := holding{stand: stand{index: i, node: node, ready: model.NodeReady(node)}}
	held := false
	for _, pod := range s.cluster.Pods(i) {
		if s.slotOf(pod) == model.NoSlot {
			continue
		}
		if at.hasServed = at.hasServed || model.LostReadiness(pod); model.Terminal(pod) {
			continue
		}
		held, at.bound = true, at.bound || model.Bound(pod)
		switch {
		case model.Terminating(pod) || pod.UID == gone:
		case s.isFresh(pod):
			at.fresh = append(at.fresh, pod)
			at.freshAvailable = at.freshAvailable || s.available(pod)
		default:
			at.former = append(at.former, pod)
			ready, _ := model.ReadySince(pod)
			at.serving = at.serving || ready
			at.formerAvailable = at.formerAvailable || s.available(pod)
		}
	}
	at.eligible = s.eligible(node, held || !s.taken(node).At.IsZero())
	return at
}

// taken is the mark of a node whose Pod the rollout has taken, as the DaemonSet's annotation keeps it; zero of another node, and of one that was
// made anew since.
func (s single) taken(node *corev1.Node) model.Moved {
	mark, ok := s.emptied[node.Name]
	if !ok || node.CreationTimestamp.After(mark.At) {
		return model.Moved{}
	}
	return mark
}

// lateSince tells whether what the node waits for was late at the instant: its Pod was taken, or the one that is there was made, a deadline before.
func (s single) lateSince(at *holding, taken model.Moved, instant time.Time) bool {
	late := func(since time.Time) bool { return !since.IsZero() && !since.Add(s.deadline()).After(instant) }
	return late(taken.At) || slices.ContainsFunc(at.fresh, func(pod *corev1.Pod) bool {
		return late(pod.CreationTimestamp.Time) || model.Restarts(pod) > *s.rollout.Spec.Failure.MaxRestarts
	})
}

func (s single) set() *slotSeen { return &s.slots[0] }

func (s single) isFresh(pod *corev1.Pod) bool { return s.isOf(pod, model.Blue, s.targetRevision) }

func (s single) returning() bool { return s.state.Return != nil }

func (s single) deletesFirst() bool {
	return s.rollout.Spec.Strategy.Type == model.RollingUpdate || s.state.DeleteFirst
}

// returned: the former revision's Pod is being made since the return began, or starts, and its deadline has not passed.
func (s single) returned(at *holding) bool {
	return !slices.ContainsFunc(at.fresh, func(pod *corev1.Pod) bool {
		made := pod.CreationTimestamp.Time
		return made.Before(s.state.Return.Since.Time) || !s.now.Before(made.Add(s.deadline()))
	})
}

func (s single) mayBeExempt(at *holding) bool {
	switch {
	case !s.taken(at.node).At.IsZero():
		return false
	case s.advancing:
		older := func(pod *corev1.Pod) bool { return pod.CreationTimestamp.Before(s.state.TargetSince) }
		return len(at.former) > 0 && (!at.ready || slices.ContainsFunc(at.former, older))
	case s.returning():
		return !at.ready && len(at.former) == 0
	}
	return !at.ready
}
