package command

import (
	"fmt"

	"github.com/agent-rollout/planner/plan/simulate"
)

// boundText is the formula of a strategy's lower bound with this number of rounds.
func boundText(b *simulate.StrategyBound, rounds string) string {
	if b.First {
		return fmt.Sprintf("%s × (%s of preparation + %s of handoff)", rounds, elapsed(b.Preparation), elapsed(b.Handoff))
	}
	return fmt.Sprintf("%s × %s of handoff + %s of preparation", rounds, elapsed(b.Handoff), elapsed(b.Preparation))
}
