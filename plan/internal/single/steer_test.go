package single

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSteer is the specification of what concerns the whole: what the record and the nodes say, and what the plan writes, waits for, or
// holds. Revision 2 is desired, recorded as the target, and has no proof yet, where a row does not say otherwise.
func TestSteer(t *testing.T) {
	desire := func(tag string) func(*model.Rollout) {
		return func(r *model.Rollout) { r.Spec.Desired = agent(tag) }
	}
	paused := func(r *model.Rollout) { r.Spec.Strategy.Paused = true }
	remembered := func(s *scene) {
		s.record(func(state *model.State) {
			state.Failed = &model.Failed{Revision: s.revision(), Reason: model.TargetFailed, Node: "n1"}
		})
	}
	former := func(s *scene) { // what is desired is the revision before the present one
		s.rollout.Spec.Desired = agent("1")
		s.set.Annotations[s.keys.Source] = (&source{Revision: s.rendered("1").Annotations[s.keys.Revision], Template: s.rendered("1").Spec.Template}).text()
	}
	unproven := func(*scene) {}
	type node struct{ old, fresh string }
	served, updated, emptied, broken := node{"serves", ""}, node{"", "serves"}, node{"", ""}, node{"", "starting"}
	unready := node{"starting", ""}
	for _, test := range []struct {
		strategy, name string
		record         func(*scene)
		nodes          []node
		change         func(*model.Rollout)
		phase          model.Phase
		written, waits model.Reason
		hold           model.Reason
	}{
		// Without a target.
		{"delete-first", "all is as desired", steady, []node{updated}, nil, model.PhaseSteady, "", "", ""},
		{"delete-first", "a node has another revision", steady, []node{served}, nil, model.PhaseRepairing, "", "", ""},
		{"delete-first", "another revision is desired", steady, []node{updated}, desire("3"), model.PhasePreparing, model.NewRevision, "", ""},
		{"delete-first", "the same, while paused", steady, []node{updated}, both(paused, desire("3")), model.PhasePreparing, "", "", model.RolloutPaused},
		{"delete-first", "the template was edited by hand", both(steady, func(s *scene) { s.set.Spec.Template.Spec.Containers[0].Image = "by:hand" }), []node{updated}, nil, model.PhaseSteady, model.SlotDrifted, "", ""},
		{"delete-first", "the controller has not seen the spec", func(s *scene) { s.unobserved(time.Minute) }, []node{served}, nil, model.PhaseAdvancing, "", model.SlotNotObserved, model.SlotNotObserved},
		{"delete-first", "the same, and somebody else wrote it: that is noted", func(s *scene) { s.set.Generation = 2 }, []node{served}, nil, model.PhaseAdvancing, model.WriteNoted, model.SlotNotObserved, model.SlotNotObserved},
		{"delete-first", "the DaemonSet is conventional", func(s *scene) { delete(s.set.Annotations, s.keys.Mode) }, []node{served}, nil, model.PhasePreparing, model.DaemonSetAdopted, "", ""},
		{"delete-first", "the DaemonSet is being deleted", func(s *scene) { s.set.DeletionTimestamp = &metav1.Time{Time: now} }, []node{served}, nil, model.PhaseRepairing, "", model.SlotBeingDeleted, ""},
		// With one.
		{"delete-first", "no node has it yet", unproven, []node{served, served}, nil, model.PhaseAdvancing, "", "", ""},
		{"delete-first", "it serves for the first time", unproven, []node{served, updated}, nil, model.PhaseAdvancing, model.TargetProven, "", ""},
		{"delete-first", "it serves everywhere", proven, []node{updated, updated}, nil, model.PhaseCompleting, model.RolloutComplete, "", ""},
		{"delete-first", "it failed, and another node may still try", unproven, []node{broken, served, emptied}, nil, model.PhaseAdvancing, model.EmptiedNoted, "", ""},
		{"delete-first", "it failed, and the budget is spent", unproven, []node{broken, served}, nil, model.PhaseReturning, model.ReturnBegun, "", ""},
		{"delete-first", "the same, but failure.action is Hold", unproven, []node{broken, served}, func(r *model.Rollout) { r.Spec.Failure.Action = model.Hold }, model.PhaseHeld, "", "", model.RolloutHeld},
		{"delete-first", "the same, but there is nothing to go back to", func(s *scene) { delete(s.set.Annotations, s.keys.Source) }, []node{broken, served}, nil, model.PhaseHeld, "", "", model.RolloutHeld},
		{"delete-first", "it failed, though it is proven", proven, []node{broken, served, updated}, nil, model.PhaseHeld, "", "", model.RolloutHeld},
		{"delete-first", "a third revision is desired: it is written at once", unproven, []node{served, emptied}, desire("3"), model.PhasePreparing, model.NewRevision, "", ""},
		{"delete-first", "the former revision is desired again", former, []node{served, updated}, nil, model.PhaseAdvancing, model.TargetProven, "", ""},
		{"delete-first", "the same, with the proof", both(proven, former), []node{served, updated}, nil, model.PhasePreparing, model.ReturnBegun, "", ""},
		{"delete-first", "frozen", unproven, []node{served}, func(r *model.Rollout) { r.Spec.Strategy.Frozen = true }, model.PhaseAdvancing, "", "", model.RolloutFrozen},
		// With a return.
		{"delete-first", "a node is not back yet", returned, []node{served, updated}, nil, model.PhaseReturning, "", "", ""},
		{"delete-first", "all are back", returned, []node{updated}, nil, model.PhaseReturning, model.ReturnComplete, "", ""},
		// A surge is the native controller's, which is stopped while it must not go on.
		{"surge", "no node has it yet", unproven, []node{served}, nil, model.PhaseAdvancing, "", "", ""},
		{"surge", "paused", unproven, []node{served}, paused, model.PhaseAdvancing, model.NativeStopped, "", model.RolloutPaused},
		{"surge", "paused, while one node is served by its new Pod alone", unproven, []node{{"starting", "serves"}, served}, paused, model.PhaseAdvancing, model.TargetProven, "", model.RolloutPaused},
		{"surge", "the same, with the proof", proven, []node{{"starting", "serves"}, served}, paused, model.PhaseAdvancing, "", model.WaitingForPodsToEnd, model.RolloutPaused},
		{"surge", "more nodes are unavailable than the budget", unproven, []node{unready, unready, served}, nil, model.PhaseAdvancing, model.NativeStopped, "", ""},
		{"surge", "the same on the way back: it goes on delete-first", returned, []node{unready, unready, served}, nil, model.PhaseReturning, model.DeleteFirst, "", model.WaitingForSlot},
		{"surge", "it failed, though it is proven: that is remembered", proven, []node{{"serves", "starting"}, broken}, nil, model.PhaseHeld, model.TargetFailed, "", model.RolloutHeld},
		{"surge", "that is remembered, and the controller is stopped", both(proven, remembered), []node{served}, nil, model.PhaseHeld, model.NativeStopped, "", model.RolloutHeld},
	} {
		t.Run(test.strategy+", "+test.name, func(t *testing.T) {
			s := newScene(t, test.strategy)
			if test.change != nil {
				test.change(s.rollout)
			}
			test.record(s)
			for i, n := range test.nodes {
				name := fmt.Sprintf("n%d", i+1)
				if s.node(name, n.old, n.fresh); n == broken {
					s.emptied(name)
				}
			}
			v := s.view()
			survey := v.sum()
			c := steer(v, &survey)
			require.Equal(t, test.phase, c.Phase)
			written := model.Reason("")
			for i := range c.Actions {
				require.Empty(t, written, "one write a plan")
				written = c.Actions[i].Reason
			}
			require.Equal(t, test.written, written)
			require.Equal(t, written != "", c.Writing)
			require.Equal(t, test.hold, c.Hold)
			waits := model.Reason("")
			if len(c.Waits) > 0 {
				waits = c.Waits[0].Reason
			}
			require.Equal(t, test.waits, waits)
		})
	}
}

// both is what changes the scene, or the document, in both ways.
func both[T any](first, second func(T)) func(T) {
	return func(to T) { first(to); second(to) }
}

// The stages write nothing of each other: to judge and to sum again says the same, whatever was steered and admitted meanwhile.
func TestStagesLeaveTheViewAlone(t *testing.T) {
	s := newScene(t, "surge")
	s.node("n1", "serves", "prepared")
	s.node("n2", "serves", "")
	s.node("n3", "", "serves")
	proven(s)
	v := s.view()
	before := v.sum()
	survey := v.sum()
	c := steer(v, &survey)
	admitted := admit(c)
	require.Len(t, admitted.Actions, 2, "the handover is noted, and then made")
	require.Equal(t, before, survey, "neither steering nor admission writes the survey")
	require.Equal(t, before, v.sum())
	require.Nil(t, v.live.state.HandedOver)
}
