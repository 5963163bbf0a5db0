package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// canaryRun rolls agent:2 with a canary of two nodes over eight, behind caches that lag, and returns what the canary came
// to. Every plan is judged by the validator.
func canaryRun(t *testing.T, does world.Behaviour, overlap model.OverlapMode, crashes ...simulate.Crash) (r simulate.Result, w *world.World, verdicts map[model.CanaryVerdict]bool, most int) {
	t.Helper()
	two := intstr.FromInt32(2)
	w, now := installedWith(t, 8, two, world.Options{Lagging: true, Behaviour: map[string]world.Behaviour{"agent:2": does}},
		func(r *model.Rollout) { r.Spec.Strategy.Overlap = overlap })
	rollout := pairOf("2", two)
	rollout.Spec.Strategy.Overlap = overlap
	rollout.Spec.Strategy.Canary = &model.Canary{
		Replicas: &two, Duration: &metav1.Duration{Duration: 20 * time.Minute}, AutoFail: &model.AutoFail{CanaryTimeout: &metav1.Duration{Duration: time.Hour}},
	}
	verdicts = map[model.CanaryVerdict]bool{}
	held := 0
	r, err := simulate.Run(w, plan.Next, simulate.Options{
		Rollout: rollout, Start: now, Timings: simulate.Timings{CacheLag: 3 * time.Second}, Crashes: crashes,
		OnStep: func(s *model.Snapshot, p *model.Plan) error {
			if p.Canary != nil {
				verdicts[p.Canary.Verdict] = true
				held = max(held, p.Canary.Placed)
			}
			if found := plan.Validate(s, p); len(found) > 0 {
				return found[0]
			}
			return nil
		},
	})
	require.NoError(t, err)
	return r, w, verdicts, held
}

// A bad revision reaches no more than the canary's nodes, and they go back without a person, whatever it does wrong.
func TestABadCanaryFailsByItself(t *testing.T) {
	for name, does := range map[string]world.Behaviour{
		"pull": world.PullFails, "crash": world.CrashLoops, "ready for a moment": world.ReadyThenCrashes, "never ready": world.NeverReady,
	} {
		for _, overlap := range []model.OverlapMode{model.Locked, model.Never} {
			t.Run(name+", "+string(overlap), func(t *testing.T) {
				r, w, verdicts, placed := canaryRun(t, does, overlap, simulate.Crash{Before: 4, Late: 5 * time.Second})
				require.NotEqual(t, simulate.Complete, r.Outcome, "the desired revision is remembered as failed")
				require.True(t, verdicts[model.CanaryHasFailed], "%v, %s: %s", verdicts, r.Reason, r.Message)
				require.LessOrEqual(t, placed, 2)
				require.LessOrEqual(t, r.MostUnserved, 2)
				for _, node := range w.Nodes() {
					require.True(t, w.Served(node), "%s is back on the source", node)
				}
			})
		}
	}
}

// A good one takes its time, and then the others follow.
func TestAGoodCanaryIsPromoted(t *testing.T) {
	for _, overlap := range []model.OverlapMode{model.Locked, model.Never} {
		r, _, verdicts, placed := canaryRun(t, world.Good, overlap, simulate.Crash{Before: 7})
		require.Equal(t, simulate.Complete, r.Outcome, "%s: %s", r.Reason, r.Message)
		require.Equal(t, map[model.CanaryVerdict]bool{model.CanaryRuns: true}, verdicts)
		require.Equal(t, 2, placed)
		require.LessOrEqual(t, r.MostUnserved, 2)
		require.Greater(t, r.Duration, 20*time.Minute)
	}
}
