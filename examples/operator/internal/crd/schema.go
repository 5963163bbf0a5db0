package crd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
)

type props = apiextensionsv1.JSONSchemaProps

// least are the numbers below which model.Rollout.Validate finds a fault.
var least = map[string]float64{
	"spec.strategy.maxWrites":                    1,
	"spec.strategy.settleSeconds":                0,
	"spec.strategy.canary.autoPause.maxRestarts": 0,
	"spec.strategy.canary.autoFail.maxRestarts":  0,
	"spec.failure.progressDeadlineSeconds":       1,
	"spec.failure.maxRestarts":                   1,
	"spec.lock.spec.components.commands.words":   0,
}

const (
	// percentage is what budget.Check accepts of a string; a number is an int.
	percentage = `^(100|[1-9]?[0-9])%$`
	// duration is what metav1.Duration reads, but for a sign: no setting is negative.
	duration = `^(0|([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+)$`
)

// fixed are the schemas of types that JSON shows otherwise than Go does, or that another server validates.
var fixed = map[reflect.Type]props{
	reflect.TypeFor[metav1.Time]():       {Type: "string", Format: "date-time"},
	reflect.TypeFor[metav1.Duration]():   {Type: "string", Pattern: duration},
	reflect.TypeFor[metav1.ObjectMeta](): {Type: "object"},
	reflect.TypeFor[model.Slot]():        {Type: "string"},
	// The API server validates the DaemonSet when it is written. Its whole schema would be ten times the rest.
	reflect.TypeFor[appsv1.DaemonSet]():   {Type: "object", XEmbeddedResource: true, XPreserveUnknownFields: yes()},
	reflect.TypeFor[intstr.IntOrString](): {XIntOrString: true, Pattern: percentage, AnyOf: []props{{Type: "integer"}, {Type: "string"}}},
	reflect.TypeFor[resource.Quantity]():  {XIntOrString: true, AnyOf: []props{{Type: "integer"}, {Type: "string"}}},
}

func yes() *bool { value := true; return &value }

// walker makes schemas; the error is that of a type for which it knows none.
type walker struct {
	source *source
	err    error
}

// schema is that of a type that stands at the path, which has the names of fields alone.
func (w *walker) schema(t reflect.Type, path string) (s props) {
	if known, ok := fixed[t]; ok {
		return known
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.schema(t.Elem(), path)
	case reflect.Bool:
		return props{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		s = props{Type: "integer", Format: "int64"}
	case reflect.Int32:
		s = props{Type: "integer", Format: "int32"}
	case reflect.String:
		s = props{Type: "string"}
		if strings.HasPrefix(path, "spec.") { // a status may be written by a newer operator
			s.Enum = w.source.values[t.Name()]
		}
		return s
	case reflect.Slice:
		items := w.schema(t.Elem(), path)
		return props{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}}
	case reflect.Map:
		values := w.schema(t.Elem(), path)
		return props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &values}}
	case reflect.Struct:
		return w.object(t, path)
	default:
		w.err = fmt.Errorf("%s: no schema for a %s", path, t)
	}
	if n, ok := least[path]; ok {
		s.Minimum = &n
	}
	return s
}

// object is the schema of a struct, field by field.
func (w *walker) object(t reflect.Type, path string) props {
	s := props{Type: "object", Description: w.source.docs[t.Name()], Properties: map[string]props{}}
	w.fields(&s, t, path)
	slices.Sort(s.Required)
	return s
}

func (w *walker) fields(s *props, t reflect.Type, path string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
			continue
		case strings.Contains(options, "inline"):
			w.fields(s, field.Type, path)
			continue
		}
		below := strings.TrimPrefix(path+"."+name, ".")
		property := w.schema(field.Type, below)
		property.Description = w.source.describe(t, &field, name)
		if path == "" && name == "metadata" {
			property.Description = ""
		}
		optional := strings.Contains(options, "omit") || property.Type == "object" && len(property.Required) == 0
		if !optional || below == "spec" {
			s.Required = append(s.Required, name)
		}
		if t == reflect.TypeFor[corev1.EnvVar]() && name == "name" {
			property.MinLength = new(int64(1))
		}
		s.Properties[name] = property
	}
}
