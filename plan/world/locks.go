package world

import (
	"fmt"
	"strings"
)

// holder returns the Pod whose process keeps the i-th component of p from its lock, or nil.
func (n *node) holder(p *pod, i int) *pod {
	want := &p.shape.components[i]
	for _, other := range n.pods {
		if other.static {
			continue
		}
		for j := range other.containers {
			have := &other.shape.components[j]
			if other.containers[j].state.component() && have.file == want.file && have.kind.Excludes(want.kind) {
				return other
			}
		}
	}
	return nil
}

// locksEnabled lists the waiters that could be granted their lock now: the kernel promises no order.
// The first to have asked comes first.
func (w *World) locksEnabled(list []Transition, n *node) []Transition {
	if n.lost {
		return list
	}
	begin := len(list)
	var queued []uint64
	for _, p := range n.pods {
		for i := range p.containers {
			if p.containers[i].state != waitingForLock || n.holder(p, i) != nil {
				continue
			}
			at := len(queued)
			for at > 0 && queued[at-1] > p.containers[i].queued {
				at--
			}
			queued = append(queued[:at], append([]uint64{p.containers[i].queued}, queued[at:]...)...)
			t := w.containerTransition(GrantLock, p, i)
			list = append(list[:begin+at], append([]Transition{t}, list[begin+at:]...)...)
		}
	}
	return list
}

// DoubleError says that two processes of one component run on a node at the same time.
type DoubleError struct {
	Node, Component string
	Pods            []string
}

// Error names the node, the component and the Pods.
func (e *DoubleError) Error() string {
	return fmt.Sprintf("node %s: component %s runs in %s at the same time", e.Node, e.Component, strings.Join(e.Pods, " and "))
}

// Check returns a *DoubleError if on some node more than one process of one component of the rollout
// runs, wrapped or not: property S1 of the design, as it really is and not as the API shows it.
func (w *World) Check() error {
	for _, n := range w.nodes {
		if err := n.check(); err != nil {
			return err
		}
		if n.staffing.holds(w, n) && n.staffing.staffed != n.staffed() {
			return fmt.Errorf("node %s is taken for what it was: the world is wrong", n.object.Name)
		}
	}
	return nil
}

// CheckNode is Check for one node.
func (w *World) CheckNode(name string) error {
	if n := w.findNode(name); n != nil {
		return n.check()
	}
	return nil
}

func (n *node) check() error {
	if n.lost {
		return nil
	}
	for a, p := range n.pods {
		for i := range p.containers {
			if !p.member || !p.containers[i].state.component() {
				continue
			}
			name := p.shape.components[i].name
			for _, other := range n.pods[a+1:] {
				if !other.member {
					continue
				}
				if j := other.index(name); j >= 0 && other.containers[j].state.component() {
					return &DoubleError{Node: n.object.Name, Component: name, Pods: []string{p.name(), other.name()}}
				}
			}
		}
	}
	return nil
}

// Holder is a component that runs on a node.
type Holder struct {
	Component string
	Pod       string
	// Lock is the lock file on the node; empty if the component runs without one.
	Lock string
}

// Holders lists the rollout's components that run on the node, in the order of Pods and containers.
func (w *World) Holders(name string) []Holder {
	n := w.findNode(name)
	if n == nil || n.lost {
		return nil
	}
	var holders []Holder
	for _, p := range n.pods {
		for i := range p.containers {
			if p.member && p.containers[i].state.component() {
				what := &p.shape.components[i]
				holders = append(holders, Holder{Component: what.name, Pod: p.name(), Lock: what.file})
			}
		}
	}
	return holders
}

// Served tells, as it really is, whether one Pod of the rollout serves the node: all its components run
// and are ready. A terminating Pod counts until a process of it ends; on a node whose kubelet is silent
// the processes count as they run.
func (w *World) Served(name string) bool {
	n := w.findNode(name)
	return n != nil && n.served()
}

func (n *node) served() bool {
	if n.lost {
		return false
	}
	for _, p := range n.pods {
		if !p.member || p.failed || len(p.containers) == 0 {
			continue
		}
		all := true
		for i := range p.containers {
			all = all && p.containers[i].state == ready
		}
		if all {
			return true
		}
	}
	return false
}

// Overlapping tells whether two Pods of the rollout that are not terminating are on the node or bound
// for it.
func (w *World) Overlapping(name string) bool {
	n := w.findNode(name)
	if n == nil {
		return false
	}
	count := 0
	for _, p := range n.pods {
		if p.member && !p.failed && !p.terminating() {
			count++
		}
	}
	return count > 1
}
