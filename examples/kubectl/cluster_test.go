package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

const snapshot = "../snapshots/half-way.yaml"

// server is an API server that has what the snapshot holds, two objects a page. What is forbidden answers 403.
func server(t *testing.T, forbidden string) (config string, asked *[]string) {
	t.Helper()
	lists := listsOf(t)
	asked = new([]string)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		list, known := lists[r.URL.Path]
		switch {
		case r.URL.Path == forbidden:
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"you may not","code":403}`))
		case !known:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","message":"no such list","code":404}`))
		default:
			at, _ := strconv.Atoi(r.URL.Query().Get("continue"))
			_ = json.NewEncoder(w).Encode(list.page(at))
		}
	}))
	t.Cleanup(api.Close)
	config = filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(config, []byte(`{apiVersion: v1, kind: Config, current-context: c, clusters: [{name: c, cluster: {server: "`+api.URL+`"}}], contexts: [{name: c, context: {cluster: c}}]}`), 0o600))
	return config, asked
}

type list struct {
	apiVersion, kind string
	items            []map[string]any
}

func (l *list) page(at int) map[string]any {
	end := min(at+2, len(l.items))
	metadata := map[string]any{}
	if end < len(l.items) {
		metadata["continue"] = strconv.Itoa(end)
	}
	return map[string]any{"apiVersion": l.apiVersion, "kind": l.kind, "metadata": metadata, "items": l.items[at:end]}
}

// listsOf are the snapshot's objects as an API server lists them, and one Service.
func listsOf(t *testing.T) map[string]*list {
	t.Helper()
	lists := map[string]*list{
		"/api/v1/nodes": {"v1", "NodeList", nil}, "/api/v1/pods": {"v1", "PodList", nil}, "/apis/apps/v1/daemonsets": {"apps/v1", "DaemonSetList", nil},
		"/api/v1/services": {"v1", "ServiceList", []map[string]any{{
			"metadata": map[string]any{"namespace": "datadog", "name": "agent"},
			"spec":     map[string]any{"selector": map[string]any{"app.kubernetes.io/instance": "datadog-agent"}},
		}}},
	}
	for _, object := range objects(t) {
		for _, l := range lists {
			if object["kind"].(string)+"List" == l.kind {
				delete(object, "apiVersion")
				delete(object, "kind")
				l.items = append(l.items, object)
				break
			}
		}
	}
	return lists
}

// objects are those of the snapshot.
func objects(t *testing.T) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(snapshot)
	require.NoError(t, err)
	for _, document := range strings.Split(string(text), "\n---\n") {
		var o map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(document), &o))
		if items, ok := o["items"].([]any); ok {
			for _, item := range items {
				all = append(all, item.(map[string]any))
			}
			continue
		}
		if o != nil {
			all = append(all, o)
		}
	}
	return all
}

// document is the snapshot's Rollout in a file of its own.
func document(t *testing.T) string {
	t.Helper()
	for _, o := range objects(t) {
		if o["kind"] == "Rollout" {
			text, err := yaml.Marshal(o)
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "rollout.yaml")
			require.NoError(t, os.WriteFile(path, text, 0o600))
			return path
		}
	}
	t.Fatal("the snapshot has no Rollout")
	return ""
}

func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = program().Run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// The plan on a cluster is that on its dump.
func TestPlanOnACluster(t *testing.T) {
	config, asked := server(t, "")
	code, live, errs := call("plan", "--nodes", "-q", "-f", document(t), "--kubeconfig", config, "--now", "2026-11-30T09:03:35Z")
	require.Zero(t, code, errs)
	_, dumped, _ := call("plan", "--nodes", "-q", "-f", snapshot, "--now", "2026-11-30T09:03:35Z")
	require.Equal(t, dumped, live)
	require.Greater(t, len(*asked), len(resources), "in pages")
}

// What is optional may be forbidden; what is not, and a cluster that is not there, are errors in so many words.
func TestWhatMayNotBeRead(t *testing.T) {
	config, _ := server(t, "/api/v1/services")
	code, _, errs := call("plan", "-f", document(t), "--kubeconfig", config)
	require.Zero(t, code, errs)

	config, _ = server(t, "/api/v1/pods")
	code, _, errs = call("plan", "-f", document(t), "--kubeconfig", config)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "/api/v1/pods: you may not")

	code, _, errs = call("plan", "--kubeconfig", config)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "no Rollout document")

	code, _, errs = call("plan", "-f", document(t), "--kubeconfig", filepath.Join(t.TempDir(), "none"))
	require.Equal(t, 2, code)
	require.Contains(t, errs, "error: ")
}
