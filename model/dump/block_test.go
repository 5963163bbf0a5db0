package dump

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

// blockTexts are documents with what the block parser must read itself (fast) or leave to the library.
var blockTexts = []struct {
	name, text string
	fast       bool
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
	{"numbers of other notations", "a: 0x1f\n", false},
	{"octal", "a: 0644\n", false},
	{"float", "a: 1.5\n", false},
	{"exponent", "a: 1e3\n", false},
	{"underscores", "a: 1_000\n", false},
	{"date", "a: 2026-11-30\n", false},
	{"time", "a: 2026-11-30T09:00:00Z\n", false},
	{"words of YAML 1.1", "a: yes\nb: Off\n", false},
	{"key that is a word of YAML 1.1", "on: a\n", false},
	{"true and false", "a: true\nb: false\nc: truelike\n", true},
	{"literal", "a: |\n  x\n   y\n\n  z\n\nb: c\n", true},
	{"literal without the last line feed", "a: |-\n  x\n\n\nb: c\n", true},
	{"literal with all line feeds", "a: |+\n  x\n\n\nb: c\n", true},
	{"literal that begins with a blank line", "a: |\n\n  x\n", true},
	{"literal with a dash in it", "a:\n- |\n  - x\n  key: value\n- w\n", true},
	{"literal with an indicator", "a: |2\n    x\n", false},
	{"literal without an end", "a: |\n  x", false},
	{"folded", "a: >\n  x\n  y\n", false},
	{"plain on two lines", "a: b\n  c\n", false},
	{"quoted on two lines", "a: 'b\n  c'\n", false},
	{"comment after a value", "a: b # c\n", false},
	{"hash in a word", "a: b#c\n", true},
	{"flow", "a: {b: c}\n", false},
	{"anchor", "a: &x b\n", false},
	{"tag", "a: !!str 1\n", false},
	{"tab", "a:\tb\n", false},
	{"unknown escape", "a: \"\\x41\"\n", false},
	{"unicode", "a: grüße\n", true},
	{"line separator", "a: x\u2028y\n", false},
	{"repeated key", "a: 1\na: 2\n", true},
	{"wrong indentation", "a:\n    b: c\n  d: e\n", false},
	{"sequence in a mapping's place", "a: b\n- c\n", false},
	{"scalar alone", "a\n", false},
	{"blank", " \n", false},
	{"space before the colon", "a : b\n", false},
}

func TestBlockParserAgreesWithTheLibrary(t *testing.T) {
	for _, test := range blockTexts {
		t.Run(test.name, func(t *testing.T) {
			converted, fast := blockToJSON([]byte(test.text))
			require.Equal(t, test.fast, fast)
			if fast {
				sameValue(t, test.text, converted)
			}
		})
	}
}

func sameValue(t require.TestingT, text string, converted []byte) {
	reference, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err, "the block parser accepts what the library refuses:\n%s", text)
	var got, want any
	require.NoError(t, json.Unmarshal(converted, &got), "%s", converted)
	require.NoError(t, json.Unmarshal(reference, &want))
	require.Empty(t, cmp.Diff(want, got), "of\n%s", text)
}

// The library's own output must be read fast and to the same value: that is what kubectl prints.
func TestBlockParserReadsWhatTheLibraryPrints(t *testing.T) {
	words := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9_./:# '"%&*{}-]{0,12}`),
		rapid.SampledFrom([]string{"null", "true", "yes", "1", "1.5", "0x10", "- a", "a: b", "x\ny\n", "\n", "|", "~", "2026-11-30", "5d8f7c9b6"}),
	)
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(
			rapid.Map(words, func(s string) any { return s }),
			rapid.Map(rapid.IntRange(-1000, 1000), func(n int) any { return n }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Just[any](nil),
		)
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(value(depth-1), 0, 4), func(v []any) any { return v }),
			rapid.Map(rapid.MapOfN(words, value(depth-1), 0, 4), func(v map[string]any) any { return v }))
	}
	fast, total := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text, err := yaml.Marshal(rapid.MapOfN(words, value(3), 1, 5).Draw(t, "document"))
		require.NoError(t, err)
		total++
		if converted, ok := blockToJSON(text); ok {
			fast++
			sameValue(t, string(text), converted)
		}
	})
	require.Greater(t, fast*5, total, "the block parser gave up on nearly everything")
}

func FuzzBlockParser(f *testing.F) {
	for _, test := range blockTexts {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if converted, ok := blockToJSON([]byte(text)); ok {
			sameValue(t, text, converted)
		}
	})
}

func TestSqueezeDropsWhatIsNotReadAndNothingElse(t *testing.T) {
	tests := []struct{ name, kind, text, want string }{
		{"white space", "Pod", ` { "a" : [ 1 , "x y" ] } `, `{"a":[1,"x y"]}`},
		{"two values side by side stay two", "Pod", `{"a": 1 2}`, `{"a":1 2}`},
		{"environment", "Pod", `{"spec":{"containers":[{"env":[{"name":"A"}],"name":"agent"}]}}`, `{"spec":{"containers":[{"name":"agent"}]}}`},
		{"last field", "Pod", `{"spec":{"containers":[{"name":"agent","env":[]}]}}`, `{"spec":{"containers":[{"name":"agent"}]}}`},
		{"only field", "Pod", `{"metadata":{"managedFields":[{}]},"a":1}`, `{"metadata":{},"a":1}`},
		{"two dropped fields", "Node", `{"status":{"images":[],"managedFields":[],"phase":"x"}}`, `{"status":{"phase":"x"}}`},
		{"a label named env", "Pod", `{"metadata":{"labels":{"env":"prod"}}}`, `{"metadata":{"labels":{"env":"prod"}}}`},
		{"a DaemonSet's environment", "DaemonSet", `{"spec":{"template":{"env":[1]}}}`, `{"spec":{"template":{"env":[1]}}}`},
		{"a value that reads like a field", "Node", `{"status":{"x":"images","y":[1]}}`, `{"status":{"x":"images","y":[1]}}`},
		{"brackets in strings", "Pod", `{"a":"{ [ \" }"}`, `{"a":"{ [ \" }"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, string(squeeze(nil, []byte(test.text), test.kind)))
		})
	}
}
