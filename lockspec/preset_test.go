package lockspec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

func TestPresetsAreValid(t *testing.T) {
	require.Equal(t, []string{"datadog"}, lockspec.Presets())
	for _, name := range lockspec.Presets() {
		spec, ok := lockspec.Preset(name)
		require.True(t, ok)
		resolved, faults := lockspec.Resolve(model.LockSettings{Spec: &spec}, field.NewPath("lock"))
		require.Empty(t, faults)
		require.Empty(t, cmp.Diff(spec, resolved))
	}
	_, ok := lockspec.Preset("none")
	require.False(t, ok)
}

func TestPresetIsTheCallersOwn(t *testing.T) {
	spec := datadog(t)
	spec.Components[0].Commands[0].StartsWith[0] = "changed"
	spec.InitContainers[2].WritableHostPaths[0] = "changed"
	spec.AntiAffinity.NameKey = "changed"
	require.NotEmpty(t, cmp.Diff(spec, datadog(t)))
	require.Equal(t, "agent", datadog(t).Components[0].Commands[0].StartsWith[0])
	require.Equal(t, "/var/lib/kubelet/seccomp", datadog(t).InitContainers[2].WritableHostPaths[0])
	require.Equal(t, "agent.datadoghq.com/name", datadog(t).AntiAffinity.NameKey)
}

// TestDatadogComponents gives each known component a command it has, and one it has not.
func TestDatadogComponents(t *testing.T) {
	for name, words := range map[string]struct{ good, bad []string }{
		"process-agent":         {[]string{"process-agent", "--cfgpath=/etc/x.yaml"}, []string{"sh", "process-agent"}},
		"security-agent":        {[]string{"security-agent", "start", "-c=/etc/x.yaml"}, []string{"security-agent", "status"}},
		"system-probe":          {[]string{"system-probe", "--config=/etc/x.yaml"}, []string{"/bin/system-probe"}},
		"host-profiler":         {[]string{"host-profiler", "run", "--core-config=/etc/x.yaml"}, []string{"host-profiler", "run"}},
		"otel-agent":            {[]string{"otel-agent", "--core-config=/etc/x.yaml"}, []string{"otelcol"}},
		"agent-data-plane":      {[]string{"agent-data-plane", "run"}, []string{"run", "agent-data-plane"}},
		"trace-agent":           {[]string{"trace-loader", "/etc/x.yaml", "trace-agent"}, []string{"trace-loader", "/etc/x.yaml"}},
		"flightrecorder":        {[]string{"/opt/datadog-agent/embedded/bin/flightrecorder"}, []string{"flightrecorder"}},
		"private-action-runner": {[]string{"/opt/datadog-agent/embedded/bin/privateactionrunner", "run"}, []string{"run"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := datadog(t)
			with := func(words []string) field.ErrorList {
				template := small(func(p *corev1.PodTemplateSpec) {
					p.Spec.HostPID, p.Spec.Containers[1].Name, p.Spec.Containers[1].Command = false, name, words
				})
				return lockspec.Refuse(&template, &spec, nil)
			}
			require.Empty(t, with(words.good))
			faults := with(words.bad)
			require.Len(t, faults, 1)
			require.Equal(t, "template.spec.containers[1].command", faults[0].Field)
		})
	}
}

func TestResolve(t *testing.T) {
	edited := func(edit func(*model.LockSpec)) model.LockSettings {
		spec := datadog(t, edit)
		return model.LockSettings{Spec: &spec}
	}
	for _, tc := range []struct {
		name     string
		settings model.LockSettings
		want     []string // field paths and types
	}{
		{"preset", model.LockSettings{Preset: "datadog"}, nil},
		{"neither", model.LockSettings{}, []string{"lock.preset: Required value"}},
		{"both", model.LockSettings{Preset: "datadog", Spec: &model.LockSpec{}}, []string{"lock.spec: Forbidden"}},
		{"unknown preset", model.LockSettings{Preset: "dog"}, []string{"lock.preset: Unsupported value"}},
		{"old schema", edited(func(s *model.LockSpec) { s.Schema = "2" }), []string{"lock.spec.schema: Unsupported value"}},
		{"unknown kind", edited(func(s *model.LockSpec) { s.Kind = "mutex" }), []string{"lock.spec.kind: Unsupported value"}},
		{"kind that the tool does not take", edited(func(s *model.LockSpec) { s.Kind = model.LockFlock }), []string{"lock.spec.kind: Invalid value"}},
		{"unknown tool", edited(func(s *model.LockSpec) { s.Tool = "/usr/bin/flock" }), []string{"lock.spec.tool: Invalid value"}},
		{"every fault at once", edited(func(s *model.LockSpec) {
			s.HostDirectory, s.StateDirectory, s.ToolsDirectory = "/run/a$(X)", "/var/run/a/b", "/run/a/"
			s.Volumes.Tools = s.Volumes.Host
			s.ToolContainer = s.InitContainer
			s.Components = append(s.Components, model.LockComponent{Container: "agent"})
			s.InitContainers[0].Commands = []model.LockCommand{{}, {Words: -1}}
			s.InitContainers[2].WritableHostPaths[0] = "seccomp"
			s.AntiAffinity.NameKey = ""
		}), []string{
			"lock.spec.hostDirectory: Invalid value", "lock.spec.toolsDirectory: Invalid value", "lock.spec.toolsDirectory: Invalid value",
			"lock.spec.toolContainer: Duplicate value", "lock.spec.volumes.tools: Duplicate value",
			"lock.spec.components[10].container: Duplicate value", "lock.spec.components[10].commands: Required value", "lock.spec.toolContainer: Invalid value",
			"lock.spec.initContainers[0].commands[0]: Required value", "lock.spec.initContainers[0].commands[1].words: Invalid value",
			"lock.spec.initContainers[2].writableHostPaths[0]: Invalid value",
			"lock.spec.antiAffinity.nameKey: Invalid value", "lock.spec.antiAffinity.nameKey: Invalid value",
		}},
		{"directory inside another, by the link", edited(func(s *model.LockSpec) { s.StateDirectory = "/run/datadog-agent-rollout/state" }),
			[]string{"lock.spec.stateDirectory: Invalid value"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, faults := lockspec.Resolve(tc.settings, field.NewPath("lock"))
			var got []string
			for _, f := range faults {
				got = append(got, f.Field+": "+f.Type.String())
			}
			require.Equal(t, tc.want, got, "%v", faults)
		})
	}
}

func TestLockKindExcludes(t *testing.T) {
	for _, a := range append(model.LockKinds(), "mutex") {
		for _, b := range append(model.LockKinds(), "mutex") {
			want := a != "mutex" && b != "mutex" && (a == model.LockFlock) == (b == model.LockFlock)
			require.Equal(t, want, a.Excludes(b), "%s and %s", a, b)
		}
	}
}
