package world

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// sent writes the actions whose effect the caches may not show yet.
func (r *row) sent(issued []model.Issued) {
	r.add(byte(len(issued)))
	for i := range issued {
		r.add(flags(issued[i].Result != nil))
		r.action(&issued[i].Action)
	}
}

// holds writes the requests that wait for a cache, where there are any.
func (r *row) holds(list []Held) {
	if len(list) == 0 {
		return
	}
	r.add(255, byte(len(list)))
	for i := range list {
		h := &list[i]
		for _, ref := range [...]*model.ObjectRef{&h.Object, &h.On} {
			r.number(r.text(ref.Kind))
			if ref.Kind != "Pod" {
				r.number(r.text(ref.Name))
			} else if p := r.placeOf(h.Node); p != nil {
				r.add(p.uid(ref.UID))
			}
		}
		r.add(flags(h.Since.IsZero(), r.shows(h)))
		r.age(h.Since)
	}
}

// shows tells whether the caches still show what the request waits for as it was.
func (r *row) shows(h *Held) bool {
	var object metav1.Object
	switch h.On.Kind {
	case "Node":
		if p := r.placeOf(h.On.Name); p != nil && r.shownNode(p.node) != nil {
			object = r.shownNode(p.node)
		}
	case "DaemonSet":
		for _, s := range slices.Concat(r.w.sets, r.w.view.sets) {
			if seen := r.shownSet(s); seen != nil && seen.Name == h.On.Name && seen.Namespace == h.On.Namespace {
				object = seen
			}
		}
	case "Pod":
		if p := r.placeOf(h.Node); p != nil {
			for _, pod := range p.pods {
				if seen := r.shownPod(pod); seen != nil && seen.Name == h.On.Name && seen.Namespace == h.On.Namespace {
					object = seen
				}
			}
		}
	default:
		return true // the owner: what it waits for is in the key by its annotations
	}
	if object == nil {
		return h.UID == ""
	}
	return object.GetUID() == h.UID && object.GetResourceVersion() == h.Version
}

func (r *row) action(a *model.Action) {
	write := &a.Write
	r.number(r.text(string(a.Kind) + " " + string(a.Reason) + " " + a.Node + " " + string(a.Cost.Seat) + " " + write.Object.Kind))
	if write.Object.Kind != "Pod" { // whose name tells nothing
		r.number(r.text(write.Object.Name))
	}
	object := r.written(a)
	r.add(flags(object != nil && object.GetUID() == write.Object.UID, write.Create != nil, write.Delete != nil))
	switch {
	case write.Create != nil:
		r.number(r.setSpec(&write.Create.Spec))
		r.number(r.notes(write.Create.Annotations))
		r.number(r.state(write.Create.Annotations[r.keys.State]).timeless)
	case write.Delete != nil:
		r.number(r.text(string(write.Delete.Propagation)))
		if p := r.placeOf(a.Node); p != nil {
			r.add(p.uid(write.Object.UID))
		}
	case write.Patch != nil:
		r.patch(a, object)
	}
}

func (r *row) patch(a *model.Action, object metav1.Object) {
	p, version, generation := a.Write.Patch, "", int64(0)
	var labels, annotations map[string]string
	if object != nil {
		version, generation = object.GetResourceVersion(), object.GetGeneration()
		labels, annotations = object.GetLabels(), object.GetAnnotations()
	}
	r.add(flags(p.ResourceVersion == "", p.ResourceVersion == version, p.Generation == 0, p.Generation == generation, p.NoLabels, p.NoAnnotations))
	if p.Spec != nil {
		r.number(r.setSpec(p.Spec))
	}
	r.edits(a, p.Labels, labels)
	r.edits(a, p.Annotations, annotations)
}

// written is the object that an action writes, as it is; nil if it is gone, or is the owner.
func (r *row) written(a *model.Action) metav1.Object {
	ref := &a.Write.Object
	switch ref.Kind {
	case "Node":
		if n := r.w.findNode(ref.Name); n != nil {
			return n.object
		}
	case "DaemonSet":
		if s := r.w.findSet(ref.Namespace + "/" + ref.Name); s != nil {
			return s.object
		}
	case "Pod":
		if p := r.w.findPod(*ref); p != nil {
			return r.w.podObject(p)
		}
	}
	return nil
}

func (r *row) edits(a *model.Action, edits []model.Edit, now map[string]string) {
	for i := range edits {
		edit := &edits[i]
		value, there := now[edit.Key]
		r.number(r.text(edit.Key))
		r.add(flags(there == (edit.From != nil) && (!there || value == *edit.From)))
		r.value(a, edit.Key, edit.From)
		r.value(a, edit.Key, edit.To)
	}
}

func (r *row) value(a *model.Action, key string, value *string) {
	if value == nil {
		r.add(0)
		return
	}
	r.add(1)
	at := r.placeOf(a.Node)
	switch key {
	case r.keys.State:
		r.record(r.state(*value))
	case r.keys.Edited:
		if s := r.w.findSet(a.Write.Object.Namespace + "/" + a.Write.Object.Name); s != nil {
			r.edited(s, s.object, *value)
		}
	case r.keys.NodeCandidate:
		if at != nil {
			r.add(at.uid(types.UID(*value)))
		}
	case r.keys.NodeFence:
		r.add(flags(*value == r.sender.Run))
	case r.keys.NodeMoved:
		moved := model.ParseMoved(*value)
		r.add(flags(moved.Paid))
		if at != nil {
			r.buf = at.order.future(moved.At, r.buf)
		}
	case r.keys.Written:
		written, noted := model.ParseWritten(*value)
		set := r.w.findSet(a.Write.Object.Namespace + "/" + a.Write.Object.Name)
		r.add(flags(noted, set != nil && written.Generation == set.object.Generation, set != nil && written.Generation == set.object.Generation+1))
		r.age(written.At)
	case r.keys.Nudged:
		r.nudged(*value)
	case r.keys.Emptied:
		r.emptied(*value)
		emptied, _ := model.ParseEmptied(*value)
		for i := range r.places {
			p := &r.places[i]
			if moved := emptied[p.node.object.Name]; !moved.At.IsZero() {
				r.buf = p.order.future(moved.At, r.buf)
			}
		}
	default:
		r.number(r.text(*value))
	}
}

// edited writes which of a DaemonSet's template, of what its controller has observed, and of its Pods were made by hand, by a
// value of the annotation, and which of those have the present generation. The generations themselves are numbers that grow
// with every write.
func (r *row) edited(s *set, object *appsv1.DaemonSet, value string) {
	present, list := object.Annotations[appsv1.DeprecatedTemplateGeneration], model.ParseEditedGenerations(value)
	write := func(generation string) {
		r.add(flags(generation == present, slices.Contains(list, generation)))
	}
	write(present)
	if s.observed != nil {
		write(s.observed.generation)
	}
	for i := range r.places {
		for _, p := range r.places[i].pods {
			if p.set == s {
				write(p.base.Labels[model.PodTemplateGeneration])
			}
		}
	}
}

// record writes a state that is yet to be written, with the order of its instants among those of the nodes.
func (r *row) record(state stateText) {
	r.number(state.timeless)
	var since sinces
	since.read(&state.State)
	r.recordAges(&state.State)
	for i := range r.places {
		order := &r.places[i].order
		for _, mark := range order.marks {
			r.add(flags(before(mark, since.returned), before(mark, since.target)))
		}
		for _, at := range since.others {
			r.buf = order.future(at, r.buf)
		}
	}
}

func before(t, instant time.Time) bool { return !instant.IsZero() && t.Before(instant) }
