package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Emptied are the nodes that a rollout on one DaemonSet has taken the Pod from, by name, with the mark that a pair writes on the
// node itself: when, and whether that was paid. They stay committed until they are served again, whatever becomes of their Node; a
// node without a Pod and without a mark would be told by nothing else.
type Emptied map[string]Moved

// mostEmptied is the size in bytes up to which the record is kept: all annotations of an object together may have 256 KiB, of which
// a former template takes up to 128. It has room for a thousand nodes and more.
const mostEmptied = 96 << 10

// ParseEmptied reads the annotation's value; "" is an empty record.
func ParseEmptied(value string) (Emptied, error) {
	if value == "" {
		return nil, nil
	}
	var texts map[string]string
	if err := json.Unmarshal([]byte(value), &texts); err != nil {
		return nil, fmt.Errorf("the record of emptied nodes is not readable")
	}
	e := make(Emptied, len(texts))
	for _, node := range slices.Sorted(maps.Keys(texts)) {
		if e[node] = ParseMoved(texts[node]); e[node].At.IsZero() {
			return nil, fmt.Errorf("the record of emptied nodes has no instant for node %s", node)
		}
	}
	return e, nil
}

// Text is the annotation's value, with the nodes in the order of names; "" for none.
func (e Emptied) Text() string {
	if len(e) == 0 {
		return ""
	}
	texts := make(map[string]string, len(e))
	for _, node := range slices.Sorted(maps.Keys(e)) {
		texts[node] = e[node].String()
	}
	text, err := json.Marshal(texts)
	if err != nil {
		return ""
	}
	return string(text)
}

// Full tells whether the record can take no further node.
func (e Emptied) Full() bool { return len(e.Text()) > mostEmptied-256 }

// Of is the mark of the node; the zero mark if it was not emptied. A Node that was made after it is another one of the same name.
func (e Emptied) Of(node *corev1.Node) Moved {
	moved, ok := e[node.Name]
	if !ok || node.CreationTimestamp.After(moved.At) {
		return Moved{}
	}
	return moved
}

// Next is the record after a plan: without the nodes that are served again or gone, with those that it empties.
func (e Emptied) Next(over func(node string) bool, emptied Emptied) Emptied {
	next := make(Emptied, len(e)+len(emptied))
	for _, node := range slices.Sorted(maps.Keys(e)) {
		if !over(node) {
			next[node] = e[node]
		}
	}
	maps.Copy(next, emptied)
	return next
}
