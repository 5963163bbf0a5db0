package single

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// TestJudge is the specification of one node: the Pod of another revision and the Pod of the target's that it shows, and what is said of
// it before any limit is asked. Whatever acts deletes one Pod.
func TestJudge(t *testing.T) {
	const (
		serves, settling, prepared, starting = "serves", "settling", "prepared", "starting"
		restarted, terminating, ended        = "restarted", "terminating", "ended"
		none, free, paid                     = budget.NoSeat, budget.FreeSeat, budget.PaidSeat
		source, overlap, target              = model.StageSource, model.StageOverlap, model.StageTarget
	)
	for strategy, tests := range map[string][]struct {
		old, fresh, word string // of podOf and nodeOf
		stage            model.Stage
		reason           model.Reason
		verdict          model.Verdict
		seat             budget.Seat
		blame            model.Blame
	}{
		// The old Pod goes first, for a seat: a paid one if the node is served. The next one is made only after it.
		"delete-first": {
			{serves, "", "", source, model.StaleRevision, model.Acts, paid, model.Available},
			{settling, "", "", source, model.StaleRevision, model.Acts, free, model.Ambient},
			{starting, "", "", source, model.StaleRevision, model.Acts, free, model.Ambient},
			{serves, "", "dead", source, model.NodeNotReady, model.Waits, none, model.Available},
			{serves, "", "pressure", source, model.NodeUnderPressure, model.Waits, none, model.Available},
			{starting, "", "pressure", source, model.StaleRevision, model.Acts, free, model.Ambient},
			{serves, serves, "", source, model.HandoffServing, model.Acts, none, model.Available},
			{serves, starting, "", source, model.TargetExiting, model.Waits, none, model.Available},
			// Without an old Pod the node is the target's, and on the rollout's account until that is available.
			{"", serves, "", model.StageComplete, model.OnTarget, model.Done, none, model.Available},
			{terminating, serves, "", target, model.SourceExiting, model.Waits, none, model.Available},
			{terminating, "", "", target, model.SourceExiting, model.Waits, none, model.Committed},
			{"", "", "", target, model.TargetCreating, model.Waits, none, model.Committed},
			{"", terminating, "", target, model.TargetExiting, model.Waits, none, model.Committed},
			{"", ended, "just now", target, model.TargetCreating, model.Waits, none, model.Committed},
			{"", starting, "just now", target, model.TargetStarting, model.Waits, none, model.Committed},
			{"", settling, "", target, model.TargetSettling, model.Waits, none, model.Committed},
			{"", starting, "", target, model.TargetFailed, model.Blocks, none, model.Committed},
			{"", ended, "", target, model.TargetFailed, model.Blocks, none, model.Committed},
			{"", starting, "pressure", target, model.TargetStarting, model.Waits, none, model.Committed},
			{"", starting, "dead", target, model.NodeNotReady, model.Waits, none, model.Committed},
			{serves, "", "tainted", model.StageLeaving, model.NodeLeaving, model.Waits, none, model.NotEligible},
		},
		// The native controller makes the next Pod beside the old one, which the plan deletes once the next waits for its locks.
		"surge": {
			{serves, "", "", source, model.WaitingForWindow, model.Waits, none, model.Available},
			{serves, "", "pressure", source, model.NodeUnderPressure, model.Waits, none, model.Available},
			{serves, ended, "just now", source, model.TargetCreating, model.Waits, none, model.Available},
			{serves, starting, "just now", overlap, model.TargetPreparing, model.Waits, none, model.Available},
			{serves, starting, "", overlap, model.TargetFailed, model.Blocks, none, model.Available},
			{serves, prepared, "", overlap, model.HandoffPrepared, model.Acts, paid, model.Available},
			{settling, prepared, "", overlap, model.SourceStarting, model.Waits, none, model.Ambient},
			{serves, restarted, "", overlap, model.WaitingRestarted, model.Acts, none, model.Available},
			{serves, restarted, "just now", overlap, model.TargetRestarting, model.Waits, none, model.Available},
			{starting, settling, "", overlap, model.TargetSettling, model.Waits, none, model.Ambient},
			{starting, serves, "", overlap, model.HandoffServing, model.Acts, none, model.Available},
			{serves, serves, "", overlap, model.SourceExiting, model.Waits, none, model.Available},
			{"", serves, "", model.StageComplete, model.OnTarget, model.Done, none, model.Available},
			{"", starting, "just now", target, model.TargetStarting, model.Waits, none, model.Committed},
		},
		// Without locks the native controller does all of it.
		"plain surge": {
			{serves, prepared, "just now", overlap, model.TargetPreparing, model.Waits, none, model.Available},
			{serves, settling, "", overlap, model.TargetSettling, model.Waits, none, model.Available},
			{serves, serves, "", overlap, model.SourceExiting, model.Waits, none, model.Available},
		},
	} {
		for _, test := range tests {
			t.Run(strategy+", old "+test.old+", new "+test.fresh+", "+test.word, func(t *testing.T) {
				s := newScene(t, strategy)
				s.node("n1", test.old, test.fresh, test.word)
				j := s.view().judge(0)
				require.True(t, j.Reported)
				require.Equal(t, test.stage, j.Report.Stage, "%s", j.Report.Stage)
				require.Equal(t, test.reason, j.Report.Reason)
				require.Equal(t, test.verdict, j.Report.Verdict, "%s", j.Report.Verdict)
				require.Equal(t, test.blame, j.Report.Blame, "%s", j.Report.Blame)
				require.Equal(t, test.verdict == model.Acts, j.Move.Kind == deletePod)
				require.Equal(t, test.seat, j.Move.Seat, "%s", j.Move.Seat)
			})
		}
	}
}

// The blame of a node that is the template's and is not served depends on the record.
func TestBlame(t *testing.T) {
	for _, test := range []struct {
		name   string
		record func(*scene)
		word   string
		blame  model.Blame
	}{
		{"a target", func(*scene) {}, "", model.Committed},
		{"a target, and the Node is not Ready", func(*scene) {}, "dead", model.Committed},
		{"a proven target, and the Node is not Ready", proven, "dead", model.Ambient},
		{"a return, and the Pod was made for it", returned, "just now", model.Committed},
		{"a return, and the Pod is older", returned, "", model.Ambient},
		{"neither", steady, "just now", model.Ambient},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "delete-first")
			test.record(s)
			s.node("n1", "", "starting", test.word)
			require.Equal(t, test.blame, s.view().judge(0).Report.Blame)
		})
	}
}

// A node that the rollout has nothing to do with is not reported, and nothing is counted of it.
func TestJudgeSaysNothingOfAStranger(t *testing.T) {
	s := newScene(t, "surge")
	s.node("n1", "", "", "tainted")
	j := s.view().judge(0)
	require.False(t, j.Reported)
	require.Zero(t, j.Traits)
	require.True(t, j.Steady)
}

// A judgment asks to be made again when time alone changes it, and is steady where it does not.
func TestJudgeWakes(t *testing.T) {
	for _, test := range []struct {
		old, fresh, word string
		wake             time.Duration
		steady           bool
	}{
		{"serves", "", "", 0, true},
		{"", "serves", "", 0, true},
		{"", "settling", "", 9 * time.Second, false},                // of 10 s that a Pod must be Ready
		{"", "starting", "just now", 599 * time.Second, false},      // of the deadline
		{"serves", "starting", "just now", 599 * time.Second, true}, // of the deadline, and so not kept
		{"serves", "restarted", "just now", 59 * time.Second, true}, // of the minute that a restarted Pod must run
		{"serves", "prepared", "just now", 0, true},                 // it acts
		{"starting", "", "", 0, false},                              // the old Pod has no deadline
		{"serves", "starting", "", 0, false},                        // it has failed
	} {
		t.Run(test.old+", "+test.fresh+", "+test.word, func(t *testing.T) {
			s := newScene(t, "surge")
			s.node("n1", test.old, test.fresh, test.word)
			j := s.view().judge(0)
			want := time.Time{}
			if test.wake > 0 {
				want = now.Add(test.wake)
			}
			require.Equal(t, want, j.Wake.UTC())
			require.Equal(t, test.steady, j.Steady)
		})
	}
}
