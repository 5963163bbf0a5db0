package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

// withSettings returns the dump with fields of its Rollout document changed. The changed document is decoded as
// strictly as one that was written so. All faulty settings are listed.
func withSettings(d *dump.Dump, settings []string) (*dump.Dump, error) {
	if len(settings) == 0 || d.Rollout == nil {
		return d, nil
	}
	fields, err := dump.Fields(d.Rollout)
	if err != nil {
		return nil, err
	}
	if status, ok := fields["status"].(map[string]any); ok && !saysOtherPods(d) {
		delete(status, "otherPods")
	}
	var faults []string
	for _, setting := range settings {
		if err := setField(fields, setting); err != nil {
			faults = append(faults, fmt.Sprintf("--set %s: %v", setting, err))
		}
	}
	if len(faults) > 0 {
		return nil, &dump.Error{Faults: faults}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	changed, err := dump.Read(bytes.NewReader(text), changedDocument)
	if err != nil {
		return nil, blamed(err, settings)
	}
	if changed.Rollout == nil { // nothing is read of another kind or version
		return nil, &dump.Error{Faults: []string{fmt.Sprintf("--set %s: apiVersion and kind must stay %s and %s",
			strings.Join(settings, ", "), model.RolloutAPIVersion, model.RolloutKind)}}
	}
	changed.Objects, changed.Skipped = d.Objects, d.Skipped
	return changed, nil
}

// saysOtherPods tells whether the document has the field status.otherPods, which means something when it is empty too.
// A dump fills in a field that is left out, so a least document in its place shows it.
func saysOtherPods(d *dump.Dump) bool {
	probe := *d
	probe.Objects = model.Objects{}
	probe.Rollout = &model.Rollout{
		TypeMeta: d.Rollout.TypeMeta,
		Metadata: model.Owner{Name: "probe"},
		Spec:     model.Spec{Intent: model.Teardown},
		Status:   model.Facts{ObservedAt: metav1.NewTime(time.Unix(0, 0))},
	}
	snapshot, err := probe.Snapshot()
	return err != nil || !snapshot.Rollout.Status.OtherPods.All
}

// setField carries out path=value. The value is YAML, so 4 is a number, 10% a string and [a, b] a list.
func setField(fields map[string]any, setting string) error {
	at, text, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("must be path=value, as in strategy.maxUnavailable=10%%")
	}
	path, err := parsePath(at)
	if err != nil {
		return err
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return fmt.Errorf("the value is not YAML: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	_, err = setAt(fields, path, value)
	return err
}

// parsePath cuts a path at its dots; what stands in brackets is one element, dots and all: metadata.annotations[a.b/c],
// env[0]. A path that does not begin with a field of the document begins in spec, and images in spec.desiredFrom.
func parsePath(at string) ([]string, error) {
	var path []string
	for rest := at; rest != ""; {
		var element string
		switch end := strings.IndexAny(rest, ".["); {
		case rest[0] == '[':
			inner, after, closed := strings.Cut(rest[1:], "]")
			if !closed {
				return nil, fmt.Errorf("the path has a [ without its ]")
			}
			element, rest = inner, after
		case end < 0:
			element, rest = rest, ""
		default:
			element, rest = rest[:end], rest[end:]
		}
		if element == "" {
			return nil, fmt.Errorf("the path has an empty element")
		}
		path = append(path, element)
		if trimmed, dot := strings.CutPrefix(rest, "."); dot {
			if rest = trimmed; rest == "" {
				return nil, fmt.Errorf("the path ends with a dot")
			}
		}
	}
	if len(path) == 0 {
		return nil, fmt.Errorf("the path is empty")
	}
	if path[0] == "images" {
		path = append([]string{"desiredFrom"}, path...)
	}
	if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec", "status"}, path[0]) {
		path = append([]string{"spec"}, path...)
	}
	return path, nil
}

// setAt returns the container with the value at the path. Objects on the way are made; a list has to have the element,
// or to end right before it.
func setAt(container any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	switch c := container.(type) {
	case nil:
		return setAt(map[string]any{}, path, value)
	case map[string]any:
		inner, err := setAt(c[path[0]], path[1:], value)
		if err != nil {
			return nil, err
		}
		if c[path[0]] = inner; inner == nil {
			delete(c, path[0])
		}
		return c, nil
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i > len(c) {
			return nil, fmt.Errorf("%q is no element of a list of %d, counted from 0", path[0], len(c))
		}
		if i == len(c) {
			c = append(c, nil)
		}
		c[i], err = setAt(c[i], path[1:], value)
		return c, err
	}
	return nil, fmt.Errorf("the path leads into a value that has no fields, at %q", path[0])
}
