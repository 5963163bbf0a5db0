package dump

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reader reads the value that the scanner stands before into v, which is zero. It returns false at anything that is not
// plain: a fault, a repeated key, a key in another case. The object is then decoded by encoding/json, which judges it;
// what a reader does read is what encoding/json makes of the text without unread fields.
type reader func(s *scanner, v reflect.Value) bool

// quickReaders read the objects that make up a dump, several times as fast as encoding/json.
var quickReaders = map[reflect.Type]reader{
	reflect.TypeFor[corev1.Node]():      newReader[corev1.Node](unreadList{2, reflect.TypeFor[[]corev1.ContainerImage]()}),
	reflect.TypeFor[corev1.Pod]():       newReader[corev1.Pod](unreadList{3, reflect.TypeFor[[]corev1.EnvVar]()}),
	reflect.TypeFor[appsv1.DaemonSet](): newReader[appsv1.DaemonSet](),
}

// unreadList is a list that squeeze drops: the depth of the object that has it, and its type.
type unreadList struct {
	depth int
	list  reflect.Type
}

// readQuickly reads the whole text into the object.
func readQuickly[T any](text []byte, object *T) bool {
	recent, _ := recents.Get().(*words)
	if recent == nil {
		recent = new(words)
	}
	defer recents.Put(recent)
	s := scanner{text: text, recent: recent}
	s.space()
	if !quickReaders[reflect.TypeFor[T]()](&s, reflect.ValueOf(object).Elem()) {
		return false
	}
	s.space()
	return s.at == len(text)
}

// readers makes the readers of a type and of all that is in it, each once.
type readers map[reflect.Type]reader

// newReader makes the reader of a type, in which unread lists are skipped.
func newReader[T any](unread ...unreadList) reader {
	made := readers{
		reflect.TypeFor[metav1.Time]():       readTime,
		reflect.TypeFor[map[string]string](): orNull(readStrings),
	}
	for _, u := range append(unread, unreadList{2, reflect.TypeFor[[]metav1.ManagedFieldsEntry]()}) {
		read := made.of(u.list)
		made[u.list] = func(s *scanner, v reflect.Value) bool {
			if s.depth == u.depth && s.at < len(s.text) && s.text[s.at] == '[' {
				_, err := s.value()
				return err == nil
			}
			return read(s, v)
		}
	}
	return made.of(reflect.TypeFor[T]())
}

func (r readers) of(t reflect.Type) reader {
	if known, ok := r[t]; ok {
		return known
	}
	r[t] = func(s *scanner, v reflect.Value) bool { return r[t](s, v) } // for a type that holds itself
	r[t] = orNull(r.make(t))
	return r[t]
}

func (r readers) make(t reflect.Type) reader {
	if readsItself(t) {
		return readByMethod
	}
	switch t.Kind() {
	case reflect.String:
		return readString
	case reflect.Bool:
		return readBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return readInt
	case reflect.Pointer:
		return r.pointer(t)
	case reflect.Struct:
		return r.structure(t)
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return r.slice(t)
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !readsItself(t.Key()) {
			return r.mapping(t)
		}
	}
	return readAny
}

func (r readers) pointer(t reflect.Type) reader {
	read := r.of(t.Elem())
	return func(s *scanner, v reflect.Value) bool {
		v.Set(reflect.New(t.Elem()))
		return read(s, v.Elem())
	}
}

func (r readers) slice(t reflect.Type) reader {
	read := r.of(t.Elem())
	return func(s *scanner, v reflect.Value) bool {
		v.Set(reflect.MakeSlice(t, 0, 0))
		return s.plainList(func() bool {
			n := v.Len()
			v.Grow(1)
			v.SetLen(n + 1)
			return read(s, v.Index(n))
		})
	}
}

func (r readers) mapping(t reflect.Type) reader {
	read := r.of(t.Elem())
	return func(s *scanner, v reflect.Value) bool {
		v.Set(reflect.MakeMap(t))
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		members := 0
		return s.plainObject(func(name []byte) bool {
			members++
			key.SetString(s.recent.of(name))
			value.SetZero()
			if !read(s, value) {
				return false
			}
			v.SetMapIndex(key, value)
			return v.Len() == members
		})
	}
}

// structure reads fields that are known. Of a field that is not, the value is valid JSON and the name is not that of a known
// field in another case, which encoding/json takes for it.
func (r readers) structure(t reflect.Type) reader {
	type known struct {
		index []int
		order int
		read  reader
	}
	fields := map[string]known{}
	folded := map[string]bool{}
	for name, field := range fieldsOf(t) {
		fields[name] = known{field.Index, len(fields), r.of(field.Type)}
		folded[strings.ToLower(name)] = true
	}
	if len(fields) > 64 {
		return readAny // more than the set below can hold
	}
	return func(s *scanner, v reflect.Value) bool {
		var seen uint64
		return s.plainObject(func(name []byte) bool {
			field, ok := fields[string(name)]
			if !ok {
				return isASCII(name) && !folded[strings.ToLower(string(name))] && s.skipValid()
			}
			if seen&(1<<field.order) != 0 {
				return false
			}
			seen |= 1 << field.order
			return field.read(s, v.FieldByIndex(field.index))
		})
	}
}

func isASCII(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// readsItself tells whether a type has its own way of reading JSON.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(jsonReader) || p.Implements(textReader)
}

// orNull leaves v zero at a null.
func orNull(read reader) reader {
	return func(s *scanner, v reflect.Value) bool { return s.literal("null") || read(s, v) }
}

// skipValid skips a value that is valid JSON.
func (s *scanner) skipValid() bool {
	value, err := s.value()
	return err == nil && json.Valid(value)
}

func readString(s *scanner, v reflect.Value) bool {
	text, ok := s.stringText()
	v.SetString(text)
	return ok
}

// words are strings that were read lately, by their hash: most of a dump is said again and again. A string holds its own
// bytes and none of the text that it is in.
type words [1 << 12]string

var (
	recents sync.Pool
	seed    = maphash.MakeSeed()
)

const longestWord = 64

// of returns the text as a string, one that is there already if it can.
func (w *words) of(text []byte) string {
	if len(text) > longestWord {
		return string(text)
	}
	place := &w[maphash.Bytes(seed, text)%uint64(len(w))]
	if *place != string(text) {
		*place = string(text)
	}
	return *place
}

// stringText returns the text of a string, with its escapes resolved.
func (s *scanner) stringText() (text string, ok bool) {
	begin := s.at
	if plain, ok := s.plainString(); ok {
		return s.recent.of(plain), true
	}
	s.at = begin
	if s.at == len(s.text) || s.text[s.at] != '"' || s.skipString() != nil {
		return "", false
	}
	return text, json.Unmarshal(s.text[begin:s.at], &text) == nil
}

func readStrings(s *scanner, v reflect.Value) bool {
	into := map[string]string{}
	v.Set(reflect.ValueOf(into))
	members := 0
	return s.plainObject(func(name []byte) bool {
		members++
		text, ok := s.stringText()
		into[s.recent.of(name)] = text
		return ok && len(into) == members
	})
}

func readBool(s *scanner, v reflect.Value) bool {
	if s.literal("true") {
		v.SetBool(true)
		return true
	}
	return s.literal("false")
}

// readInt reads an integer of up to 18 digits.
func readInt(s *scanner, v reflect.Value) bool {
	minus := s.take('-')
	begin, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		n = n*10 + int64(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - begin
	if digits == 0 || digits > 18 || s.text[begin] == '0' && digits > 1 {
		return false
	}
	if minus {
		n = -n
	}
	v.SetInt(n)
	return !v.OverflowInt(n)
}

// readTime reads a time as metav1.Time does.
func readTime(s *scanner, v reflect.Value) bool {
	if s.literal("null") {
		return true
	}
	text, ok := s.plainString()
	if !ok || len(text) > longestScalar {
		return false
	}
	at, err := time.Parse(time.RFC3339, string(text))
	v.Addr().Interface().(*metav1.Time).Time = at.Local()
	return err == nil
}

// readByMethod lets a type read a scalar itself. More than a scalar may keep its white space, which squeeze drops.
func readByMethod(s *scanner, v reflect.Value) bool {
	begin := s.at
	itself, ok := v.Addr().Interface().(json.Unmarshaler)
	if text, plain := s.plainString(); plain && ok && len(text) < longestScalar-1 {
		return itself.UnmarshalJSON(s.text[begin:s.at]) == nil
	}
	s.at = begin
	return s.at < len(s.text) && classes[s.text[s.at]] != opens && readAny(s, v)
}

func readAny(s *scanner, v reflect.Value) bool {
	value, err := s.value()
	return err == nil && !tooLong(value, v.Type()) && json.Unmarshal(value, v.Addr().Interface()) == nil
}
