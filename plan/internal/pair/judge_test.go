package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// TestJudge is the specification of one node on its way from the source, blue, to the recorded target, green: what the node shows,
// and what is said of it before any limit is asked. A Pod is one word of podOf; a label was written an hour ago where
// none of the row's words says otherwise.
func TestJudge(t *testing.T) {
	const (
		serves, prepared, starting = "serves", "prepared", "starting"
		overlap, released, target  = "blue-to-green", "released-to-green", "green"
		none, free, paid           = budget.NoSeat, budget.FreeSeat, budget.PaidSeat
	)
	tests := []struct {
		label, source, target string
		words                 []string // of nodeOf
		stage                 model.Stage
		reason                model.Reason
		verdict               model.Verdict
		kind                  uint8
		seat                  budget.Seat
		blame                 model.Blame
	}{
		// On the source. To overlap costs no seat: nothing is taken away.
		{"", serves, "", nil, model.StageSource, model.BeginOverlap, model.Acts, moveOverlap, none, model.Available},
		{"blue", serves, "", nil, model.StageSource, model.BeginOverlap, model.Acts, moveOverlap, none, model.Available},
		{"blue", starting, "", nil, model.StageSource, model.BeginOverlap, model.Acts, moveOverlap, none, model.Ambient},
		{"blue", serves, "terminating", nil, model.StageSource, model.TargetExiting, model.Waits, stay, none, model.Available},
		{"blue", serves, "unbound", nil, model.StageSource, model.UnboundTurnedAway, model.Acts, moveDeletePod, none, model.Available},
		{"blue", serves, "", []string{"pressure"}, model.StageSource, model.NodeUnderPressure, model.Waits, stay, none, model.Available},
		{"blue", starting, "", []string{"pressure"}, model.StageSource, model.BeginOverlap, model.Acts, moveOverlap, none, model.Ambient},
		{"blue", starting, "", []string{"dead"}, model.StageSource, model.DeadNodeMoved, model.Acts, moveDead, none, model.Ambient},
		{"blue", serves, "", []string{"dead"}, model.StageSource, model.DeadNodeMoved, model.Acts, moveDead, paid, model.Available},
		// In overlap the target prepares, is recorded as prepared, and takes over for a seat: a paid one if the node is served.
		{overlap, serves, "", []string{"just now"}, model.StageOverlap, model.TargetCreating, model.Waits, stay, none, model.Available},
		{overlap, serves, "", nil, model.StageOverlap, model.TargetFailed, model.Blocks, stay, none, model.Available},
		{overlap, serves, "terminating", nil, model.StageOverlap, model.TargetExiting, model.Waits, stay, none, model.Available},
		{overlap, serves, "unbound", nil, model.StageOverlap, model.TargetScheduling, model.Waits, stay, none, model.Available},
		{overlap, serves, starting, []string{"just now"}, model.StageOverlap, model.TargetPreparing, model.Waits, stay, none, model.Available},
		{overlap, serves, starting, nil, model.StageOverlap, model.TargetFailed, model.Blocks, stay, none, model.Available},
		{overlap, serves, prepared, nil, model.StageOverlap, model.CandidatePrepared, model.Acts, moveCandidate, none, model.Available},
		{overlap, serves, prepared, []string{"candidate"}, model.StageOverlap, model.HandoffPrepared, model.Acts, moveHandoff, paid, model.Available},
		{overlap, starting, prepared, []string{"candidate"}, model.StageOverlap, model.HandoffPrepared, model.Acts, moveHandoff, free, model.Ambient},
		{overlap, serves, serves, nil, model.StageOverlap, model.HandoffServing, model.Acts, moveHandoff, none, model.Available},
		{overlap, serves, "settling", nil, model.StageOverlap, model.TargetSettling, model.Waits, stay, none, model.Available},
		{overlap, serves, "stale", nil, model.StageOverlap, model.StaleRevision, model.Acts, moveDeletePod, none, model.Available},
		{overlap, serves, prepared, []string{"dead"}, model.StageOverlap, model.DeadNodeMoved, model.Acts, moveDead, paid, model.Available},
		{overlap, serves, prepared, []string{"other executor"}, model.StageOverlap, model.NodeFenced, model.Acts, moveCandidate, none, model.Available},
		// In an overlap of the opposite direction the label is turned, unless the target serves already.
		{"green-to-blue", serves, prepared, nil, model.StageOverlap, model.TurnBack, model.Acts, moveTurn, none, model.Available},
		{"green-to-blue", starting, serves, nil, model.StageOverlap, model.TakeBack, model.Acts, moveTakeBack, none, model.Available},
		// Released: the source is turned away, and what is missing is the rollout's doing.
		{released, "terminating", "", nil, model.StageReleased, model.SourceExiting, model.Waits, stay, none, model.Committed},
		{released, "", "", nil, model.StageReleased, model.AdmitTarget, model.Acts, moveAdmit, none, model.Committed},
		{released, serves, "", []string{"dead"}, model.StageReleased, model.NodeNotReady, model.Waits, stay, none, model.Committed},
		// Handed over: until the target is available the node is on the rollout's account, whatever the cause.
		{target, "", serves, nil, model.StageComplete, model.OnTarget, model.Done, stay, none, model.Available},
		{target, "terminating", serves, nil, model.StageTarget, model.SourceExiting, model.Waits, stay, none, model.Available},
		{target, "", "", []string{"just now"}, model.StageTarget, model.TargetCreating, model.Waits, stay, none, model.Committed},
		{target, "", "", nil, model.StageTarget, model.TargetFailed, model.Blocks, stay, none, model.Committed},
		{target, "", starting, []string{"just now"}, model.StageTarget, model.TargetStarting, model.Waits, stay, none, model.Committed},
		{target, "", starting, nil, model.StageTarget, model.TargetFailed, model.Blocks, stay, none, model.Committed},
		{target, "", starting, []string{"dead"}, model.StageTarget, model.NodeNotReady, model.Waits, stay, none, model.Committed},
		{target, "", "settling", nil, model.StageTarget, model.TargetSettling, model.Waits, stay, none, model.Committed},
		{target, "", "stale", nil, model.StageTarget, model.StaleRevision, model.Acts, moveDeletePod, none, model.Committed},
		// A label that is not understood, or an old spelling, is repaired.
		{"yellow", serves, "", nil, model.StageForeign, model.LabelRepaired, model.Acts, moveRepair, none, model.Ambient},
		{"green-pending", "", serves, nil, model.StageForeign, model.LabelRepaired, model.Acts, moveRepair, none, model.Ambient},
		// No longer eligible: marks go after Pods, and a Pod that Kubernetes keeps is left alone.
		{target, "", serves, []string{"tainted"}, model.StageLeaving, model.NodeLeaving, model.Waits, stay, none, model.NotEligible},
		{target, "terminating", "", []string{"tainted"}, model.StageLeaving, model.SourceExiting, model.Waits, stay, none, model.NotEligible},
		{target, "", "", []string{"tainted"}, model.StageLeaving, model.NodeLeft, model.Acts, moveClear, none, model.NotEligible},
	}
	for _, test := range tests {
		name := "label " + test.label + ", source " + test.source + ", target " + test.target
		for _, word := range test.words {
			name += ", " + word
		}
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.recordTarget()
			s.node("n1", test.label, test.source, test.target, test.words...)
			j := s.view().judge(0)
			require.True(t, j.Reported)
			require.Equal(t, test.stage, j.Report.Stage, "%s", j.Report.Stage)
			require.Equal(t, test.reason, j.Report.Reason)
			require.Equal(t, test.verdict, j.Report.Verdict, "%s", j.Report.Verdict)
			require.Equal(t, test.blame, j.Report.Blame, "%s", j.Report.Blame)
			require.Equal(t, test.kind, j.Move.Kind)
			require.Equal(t, test.seat, j.Move.Seat, "%s", j.Move.Seat)
		})
	}
}

// A node that the rollout has nothing to do with is not reported, and nothing is counted of it.
func TestJudgeSaysNothingOfAStranger(t *testing.T) {
	s := newScene(t)
	s.recordTarget()
	s.node("n1", "", "", "", "tainted")
	j := s.view().judge(0)
	require.False(t, j.Reported)
	require.Zero(t, j.Traits)
	require.True(t, j.Steady)
}

// A judgment asks to be made again when time alone changes it.
func TestJudgeWakes(t *testing.T) {
	tests := []struct {
		label, target, word string
		wake                time.Duration
	}{
		{"green", "serves", "", 0},
		{"green", "settling", "", 9 * time.Second},                   // of 10 s that a Pod must be Ready
		{"green", "starting", "just now", 599 * time.Second},         // of the deadline
		{"blue-to-green", "prepared", "just now", 0},                 // it acts
		{"blue-to-green", "starting", "just now", 599 * time.Second}, // of the deadline
	}
	for _, test := range tests {
		t.Run(test.label+" "+test.target, func(t *testing.T) {
			s := newScene(t)
			s.recordTarget()
			s.node("n1", test.label, "", test.target, test.word)
			v := s.view()
			want := time.Time{}
			if test.wake > 0 {
				want = v.now.Add(test.wake)
			}
			require.Equal(t, want, v.judge(0).Wake.UTC())
		})
	}
}
