package world

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// sinces are instants of the record that the planner compares with those of nodes.
type sinces struct {
	returned, target time.Time
	// others are compared with when Pods were made, and when their containers ended.
	others []time.Time
	// canary says that such an end may become one of them.
	canary bool
	// emptied are the nodes that the rollout on one DaemonSet has emptied.
	emptied model.Emptied
}

// read takes the instants of one half of the record; the second half's go before the first one's.
func (i *sinces) read(state *model.State) {
	if state.Return != nil {
		i.returned = state.Return.Since.Time
	}
	if state.TargetSince != nil {
		i.target = state.TargetSince.Time
	}
	i.add(state.HandedOver)
	if state.Forgiven != nil {
		i.add(&state.Forgiven.Since)
	}
	if c := state.Canary; c != nil {
		i.canary = true
		i.add(c.LastRestart)
	}
}

func (i *sinces) add(at *metav1.Time) {
	if at != nil && !slices.ContainsFunc(i.others, at.Time.Equal) {
		i.others = append(i.others, at.Time)
	}
}

// sets writes the DaemonSets and the owner as they are shown.
func (r *row) sets() (since sinces) {
	var sequences []int64
	for _, s := range r.everySet() {
		object := r.shownSet(s)
		if object == nil {
			continue
		}
		state := r.set(s, object)
		if !s.member {
			continue
		}
		sequences = append(sequences, state.Sequence)
		since.read(&state.State)
		r.recordAges(&state.State)
		if f := state.Forgiven; f != nil {
			for _, age := range r.options.Ages {
				since.add(&metav1.Time{Time: f.Since.Add(-age)})
			}
		}
		if emptied, err := model.ParseEmptied(object.Annotations[r.keys.Emptied]); err == nil {
			since.emptied = emptied
		}
	}
	for i := 1; i < len(sequences); i++ {
		r.add(byte(cmp.Compare(sequences[0], sequences[i])))
	}
	annotations := r.w.owner.annotations
	if r.w.options.Lagging {
		annotations = r.w.owner.seen
	}
	r.number(r.notes(annotations))
	return since
}

// recordAges writes the ages of a state's instants that nothing on a node is compared with, and which lie between a canary's
// first restart and its last one.
func (r *row) recordAges(state *model.State) {
	if state.TargetSince != nil {
		r.age(state.TargetSince.Time)
	}
	if f := state.Forgiven; f != nil && state.TargetSince != nil {
		order := r.instants()
		r.add(order.reached(f.Since.Sub(state.TargetSince.Time)))
	}
	c := state.Canary
	if c == nil {
		return
	}
	r.age(c.Begun.Time)
	if c.Since != nil {
		r.age(c.Since.Time)
	}
	if c.FirstRestart != nil && c.LastRestart != nil {
		order := r.instants()
		r.add(order.reached(c.LastRestart.Sub(c.FirstRestart.Time)))
	}
}

// everySet are the DaemonSets that are there, and those that a cache still shows.
func (r *row) everySet() []*set {
	if len(r.w.view.sets) == 0 {
		return r.w.sets
	}
	all := slices.Concat(r.w.sets, r.w.view.sets)
	sortSets(all)
	return all
}

func (r *row) set(s *set, object *appsv1.DaemonSet) stateText {
	r.add('s')
	r.number(r.text(s.name()))
	r.add(flags(object.DeletionTimestamp != nil, object.Status.ObservedGeneration == object.Generation, s.member))
	r.number(r.setSpec(&object.Spec))
	state := r.state(object.Annotations[r.keys.State])
	r.number(r.notes(object.Annotations))
	r.number(state.timeless)
	r.number(r.text(strings.Join(object.Finalizers, ",")))
	r.edited(s, object, object.Annotations[r.keys.Edited])
	r.dated(object)
	if !r.w.options.NoStatusCounts {
		status := &object.Status
		for _, count := range [...]int32{status.CurrentNumberScheduled, status.NumberMisscheduled, status.DesiredNumberScheduled,
			status.NumberReady, status.UpdatedNumberScheduled, status.NumberAvailable} {
			r.number(uint32(count))
		}
	}
	return state
}

// dated writes what a DaemonSet's annotations say with an instant, and those that nothing on a node is compared with. What cannot be
// read is a text.
func (r *row) dated(object *appsv1.DaemonSet) {
	written, noted := model.ParseWritten(object.Annotations[r.keys.Written])
	r.add(flags(noted, written.Generation == object.Generation))
	r.age(written.At)
	r.nudged(object.Annotations[r.keys.Nudged])
	r.emptied(object.Annotations[r.keys.Emptied])
}

func (r *row) nudged(value string) {
	at, err := time.Parse(time.RFC3339, value)
	r.add(flags(value != "", err == nil))
	r.age(at)
}

// emptied writes the names of the nodes and whether each was paid; when, the nodes tell.
func (r *row) emptied(value string) {
	emptied, err := model.ParseEmptied(value)
	text := value
	if err == nil {
		text = ""
		for _, node := range slices.Sorted(maps.Keys(emptied)) {
			text += fmt.Sprintf("%s %t\n", node, emptied[node].Paid)
		}
	}
	r.number(r.text(text))
}

// place writes a node with its Pods as they are shown.
func (r *row) place(p *place, since sinces) {
	p.order = instants{now: r.sender.Now, right: r.sender.True, ages: r.options.Ages, marks: append(p.order.marks[:0], since.others...), list: p.order.list[:0]}
	if object := r.shownNode(p.node); object != nil {
		r.node(p, object, &p.order, since)
	}
	for i, own := range p.pods {
		if object := r.shownPod(own); object != nil {
			r.add('p', byte(i))
			r.pod(own, object, &p.order, since)
		}
	}
	r.buf = p.order.append(r.buf)
}

func (r *row) node(p *place, object *corev1.Node, order *instants, since sinces) {
	text := r.nodeText(object)
	r.add('n', flags(text.moved.Paid, text.fence != "", text.fence == r.sender.Run, object.Spec.Unschedulable, text.moved.At.Before(since.returned),
		object.DeletionTimestamp != nil))
	r.add(p.uid(text.candidate))
	for _, id := range text.numbers {
		r.number(id)
	}
	r.age(object.CreationTimestamp.Time)
	order.marks = append(order.marks, text.moved.At)
	if moved := since.emptied.Of(object); !moved.At.IsZero() {
		order.marks = append(order.marks, moved.At)
	}
	for i := range object.Status.Conditions {
		if c := &object.Status.Conditions[i]; c.Type == corev1.NodeReady {
			order.list = append(order.list, c.LastTransitionTime.Time)
		}
	}
}

func (r *row) pod(own *pod, object *corev1.Pod, order *instants, since sinces) {
	ready, readySince := model.ReadySince(object)
	message, refused := model.Unschedulable(object)
	slot, gone := r.slotOf(own)
	r.add(slot, flags(gone, model.ControllerUID(object) == "", model.Bound(object), object.DeletionTimestamp != nil, ready, refused,
		object.CreationTimestamp.Time.Before(since.target), len(object.Finalizers) > 0))
	r.number(r.podSpec(object))
	r.number(r.notes(object.Labels))
	r.number(r.text(string(object.Status.Phase) + object.Status.Reason + message))
	order.marks = append(order.marks, object.CreationTimestamp.Time)
	if ready {
		r.age(readySince)
	} else {
		order.list = append(order.list, readySince)
	}
	for _, list := range [...][]corev1.ContainerStatus{object.Status.InitContainerStatuses, object.Status.ContainerStatuses} {
		for i := range list {
			r.container(&list[i], order, since)
		}
	}
	r.rested(object.Status.ContainerStatuses)
}

// rested writes whether a Pod has rested since its last container ended.
func (r *row) rested(list []corev1.ContainerStatus) {
	var last time.Time
	for i := range list {
		if end := list[i].LastTerminationState.Terminated; end != nil && end.FinishedAt.After(last) {
			last = end.FinishedAt.Time
		}
	}
	if r.options.Rest > 0 && !last.IsZero() {
		order := instants{now: r.sender.Now, right: r.sender.True, ages: []time.Duration{r.options.Rest}}
		r.buf = order.age(r.buf, last)
	}
}

// slotOf is the place of the Pod's DaemonSet among all; of one that is gone, or of none, its former name tells.
func (r *row) slotOf(p *pod) (slot byte, gone bool) {
	for i, s := range r.w.sets {
		if s == p.set {
			return byte(i), false
		}
	}
	for i, s := range r.w.sets {
		if strings.TrimSuffix(p.base.GenerateName, "-") == s.object.Name {
			return byte(i), true
		}
	}
	return 255, true
}

func (r *row) container(c *corev1.ContainerStatus, order *instants, since sinces) {
	reason := ""
	switch {
	case c.State.Waiting != nil:
		reason = c.State.Waiting.Reason
	case c.State.Terminated != nil:
		reason = c.State.Terminated.Reason
	}
	r.add(flags(c.State.Running != nil, c.State.Terminated != nil, c.Started != nil && *c.Started, c.Ready, c.LastTerminationState.Terminated != nil),
		byte(min(c.RestartCount, r.options.Restarts)))
	r.number(r.text(reason))
	switch end := c.LastTerminationState.Terminated; {
	case end == nil || c.RestartCount == 0:
	case since.canary:
		order.marks = append(order.marks, end.FinishedAt.Time)
	default:
		order.list = append(order.list, end.FinishedAt.Time)
	}
}

// age writes which ages an instant has reached.
func (r *row) age(t time.Time) {
	order := r.instants()
	r.buf = order.age(r.buf, t)
}

func (r *row) instants() instants {
	return instants{now: r.sender.Now, right: r.sender.True, ages: r.options.Ages}
}

// instants are those of one node. The planner compares what happened to a Pod or a Node with when the label was written and
// when Pods were made, and never with each other: only that order is written.
type instants struct {
	now   time.Time // by the executor's clock
	right time.Time // by a right one
	ages  []time.Duration
	marks []time.Time // the label's writing and the Pods' making
	list  []time.Time
}

func (o *instants) append(buf []byte) []byte {
	for _, list := range [...][]time.Time{o.marks, o.list} {
		for _, t := range list {
			buf = o.age(o.among(t, buf), t)
		}
	}
	return buf
}

// age writes how many of the ages have passed; 255 says that the instant is in the future. Of a wrong clock it does so twice: the
// clock may be set right.
func (o *instants) age(buf []byte, t time.Time) []byte {
	buf = append(buf, o.reached(o.now.Sub(t)))
	if drift := o.now.Sub(o.right); drift < 0 || drift > mostTick {
		buf = append(buf, o.reached(o.right.Sub(t)))
	}
	return buf
}

// mostTick is how far a right clock may be ahead of what has happened last.
const mostTick = time.Second

func (o *instants) reached(passed time.Duration) byte {
	if passed < 0 {
		return 255
	}
	reached := byte(0)
	for _, age := range o.ages {
		if passed >= age {
			reached++
		}
	}
	return reached
}

// among writes how many of the marks lie before, and how many not after the one.
func (o *instants) among(t time.Time, buf []byte) []byte {
	before, until := byte(0), byte(0)
	for _, mark := range o.marks {
		if mark.Before(t) {
			before++
		}
		if !mark.After(t) {
			until++
		}
	}
	return append(buf, before, until)
}

// future writes the order of an instant that is yet to be written on the node.
func (o *instants) future(t time.Time, buf []byte) []byte {
	buf = o.among(t, buf)
	for _, other := range o.list {
		buf = append(buf, flags(other.After(t)))
	}
	return o.age(buf, t)
}
