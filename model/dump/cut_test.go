package dump

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

// blockTexts are YAML documents of every style.
var blockTexts = []struct {
	name, text string
	cut        bool // a list that has it as an item is read item by item
}{
	{"mapping", "a: b\nc:\n  d: 1\n", true},
	{"sequence at the key's column", "a:\n- b\n- c: d\n  e: f\ng: h\n", true},
	{"sequence further right", "a:\n  - b\n  -\n    c: d\ne: null\n", true},
	{"nested sequences", "a:\n- - x\n  - w\n- - z\n", true},
	{"empty values", "a:\nb: {}\nc: []\nd: \"\"\ne: ''\n", true},
	{"comments and blank lines", "# head\na: b\n\n# middle\nc: d\n  # deep\n", true},
	{"quotes", "a: 'it''s'\nb: \"x\\n\\\"y\\\"\"\n'c d': e\n\"f:\": g\n", true},
	{"image", "image: gcr.io/datadoghq/agent:7.81.1\n", true},
	{"hash that begins with digits", "a: 5d8f7c9b6\nb: 250m\nc: 16Gi\nd: 10.0.0.1\n", true},
	{"numbers", "a: 1\nb: -12\nc: 0\nd: 123456789012345678\n", true},
	{"numbers of other notations", "a: 0x1f\n", true},
	{"octal", "a: 0644\n", true},
	{"float", "a: 1.5\n", true},
	{"exponent", "a: 1e3\n", true},
	{"underscores", "a: 1_000\n", true},
	{"date", "a: 2026-11-30\n", true},
	{"time", "a: 2026-11-30T09:00:00Z\n", true},
	{"words of YAML 1.1", "a: yes\nb: Off\n", true},
	{"key that is a word of YAML 1.1", "on: a\n", true},
	{"true and false", "a: true\nb: false\nc: truelike\n", true},
	{"literal", "a: |\n  x\n   y\n\n  z\n\nb: c\n", true},
	{"literal without the last line feed", "a: |-\n  x\n\n\nb: c\n", true},
	{"literal with all line feeds", "a: |+\n  x\n\n\nb: c\n", true},
	{"literal that begins with a blank line", "a: |\n\n  x\n", true},
	{"literal with a dash in it", "a:\n- |\n  - x\n  key: value\n- w\n", true},
	{"literal with an indicator", "a: |2\n    x\n", true},
	{"literal without an end", "a: |\n  x", true},
	{"folded", "a: >\n  x\n  y\n", true},
	{"plain on two lines", "a: b\n  c\n", true},
	{"quoted on two lines", "a: 'b\n  c'\n", true},
	{"comment after a value", "a: b # c\n", true},
	{"hash in a word", "a: b#c\n", true},
	{"flow", "a: {b: c}\n", true},
	{"anchor", "a: &x b\n", true},
	{"tag", "a: !!str 1\n", true},
	{"tab", "a:\tb\n", true},
	{"unknown escape", "a: \"\\x41\"\n", true},
	{"unicode", "a: grüße\n", true},
	{"line separator", "a: x\u2028y\n", false},
	{"repeated key", "a: 1\na: 2\n", true},
	{"wrong indentation", "a:\n    b: c\n  d: e\n", false},
	{"sequence in a mapping's place", "a: b\n- c\n", false},
	{"scalar alone", "a\n", true},
	{"blank", " \n", true},
	{"space before the colon", "a : b\n", true},
}

// readWhole reads a YAML text without looking for items in it.
func readWhole(t require.TestingT, text string) (*collector, bool) {
	converted, err := toJSON([]byte(text))
	if err != nil {
		return nil, false
	}
	outlines, err := cutObjects(converted, false)
	if err != nil || len(outlines) == 0 {
		return nil, false
	}
	c, p := newCollector(nil), place{input: "in", document: 1, line: 1}
	items, objects, whole := decodeOutlines(p, converted, outlines)
	require.True(t, whole, "converted to what is no JSON: %s", converted)
	c.takeAll(p, outlines, items, objects)
	return c, true
}

// sameAsWhole compares a list that is read item by item with the list read as one value. It tells whether it was cut.
func sameAsWhole(t require.TestingT, text string) bool {
	header, items, ok := cutList([]byte(text))
	got := newCollector(nil)
	if !ok || !got.yamlItems(place{input: "in", document: 1, line: 1}, []byte(text), header, items) {
		return false
	}
	want, ok := readWhole(t, text)
	if !ok && mayAlias([]byte(text)) {
		return false // as a whole it is refused for signs that are no aliases in any of the items
	}
	require.True(t, ok, "the items are read and the whole is not:\n%s", text)
	require.Len(t, got.faults, len(want.faults), "of\n%s", text)
	require.Empty(t, cmp.Diff(want.dump.Objects, got.dump.Objects), "of\n%s", text)
	require.Empty(t, cmp.Diff(want.dump.Rollout, got.dump.Rollout), "of\n%s", text)
	require.Equal(t, want.dump.Skipped, got.dump.Skipped, "of\n%s", text)
	require.Len(t, got.dump.empty, len(want.dump.empty), "of\n%s", text)
	return true
}

const nodeItem = "- apiVersion: v1\n  kind: Node\n  metadata: {name: a}\n"

// asItem makes a list in which the text is all of an item, and what is in one of its fields.
func asItem(text string, column int) string {
	margin := strings.Repeat(" ", column)
	indented := func(by int, text string) string {
		return strings.TrimLeft(strings.ReplaceAll("\n"+strings.TrimSuffix(text, "\n"), "\n", "\n"+strings.Repeat(" ", by)), "\n ") + "\n"
	}
	list := nodeItem + "- " + indented(2, text) + "- kind: Pod\n  apiVersion: v1\n  metadata:\n    annotations:\n      " + indented(6, text) + nodeItem
	return "apiVersion: v1\nkind: List\nitems:\n" + margin + strings.TrimRight(strings.ReplaceAll(list, "\n", "\n"+margin), " ") + "metadata: {}\n"
}

// A list that is cut into items is the list.
func TestItemsAreThoseOfTheWhole(t *testing.T) {
	for _, test := range blockTexts {
		t.Run(test.name, func(t *testing.T) {
			for _, column := range []int{0, 2} {
				require.Equal(t, test.cut, sameAsWhole(t, asItem(test.text, column)), "%s", asItem(test.text, column))
			}
		})
	}
}

// What the library prints is cut, and whatever one edit makes of it is cut rightly or not at all.
func TestPrintedListsAreCutAndRead(t *testing.T) {
	words := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9_./:# '"%&*{}|>-]{0,12}`),
		rapid.SampledFrom([]string{"null", "true", "yes", "1", "1.5", "0x10", "- a", "a: b", "x\ny\n", "\n- x", "\n", "|", "~", "2026-11-30", "items:\n- a: b\n", strings.Repeat("to be folded ", 12)}),
	)
	object := rapid.Custom(func(t *rapid.T) any {
		metadata := map[string]any{"name": words.Draw(t, "name"), "annotations": rapid.MapOfN(words, words, 0, 4).Draw(t, "annotations")}
		return map[string]any{"apiVersion": "v1", "kind": rapid.SampledFrom([]string{"Node", "Pod", "Secret"}).Draw(t, "kind"), "metadata": metadata}
	})
	edits := rapid.SampledFrom([]string{"", " ", "\n", "\n- ", "- ", "'", "\"", ":", "#", "{", "]", "|", ">", "&a ", "*a", "\t", "\r", "\u2028", "? ", "...", "items:\n"})
	cut, total, edited := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": rapid.SliceOfN(object, 1, 4).Draw(t, "items")})
		require.NoError(t, err)
		total++
		if sameAsWhole(t, string(text)) {
			cut++
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if sameAsWhole(t, string(text[:at])+edits.Draw(t, "edit")+string(text[at+rapid.IntRange(0, 1).Draw(t, "dropped"):])) {
			edited++
		}
	})
	require.Greater(t, cut*10, total*9, "lists that are printed are not cut")
	require.Greater(t, edited*4, total, "the edits leave nothing to compare")
}

func FuzzListItems(f *testing.F) {
	for _, test := range blockTexts {
		f.Add(asItem(test.text, 0))
		f.Add(asItem(test.text, 2))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && !strings.Contains(text, "\x00") { // what is not is refused before
			sameAsWhole(t, text)
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
	{"a fault in an item", strings.Replace(printedList, `"name": "b"`, `"name": 5`, 1), true},
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

// sameOutline compares what is read where items are guessed with what is read where they are not.
func sameOutline(t require.TestingT, text string) (guessed bool) {
	p := place{input: "in", document: 1, line: 1}
	got, want := newCollector(nil), newCollector(nil)
	outlines, err := cutObjects([]byte(text), false)
	items, objects, _ := decodeOutlines(p, []byte(text), outlines)
	want.takeAll(p, outlines, items, objects)
	fault := got.json(p, []byte(text))
	require.Equal(t, err == nil, fault == nil, "of\n%s", text)
	require.Equal(t, want.faults, got.faults, "of\n%s", text)
	require.Equal(t, want.dump, got.dump, "of\n%s", text)
	outlines, err = cutObjects([]byte(text), true)
	_, _, whole := decodeOutlines(p, []byte(text), outlines)
	return err == nil && whole && slices.ContainsFunc(outlines, func(o outline) bool { return o.guessed && isList(o.kind) })
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

// What the fuzzers begin with is read, and not skipped.
func TestFuzzCorporaAreRead(t *testing.T) {
	for name, read := range map[string]func(t *testing.T, values []string) bool{
		"FuzzRead": func(t *testing.T, values []string) bool {
			d, err := Read(strings.NewReader(values[0]), "in")
			require.NoError(t, err)
			_, err = d.Snapshot()
			return err == nil && len(d.Objects.Nodes) == 1
		},
		"FuzzListItems":    func(t *testing.T, values []string) bool { return sameAsWhole(t, values[0]) },
		"FuzzDecode":       func(t *testing.T, values []string) bool { return !sameAsTheDecoder(t, values[0], values[1]).broken },
		"FuzzPrintedItems": func(t *testing.T, values []string) bool { return sameOutline(t, values[0]) },
	} {
		inputs, err := filepath.Glob("testdata/fuzz/" + name + "/*")
		require.NoError(t, err)
		require.NotEmpty(t, inputs)
		for _, input := range inputs {
			t.Run(strings.TrimPrefix(input, "testdata/fuzz/"), func(t *testing.T) {
				text, err := os.ReadFile(input)
				require.NoError(t, err)
				var values []string
				for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
					value, err := strconv.Unquote(line[strings.IndexByte(line, '(')+1 : len(line)-1])
					require.NoError(t, err)
					values = append(values, value)
				}
				require.True(t, read(t, values))
			})
		}
	}
}
