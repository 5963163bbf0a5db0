package dump

import (
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
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// decodeTexts are objects and what is said of them: nothing, "broken" of what is no JSON, or a part of the fault.
var decodeTexts = []struct{ name, kind, text, want string }{
	{"all kinds of values", "Pod", `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":8125}],"resources":{"requests":{"cpu":"200m","memory":1}}}],"priority":-5,"hostNetwork":true,"nodeSelector":{"a":"b"}},"status":{"startTime":"2026-11-30T09:00:00Z"}}`, ""},
	{"white space", "Node", " {\n  \"spec\" : { \"taints\" : [ { \"key\" : \"a\" } , { } ] } }\n", ""},
	{"nulls", "Pod", `{"metadata":null,"spec":{"containers":null,"priority":null,"nodeSelector":null,"affinity":null,"hostNetwork":null,"nodeName":null},"status":{"startTime":null}}`, ""},
	{"nulls in a map and a list", "Pod", `{"metadata":{"labels":{"a":null}},"spec":{"containers":[null],"overhead":{"cpu":null}}}`, ""},
	{"empty", "Pod", `{"metadata":{"labels":{}},"spec":{"containers":[],"affinity":{}}}`, ""},
	{"a time of another zone", "Node", `{"metadata":{"creationTimestamp":"2026-11-30T09:00:00+02:00"}}`, ""},
	{"an empty time", "Node", `{"metadata":{"creationTimestamp":""}}`, "must be an instant"},
	{"an int or a string", "DaemonSet", `{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":"10%","maxUnavailable":0}}}}`, ""},
	{"escapes", "Pod", `{"metadata":{"annotations":{"a":"{\"b\":\n\u00e9\ud800}"}}}`, ""},
	{"an escape in a name", "Pod", `{"m\u0065tadata":{"name":"a"}}`, ""},
	{"a field that is not known", "Pod", `{"spec":{"ünknown":1,"other":{"a":[1,"x"]}}}`, ""},
	{"a field of a later version", "Pod", `{"spec":{"other":{"a":[1,"x",null,true,1.5e3]}}}`, ""},
	{"a fault in a field that is not known", "Pod", `{"spec":{"other":{"a" 1}}}`, "broken"},
	{"a field in another case", "Pod", `{"spec":{"NodeName":"a"}}`, ""},
	{"a field in letters that fold", "Pod", `{"metadata":{"\u212aind":"a"},"` + "\u212aind" + `":"a"}`, ""},
	{"a repeated field", "Pod", `{"spec":{"nodeName":"a","nodeName":"b"}}`, ""},
	{"a repeated label", "Pod", `{"metadata":{"labels":{"a":"b","a":"c"}}}`, ""},
	{"a repeated resource", "Pod", `{"spec":{"overhead":{"cpu":"1","cpu":"2"}}}`, ""},
	{"unread fields", "Pod", `{"metadata":{"managedFields":[{"a" 1}]},"spec":{"containers":[{"env":[{"name":1}],"name":"a"}]}}`, "broken"},
	{"an unread field of another type", "Pod", `{"spec":{"containers":[{"env":{}}]}}`, "env: must be a list"},
	{"images of a node", "Node", `{"status":{"images":[{"names":1}]}}`, "names: must be a list"},
	{"the environment of a DaemonSet", "DaemonSet", `{"spec":{"template":{"spec":{"containers":[{"env":[{"name":"A"}]}]}}}}`, ""},
	{"a number with a zero", "Pod", `{"spec":{"priority":01}}`, "broken"},
	{"a number out of range", "Pod", `{"spec":{"priority":2147483648}}`, "32 bits, not 2147483648"},
	{"a number of many digits", "Pod", `{"spec":{"activeDeadlineSeconds":1000000000000000000}}`, ""},
	{"a fraction", "Pod", `{"spec":{"priority":1.0}}`, "32 bits, not 1.0"},
	{"a wrong type", "Pod", `{"spec":{"nodeName":1}}`, "must be a string, not 1"},
	{"a quantity that is none", "Pod", `{"spec":{"overhead":{"cpu":"x"}}}`, "spec.overhead[cpu]: quantities must match"},
	{"a comma too many", "Pod", `{"spec":{"nodeName":"a",}}`, "broken"},
	{"no comma", "Pod", `{"spec":{} "status":{}}`, "broken"},
	{"a line feed in a string", "Pod", "{\"spec\":{\"nodeName\":\"a\nb\"}}", "broken"},
	{"more behind it", "Pod", `{} {}`, "broken"},
	{"ends early", "Pod", `{"spec":{"nodeName":"a`, "broken"},
	{"ends after a name", "Pod", `{"spec":`, "broken"},
	{"nothing", "Pod", ``, "broken"},
	{"nothing but space", "Pod", "                ", "broken"},
	{"a long indentation at the end", "Pod", "{}                ", ""},
}

func TestDecode(t *testing.T) {
	for _, test := range decodeTexts {
		t.Run(test.name, func(t *testing.T) {
			got := sameAsTheDecoder(t, test.kind, test.text)
			switch {
			case test.want == "broken":
				require.True(t, got.broken)
			case test.want == "":
				require.Empty(t, got.faults)
			default:
				require.Len(t, got.faults, 1)
				require.Contains(t, got.faults[0].String(), test.want)
			}
		})
	}
}

// sameAsTheDecoder compares what is read of a text with what a client of the API reads: the same, but for unread fields, or faults.
func sameAsTheDecoder(t require.TestingT, kind, text string) decoded {
	switch kind {
	case "Node":
		return comparedTo(t, item{implied: typeMeta{"v1", "Node"}, source: source{text: []byte(text)}}, func(d decoded) *corev1.Node { return d.node }, dropUnreadOfNode)
	case "Pod":
		return comparedTo(t, item{implied: typeMeta{"v1", "Pod"}, source: source{text: []byte(text)}}, func(d decoded) *corev1.Pod { return d.pod }, dropUnreadOfPod)
	}
	return comparedTo(t, item{implied: typeMeta{"apps/v1", "DaemonSet"}, source: source{text: []byte(text)}},
		func(d decoded) *appsv1.DaemonSet { return d.set }, func(set *appsv1.DaemonSet) { set.ManagedFields = nil })
}

func comparedTo[T any](t require.TestingT, it item, object func(decoded) *T, drop func(*T)) decoded {
	got := decode(it)
	text := it.source.text
	if kind, _ := typeOf(text); kind != (typeMeta{}) {
		return got // another kind
	}
	require.Equal(t, !json.Valid(text), got.broken, "of\n%s", text)
	want := new(T)
	err := kjson.UnmarshalCaseSensitivePreserveInts(text, want)
	if got.broken || len(got.faults) > 0 {
		require.True(t, err != nil || mayBeTooLong(text), "%v is said of\n%s", got.faults, text)
		require.Nil(t, object(got))
		return got
	}
	require.NoError(t, err, "no fault is said of\n%s", text)
	drop(want)
	require.Equal(t, want, object(got), "of\n%s", text)
	return got
}

// Every field of every type, filled at random, is read, item by item and as a whole.
func TestEveryFieldIsRead(t *testing.T) {
	t.Run("Node", func(t *testing.T) { everyField[corev1.Node](t, "Node") })
	t.Run("Pod", func(t *testing.T) { everyField[corev1.Pod](t, "Pod") })
	t.Run("DaemonSet", func(t *testing.T) { everyField[appsv1.DaemonSet](t, "DaemonSet") })
}

func everyField[T any](t *testing.T, kind string) {
	full := filled[T](func(int) int { return 1 })
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		some := filled[T](func(n int) int { return random.IntN(n + 1) })
		for _, object := range []*T{full, some} {
			text, err := json.MarshalIndent(object, "", strings.Repeat(" ", random.IntN(5)))
			require.NoError(t, err)
			got := sameAsTheDecoder(t, kind, string(text))
			require.Empty(t, got.faults, "%s", text)
			require.False(t, got.broken, "%s", text)
			for range 5 {
				sameAsTheDecoder(t, kind, damaged(random, text))
			}
			printed, err := yaml.JSONToYAML(text)
			require.NoError(t, err)
			require.True(t, sameAsWhole(t, "apiVersion: v1\nkind: "+kind+"List\nitems:\n- "+strings.ReplaceAll(string(printed), "\n", "\n  ")+"\n"), "%s", printed)
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

// The snapshots that are shipped are read item by item.
func TestSnapshotsAreCut(t *testing.T) {
	inputs, err := filepath.Glob("../../examples/snapshots/*.yaml")
	require.NoError(t, err)
	cut := 0
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		require.NoError(t, err)
		for _, d := range splitDocuments(text) {
			if sameAsWhole(t, string(d.text)) {
				cut++
			}
		}
	}
	require.Equal(t, len(inputs), cut)
}

func FuzzDecode(f *testing.F) {
	for _, test := range decodeTexts {
		f.Add(test.kind, test.text)
	}
	f.Fuzz(func(t *testing.T, kind, text string) {
		if utf8.ValidString(text) { // what is not is refused before
			sameAsTheDecoder(t, kind, text)
		}
	})
}
