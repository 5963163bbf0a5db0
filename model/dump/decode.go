package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"

	"github.com/agent-rollout/planner/model"
)

// listKinds are the kinds with items, and the kind that an item has if it says none, as in the API's own answers.
var listKinds = map[string]typeMeta{
	"List":          {},
	"NodeList":      {"v1", "Node"},
	"PodList":       {"v1", "Pod"},
	"DaemonSetList": {"apps/v1", "DaemonSet"},
}

func isList(kind string) bool {
	_, ok := listKinds[kind]
	return ok
}

// decoded is one object of exactly one kind, or its faults.
type decoded struct {
	node    *corev1.Node
	pod     *corev1.Pod
	set     *appsv1.DaemonSet
	rollout *rolloutDocument
	other   Other  // of a kind that is not read
	skipped string // how it is counted
	looks   string // how it is named if no Rollout is found
	faults  []fault
	broken  bool // the text is no JSON, or no YAML
}

// decodeAll decodes the items on all processors. It stops at one that is broken, and returns false.
func decodeAll(items []item) ([]decoded, bool) {
	objects := make([]decoded, len(items))
	whole := each(len(items), func(i int) bool {
		objects[i] = decode(items[i])
		items[i].source.locate(objects[i].faults)
		items[i].source.text, items[i].converted = nil, nil // what is needed of it is in the object
		return !objects[i].broken
	})
	return objects, whole
}

// decode decodes one object.
func decode(it item) (d decoded) {
	text := it.converted
	if text == nil {
		var err error
		if text, err = it.source.json(); err != nil {
			return decoded{broken: true}
		}
	}
	kind, isObject := typeOf(text)
	if kind == (typeMeta{}) {
		kind = it.implied
	}
	switch kind {
	case typeMeta{"v1", "Node"}:
		if d.node = decodeObject[corev1.Node](text, kind.kind, &d); d.node != nil {
			dropUnreadOfNode(d.node)
		}
		return d
	case typeMeta{"v1", "Pod"}:
		if d.pod = decodeObject[corev1.Pod](text, kind.kind, &d); d.pod != nil {
			dropUnreadOfPod(d.pod)
		}
		return d
	case typeMeta{"apps/v1", "DaemonSet"}:
		if d.set = decodeObject[appsv1.DaemonSet](text, kind.kind, &d); d.set != nil {
			d.set.ManagedFields = nil
		}
		return d
	}
	if !json.Valid(text) {
		return decoded{broken: true}
	}
	if !isObject {
		return decoded{faults: []fault{{text: "is not an object"}}}
	}
	d.decodeOther(it, text, kind)
	return d
}

// decodeOther decodes what is no API object that is read.
func (d *decoded) decodeOther(it item, text []byte, kind typeMeta) {
	d.skipped, d.looks = kind.kind, ""
	group, _, _ := strings.Cut(model.RolloutAPIVersion, "/")
	ours := strings.HasPrefix(kind.apiVersion+"/", group+"/")
	switch {
	case kind.kind == "":
		d.faultf("has no kind%s", withoutKind(text))
	case ours && kind.kind == model.RolloutKind:
		d.rollout, d.faults = decodeRollout(it, text)
	case kind.kind == "Table":
		d.faultf("is a Table, what kubectl prints for people, and no object: ask with -o json or -o yaml")
	case kind.kind == "Status" && kind.apiVersion == "v1":
		d.faultf("is a Status, an answer of the API server instead of objects: %s", stringField(text, "message"))
	case isList(kind.kind):
		d.faultf("is a %s within a list: give its items by themselves", kind.kind)
	case strings.HasSuffix(kind.kind, "List") && countItems(text) >= 0:
		d.skipped = fmt.Sprintf("%s of %d", kind.kind, countItems(text))
	case kind.kind == "Node", kind.kind == "Pod", kind.kind == "DaemonSet":
		// Another version of a kind that is read: name it in full.
		d.skipped = strings.TrimSpace(kind.apiVersion + " " + kind.kind)
	default:
		if ours || kind.kind == model.RolloutKind {
			d.looks = strings.TrimSpace(fmt.Sprintf("%s of %s", kind.kind, kind.apiVersion))
		}
		d.other = Other{APIVersion: kind.apiVersion, Kind: kind.kind, text: bytes.Clone(text), source: it.source.kept()}
	}
}

func (d *decoded) faultf(format string, args ...any) {
	d.faults = append(d.faults, fault{text: fmt.Sprintf(format, args...)})
}

// typeOf reads the type that the object says. It stops at it, which kubectl prints first.
func typeOf(text []byte) (t typeMeta, isObject bool) {
	isObject = eachMember(text, func(name string, value []byte) (more bool) {
		switch name {
		case "apiVersion":
			t.apiVersion = plainText(value)
		case "kind":
			t.kind = plainText(value)
		}
		return t.apiVersion == "" || t.kind == ""
	})
	return t, isObject
}

// withoutKind says more of an object that has no kind.
func withoutKind(text []byte) string {
	if countItems(text) >= 0 {
		return ", but items: was the dump cut short?"
	}
	return ""
}

// countItems is the number of elements of the field items, or -1 if that is no list.
func countItems(text []byte) int {
	var list struct{ Items []json.RawMessage }
	if !bytes.Contains(text, []byte(`"items"`)) || json.Unmarshal(text, &list) != nil || list.Items == nil {
		return -1
	}
	return len(list.Items)
}

func stringField(text []byte, name string) (value string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) == nil {
		_ = json.Unmarshal(fields[name], &value)
	}
	return value
}

// decodeObject decodes an API object as a client of the API does. The decoder tells the first value of a wrong type; all are
// found by walking the object beside its type.
func decodeObject[T any](text []byte, kind string, d *decoded) *T {
	if mayBeTooLong(text) {
		d.broken = !json.Valid(text)
		if d.faults = walkFaults[T](text, false); d.broken || len(d.faults) > 0 {
			d.named(text, kind)
			return nil
		}
	}
	object := new(T)
	err := kjson.UnmarshalCaseSensitivePreserveInts(text, object)
	if err == nil {
		return object
	}
	if d.broken = !json.Valid(text); d.broken {
		return nil
	}
	if d.faults = walkFaults[T](text, false); len(d.faults) == 0 {
		d.faultf("%v", err)
	}
	d.named(text, kind)
	return nil
}

// named puts kind, namespace and name of the object before each of its faults.
func (d *decoded) named(text []byte, kind string) {
	var meta struct {
		Metadata struct{ Namespace, Name string }
	}
	if json.Unmarshal(text, &meta) == nil || meta.Metadata.Name != "" {
		kind = strings.TrimSuffix(kind+" "+strings.TrimPrefix(meta.Metadata.Namespace+"/"+meta.Metadata.Name, "/"), " ")
	}
	for i := range d.faults {
		d.faults[i].of = kind
	}
}

// What no planning step reads and what makes up much of a dump is dropped, as model.TrimNode and model.TrimPod do for a cache.
func dropUnreadOfNode(node *corev1.Node) { node.ManagedFields, node.Status.Images = nil, nil }

func dropUnreadOfPod(pod *corev1.Pod) {
	pod.ManagedFields = nil
	for _, containers := range [...][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			containers[i].Env = nil
		}
	}
}
