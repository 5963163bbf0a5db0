package snapshots_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
)

// printed prints the objects as kubectl does: one List, each object with its type.
func printed(t *testing.T, objects model.Objects, flow bool) string {
	t.Helper()
	var items []any
	for _, node := range objects.Nodes {
		items = append(items, fieldsOf(t, "v1", "Node", node))
	}
	for _, pod := range objects.Pods {
		items = append(items, fieldsOf(t, "v1", "Pod", pod))
	}
	for _, set := range objects.DaemonSets {
		items = append(items, fieldsOf(t, "apps/v1", "DaemonSet", set))
	}
	var out strings.Builder
	out.WriteString("apiVersion: v1\nitems:\n")
	for _, item := range items {
		if flow {
			out.WriteString("-" + block(t, item, "  ")[1:])
			continue
		}
		text, err := yaml.Marshal([]any{item})
		require.NoError(t, err)
		out.Write(text)
	}
	out.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return out.String()
}

func fieldsOf(t *testing.T, apiVersion, kind string, object any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	fields := map[string]any{}
	require.NoError(t, decoder.Decode(&fields))
	fields["apiVersion"], fields["kind"] = apiVersion, kind
	prune(fields)
	return fields
}

// prune drops nulls, what the workers leave empty, and the empty objects that say nothing: resources, state, lastState
// and the like. An empty emptyDir says what kind of volume it is.
func prune(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, field := range value {
			prune(field)
			inner, isMap := field.(map[string]any)
			if field == nil || isMap && len(inner) == 0 && key != "emptyDir" || key == "nodeInfo" || key == "daemonEndpoints" {
				delete(value, key)
			}
		}
	case []any:
		for _, element := range value {
			prune(element)
		}
	}
}

// A value of at most long characters is printed in flow style, on lines of about width.
const (
	width = 140
	long  = 330
)

// block prints a value in block style, its short parts in flow style.
func block(t *testing.T, value any, margin string) string {
	t.Helper()
	var out strings.Builder
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			head := margin + scalar(t, key) + ":"
			switch text, ok := packed(t, value[key], margin+"  ", width-len(head)); {
			case !ok:
				out.WriteString(head + "\n" + block(t, value[key], margin+"  "))
			case strings.Contains(text, "\n"):
				out.WriteString(head + "\n" + margin + "  " + text + "\n")
			default:
				out.WriteString(head + " " + text + "\n")
			}
		}
	case []any:
		for _, element := range value {
			text, ok := packed(t, element, margin+"  ", width-len(margin))
			if !ok {
				text = strings.TrimSuffix(strings.TrimPrefix(block(t, element, margin+"  "), margin+"  "), "\n")
			}
			out.WriteString(margin + "- " + text + "\n")
		}
	default:
		out.WriteString(margin + scalar(t, value) + "\n")
	}
	return out.String()
}

// packed prints a short value in flow style; if it does not fit in the room, over several lines.
func packed(t *testing.T, value any, margin string, room int) (string, bool) {
	text := flowOf(t, value)
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			parts = append(parts, scalar(t, key)+": "+flowOf(t, value[key]))
		}
	case []any:
		for _, element := range value {
			parts = append(parts, flowOf(t, element))
		}
	}
	switch {
	case len(text) <= room || len(parts) == 0:
		return text, true
	case len(text) > long && !leaves(value):
		return "", false
	}
	lines, used := text[:1], len(margin)+1
	for i, part := range parts {
		part += map[bool]string{true: text[len(text)-1:], false: ","}[i == len(parts)-1]
		if i > 0 && used+len(part) > width {
			lines, used = lines+"\n"+margin+" "+part, len(margin)+1+len(part)
			continue
		}
		if i > 0 {
			part = " " + part
		}
		lines, used = lines+part, used+len(part)
	}
	return lines, true
}

// leaves tells whether the value is a list of short things, such as mounts and tolerations, however many.
func leaves(value any) bool {
	list, ok := value.([]any)
	if !ok {
		return false
	}
	for _, element := range list {
		inner, isMap := element.(map[string]any)
		if isMap && (len(inner) > 3 || inner["metadata"] != nil) {
			return false
		}
	}
	return true
}

func flowOf(t *testing.T, value any) string {
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			parts = append(parts, scalar(t, key)+": "+flowOf(t, value[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, element := range value {
			parts = append(parts, flowOf(t, element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return scalar(t, value)
}

// scalar prints a scalar for any context: as JSON where the plain form would need care.
func scalar(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	word, isText := value.(string)
	if !isText {
		return string(text)
	}
	plain, err := yaml.Marshal(word)
	require.NoError(t, err)
	if string(plain) == word+"\n" && !strings.ContainsAny(word, ",[]{}#&*!|>%@`\"' ") && !strings.HasSuffix(word, ":") {
		return word
	}
	return string(text)
}

func sortedKeys(fields map[string]any) []string {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
