package extendeddaemonset

import (
	"fmt"
	"io"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

// Likeness says what becomes of a field. The set is closed.
type Likeness string

const (
	// Same: it means the same here.
	Same Likeness = "same"
	// Differs: it has a counterpart that does not do quite the same; the note says how.
	Differs Likeness = "differs"
	// None: it has no counterpart; the note says what to do instead.
	None Likeness = "none"
)

// Mapping is one field of the ExtendedDaemonSet and what becomes of it.
type Mapping struct {
	Is    Likeness `json:"is"`
	Field string   `json:"field"`
	// Value as it is written; Default marks one that is left implicit.
	Value   string `json:"value,omitempty"`
	Default bool   `json:"default,omitempty"`
	// Becomes is the field of the Rollout document.
	Becomes string `json:"becomes,omitempty"`
	Note    string `json:"note,omitempty"`
}

// Import is the answer.
type Import struct {
	// Rollout is the Rollout document as JSON has it, without what nobody has set and without facts.
	Rollout map[string]any `json:"rollout"`
	Fields  []Mapping      `json:"fields"`
	// Refused are the faults that the planner finds in the document as it stands.
	Refused field.ErrorList `json:"-"`
}

// Convert makes the document. The error is a *dump.Error with every value that ExtendedDaemonSet refuses or breaks on.
func (x *Manifest) Convert() (*Import, error) {
	faults := x.set.validate()
	if len(faults) > 0 {
		lines := make([]string, len(faults))
		for i, fault := range faults {
			lines[i] = fmt.Sprintf("%s: %s: %v", x.where, Kind, fault)
		}
		return nil, &dump.Error{Faults: lines}
	}
	c := &converter{in: x}
	rollout, err := c.rollout()
	if err != nil {
		return nil, err
	}
	fields, err := dump.Fields(rollout)
	if err != nil {
		return nil, err
	}
	dropEmpty(fields)
	result := &Import{Rollout: fields, Fields: c.fields}
	for _, fault := range rollout.Validate() {
		if !strings.HasPrefix(fault.Field, "status") {
			result.Refused = append(result.Refused, fault)
		}
	}
	return result, nil
}

// Write writes the document as YAML, and above it, as a comment, what became of every field.
func (r *Import) Write(out io.Writer) error {
	lines := []string{"What becomes of an ExtendedDaemonSet, field by field: same, differs, or none where there is no counterpart.", ""}
	for i := range r.Fields {
		lines = append(lines, r.Fields[i].lines()...)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, strings.TrimRight("# "+line, " ")); err != nil {
			return err
		}
	}
	document, err := yaml.Marshal(r.Rollout)
	if err == nil {
		_, err = out.Write(document)
	}
	return err
}

// lines are the mapping in one line, and its note in a second.
func (m *Mapping) lines() []string {
	text := fmt.Sprintf("%-9s%s", m.Is, m.Field)
	if m.Value != "" {
		text += ": " + strings.Join(strings.Fields(m.Value), " ")
	}
	if m.Default {
		text += " (default)"
	}
	if m.Becomes != "" && m.Becomes != m.Field {
		text += " → " + m.Becomes
	}
	if m.Note == "" {
		return []string{text}
	}
	return []string{text, strings.Repeat(" ", 11) + m.Note}
}

// dropEmpty removes from the document what nobody has set.
func dropEmpty(fields map[string]any) {
	delete(fields, "status") // facts, which only a cluster has
	spec, _ := fields["spec"].(map[string]any)
	if slots, ok := spec["slots"].(map[string]any); ok {
		dropEmptyFields(slots)
	}
	dropEmptyFields(spec)
	desired, _ := spec["desired"].(map[string]any)
	delete(desired, "status")
	if inner, ok := desired["spec"].(map[string]any); ok {
		dropEmptyFields(inner)
	}
}

func dropEmptyFields(fields map[string]any) {
	maps.DeleteFunc(fields, func(_ string, value any) bool {
		object, ok := value.(map[string]any)
		return ok && len(object) == 0
	})
}

// rollout is the document that the mappings add up to.
func (c *converter) rollout() (*model.Rollout, error) {
	r := &model.Rollout{}
	r.APIVersion, r.TypeMeta.Kind = model.RolloutAPIVersion, model.RolloutKind
	c.owner(r)
	c.template(r)
	c.pacing(r)
	err := c.canary(&r.Spec.Strategy)
	c.annotations(r)
	c.resources()
	c.behaviour()
	return r, err
}
