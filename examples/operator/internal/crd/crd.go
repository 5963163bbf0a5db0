// Package crd makes the CustomResourceDefinition of api.NodeAgentRollout from the Go types: Manifest is the whole of it. Descriptions are the doc comments,
// values of the settings' enumerations their constants, and the least numbers those that model.Rollout.Validate accepts, which the tests compare.
//
// controller-gen is not used: it takes validation from markers in comments, and the planner's types, which know no custom resource, have none.
//
//	crd.go      Manifest: the definition around the schema
//	schema.go   from a type to its schema
//	comments.go what stands in the source: doc comments and constants
package crd

import (
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/examples/operator/api"
)

// Manifest returns the definition as YAML; root is the folder of this module. The error is that of reading its source, or the planner's.
func Manifest(root string) ([]byte, error) {
	definition, err := Definition(root)
	if err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(struct { // without the status that the server fills in
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
	}{definition.TypeMeta, definition.ObjectMeta, definition.Spec})
	return append([]byte("# Made from the Go types by go test ./internal/crd -rewrite.\n"), text...), err
}

// Definition is what Manifest writes.
func Definition(root string) (*apiextensionsv1.CustomResourceDefinition, error) {
	read, err := readSource(root)
	if err != nil {
		return nil, err
	}
	w := walker{source: read}
	whole := w.schema(reflect.TypeFor[api.NodeAgentRollout](), "")
	if w.err != nil {
		return nil, w.err
	}
	column := func(name, kind, path string, priority int32) apiextensionsv1.CustomResourceColumnDefinition {
		return apiextensionsv1.CustomResourceColumnDefinition{Name: name, Type: kind, JSONPath: path, Priority: priority}
	}
	return &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: api.Plural + "." + api.GroupVersion.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: api.GroupVersion.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Kind: api.Kind, ListKind: api.Kind + "List", Plural: api.Plural, Singular: strings.ToLower(api.Kind), ShortNames: []string{"nar"},
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: api.GroupVersion.Version, Served: true, Storage: true,
				Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &whole},
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{
					column("Desired", "integer", ".status.nodes.desired", 0),
					column("Updated", "integer", ".status.nodes.updated", 0),
					column("Available", "integer", ".status.nodes.available", 0),
					column("Phase", "string", ".status.phase", 0),
					column("Reason", "string", ".status.reason", 0),
					column("Canary", "string", ".status.canaryState", 0),
					column("Left-Out", "integer", ".status.exceptionCount", 1),
					column("Revision", "string", ".status.revision", 1),
					column("Age", "date", ".metadata.creationTimestamp", 0),
				},
			}},
		},
	}, nil
}
