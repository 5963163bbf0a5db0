package command

import (
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestBadInput has every class of bad input: exit code 2, nothing on standard output, and all faults on standard error.
func TestBadInput(t *testing.T) {
	const document = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: agent}\nspec:\n  desiredFrom: {images: {agent: \"agent:2\"}}\n"
	tests := []struct {
		name  string
		text  string // of the file that FILE stands for
		args  string
		wants []string
	}{
		{"no input", "", "plan", []string{"error: no input: name a file with -f"}},
		{"missing file", "", "plan -f nowhere.yaml", []string{"error: nowhere.yaml: no such file"}},
		{"directory", "", "plan -f testdata", []string{"error: testdata: is a directory"}},
		{"given twice", document, "plan -f FILE FILE", []string{"given twice"}},
		{"two missing files", "", "plan -f nowhere.yaml -f elsewhere.yaml", []string{"error: nowhere.yaml", "error: elsewhere.yaml"}},
		{"not YAML", "a: [", "plan -f FILE", []string{"error: "}},
		{"not JSON", `{"kind": "Node",`, "plan -f FILE", []string{"is not valid JSON"}},
		{"unknown field", document + "  colour: red\n", "plan -f FILE", []string{"spec.colour: unknown field"}},
		{"several unknown fields", document + "  colour: red\n  shape: round\n", "plan -f FILE", []string{"spec.colour", "spec.shape"}},
		{"wrong type", document + "  strategy: {maxWrites: many}\n", "plan -f FILE", []string{"spec.strategy.maxWrites"}},
		{"quoted number", document + "  strategy: {maxUnavailable: \"2\"}\n", "plan -f FILE", []string{"spec.strategy.maxUnavailable"}},
		{"no document", "apiVersion: v1\nkind: Node\nmetadata: {name: a, uid: a, resourceVersion: \"1\"}\n", "plan -f FILE", []string{"no Rollout document"}},
		{"two documents", document + "---\n" + document, "plan -f FILE", []string{"a second Rollout document"}},
		{"object without uid", document + "---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "plan -f FILE", []string{"Node a: metadata.uid is missing"}},
		{"no time at all", document, "plan -f FILE", []string{"status.observedAt"}},
		{"wrong now", document, "plan -f FILE --now yesterday", []string{`error: --now: "yesterday" is no instant`}},
		{"wrong preset", "", "plan -f " + fresh + " --set lock.preset=none", []string{"spec.lock.preset"}},
		{"set without value", "", "plan -f " + fresh + " --set strategy.paused", []string{"must be path=value"}},
		{"set without path", "", "plan -f " + fresh + " --set =1", []string{"the path is empty"}},
		{"set of unknown fields", "", "plan -f " + fresh + " --set strategy.colour=red --set shape=round", []string{"spec.strategy.colour", "spec.shape"}},
		{"set below a number", "", "plan -f " + fresh + " --set strategy.maxUnavailable.x=1", []string{"leads into a value that has no fields"}},
		{"several bad settings", "", "plan -f " + fresh + " --set a --set b[0=1", []string{"--set a:", "--set b[0=1:"}},
		{"set of two sources", "", "plan -f " + fresh + " --set images.agent=agent:2", []string{"spec.desiredFrom"}},
		{"wrong flag", "", "plan --colour", []string{"error: unknown flag: --colour", `See "rollout plan -h".`}},
		{"wrong command", "", "paln", []string{`unknown command "paln" for "rollout": did you mean plan?`, `See "rollout -h".`}},
		{"flags of a wrong command", "", "paln -f nowhere.yaml --now x", []string{`unknown command "paln" for "rollout": did you mean plan?`}},
		{"kubectl's message", "Error from server (Forbidden): nodes is forbidden\n", "plan -f FILE", []string{"a message of kubectl: Error from server (Forbidden): nodes is forbidden"}},
		{"no items", "apiVersion: v1\nitems: []\nkind: List\n", "plan -f FILE", []string{"a List without items: was kubectl asked for the right context"}},
		{"unknown command", "", "bogus", []string{"unknown command \"bogus\" for \"rollout\"\n"}},
		{"negative deadline", "", "advise -f " + fresh + " --within -5m", []string{"error: --within: -5m0s is not longer than 0\nSee"}},
		{"seeds in words", "", "advise -f " + fresh + " --seeds x", []string{`invalid argument "x" for "--seeds" flag: not a whole number`}},
		{"wrong output", "", "plan -f " + fresh + " -o xml", []string{`--output: "xml" is not one of table, wide, json, yaml`}},
		{"patches in JSON", "", "plan -f " + fresh + " -o json --patches", []string{"--patches goes with table and wide", `See "rollout plan -h".`}},
		{"wrong slot", "", "render -f " + fresh + " --slot red", []string{`--slot: "red"`}},
		{"two nodes", "", "explain a b -f " + fresh, []string{"one node is explained at a time", `See "rollout explain -h".`}},
		{"a node and all", "", "explain a --all -f " + fresh, []string{"not both"}},
		{"unknown node", "", "explain z -f " + fresh, []string{`node "z" is not in the inputs`}},
		{"ineligible node", "", "explain w -f " + fresh, []string{`node "w" is not eligible`}},
		{"several DaemonSets", "", "check-template -f testdata/daemonset.yaml -f testdata/refused.yaml", []string{"2 DaemonSets"}},
		{"wrong timeline", "", "simulate -f " + fresh + " --timeline long", []string{`--timeline: "long"`}},
		{"negative time", "", "simulate -f " + fresh + " --pull -1s", []string{"--pull: -1s is negative"}},
		{"too much jitter", "", "simulate -f " + fresh + " --jitter 2", []string{"--jitter: 2 is not between 0 and 1"}},
		{"wrong image", "", "simulate -f " + fresh + " --image agent:9=NeverReady", []string{"has no such image; it has agent:1"}},
		{"wrong behaviour", "", "simulate -f " + fresh + " --image agent:1=Bad --crash 0", []string{`"Bad" is no behaviour`, "--crash 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := file(t, "input.yaml", test.text)
			args := strings.Fields(strings.ReplaceAll(test.args, "FILE", path))
			code, stdout, stderr := call("", args...)
			require.Equal(t, exitBadInput, code, stderr)
			require.Empty(t, stdout)
			for _, want := range test.wants {
				require.Contains(t, stderr, want)
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	text, err := os.ReadFile(fresh)
	require.NoError(t, err)
	code, piped, _ := call(string(text), "plan", "-f", "-")
	require.Equal(t, exitDone, code)
	_, named, _ := call("", "plan", "-f", fresh)
	require.Equal(t, named, piped)
}

func TestNow(t *testing.T) {
	_, stdout, _ := call("", "plan", "-f", fresh, "--now", "2030-01-01T00:00:00+01:00")
	require.Contains(t, stdout, "as of 2029-12-31T23:00:00Z")
}

// TestOrderOfDocuments: the objects of a dump in any order, as a list or one by one, give the same bytes.
func TestOrderOfDocuments(t *testing.T) {
	text, err := os.ReadFile(halfWay)
	require.NoError(t, err)
	var objects []any
	for _, document := range strings.Split(string(text), "\n---\n") {
		var fields map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(document), &fields))
		items, ok := fields["items"].([]any)
		if !ok {
			items = []any{fields}
		}
		objects = append(objects, items...)
	}
	require.Greater(t, len(objects), 10)
	commands := [][]string{{"plan", "-o", "wide", "--patches"}, {"explain"}, {"simulate"}, {"render", "--diff"}}
	want := make([]string, len(commands))
	for i, command := range commands {
		_, want[i], _ = call("", append(command, "-f", halfWay)...)
		require.NotEmpty(t, want[i])
	}
	for seed := range int64(3) {
		rand.New(rand.NewSource(seed)).Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
		var shuffled strings.Builder
		for _, object := range objects {
			text, err := json.Marshal(object)
			require.NoError(t, err)
			shuffled.Write(text)
			shuffled.WriteString("\n")
		}
		for i, command := range commands {
			_, got, _ := call(shuffled.String(), append(command, "-f", "-")...)
			require.Equal(t, want[i], got, "%v with seed %d", command, seed)
		}
	}
}

func TestParsePath(t *testing.T) {
	tests := []struct{ at, want, fault string }{
		{at: "strategy.maxSurge", want: "spec|strategy|maxSurge"},
		{at: "spec.strategy.maxSurge", want: "spec|strategy|maxSurge"},
		{at: "images.agent", want: "spec|desiredFrom|images|agent"},
		{at: "status.observedAt", want: "status|observedAt"},
		{at: "metadata.annotations[a.b/c]", want: "metadata|annotations|a.b/c"},
		{at: "slots.green.env[0].value", want: "spec|slots|green|env|0|value"},
		{at: "", fault: "the path is empty"},
		{at: "a..b", fault: "empty element"},
		{at: ".a", fault: "empty element"},
		{at: "a.", fault: "ends with a dot"},
		{at: "a[", fault: "without its ]"},
		{at: "a[]", fault: "empty element"},
	}
	for _, test := range tests {
		t.Run(test.at, func(t *testing.T) {
			path, err := parsePath(test.at)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, strings.Join(path, "|"))
		})
	}
}

func TestSetField(t *testing.T) {
	tests := []struct{ name, settings, want string }{
		{"a number", "strategy.maxUnavailable=4", `{"spec":{"strategy":{"paused":true,"maxUnavailable":4},"list":[{"a":1}]}}`},
		{"a percentage", "strategy.maxUnavailable=10%", `{"spec":{"strategy":{"paused":true,"maxUnavailable":"10%"},"list":[{"a":1}]}}`},
		{"a text of digits", `strategy.maxUnavailable="4"`, `{"spec":{"strategy":{"paused":true,"maxUnavailable":"4"},"list":[{"a":1}]}}`},
		{"an image", "images.agent=registry:5000/agent:7=x", `{"spec":{"strategy":{"paused":true},"desiredFrom":{"images":{"agent":"registry:5000/agent:7=x"}},"list":[{"a":1}]}}`},
		{"a list", "strategy.spreadBy=[zone]", `{"spec":{"strategy":{"paused":true,"spreadBy":["zone"]},"list":[{"a":1}]}}`},
		{"an element", "list[0].a=2", `{"spec":{"strategy":{"paused":true},"list":[{"a":2}]}}`},
		{"one more element", "list[1].a=2", `{"spec":{"strategy":{"paused":true},"list":[{"a":1},{"a":2}]}}`},
		{"removal", "strategy.paused=null", `{"spec":{"strategy":{},"list":[{"a":1}]}}`},
		{"removal of an object", "strategy=null", `{"spec":{"list":[{"a":1}]}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fields := map[string]any{"spec": map[string]any{"strategy": map[string]any{"paused": true}, "list": []any{map[string]any{"a": 1}}}}
			require.NoError(t, setField(fields, test.settings))
			text, err := json.Marshal(fields)
			require.NoError(t, err)
			require.JSONEq(t, test.want, string(text))
		})
	}
}

// TestSetKeepsTheRest: a setting changes its field and nothing else, and an empty status.otherPods stays there.
func TestSetKeepsTheRest(t *testing.T) {
	for _, status := range []string{"", "otherPods: {}", "otherPods: {nodes: [a]}", "otherPods: {all: true}"} {
		t.Run(status, func(t *testing.T) {
			text := "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {namespace: monitoring, name: agent}\nspec:\n" +
				"  desiredFrom: {images: {agent: \"agent:2\"}}\n  strategy: {slowStart: {interval: 5m}}\n" +
				"status:\n  observedAt: \"2026-01-05T09:00:00Z\"\n"
			if status != "" {
				text += "  " + status + "\n"
			}
			read := func(settings ...string) *model.Rollout {
				d, err := dump.Read(strings.NewReader(text), "input")
				require.NoError(t, err)
				d, err = withSettings(d, settings)
				require.NoError(t, err)
				snapshot, err := d.Snapshot()
				require.NoError(t, err)
				return snapshot.Rollout
			}
			want, got := read(), read("strategy.paused=true")
			require.True(t, got.Spec.Strategy.Paused)
			got.Spec.Strategy.Paused = false
			require.Equal(t, want.WithDefaults(), got.WithDefaults())
		})
	}
}

// What is made of a template depends on no instant: a document without one, as import writes it, will do there.
func TestATemplateNeedsNoClock(t *testing.T) {
	code, document, stderr := call("", "import", "testdata/extendeddaemonset.yaml")
	require.Equal(t, exitDone, code, stderr)
	for _, command := range []string{"check-template", "render"} {
		code, stdout, stderr := call(document, command, "-f", "-", "--set", "strategy.overlap=Never")
		require.Equal(t, exitDone, code, stdout+stderr)
		require.NotEmpty(t, stdout)
	}
	code, _, stderr = call(document, "plan", "-f", "-")
	require.Equal(t, exitBadInput, code)
	require.Contains(t, stderr, "status.observedAt")
}

// A surge without locks says beforehand what is unsafe about it, and one behind locks does not.
func TestASurgeWithoutLocksSaysSo(t *testing.T) {
	for _, command := range []string{"plan", "explain", "simulate"} {
		_, _, stderr := call("", command, "-f", twoWorkers, "--set", "strategy.type=Surge", "--set", "strategy.maxSurge=null")
		require.Contains(t, stderr, "note: Surge Never: two processes of the agent", command)
	}
	_, _, stderr := call("", "plan", "-f", twoWorkers, "--set", "strategy.type=Surge", "--set", "strategy.maxSurge=null", "--set", "strategy.overlap=Locked")
	require.NotContains(t, stderr, "two processes", "it waits behind locks")
}

// A dump has no time of its own: what is taken for it is said, with the flag that gives another.
func TestTheTimeOfADump(t *testing.T) {
	text, err := os.ReadFile(twoWorkers)
	require.NoError(t, err)
	at := strings.Index(string(text), "observedAt:")
	require.Positive(t, at)
	line, _, _ := strings.Cut(string(text)[at:], "\n")
	timeless := strings.Replace(string(text), line, "otherPods: {all: true}", 1)
	_, _, stderr := call(timeless, "plan", "-f", "-")
	require.Contains(t, stderr, "note: status.observedAt is left out: the newest time in the objects")
	require.Contains(t, stderr, "give its time with --now")
	_, _, stderr = call(timeless, "plan", "-f", "-", "--now", "2026-11-30T09:00:00Z")
	require.NotContains(t, stderr, "--now")
}

// A dump that lacks a kind says so, and which command prints it.
func TestMissingKinds(t *testing.T) {
	text, err := os.ReadFile(twoWorkers)
	require.NoError(t, err)
	without := func(kind string) string {
		var kept strings.Builder
		for _, document := range strings.Split(string(text), "\n---\n") {
			var fields map[string]any
			require.NoError(t, yaml.Unmarshal([]byte(document), &fields))
			if items, ok := fields["items"].([]any); ok {
				fields["items"] = slices.DeleteFunc(items, func(item any) bool { return item.(map[string]any)["kind"] == kind })
			}
			out, err := json.Marshal(fields)
			require.NoError(t, err)
			kept.Write(append(out, '\n'))
		}
		return kept.String()
	}
	for _, command := range []string{"plan", "compare"} {
		code, stdout, stderr := call(without("Node"), command, "-f", "-")
		require.Equal(t, exitNotDone, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "error: the inputs have no Node: kubectl get nodes,pods,daemonsets -A")
	}
	_, _, stderr := call(without("Pod"), "plan", "-f", "-")
	require.Contains(t, stderr, "note: the inputs have no Pod, though DaemonSet datadog/datadog-agent has 2: kubectl get")
	_, _, stderr = call(without("DaemonSet"), "plan", "-f", "-")
	require.Contains(t, stderr, "DaemonSet datadog/datadog-agent is not in the snapshot")
	_, _, stderr = call(without("Lease"), "plan", "-f", "-")
	require.NotContains(t, stderr, "the inputs have no")
}
