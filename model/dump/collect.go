package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// collector gathers the objects and the faults of all inputs.
type collector struct {
	dump   Dump
	keep   []string
	faults []string
}

func newCollector(keep []string) *collector {
	return &collector{dump: Dump{Skipped: map[string]int{}}, keep: keep}
}

func (c *collector) faultf(where, format string, args ...any) {
	c.faults = append(c.faults, where+": "+fmt.Sprintf(format, args...))
}

func (c *collector) result() (*Dump, error) {
	if len(c.faults) > 0 {
		if c.dump.Rollout != nil {
			for _, fault := range valueFaults(c.dump.Rollout, nil) {
				c.faultf(c.dump.where, "%s", fault)
			}
		}
		return nil, &Error{Faults: c.faults}
	}
	return &c.dump, nil
}

// document reads one document of a stream: JSON objects that follow each other, or one YAML value.
func (c *collector) document(where string, d document) {
	if d.isJSON() {
		c.jsonObjects(where, d.text)
		return
	}
	if list, ok := cutList(d.text); ok && c.cutItems(where, list) {
		return
	}
	converted, repeated, err := toJSON(d.text)
	if err != nil {
		c.faultf(where, "%v", err)
		return
	}
	o, _, err := scanOutline(converted)
	if err != nil {
		c.faultf(where, "holds no object")
		return
	}
	o.repeated = repeated
	c.outline(where, o)
}

// jsonObjects reads JSON objects that follow each other.
func (c *collector) jsonObjects(where string, text []byte) {
	whole := text
	for number := 1; len(text) > 0; number++ {
		at := where
		o, decoded, rest, err := readOutline(text)
		rest = bytes.TrimLeft(rest, " \t\n")
		if number > 1 || len(rest) > 0 {
			at = fmt.Sprintf("%s: object %d", where, number)
		}
		if err == nil && o.items == nil {
			err = syntaxFault(o.text)
		}
		if err != nil {
			line := 1 + bytes.Count(whole[:len(whole)-len(text)], []byte("\n"))
			c.faultf(at, "is not valid JSON: in the object that begins on line %d of the document, %v", line, err)
			return
		}
		c.takeAll(at, o, decoded)
		text = rest
	}
}

// readOutline scans and decodes the object that the text begins with. Items that were found by a guess are whole values if
// each of them is read without a fault; otherwise the guess does not count.
func readOutline(text []byte) (o outline, decoded []decodedObject, rest []byte, err error) {
	if o, rest, err = guessOutline(text); err == nil {
		decoded = decodeAll(o)
	}
	if o.guessed && (err != nil || !isList(o) || slices.ContainsFunc(decoded, decodedObject.faulty)) {
		if o, rest, err = scanOutline(text); err == nil {
			decoded = decodeAll(o)
		}
	}
	return o, decoded, rest, err
}

// syntaxFault returns what is wrong with the text as JSON, whatever its fields.
func syntaxFault(text []byte) error {
	var any json.RawMessage
	return json.Unmarshal(text, &any)
}

// cutItems reads a List that was cut into items. It returns false, with nothing read, if a part does not parse.
func (c *collector) cutItems(where string, list yamlList) bool {
	header, _, err := toJSON(list.header)
	if err != nil {
		return false
	}
	o, _, err := scanOutline(header)
	if err != nil || o.items != nil {
		return false
	}
	if !isList(o) {
		return false
	}
	o.items = make([][]byte, len(list.items))
	failed := each(len(list.items), func(i int) bool {
		converted, repeated, err := toJSON(list.items[i])
		o.items[i] = converted
		return err == nil && repeated == nil // the document is read whole, and the repeated key reported
	})
	if failed {
		return false
	}
	c.outline(where, o)
	return true
}

// listKinds are the kinds with items, and the kind that an item has if it says none, as in the API's own answers.
var listKinds = map[string]typeMeta{
	"List":          {},
	"NodeList":      {"v1", "Node"},
	"PodList":       {"v1", "Pod"},
	"DaemonSetList": {"apps/v1", "DaemonSet"},
}

type typeMeta struct{ apiVersion, kind string }

func isList(o outline) bool {
	_, ok := listKinds[o.kind]
	return ok
}

// outline takes an object or the items of a list.
func (c *collector) outline(where string, o outline) { c.takeAll(where, o, decodeAll(o)) }

// decodeAll decodes an object, or the items of a list.
func decodeAll(o outline) []decodedObject {
	if !isList(o) {
		return []decodedObject{decode(o)}
	}
	implied := listKinds[o.kind]
	decoded := make([]decodedObject, len(o.items))
	each(len(o.items), func(i int) bool {
		item, ok := itemOutline(bytes.TrimSpace(o.items[i]))
		if !ok {
			decoded[i] = decodedObject{faults: []string{"is not an object"}}
			return true
		}
		item.repeated = o.repeated
		if item.kind == "" && item.apiVersion == "" {
			item.apiVersion, item.kind = implied.apiVersion, implied.kind
		}
		decoded[i] = decode(item)
		return true
	})
	return decoded
}

// takeAll adds what decodeAll made of the outline to the dump.
func (c *collector) takeAll(where string, o outline, decoded []decodedObject) {
	for i := range decoded {
		at := where
		if isList(o) {
			at = fmt.Sprintf("%s: items[%d]", where, i)
		}
		c.take(at, decoded[i])
	}
}

// decodedObject is one object of exactly one kind, or its faults.
type decodedObject struct {
	node    *corev1.Node
	pod     *corev1.Pod
	set     *appsv1.DaemonSet
	rollout *model.Rollout
	// otherPods says that the rollout's document has the field status.otherPods.
	otherPods bool
	skipped   string
	other     Other // of a kind that is not read
	faults    []string
}

func (d decodedObject) faulty() bool { return len(d.faults) > 0 }

// decode decodes one object.
func decode(o outline) (d decodedObject) {
	switch (typeMeta{o.apiVersion, o.kind}) {
	case typeMeta{"v1", "Node"}:
		d.node, d.faults = decodeObject[corev1.Node](o)
		return d
	case typeMeta{"v1", "Pod"}:
		d.pod, d.faults = decodeObject[corev1.Pod](o)
		return d
	case typeMeta{"apps/v1", "DaemonSet"}:
		d.set, d.faults = decodeObject[appsv1.DaemonSet](o)
		return d
	}
	ours, _, _ := strings.Cut(model.RolloutAPIVersion, "/")
	switch {
	case o.kind == "":
		d.faults = []string{"has no kind"}
	case strings.HasSuffix(o.kind, "List") && o.items != nil:
		d.skipped = fmt.Sprintf("%s of %d", o.kind, len(o.items))
	case o.kind == model.RolloutKind && strings.HasPrefix(o.apiVersion+"/", ours+"/"):
		d.rollout, d.faults = decodeRollout(o)
		d.otherPods = hasField(o.text, "status", "otherPods")
	case o.kind == "Node", o.kind == "Pod", o.kind == "DaemonSet":
		// Another version of a kind that is read: name it in full.
		d.skipped = strings.TrimSpace(o.apiVersion + " " + o.kind)
	default:
		d.skipped = o.kind
		d.other = Other{APIVersion: o.apiVersion, Kind: o.kind, text: o.text, repeated: o.repeated}
	}
	return d
}

// take adds a decoded object to the dump.
func (c *collector) take(where string, d decodedObject) {
	for _, fault := range d.faults {
		c.faultf(where, "%s", fault)
	}
	objects := &c.dump.Objects
	switch {
	case d.faulty():
	case d.node != nil:
		objects.Nodes = append(objects.Nodes, d.node)
	case d.pod != nil:
		objects.Pods = append(objects.Pods, d.pod)
	case d.set != nil:
		objects.DaemonSets = append(objects.DaemonSets, d.set)
	case d.rollout != nil && c.dump.Rollout != nil:
		c.faultf(where, "a second %s document; the first is in %s", model.RolloutKind, c.dump.where)
	case d.rollout != nil:
		c.dump.Rollout, c.dump.where, c.dump.otherPods = d.rollout, where, d.otherPods
	case slices.Contains(c.keep, d.other.Kind) && d.other.Kind != "":
		d.other.Where = where
		c.dump.Others = append(c.dump.Others, d.other)
	default:
		c.dump.Skipped[d.skipped]++
	}
}

// buffers hold squeezed text, which the decoder copies what it keeps of.
var buffers sync.Pool

// decodeObject decodes an API object.
func decodeObject[T any](o outline) (*T, []string) {
	if object := new(T); readQuickly(o.text, object) {
		return object, nil
	}
	return decodeSlowly[T](o)
}

// decodeSlowly decodes an API object by encoding/json. The decoder stops at the first value of a wrong type; the faults are
// then collected by walking the object beside its type.
func decodeSlowly[T any](o outline) (*T, []string) {
	object := new(T)
	buffer, _ := buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer buffers.Put(buffer)
	*buffer = squeeze((*buffer)[:0], o.text, o.kind)
	if mayBeTooLong(*buffer) {
		if faults := walkFaults[T](*buffer, false); len(faults) > 0 {
			return nil, named(o, faults)
		}
	}
	err := json.Unmarshal(*buffer, object)
	if err == nil {
		return object, nil
	}
	faults := walkFaults[T](o.text, false)
	if len(faults) == 0 {
		faults = []string{err.Error()}
	}
	return nil, named(o, faults)
}

// named puts kind, namespace and name of the object before each of its faults.
func named(o outline, faults []string) []string {
	name := o.kind
	var meta struct {
		Metadata struct{ Namespace, Name string }
	}
	if json.Unmarshal(o.text, &meta) == nil || meta.Metadata.Name != "" {
		name = strings.TrimSuffix(o.kind+" "+strings.TrimPrefix(meta.Metadata.Namespace+"/"+meta.Metadata.Name, "/"), " ")
	}
	for i := range faults {
		faults[i] = name + ": " + faults[i]
	}
	return faults
}

// hasField tells whether the object has the field at the end of the path.
func hasField(text []byte, path ...string) bool {
	fields, err := membersOf(text)
	if err != nil {
		return false
	}
	for _, f := range fields {
		if f.name == path[0] {
			return len(path) == 1 || hasField(f.value, path[1:]...)
		}
	}
	return false
}
