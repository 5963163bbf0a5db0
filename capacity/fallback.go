package capacity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Question asks whether a Pending target may cost its source the node.
type Question struct {
	// Pod is the target, and Node the node whose source might be taken.
	Pod  *corev1.Pod
	Node *corev1.Node
	// Others are all other Pods on the node, of every workload, the source included.
	Others []*corev1.Pod
	// OthersListed: Others is complete. Without it arithmetic is a guess, and none is made.
	OthersListed bool
	// Leaving are the UIDs of the source's Pods. Those that are not bound to the node return nothing.
	Leaving []types.UID
	// CountPodSlots: a node that holds as many Pods as it may ("Too many pods") counts as short of
	// capacity, as one short of CPU or memory does.
	CountPodSlots bool
}

// Answer is the verdict with what it rests on.
type Answer struct {
	Verdict Verdict
	// Shortfalls that decided: of FitsOnceSourceGone what is short beside the source, of StillShort what
	// is short even without it, of NeverFits what exceeds the node, of OtherConstraint what the node's
	// state rules out (nil where a constraint is merely beyond judgement).
	Shortfalls []Shortfall
	// Preempting: the scheduler is making room by removing Pods of lower priority. It does not change the
	// verdict; it is to be reported, since the room may come without the source, at others' cost.
	Preempting bool
	// Detail is one line for people, with the numbers.
	Detail string
}

// Fallback applies the capacity rule. In this order:
//
//  1. The Pod is Pending, unbound, not terminating; PodScheduled is False with reason Unschedulable.
//  2. It is bound for this node ([model.NodeOf]).
//  3. Node affinity and taints match, no request exceeds what the whole node has, and none of the Pods
//     that are known to be on the node holds a host port of it.
//  4. The message names CPU or memory only ([Message.OnlyCapacity]).
//  5. The node's other Pods are listed, and the (anti-)affinity between Pods matches.
//  6. It does not fit now, for want of CPU or memory alone (of Pod slots too, if they count), and it
//     fits once the leaving Pods are gone.
//
// What fails first is the verdict. An unreadable message therefore never hides the node's own reason,
// and never becomes capacity.
func Fallback(q Question) Answer {
	condition, early := waiting(q.Pod)
	if condition == nil {
		return early
	}
	message := ParseMessage(condition.Message)
	a := judge(q, message)
	a.Preempting = message.Preempting || q.Pod.Status.NominatedNodeName != ""
	return a
}

// waiting finds the condition by which the scheduler has refused the Pod, or the verdict without one.
func waiting(pod *corev1.Pod) (*corev1.PodCondition, Answer) {
	switch {
	case pod == nil:
		return nil, answer(NotPending, "there is no Pod")
	case pod.DeletionTimestamp != nil:
		return nil, answer(NotPending, "the Pod is terminating")
	case pod.Spec.NodeName != "":
		return nil, answer(NotPending, "the Pod is bound to "+pod.Spec.NodeName)
	case pod.Status.Phase != corev1.PodPending:
		return nil, answer(NotPending, fmt.Sprintf("the Pod's phase is %q", pod.Status.Phase))
	case len(pod.Spec.SchedulingGates) > 0:
		return nil, answer(NotUnschedulable, "the Pod waits for the scheduling gate "+pod.Spec.SchedulingGates[0].Name)
	}
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type != corev1.PodScheduled {
			continue
		}
		switch {
		case c.Status != corev1.ConditionFalse:
			return nil, answer(NotJudged, fmt.Sprintf("PodScheduled is %s on an unbound Pod", c.Status))
		case c.Reason != corev1.PodReasonUnschedulable:
			return nil, answer(NotUnschedulable, fmt.Sprintf("PodScheduled is False with reason %q", c.Reason))
		default:
			return c, Answer{}
		}
	}
	return nil, answer(NotJudged, "the scheduler has not spoken yet")
}

func judge(q Question, message Message) Answer {
	if q.Node == nil {
		return answer(WrongNode, "there is no such node")
	}
	bound, ok := model.NodeOf(q.Pod)
	if !ok {
		return answer(WrongNode, "the Pod's required node affinity does not name exactly one node")
	}
	if bound != q.Node.Name {
		return answer(WrongNode, fmt.Sprintf("the Pod is bound for %s, not for %s", bound, q.Node.Name))
	}
	if fixed := fixedShortfalls(q.Pod, q.Node); len(fixed) > 0 {
		return answerShort(OtherConstraint, fixed)
	}
	if above := NewRoom(q.Node, nil).amountShortfalls(q.Pod); len(above) > 0 {
		return answerShort(NeverFits, above)
	}
	others := without(q.Others, q.Pod)
	beside := NewRoom(q.Node, others)
	if ports := beside.portShortfalls(q.Pod); len(ports) > 0 {
		return answerShort(OtherConstraint, ports)
	}
	if !message.OnlyCapacity(q.CountPodSlots) {
		return answer(UnknownMessage, notCapacity(message, q.CountPodSlots))
	}
	if !q.OthersListed {
		return answer(NeedPods, "the other Pods on the node are not listed")
	}
	return weigh(q, others, beside)
}

// weigh compares the node beside the source with the node without it.
func weigh(q Question, others []*corev1.Pod, beside Room) Answer {
	staying := slices.DeleteFunc(slices.Clone(others), func(o *corev1.Pod) bool {
		return !occupies(o, q.Node.Name) || o.Spec.NodeName == q.Node.Name && slices.Contains(q.Leaving, o.UID)
	})
	// The one that is named shall not depend on the order of a list.
	slices.SortStableFunc(staying, func(a, b *corev1.Pod) int { return compareNames(nameOf(a), nameOf(b)) })
	if fault := unjudged(q.Pod, q.Node, staying); fault != "" {
		return answer(OtherConstraint, fault)
	}
	now := beside.amountShortfalls(q.Pod)
	if len(now) == 0 {
		return answer(FitsNow, "by arithmetic the Pod fits already")
	}
	if other := slices.DeleteFunc(slices.Clone(now), func(s Shortfall) bool { return s.isCapacity(q.CountPodSlots) }); len(other) > 0 {
		return answerShort(OtherConstraint, other)
	}
	gone := NewRoom(q.Node, staying)
	detail := make([]string, 0, len(now))
	for _, s := range now {
		detail = append(detail, gone.compare(s))
	}
	a := Answer{Verdict: FitsOnceSourceGone, Shortfalls: now, Detail: strings.Join(detail, "; ")}
	if short := gone.amountShortfalls(q.Pod); len(short) > 0 {
		a.Verdict, a.Shortfalls = StillShort, short
	}
	return a
}

// isCapacity: of the kind that may cost a source.
func (s Shortfall) isCapacity(countPodSlots bool) bool {
	switch s.Kind {
	case ShortPods:
		return countPodSlots
	case ShortResource:
		return s.Resource == corev1.ResourceCPU || s.Resource == corev1.ResourceMemory
	case ShortTaint, ShortAffinity, ShortPort:
		return false
	default:
		return false
	}
}

// compare writes a shortfall beside the source together with what this room, without it, has free.
func (r Room) compare(s Shortfall) string {
	name := s.name()
	free := s.Allocatable - r.used[name]
	if s.Kind == ShortPods {
		free = s.Allocatable - r.pods
	}
	return fmt.Sprintf("%s: wants %s, free %s, %s once the source is gone, allocatable %s", name,
		formatAmount(name, s.Requested), formatAmount(name, s.Free), formatAmount(name, free), formatAmount(name, s.Allocatable))
}

// notCapacity says what in the message is in the way.
func notCapacity(m Message, countPodSlots bool) string {
	if !m.Known {
		return "the scheduler's message is not understood"
	}
	for _, r := range m.Reasons {
		switch {
		case r.Kind == ReasonNodePin, r.Kind == ReasonTooManyPods && countPodSlots && r.Count == 1:
		case r.Kind == ReasonResource && (r.Resource == corev1.ResourceCPU || r.Resource == corev1.ResourceMemory) && r.Count == 1:
		default:
			return fmt.Sprintf("the scheduler names %s of %d nodes: %q", r.Kind, r.Count, r.Text)
		}
	}
	return "the scheduler gives no reason for this node"
}

func answer(v Verdict, detail string) Answer { return Answer{Verdict: v, Detail: detail} }

func answerShort(v Verdict, short []Shortfall) Answer {
	texts := make([]string, 0, len(short))
	for _, s := range short {
		texts = append(texts, s.String())
	}
	return Answer{Verdict: v, Shortfalls: short, Detail: strings.Join(texts, "; ")}
}
