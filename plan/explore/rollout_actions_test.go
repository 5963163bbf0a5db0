package explore_test

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// instants are those of one node. The planner compares what happened to a Pod or a Node with when the label was written and
// when Pods were made, and never with each other: only that order is written.
type instants struct {
	now   time.Time
	marks []time.Time // the label's writing and the Pods' making
	list  []time.Time
}

// append writes the order, and which have passed the deadline.
func (o *instants) append(buf []byte) []byte {
	for _, list := range [...][]time.Time{o.marks, o.list} {
		for _, t := range list {
			buf = o.among(o.marks, t, buf)
			buf = append(buf, bit(o.now.Sub(t) >= deadline*time.Second))
		}
	}
	return buf
}

// among writes how many of the instants lie before, and how many not after the one.
func (o *instants) among(list []time.Time, t time.Time, buf []byte) []byte {
	before, until := byte(0), byte(0)
	for _, other := range list {
		before += bit(other.Before(t))
		until += bit(!other.After(t))
	}
	return append(buf, before, until)
}

// future writes the order of an instant that is yet to be written on the node.
func (o *instants) future(t time.Time, buf []byte) []byte {
	buf = o.among(o.marks, t, buf)
	for _, other := range o.list {
		buf = append(buf, bit(other.After(t)))
	}
	return buf
}

// actions writes what the executor has sent and is yet to send.
func (w *writer) actions(s *state) {
	w.add(byte(len(s.issued)))
	for i := range s.issued {
		w.action(&s.issued[i].Action)
	}
	w.add(byte(len(s.send)))
	for i := range s.send {
		w.action(&s.send[i])
	}
	if s.late != nil {
		w.action(s.late)
	}
}

func (w *writer) action(a *model.Action) {
	w.add16(w.text(word(a) + a.Cost.Seat + a.Write.Object.Kind))
	uid, version, generation, notes, labels := w.written(a)
	write := &a.Write
	w.add(flags(uid == write.Object.UID, write.Create != nil, write.Delete != nil))
	switch {
	case write.Create != nil:
		w.add(byte(slotIndex(write.Create.Name)))
		w.add16(w.setSpec(write.Create))
		w.notes(write.Create.Annotations, w.keys.State)
		w.add16(w.text(timeless(w.parsed(write.Create.Annotations[w.keys.State]))))
	case write.Delete != nil:
		w.add(w.uid(write.Object.UID))
	default:
		p := write.Patch
		w.add(byte(slotIndex(write.Object.Name)), flags(p.ResourceVersion == "", p.ResourceVersion == version, p.Generation == 0, p.Generation == generation))
		if p.Spec != nil {
			w.add16(w.spec(&p.Spec.Template.Spec, p.Spec.Template.Annotations, &p.Spec.UpdateStrategy))
		}
		w.edits(a.Node, p.Labels, labels)
		w.edits(a.Node, p.Annotations, notes)
	}
}

// written is the object that an action writes, as it is.
func (w *writer) written(a *model.Action) (uid types.UID, version string, generation int64, notes, labels map[string]string) {
	ref := &a.Write.Object
	var object metav1.Object
	switch ref.Kind {
	case "Node":
		if n, ok := w.truth.Find(ref.Name); ok {
			object = w.truth.Node(n)
		}
	case "DaemonSet":
		if set := w.truth.DaemonSet(ref.Namespace, ref.Name); set != nil {
			object = set
		}
	case "Pod":
		n, _ := w.truth.Find(a.Node)
		if i := slices.IndexFunc(w.truth.Pods(n), func(p *corev1.Pod) bool { return p.Name == ref.Name }); i >= 0 {
			object = w.truth.Pods(n)[i]
		}
	default:
		return ref.UID, "", 0, nil, nil
	}
	if object == nil {
		return "", "", 0, nil, nil
	}
	return object.GetUID(), object.GetResourceVersion(), object.GetGeneration(), object.GetAnnotations(), object.GetLabels()
}

func (w *writer) edits(node string, edits []model.Edit, now map[string]string) {
	for _, edit := range edits {
		value, ok := now[edit.Key]
		w.add16(w.text(edit.Key))
		w.add(flags(ok == (edit.From != nil) && (!ok || value == *edit.From)))
		w.value(node, edit.Key, edit.From)
		w.value(node, edit.Key, edit.To)
	}
}

func (w *writer) value(node, key string, value *string) {
	if value == nil {
		w.add(0)
		return
	}
	w.add(1)
	switch key {
	case w.keys.State:
		state := w.parsed(*value)
		w.add16(w.text(timeless(state)))
		for i := range w.truth.Len() {
			moved := model.ParseMoved(w.truth.Node(i).Annotations[w.keys.NodeMoved])
			w.add(flags(state.Return != nil && moved.At.Before(state.Return.Since.Time)))
		}
	case w.keys.NodeCandidate:
		w.add(w.uid(types.UID(*value)))
	case w.keys.NodeFence:
		w.add(flags(*value == runID(w.s.run)))
	case w.keys.NodeMoved:
		moved := model.ParseMoved(*value)
		w.add(flags(moved.Paid))
		if n, ok := w.truth.Find(node); ok {
			w.buf = w.nodes[n].future(moved.At, w.buf)
		}
	default:
		w.add16(w.text(*value))
	}
}
