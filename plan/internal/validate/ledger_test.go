package validate

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestColumn(t *testing.T) {
	tests := []struct {
		name              string
		at                stand
		advancing, proven bool
		want              model.Blame
	}{
		{"not eligible", stand{served: true}, true, false, model.NotEligible},
		{"served", stand{eligible: true, served: true, emptied: true}, true, false, model.Available},
		{"broken by itself", stand{eligible: true, ready: true}, true, false, model.Ambient},
		{"given over", stand{eligible: true, ready: true, emptied: true}, true, true, model.Committed},
		{"given over, then its Node was lost", stand{eligible: true, emptied: true}, true, false, model.Committed},
		{"given over to a proven target, then its Node was lost", stand{eligible: true, emptied: true}, true, true, model.Ambient},
		{"on its way back", stand{eligible: true, ready: true, emptied: true}, false, false, model.Committed},
		{"on its way back, then its Node was lost", stand{eligible: true, emptied: true}, false, false, model.Ambient},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scene{record: record{advancing: test.advancing, proven: test.proven}}
			require.Equal(t, test.want, s.column(&test.at))
		})
	}
}

// What is booked and taken off again leaves no trace, whatever the column.
func TestBookAddsUp(t *testing.T) {
	for _, column := range []model.Blame{model.NotEligible, model.Available, model.Ambient, model.Exempt, model.Committed, model.Joining} {
		at := stand{exemptable: true}
		once := account{}.book(&at, column, 1)
		require.Equal(t, column != model.NotEligible, once.ledger.Eligible == 1, column)
		require.True(t, once.ledger.Balanced(), column)
		require.Equal(t, column == model.Ambient, once.exemptable == 1, column)
		require.Equal(t, column == model.Exempt, once.forgiven == 1, column)
		require.Equal(t, account{}, once.book(&at, column, -1), column)
	}
}

func TestMaySit(t *testing.T) {
	available, ambient, committed := model.Available, model.Ambient, model.Committed
	tests := []struct {
		name             string
		ledger           budget.Ledger
		from, to         model.Blame
		handoff, serving bool
		want             string
	}{
		{"paid, below the limit", budget.Ledger{Committed: 1}, available, committed, true, true, ""},
		{"paid, at the limit", budget.Ledger{Committed: 1, Ambient: 1}, available, committed, true, true, "1 committed + 1 ambient − 0 exempt + 1 > maxUnavailable 2"},
		{"paid, with an exempt node", budget.Ledger{Committed: 1, Ambient: 1, Exempt: 1}, available, committed, true, true, ""},
		{"an available node becomes ambient", budget.Ledger{Committed: 2}, available, ambient, false, false, "and would not be"},
		{"without a seat", budget.Ledger{Committed: 9}, available, available, true, true, ""},
		{"free, below the limit", budget.Ledger{Committed: 1, Ambient: 9}, ambient, committed, true, false, ""},
		{"free, at the limit", budget.Ledger{Committed: 2, Ambient: 1}, ambient, committed, true, false, "a free handoff takes a seat: 2 committed + 1"},
		{"free, but it is Ready while too many are not", budget.Ledger{Committed: 1, Ambient: 2}, ambient, committed, true, true, "Pod is Ready and would go"},
		{"no handoff", budget.Ledger{Committed: 9}, ambient, committed, false, false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, x := &scene{rollout: &model.Rollout{}, now: noon}, act{Action: &model.Action{}, node: "n1"}
			found := s.maySit(test.ledger, 2, x, test.from, test.to, test.handoff, test.serving)
			if test.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, S2, found[0].Property)
			require.Contains(t, found[0].Message, test.want)
		})
	}
}

// A seat also waits for a predecessor's requests, and is not given while a canary is halted.
func TestMaySitSparesAndSettles(t *testing.T) {
	x := act{Action: &model.Action{}, node: "n1"}
	s := &scene{rollout: &model.Rollout{}, now: noon, record: record{canary: canaryRecord{holds: true, halted: true, verdict: model.CanaryIsPaused}}}
	s.rollout.Status.Executor = model.Executor{ID: "two", Since: metav1.NewTime(noon), RequestTimeout: metav1.Duration{Duration: time.Minute}}
	found := s.maySit(budget.Ledger{}, 1, x, model.Available, model.Committed, true, true)
	require.Len(t, found, 2)
	require.Equal(t, "Cohort, action 0, node n1: a handoff while the canary is Paused", found[0].String())
	require.Equal(t, S7, found[1].Property)
	require.Empty(t, s.maySit(budget.Ledger{}, 1, x, model.Available, model.Available, true, true))
}
