package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// agree tells whether the quick readers read the text; if they do, encoding/json reads it too, and the same.
func agree[T any](t require.TestingT, kind, text string) bool {
	quick := new(T)
	if !readQuickly([]byte(text), quick) {
		return false
	}
	slow, faults := decodeSlowly[T](outline{text: []byte(text), kind: kind})
	require.Empty(t, faults, "the quick readers read what has faults:\n%s", text)
	require.Equal(t, slow, quick, "of\n%s", text)
	return true
}

func agreeOn(t require.TestingT, kind, text string) bool {
	switch kind {
	case "Node":
		return agree[corev1.Node](t, kind, text)
	case "Pod":
		return agree[corev1.Pod](t, kind, text)
	}
	return agree[appsv1.DaemonSet](t, "DaemonSet", text)
}

var quickTexts = []struct {
	name, kind, text string
	quick            bool
}{
	{"all kinds of values", "Pod", `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":8125}],"resources":{"requests":{"cpu":"200m","memory":1}}}],"priority":-5,"hostNetwork":true,"nodeSelector":{"a":"b"}},"status":{"startTime":"2026-11-30T09:00:00Z"}}`, true},
	{"white space", "Node", " {\n  \"spec\" : { \"taints\" : [ { \"key\" : \"a\" } , { } ] } }\n", true},
	{"nulls", "Pod", `{"metadata":null,"spec":{"containers":null,"priority":null,"nodeSelector":null,"affinity":null,"hostNetwork":null,"nodeName":null},"status":{"startTime":null}}`, true},
	{"nulls in a map and a list", "Pod", `{"metadata":{"labels":{"a":null}},"spec":{"containers":[null],"overhead":{"cpu":null}}}`, false},
	{"empty", "Pod", `{"metadata":{"labels":{}},"spec":{"containers":[],"affinity":{}}}`, true},
	{"a time of another zone", "Node", `{"metadata":{"creationTimestamp":"2026-11-30T09:00:00+02:00"}}`, true},
	{"an empty time", "Node", `{"metadata":{"creationTimestamp":""}}`, false},
	{"an int or a string", "DaemonSet", `{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":"10%","maxUnavailable":0}}}}`, true},
	{"escapes", "Pod", `{"metadata":{"annotations":{"a":"{\"b\":\n\u00e9\ud800}"}}}`, true},
	{"an escape in a name", "Pod", `{"m\u0065tadata":{"name":"a"}}`, false},
	{"a field that is not known", "Pod", `{"spec":{"ünknown":1,"other":{"a":[1,"x"]}}}`, false},
	{"a field of a later version", "Pod", `{"spec":{"other":{"a":[1,"x",null,true,1.5e3]}}}`, true},
	{"a fault in a field that is not known", "Pod", `{"spec":{"other":{"a" 1}}}`, false},
	{"a field in another case", "Pod", `{"spec":{"NodeName":"a"}}`, false},
	{"a field in letters that fold", "Pod", `{"metadata":{"\u212aind":"a"},"` + "\u212aind" + `":"a"}`, false},
	{"a repeated field", "Pod", `{"spec":{"nodeName":"a","nodeName":"b"}}`, false},
	{"a repeated label", "Pod", `{"metadata":{"labels":{"a":"b","a":"c"}}}`, false},
	{"a repeated resource", "Pod", `{"spec":{"overhead":{"cpu":"1","cpu":"2"}}}`, false},
	{"unread fields", "Pod", `{"metadata":{"managedFields":[{"a" 1}]},"spec":{"containers":[{"env":[{"name":1}],"name":"a"}]}}`, true},
	{"an unread field of another type", "Pod", `{"spec":{"containers":[{"env":{}}]}}`, false},
	{"images of a node", "Node", `{"status":{"images":[{"names":1}]}}`, true},
	{"the environment of a DaemonSet", "DaemonSet", `{"spec":{"template":{"spec":{"containers":[{"env":[{"name":"A"}]}]}}}}`, true},
	{"a number with a zero", "Pod", `{"spec":{"priority":01}}`, false},
	{"a number out of range", "Pod", `{"spec":{"priority":2147483648}}`, false},
	{"a number of many digits", "Pod", `{"spec":{"activeDeadlineSeconds":1000000000000000000}}`, false},
	{"a fraction", "Pod", `{"spec":{"priority":1.0}}`, false},
	{"a wrong type", "Pod", `{"spec":{"nodeName":1}}`, false},
	{"a quantity that is none", "Pod", `{"spec":{"overhead":{"cpu":"x"}}}`, false},
	{"a comma too many", "Pod", `{"spec":{"nodeName":"a",}}`, false},
	{"no comma", "Pod", `{"spec":{} "status":{}}`, false},
	{"a line feed in a string", "Pod", "{\"spec\":{\"nodeName\":\"a\nb\"}}", false},
	{"more behind it", "Pod", `{} {}`, false},
	{"ends early", "Pod", `{"spec":{"nodeName":"a`, false},
	{"ends after a name", "Pod", `{"spec":`, false},
	{"nothing", "Pod", ``, false},
	{"nothing but space", "Pod", "                ", false},
	{"a long indentation at the end", "Pod", "{}                ", true},
}

func TestQuickReadersAgreeWithTheDecoder(t *testing.T) {
	for _, test := range quickTexts {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.quick, agreeOn(t, test.kind, test.text))
		})
	}
}

// Every field of every type, filled at random, is read quickly.
func TestQuickReadersReadEveryField(t *testing.T) {
	t.Run("Node", func(t *testing.T) { everyField[corev1.Node](t, "Node") })
	t.Run("Pod", func(t *testing.T) { everyField[corev1.Pod](t, "Pod") })
	t.Run("DaemonSet", func(t *testing.T) { everyField[appsv1.DaemonSet](t, "DaemonSet") })
}

func everyField[T any](t *testing.T, kind string) {
	full := filled[T](func(int) int { return 1 })
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		partly := filled[T](func(n int) int { return random.IntN(n + 1) })
		for _, object := range []*T{full, partly} {
			text, err := json.MarshalIndent(object, "", strings.Repeat(" ", random.IntN(5)))
			require.NoError(t, err)
			require.True(t, agree[T](t, kind, string(text)), "%s", text)
			for range 5 {
				agree[T](t, kind, damaged(random, text))
			}
		}
	}
}

// damaged changes one place of a text.
func damaged(random *rand.Rand, text []byte) string {
	parts := []string{"", " ", `"`, ",", ":", "{", "}", "[", "]", "null", "0", "-", "1e3", `\`, "A", "true", "\n"}
	at := random.IntN(len(text))
	end := min(len(text), at+random.IntN(4))
	return string(text[:at]) + parts[random.IntN(len(parts))] + string(text[end:])
}

// filled makes an object; choose says how many elements a list has, and which of the values from 0 to n a field.
func filled[T any](choose func(n int) int) *T {
	object := new(T)
	f := filler{choose: choose}
	f.fill(reflect.ValueOf(object).Elem())
	return object
}

type filler struct {
	choose func(n int) int
	made   int
}

func (f *filler) fill(v reflect.Value) {
	f.made++
	switch value := v.Addr().Interface().(type) {
	case *metav1.Time:
		value.Time = time.Unix(1790000000+int64(f.made), 0)
		return
	case *resource.Quantity:
		*value = resource.MustParse([]string{"200m", "1Gi", "7", "0.5", "1e3"}[f.made%5])
		return
	case *intstr.IntOrString:
		*value = intstr.Parse([]string{"10%", "3", "http"}[f.made%3])
		return
	case **metav1.FieldsV1:
		return // within a template they are left to the decoder
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"", "plain", `of "two"`, "<é\n"}[f.choose(3)] + fmt.Sprint(f.made))
	case reflect.Bool:
		v.SetBool(f.choose(1) == 1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.choose(1000)) - 1)
	case reflect.Pointer:
		if f.choose(1) == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("bytes"))
			return
		}
		n := f.choose(2)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range f.choose(2) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.made++
			key.SetString(fmt.Sprint("key-", f.made))
			f.fill(value)
			v.SetMapIndex(key, value)
		}
	default:
		panic("no way to fill a " + v.Type().String())
	}
}

// Nothing in the snapshots that are shipped needs the slow way.
func TestQuickReadersReadTheSnapshots(t *testing.T) {
	inputs, err := filepath.Glob("../../examples/snapshots/*.yaml")
	require.NoError(t, err)
	read := 0
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		require.NoError(t, err)
		for _, d := range splitDocuments(text) {
			converted, _, err := toJSON(d.text)
			require.NoError(t, err)
			o, _, err := scanOutline(converted)
			require.NoError(t, err)
			objects := []outline{o}
			for _, item := range o.items {
				o, ok := itemOutline(item)
				require.True(t, ok)
				objects = append(objects, o)
			}
			for _, o := range objects {
				if _, ok := unread[o.kind]; ok {
					require.True(t, agreeOn(t, o.kind, string(o.text)), "%s", o.text)
					read++
				}
			}
		}
	}
	require.Greater(t, read, 50)
}

func FuzzQuickReaders(f *testing.F) {
	for _, test := range quickTexts {
		f.Add(test.kind, test.text)
	}
	f.Fuzz(func(t *testing.T, kind, text string) {
		if utf8.ValidString(text) { // what is not is refused before
			agreeOn(t, kind, text)
		}
	})
}

const printedList = `{
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "annotations": {"a": "},\n        {"},
                "name": "a"
            }
        },
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "spec": {
                "containers": [
                    {
                        "name": "a"
                    },
                    {
                        "name": "b"
                    }
                ]
            }
        },
        {
            "kind": "ConfigMap"
        }
    ],
    "kind": "List",
    "metadata": {
        "resourceVersion": ""
    }
}
`

var printedTexts = []struct {
	name, text string
	guessed    bool
}{
	{"as kubectl prints it", printedList, true},
	{"more objects behind it", printedList + printedList, true},
	{"one item", `{"kind":"List","items":[` + "\n {\n \"kind\":\"X\"\n }\n]}", true},
	{"no indentation", "{\"kind\":\"List\",\"items\":[\n{\n\"kind\":\"Pod\"\n},\n{\n\"metadata\":{\n},\n\"kind\":\"Pod\"\n}\n]}", false},
	{"an element that is not an object", strings.Replace(printedList, "[\n", "[\n        1,\n", 1), false},
	{"an object on one line", strings.Replace(printedList, "            \"kind\": \"ConfigMap\"\n        }", "            \"kind\": \"ConfigMap\"\n        },\n        {}", 1), false},
	{"a fault in an item", strings.Replace(printedList, `"name": "b"`, `"name": 5`, 1), false},
	{"a missing bracket", strings.Replace(printedList, "        },\n", "        ,\n", 1), false},
	{"an item that ends where an object in it does", strings.Replace(printedList, "                \"name\": \"a\"\n            }\n", "                \"name\": \"a\"\n            },\n        \"b\": {\n        }\n", 1), false},
	{"a bracket outdented", strings.Replace(printedList, "                \"annotations\": {\"a\": \"},\\n        {\"},\n", "                \"annotations\": {\n        },\n", 1), false},
	{"items twice", strings.Replace(printedList, `"kind": "List"`, `"items": [], "kind": "List"`, 1), false},
	{"a list of a kind that is not read", strings.Replace(printedList, `"List"`, `"SecretList"`, 1), false},
	{"an item of another version that does not end", strings.Replace(printedList, `"kind": "Pod",`, `"kind": "Pod" ",`, 1), false},
	{"not a list", strings.Replace(printedList, `"List"`, `"Pod"`, 1), false},
	{"the text ends", printedList[:len(printedList)-40], false},
	{"no list ends", printedList[:strings.LastIndex(printedList, "]")], false},
}

// The guess where the items are is either right or not used.
func TestPrintedItemsAreTheItems(t *testing.T) {
	for _, test := range printedTexts {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.guessed, sameOutline(t, test.text)) })
	}
}

func sameOutline(t require.TestingT, text string) (guessed bool) {
	want, wantRest, wantErr := scanOutline([]byte(text))
	got, decoded, rest, err := readOutline([]byte(text))
	require.Equal(t, wantErr, err)
	if err != nil {
		return false
	}
	require.Equal(t, string(wantRest), string(rest))
	guessed, got.guessed = got.guessed, false
	require.Equal(t, want, got)
	require.Equal(t, decodeAll(want), decoded)
	return guessed
}

func FuzzPrintedItems(f *testing.F) {
	for _, test := range printedTexts {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if utf8.Valid(text) && !bytes.Contains(text, []byte("\r\n")) {
			sameOutline(t, string(text))
		}
	})
}
