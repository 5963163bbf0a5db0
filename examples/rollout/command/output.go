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

// printObject prints JSON or YAML, with version and kind before the fields.
func printObject(out io.Writer, kind string, object any, output string) error {
	fields, err := json.Marshal(object)
	if err != nil {
		return err
	}
	head := fmt.Sprintf(`{"apiVersion":%q,"kind":%q`, model.RolloutAPIVersion, kind)
	if len(fields) > len("{}") {
		head += ","
	}
	var text bytes.Buffer
	if err := json.Indent(&text, append([]byte(head), fields[1:]...), "", "  "); err != nil {
		return err
	}
	answer := text.Bytes()
	if output == "yaml" {
		if answer, err = yaml.JSONToYAML(answer); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%s\n", bytes.TrimSuffix(answer, []byte("\n")))
	return err
}
