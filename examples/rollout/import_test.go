package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

func importedFrom(t *testing.T, stdin string, args ...string) importView {
	t.Helper()
	code, stdout, stderr := call(stdin, append([]string{"import", "-o", "json"}, args...)...)
	require.Equal(t, exitDone, code, stderr)
	var view importView
	require.NoError(t, json.Unmarshal([]byte(stdout), &view))
	return view
}

// Every field of ExtendedDaemonSet's strategy has its line, whether it is written or not.
func TestImportLeavesNoFieldOut(t *testing.T) {
	const canaried = `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a"},
		"spec": {"strategy": {"canary": {}}, "template": {"spec": {"containers": [{"name": "a"}]}}}}`
	lines := map[string]bool{}
	for _, m := range importedFrom(t, canaried, "-f", "-").Fields {
		lines[m.Field] = true
		require.True(t, m.Is == same || m.Is == differs || m.Is == none)
		require.False(t, m.Is != same && m.Note == "", "%s: say how", m.Field)
		require.False(t, m.Is == differs && m.Becomes == "" && strings.HasPrefix(m.Field, "spec."), "%s: say what it becomes", m.Field)
	}
	count := 0
	var walk func(of reflect.Type, at string)
	walk = func(of reflect.Type, at string) {
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || !strings.HasPrefix(of.Name(), "extended") {
			require.True(t, lines[at], "%s has no line", at)
			count++
			return
		}
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			walk(of.Field(i).Type, at+"."+name)
		}
	}
	walk(reflect.TypeFor[extendedStrategy](), "spec.strategy")
	require.Equal(t, 19, count)
}

// What import writes is a document that the planner reads; the canary is left out here.
func TestImportedDocumentsAreRead(t *testing.T) {
	for _, file := range []string{"testdata/extendeddaemonset.yaml", "testdata/extendeddaemonset-least.yaml"} {
		code, stdout, stderr := call("", "import", file)
		require.Equal(t, exitDone, code, stderr)
		d, err := dump.Read(strings.NewReader(stdout), "imported")
		require.NoError(t, err)
		d.Rollout.Spec.Strategy.Canary = nil
		for _, fault := range d.Rollout.Validate() {
			require.Equal(t, "status.observedAt", fault.Field, "%v", fault)
		}
		require.Equal(t, model.Never, d.Rollout.Spec.Strategy.Overlap)

		set := []string{"--set", "strategy.canary=null", "--now", "2026-11-30T09:00:00Z"}
		code, stdout, stderr = call(stdout, append([]string{"check-template", "-f", "-"}, set...)...)
		require.Equal(t, exitDone, code, "%s%s", stdout, stderr)
	}
}

func TestImportDecides(t *testing.T) {
	with := func(annotations, rolling string) *model.Strategy {
		t.Helper()
		view := importedFrom(t, `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a", "annotations": {`+annotations+`}},
			"spec": {"strategy": {"rollingUpdate": {`+rolling+`}}, "template": {"spec": {"containers": [{"name": "a"}]}}}}`, "-f", "-")
		text, err := json.Marshal(view.Rollout)
		require.NoError(t, err)
		var r model.Rollout
		require.NoError(t, json.Unmarshal(text, &r))
		return &r.Spec.Strategy
	}
	const prefix = `"extendeddaemonset.datadoghq.com/`
	require.True(t, with(prefix+`rolling-update-paused": "true"`, "").Paused)
	require.False(t, with(prefix+`rolling-update-paused": "yes"`, "").Paused, "only true counts")
	require.True(t, with(prefix+`rollout-frozen": "true"`, "").Frozen)
	zero := with("", `"maxUnavailable": "0%"`)
	require.True(t, zero.Paused, "nothing was ever replaced")
	require.Equal(t, "1", zero.MaxUnavailable.String())
	require.Equal(t, "7%", with("", `"maxPodSchedulerFailure": "7%"`).ExemptUnhealthy.String())
	require.Equal(t, int32(40), *with("", `"maxParallelPodCreation": 40`).MaxWrites)
	least := with("", "")
	require.Equal(t, "1", least.MaxUnavailable.String())
	require.Equal(t, slowInterval, least.SlowStart.Interval.Duration)
	require.False(t, least.Paused || least.Frozen)
}
