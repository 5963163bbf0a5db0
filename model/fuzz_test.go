package model

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Each of these targets runs by its name: go test -fuzz FuzzNewCluster ./model

// Whatever objects a client decodes, a cluster is built or every fault is listed, and what it tells of its
// objects is complete.
func FuzzNewCluster(f *testing.F) {
	for _, text := range []string{
		`{"Nodes":[{"metadata":{"name":"n","uid":"u","resourceVersion":"1"}}],"Pods":[{"metadata":{"namespace":"d","name":"p","uid":"p","resourceVersion":"x"},"spec":{"nodeName":"n"}}]}`,
		`{"Nodes":[null,{}],"Pods":[null,{}],"DaemonSets":[null,{}]}`,
		`{"Nodes":[{"metadata":{"name":"n","uid":"u","resourceVersion":"1"}},{"metadata":{"name":"n","uid":"u","resourceVersion":"1"}}]}`,
		`{"Nodes":[{"metadata":{"name":"","uid":"u","resourceVersion":"1"}}],"Pods":[{"metadata":{"name":"p","uid":"p","resourceVersion":"1"},"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":[]}]}]}}}}}]}`,
		`{"DaemonSets":[{"metadata":{"name":"s","uid":"u","resourceVersion":"1","generation":-1},"spec":{"selector":null}}],"Pods":[{"metadata":{"name":"p","uid":"p","resourceVersion":"1","ownerReferences":[{"uid":"u","controller":true},{"uid":"","controller":true}]}}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var objects Objects
		if json.Unmarshal(text, &objects) != nil {
			t.Skip()
		}
		cluster, err := NewCluster(objects)
		if (cluster == nil) == (err == nil) {
			t.Fatal("exactly one of cluster and error")
		}
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if cluster.Len() != len(objects.Nodes) || len(cluster.DaemonSets()) != len(objects.DaemonSets) ||
			cluster.PodCount()+len(cluster.Stray()) != len(objects.Pods) {
			t.Fatalf("%d nodes, %d Pods and %d DaemonSets became %d, %d + %d and %d", len(objects.Nodes), len(objects.Pods), len(objects.DaemonSets),
				cluster.Len(), cluster.PodCount(), len(cluster.Stray()), len(cluster.DaemonSets()))
		}
		for i := range cluster.Len() {
			if i > 0 && cluster.Node(i-1).Name >= cluster.Node(i).Name {
				t.Fatal("nodes out of order")
			}
			for _, pod := range cluster.Pods(i) {
				readPod(pod)
			}
			TrimNode(cluster.Node(i))
		}
	})
}

// readPod asks everything that is asked of a Pod.
func readPod(pod *corev1.Pod) {
	Bound(pod)
	Terminal(pod)
	AllRunning(pod)
	ReadySince(pod)
	Unschedulable(pod)
	ControllerUID(pod)
	TrimPod(pod.DeepCopy())
}

// A state that was read is written in one way only, and nothing that another version wrote is lost.
func FuzzParseState(f *testing.F) {
	for _, text := range []string{"", `{"version":1}`, `{"version":2}`, `{"version":1,"later":{"a":[1,2]},"sequence":3}`, `{"version":1,"Version":1}`,
		`null`, `[]`, `{"version":1,"targetSince":"2026-01-05T09:00:00Z","failed":[{"revision":"r"}]}`, `{"version":1,"x":1e999}`} {
		f.Add(text)
	}
	for _, text := range []string{`{"version":1,"sequence":12,"proven":"r-1","targetSince":"2026-01-05T09:00:00.5+01:00"}`, `{"version":1,"sequence":0}`,
		`{"version":1,"sequence":01}`, `{"version":1,"sequence":1,"proven":"a\\u0062"}`, `{"version":1,"sequence":-1}`,
		`{"version":1,"sequence":99999999999999999999}`, `{"version":1,"sequence":1,"targetSince":"x"}`, `{"version":1,"sequence":1} `,
		`{"version":1,"sequence":2,"return":{"revision":"r","cause":"Failed","since":"2026-01-05T09:00:00Z"}}`,
		`{"version":1,"sequence":2,"return":{"revision":"r","cause":"Failed"}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		state, err := ParseState(text)
		if want, wrong := parseJSON(text); text != "" && (!reflect.DeepEqual(want, state) || (wrong == nil) != (err == nil)) {
			t.Fatalf("%q is read as %+v, %v, and as JSON it is %+v, %v", text, state, err, want, wrong)
		}
		if err != nil {
			return
		}
		written := state.Text()
		again, err := ParseState(written)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, written, err)
		}
		if again.Text() != written {
			t.Fatalf("%q became %q and then %q", text, written, again.Text())
		}
		var before, after map[string]json.RawMessage
		if text != "" && json.Unmarshal([]byte(text), &before) == nil && json.Unmarshal([]byte(written), &after) == nil {
			for field := range before {
				if _, kept := after[field]; !kept && len(state.unknown[field]) > 0 {
					t.Fatalf("%q lost the field %q: %q", text, field, written)
				}
			}
		}
	})
}

// What is written about a node is read back as it was meant.
func FuzzNodeMarks(f *testing.F) {
	for _, text := range []string{"blue", "green-pending", "blue-to-green", "released-to-blue", "", "Blue", "2026-01-05T09:00:00Z free",
		"2026-01-05T09:00:00.9+14:00 paid", "0000-01-01T00:00:00+23:59 paid", "9999-12-31T23:59:59-23:59 free", "free", " free"} {
		f.Add(text, true)
	}
	f.Add("blue", false)
	f.Fuzz(func(t *testing.T, text string, present bool) {
		label := ParseNodeLabel(text, present)
		value, written := label.Value()
		if again := ParseNodeLabel(value, written); label.Kind != Foreign && again != label {
			t.Fatalf("the label %q is %v and then %v", text, label, again)
		}
		moved := ParseMoved(text)
		again := ParseMoved(moved.String())
		if year := moved.At.UTC().Year(); year < 0 || year > 9999 {
			return // RFC 3339 has four digits
		}
		if again.Paid != moved.Paid || !again.At.Equal(moved.At.Truncate(1e9)) {
			t.Fatalf("the mark %q is %v and then %v", text, moved, again)
		}
	})
}

// The document that a Write becomes does to an object what ApplyEdits does, and refuses what it refuses.
func FuzzJSONPatch(f *testing.F) {
	f.Add("a/b~c", "x", true, "y", true, true, "x", true)
	f.Add("", "", false, "", true, false, "", false)
	f.Add("~1", "v", true, "", false, true, "v", true)
	f.Add("~01", "v", true, "w", true, true, "other", true)
	f.Fuzz(func(t *testing.T, key, from string, hasFrom bool, to string, hasTo bool, labelled bool, present string, has bool) {
		for _, text := range []*string{&key, &from, &to, &present} {
			*text = strings.ToValidUTF8(*text, "?")
		}
		edit := Edit{Key: key}
		if hasFrom {
			edit.From = &from
		}
		if hasTo {
			edit.To = &to
		}
		var labels map[string]string
		if labelled {
			labels = map[string]string{"kept": "k"}
			if has {
				labels[key] = present
			}
		}
		if !labelled && hasFrom {
			return // a planner that saw no labels has none to replace
		}
		write := Write{Object: ObjectRef{Kind: "Node", Name: "n", UID: "u"}, Patch: &Patch{Labels: []Edit{edit}, NoLabels: !labelled}}
		document, err := write.JSONPatch()
		if err != nil {
			t.Fatal(err)
		}
		want, holds := ApplyEdits(labels, write.Patch.Labels)
		got, applied := patched(t, document, labels)
		if applied != holds || applied && !maps.Equal(got, want) {
			t.Fatalf("%s on %v: %v %v, not %v %v", document, labels, got, applied, want, holds)
		}
	})
}

// patched carries the operations on labels out as RFC 6902 says, with an absent value tested as null.
func patched(t *testing.T, document []byte, labels map[string]string) (map[string]string, bool) {
	t.Helper()
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(document, &operations); err != nil {
		t.Fatal(err)
	}
	const root = "/metadata/labels"
	values := maps.Clone(labels)
	for _, o := range operations {
		pointer, isKey := strings.CutPrefix(o.Path, root+"/")
		key := strings.ReplaceAll(strings.ReplaceAll(pointer, "~1", "/"), "~0", "~")
		present, ok := values[key]
		switch {
		case o.Path == "/metadata/uid":
		case o.Op == "test" && !isKey:
			if o.Value != nil || values != nil {
				return labels, false
			}
		case o.Op == "add" && !isKey:
			values = map[string]string{}
		case o.Op == "test":
			if ok != (o.Value != nil) || ok && present != o.Value {
				return labels, false
			}
		case o.Op == "add":
			values[key] = o.Value.(string)
		case o.Op == "remove" && ok:
			delete(values, key)
		default:
			t.Fatalf("%s cannot be carried out on %v", document, labels)
		}
	}
	return values, true
}

// A million repeated keys are one key, which is kept as it was given last.
func TestHostileState(t *testing.T) {
	state, err := ParseState(`{"version":1` + strings.Repeat(`,"x":1`, 1_000_000) + `,"x":[2]}`)
	if err != nil || state.Text() != `{"sequence":0,"version":1,"x":[2]}` {
		t.Fatalf("%v: %.200s", err, state.Text())
	}
}

// What no planner can have written is refused, and the error is short.
func TestRefusedStates(t *testing.T) {
	nines := strings.Repeat("9", 1_000_000)
	for _, test := range []struct{ name, text, want string }{
		{"a version of a million digits", `{"version":` + nines + "}", "not readable"},
		{"a million brackets", `{"version":1,"x":` + strings.Repeat("[", 1_000_000), "not readable"},
		{"a million brackets and back", `{"version":1,"x":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + "}", "not readable"},
		{"no state", "null", "version 0"},
		{"no version", "{}", "version 0"},
		{"a version before the first", `{"version":-1}`, "version -1"},
		{"a text where a number belongs", `{"version":1,"sequence":"1"}`, "not readable"},
		{"a time that is none", `{"version":1,"targetSince":"` + nines + `"}`, "not readable"},
		{"a sequence below 0", `{"version":1,"sequence":-1}`, "sequence -1, which is not from 0 to 9007199254740992"},
		{"a sequence that cannot grow", `{"version":1,"sequence":9223372036854775807}`, "sequence 9223372036854775807"},
		{"a return without a cause", `{"version":1,"return":{"revision":"r"}}`, `the cause "", which`},
		{"a return for a long cause", `{"version":1,"return":{"revision":"r","cause":"` + nines + `"}}`, `the cause "9999`},
		{"an unknown verdict", `{"version":1,"canary":{"revision":"r","verdict":"Perhaps"}}`, `the canary verdict "Perhaps"`},
		{"a canary that was suspended for ever", `{"version":1,"canary":{"revision":"r","suspended":{"seconds":9223372036854775807}}}`, "suspended for 9223372036854775807 seconds"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseState(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 400 {
				t.Fatalf("%.500v", err)
			}
		})
	}
	for _, text := range []string{`{"version":1,"sequence":9007199254740992}`, `{"version":1,"return":{"revision":"r","cause":"Decided"},"canary":{"verdict":"Paused"}}`} {
		if _, err := ParseState(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestNilObjectsAreRefused(t *testing.T) {
	_, err := NewCluster(Objects{Nodes: []*corev1.Node{nil}, Pods: []*corev1.Pod{{}, nil}, DaemonSets: []*appsv1.DaemonSet{nil, nil}})
	var refused *ObjectError
	if !errors.As(err, &refused) || len(refused.Faults) != 5 || refused.Faults[2] != "Node number 1 of its list: is nil" {
		t.Fatalf("%v", err)
	}
}
