package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// Two runs that differ in their decision alone are the same up to it, and each goes its own way from there.
func TestDecide(t *testing.T) {
	w, now := installed(t, 6, intstr.FromInt32(1), world.Options{})
	bad := simulate.Fault{At: 100 * time.Second, Behaviour: map[string]world.Behaviour{"agent@agent:2": world.NeverReady}, Until: 30 * time.Minute}
	play := func(direction model.Direction, turns int) simulate.Result {
		r, err := simulate.Run(w.Clone(), plan.Next, simulate.Options{
			Rollout: pairOf("2", intstr.FromInt32(1)), Start: now, Faults: []simulate.Fault{bad},
			Decide: func(p *model.Plan) *model.Decision {
				if blocked := p.Blocked(); blocked == nil || blocked.Reason != string(model.FailedHold) {
					return nil
				}
				return &model.Decision{Revision: p.Pair.TargetRevision, Recover: direction}
			},
		})
		require.NoError(t, err)
		require.Len(t, r.Turns, turns, "what is decided the next plan knows")
		return r
	}
	// To go on covers what has failed until then: of those that follow one more fails before the image is mended.
	forward, back := play(model.Forward, 2), play(model.Back, 1)
	turn := forward.Turns[0]
	require.Equal(t, turn.At, back.Turns[0].At)
	require.Equal(t, turn.NodeTime, back.Turns[0].NodeTime)
	require.Positive(t, turn.NodeTime)
	require.Greater(t, turn.At, 10*time.Minute, "after the progress deadline")

	require.Equal(t, simulate.Complete, forward.Outcome)
	require.Equal(t, simulate.Blocked, back.Outcome)
	require.Equal(t, string(model.RevisionRemembered), back.Reason)
	require.Greater(t, forward.NodeTime, back.NodeTime, "forward waits for the image to be mended")
	decided := 0
	for i, e := range back.Timeline {
		if e.What == simulate.Decided {
			require.Equal(t, model.Back, e.Decision.Recover)
			decided++
			continue
		}
		if e.At < turn.At {
			require.Equal(t, e.What, forward.Timeline[i].What)
			require.Equal(t, e.At, forward.Timeline[i].At)
		}
	}
	require.Equal(t, 1, decided)
}
