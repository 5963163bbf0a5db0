package dump

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// walkFaults compares valid JSON with the Go type that it is to be decoded into and lists every fault with its field path, in
// the order of the text: values of a wrong type and, if strict, unknown and repeated fields.
func walkFaults[T any](text []byte, strict bool) []fault {
	w := walker{strict: strict}
	w.walk(text, reflect.TypeFor[T](), nil)
	return w.faults
}

type walker struct {
	strict bool
	faults []fault
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
	w.fault(m.at, format, args...)
}

// maxFaults bounds the faults that are kept of one document: a million repeated fields need no more memory.
const maxFaults = 1000

func (w *walker) fault(at *field.Path, format string, args ...any) {
	switch len(w.faults) {
	case maxFaults:
		w.faults = append(w.faults, fault{text: fmt.Sprintf("more than %d faults: the rest of the document is not listed", maxFaults)})
		return
	case maxFaults + 1:
		return
	}
	where := "document"
	if at != nil {
		where = at.String()
	}
	w.faults = append(w.faults, fault{path: where, text: fmt.Sprintf(format, args...)})
}

var (
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// walk looks at one value. Only types that hold themselves could make it deep, and no type here does.
func (w *walker) walk(text []byte, want reflect.Type, at *field.Path) {
	if string(text) == "null" {
		w.null(text, want, at)
		return
	}
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	switch kind := want.Kind(); {
	case readsItself(want), kind == reflect.Slice && want.Elem().Kind() == reflect.Uint8:
		w.leaf(text, want, at)
	case kind == reflect.Struct:
		known := fieldsOf(want)
		w.members(text, want, at, func(name string) *field.Path { return at.Child(name) }, func(name string, value []byte) {
			if f, ok := known[name]; ok {
				w.walk(value, f, at.Child(name))
			} else if w.strict {
				w.misreads(misread{at.Child(name), value, nil}, "unknown field%s", suggestion(name, known))
			}
		})
	case kind == reflect.Map:
		w.members(text, want, at, at.Key, func(name string, value []byte) { w.walk(value, want.Elem(), at.Key(name)) })
	case kind == reflect.Slice:
		index := 0
		if !eachElement(text, func(value []byte) { w.walk(value, want.Elem(), at.Index(index)); index++ }) {
			w.misreads(misread{at, text, want}, "must be a list, not %s", describe(text))
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

// members visits the members of an object. In our own documents a name that comes again is a fault.
func (w *walker) members(text []byte, want reflect.Type, at *field.Path, child func(string) *field.Path, visit func(name string, value []byte)) {
	seen := map[string]bool{}
	isObject := eachMember(text, func(name string, value []byte) (more bool) {
		if w.strict && seen[name] {
			w.fault(child(name), "given twice")
		}
		seen[name] = true
		visit(name, value)
		return len(w.faults) <= maxFaults
	})
	if !isObject {
		w.misreads(misread{at, text, want}, "must be an object, not %s", describe(text))
	}
}

// leaf lets the decoder judge one value.
func (w *walker) leaf(text []byte, want reflect.Type, at *field.Path) {
	m := misread{at, text, want}
	if tooLong(text, want) {
		w.misreads(m, "is %d bytes long: a value of this kind has %d at most", len(text), longestScalar)
		return
	}
	err := json.Unmarshal(text, reflect.New(want).Interface())
	if err == nil {
		return
	}
	what := written(want)
	if wrong, ok := err.(*json.UnmarshalTypeError); ok && what == "" {
		what = typeName(wrong.Type)
	}
	if what == "" {
		w.misreads(m, "%v", err)
		return
	}
	w.misreads(m, "must be %s, not %s", what, describe(text))
	if last := &w.faults[len(w.faults)-1]; isNumber(text) && last.path == at.String() {
		last.echo = describe(text)
	}
}

// longestScalar is the most bytes, quotes included, of a number, quantity, percentage, duration or time. The libraries that
// read them take time with the square of their digits; no value that means something comes near.
const longestScalar = 1024

// tooLong tells whether a value is longer than one of its type can be. Texts and bytes may have any length.
func tooLong(text []byte, want reflect.Type) bool {
	if len(text) <= longestScalar || text[0] == '{' || text[0] == '[' {
		return false
	}
	return readsItself(want) || want.Kind() != reflect.String && want.Kind() != reflect.Slice
}

// mayBeTooLong tells whether the text has a run of digits as long as half of the longest scalar: only digits cost the square.
func mayBeTooLong(text []byte) bool {
	const run = longestScalar / 2
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for at := run / 2; at < len(text); at += run / 2 {
		begin, end := at, at
		for begin > 0 && digit(text[begin-1]) && end-begin < run {
			begin--
		}
		for end < len(text) && digit(text[end]) && end-begin < run {
			end++
		}
		if end-begin >= run {
			return true
		}
	}
	return false
}

// readsItself tells whether a type has its own way of reading JSON.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(jsonReader) || p.Implements(textReader)
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

func describe(text []byte) string {
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return shortened(string(text))
}

func shortened(text string) string {
	const shown = 40
	if len(text) > shown {
		return strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return text
}

func isNumber(text []byte) bool { return text[0] == '-' || text[0] >= '0' && text[0] <= '9' }

// suggestion names the field that differs in case only.
func suggestion(name string, known map[string]reflect.Type) string {
	for field := range known {
		if strings.EqualFold(field, name) {
			return fmt.Sprintf(": did you mean %s?", field)
		}
	}
	return ""
}

// fieldsOf returns the types of a struct's fields by their names in JSON, those of inlined structs included.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := make(map[string]reflect.Type, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || (!f.IsExported() && !f.Anonymous):
		case f.Anonymous && name == "", slices.Contains(strings.Split(options, ","), "inline"):
			for name, inner := range fieldsOf(f.Type) {
				fields[name] = inner
			}
		case name == "":
			fields[f.Name] = f.Type
		default:
			fields[name] = f.Type
		}
	}
	return fields
}

// eachMember visits the members of a JSON object in their order, repeated ones included, each value as a part of the text, until
// it is told to stop or the text has a fault. It returns false if the text begins with no object.
func eachMember(text []byte, visit func(name string, value []byte) (more bool)) bool {
	return eachValue(text, '{', visit)
}

// eachElement visits the elements of a JSON list.
func eachElement(text []byte, visit func(value []byte)) bool {
	return eachValue(text, '[', func(_ string, value []byte) bool { visit(value); return true })
}

func eachValue(text []byte, begin json.Delim, visit func(name string, value []byte) (more bool)) bool {
	c := cutter{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	if token, err := c.decoder.Token(); err != nil || token != begin {
		return false
	}
	for more := true; more && c.decoder.More(); {
		name := ""
		if begin == '{' {
			token, err := c.decoder.Token()
			if err != nil {
				break
			}
			name = token.(string)
		}
		value, err := c.value()
		more = err == nil && visit(name, value)
	}
	return true
}
