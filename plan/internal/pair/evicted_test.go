package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Pod that is evicted and made anew restarts no clock: the deadline counts from the label until the target is proven.
func TestEvictionsRestartNoClock(t *testing.T) {
	for _, test := range []struct {
		name, label, source, word string
		reason                    model.Reason
	}{
		{"in overlap for an hour", "blue-to-green", "serves", "", model.TargetFailed},
		{"in overlap for a second", "blue-to-green", "serves", "just now", model.TargetPreparing},
		{"handed over an hour ago", "green", "", "", model.TargetFailed},
		{"handed over a second ago", "green", "", "just now", model.TargetStarting},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			s.recordTarget()
			s.node("n1", test.label, test.source, "starting", test.word)
			made := s.objects.Pods[len(s.objects.Pods)-1]
			made.CreationTimestamp = metav1.NewTime(now.Add(-time.Second))
			j := s.view().judge(0)
			require.Equal(t, test.reason, j.Report.Reason, j.Report.Detail)
		})
	}
}
