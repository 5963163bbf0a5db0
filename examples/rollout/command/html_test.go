package command

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// pageParts are a page's first line, and what its data have of the result and the chart.
func pageParts(t *testing.T, text string) (verdict string, result, chart map[string]any) {
	t.Helper()
	_, head, found := strings.Cut(text, "<h1 class=")
	require.True(t, found, text)
	_, head, _ = strings.Cut(head, ">")
	head, _, _ = strings.Cut(head, "</h1>")
	_, text, found = strings.Cut(text, `id="data">`)
	require.True(t, found)
	text, _, _ = strings.Cut(text, "</script>")
	var data struct{ Result, Chart map[string]any }
	require.NoError(t, json.Unmarshal([]byte(text), &data))
	return html.UnescapeString(head), data.Result, data.Chart
}

// The page's data are those of -o json, and its first line is that of the text.
func TestPageHasTheNumbersOfJSON(t *testing.T) {
	for name, args := range map[string][]string{
		"simulate":        {"simulate", "-f", twoWorkers},
		"another seed":    {"simulate", "-f", threeZones, "--seed", "7", "--timeline", "full"},
		"one set":         {"simulate", "-f", conventional, "--set", "strategy.type=RollingUpdate"},
		"a bad image":     {"simulate", "-f", twoWorkers, "--image", "agent@gcr.io/datadoghq/agent:7.81.1=NeverReady"},
		"a way back":      {"simulate", "-f", halfWay, "--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady", "--decide", "recover=Back"},
		"a machine lost":  {"simulate", "-f", twoWorkers, "--fault", "1m LoseNode worker-2 until=20m"},
		"plan":            {"plan", "-f", halfWay},
		"plan, exception": {"plan", "-f", threeZones},
		"plan, fresh":     {"plan", "-f", fresh},
		"compare":         {"compare", "-f", twoWorkers, "--seeds", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			code, text, _ := call("", args...)
			codeJSON, want, _ := call("", append(args, "-o", "json")...)
			codePage, got, _ := call("", append(args, "-o", "html")...)
			require.Equal(t, code, codeJSON)
			require.Equal(t, code, codePage)
			verdict, result, chart := pageParts(t, got)
			var wanted map[string]any
			require.NoError(t, json.Unmarshal([]byte(want), &wanted))
			require.Equal(t, wanted, result)
			require.NotEmpty(t, chart)
			require.Contains(t, strings.ToLower(strings.Join(strings.Fields(text), " ")), strings.ToLower(verdict))
			if args[0] != "compare" { // which takes long
				_, again, _ := call("", append(args, "-o", "html")...)
				require.Equal(t, got, again, "same input, same page")
			}
		})
	}
}

// What is drawn is what the run came to: the peaks and the nodes' lines.
func TestPageDrawsTheRun(t *testing.T) {
	_, text, _ := call("", "simulate", "-f", threeZones, "-o", "html")
	_, result, chart := pageParts(t, text)
	samples := chart["samples"].(map[string]any)
	peak := func(column string) (most float64) {
		for _, value := range samples[column].([]any) {
			most = max(most, value.(float64))
		}
		return most
	}
	require.Equal(t, result["mostWithoutAgent"], peak("withoutAgent"))
	require.Equal(t, result["mostInOverlap"], peak("inOverlap"))
	plans := chart["plans"].(map[string]any)
	most := 0.0
	for i, ambient := range plans["ambient"].([]any) {
		most = max(most, ambient.(float64)+plans["committed"].([]any)[i].(float64))
	}
	require.Equal(t, result["mostUnavailableInPlans"], most)

	gaps := map[string]float64{} // of each node, the sum of what is drawn
	end := result["durationSeconds"].(float64)
	for _, node := range chart["nodes"].([]any) {
		n := node.(map[string]any)
		turns := n["turns"].([]any)
		for i, turn := range turns {
			until := end
			if i+1 < len(turns) {
				until = turns[i+1].([]any)[0].(float64)
			}
			if turn.([]any)[1].(float64) == 2 {
				gaps[n["node"].(string)] += until - turn.([]any)[0].(float64)
			}
		}
	}
	require.Len(t, chart["nodes"], 12)
	for _, gap := range result["gaps"].([]any) {
		g := gap.(map[string]any)
		require.InDelta(t, g["totalSeconds"], gaps[g["node"].(string)], 0.01, g["node"])
	}
}

// fleet is a dump with so many nodes like the first of two-workers.yaml, in three zones.
func fleet(t *testing.T, nodes int) string {
	t.Helper()
	text, err := os.ReadFile(twoWorkers)
	require.NoError(t, err)
	list, document, found := strings.Cut(string(text), "\n---\n")
	require.True(t, found)
	var dump struct {
		Items []json.RawMessage `json:"items"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(list), &dump))
	var items []json.RawMessage
	for _, item := range dump.Items {
		var object struct {
			Kind     string
			Metadata struct{ Name, UID string }
		}
		require.NoError(t, json.Unmarshal(item, &object))
		switch {
		case object.Kind == "DaemonSet":
			items = append(items, item)
		case strings.Contains(string(item), `"worker-1"`):
			for i := range nodes {
				replaced := strings.NewReplacer("worker-1", fmt.Sprintf("node-%d", i), object.Metadata.UID, fmt.Sprintf("%s-%d", object.Metadata.UID, i),
					`"labels":{"kubernetes.io/arch"`, fmt.Sprintf(`"labels":{"topology.kubernetes.io/zone":"zone-%d","kubernetes.io/arch"`, i%3),
					`"name":"datadog-agent-s56jt"`, fmt.Sprintf(`"name":"datadog-agent-%d"`, i)).Replace(string(item))
				items = append(items, json.RawMessage(replaced))
			}
		}
	}
	out, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "fleet.yaml")
	require.NoError(t, os.WriteFile(file, []byte(string(out)+"\n---\n"+document), 0o600))
	return file
}

// A page stays small: 500 nodes have a line each, and more are drawn in groups.
func TestPageOfManyNodes(t *testing.T) {
	const most = 2 << 20
	file := fleet(t, 500)
	_, text, stderr := call("", "simulate", "-f", file, "--set", "strategy.maxUnavailable=10%", "--plan-interval", "3s", "-o", "html")
	require.NotEmpty(t, text, stderr)
	require.Less(t, len(text), most)
	_, result, chart := pageParts(t, text)
	require.Len(t, chart["nodes"], 500)
	require.Len(t, result["gaps"], 500)
	require.Nil(t, chart["groups"])

	file = fleet(t, 600)
	_, text, _ = call("", "simulate", "-f", file, "--set", "strategy.maxUnavailable=20%", "--plan-interval", "3s", "-o", "html")
	require.Less(t, len(text), most)
	_, result, chart = pageParts(t, text)
	require.Nil(t, chart["nodes"])
	require.Len(t, result["gaps"], shownSlow)
	require.NotContains(t, result, "timeline")
	counted := 0.0
	for _, group := range chart["groups"].([]any) {
		counted += group.(map[string]any)["nodes"].(float64)
	}
	require.Equal(t, 600.0, counted)

	_, text, _ = call("", "plan", "-f", file, "-o", "html")
	_, result, chart = pageParts(t, text)
	require.NotContains(t, result, "nodes")
	shape := chart["shapes"].([]any)[0].(map[string]any)
	require.Equal(t, 600.0, shape["nodes"])
	require.Equal(t, map[string]any{"zone-0": 200.0, "zone-1": 200.0, "zone-2": 200.0}, shape["zones"])
}
