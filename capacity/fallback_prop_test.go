package capacity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// askCase is a question with what is known of it by the way it was made.
type askCase struct {
	q       Question
	waits   bool // Pending, unbound, refused by the scheduler as unschedulable
	pinned  bool // to the node, unambiguously
	says    messageCase
	blocked bool // a Pod that stays does not suffer the target
}

var drawAsk = rapid.Custom(func(t *rapid.T) askCase {
	common := func(name string) bool { return rapid.IntRange(0, 9).Draw(t, name) > 0 }
	f := drawFit.Draw(t, "fit")
	// Most nodes carry neither taint nor cordon, or nothing else would ever be reached.
	if common("plain node") {
		f.node.Spec.Taints, f.node.Spec.Unschedulable = nil, false
	}
	// And most have room for the target alone, so that it is the others who decide.
	if common("room for one") {
		for _, name := range fitResources {
			spare := int64(100)
			if name == "cpu" || name == "memory" {
				spare = rapid.Int64Range(0, 5).Draw(t, "spare "+string(name))
			}
			milli := slowRequest(f.pod, name) + map[bool]int64{true: 100, false: 1000}[name == "cpu"]*spare
			f.node.Status.Allocatable[name] = *resource.NewMilliQuantity(milli, resource.DecimalSI)
		}
	}
	c := askCase{waits: true, pinned: true, says: drawMessage.Draw(t, "message")}
	if common("capacity") { // most messages are of the kind that matters
		c.says = messageCase{nodes: 2, picked: []clause{rapid.SampledFrom([]clause{clauses[0], clauses[1], clauses[4]}).Draw(t, "clause"), clauses[5]}, counts: []int{1, 1}}
		c.says.text = fmt.Sprintf("0/2 nodes are available: 1 %s, 1 %s.", c.says.picked[0].text, c.says.picked[1].text)
	}
	p := f.pod
	p.Labels = map[string]string{"app": "agent"}
	p.Status.Phase = corev1.PodPending
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: c.says.text}}
	p.Spec.Affinity = affinity(fields(nameIn("n1")))
	if !common("waiting") {
		c.waits = false
		rapid.SampledFrom([]func(){
			func() { p.Status.Phase = corev1.PodRunning },
			func() { p.Spec.NodeName = "n1" },
			func() { terminating(p) },
			func() { p.Status.Conditions = nil },
			func() { p.Status.Conditions[0].Status = corev1.ConditionTrue },
			func() { p.Status.Conditions[0].Reason = corev1.PodReasonSchedulingGated },
		}).Draw(t, "how not")()
	}
	if !common("pinned") {
		c.pinned = false
		p.Spec.Affinity = rapid.SampledFrom([]*corev1.Affinity{nil, affinity(), affinity(fields(nameIn("n2"))), affinity(fields(nameIn("n1", "n2"))),
			affinity(fields(nameIn("n1")), fields(nameIn("n2"))), affinity(fields(nameIn("n1")), exprs(requirement("a", corev1.NodeSelectorOpExists)))}).Draw(t, "how not")
	}
	c.q = Question{Pod: p, Node: f.node, Others: f.others, OthersListed: common("listed"), CountPodSlots: rapid.Bool().Draw(t, "slots")}
	for i, o := range f.others {
		if rapid.IntRange(0, 2).Draw(t, "ports") > 0 {
			for j := range o.Spec.Containers {
				o.Spec.Containers[j].Ports = nil
			}
		}
		leaves := i == 0 || rapid.IntRange(0, 3).Draw(t, "leaves") == 0
		if leaves {
			c.q.Leaving = append(c.q.Leaving, o.UID)
		}
		if rapid.IntRange(0, 5).Draw(t, "avoids") == 0 {
			avoids(term(corev1.LabelHostname, "app=agent"))(o)
			gone := o.Status.Phase == corev1.PodFailed || o.Status.Phase == corev1.PodSucceeded || o.Spec.NodeName == "n2"
			c.blocked = c.blocked || !gone && (!leaves || o.Spec.NodeName != "n1")
		}
	}
	return c
})

// slowFallback is the rule in words, on recomputed sums: may this question cost a source?
func slowFallback(c askCase) bool {
	if !c.waits || !c.pinned || !c.q.OthersListed || c.blocked {
		return false
	}
	for i, p := range c.says.picked {
		switch {
		case p.kind == ReasonNodePin:
		case c.says.counts[i] != 1:
			return false
		case p.name == "cpu" || p.name == "memory" || p.text == "Too many pods" && c.q.CountPodSlots:
		default:
			return false
		}
	}
	if !ParseMessage(c.says.text).OnlyCapacity(true) { // no reason, or more nodes than there are: held equal elsewhere
		return false
	}
	now := slowFit(fitCase{c.q.Pod, c.q.Node, c.q.Others})
	for _, s := range now {
		capacity := strings.HasPrefix(s, "cpu ") || strings.HasPrefix(s, "memory ") || strings.HasPrefix(s, "pods") && c.q.CountPodSlots
		if !capacity {
			return false
		}
	}
	after := slowFit(fitCase{c.q.Pod, c.q.Node, remaining(c.q)})
	return len(now) > 0 && len(after) == 0
}

// remaining are the others less the leaving Pods that are bound to the node.
func remaining(q Question) []*corev1.Pod {
	return slices.DeleteFunc(slices.Clone(q.Others), func(o *corev1.Pod) bool {
		return o.Spec.NodeName == q.Node.Name && slices.Contains(q.Leaving, o.UID)
	})
}

// A source is spent exactly where the rule in words allows it, and then the scheduler's filters agree:
// the target does not fit beside the source, and does without it.
func TestFallbackEqualsTheRule(t *testing.T) {
	type asker func(Question) Answer
	edited := func(edit func(*Question)) asker {
		return func(q Question) Answer {
			q.Pod, q.Node, q.Others, q.Leaving = q.Pod.DeepCopy(), q.Node.DeepCopy(), slices.Clone(q.Others), slices.Clone(q.Leaving)
			for i := range q.Others {
				q.Others[i] = q.Others[i].DeepCopy()
			}
			edit(&q)
			return Fallback(q)
		}
	}
	unless := func(v Verdict, then Verdict) asker {
		return func(q Question) Answer {
			a := Fallback(q)
			if a.Verdict == v {
				a.Verdict = then
			}
			return a
		}
	}
	property[askCase, asker]{
		draw: drawAsk,
		holds: func(c askCase, ask asker) string {
			a := ask(c.q)
			spends := a.Verdict == FitsOnceSourceGone
			if want := slowFallback(c); spends != want {
				return fmt.Sprintf("%s (%s), by the rule may cost the source: %t", a.Verdict, a.Detail, want)
			}
			fitsBeside := len(Fit(c.q.Pod, c.q.Node, c.q.Others)) == 0
			fitsInstead := len(Fit(c.q.Pod, c.q.Node, remaining(c.q))) == 0
			if spends && (fitsBeside || !fitsInstead) {
				return fmt.Sprintf("spends a source: fits beside it %t, in its place %t", fitsBeside, fitsInstead)
			}
			if a.Verdict == FitsNow && !fitsBeside || a.Verdict == StillShort && fitsInstead {
				return fmt.Sprintf("%s: fits beside the source %t, in its place %t", a.Verdict, fitsBeside, fitsInstead)
			}
			if a.Detail == "" {
				return "no detail for " + a.Verdict.String()
			}
			return ""
		},
		reached: func(c askCase) []string { return []string{Fallback(c.q).Verdict.String()} },
		wanted: []string{"NotPending", "NotJudged", "NotUnschedulable", "WrongNode", "UnknownMessage", "OtherConstraint",
			"NeedPods", "NeverFits", "FitsNow", "StillShort", "FitsOnceSourceGone"},
	}.check(t, Fallback, map[string]asker{
		"any phase": edited(func(q *Question) {
			q.Pod.Status.Phase, q.Pod.Spec.NodeName, q.Pod.DeletionTimestamp = corev1.PodPending, "", nil
		}),
		"any condition": edited(func(q *Question) {
			q.Pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: shortOfCPU}}
		}),
		"any message": edited(func(q *Question) {
			for i := range q.Pod.Status.Conditions {
				q.Pod.Status.Conditions[i].Message = shortOfCPU
			}
		}),
		"any node":                   edited(func(q *Question) { q.Pod.Spec.Affinity = affinity(fields(nameIn("n1"))) }),
		"others need no list":        edited(func(q *Question) { q.OthersListed = true }),
		"slots always count":         edited(func(q *Question) { q.CountPodSlots = true }),
		"slots never count":          edited(func(q *Question) { q.CountPodSlots = false }),
		"tainted nodes":              edited(func(q *Question) { q.Node.Spec.Taints, q.Node.Spec.Unschedulable = nil, false }),
		"no peers":                   edited(func(q *Question) { eachOther(q, func(o *corev1.Pod) { o.Spec.Affinity = nil }) }),
		"no ports":                   edited(func(q *Question) { eachOther(q, func(o *corev1.Pod) { clearPorts(&o.Spec) }) }),
		"no source":                  edited(func(q *Question) { q.Leaving = nil }),
		"everyone leaves":            edited(func(q *Question) { eachOther(q, func(o *corev1.Pod) { q.Leaving = append(q.Leaving, o.UID) }) }),
		"the source is gone":         edited(func(q *Question) { q.Others, q.Leaving = remaining(*q), nil }),
		"unbound sources help":       edited(func(q *Question) { eachOther(q, func(o *corev1.Pod) { o.Spec.NodeName = "n1" }) }),
		"a source that is too small": unless(StillShort, FitsOnceSourceGone),
		"a target that fits":         unless(FitsNow, FitsOnceSourceGone),
		"a target too big":           unless(NeverFits, FitsOnceSourceGone),
		"any constraint":             unless(OtherConstraint, FitsOnceSourceGone),
		"never":                      unless(FitsOnceSourceGone, StillShort),
	})
}

func eachOther(q *Question, edit func(*corev1.Pod)) {
	for _, o := range q.Others {
		edit(o)
	}
}

func clearPorts(s *corev1.PodSpec) {
	for _, cs := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for i := range cs {
			cs[i].Ports = nil
		}
	}
}

// The order of the other Pods and of the leaving ones does not reach the answer.
func TestFallbackIgnoresOrder(t *testing.T) {
	type asker func(Question) Answer
	property[askCase, asker]{
		draw: drawAsk,
		holds: func(c askCase, ask asker) string {
			turned := c.q
			turned.Others, turned.Leaving = slices.Clone(c.q.Others), slices.Clone(c.q.Leaving)
			slices.Reverse(turned.Others)
			slices.Reverse(turned.Leaving)
			return cmp.Diff(ask(c.q), ask(turned))
		},
		reached: func(c askCase) []string {
			holders := 0
			for _, o := range c.q.Others {
				if strings.Contains(Fallback(c.q).Detail, "is held by") && len(NewRoom(c.q.Node, []*corev1.Pod{o}).portShortfalls(c.q.Pod)) > 0 {
					holders++
				}
			}
			return []string{fmt.Sprintf("several leave: %t", len(c.q.Leaving) > 1), fmt.Sprintf("several hold a port: %t", holders > 1)}
		},
		wanted: []string{"several leave: true", "several hold a port: true"},
	}.check(t, Fallback, map[string]asker{
		"names the holder that is listed first": func(q Question) Answer {
			a := Fallback(q)
			for i, s := range a.Shortfalls {
				for _, o := range slices.Backward(q.Others) {
					if r := NewRoom(q.Node, []*corev1.Pod{o}); s.Kind == ShortPort && slices.ContainsFunc(r.ports, func(h heldPort) bool { return s.Port.conflicts(h.HostPort) }) {
						a.Shortfalls[i].Holder = nameOf(o)
					}
				}
			}
			return a
		},
		"only the first of the others": func(q Question) Answer { q.Others = q.Others[:min(1, len(q.Others))]; return Fallback(q) },
		"only the first that leaves":   func(q Question) Answer { q.Leaving = q.Leaving[:min(1, len(q.Leaving))]; return Fallback(q) },
		"all but the last leave": func(q Question) Answer {
			q.Leaving = append([]types.UID{}, q.Leaving[:max(0, len(q.Leaving)-1)]...)
			return Fallback(q)
		},
	})
}
