package dump_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model/dump"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

const (
	nodeYAML = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  uid: u-n1\n  resourceVersion: \"1\"\n"
	podYAML  = "apiVersion: v1\nkind: Pod\nmetadata:\n  namespace: datadog\n  name: p1\n  uid: u-p1\n  resourceVersion: \"2\"\n  unknownField: x\nspec:\n  nodeName: n1\n"
	setYAML  = "apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  namespace: datadog\n  name: agent\n  uid: u-s\n  resourceVersion: \"3\"\n"
	docYAML  = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {namespace: datadog, name: agent}\nspec:\n  desiredFrom:\n    images: {agent: \"gcr.io/datadoghq/agent:7.81.1\"}\n  strategy:\n    maxUnavailable: 1\n"
	nodeJSON = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"u-n1","resourceVersion":"1"}}`
	podJSON  = `{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"datadog","name":"p1","uid":"u-p1","resourceVersion":"2","unknownField":"x"},"spec":{"nodeName":"n1"}}`
	setJSON  = `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"namespace":"datadog","name":"agent","uid":"u-s","resourceVersion":"3"}}`
	docJSON  = `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","metadata":{"namespace":"datadog","name":"agent"},"spec":{"desiredFrom":{"images":{"agent":"gcr.io/datadoghq/agent:7.81.1"}},"strategy":{"maxUnavailable":1}}}`
)

// item indents an object as an element of a block sequence.
func item(indent int, text string) string {
	margin := strings.Repeat(" ", indent)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return margin + "- " + strings.Join(lines, "\n"+margin+"  ") + "\n"
}

// Whatever the format, the four objects are the same.
func TestReadFormats(t *testing.T) {
	list := func(indent int) string {
		return "apiVersion: v1\nitems:\n" + item(indent, nodeYAML) + item(indent, podYAML) + item(indent, setYAML) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	}
	jsonList := `{"apiVersion":"v1","items":[` + nodeJSON + "," + podJSON + "," + setJSON + `],"kind":"List","metadata":{"resourceVersion":""}}`
	stripped := func(text string) string {
		return strings.NewReplacer("apiVersion: v1\nkind: Node\n", "", "apiVersion: v1\nkind: Pod\n", "", "apiVersion: apps/v1\nkind: DaemonSet\n", "").Replace(text)
	}
	tests := []struct{ name, text string }{
		{"documents", nodeYAML + "---\n" + podYAML + "---\n" + setYAML + "---\n" + docYAML},
		{"list as kubectl prints it", list(0) + "---\n" + docYAML},
		{"list indented", list(2) + "---\n" + docYAML},
		{"list with comments and blank lines", strings.ReplaceAll(list(0), "- apiVersion", "# an item\n\n- apiVersion") + "---\n" + docYAML},
		{"list with items last", "apiVersion: v1\nkind: List\nitems:\n" + item(0, nodeYAML) + item(0, podYAML) + item(0, setYAML) + "---\n" + docYAML},
		{"list in a list", "apiVersion: v1\nkind: List\nitems:\n" + item(0, nodeYAML) + item(0, podYAML) + item(0, setYAML) + item(0, docYAML)},
		{"lists of a kind", "kind: NodeList\napiVersion: v1\nitems:\n" + item(0, stripped(nodeYAML)) +
			"---\nkind: PodList\napiVersion: v1\nitems:\n" + item(0, stripped(podYAML)) +
			"---\nkind: DaemonSetList\napiVersion: apps/v1\nitems:\n" + item(0, stripped(setYAML)) + "---\n" + docYAML},
		{"carriage returns", strings.ReplaceAll(list(0)+"---\n"+docYAML, "\n", "\r\n")},
		{"byte order mark", "\ufeff" + list(0) + "---\n" + docYAML},
		{"empty documents and comments", "---\n---\n# only a comment\n---\n\n" + list(0) + "\n...\n---\n---\n" + docYAML + "---\n"},
		{"marker with a comment", "--- # the objects\n" + list(0) + "--- # the document\n" + docYAML},
		{"directive", "%YAML 1.1\n---\n" + list(0) + "---\n" + docYAML},
		{"content behind the marker", "--- " + nodeJSON + "\n--- " + podJSON + "\n--- " + setJSON + "\n--- " + docJSON},
		{"flow style", "{kind: Node, apiVersion: v1, metadata: {name: n1, uid: u-n1, resourceVersion: '1'}}\n---\n" + podYAML + "---\n" + setYAML + "---\n" + docYAML},
		{"JSON objects that follow each other", nodeJSON + podJSON + "\n" + setJSON + "\n\n" + docJSON + "\n"},
		{"JSON list", jsonList + "\n---\n" + docYAML},
		{"JSON list and document", jsonList + docJSON},
		{"JSON with white space", strings.NewReplacer("{", "{\n ", ",", " ,\n\t", ":", " : ").Replace(strings.ReplaceAll(jsonList, "gcr.io/datadoghq/agent:", "")) + docJSON},
	}
	want, err := dump.Read(strings.NewReader(tests[0].text), "in")
	require.NoError(t, err)
	require.Len(t, want.Objects.Nodes, 1)
	require.Equal(t, "n1", want.Objects.Pods[0].Spec.NodeName)
	require.Len(t, want.Objects.DaemonSets, 1)
	require.Equal(t, "gcr.io/datadoghq/agent:7.81.1", want.Rollout.Spec.DesiredFrom.Images["agent"])
	for _, test := range tests[1:] {
		t.Run(test.name, func(t *testing.T) {
			got, err := dump.Read(strings.NewReader(test.text), "in")
			require.NoError(t, err)
			ignoreType(got)
			ignoreType(want)
			require.Empty(t, cmp.Diff(want.Objects, got.Objects))
			require.Empty(t, cmp.Diff(want.Rollout, got.Rollout))
			require.Empty(t, got.Skipped)
		})
	}
}

// ignoreType clears apiVersion and kind, which the items of an API server's own lists do not have.
func ignoreType(d *dump.Dump) {
	for _, node := range d.Objects.Nodes {
		node.APIVersion, node.Kind = "", ""
	}
	for _, pod := range d.Objects.Pods {
		pod.APIVersion, pod.Kind = "", ""
	}
	for _, set := range d.Objects.DaemonSets {
		set.APIVersion, set.Kind = "", ""
	}
}

// An item that only the library can read, and one whose string runs on at the left margin.
func TestListItemsThatAreNotPlainBlocks(t *testing.T) {
	text := "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: n1, annotations: {a: \"one\n- two\"}}\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n2 # the second\n"
	d, err := dump.Read(strings.NewReader(text), "in")
	require.NoError(t, err)
	require.Len(t, d.Objects.Nodes, 2)
	require.Equal(t, "one - two", d.Objects.Nodes[0].Annotations["a"])
	require.Equal(t, "n2", d.Objects.Nodes[1].Name)
}

func TestSkippedKindsAreCounted(t *testing.T) {
	text := "kind: ConfigMap\napiVersion: v1\n---\nkind: Rollout\napiVersion: argoproj.io/v1alpha1\n---\nkind: ConfigMap\napiVersion: v1\n---\nkind: DaemonSet\napiVersion: extensions/v1beta1\n---\nkind: SecretList\napiVersion: v1\nitems: [{}, {}]\n"
	d, err := dump.Read(strings.NewReader(text), "in")
	require.NoError(t, err)
	require.Equal(t, "2 ConfigMap, 1 Rollout, 1 SecretList of 2, 1 extensions/v1beta1 DaemonSet", d.SkippedKinds())
	_, err = d.Snapshot()
	require.ErrorContains(t, err, "no Rollout document")
}

// Each file in testdata/faults is an input; the .golden beside it has its faults, all of them.
func TestFaults(t *testing.T) {
	inputs, err := filepath.Glob("testdata/faults/*.in")
	require.NoError(t, err)
	require.NotEmpty(t, inputs)
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".in")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(input)
			require.NoError(t, err)
			d, err := dump.Read(bytes.NewReader(text), name)
			if err == nil {
				_, err = d.Snapshot()
			}
			var refused *dump.Error
			require.ErrorAs(t, err, &refused)
			golden := strings.TrimSuffix(input, ".in") + ".golden"
			if *rewrite {
				require.NoError(t, os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), refused.Error()+"\n")
		})
	}
}

func TestManyFaultsAreCutAndCounted(t *testing.T) {
	_, err := dump.Read(strings.NewReader(strings.Repeat("---\nkind: Pod\napiVersion: v1\nspec: 1\n", 60)), "in")
	require.ErrorContains(t, err, "in: document 50 (line 200): Pod: spec: must be an object, not 1\nand 10 more")
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	objects, document := write("objects.json", nodeJSON+podJSON), write("rollout.yaml", docYAML)

	t.Run("merged, with standard input", func(t *testing.T) {
		d, err := dump.Options{Stdin: strings.NewReader(setYAML)}.Files(objects, dump.Stdin, document)
		require.NoError(t, err)
		require.Len(t, d.Objects.Nodes, 1)
		require.Len(t, d.Objects.Pods, 1)
		require.Len(t, d.Objects.DaemonSets, 1)
		require.NotNil(t, d.Rollout)
	})
	t.Run("all faults of all inputs", func(t *testing.T) {
		_, err := dump.Files(dir, filepath.Join(dir, "missing"), write("empty.yaml", "# nothing\n"), document, document, write("again.yaml", docYAML))
		require.EqualError(t, err, fmt.Sprintf(`%[1]s: is a directory: name the files in it
%[1]s/missing: no such file or directory
%[1]s/empty.yaml: has no document
%[1]s/rollout.yaml: given twice
%[1]s/again.yaml: document 1 (line 1): a second Rollout document; the first is in %[1]s/rollout.yaml: document 1 (line 1)`, dir))
	})
	t.Run("none", func(t *testing.T) {
		_, err := dump.Files()
		require.ErrorContains(t, err, "name at least one file")
	})
}

// A small file must not cost gigabytes, and deep nesting no stack.
func TestHostileInput(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	wide := "kind: Node\napiVersion: v1\na: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a,", 20000) + "]\n"
	deep := strings.Repeat("[", 200000)
	tests := []struct{ name, text, want string }{
		{"aliases of aliases", "kind: Node\napiVersion: v1\n" + bomb, "anchors and aliases"},
		{"many aliases of a long text", wide, "anchors and aliases"},
		{"aliases in a list", "kind: List\napiVersion: v1\nitems:\n- kind: Node\n  apiVersion: v1\n  x: &a b\n- kind: Node\n  y: *a\n", "anchors and aliases"},
		{"deep YAML", "a: " + deep, "yaml"},
		{"deep block", "kind: Node\n" + strings.Repeat("- ", 200000), "yaml"},
		{"deep JSON in our document", `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","spec":{"desired":{"spec":` + deep, "not valid JSON"},
		{"deep JSON", `{"kind":"Node","apiVersion":"v1","status":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}", "max depth"},
		{"NUL", "a: \x00", "NUL"},
		{"not UTF-8", "a: \xff\xfa", "not UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "UTF-16"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := dump.Read(strings.NewReader(test.text), "in")
			require.ErrorContains(t, err, test.want)
		})
	}
	t.Run("too large", func(t *testing.T) {
		_, err := dump.Options{MaxBytes: 100}.Read(strings.NewReader(strings.Repeat("#", 101)), "in")
		require.ErrorContains(t, err, "larger than 100 bytes")
		d, err := dump.Options{MaxBytes: int64(len(nodeJSON))}.Read(strings.NewReader(nodeJSON), "in")
		require.NoError(t, err)
		require.Len(t, d.Objects.Nodes, 1)
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{nodeYAML + "---\n" + docYAML, nodeJSON + docJSON, "kind: List\nitems:\n- a: b\n- |\n c\n", `{"kind":"List","items":[1,{},"x"]}`, "{}", "--- x", "items:\n-\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := dump.Read(bytes.NewReader(text), "in")
		if (d == nil) == (err == nil) {
			t.Fatal("exactly one of dump and error")
		}
		if err != nil {
			return
		}
		snapshot, err := d.Snapshot()
		if err != nil {
			return
		}
		var out bytes.Buffer
		require.NoError(t, dump.Write(&out, snapshot))
		again, err := dump.Read(&out, "written")
		require.NoError(t, err)
		require.Len(t, again.Objects.Pods, len(d.Objects.Pods))
	})
}
