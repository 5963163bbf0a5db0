package dump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

// What cannot be decoded hides no fault of another value, and brings none that is not there.
func TestFaultsOfDecodingAndOfValuesTogether(t *testing.T) {
	const head = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"an unknown field, a duration and two values", "metadata: {name: a}\nspec:\n  desiredFrom: {}\n  strategy: {maxUnavailabel: 5, maxWrites: 0, slowStart: {interval: soon, increase: \"0%\"}}\n  failure: {action: Panic}\n", []string{
			"spec.strategy.maxUnavailabel: unknown field",
			`spec.strategy.slowStart.interval: must be a duration such as "90s" or "5m", not "soon"`,
			"spec.strategy.maxWrites: Invalid value: 0",
			"spec.strategy.slowStart.increase: Invalid value",
			"spec.failure.action: Unsupported value",
		}},
		{"what is missing because it was not read", "metadata: {name: a}\nspec: {desired: 5, strategy: {maxWrites: 0}}\n", []string{
			"spec.desired: must be an object", "spec.strategy.maxWrites: Invalid value: 0",
		}},
		{"what is missing because it was misspelled", "metadata: {name: a}\nspec: {desiredfrom: {}}\n", []string{
			"spec.desiredfrom: unknown field: did you mean desiredFrom?",
		}},
		{"what is missing elsewhere", "metadata: {}\nspec: {desiredFrom: {}, strategie: {}}\n", []string{
			"metadata.name: Required value", "spec.strategie: unknown field",
		}},
		{"what is compared with a value that was not read", "metadata: {name: a}\nspec: {desiredFrom: {}, strategy: {type: Surge, maxUnavailable: {}, maxSurge: 10%}}\n", []string{
			"spec.strategy.maxUnavailable: must be an int or a percentage, not an object",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := dump.Read(strings.NewReader(head+test.text), "in")
			var refused *dump.Error
			require.ErrorAs(t, err, &refused)
			require.Len(t, refused.Faults, len(test.want), "%v", err)
			for i, want := range test.want {
				require.Contains(t, refused.Faults[i], want)
			}
		})
	}
}

// A fault of another object hides no fault of the document.
func TestFaultsOfObjectsAndOfTheDocumentTogether(t *testing.T) {
	const text = "kind: Pod\napiVersion: v1\nspec: 1\n---\napiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec: {desiredFrom: {}, strategy: {maxWrites: 0}}\n"
	_, err := dump.Read(strings.NewReader(text), "in")
	var refused *dump.Error
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Faults, 2)
	require.Contains(t, refused.Faults[0], "Pod: spec: must be an object")
	require.Contains(t, refused.Faults[1], "document 2 (line 8): spec.strategy.maxWrites: Invalid value: 0")
}

// A null says the same as no field, of every field of the document.
func TestNullIsNoField(t *testing.T) {
	const head = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: a}\n"
	const spec = "spec:\n  desiredFrom: {}\n  strategy: {maxUnavailable: 3"
	read := func(text string) *model.Rollout {
		d, err := dump.Read(strings.NewReader(head+text), "in")
		require.NoError(t, err)
		return d.Rollout.WithDefaults()
	}
	require.Equal(t,
		read(spec+", slowStart: {}, canary: {}}\n  failure: {}\nstatus: {executor: {}}\n"),
		read(spec+", slowStart: {interval: null, increase: null}, canary: {duration: null, replicas: null}, type: null, paused: null, spreadBy: null}\n"+
			"  failure: {progressDeadlineSeconds: null}\n  slots: null\n  lock: {spec: null}\nstatus: {observedAt: null, executor: {requestTimeout: null, since: null}}\n"))
	_, err := dump.Read(strings.NewReader(head+spec+", slowStart: {interval: null}, maxWrites: 0, paus: true}\n"), "in")
	require.ErrorContains(t, err, "spec.strategy.maxWrites: Invalid value: 0")
	require.NotContains(t, err.Error(), "interval")
}
