package pair

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// Plan plans one step of the pair. The rollout must be valid and have its defaults. The memo may be nil.
func Plan(snapshot *model.Snapshot, memo *Memo) model.Plan {
	v := observe(snapshot, memo)
	s := v.sum()
	c := steer(v, &s)
	admitted := admit(c)
	return report(c, &admitted)
}

// sum judges every node, and sums up. As long as no node could prepare, the cause may be the target's own, and only as many
// places in the window are given back as the window has: the other nodes keep theirs although they cannot prepare.
func (v *view) sum() step.Survey {
	if !v.looksAtNodes() {
		return step.Survey{}
	}
	s := step.Sum(v.cluster.Len(), v.judge, v.recallNodes())
	strategy := &v.rollout.Spec.Strategy
	s.Exempt(strategy.Exempt(s.Count.Of(step.Eligible)))
	if s.Count.Of(pulled) == 0 {
		withheld := s.Count.Of(windowReleased) - strategy.Limits(s.Count.Of(step.Eligible), 0).Window
		s.Account.Overlap += max(0, withheld)
	}
	return s
}

// Rendered returns the rendering of what the snapshot's rollout desires, and the slot that owns unlabelled nodes. The
// error is a *step.BlockedError.
func Rendered(snapshot *model.Snapshot) (*Rendering, model.Slot, error) {
	v := observe(snapshot, nil)
	switch {
	case v.refused != nil:
		return nil, model.NoSlot, step.BlockFor(v.refused.Reason, v.refused.Message, v.refusal)
	case v.render == nil && v.refusal != nil: // an opt-out goes on without
		return nil, model.NoSlot, step.BlockFor(model.TemplateRefused, v.refusal.Error(), v.refusal)
	case v.render == nil:
		return nil, model.NoSlot, step.Block(model.DesiredMissing, "a teardown renders nothing")
	}
	owner := v.pair.record.active
	if owner == model.NoSlot {
		owner = model.Blue
	}
	return v.render, owner, nil
}
