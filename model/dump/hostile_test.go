package dump_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model/dump"
)

// What a hostile input makes the reader allocate is bounded by its size, not by what it stands for, and the
// error stays short.
func TestHostileInputCostsLittle(t *testing.T) {
	const many = 1_000_000
	head := "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec:\n"
	laughs := "a0: &a0 lol\n"
	for i := 1; i < 40; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	nines := strings.Repeat("9", many)
	for _, test := range []struct {
		name, text, want string
		factor           uint64 // bytes allocated for a byte of input
	}{
		{"billion laughs", head + laughs, "anchors and aliases", 1000},
		{"nested too deep", `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","spec":` + strings.Repeat("[", many), "not valid JSON", 20},
		{"repeated keys in JSON", `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","spec":{"paused":true` + strings.Repeat(`,"paused":true`, many) + "}}", "and 951 more", 100},
		{"repeated keys in YAML", head + strings.Repeat("  paused: true\n", many/50), "given twice", 2000},
		{"many empty objects", strings.Repeat("{}", many/10), "has no kind", 2000},
		{"many empty items", `{"kind":"List","apiVersion":"v1","items":[` + strings.Repeat("{},", many/10) + "{}]}", "has no kind", 1200},
		{"repeated unknown keys", `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","spec":{"x":1` + strings.Repeat(`,"x":1`, many) + "}}", "spec.x: given twice", 200},
		{"repeated labels of a node", `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","labels":{"a":1` + strings.Repeat(`,"a":1`, many) + "}}}", "metadata.labels", 200},
		{"a number of a million digits", `{"apiVersion":"agent-rollout/v1alpha1","kind":"Rollout","spec":{"strategy":{"maxUnavailable":` + nines + "}}}", "maxUnavailable", 60},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := dump.Read(strings.NewReader(test.text), "in")
			runtime.ReadMemStats(&after)
			size := uint64(len(test.text))
			t.Logf("%d bytes allocated a byte of %d; %.150v", (after.TotalAlloc-before.TotalAlloc)/size, size, err)
			require.Error(t, err)
			require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, 1<<20+test.factor*size)
			require.Less(t, len(err.Error()), 20_000)
			require.Contains(t, err.Error(), test.want)
		})
	}
}
