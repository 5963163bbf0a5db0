package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
)

// Kinds of what the commands print as JSON and YAML, all of version model.RolloutAPIVersion: fields may be added in it, none is
// removed and none changes its meaning. OUTPUT.md lists their fields.
const (
	kindPlan         = "Plan"
	kindExplanation  = "Explanation"
	kindMeaning      = "Meaning"
	kindDifference   = "PlanDifference"
	kindTree         = "Tree"
	kindSimulation   = "Simulation"
	kindComparison   = "Comparison"
	kindAdvice       = "Advice"
	kindVerification = "Verification"
	kindImport       = "Import"
	kindCheck        = "TemplateCheck"
	kindVersion      = "Version"
)

// isObject tells the formats that printObject prints.
func isObject(output string) bool { return output == "json" || output == "yaml" }

// typed is an object that begins with version and kind in JSON.
type typed struct {
	kind   string
	object any
}

// MarshalJSON writes version and kind before the object's fields.
func (t typed) MarshalJSON() ([]byte, error) {
	fields, err := json.Marshal(t.object)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf(`{"apiVersion":%q,"kind":%q`, model.RolloutAPIVersion, t.kind)
	if len(fields) > len("{}") {
		head += ","
	}
	return append([]byte(head), fields[1:]...), nil
}

// printYAML prints what is no object of its own, such as a patch.
func printYAML(out io.Writer, object any) error {
	text, err := yaml.Marshal(object)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// printObject prints JSON or YAML.
func printObject(out io.Writer, kind string, object any, output string) error {
	answer, err := json.MarshalIndent(typed{kind, object}, "", "  ")
	if err == nil && output == "yaml" {
		answer, err = yaml.JSONToYAML(answer)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", bytes.TrimSuffix(answer, []byte("\n")))
	return err
}
