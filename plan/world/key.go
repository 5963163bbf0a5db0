package world

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// Keyer writes keys of worlds: two worlds have one key if and only if nothing that can happen to them, and no planner
// and no executor, can tell them apart. It is what a checker keeps of a state.
//
// What a key has: the API objects as the caches show them, those that they do not show yet, what the controllers have
// observed, every process with its lock, and what the executor has sent. What it has not: names of Pods; UIDs, but for
// their order on a node; resourceVersions and generations, but for whether a guard still holds; the order in which
// waiters asked for a lock, for the kernel promises none; and instants, but for their order among the label's
// writing and the Pods' making on one node, for which of the Keyer's ages they have reached, and for whether they lie in the
// executor's future. A restart that a canary remembers, and the last handover of one DaemonSet, stand among those of each node.
//
// A key is a row of numbers, four bytes each: the DaemonSets, every node, what no object shows, the executor. The Keyer
// remembers what each number stands for, so keys of one Keyer are exact, and keys of two have nothing to do with each other. It
// is not safe for concurrent use.
type Keyer struct {
	options KeyOptions
	keys    model.Keys
	parts   map[string]uint32
	texts   map[string]uint32
	specs   map[specParts]specText
	maps    map[uintptr]mapText
	states  map[string]stateText
	nodes   map[*corev1.Node]nodeText
	scratch row // of the last key
}

// KeyOptions say what the keys must tell.
type KeyOptions struct {
	// Rollout is the one whose labels and annotations are read.
	Rollout *model.Rollout
	// Places is the most nodes that a world can have; the keys of all have one length.
	Places int
	// Ages are the durations whose passing a planner notices, ascending: a deadline, settleSeconds.
	Ages []time.Duration
	// Rest is the one duration that counts from the last end of a Pod's containers alone; 0 for none.
	Rest time.Duration
	// Restarts of a container from which on one more makes no difference.
	Restarts int32
	// Emptied tells worlds apart by what World.Emptied and World.Bare say.
	Emptied bool
}

// Sender is what an executor knows and no API object shows. Its clock shows Now, and a right one True.
type Sender struct {
	Run    string
	Now    time.Time
	True   time.Time
	Issued []model.Issued
	// Holds are the requests that wait for a cache.
	Holds []Held
	// Begun is what else the executor knows of the plan that it is sending: the key of the view that it was made from, and what is no more as that
	// shows it.
	Begun string
	// Send is what is left of the plan that it is sending; Late is a request of its predecessor that can still land.
	Send []model.Action
	Late *model.Action
}

// Held is a request that waits until a cache shows another object, its own or one that it rests on, in another way than by this UID and version;
// Node is the Pod's.
type Held struct {
	Object, On model.ObjectRef
	Node       string
	UID        types.UID
	Version    string
	Since      time.Time
}

// NewKeyer returns a Keyer that knows no world yet.
func NewKeyer(o KeyOptions) *Keyer {
	return &Keyer{
		options: o, keys: model.NewKeys(o.Rollout.Spec.Slots.Domain, o.Rollout.Metadata.Namespace, o.Rollout.Metadata.Name),
		parts: map[string]uint32{}, texts: map[string]uint32{}, specs: map[specParts]specText{}, maps: map[uintptr]mapText{},
		states: map[string]stateText{}, nodes: map[*corev1.Node]nodeText{},
	}
}

const partBytes = 4

// Len is the number of bytes that Append appends: sixteen for the smallest world of one node, four more for each further one.
func (k *Keyer) Len() int { return partBytes * (3 + k.options.Places) }

// Append appends the world's key.
func (k *Keyer) Append(buf []byte, w *World, s Sender) []byte {
	buf, _ = k.AppendBoth(buf, nil, w, s)
	return buf
}

// AppendBoth appends the world's key to one buffer, and what AppendView appends to another one.
func (k *Keyer) AppendBoth(buf, view []byte, w *World, s Sender) (key, seen []byte) {
	r := k.row(w, s)
	r.sent(s.Issued)
	view = r.finish(view, r.numbered(), 0)
	r.holds(s.Holds)
	if s.Begun != "" {
		r.number(r.text(s.Begun))
	}
	r.add(byte(len(s.Send)))
	for i := range s.Send {
		r.action(&s.Send[i])
	}
	if s.Late != nil {
		r.action(s.Late)
	}
	executor := r.part()
	r.hidden()
	return r.finish(buf, executor, r.part()), view
}

// AppendView appends the part of the key that a plan is made from: worlds whose views have one key have the same plan
// but for names, UIDs, versions and instants. It has the length of a key.
func (k *Keyer) AppendView(buf []byte, w *World, s Sender) []byte {
	r := k.row(w, s)
	r.sent(s.Issued)
	return r.finish(buf, r.part(), 0)
}

// row writes one key.
type row struct {
	*Keyer
	w      *World
	sender Sender
	buf    []byte
	places []place
	ids    []uint32
}

// place is one node with the Pods of the rollout that it has, or that a cache still shows, in the order of their making.
type place struct {
	node  *node
	pods  []*pod
	order instants
}

// row begins a key; there is one at a time, so that they share their lists.
func (k *Keyer) row(w *World, s Sender) *row {
	r := &k.scratch
	r.Keyer, r.w, r.sender, r.buf, r.ids = k, w, s, r.buf[:0], r.ids[:0]
	r.gather()
	since := r.sets()
	r.ids = append(r.ids, r.part())
	for i := range r.places {
		r.place(&r.places[i], since)
		r.ids = append(r.ids, r.part())
	}
	r.fold()
	return r
}

// gather lists the places in the order of names.
func (r *row) gather() {
	nodes := r.w.nodes
	if len(r.w.view.nodes) > 0 {
		nodes = slices.Concat(nodes, r.w.view.nodes)
		slices.SortStableFunc(nodes, func(a, b *node) int { return strings.Compare(a.object.Name, b.object.Name) })
	}
	r.places = slices.Grow(r.places[:0], len(nodes))[:len(nodes)]
	for i, n := range nodes {
		p := &r.places[i]
		p.node, p.pods = n, p.pods[:0]
		for _, own := range n.pods {
			if !own.static {
				p.pods = append(p.pods, own)
			}
		}
		for _, gone := range r.w.view.pods {
			if gone.node == n && !gone.static {
				p.pods = append(p.pods, gone)
			}
		}
		slices.SortStableFunc(p.pods, func(a, b *pod) int {
			if x, y := a.base.CreationTimestamp, b.base.CreationTimestamp; !x.Equal(&y) {
				return x.Compare(y.Time)
			}
			return strings.Compare(string(a.base.UID), string(b.base.UID))
		})
	}
}

// numbered returns the number of what is written so far.
func (r *row) numbered() uint32 {
	id, known := r.parts[string(r.buf)]
	if !known {
		id = uint32(len(r.parts)) + 1
		r.parts[string(r.buf)] = id
	}
	return id
}

// part ends a part of the key, and returns its number.
func (r *row) part() uint32 {
	id := r.numbered()
	r.buf = r.buf[:0]
	return id
}

// fold gives the row one number a place: nodes beyond the last place share it.
func (r *row) fold() {
	most := 1 + r.options.Places
	if len(r.ids) > most {
		for _, id := range r.ids[most-1:] {
			r.buf = binary.LittleEndian.AppendUint32(r.buf, id)
		}
		r.ids = append(r.ids[:most-1], r.part())
	}
	for len(r.ids) < most {
		r.ids = append(r.ids, 0)
	}
}

// finish writes the row.
func (r *row) finish(buf []byte, executor, hidden uint32) []byte {
	for _, id := range r.ids {
		buf = binary.LittleEndian.AppendUint32(buf, id)
	}
	buf = binary.LittleEndian.AppendUint32(buf, executor)
	return binary.LittleEndian.AppendUint32(buf, hidden)
}

func (r *row) add(b ...byte)    { r.buf = append(r.buf, b...) }
func (r *row) number(id uint32) { r.buf = binary.LittleEndian.AppendUint32(r.buf, id) }

func flags(list ...bool) (b byte) {
	for i, is := range list {
		if is {
			b |= 1 << i
		}
	}
	return b
}

// uid is the Pod's number on its node: UIDs are compared, and order what was made at one instant.
func (p *place) uid(uid types.UID) byte {
	if uid == "" {
		return 254
	}
	for i, own := range p.pods {
		if own.base.UID == uid {
			return byte(i)
		}
	}
	return 255
}

func (r *row) placeOf(name string) *place {
	for i := range r.places {
		if r.places[i].node.object.Name == name {
			return &r.places[i]
		}
	}
	return nil
}

// shownNode, shownPod and shownSet are the objects that the caches show; nil for none.
func (r *row) shownNode(n *node) *corev1.Node {
	switch {
	case r.w.options.Lagging:
		return n.seen
	case n.gone:
		return nil
	}
	return n.object
}

func (r *row) shownPod(p *pod) *corev1.Pod {
	switch {
	case r.w.options.Lagging:
		return p.seen
	case p.gone:
		return nil
	}
	return r.w.podObject(p)
}

func (r *row) shownSet(s *set) *appsv1.DaemonSet {
	switch {
	case r.w.options.Lagging:
		return s.seen
	case s.gone:
		return nil
	}
	return s.object
}
