package world

import (
	"maps"
	"slices"
)

// hidden writes what no cache shows: what the controllers have observed, what runs, and what has changed since the
// caches were fed.
func (r *row) hidden() {
	for _, s := range r.w.sets {
		r.add(flags(s.observed == nil, s.orphans(), s.resting))
		if s.observed != nil {
			r.number(r.setSpec(&s.observed.spec))
			r.number(r.text(s.observed.hash))
		}
		if r.w.options.Lagging && s.seen != s.object {
			r.add('t')
			r.set(s, s.object)
			r.add(flags(s.seen != nil && s.seen.UID == s.object.UID, s.seen != nil && s.seen.Generation == s.object.Generation))
		}
	}
	for _, s := range r.w.view.sets {
		r.add('g')
		r.number(r.text(s.name()))
	}
	if r.w.options.Lagging {
		r.number(r.notes(r.w.owner.annotations))
	}
	if r.options.Emptied {
		r.add(byte(r.w.bare))
	}
	if r.w.inject != "" {
		r.add('i')
		r.number(r.text(r.w.inject))
	}
	for _, d := range r.w.denied {
		r.add('d')
		r.number(r.text(d.node + " " + d.image))
	}
	for _, image := range slices.Sorted(maps.Keys(r.w.options.Behaviour)) {
		r.number(r.text(image))
		r.add(byte(r.w.options.Behaviour[image]))
	}
	for i := range r.places {
		r.hiddenPlace(&r.places[i])
	}
}

func (r *row) hiddenPlace(p *place) {
	n := p.node
	r.add('n', flags(n.gone, n.ready, n.lost, n.pulls, n.pressed, n.emptied && r.options.Emptied))
	var pulled []string
	for _, image := range n.images {
		if !n.listsImage(image) {
			pulled = append(pulled, image)
		}
	}
	slices.Sort(pulled)
	for _, image := range pulled {
		r.number(r.text(image))
	}
	for _, other := range n.pods {
		if other.static && other.terminating() {
			r.number(r.text(other.name()))
		}
	}
	for i, own := range p.pods {
		r.add('p', byte(i))
		r.process(own)
	}
	if r.w.options.Lagging {
		r.unseen(p)
	}
}

func (r *row) process(p *pod) {
	slot, _ := r.slotOf(p)
	r.add(slot, flags(p.gone, p.freed, p.failed, p.set == nil, p.stuck, p.over, p.held()), byte(p.init), byte(p.initAt), byte(min(p.initRestarts, r.options.Restarts)))
	r.number(r.text(p.hash))
	for i := range p.containers {
		r.add(byte(p.containers[i].state))
	}
}

// unseen writes the objects of a place as they are, where a cache shows another version.
func (r *row) unseen(p *place) {
	order := r.instants()
	if p.node.seen != p.node.object && !p.node.gone {
		r.add('N', flags(p.node.seen != nil && p.node.seen.UID == p.node.object.UID))
		r.node(p, p.node.object, &order, sinces{})
	}
	for i, own := range p.pods {
		if object := r.w.podObject(own); !own.gone && own.seen != object {
			r.add('P', byte(i))
			r.pod(own, object, &order, sinces{})
		}
	}
	r.buf = order.append(r.buf)
}
