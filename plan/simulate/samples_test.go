package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// The samples come to the sums and the peaks of the result, and leave the run as it is.
func TestSamplesComeToTheResult(t *testing.T) {
	for name, does := range map[string]world.Behaviour{"good": world.Good, "never ready": world.NeverReady, "pull fails": world.PullFails} {
		t.Run(name, func(t *testing.T) {
			w, now := installed(t, 12, intstr.FromInt32(2), world.Options{Behaviour: map[string]world.Behaviour{"agent:2": does}})
			lost := w.Nodes()[3]
			o := simulate.Options{Rollout: pairOf("2", intstr.FromInt32(2)), Start: now, Seed: 7, Faults: []simulate.Fault{
				{At: 30 * time.Second, Transition: world.Transition{Kind: world.LoseNode, Node: lost}, Until: 2 * time.Minute},
			}}
			plain, err := simulate.Run(w.Clone(), plan.Next, o)
			require.NoError(t, err)
			require.Empty(t, plain.Samples)
			o.Samples = true
			r, err := simulate.Run(w, plan.Next, o)
			require.NoError(t, err)

			var mostUnserved, mostOverlap, mostPulling int
			var unserved, overlap time.Duration
			var peakCPU, peakMemory int64
			var cores float64
			for i, s := range r.Samples {
				until := r.Duration
				if i+1 < len(r.Samples) {
					until = r.Samples[i+1].At
				}
				require.LessOrEqual(t, s.At, until)
				mostUnserved, mostOverlap, mostPulling = max(mostUnserved, s.Unserved), max(mostOverlap, s.Overlap), max(mostPulling, s.Pulling)
				peakCPU, peakMemory = max(peakCPU, s.MilliCPU), max(peakMemory, s.Memory)
				unserved += time.Duration(s.Unserved) * (until - s.At)
				overlap += time.Duration(s.Overlap) * (until - s.At)
				cores += float64(s.MilliCPU) / 1000 * (until - s.At).Seconds()
			}
			require.Equal(t, r.MostUnserved, mostUnserved)
			require.Equal(t, r.MostOverlap, mostOverlap)
			require.Equal(t, r.NodeTime, unserved)
			require.Equal(t, r.OverlapTime, overlap)
			require.Equal(t, r.Extra.PeakMilliCPU, peakCPU)
			require.Equal(t, r.Extra.PeakMemory, peakMemory)
			require.InDelta(t, r.Extra.CoreSeconds, cores, 1e-6)
			require.Positive(t, mostPulling)
			require.LessOrEqual(t, mostPulling, mostOverlap, "a target pulls in overlap")

			gaps, away := map[string]time.Duration{}, map[string]time.Duration{}
			for _, a := range r.Absences {
				require.Less(t, a.From, a.Until)
				if a.Eligible {
					gaps[a.Node] += a.Until - a.From
				} else {
					away[a.Node] += a.Until - a.From
				}
			}
			for _, gap := range r.Gaps {
				require.Equal(t, gap.Total, gaps[gap.Node], gap.Node)
				require.Equal(t, gap.Ineligible, away[gap.Node], gap.Node)
			}
			require.Equal(t, map[string]time.Duration{lost: 90 * time.Second}, away)

			r.Samples, r.Absences = nil, nil
			require.Equal(t, plain, r)
		})
	}
}
