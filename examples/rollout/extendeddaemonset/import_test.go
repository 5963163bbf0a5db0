package extendeddaemonset

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

func importedFrom(t *testing.T, text string) *Import {
	t.Helper()
	inputs, err := dump.Options{Stdin: strings.NewReader(text), Keep: Kinds()}.Files("-")
	require.NoError(t, err)
	manifest, err := Read(inputs)
	require.NoError(t, err)
	imported, err := manifest.Convert()
	require.NoError(t, err)
	return imported
}

// Every field of ExtendedDaemonSet's strategy has its line, whether it is written or not.
func TestImportLeavesNoFieldOut(t *testing.T) {
	const canaried = `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a"},
		"spec": {"strategy": {"canary": {}}, "template": {"spec": {"containers": [{"name": "a"}]}}}}`
	lines := map[string]bool{}
	for _, m := range importedFrom(t, canaried).Fields {
		lines[m.Field] = true
		require.True(t, m.Is == Same || m.Is == Differs || m.Is == None)
		require.False(t, m.Is != Same && m.Note == "", "%s: say how", m.Field)
		require.False(t, m.Is == Differs && m.Becomes == "" && strings.HasPrefix(m.Field, "spec."), "%s: say what it becomes", m.Field)
	}
	count := 0
	var walk func(of reflect.Type, at string)
	walk = func(of reflect.Type, at string) {
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || of.PkgPath() != reflect.TypeFor[resource]().PkgPath() {
			require.True(t, lines[at], "%s has no line", at)
			count++
			return
		}
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			walk(of.Field(i).Type, at+"."+name)
		}
	}
	walk(reflect.TypeFor[strategy](), "spec.strategy")
	require.Equal(t, 19, count)
}

// What is written is a document that the planner reads and whose template it renders; the canary is left out here.
func TestWrittenDocumentsAreRead(t *testing.T) {
	for _, file := range []string{"../testdata/extendeddaemonset.yaml", "../testdata/extendeddaemonset-least.yaml"} {
		manifest, err := os.ReadFile(file)
		require.NoError(t, err)
		var written strings.Builder
		require.NoError(t, importedFrom(t, string(manifest)).Write(&written))
		d, err := dump.Read(strings.NewReader(written.String()), "imported")
		require.NoError(t, err)
		d.Rollout.Spec.Strategy.Canary = nil
		for _, fault := range d.Rollout.Validate() {
			require.Equal(t, "status.observedAt", fault.Field, "%v", fault)
		}
		require.Equal(t, model.Never, d.Rollout.Spec.Strategy.Overlap)
		d.Rollout.Status.ObservedAt = metav1.NewTime(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC))
		snapshot, err := d.Snapshot()
		require.NoError(t, err)
		_, err = plan.Render(snapshot)
		require.NoError(t, err)
	}
}

func TestManifestsAreReadStrictly(t *testing.T) {
	const head = `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a"}, "spec": {`
	for _, test := range []struct{ text, fault string }{
		{`{"apiVersion": "v1", "kind": "List", "items": []}`, "the inputs have no ExtendedDaemonSet"},
		{head + `"templates": {}}}`, "templates"},
		{head + `}}` + "\n---\n" + head + `}}`, "a second ExtendedDaemonSet"},
		{strings.Replace(head, "v1alpha1", "v1", 1) + `}}`, "apiVersion: Unsupported value"},
	} {
		inputs, err := dump.Options{Stdin: strings.NewReader(test.text), Keep: Kinds()}.Files("-")
		if err == nil {
			_, err = Read(inputs)
		}
		require.ErrorContains(t, err, test.fault)
	}
}

func TestImportDecides(t *testing.T) {
	with := func(annotations, rolling string) *model.Strategy {
		t.Helper()
		view := importedFrom(t, `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a", "annotations": {`+annotations+`}},
			"spec": {"strategy": {"rollingUpdate": {`+rolling+`}}, "template": {"spec": {"containers": [{"name": "a"}]}}}}`)
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
