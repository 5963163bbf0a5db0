package dump

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxDepth bounds the nesting of what is walked.
const maxDepth = 1000

// walkFaults compares a JSON value with the Go type that it is to be decoded into and lists every fault with its
// field path, in the order of the JSON text: values of a wrong type and, if strict, unknown and repeated fields.
func walkFaults[T any](text []byte, strict bool) []string {
	w := walker{strict: strict}
	w.walk(text, reflect.TypeFor[T](), nil, 0)
	return w.faults
}

type walker struct {
	strict bool
	faults []string
	// misread are the fields whose value is of a wrong type or whose name is unknown, in the order of the text.
	misread []misread
}

// misread is a field that says nothing: its path, nil at the top, its value, which is a part of the text, and the type that was
// wanted, nil of an unknown field.
type misread struct {
	at    *field.Path
	value []byte
	want  reflect.Type
}

// misreads reports a fault for which the value counts as left out.
func (w *walker) misreads(m misread, format string, args ...any) {
	if len(w.faults) <= maxFaults {
		w.misread = append(w.misread, m)
	}
	at := m.at
	w.fault(at, format, args...)
}

// maxFaults bounds the faults that are kept of one document: a million repeated fields need no more memory.
const maxFaults = 1000

func (w *walker) fault(at *field.Path, format string, args ...any) {
	switch len(w.faults) {
	case maxFaults:
		w.faults = append(w.faults, fmt.Sprintf("more than %d faults: the rest of the document is not listed", maxFaults))
		return
	case maxFaults + 1:
		return
	}
	where := "document"
	if at != nil {
		where = at.String()
	}
	w.faults = append(w.faults, where+": "+fmt.Sprintf(format, args...))
}

var (
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func (w *walker) walk(text []byte, want reflect.Type, at *field.Path, depth int) {
	text = bytes.TrimSpace(text)
	if depth > maxDepth {
		w.misreads(misread{at, text, want}, "nested more than %d deep", maxDepth)
		return
	}
	if string(text) == "null" {
		w.null(text, want, at)
		return
	}
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	if readsItself(want) {
		w.leaf(text, want, at)
		return
	}
	switch want.Kind() {
	case reflect.Struct:
		if fields, ok := w.members(text, want, at); ok {
			w.structure(fields, fieldsOf(want), at, depth)
		}
	case reflect.Map:
		if fields, ok := w.members(text, want, at); ok {
			w.once(fields, at.Key)
			for _, f := range fields {
				w.walk(f.value, want.Elem(), at.Key(f.name), depth+1)
			}
		}
	case reflect.Slice:
		if want.Elem().Kind() == reflect.Uint8 {
			w.leaf(text, want, at)
			return
		}
		elements, err := listOf(text)
		if err != nil {
			w.misreads(misread{at, text, want}, "must be a list, not %s", describe(text))
			return
		}
		for i, element := range elements {
			w.walk(element, want.Elem(), at.Index(i), depth+1)
		}
	default:
		w.leaf(text, want, at)
	}
}

// null says the same as no field. The decoder leaves the field as it is, but for a type that reads its own text and takes no
// null, as a duration.
func (w *walker) null(text []byte, want reflect.Type, at *field.Path) {
	if want.Kind() != reflect.Pointer && json.Unmarshal(text, reflect.New(want).Interface()) != nil && len(w.faults) <= maxFaults {
		w.misread = append(w.misread, misread{at, text, want})
	}
}

// leaf lets the decoder judge one value.
func (w *walker) leaf(text []byte, want reflect.Type, at *field.Path) {
	if tooLong(text, want) {
		w.misreads(misread{at, text, want}, "is %d bytes long: a value of this kind has %d at most", len(text), longestScalar)
		return
	}
	err := json.Unmarshal(text, reflect.New(want).Interface())
	if err == nil {
		return
	}
	if what := written(want); what != "" {
		w.misreads(misread{at, text, want}, "must be %s, not %s", what, describe(text))
		return
	}
	if wrong, ok := err.(*json.UnmarshalTypeError); ok {
		w.misreads(misread{at, text, want}, "must be %s, not %s", typeName(wrong.Type), describe(text))
		return
	}
	w.misreads(misread{at, text, want}, "%v", err)
}

// written is how a value of a type that reads its own text is to be written; empty for any other.
func written(want reflect.Type) string {
	switch want {
	case reflect.TypeFor[intstr.IntOrString]():
		return "an int or a percentage"
	case reflect.TypeFor[metav1.Duration]():
		return `a duration such as "90s" or "5m"`
	case reflect.TypeFor[metav1.Time]():
		return `an instant such as "2026-01-05T09:00:00Z"`
	}
	return ""
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("an integer of %d bits", t.Bits())
	}
	return "a " + t.Kind().String()
}

const shownValue = 40

func describe(text []byte) string {
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	if len(text) > shownValue {
		return strings.ToValidUTF8(string(text[:shownValue]), "") + "…"
	}
	return string(text)
}

type member struct {
	name  string
	value []byte
}

func (w *walker) members(text []byte, want reflect.Type, at *field.Path) ([]member, bool) {
	fields, err := membersOf(text)
	if err != nil {
		w.misreads(misread{at, text, want}, "must be an object, not %s", describe(text))
	}
	return fields, err == nil
}

func (w *walker) structure(fields []member, known map[string]reflect.StructField, at *field.Path, depth int) {
	if w.strict {
		w.once(fields, func(name string) *field.Path { return at.Child(name) })
	}
	for _, f := range fields {
		want, ok := known[f.name]
		if ok {
			w.walk(f.value, want.Type, at.Child(f.name), depth+1)
			continue
		}
		if w.strict {
			w.misreads(misread{at.Child(f.name), f.value, nil}, "unknown field%s", suggestion(f.name, known))
		}
	}
}

// once reports repeated names.
func (w *walker) once(fields []member, at func(name string) *field.Path) {
	if !w.strict {
		return
	}
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		if seen[f.name] {
			w.fault(at(f.name), "given twice")
		}
		seen[f.name] = true
	}
}

// suggestion names the field that differs in case only.
func suggestion(name string, known map[string]reflect.StructField) string {
	for field := range known {
		if strings.EqualFold(field, name) {
			return fmt.Sprintf(": did you mean %s?", field)
		}
	}
	return ""
}

// fieldsOf returns the fields of a struct by their names in JSON, those of inlined structs included, whose Index is that
// from the struct itself.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := make(map[string]reflect.StructField, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || (!f.IsExported() && !f.Anonymous):
		case f.Anonymous && name == "", options == "inline":
			for name, inner := range fieldsOf(f.Type) {
				inner.Index = slices.Concat(f.Index, inner.Index)
				fields[name] = inner
			}
		case name == "":
			fields[f.Name] = f
		default:
			fields[name] = f
		}
	}
	return fields
}

// membersOf returns the fields of a JSON object in their order, repeated ones included.
func membersOf(text []byte) (fields []member, err error) {
	s := scanner{text: text}
	if !s.take('{') {
		return nil, errNotJSON
	}
	for s.peekAfterSpace() != '}' {
		if len(fields) > 0 && !s.take(',') {
			return nil, s.fault("expected ,")
		}
		s.space()
		key, err := s.stringValue()
		if err != nil {
			return nil, err
		}
		var name string
		if err := json.Unmarshal([]byte(key), &name); err != nil {
			name = strconv.Quote(key)
		}
		if s.space(); !s.take(':') {
			return nil, s.fault("expected :")
		}
		s.space()
		value, err := s.value()
		if err != nil {
			return nil, err
		}
		fields = append(fields, member{name, value})
	}
	return fields, nil
}

func listOf(text []byte) ([][]byte, error) {
	s := scanner{text: text}
	if len(text) == 0 || text[0] != '[' {
		return nil, errNotJSON
	}
	return s.elements()
}
