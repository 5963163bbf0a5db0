package dump_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model/dump"
)

// odd reads the texts, each an input of its own, to the end, and returns what is said: faults, or else notes.
func odd(t *testing.T, texts ...string) (said string, refused bool) {
	t.Helper()
	var paths []string
	for i, text := range texts {
		path := filepath.Join(t.TempDir(), "in-"+string(rune('a'+i)))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		paths = append(paths, path)
	}
	d, err := dump.Files(paths...)
	if err == nil {
		if _, err = d.Snapshot(); err == nil {
			return strings.Join(d.Notes, "\n"), false
		}
	}
	return err.Error(), true
}

// What people give by mistake is refused, or told, in words that name the mistake and its place.
func TestOddInputs(t *testing.T) {
	wide := func(order binary.AppendByteOrder, text string) (out string) {
		var bytes []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			bytes = order.AppendUint16(bytes, unit)
		}
		return string(bytes)
	}
	const beat = "status:\n  conditions:\n  - {type: Ready, status: \"True\", lastHeartbeatTime: \"2026-11-30T09:00:00Z\"}\n"
	at := func(instant string) string { return docYAML + "status: {observedAt: \"" + instant + "\"}\n" }
	setting := func(line string) string { return strings.Replace(docYAML, "    maxUnavailable: 1\n", line, 1) }
	tests := []struct {
		name    string
		inputs  []string
		refused bool
		want    []string
	}{
		{"no items", []string{"apiVersion: v1\nitems: []\nkind: List\n"}, true, []string{"in-a: document 1 (line 1): a List without items: was kubectl asked for the right context and namespace (-A)?"}},
		{"no items beside a document", []string{`{"apiVersion":"v1","items":[],"kind":"List"}`, at("2026-11-30T09:00:00Z")}, false, []string{"in-a: document 1 (line 1): a List without items"}},
		{"JSON cut short", []string{printedNodes[:len(printedNodes)-30]}, true, []string{"it ends in the middle of an object: was the dump cut short?"}},
		{"JSON cut short within an item", []string{printedNodes[:strings.Index(printedNodes, `"uid"`)+3]}, true, []string{"document 1 (line 8): is not valid JSON: it ends in the middle of an object: was the dump cut short?"}},
		{"JSON cut short after a list", []string{docJSON + "\n" + printedNodes[:len(printedNodes)-5]}, true, []string{"was the dump cut short?"}},
		{"YAML cut short", []string{"apiVersion: v1\nitems:\n" + item(0, nodeYAML) + item(0, podYAML)[:40]}, true, []string{"was the dump cut short?"}},
		{"YAML cut short within quotes", []string{"apiVersion: v1\nitems:\n" + item(0, strings.TrimSuffix(nodeYAML, "1\"\n"))}, true, []string{"unexpected end of stream: was the dump cut short?"}},
		{"an error of kubectl", []string{"error: You must be logged in to the server (Unauthorized)\n"}, true, []string{"is no object but a message of kubectl: error: You must be logged in"}},
		{"an answer of the server", []string{"Error from server (Forbidden): nodes is forbidden: User \"a\" cannot list\n"}, true, []string{"a message of kubectl: Error from server (Forbidden): nodes is forbidden"}},
		{"no connection", []string{"The connection to the server localhost:8080 was refused - did you specify the right host or port?\n"}, true, []string{"a message of kubectl: The connection to the server localhost:8080"}},
		{"no resources", []string{"No resources found\n"}, true, []string{"a message of kubectl: No resources found"}},
		{"a Status", []string{`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"Unauthorized","code":401}`}, true, []string{"is a Status, an answer of the API server instead of objects: Unauthorized"}},
		{"a tab", []string{nodeYAML + "spec:\n\tunschedulable: true\n"}, true, []string{"in-a: document 1 (line 8): yaml: is indented with a tab: YAML takes spaces only"}},
		{"a tab in the second document", []string{nodeYAML + "---\n" + podYAML + "\thostNetwork: true\n"}, true, []string{"in-a: document 2 (line 18): yaml: is indented with a tab"}},
		{"a misspelled kind", []string{nodeYAML, strings.Replace(docYAML, "kind: Rollout", "kind: Rolout", 1)}, true, []string{"no Rollout document (apiVersion: agent-rollout/v1alpha1) is in the inputs, but Rolout of agent-rollout/v1alpha1 (", "in-b: document 1 (line 1))"}},
		{"another system's Rollout", []string{"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n---\n" + nodeYAML}, true, []string{"is in the inputs, but Rollout of argoproj.io/v1alpha1 ("}},
		{"a misspelled DaemonSet", []string{setYAML, strings.Replace(at("2026-11-30T09:00:00Z"), "desiredFrom:\n", "desiredFrom:\n    name: agnet\n", 1)}, false, []string{"spec.desiredFrom.name: no DaemonSet datadog/agnet is in the inputs; there are datadog/agent."}},
		{"an instant before the objects", []string{nodeYAML + beat, at("2026-11-30T08:00:00Z")}, false, []string{"status.observedAt, 2026-11-30T08:00:00Z, is 1h0m0s before the newest time in the objects, 2026-11-30T09:00:00Z"}},
		{"an instant long after", []string{nodeYAML + beat, at("2026-12-02T09:00:00Z")}, false, []string{"is 48h0m0s after the newest time in the objects, 2026-11-30T09:00:00Z"}},
		{"an image without a tag", []string{nodeYAML, strings.Replace(at("2026-11-30T09:00:00Z"), "agent:7.81.1", "agent", 1)}, false, []string{`spec.desiredFrom.images[agent]: image "gcr.io/datadoghq/agent" has no tag`}},
		{"a number too big in YAML", []string{setting("    maxWrites: 99999999999999999999\n")}, true, []string{"(line 8): Rollout: spec.strategy.maxWrites: must be an integer of 32 bits, not 99999999999999999999"}},
		{"a number too big in JSON", []string{strings.Replace(docJSON, `"maxUnavailable":1`, `"maxUnavailable":5000000000`, 1)}, true, []string{"spec.strategy.maxUnavailable: must be an int or a percentage, not 5000000000"}},
		{"a number too big in a Pod", []string{podYAML + "  priority: 123456789012345678901\n"}, true, []string{"(line 11): Pod datadog/p1: spec.priority: must be an integer of 32 bits, not 123456789012345678901"}},
		{"a Node in two files", []string{nodeYAML, "kind: List\napiVersion: v1\nitems:\n" + item(0, podYAML) + item(0, nodeYAML), at("2026-11-30T09:00:00Z")}, true, []string{"in-a: document 1 (line 1) and ", "in-b: document 1 (line 14): items[1]: Node n1: given twice"}},
		{"no UID", []string{strings.Replace(nodeJSON, `"uid":"u-n1",`, "", 1), at("2026-11-30T09:00:00Z")}, true, []string{"in-a: document 1 (line 1): Node n1: metadata.uid is missing"}},
		{"UTF-16, little end first", []string{wide(binary.LittleEndian, nodeYAML)}, true, []string{"in-a: is UTF-16 text: save it as UTF-8"}},
		{"UTF-16, big end first", []string{wide(binary.BigEndian, nodeYAML)}, true, []string{"in-a: is UTF-16 text: save it as UTF-8"}},
		{"a List within a List", []string{`{"kind":"List","apiVersion":"v1","items":[{"kind":"PodList","apiVersion":"v1","items":[]}]}`}, true, []string{"items[0]: is a PodList within a list: give its items by themselves"}},
		{"a Table", []string{`{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}`}, true, []string{"is a Table, what kubectl prints for people, and no object"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			said, refused := odd(t, test.inputs...)
			require.Equal(t, test.refused, refused, said)
			for _, want := range test.want {
				require.Contains(t, said, want)
			}
		})
	}
}

// What is as it should be is not told.
func TestOrdinaryInputsAreNotOdd(t *testing.T) {
	const beat = "status:\n  conditions:\n  - {type: Ready, status: \"True\", lastHeartbeatTime: \"2026-11-30T09:00:00Z\"}\n"
	for _, image := range []string{"agent:7.81.1", "agent@sha256:00", "agent:7.81.1@sha256:00"} {
		document := strings.Replace(docYAML, "agent:7.81.1", image, 1) + "status: {observedAt: \"2026-11-30T09:04:00Z\", otherPods: {all: true}}\n"
		said, refused := odd(t, nodeYAML+beat, setYAML, document)
		require.False(t, refused, said)
		require.Empty(t, said)
	}
}

const printedNodes = `{
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "uid": "u",
                "name": "n",
                "resourceVersion": "1"
            }
        }
    ],
    "kind": "List"
}
`

// What no item may end by itself, a document may not either.
func TestNothingFollowsTheValueOfADocument(t *testing.T) {
	for _, text := range []string{"{kind: Node, apiVersion: v1}\nmetadata: {}\n", "  kind: Node\napiVersion: v1\n"} {
		_, err := dump.Read(strings.NewReader(text), "in")
		require.ErrorContains(t, err, "in: document 1")
	}
}
