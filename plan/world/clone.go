package world

import "slices"

// Clone returns a world that goes its own way from here. API objects, compiled templates and settings are
// shared: none of them is ever changed in place.
func (w *World) Clone() *World {
	c := *w
	c.names, c.byName = nil, nil
	var copies copier
	c.sets = mapped(w.sets, copies.set)
	c.nodes = mapped(w.nodes, copies.node)
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
	sets  copies[set]
	nodes copies[node]
	pods  copies[pod]
}

// copies are what is copied already: few in a list, many in a map as well.
type copies[T any] struct {
	list  []pairOf[T]
	known map[*T]*T
}

type pairOf[T any] struct{ from, to *T }

func (c *copies[T]) find(from *T) *T {
	if c.known != nil {
		return c.known[from]
	}
	for i := range c.list {
		if c.list[i].from == from {
			return c.list[i].to
		}
	}
	return nil
}

// add copies the object's own fields.
func (c *copies[T]) add(from *T) *T {
	to := new(T)
	*to = *from
	switch {
	case c.known != nil:
		c.known[from] = to
	case len(c.list) < 4*few:
		c.list = append(c.list, pairOf[T]{from, to})
	default:
		c.known = make(map[*T]*T, 2*len(c.list))
		for _, p := range c.list {
			c.known[p.from] = p.to
		}
		c.known[from] = to
	}
	return to
}

func (c *copier) set(s *set) *set {
	if s == nil {
		return nil
	}
	if known := c.sets.find(s); known != nil {
		return known
	}
	own := c.sets.add(s)
	own.counted, own.recounts = nil, nil // to be counted anew
	return own
}

func (c *copier) node(n *node) *node {
	if n == nil {
		return nil
	}
	if known := c.nodes.find(n); known != nil {
		return known
	}
	own := c.nodes.add(n)
	own.images = slices.Clip(n.images)
	own.per = mapped(n.per, func(per perSet) perSet {
		per.set, per.tally, per.stale = c.set(per.set), tally{}, false
		return per
	})
	own.pods = mapped(n.pods, c.pod)
	return own
}

func (c *copier) pod(p *pod) *pod {
	if p == nil {
		return nil
	}
	if known := c.pods.find(p); known != nil {
		return known
	}
	own := c.pods.add(p)
	own.node, own.set = c.node(p.node), c.set(p.set)
	own.containers = slices.Clone(p.containers)
	return own
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
