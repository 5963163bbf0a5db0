package validate

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
)

// record is what the DaemonSets' annotations say of the rollout's way.
type record struct {
	state model.State
	// active is the slot that serves, target the one that is to serve or none, to the one that nodes go to.
	active, target, to model.Slot
	// targetRevision is the recorded target's revision; on one DaemonSet its template's.
	targetRevision string
	// advancing: a target is recorded, and nodes go to it. Else they go, or belong, to what served before.
	advancing, proven bool
	canary            canaryRecord
	// emptied are, on one DaemonSet, the marks of the nodes whose Pods were taken.
	emptied model.Emptied
}

// canaryRecord is the canary by the record and the settings alone.
type canaryRecord struct {
	// holds says that a canary is asked for and the recorded target's is not validated; halted that it is paused or failed.
	holds, halted bool
	// verdict is what is recorded for the target's revision.
	verdict model.CanaryVerdict
}

// readPair settles the roles: the half with the higher sequence holds, and of equal ones a target on one is recorded.
func (s *scene) readPair() (r record, err error) {
	first := true
	for i := range s.slots {
		set := s.slots[i].set
		if set == nil {
			continue
		}
		state, err := model.ParseState(set.Annotations[s.keys.State])
		if err != nil {
			return r, fmt.Errorf("DaemonSet %s: %w", set.Name, err)
		}
		target, _ := model.ParseSlot(set.Annotations[s.keys.TargetSlot])
		revision := set.Annotations[s.keys.TargetRevision]
		switch {
		case first || state.Sequence > r.state.Sequence:
			r.active, _ = model.ParseSlot(set.Annotations[s.keys.ActiveSlot])
			r.target, r.targetRevision, r.state = target, revision, state
		case state.Sequence < r.state.Sequence || target == model.NoSlot:
		case r.target == model.NoSlot:
			r.target, r.targetRevision = target, revision
		case r.target != target || r.targetRevision != revision:
			return r, fmt.Errorf("the DaemonSets record different targets: %s at %s and %s at %s", r.target, r.targetRevision, target, revision)
		}
		first = false
	}
	if r.target != model.NoSlot {
		r.active = r.target.Other()
	}
	r.active = max(r.active, model.Blue)
	r.to = r.active
	if r.advancing = r.target != model.NoSlot && r.state.Return == nil; r.advancing {
		r.to = r.target
	}
	r.proven = r.advancing && r.state.Proven == r.targetRevision
	r.canary = s.readCanary(&r)
	return r, nil
}

// readOne is the record of one DaemonSet.
func (s *scene) readOne() (r record, err error) {
	r.active, r.to = model.Blue, model.Blue
	set := s.slots[0].set
	if set == nil {
		return r, nil
	}
	if r.state, err = model.ParseState(set.Annotations[s.keys.State]); err != nil {
		return r, err
	}
	if r.emptied, err = model.ParseEmptied(set.Annotations[s.keys.Emptied]); err != nil {
		return r, err
	}
	r.targetRevision = set.Spec.Template.Annotations[s.keys.Revision]
	r.advancing = r.state.TargetSince != nil && r.state.Return == nil
	r.proven = r.advancing && r.state.Proven == r.targetRevision
	return r, nil
}

// readCanary reads the settings and the record. What the record does not know is not validated.
func (s *scene) readCanary(r *record) (c canaryRecord) {
	if noted := r.state.Canary; noted != nil && noted.Revision == r.targetRevision {
		c.verdict = noted.Verdict
	}
	c.holds = s.rollout.Spec.Strategy.Canary != nil && r.advancing && s.rollout.Spec.Intent == model.Run && c.verdict != model.CanaryIsValidated
	c.halted = c.holds && (c.verdict == model.CanaryIsPaused || c.verdict == model.CanaryHasFailed)
	return c
}
