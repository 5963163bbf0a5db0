package command

import (
	"time"

	"github.com/agent-rollout/planner/examples/rollout/page"
	"github.com/agent-rollout/planner/model"
)

// history is what the plans of a run say, one after the other: the ledgers, and of each node when its reason changes.
type history struct {
	begin   time.Time
	plans   int
	account page.Accounts
	nodes   []nodeHistory
	place   map[string]int // of a node in nodes
	reasons []string
	number  map[model.Reason]int // of a reason in reasons
}

type nodeHistory struct {
	name, zone string
	first      rune // what it was in at the beginning
	notes      []page.Note
	failed     []page.Span
	aside      []page.Span
	isFailed   bool
	setAside   int // the plan that set it aside last, counted from 1
}

func newHistory(begin time.Time) *history {
	return &history{begin: begin, place: map[string]int{}, number: map[model.Reason]int{}}
}

// step takes note of a plan. A nil history takes none.
func (h *history) step(snapshot *model.Snapshot, p *model.Plan) {
	if h == nil {
		return
	}
	h.plans++
	at := seconds(snapshot.Now().Sub(h.begin))
	h.addAccount(at, p)
	for i := range p.Nodes {
		h.node(i, &p.Nodes[i], snapshot, p).report(at, h.numberOf(p.Nodes[i].Reason), p.Nodes[i].Reason == model.TargetFailed)
	}
	for i := range p.Exceptions {
		if place, ok := h.place[p.Exceptions[i].Node]; ok {
			n := &h.nodes[place]
			if n.setAside < h.plans-1 || h.plans == 1 {
				n.aside = append(n.aside, page.Span{From: at})
			}
			n.setAside = h.plans
		}
	}
	for i := range h.nodes {
		if n := &h.nodes[i]; n.setAside > 0 && n.setAside == h.plans-1 {
			n.aside[len(n.aside)-1].Until = at
		}
	}
}

// node is the node's record; the first look says where it stands. Plans mostly name nodes in the same order.
func (h *history) node(likely int, r *model.NodeReport, snapshot *model.Snapshot, p *model.Plan) *nodeHistory {
	if likely < len(h.nodes) && h.nodes[likely].name == r.Node {
		return &h.nodes[likely]
	}
	i, ok := h.place[r.Node]
	if !ok {
		i = len(h.nodes)
		h.place[r.Node] = i
		h.nodes = append(h.nodes, nodeHistory{name: r.Node, zone: zoneOf(snapshot, r.Node), first: firstMark(r, p)})
	}
	return &h.nodes[i]
}

// firstMark is what a node is in when a plan names it first.
func firstMark(r *model.NodeReport, p *model.Plan) rune {
	switch {
	case r.Stage == model.StageOverlap:
		return overlapped
	case r.Stage == model.StageTarget, r.Reason == model.OnTarget && p.Pair.Updated > 0:
		return handedOver
	}
	return untouched
}

func (n *nodeHistory) report(at float64, reason int, failed bool) {
	if last := len(n.notes) - 1; last < 0 || n.notes[last].Reason != reason {
		n.notes = append(n.notes, page.Note{At: at, Reason: reason})
	}
	switch {
	case failed && !n.isFailed:
		n.failed = append(n.failed, page.Span{From: at})
	case !failed && n.isFailed:
		n.failed[len(n.failed)-1].Until = at
	}
	n.isFailed = failed
}

func (h *history) numberOf(reason model.Reason) int {
	i, ok := h.number[reason]
	if !ok {
		i = len(h.reasons)
		h.number[reason] = i
		h.reasons = append(h.reasons, string(reason))
	}
	return i
}

// end closes what still holds at the end.
func (h *history) end(at float64) {
	for i := range h.nodes {
		n := &h.nodes[i]
		if n.isFailed {
			n.failed[len(n.failed)-1].Until = at
		}
		if n.setAside > 0 && n.setAside == h.plans {
			n.aside[len(n.aside)-1].Until = at
		}
	}
}

// addAccount adds the plan's ledger if something in it changed.
func (h *history) addAccount(at float64, p *model.Plan) {
	a, l := &h.account, &p.Ledger
	columns := []struct {
		column *[]int
		value  int
	}{
		{&a.Eligible, l.Eligible}, {&a.Available, l.Available}, {&a.Ambient, l.Ambient}, {&a.Committed, l.Committed},
		{&a.Joining, l.Joining}, {&a.Exempt, l.Exempt}, {&a.OnSource, p.Pair.OnSource}, {&a.InOverlap, p.Pair.InOverlap},
		{&a.OnTarget, p.Pair.OnTarget}, {&a.Updated, p.Pair.Updated}, {&a.Budget, p.Limits.Unavailable}, {&a.Window, p.Limits.Window},
	}
	last, changed := len(a.At)-1, len(a.At) == 0
	for _, c := range columns {
		changed = changed || (*c.column)[last] != c.value
	}
	if !changed {
		return
	}
	a.At = append(a.At, at)
	for _, c := range columns {
		*c.column = append(*c.column, c.value)
	}
}
