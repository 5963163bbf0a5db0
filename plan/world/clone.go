package world

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Clone returns a world that goes its own way from here. API objects, compiled templates and settings are
// shared: none of them is ever changed in place.
func (w *World) Clone() *World {
	c := *w
	c.names, c.byName = make(map[types.NamespacedName]*pod, len(w.names)), make(map[string]*node, len(w.byName))
	c.shapes = maps.Clone(w.shapes)
	copies := copier{sets: map[*set]*set{}, nodes: map[*node]*node{}, pods: map[*pod]*pod{}}
	c.sets = make([]*set, len(w.sets))
	for i, s := range w.sets {
		c.sets[i] = copies.set(s)
	}
	c.nodes = make([]*node, len(w.nodes))
	for i, n := range w.nodes {
		c.nodes[i] = copies.node(n)
		c.byName[n.object.Name] = c.nodes[i]
		for _, p := range c.nodes[i].pods {
			c.names[namespacedName(p.base)] = p
		}
	}
	c.touched = touched{
		nodes: mapped(w.touched.nodes, copies.node), sets: mapped(w.touched.sets, copies.set),
		pods: mapped(w.touched.pods, copies.pod), objects: mapped(w.touched.objects, copies.node),
		specs: mapped(w.touched.specs, copies.set), owner: w.touched.owner, any: w.touched.any,
	}
	c.view = view{
		nodes: mapped(w.view.nodes, copies.node), pods: mapped(w.view.pods, copies.pod), sets: mapped(w.view.sets, copies.set),
	}
	for i := range w.view.queue {
		c.view.queue[i] = mapped(w.view.queue[i], func(d delivery) delivery {
			d.node, d.pod, d.set = copies.node(d.node), copies.pod(d.pod), copies.set(d.set)
			return d
		})
	}
	return &c
}

// copier copies each object once.
type copier struct {
	sets  map[*set]*set
	nodes map[*node]*node
	pods  map[*pod]*pod
}

func (c *copier) set(s *set) *set {
	if s == nil {
		return nil
	}
	if known, ok := c.sets[s]; ok {
		return known
	}
	own := *s
	own.counted, own.recounts = nil, nil // to be counted anew
	if s.observed != nil {
		revision := *s.observed
		own.observed = &revision
	}
	c.sets[s] = &own
	return &own
}

func (c *copier) node(n *node) *node {
	if n == nil {
		return nil
	}
	if known, ok := c.nodes[n]; ok {
		return known
	}
	own := *n
	c.nodes[n] = &own
	own.images = slices.Clone(n.images)
	own.per = mapped(n.per, func(per perSet) perSet { return perSet{set: c.set(per.set), made: per.made} })
	own.pods = mapped(n.pods, c.pod)
	return &own
}

func (c *copier) pod(p *pod) *pod {
	if p == nil {
		return nil
	}
	if known, ok := c.pods[p]; ok {
		return known
	}
	own := *p
	c.pods[p] = &own
	own.node, own.set = c.node(p.node), c.set(p.set)
	own.containers = slices.Clone(p.containers)
	return &own
}

func mapped[T any](list []T, f func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, item := range list {
		out[i] = f(item)
	}
	return out
}
