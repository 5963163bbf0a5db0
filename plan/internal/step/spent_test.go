package step

import (
	"testing"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// exemptUnhealthy is offered only where it could free something.
func TestSpentText(t *testing.T) {
	const offer = "set spec.strategy.exemptUnhealthy"
	tests := []struct {
		name    string
		node    model.NodeReport
		exempt  int
		allowed int
		offered bool
	}{
		{"ambient on the source", model.NodeReport{Stage: model.StageSource, Blame: model.Ambient}, 0, 0, true},
		{"all that are allowed are exempt", model.NodeReport{Stage: model.StageSource, Blame: model.Ambient}, 2, 2, true},
		{"fewer are exempt than allowed", model.NodeReport{Stage: model.StageSource, Blame: model.Ambient}, 1, 2, false},
		{"committed", model.NodeReport{Stage: model.StageSource, Blame: model.Committed}, 0, 0, false},
		{"at the target", model.NodeReport{Stage: model.StageTarget, Blame: model.Ambient}, 0, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := &model.Plan{Ledger: budget.Ledger{Exempt: test.exempt}, Nodes: []model.NodeReport{test.node}}
			if test.offered {
				require.Contains(t, SpentText(plan, test.allowed), offer)
			} else {
				require.NotContains(t, SpentText(plan, test.allowed), offer)
			}
		})
	}
}
