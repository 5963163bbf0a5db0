package dump

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type widget struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Size       int    `json:"size"`
}

// Kinds that are kept are decoded by the caller, as strictly as a document of ours; the rest is skipped.
func TestKeptKinds(t *testing.T) {
	const text = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.com/v1, kind: Widget, size: 3}\n- {apiVersion: example.com/v1, kind: Gadget}\n" +
		"---\napiVersion: example.com/v1\nkind: Widget\nsize: big\nsise: 4\n---\napiVersion: example.com/v1\nkind: Widget\nsize: 1\nsize: 2\n"
	d, err := Options{Keep: []string{"Widget"}}.Read(strings.NewReader(text), "widgets")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"Gadget": 1}, d.Skipped)
	require.Len(t, d.Others, 3)

	first, err := Decode[widget](d.Others[0])
	require.NoError(t, err)
	require.Equal(t, widget{"example.com/v1", "Widget", 3}, *first)

	_, err = Decode[widget](d.Others[1])
	var faults *Error
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults.Faults, 2)
	require.Contains(t, faults.Error(), "Widget: size: must be an integer")
	require.Contains(t, faults.Error(), "Widget: sise: unknown field")

	_, err = Decode[widget](d.Others[2])
	require.ErrorContains(t, err, "size")
}
