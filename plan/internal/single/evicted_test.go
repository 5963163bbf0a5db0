package single

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// A Pod that is evicted and made anew restarts no clock: the deadline counts from the handover until the target is proven, and as long as the last
// Pod that has ended is there.
func TestEvictionsRestartNoClock(t *testing.T) {
	for _, test := range []struct {
		name    string
		taken   bool
		record  func(*scene)
		evicted bool
		reason  model.Reason
	}{
		{"made a second ago, taken an hour ago", true, nil, false, model.TargetFailed},
		{"made a second ago, and nothing was taken", false, nil, false, model.TargetStarting},
		{"proven elsewhere", true, proven, false, model.TargetStarting},
		{"proven elsewhere, and another Pod was evicted", true, proven, true, model.TargetFailed},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "delete-first")
			if test.record != nil {
				test.record(s)
			}
			s.node("n1", "", "starting", "just now")
			if test.evicted {
				s.objects.Pods = append(s.objects.Pods, s.podOf("n1", "evicted", "ended", 2*time.Second))
			}
			if test.taken {
				s.emptied("n1")
			}
			j := s.view().judge(0)
			require.Equal(t, test.reason, j.Report.Reason, j.Report.Detail)
		})
	}
}
