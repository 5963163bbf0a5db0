package dump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model/dump"
)

// A million digits are refused before a library reads them, with the path of their field.
func TestLongNumbersAreRefused(t *testing.T) {
	nines := strings.Repeat("9", 1_000_000)
	const document = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec:\n  desiredFrom: {}\n"
	pod := func(fields string) string {
		return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},` + fields + `}`
	}
	const tooLong = " bytes long: a value of this kind has 1024 at most"
	for _, test := range []struct{ name, text, at, size string }{
		{"a quantity of a Pod", pod(`"spec":{"containers":[{"resources":{"requests":{"cpu":"` + nines + `"}}}]}`), "Pod p: spec.containers[0].resources.requests[cpu]", "1000002"},
		{"a quantity that is no string", pod(`"spec":{"overhead":{"cpu":` + nines + `}}`), "Pod p: spec.overhead[cpu]", "1000000"},
		{"a quantity behind a space", pod(`"spec":{"overhead":{"cpu":" -` + nines + `"}}`), "Pod p: spec.overhead[cpu]", "1000004"},
		{"a quantity with an escape", pod(`"spec":{"overhead":{"cpu":"\u0039` + nines + `"}}`), "Pod p: spec.overhead[cpu]", "1000008"},
		{"a fraction", pod(`"spec":{"overhead":{"cpu":".` + nines + `Gi"}}`), "Pod p: spec.overhead[cpu]", "1000005"},
		{"an integer", pod(`"spec":{"priority":` + nines + `}`), "Pod p: spec.priority", "1000000"},
		{"a time", pod(`"status":{"startTime":"2026-11-30T09:00:00.` + nines + `Z"}`), "Pod p: status.startTime", "1000023"},
		{"a quantity in YAML", "kind: Pod\napiVersion: v1\nmetadata: {name: p}\nspec:\n  overhead:\n    cpu: \"" + nines + "\"\n", "Pod p: spec.overhead[cpu]", "1000002"},
		{"a quantity of a node", `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n"},"status":{"allocatable":{"pods":"` + nines + `"}}}`, "Node n: status.allocatable[pods]", "1000002"},
		{"a budget", document + "  strategy: {maxUnavailable: \"" + nines + "\"}\n", "spec.strategy.maxUnavailable", "1000002"},
		{"a percentage", document + "  strategy: {maxUnavailable: " + nines + "%}\n", "spec.strategy.maxUnavailable", "1000003"},
		{"a duration", document + "  strategy: {slowStart: {interval: " + strings.Repeat("1s", 500_000) + ", increase: 1}}\n", "spec.strategy.slowStart.interval", "1000002"},
		{"a quantity of what is desired", "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec: {desired: {spec: {template: {spec: {overhead: {cpu: \"" + nines + "\"}}}}}}\n", "spec.desired.spec.template.spec.overhead[cpu]", "1000002"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := dump.Read(strings.NewReader(test.text), "in")
			var refused *dump.Error
			require.ErrorAs(t, err, &refused)
			require.Contains(t, refused.Faults[0], test.at+": is "+test.size+tooLong)
		})
	}
	t.Run("of a kept kind", func(t *testing.T) {
		d, err := dump.Options{Keep: []string{"Quota"}}.Read(strings.NewReader(`{"kind":"Quota","apiVersion":"example.com/v1","hard":{"cpu":"`+nines+`"}}`), "in")
		require.NoError(t, err)
		_, err = dump.Decode[struct {
			Kind, APIVersion string
			Hard             corev1.ResourceList `json:"hard"`
		}](d.Others[0])
		require.ErrorContains(t, err, "hard[cpu]: is 1000002"+tooLong)
	})
}

// Long texts are no numbers, and a number may be as long as the limit.
func TestLongTextsAreRead(t *testing.T) {
	digits, long := strings.Repeat("9", 1022), strings.Repeat("1", 1_000_000)
	for _, repeated := range []string{"", `,"spec":{}`} { // what is given twice is not plain, and read by encoding/json
		text := `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","annotations":{"a":"` + long + `"}},"spec":{}` + repeated + `,"status":{"allocatable":{"cpu":"` + digits + `"}}}`
		d, err := dump.Read(strings.NewReader(text), "in")
		require.NoError(t, err)
		require.Equal(t, long, d.Objects.Nodes[0].Annotations["a"])
		require.NotZero(t, d.Objects.Nodes[0].Status.Allocatable.Cpu().Sign())
		_, err = dump.Read(strings.NewReader(strings.Replace(text, digits, digits+"9", 1)), "in")
		require.ErrorContains(t, err, "status.allocatable[cpu]: is 1025 bytes long")
	}
}
