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
	for _, file := range []string{"../command/testdata/extendeddaemonset.yaml", "../command/testdata/extendeddaemonset-least.yaml"} {
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

// extended is a manifest with the annotations and the strategy.
func extended(annotations, strategy string) string {
	return `{"apiVersion": "datadoghq.com/v1alpha1", "kind": "ExtendedDaemonSet", "metadata": {"name": "a", "annotations": {` + annotations + `}},
		"spec": {"strategy": {` + strategy + `}, "template": {"spec": {"containers": [{"name": "a"}]}}}}`
}

// What differs is not called the same, and what is said of a canary is said where there is one.
func TestImportSaysWhatDiffers(t *testing.T) {
	const (
		prefix = "extendeddaemonset.datadoghq.com/"
		paused = "metadata.annotations[" + prefix + "rolling-update-paused]"
		frozen = "metadata.annotations[" + prefix + "rollout-frozen]"
		canary = "spec.strategy.canary"
	)
	for _, test := range []struct {
		annotations, strategy string
		field                 string
		is                    Likeness
		says, silent          string
	}{
		{`"` + prefix + `rolling-update-paused": "true"`, `"canary": {"replicas": 1, "duration": "5m"}`, paused, Differs, "a canary is placed and promoted; here no node leaves its source, the canary's neither", ""},
		{`"` + prefix + `rolling-update-paused": "true"`, "", paused, Differs, "nodes without a Pod get the new template", "canary"},
		{`"` + prefix + `rollout-frozen": "true"`, `"canary": {}`, frozen, Differs, "but those of a canary, which is promoted", ""},
		{`"` + prefix + `rollout-frozen": "true"`, "", frozen, Differs, "the DaemonSet controller still makes Pods on nodes that join", "canary"},
		{"", `"rollingUpdate": {"maxUnavailable": 0}, "canary": {}`, "spec.strategy.rollingUpdate.maxUnavailable", Differs, "there a canary is placed and promoted all the same, here it is not placed", ""},
		{"", `"rollingUpdate": {"maxUnavailable": 0}`, "spec.strategy.rollingUpdate.maxUnavailable", Differs, "here that is paused", "canary"},
		{"", `"canary": {}`, "spec.strategy.rollingUpdate.slowStartIntervalDuration", Differs, "It begins after the canary, here and there", ""},
		{"", "", "spec.strategy.rollingUpdate.slowStartIntervalDuration", Differs, "its first step lets increase nodes begin", "canary"},
		{"", "", "nodes that join", Differs, "there they get the new revision at once; here the source's until the target is proven, then the target at once", "canary"},
		{"", `"canary": {}`, "nodes that join", Differs, "while a canary holds the former one; here the source's until the target is proven and its canary validated", ""},
		{"", `"canary": {"replicas": 3}`, canary + ".replicas", Differs, "here all that there are, and it waits for more", ""},
		{"", `"canary": {"replicas": 3, "nodeSelector": {"matchLabels": {"a": "b"}}}`, canary + ".nodeSelector", Differs, "fewer nodes than replicas", ""},
		{"", `"canary": {}`, canary + ".nodeSelector", Same, "", ""},
		{"", `"canary": {}`, canary + ".validationMode", Differs, "EDS_VALIDATION_MODE", ""},
		{"", `"canary": {"validationMode": "auto"}`, canary + ".validationMode", Same, "", ""},
		{"", `"canary": {"validationMode": "manual"}`, canary + ".validationMode", Same, "", ""},
		{"", `"canary": {}`, canary + ".duration", Differs, "from when the last node of the canary became available", ""},
		{"", `"canary": {"autoFail": {"canaryTimeout": "1h"}}`, canary + ".autoFail.canaryTimeout", Differs, "not while the rollout is paused or frozen", ""},
		{"", `"rollingUpdate": {"maxPodSchedulerFailure": 2}`, "spec.strategy.rollingUpdate.maxPodSchedulerFailure", Differs, "without so many nodes where a proven target failed", ""},
	} {
		found := false
		for _, m := range importedFrom(t, extended(test.annotations, test.strategy)).Fields {
			if m.Field != test.field || test.says != "" && !strings.Contains(m.Note, test.says) {
				continue
			}
			found = true
			require.Equal(t, test.is, m.Is, test.field)
			require.Equal(t, test.says == "", m.Note == "", m.Note)
			if test.silent != "" {
				require.NotContains(t, m.Note, test.silent)
			}
		}
		require.True(t, found, "%s with %s %s is to say %q", test.field, test.annotations, test.strategy, test.says)
	}
}

func TestImportDecides(t *testing.T) {
	with := func(annotations, rolling string) *model.Strategy {
		t.Helper()
		view := importedFrom(t, extended(annotations, `"rollingUpdate": {`+rolling+`}`))
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
	failures := importedFrom(t, extended("", `"rollingUpdate": {"maxPodSchedulerFailure": "7%"}`)).Rollout["spec"].(map[string]any)["failure"]
	require.Equal(t, map[string]any{"maxExceptions": "7%"}, failures)
	require.Equal(t, int32(40), *with("", `"maxParallelPodCreation": 40`).MaxWrites)
	least := with("", "")
	require.Equal(t, "1", least.MaxUnavailable.String())
	require.Equal(t, slowInterval, least.SlowStart.Interval.Duration)
	require.False(t, least.Paused || least.Frozen)
}
