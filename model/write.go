package model

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ObjectRef names one API object.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	// UID guards the object's identity; empty only for a Create.
	UID types.UID `json:"uid,omitempty"`
}

// String returns kind/namespace/name.
func (r ObjectRef) String() string {
	if r.Namespace == "" {
		return r.Kind + "/" + r.Name
	}
	return r.Kind + "/" + r.Namespace + "/" + r.Name
}

// Write is one API request on one object: exactly one of Create, Patch and Delete is set. Executors
// switch on the form, never on the kind of the action.
type Write struct {
	Object ObjectRef `json:"object"`
	// Create makes a complete object; its guard is that the name is free.
	Create *appsv1.DaemonSet `json:"create,omitempty"`
	// Patch edits metadata and, of a DaemonSet, replaces the spec.
	Patch *Patch `json:"patch,omitempty"`
	// Delete removes the object under its UID as precondition.
	Delete *Delete `json:"delete,omitempty"`
}

// Patch is a set of guarded edits: each tests what it replaces in the same request.
type Patch struct {
	// ResourceVersion guards against any other change of the object; set for handoffs.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Generation guards a spec.
	Generation  int64  `json:"generation,omitempty"`
	Labels      []Edit `json:"labels,omitempty"`
	Annotations []Edit `json:"annotations,omitempty"`
	// NoLabels and NoAnnotations say that the object has no such map at all, which JSON Patch has to know.
	NoLabels      bool `json:"noLabels,omitempty"`
	NoAnnotations bool `json:"noAnnotations,omitempty"`
	// Spec replaces a DaemonSet's whole spec. Server-side apply would leave declared host ports that
	// another manager owns.
	Spec *appsv1.DaemonSetSpec `json:"spec,omitempty"`
}

// Edit changes one key; nil is absent.
type Edit struct {
	Key  string  `json:"key"`
	From *string `json:"from"`
	To   *string `json:"to"`
}

// Delete is a deletion.
type Delete struct {
	Propagation metav1.DeletionPropagation `json:"propagation"`
}

// Verb returns the API verb of the write, and "" if it has no form or more than one.
func (w *Write) Verb() string {
	forms, verb := 0, ""
	if w.Create != nil {
		forms, verb = forms+1, "create"
	}
	if w.Patch != nil {
		forms, verb = forms+1, "patch"
	}
	if w.Delete != nil {
		forms, verb = forms+1, "delete"
	}
	if forms != 1 {
		return ""
	}
	return verb
}

type patchOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

type removeOperation struct {
	Op   string `json:"op"`
	Path string `json:"path"`
}

// JSONPatch returns the RFC 6902 document of a Patch: all tests first, then the edits. An absent key is
// tested with null; a missing map is tested with null, then added. The API server answers a failed test
// with 422 Invalid. It is an error if the write is not a Patch.
func (w *Write) JSONPatch() ([]byte, error) {
	if w.Verb() != "patch" {
		return nil, fmt.Errorf("%s: a JSON Patch needs a patch, not %q", w.Object, w.Verb())
	}
	p := w.Patch
	tests := []any{patchOperation{"test", "/metadata/uid", w.Object.UID}}
	if p.ResourceVersion != "" {
		tests = append(tests, patchOperation{"test", "/metadata/resourceVersion", p.ResourceVersion})
	}
	if p.Generation != 0 {
		tests = append(tests, patchOperation{"test", "/metadata/generation", p.Generation})
	}
	labelTests, labelEdits := editOperations("/metadata/labels", p.Labels, p.NoLabels)
	noteTests, noteEdits := editOperations("/metadata/annotations", p.Annotations, p.NoAnnotations)
	operations := append(append(tests, labelTests...), noteTests...)
	operations = append(append(operations, labelEdits...), noteEdits...)
	if p.Spec != nil {
		operations = append(operations, patchOperation{"replace", "/spec", p.Spec})
	}
	return json.Marshal(operations)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func editOperations(root string, edits []Edit, missing bool) (tests, changes []any) {
	if len(edits) == 0 {
		return nil, nil
	}
	if missing {
		tests = append(tests, patchOperation{"test", root, nil})
		changes = append(changes, patchOperation{"add", root, map[string]string{}})
	}
	for _, edit := range edits {
		path := root + "/" + pointerEscaper.Replace(edit.Key)
		if !missing {
			tests = append(tests, patchOperation{"test", path, edit.From})
		}
		switch {
		case edit.To != nil:
			changes = append(changes, patchOperation{"add", path, *edit.To})
		case edit.From != nil:
			changes = append(changes, removeOperation{"remove", path})
		}
	}
	return tests, changes
}

// ApplyEdits returns the map after the edits, and false, with the map unchanged, if one of the guards does
// not hold. The input is never changed.
func ApplyEdits(values map[string]string, edits []Edit) (map[string]string, bool) {
	for _, edit := range edits {
		present, ok := values[edit.Key]
		if ok != (edit.From != nil) || (ok && present != *edit.From) {
			return values, false
		}
	}
	changed := make(map[string]string, len(values)+len(edits))
	for k, v := range values {
		changed[k] = v
	}
	for _, edit := range edits {
		if edit.To == nil {
			delete(changed, edit.Key)
			continue
		}
		changed[edit.Key] = *edit.To
	}
	return changed, true
}
