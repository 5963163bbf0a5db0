package explore_test

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// keyer writes the key of a state: everything that the world, the planner and the executor can tell apart, and
// nothing else. UIDs become the order of creation on the node, resourceVersions whether a guard still holds, names of
// Pods nothing, and instants the order in which the planner looks at them, with whether the deadline has passed.
type keyer struct {
	keys  model.Keys
	texts map[string]uint16
	specs map[specParts]uint16
	state map[string]model.State
	// restarts is from where on one more makes no difference.
	restarts int32
}

// specParts identify a template or a Pod spec: objects are never changed in place.
type specParts struct {
	containers *corev1.Container
	affinity   *corev1.Affinity
	notes      uintptr
	rolling    *appsv1.RollingUpdateDaemonSet
	kind       appsv1.DaemonSetUpdateStrategyType
}

// observedSpec is the spec that a DaemonSet's controller acts upon.
type observedSpec struct {
	set  types.UID
	spec uint16
}

func newKeyer(keys model.Keys, maxRestarts int32) keyer {
	return keyer{keys, map[string]uint16{}, map[specParts]uint16{}, map[string]model.State{}, maxRestarts + 1}
}

func (k *keyer) text(s string) uint16 {
	id, ok := k.texts[s]
	if !ok {
		if id = uint16(len(k.texts)); len(k.texts) > math.MaxUint16 {
			panic("more texts than the key has numbers for")
		}
		k.texts[s] = id
	}
	return id
}

func (k *keyer) spec(spec *corev1.PodSpec, notes map[string]string, strategy *appsv1.DaemonSetUpdateStrategy) uint16 {
	parts := specParts{&spec.Containers[0], spec.Affinity, reflect.ValueOf(notes).Pointer(), nil, ""}
	if strategy != nil {
		parts.rolling, parts.kind = strategy.RollingUpdate, strategy.Type
	}
	id, ok := k.specs[parts]
	if !ok {
		text, err := json.Marshal([]any{spec, notes, strategy})
		if err != nil { // the types have no field that cannot be written
			panic(err)
		}
		id = k.text(string(text))
		k.specs[parts] = id
	}
	return id
}

// observe keeps which spec the controller of the set acts upon from now on: no API object tells.
func (k *keyer) observe(s *state, set string) {
	for _, object := range s.asItIs().DaemonSets() {
		if object.Namespace+"/"+object.Name == set {
			s.observed[slotIndex(object.Name)] = observedSpec{object.UID, k.setSpec(object)}
		}
	}
}

func slotIndex(object string) int {
	if slotOf(object) == model.Green.String() {
		return 1
	}
	return 0
}

func (k *keyer) setSpec(object *appsv1.DaemonSet) uint16 {
	return k.spec(&object.Spec.Template.Spec, object.Spec.Template.Annotations, &object.Spec.UpdateStrategy)
}

// Key writes the state.
func (m *rollout) Key(s *state, buf []byte) []byte {
	w := &writer{keyer: &m.keyer, s: s, buf: buf, truth: s.asItIs(), view: s.asSeen()}
	w.add(byte(s.desired), byte(s.faults), byte(s.crashes), flags(s.listed, s.broken != nil, s.late != nil, s.run > 0))
	w.number()
	w.cluster(w.truth)
	w.notes(s.owner)
	w.hidden()
	if w.view != w.truth {
		w.add('v')
		w.cluster(w.view)
		w.stale()
	}
	w.actions(s)
	return w.buf
}

// viewKey writes what a plan is made from.
func (m *rollout) viewKey(s *state) []byte {
	w := &writer{keyer: &m.keyer, s: s, truth: s.asSeen(), view: s.asSeen(), bare: true}
	w.add(byte(s.desired), flags(s.listed))
	w.number()
	w.cluster(w.view)
	w.notes(s.owner)
	w.actions(&state{issued: s.issued})
	return w.buf
}

// writer writes one key.
type writer struct {
	*keyer
	s           *state
	buf         []byte
	truth, view *model.Cluster
	uids        []types.UID // of all Pods, by node and creation
	nodes       []instants  // of the truth
	bare        bool        // only what the API shows
}

func (w *writer) add(b ...byte)   { w.buf = append(w.buf, b...) }
func (w *writer) add16(id uint16) { w.add(byte(id), byte(id>>8)) }

func flags(list ...bool) (b byte) {
	for i, is := range list {
		b |= bit(is) << i
	}
	return b
}

// number gives every Pod of the truth and of the view its number. UIDs count up, so that their order is that of creation.
func (w *writer) number() {
	for i := range w.truth.Len() {
		begin := len(w.uids)
		for _, pod := range w.truth.Pods(i) {
			w.uids = append(w.uids, pod.UID)
		}
		if w.view != w.truth && i < w.view.Len() {
			for _, pod := range w.view.Pods(i) {
				if !slices.Contains(w.uids[begin:], pod.UID) {
					w.uids = append(w.uids, pod.UID)
				}
			}
		}
		slices.Sort(w.uids[begin:])
	}
}

func (w *writer) uid(uid types.UID) byte {
	if uid == "" {
		return 254
	}
	if at := slices.Index(w.uids, uid); at >= 0 {
		return byte(at)
	}
	return 255
}

func (w *writer) cluster(c *model.Cluster) {
	var since time.Time
	var sequence [2]int64
	for _, set := range c.DaemonSets() {
		state := w.set(set)
		sequence[slotIndex(set.Name)] = state.Sequence
		if state.Return != nil {
			since = state.Return.Since.Time
		}
	}
	w.add(byte(cmp.Compare(sequence[0], sequence[1])))
	for i := range c.Len() {
		w.node(c.Node(i), c.Pods(i), since)
	}
}

func (w *writer) set(set *appsv1.DaemonSet) model.State {
	w.add('s', byte(slotIndex(set.Name)), flags(set.DeletionTimestamp != nil, set.Status.ObservedGeneration == set.Generation))
	w.add16(w.setSpec(set))
	state := w.parsed(set.Annotations[w.keys.State])
	w.notes(set.Annotations, w.keys.State)
	w.add16(w.text(timeless(state)))
	w.notes(map[string]string{"finalizers": joined(set.Finalizers)})
	return state
}

func (k *keyer) parsed(text string) model.State {
	state, known := k.state[text]
	if !known {
		var err error
		if state, err = model.ParseState(text); err != nil {
			panic(err) // the planner wrote it
		}
		k.state[text] = state
	}
	return state
}

// timeless is the state without its instants and its sequence: the writer has them where their order matters.
func timeless(s model.State) string {
	s.Sequence, s.TargetSince = 0, nil
	if s.Return != nil {
		returned := *s.Return
		returned.Since = metav1.Time{}
		s.Return = &returned
	}
	if s.Failed != nil {
		failed := *s.Failed
		failed.Since, failed.Detail = metav1.Time{}, ""
		s.Failed = &failed
	}
	return s.Text()
}

// notes writes a map but some keys.
func (w *writer) notes(values map[string]string, but ...string) {
	sorted := make([]uint16, 0, len(values))
	for key, value := range values {
		if !slices.Contains(but, key) {
			sorted = append(sorted, w.text(key+"="+value))
		}
	}
	slices.Sort(sorted)
	w.add(byte(len(sorted)))
	for _, id := range sorted {
		w.add16(id)
	}
}

func joined(list []string) (text string) {
	for _, item := range list {
		text += item + ","
	}
	return text
}

func (w *writer) node(node *corev1.Node, pods []*corev1.Pod, since time.Time) {
	moved := model.ParseMoved(node.Annotations[w.keys.NodeMoved])
	fence := node.Annotations[w.keys.NodeFence]
	w.add('n', flags(moved.Paid, fence != "", fence == runID(w.s.run), node.Spec.Unschedulable), w.uid(types.UID(node.Annotations[w.keys.NodeCandidate])))
	w.notes(node.Labels)
	taints := ""
	for _, taint := range node.Spec.Taints {
		taints += taint.Key + taint.Value + string(taint.Effect)
	}
	w.add16(w.text(taints))
	order := instants{now: w.s.now}
	order.marks = append(order.marks, moved.At)
	w.add(flags(moved.At.Before(since)))
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			w.add16(w.text(string(c.Status)))
			order.list = append(order.list, c.LastTransitionTime.Time)
		}
	}
	pods = slices.Clone(pods)
	slices.SortFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.UID, b.UID) })
	holders := w.s.world.Holders(node.Name)
	for _, pod := range pods {
		if slotOwner(pod) != "" {
			w.pod(pod, &order)
			for _, h := range holders {
				if !w.bare && h.Pod == pod.Namespace+"/"+pod.Name {
					w.add16(w.text(h.Component))
				}
			}
		}
	}
	w.buf = order.append(w.buf)
	w.nodes = append(w.nodes, order)
}

func slotOwner(pod *corev1.Pod) string {
	if pod.GenerateName == "" {
		return ""
	}
	return slotOf(pod.Name)
}

func (w *writer) pod(pod *corev1.Pod, order *instants) {
	ready, since := model.ReadySince(pod)
	message, refused := model.Unschedulable(pod)
	w.add('p', w.uid(pod.UID), flags(slotIndex(pod.Name) == 1, model.ControllerUID(pod) == "", model.Bound(pod), pod.DeletionTimestamp != nil, ready, refused))
	w.add16(w.spec(&pod.Spec, pod.Annotations, nil))
	w.add16(w.text(string(pod.Status.Phase) + message))
	order.marks = append(order.marks, pod.CreationTimestamp.Time)
	if !ready {
		order.list = append(order.list, since)
	}
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		reason := ""
		if c.State.Waiting != nil {
			reason = c.State.Waiting.Reason
		}
		w.add(flags(c.State.Running != nil, c.State.Terminated != nil, c.Started != nil && *c.Started, c.Ready), byte(min(c.RestartCount, w.restarts)))
		w.add16(w.text(reason))
		if end := c.LastTerminationState.Terminated; end != nil && c.RestartCount > 0 {
			order.list = append(order.list, end.FinishedAt.Time)
		}
	}
}

// hidden writes what the API does not tell.
func (w *writer) hidden() {
	for _, set := range w.truth.DaemonSets() {
		o := &w.s.observed[slotIndex(set.Name)]
		w.add(flags(o.set == set.UID))
		w.add16(o.spec)
	}
	for _, t := range w.s.world.Enabled(w.s.now) {
		w.add(byte(t.Kind))
	}
}

// stale writes which objects of the view are not the newest.
func (w *writer) stale() {
	for i := range w.view.Len() {
		n, ok := w.truth.Find(w.view.Node(i).Name)
		w.add(flags(ok && w.truth.Node(n).ResourceVersion == w.view.Node(i).ResourceVersion))
	}
	for _, set := range w.view.DaemonSets() {
		now := w.truth.DaemonSet(set.Namespace, set.Name)
		w.add(flags(now != nil && now.UID == set.UID, now != nil && now.Generation == set.Generation))
	}
}
