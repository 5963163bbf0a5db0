package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// Write prints the snapshot as YAML, one document an object, so that a person can cut out what matters: nodes,
// Pods and DaemonSets, each sorted by namespace and name, and the Rollout. Read reads it back.
func Write(w io.Writer, snapshot *model.Snapshot) error {
	cluster := snapshot.Cluster
	for i := range cluster.Len() {
		if err := writeDocument(w, "v1", "Node", cluster.Node(i)); err != nil {
			return err
		}
	}
	pods := slices.Clone(cluster.Stray())
	for i := range cluster.Len() {
		pods = append(pods, cluster.Pods(i)...)
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		if d := strings.Compare(a.Namespace, b.Namespace); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, pod := range pods {
		if err := writeDocument(w, "v1", "Pod", pod); err != nil {
			return err
		}
	}
	for _, set := range cluster.DaemonSets() {
		if err := writeDocument(w, "apps/v1", "DaemonSet", set); err != nil {
			return err
		}
	}
	return writeDocument(w, model.RolloutAPIVersion, model.RolloutKind, snapshot.Rollout)
}

// writeDocument writes one object with its type, and without the empty fields that Go types leave behind.
func writeDocument(w io.Writer, apiVersion, kind string, object any) error {
	fields, err := Fields(object)
	if err != nil {
		return err
	}
	fields["apiVersion"], fields["kind"] = apiVersion, kind
	if kind == model.RolloutKind {
		dropEmptySettings(fields)
	}
	if status, ok := fields["status"].(map[string]any); ok && len(status) == 0 {
		delete(fields, "status")
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if text, err = yaml.JSONToYAML(text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "---\n%s", text)
	return err
}

// Fields returns the object as decoded JSON, without nulls. Numbers stay as they are written: a float64 would round a
// large one.
func Fields(object any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	fields := map[string]any{}
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	dropNulls(fields)
	return fields, nil
}

// dropNulls removes fields that are null: they say the same as no field.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, field := range value {
			if field == nil {
				delete(value, key)
				continue
			}
			dropNulls(field)
		}
	case []any:
		for _, element := range value {
			dropNulls(element)
		}
	}
}

// dropEmptySettings removes empty objects of the Rollout document. In a DaemonSet they can mean something, as
// emptyDir: {} does, and so can a present status.otherPods.
func dropEmptySettings(fields map[string]any) {
	for key, field := range fields {
		inner, ok := field.(map[string]any)
		if !ok || key == "desired" || key == "otherPods" {
			continue
		}
		dropEmptySettings(inner)
		if len(inner) == 0 {
			delete(fields, key)
		}
	}
}
