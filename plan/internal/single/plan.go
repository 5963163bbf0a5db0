package single

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// Plan plans one step. The rollout must be valid and have its defaults, and its strategy be Surge or RollingUpdate. The memo may
// be nil.
func Plan(snapshot *model.Snapshot, memo *Memo) model.Plan {
	v := observe(snapshot, memo)
	s := v.sum()
	c := steer(v, &s)
	admitted := admit(c)
	return report(c, &admitted)
}

// sum judges every node, and sums up.
func (v *view) sum() step.Survey {
	if !v.looksAtNodes() {
		return step.Survey{}
	}
	s := step.Sum(v.cluster.Len(), v.judge, v.recallNodes())
	s.Exempt(v.strategy.Exempt(s.Count.Of(step.Eligible)))
	return s
}

// Rendered returns what the snapshot's rollout desires as it would be written. The error is a *step.BlockedError.
func Rendered(snapshot *model.Snapshot) (*Rendering, error) {
	v := observe(snapshot, nil)
	switch {
	case v.refused != nil:
		return nil, v.refused
	case v.refusal != nil: // an opt-out goes on without
		return nil, v.refusal
	case v.render == nil:
		return nil, step.Block(model.DesiredMissing, "a teardown renders nothing")
	}
	return v.render, nil
}
