package crd

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

var rewrite = flag.Bool("rewrite", false, "write the manifest")

const manifest = "../../config/crd.yaml"

// The manifest is what the types say now.
func TestManifest(t *testing.T) {
	made, err := Manifest("../..")
	require.NoError(t, err)
	if *rewrite {
		require.NoError(t, os.WriteFile(manifest, made, 0o644))
	}
	kept, err := os.ReadFile(manifest)
	require.NoError(t, err)
	require.Equal(t, string(kept), string(made), "go test ./internal/crd -rewrite")
}

// whole is the schema that the manifest has.
func whole(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	definition, err := Definition("../..")
	require.NoError(t, err)
	return definition.Spec.Versions[0].Schema.OpenAPIV3Schema
}

func internal(t *testing.T) *apiextensions.JSONSchemaProps {
	converted := &apiextensions.JSONSchemaProps{}
	require.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(whole(t), converted, nil))
	return converted
}

// An API server takes structural schemas only.
func TestTheSchemaIsStructural(t *testing.T) {
	structural, err := structuralschema.NewStructural(internal(t))
	require.NoError(t, err)
	require.Empty(t, structuralschema.ValidateStructural(field.NewPath("openAPIV3Schema"), structural))
}

// Whoever asks kubectl explain gets an answer at every field.
func TestEveryFieldIsDescribed(t *testing.T) {
	count := 0
	var walk func(path string, s *apiextensionsv1.JSONSchemaProps)
	walk = func(path string, s *apiextensionsv1.JSONSchemaProps) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[name]
			if below := path + "." + name; below != ".metadata" { // which is every object's
				count++
				if property.Description == "" {
					t.Errorf("%s has no description", below)
				}
				walk(below, &property)
			}
		}
		if s.Items != nil {
			walk(path, s.Items.Schema)
		}
	}
	walk("", whole(t))
	require.Greater(t, count, 150)
}

// faults are those of the schema.
func faults(t *testing.T, validator validation.SchemaValidator, document string) field.ErrorList {
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(document), &object))
	return validation.ValidateCustomResource(nil, object, validator)
}

// accepted tells whether the planner finds no fault in the document, for which it asks for the instant.
func accepted(t *testing.T, document string) bool {
	var r model.Rollout
	if json.Unmarshal([]byte(document), &r) != nil {
		return false
	}
	list := r.Validate()
	return len(list) == 1 && list[0].Field == "status.observedAt"
}

// nest is a document in which the setting has the value, which is JSON.
func nest(path, value string) string {
	const desired = `"desiredFrom": {"name": "agent"}`
	parts := strings.Split(strings.TrimPrefix(path, "spec."), ".")
	text := value
	for _, part := range slices.Backward(parts) {
		text = `{"` + part + `": ` + text + `}`
	}
	return `{"metadata": {"name": "agent"}, "spec": {` + desired + `, ` + text[1:] + `}`
}

// What the schema refuses of a setting is what the planner refuses, and the other way round.
func TestTheSchemaRefusesWhatThePlannerDoes(t *testing.T) {
	type test struct {
		path, value string
		good        bool
	}
	var tests []test
	for path, n := range least {
		if strings.Contains(path, "lock.") || strings.Contains(path, "autoFail") {
			continue // lockspec judges it with the template; a canary may not fail before it pauses
		}
		good, _ := json.Marshal(n)
		bad, _ := json.Marshal(n - 1)
		tests = append(tests, test{path, string(good), true}, test{path, string(bad), false})
	}
	for path, values := range map[string][2][]string{ // good ones, bad ones
		"spec.intent":                         {{`"Run"`, `"Teardown"`}, {`"run"`}},
		"spec.strategy.type":                  {{`"Pair"`, `"Surge"`, `"RollingUpdate"`}, {`"BlueGreen"`}},
		"spec.strategy.overlap":               {{`"Locked"`, `"Never"`}, {`"Always"`}},
		"spec.strategy.maxUnavailable":        {{`1`, `"1%"`, `"100%"`}, {`"1"`, `"101%"`, `"%"`, `"1.5%"`, `1.5`}},
		"spec.strategy.partition":             {{`0`, `"0%"`}, {`"x"`}},
		"spec.strategy.slowStart":             {{`{}`, `{"interval": "1m30s"}`}, {`{"interval": "1"}`, `{"interval": "-1m"}`}},
		"spec.strategy.canary.validationMode": {{`"auto"`, `"manual"`}, {`"none"`}},
		"spec.strategy.canary.duration":       {{`"0"`, `"10m"`}, {`"ten"`, `10`, `"-1s"`}},
		"spec.strategy.canary":                {{`{"autoPause": {"enabled": false}, "autoFail": {"maxRestarts": 0}}`}, {`{"autoPause": {"enabled": false}, "autoFail": {"maxRestarts": -1}}`}},
		"spec.failure.action":                 {{`"Cancel"`, `"Hold"`}, {`"Rollback"`}},
		"spec.capacity.preemption":            {{`"Refuse"`, `"Allow"`}, {`"Never"`}},
		"spec.slots.green.env":                {{`[{"name": "A", "value": "b"}]`}, {`[{"name": ""}]`}},
		"spec.decision.retry":                 {{`"a"`}, {`1`}},
		"spec.decision":                       {{`{"revision": "a", "recover": "Back"}`, `{"revision": "a", "canary": "Promote"}`}, {`{"revision": "a", "recover": "Up"}`, `{"revision": "a", "canary": "Go"}`}},
	} {
		for i, list := range values {
			for _, value := range list {
				tests = append(tests, test{path, value, i == 0})
			}
		}
	}
	validator, _, err := validation.NewSchemaValidator(internal(t))
	require.NoError(t, err)
	for _, test := range tests {
		document := nest(test.path, test.value)
		require.Equal(t, test.good, accepted(t, document), "the planner: %s", document)
		require.Equal(t, test.good, len(faults(t, validator, document)) == 0, "the schema: %s", document)
	}
}

// A setting that another revision of the planner's types may add is not dropped unseen: the API server prunes what the schema does not know.
func TestTheSchemaKnowsEverySetting(t *testing.T) {
	var path []string
	var walk func(s *apiextensionsv1.JSONSchemaProps)
	walk = func(s *apiextensionsv1.JSONSchemaProps) {
		for name := range s.Properties {
			property := s.Properties[name]
			path = append(path, name)
			require.True(t, property.Type != "" || property.XIntOrString, "%v has no type", path)
			if property.Type == "object" && len(property.Properties) == 0 && property.AdditionalProperties == nil && name != "metadata" {
				require.True(t, property.XPreserveUnknownFields != nil && *property.XPreserveUnknownFields, "%v would lose what is below", path)
			}
			walk(&property)
			path = path[:len(path)-1]
		}
		if s.Items != nil {
			walk(s.Items.Schema)
		}
	}
	walk(whole(t))
}
