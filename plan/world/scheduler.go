package world

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/capacity"
)

// schedulerEnabled: an unbound Pod is bound if it fits its node, and refused if it does not; a refused one
// is tried again once the node has changed.
func (w *World) schedulerEnabled(list []Transition, p *pod) []Transition {
	if p.bound || p.terminating() || p.static {
		return list
	}
	short := w.shortfalls(p)
	if len(short) == 0 {
		return append(list, podTransition(BindPod, p))
	}
	if w.refusal(short) != p.refused {
		list = append(list, podTransition(RefusePod, p))
	}
	return list
}

// shortfalls is what the node lacks for the Pod, judged again only when the node has changed.
func (w *World) shortfalls(p *pod) []capacity.Shortfall {
	n := p.node
	if p.fitRoom == n.room+1 {
		return p.short
	}
	others := make([]*corev1.Pod, 0, len(n.pods))
	for _, other := range n.pods {
		if other != p && other.bound {
			others = append(others, w.podObject(other))
		}
	}
	p.short, p.fitRoom = capacity.Fit(p.base, n.object, others), n.room+1
	return p.short
}

// refusal is the scheduler's message (1.37) for a Pod that is pinned to one node of the cluster. The first
// filter that fails speaks alone, in the order taints, affinity, ports, resources.
func (w *World) refusal(short []capacity.Shortfall) string {
	first := short[0].Kind
	var clauses []string
	resolvable := true
	for _, s := range short {
		switch s.Kind {
		case capacity.ShortTaint:
			clauses = append(clauses, "1 node(s) had untolerated taint(s)")
			resolvable = false
		case capacity.ShortAffinity:
			clauses = append(clauses, "1 node(s) didn't match Pod's node affinity/selector")
			resolvable = false
		case capacity.ShortPort:
			clauses = append(clauses, "1 node(s) didn't have free ports for the requested pod ports")
		case capacity.ShortPods:
			clauses = append(clauses, "1 Too many pods")
		case capacity.ShortResource:
			clauses = append(clauses, "1 Insufficient "+string(s.Resource))
			resolvable = resolvable && !s.AboveAllocatable
		}
		if first < capacity.ShortPods {
			break // this filter's fault keeps the later filters from running
		}
	}
	total := len(w.nodes)
	if others := total - 1; others > 0 {
		clauses = append(clauses, fmt.Sprintf("%d node(s) didn't satisfy plugin(s) [NodeAffinity]", others))
	}
	slices.Sort(clauses)
	help := fmt.Sprintf("%d Preemption is not helpful for scheduling.", total)
	if resolvable {
		help = "1 No preemption victims found for incoming pod"
		if total > 1 {
			help += fmt.Sprintf(", %d Preemption is not helpful for scheduling", total-1)
		}
		help += "."
	}
	return fmt.Sprintf("0/%d nodes are available: %s. preemption: 0/%d nodes are available: %s",
		total, strings.Join(clauses, ", "), total, help)
}

func (w *World) doSchedule(t Transition, p *pod) ([]Event, error) {
	if p.bound || p.terminating() || p.static {
		return nil, impossible(t, "the Pod does not wait for the scheduler")
	}
	short := w.shortfalls(p)
	switch {
	case t.Kind == BindPod && len(short) == 0:
		w.bind(p)
		return []Event{{Transition: t}}, nil
	case t.Kind == RefusePod && len(short) > 0:
		p.refused = w.refusal(short)
		if p.refusedAt.IsZero() {
			p.refusedAt = w.now
		}
		w.changed(p)
		return []Event{{Transition: t, Detail: p.refused}}, nil
	case t.Kind == BindPod:
		return nil, impossible(t, w.refusal(short))
	}
	return nil, impossible(t, "the Pod fits")
}

func (w *World) bind(p *pod) {
	base := *p.base
	base.Spec.NodeName = p.node.object.Name
	p.base = &base
	p.bound, p.scheduledAt, p.refused = true, w.now, ""
	if len(p.shape.inits) == 0 {
		p.init, p.initializedAt = initDone, w.now
	}
	p.node.room++
	p.allReadyAt, p.readyAt = w.now, w.now
	w.settle(p)
}
