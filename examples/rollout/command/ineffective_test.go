package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIneffectiveSettings(t *testing.T) {
	tests := []struct {
		set  []string
		want string
	}{
		{[]string{"strategy.overlap=Never", "strategy.maxSurge=3"}, "note: spec.strategy.maxSurge has no effect: with overlap Never no second Pod is made beside the one that serves.\n"},
		{[]string{"strategy.type=RollingUpdate", "lock.preset=datadog", "slots.green.suffix=-b", "slots.selectorLabel=app", "capacity.countPodSlots=true"},
			"note: spec.lock and spec.capacity.countPodSlots have no effect: a RollingUpdate makes no Pod beside another.\n" +
				"note: spec.slots.selectorLabel and spec.slots.green have no effect: one DaemonSet has no slots.\n"},
		{[]string{"strategy.type=Surge", "strategy.overlap=Never", "lock.preset=datadog"}, "note: spec.lock has no effect: a Surge with overlap Never has no locks.\n"},
		{[]string{"strategy.type=Surge", "strategy.overlap=Locked", "lock.preset=datadog"}, ""},
		{[]string{"strategy.maxSurge=3", "lock.preset=datadog", "slots.green.suffix=-b", "slots.selectorLabel=app.kubernetes.io/instance"}, ""},
	}
	for _, test := range tests {
		args := []string{"check-template", "testdata/daemonset.yaml"}
		for _, setting := range test.set {
			args = append(args, "--set", setting)
		}
		_, _, stderr := call("", args...)
		if test.want == "" {
			require.NotContains(t, stderr, "no effect", test.set)
			continue
		}
		require.Contains(t, stderr, test.want)
	}
}

// TestBlamedSettings: a fault says which --set made it.
func TestBlamedSettings(t *testing.T) {
	tests := []struct {
		set  []string
		want string
	}{
		{[]string{"strategy.maxWrites=0", "strategy.paused=true"}, "error: --set strategy.maxWrites=0: spec.strategy.maxWrites: Invalid value: 0: must be at least 1\n"},
		{[]string{"strategy.maxWrites=0", "strategy.maxWrites=-1"}, "error: --set strategy.maxWrites=-1: spec.strategy.maxWrites: Invalid value: -1: must be at least 1\n"},
		{[]string{"slots.green={env: [{nam: x}]}"}, "error: --set slots.green={env: [{nam: x}]}: spec.slots.green.env[0].nam: unknown field\n"},
		{[]string{"images.agent=null", `desiredFrom.images.agent=""`}, "error: --set desiredFrom.images.agent=\"\": spec.desiredFrom.images[agent]: Required value: an image\n"},
		{[]string{"strategy.type=RollingUpdate", "slots.domain=example.com"}, "error: the Rollout document after --set strategy.type=RollingUpdate: spec.strategy.maxSurge: Forbidden: "},
		{[]string{"lock.preset=nope"}, "error: --set lock.preset=nope: spec.lock.preset: Unsupported value: \"nope\": supported values: \"datadog\"\n"},
		{[]string{"kind=Foo"}, "error: --set kind=Foo: apiVersion and kind must stay agent-rollout/v1alpha1 and Rollout\n"},
	}
	for _, test := range tests {
		args := []string{"plan", "-f", halfWay}
		for _, setting := range test.set {
			args = append(args, "--set", setting)
		}
		code, _, stderr := call("", args...)
		require.Equal(t, exitBadInput, code)
		require.Contains(t, stderr, test.want)
	}
}
