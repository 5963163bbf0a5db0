package pair

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// TestTallyAddsEverything: a number that add forgets would be lost for nodes that are taken over from the memo.
func TestTallyAddsEverything(t *testing.T) {
	one := tally{
		survey: survey{
			eligible: 1, done: 1, elsewhere: 1, atTo: 1, unlabelledBusy: 1, unlabelledHeld: 1, unlabelledKept: 1, departing: 1, dead: 1, parked: 1, returned: 1, unfinished: 1,
			unfenced: 1, served: 1, prepared: 1, committedHope: 1, overlapHope: 1, failures: 1, given: 1, failure: model.Failed{Node: "n1"},
			returnedUntil: time.Unix(1, 0),
		},
		account: budget.Account{Ledger: budget.Ledger{Eligible: 1, Available: 1, Ambient: 1, Committed: 1}, OffSource: 1, Overlap: 1},
		status:  model.PairStatus{Updated: 1, Ready: 1, OnSource: 1, OnTarget: 1, InOverlap: 1},
	}
	// What no node adds by itself: it is chosen for all nodes together, or filled in at the end.
	whole := []string{"account.Ledger.Exempt", "account.Writes", "status.Desired", "status.Available", "status.Unavailable"}
	want := numbers("", reflect.ValueOf(one))
	require.Len(t, want, 30+len(whole))
	var sum tally
	sum.add(&one, 3)
	for name, got := range numbers("", reflect.ValueOf(sum)) {
		require.Equal(t, !slices.Contains(whole, name), want[name] == 1, "%s is not set in this test", name)
		require.Equal(t, 3*want[name], got, name)
	}
	require.Equal(t, "n1", sum.survey.failure.Node)
	require.Equal(t, time.Unix(1, 0), sum.survey.returnedUntil)
}

// numbers are the int fields of the value and of what lies in it.
func numbers(path string, value reflect.Value) map[string]int64 {
	out := map[string]int64{}
	for i := range value.NumField() {
		field, name := value.Field(i), strings.TrimPrefix(path+"."+value.Type().Field(i).Name, ".")
		switch field.Kind() {
		case reflect.Int:
			out[name] = field.Int()
		case reflect.Struct:
			if field.Type() != reflect.TypeFor[model.Failed]() && field.Type() != reflect.TypeFor[time.Time]() {
				for below, number := range numbers(name, field) {
					out[below] = number
				}
			}
		}
	}
	return out
}
