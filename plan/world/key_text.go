package world

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// text numbers a text.
func (k *Keyer) text(s string) uint32 {
	id, known := k.texts[s]
	if !known {
		id = uint32(len(k.texts)) + 1
		k.texts[strings.Clone(s)] = id
	}
	return id
}

// remembered is how many specs and maps are known by their address before all are forgotten: the numbers of their texts
// stay, so that nothing but time is lost.
const remembered = 1 << 13

// specParts tell a template from others without reading it: objects are never changed in place.
type specParts struct {
	containers *corev1.Container
	affinity   *corev1.Affinity
	notes      uintptr
	rolling    *appsv1.RollingUpdateDaemonSet
	kind       appsv1.DaemonSetUpdateStrategyType
}

// specText keeps the map alive whose address is in the parts, so that no other one gets it.
type specText struct {
	id    uint32
	notes map[string]string
}

func (k *Keyer) setSpec(spec *appsv1.DaemonSetSpec) uint32 {
	return k.spec(&spec.Template.Spec, spec.Template.Annotations, spec.Template.Spec.Affinity, &spec.UpdateStrategy)
}

// podSpec leaves the affinity out: the controller has replaced it by the node's name.
func (k *Keyer) podSpec(pod *corev1.Pod) uint32 { return k.spec(&pod.Spec, pod.Annotations, nil, nil) }

func (k *Keyer) spec(spec *corev1.PodSpec, notes map[string]string, affinity *corev1.Affinity, strategy *appsv1.DaemonSetUpdateStrategy) uint32 {
	if len(spec.Containers) == 0 {
		return 0
	}
	parts := specParts{containers: &spec.Containers[0], affinity: affinity, notes: reflect.ValueOf(notes).Pointer()}
	if strategy != nil {
		parts.rolling, parts.kind = strategy.RollingUpdate, strategy.Type
	}
	known, ok := k.specs[parts]
	if ok {
		return known.id
	}
	if len(k.specs) >= remembered {
		clear(k.specs)
	}
	own := *spec
	own.Affinity, own.NodeName = affinity, ""
	known = specText{k.text(marshalled([]any{&own, notes, strategy})), notes}
	k.specs[parts] = known
	return known.id
}

// marshalled is the JSON of API types, which have no field that cannot be written.
func marshalled(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// mapText keeps a map alive while its address stands for it.
type mapText struct {
	id     uint32
	values map[string]string
}

// notes numbers a map of labels or annotations, without those that have a place of their own in the key.
func (k *Keyer) notes(values map[string]string) uint32 {
	if len(values) == 0 {
		return 0
	}
	at := reflect.ValueOf(values).Pointer()
	known, ok := k.maps[at]
	if ok {
		return known.id
	}
	if len(k.maps) >= remembered {
		clear(k.maps)
	}
	list := make([]string, 0, len(values))
	for key, value := range values {
		switch key {
		case k.keys.State, k.keys.NodeCandidate, k.keys.NodeMoved, k.keys.NodeFence, k.keys.Edited, k.keys.Written, k.keys.Nudged, k.keys.Emptied,
			model.PodTemplateGeneration, appsv1.DeprecatedTemplateGeneration:
		default:
			list = append(list, key+"="+value)
		}
	}
	slices.Sort(list)
	known = mapText{k.text(strings.Join(list, "\n")), values}
	k.maps[at] = known
	return known.id
}

// nodeText is what a node says by itself, read once: name, labels, annotations, and scenery are numbers of texts.
type nodeText struct {
	moved     model.Moved
	fence     string
	candidate types.UID
	numbers   [4]uint32
}

func (k *Keyer) nodeText(object *corev1.Node) nodeText {
	known, ok := k.nodes[object]
	if ok {
		return known
	}
	if len(k.nodes) >= remembered {
		clear(k.nodes)
	}
	known = nodeText{
		moved:     model.ParseMoved(object.Annotations[k.keys.NodeMoved]),
		fence:     object.Annotations[k.keys.NodeFence],
		candidate: types.UID(object.Annotations[k.keys.NodeCandidate]),
		numbers:   [...]uint32{k.text(object.Name), k.notes(object.Labels), k.notes(object.Annotations), k.text(scenery(object))},
	}
	k.nodes[object] = known
	return known
}

// scenery is what a planner reads of a node that no rollout writes.
func scenery(object *corev1.Node) string {
	var text strings.Builder
	for _, taint := range object.Spec.Taints {
		text.WriteString(taint.Key + "=" + taint.Value + ":" + string(taint.Effect) + "\n")
	}
	for i := range object.Status.Conditions {
		c := &object.Status.Conditions[i]
		text.WriteString(string(c.Type) + "=" + string(c.Status) + "\n")
	}
	for _, kind := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods} {
		quantity := object.Status.Allocatable[kind]
		text.WriteString(quantity.String() + "\n")
	}
	return text.String()
}

// stateText is a state that was read, with the number of what it says without its instants.
type stateText struct {
	model.State
	timeless uint32
}

func (k *Keyer) state(text string) stateText {
	known, ok := k.states[text]
	if ok {
		return known
	}
	if len(k.states) >= remembered {
		clear(k.states)
	}
	state, err := model.ParseState(text)
	if err != nil {
		state = model.State{Proven: text} // not readable: the plan is Blocked, and says what it could not read
	}
	known = stateText{state, k.text(timeless(state))}
	k.states[text] = known
	return known
}

// timeless is the state without its instants and its sequence: the key has them where their order matters.
func timeless(s model.State) string {
	s.Sequence = 0
	s.TargetSince = zeroed(s.TargetSince)
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
	s.HandedOver = zeroed(s.HandedOver)
	if s.Forgiven != nil {
		forgiven := *s.Forgiven
		forgiven.Since = metav1.Time{}
		s.Forgiven = &forgiven
	}
	if s.Canary != nil {
		canary := *s.Canary
		canary.Begun, canary.Detail = metav1.Time{}, ""
		canary.FirstRestart, canary.LastRestart, canary.Since = zeroed(canary.FirstRestart), zeroed(canary.LastRestart), zeroed(canary.Since)
		s.Canary = &canary
	}
	return s.Text()
}

// zeroed tells only that there is an instant.
func zeroed(at *metav1.Time) *metav1.Time {
	if at == nil {
		return nil
	}
	return new(metav1.Time)
}
