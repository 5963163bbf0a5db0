package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSteer is the specification of what concerns the whole: what the record and the nodes say, and what the plan writes, waits
// for, or holds. Revision 2 is desired, and blue serves revision 1.
func TestSteer(t *testing.T) {
	target := func(change ...func(*model.State)) func(*scene) { return func(s *scene) { s.recordTarget(change...) } }
	proven := func(state *model.State, s *scene) { state.Proven = s.slots[1].Annotations[s.keys.Revision] }
	provenTarget := func(s *scene) { s.recordTarget(func(state *model.State) { proven(state, s) }) }
	observedGreen := func(s *scene) { s.slots[1] = s.slot(model.Green, "2") }
	returning := func(s *scene) {
		s.recordTarget(func(state *model.State) {
			state.Return = &model.Return{Revision: s.slots[1].Annotations[s.keys.Revision], Cause: model.ReturnSuperseded, Since: metav1.NewTime(now.Add(-time.Minute))}
		})
	}
	type node struct{ label, source, target string }
	onSource, onTarget := node{"", "serves", ""}, node{"green", "", "serves"}
	preparing, broken := node{"blue-to-green", "serves", "prepared"}, node{"green", "", "starting"}
	tests := []struct {
		name    string
		record  func(*scene)
		nodes   []node
		change  func(*model.Rollout)
		phase   model.Phase
		written []model.Reason
		waits   model.Reason
		hold    model.Reason
	}{
		// Without a recorded target.
		{"another revision is desired", func(*scene) {}, []node{onSource}, nil, model.PhasePreparing, []model.Reason{model.NewRevision}, "", ""},
		{"the inactive slot has it, and it is observed", observedGreen, []node{onSource}, nil, model.PhasePreparing, []model.Reason{model.TargetRecorded, model.TargetRecorded}, "", ""},
		{"it is not observed", func(s *scene) { observedGreen(s); s.unobserved(s.slots[1], time.Minute) }, []node{onSource}, nil, model.PhaseSteady, nil, model.SlotNotObserved, model.SlotNotObserved},
		{"a node strayed to the inactive slot", func(*scene) {}, []node{onSource, {"green", "", "serves"}}, nil, model.PhaseRepairing, nil, "", ""},
		{"the active slot has what is desired", func(*scene) {}, []node{onSource}, func(r *model.Rollout) { r.Spec.Desired = agent("1") }, model.PhaseSteady, nil, "", ""},
		// With a recorded target.
		{"no node has left the source", target(), []node{onSource, onSource}, nil, model.PhaseAdvancing, nil, "", ""},
		{"the target serves for the first time", target(), []node{onSource, onTarget}, nil, model.PhaseAdvancing, []model.Reason{model.TargetProven, model.TargetProven}, "", ""},
		{"the target serves everywhere", provenTarget, []node{onTarget}, nil, model.PhaseCompleting, []model.Reason{model.OwnershipMoved}, "", ""},
		{"an unproven target failed, and another node may still try", target(), []node{preparing, {"blue-to-green", "serves", "starting"}}, nil, model.PhaseAdvancing, nil, "", ""},
		{"an unproven target failed, and the budget is spent", target(), []node{onSource, broken}, nil, model.PhaseReturning, []model.Reason{model.ReturnBegun, model.ReturnBegun}, "", ""},
		{"the same, but failure.action is Hold", target(), []node{onSource, broken}, func(r *model.Rollout) { r.Spec.Failure.Action = model.Hold }, model.PhaseHeld, nil, "", model.RolloutHeld},
		{"a proven target failed, and the budget is spent", provenTarget, []node{onTarget, broken}, nil, model.PhaseHeld, nil, "", model.RolloutHeld},
		{"a third revision is desired", target(), []node{onSource, preparing}, func(r *model.Rollout) { r.Spec.Desired = agent("3") }, model.PhaseReturning, []model.Reason{model.ReturnBegun, model.ReturnBegun}, "", ""},
		{"the rollout is paused", target(), []node{onSource}, func(r *model.Rollout) { r.Spec.Strategy.Paused = true }, model.PhaseAdvancing, nil, "", model.RolloutPaused},
		// With a return recorded.
		{"a node is not back yet", returning, []node{onSource, onTarget}, nil, model.PhaseReturning, nil, "", ""},
		{"all are back", returning, []node{onSource}, nil, model.PhaseReturning, []model.Reason{model.ReturnComplete, model.ReturnComplete}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			if test.change != nil {
				test.change(s.rollout)
			}
			test.record(s)
			for i, n := range test.nodes {
				s.node("n"+string(rune('1'+i)), n.label, n.source, n.target)
			}
			v := s.view()
			survey := v.sum()
			c := steer(v, &survey)
			require.Equal(t, test.phase, c.Phase)
			var written []model.Reason
			for i := range c.Actions {
				written = append(written, c.Actions[i].Reason)
			}
			require.Equal(t, test.written, written)
			require.Equal(t, len(written) > 0, c.Writing)
			require.Equal(t, test.hold, c.Hold)
			if test.waits == "" {
				require.Empty(t, c.Waits)
				return
			}
			require.Len(t, c.Waits, 1)
			require.Equal(t, test.waits, c.Waits[0].Reason)
		})
	}
}

// The stages write nothing of each other: to judge and to sum again says the same, whatever was steered and admitted meanwhile.
func TestStagesLeaveTheViewAlone(t *testing.T) {
	s := newScene(t)
	s.recordTarget()
	s.node("n1", "", "serves", "")
	s.node("n2", "blue-to-green", "serves", "prepared", "candidate")
	s.node("n3", "green", "", "serves")
	v := s.view()
	before := v.sum()
	survey := v.sum()
	c := steer(v, &survey)
	admitted := admit(c)
	require.NotEmpty(t, admitted.Actions)
	require.Equal(t, before, survey, "neither steering nor admission writes the survey")
	require.Equal(t, before, v.sum())
	require.True(t, c.proven(), "the course proves the target")
	require.False(t, v.direction.proven, "the view does not")
}
