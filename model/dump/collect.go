package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		if c.dump.document != nil {
			c.faults = append(c.faults, c.dump.document.located(valueFaults(c.dump.Rollout, nil))...)
		}
		return nil, &Error{Faults: c.faults}
	}
	return &c.dump, nil
}

// document reads one document of a stream: JSON objects that follow each other, or one YAML value.
func (c *collector) document(p place, d document) {
	var fault *syntaxError
	message, isMessage := kubectlMessage(d.text)
	switch {
	case isMessage:
		fault = &syntaxError{at: -1, text: "is no object but a message of kubectl: " + message}
	case d.isJSON():
		fault = c.json(p, d.text)
	default:
		fault = c.yaml(p, d.text)
	}
	if fault == nil {
		return
	}
	line := fault.line
	if fault.at >= 0 {
		line = 1 + bytes.Count(d.text[:fault.at], []byte("\n"))
	}
	if line > 0 {
		p.line += line - 1
	}
	c.faultf(p.String(), "%s", fault.text)
}

// json reads JSON objects that follow each other.
func (c *collector) json(p place, text []byte) *syntaxError {
	outlines, err := cutObjects(text, true)
	items, objects, whole := decodeOutlines(p, text, outlines)
	guessed := func(o outline) bool { return o.guessed && (err != nil || !whole || !isList(o.kind)) }
	if slices.ContainsFunc(outlines, guessed) || err != nil {
		outlines, err = cutObjects(text, false)
		items, objects, _ = decodeOutlines(p, text, outlines)
	}
	c.takeAll(p, outlines, items, objects)
	fault, _ := err.(*syntaxError)
	return fault
}

// decodeOutlines decodes the objects, and of lists their items.
func decodeOutlines(p place, text []byte, outlines []outline) ([]item, []decoded, bool) {
	var items []item
	for n, o := range outlines {
		at := p
		if len(outlines) > 1 {
			at.part = fmt.Sprintf("object %d", n+1)
		}
		if isList(o.kind) {
			items = append(items, placed(at, o)...)
			continue
		}
		items = append(items, item{source: source{text: o.text}, at: o.at, place: at})
	}
	countLines(p.line, text, items)
	objects, whole := decodeAll(items)
	return items, objects, whole
}

// countLines tells each item the line that it begins on, from that of the text.
func countLines(line int, text []byte, items []item) {
	read := 0
	for i := range items {
		it := &items[i]
		line += bytes.Count(text[read:it.at], []byte("\n"))
		read, it.place.line, it.source.line = it.at, line, line
	}
}

// placed names the items of a list.
func placed(p place, list outline) []item {
	if p.part != "" {
		p.part += ": "
	}
	for i := range list.items {
		it := &list.items[i]
		it.implied, it.place = listKinds[list.kind], p
		it.place.part += fmt.Sprintf("items[%d]", i)
	}
	return list.items
}

// yaml reads one YAML document, a list item by item if it can be cut.
func (c *collector) yaml(p place, text []byte) *syntaxError {
	if header, items, ok := cutList(text); ok && c.yamlItems(p, text, header, items) {
		return nil
	}
	converted, err := toJSON(text)
	if err != nil {
		return yamlFault(text, err)
	}
	outlines, err := cutObjects(converted, false)
	if err != nil || len(outlines) == 0 {
		return &syntaxError{at: -1, text: "holds no object"}
	}
	o := outlines[0]
	items := []item{{converted: o.text, place: p, source: source{text: text, yaml: true, line: p.line}}}
	if isList(o.kind) {
		items = placed(p, o)
		for i := range items {
			items[i].converted = items[i].source.text
			items[i].source = source{text: text, yaml: true, line: p.line, within: []string{"items", fmt.Sprint(i)}}
		}
	}
	objects, _ := decodeAll(items)
	c.takeAll(p, outlines, items, objects)
	return nil
}

// yamlItems reads a list that was cut into items. It returns false, with nothing read, if a part does not parse.
func (c *collector) yamlItems(p place, text, header []byte, items []item) bool {
	converted, err := toJSON(header)
	if err != nil {
		return false
	}
	outlines, err := cutObjects(converted, false)
	if err != nil || len(outlines) != 1 || !isList(outlines[0].kind) || hasField(converted, "items") {
		return false
	}
	outlines[0].items = items
	placed(p, outlines[0])
	countLines(p.line, text, items)
	objects, whole := decodeAll(items)
	if whole {
		c.takeAll(p, outlines, items, objects)
	}
	return whole
}

// takeAll adds what was decoded to the dump. A list without items is told: it is seldom meant.
func (c *collector) takeAll(p place, outlines []outline, items []item, objects []decoded) {
	for _, o := range outlines {
		if isList(o.kind) && len(o.items) == 0 {
			c.dump.empty = append(c.dump.empty, fmt.Sprintf("%s: a %s without items: was kubectl asked for the right context and namespace (-A)?", p, o.kind))
		}
	}
	for i := range objects {
		c.take(items[i].place, &objects[i])
	}
}

// take adds a decoded object to the dump.
func (c *collector) take(p place, d *decoded) {
	for _, fault := range d.faults {
		c.faultf(p.onLine(fault.line).String(), "%s", fault)
	}
	if d.rollout != nil && len(d.faults) == 0 && c.dump.Rollout == nil {
		d.rollout.place = p
		c.dump.Rollout, c.dump.document = d.rollout.rollout, d.rollout
		return
	}
	switch objects := &c.dump.Objects; {
	case len(d.faults) > 0:
	case d.node != nil:
		objects.Nodes = append(objects.Nodes, d.node)
		c.dump.found("Node", d.node, p)
	case d.pod != nil:
		objects.Pods = append(objects.Pods, d.pod)
		c.dump.found("Pod", d.pod, p)
	case d.set != nil:
		objects.DaemonSets = append(objects.DaemonSets, d.set)
		c.dump.found("DaemonSet", d.set, p)
	case d.rollout != nil:
		c.faultf(p.String(), "a second Rollout document; the first is in %s", c.dump.document.place)
	case slices.Contains(c.keep, d.other.Kind) && d.other.Kind != "":
		d.other.Where, d.other.place = p.String(), p
		c.dump.Others = append(c.dump.Others, d.other)
	default:
		c.dump.Skipped[d.skipped]++
		if d.looks != "" {
			c.dump.lookalikes = append(c.dump.lookalikes, fmt.Sprintf("%s (%s)", d.looks, p))
		}
	}
}

// origin is where an object was read.
type origin struct {
	kind   string
	object metav1.Object
	place  place
}

func (d *Dump) found(kind string, object metav1.Object, p place) {
	d.origins = append(d.origins, origin{kind, object, p})
}

// whereIs completes a fault of NewCluster, which begins with kind and name of the object, with where that was read.
func (d *Dump) whereIs(fault string) string {
	name, _, _ := strings.Cut(fault, ": ")
	var places []string
	for _, o := range d.origins {
		called := o.object.GetName()
		if o.object.GetNamespace() != "" {
			called = o.object.GetNamespace() + "/" + called
		}
		if o.kind+" "+called == name {
			places = append(places, o.place.String())
		}
	}
	if len(places) == 0 {
		return fault
	}
	return strings.Join(places, " and ") + ": " + fault
}

// hasField tells whether the object has the field at the end of the path.
func hasField(text []byte, path ...string) bool {
	for _, name := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(text, &fields) != nil {
			return false
		}
		value, ok := fields[name]
		if !ok {
			return false
		}
		text = value
	}
	return true
}
