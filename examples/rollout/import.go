package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

func newImport() *cobra.Command {
	var files []string
	var output string
	cmd := &cobra.Command{
		Use:   "import -f FILE...",
		Short: "Make a Rollout document of an ExtendedDaemonSet",
		Long: `Make a Rollout document of an ExtendedDaemonSet (datadoghq.com/v1alpha1), with a DaemonSet made of its template, and say
field by field what becomes of it, the defaults that it leaves implicit included:

  same      it means the same here
  differs   it has a counterpart that does not do quite the same; the next line says how
  none      it has no counterpart; the next line says what to do instead

The document goes to standard output with the list as a comment above it. Its strategy is a pair without overlap, which is
ExtendedDaemonSet's behaviour: revisions stay pinned to nodes, and a canary is a canary. Whether the template may be rolled
out with overlap, so that nodes keep their agent while the next one is pulled, says rollout check-template.

ExtendedDaemonsetSettings and Nodes in the inputs are looked at too: neither resources by node have a counterpart. The
manifest is read strictly: unknown fields and values that ExtendedDaemonSet itself refuses are errors, and all are listed.`,
		Example: `  # From a manifest, and is its template fit for overlap?
  rollout import -f extendeddaemonset.yaml > rollout.yaml
  rollout check-template -f rollout.yaml --set strategy.overlap=Locked

  # From a cluster, with what it says of resources by node
  kubectl get eds,extendeddaemonsetsettings,nodes -A -o yaml | rollout import -f -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "yaml", "json"); err != nil {
				return asUsageError(cmd, err)
			}
			found, err := readExtended(cmd, append(files, args...))
			if err != nil {
				return err
			}
			result, err := found.convert()
			if err != nil {
				return err
			}
			note(cmd.ErrOrStderr(), result.notes...)
			if output == "json" {
				return printObject(cmd.OutOrStdout(), result.view, "json")
			}
			return result.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringArrayVarP(&files, "filename", "f", nil, `a manifest or what kubectl prints, YAML or JSON; "-" is standard input (repeatable)`)
	cmd.Flags().StringVarP(&output, "output", "o", "yaml", "yaml or json")
	return cmd
}

// extended is what the inputs say.
type extended struct {
	set *extendedDaemonSet
	// where the manifest stands in the inputs.
	where    string
	settings []*extendedSetting
	nodes    []*corev1.Node
}

func readExtended(cmd *cobra.Command, files []string) (*extended, error) {
	if len(files) == 0 {
		return nil, errors.New("no input: name a file with -f, or -f - for standard input")
	}
	d, err := dump.Options{Stdin: cmd.InOrStdin(), Keep: []string{extendedKind, settingKind}}.Files(files...)
	if err != nil {
		return nil, err
	}
	found := &extended{nodes: d.Objects.Nodes}
	var faults []string
	keep := func(err error) {
		var listed *dump.Error
		if errors.As(err, &listed) {
			faults = append(faults, listed.Faults...)
		}
	}
	for _, other := range d.Others {
		if other.APIVersion != extendedAPIVersion {
			faults = append(faults, fmt.Sprintf("%s: %s: apiVersion: Unsupported value: %q: supported values: %q", other.Where, other.Kind, other.APIVersion, extendedAPIVersion))
			continue
		}
		if other.Kind == settingKind {
			setting, err := dump.Decode[extendedSetting](other)
			keep(err)
			found.settings = append(found.settings, setting)
			continue
		}
		set, err := dump.Decode[extendedDaemonSet](other)
		if keep(err); found.set != nil {
			faults = append(faults, fmt.Sprintf("%s: a second %s: import one at a time", other.Where, extendedKind))
		}
		found.set, found.where = set, other.Where
	}
	if len(faults) > 0 {
		return nil, &dump.Error{Faults: faults}
	}
	if found.set == nil {
		return nil, fmt.Errorf("the inputs have no %s (apiVersion: %s)", extendedKind, extendedAPIVersion)
	}
	noteSkipped(cmd.ErrOrStderr(), d)
	return found, nil
}

// likeness says what becomes of a field. The set is closed.
type likeness string

const (
	same    likeness = "same"
	differs likeness = "differs"
	none    likeness = "none"
)

// mapping is one field of the ExtendedDaemonSet and what becomes of it.
type mapping struct {
	Is    likeness `json:"is"`
	Field string   `json:"field"`
	// Value as it is written; Default marks one that is left implicit.
	Value   string `json:"value,omitempty"`
	Default bool   `json:"default,omitempty"`
	// Becomes is the field of the Rollout document.
	Becomes string `json:"becomes,omitempty"`
	Note    string `json:"note,omitempty"`
}

// importView is an import as JSON.
type importView struct {
	Rollout map[string]any `json:"rollout"`
	Fields  []mapping      `json:"fields"`
}

type imported struct {
	view  importView
	notes []string
}

// convert makes the document. The error is a *dump.Error with every value that ExtendedDaemonSet refuses or breaks on.
func (x *extended) convert() (*imported, error) {
	faults := x.set.validate()
	if len(faults) > 0 {
		lines := make([]string, len(faults))
		for i, fault := range faults {
			lines[i] = fmt.Sprintf("%s: %s: %v", x.where, extendedKind, fault)
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
	result := &imported{view: importView{Rollout: fields, Fields: c.fields}}
	for _, fault := range rollout.Validate() {
		if strings.HasPrefix(fault.Field, "status") {
			continue
		}
		result.notes = append(result.notes, fmt.Sprintf("the planner refuses the document as it stands: %v", fault))
	}
	return result, nil
}

// print writes the document, and above it what became of every field.
func (r *imported) print(out io.Writer) error {
	lines := []string{"What becomes of an ExtendedDaemonSet, field by field: same, differs, or none where there is no counterpart.", ""}
	for i := range r.view.Fields {
		lines = append(lines, r.view.Fields[i].lines()...)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, strings.TrimRight("# "+line, " ")); err != nil {
			return err
		}
	}
	document, err := yaml.Marshal(r.view.Rollout)
	if err == nil {
		_, err = out.Write(document)
	}
	return err
}

// lines are the mapping in one line, and its note in a second.
func (m *mapping) lines() []string {
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
	c.pacing(&r.Spec.Strategy)
	err := c.canary(&r.Spec.Strategy)
	c.annotations(r)
	c.resources()
	c.behaviour()
	return r, err
}
