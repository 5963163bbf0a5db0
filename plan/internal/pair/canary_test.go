package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ago is an instant so many minutes before the scene's present.
func ago(minutes float64) metav1.Time {
	return metav1.NewTime(now.Add(-time.Duration(minutes * float64(time.Minute))))
}

// canaryScene has a canary of two nodes that began 15 minutes ago and that lasts ten, five of them without a restart. The target is proven.
func canaryScene(t *testing.T, rollout func(*model.Rollout), record func(*model.CanaryRecord)) *scene {
	s := newScene(t, func(r *model.Rollout) {
		two := intstr.FromInt32(2)
		r.Spec.Strategy.MaxUnavailable = &two
		r.Spec.Strategy.Canary = &model.Canary{Replicas: &two, AutoFail: &model.AutoFail{}}
		if rollout != nil {
			rollout(r)
		}
	})
	s.recordTarget(func(state *model.State) {
		state.Proven = s.slots[1].Annotations[s.keys.Revision]
		state.Canary = &model.CanaryRecord{Revision: state.Proven, Begun: ago(15)}
		if record != nil {
			record(state.Canary)
		}
	})
	return s
}

// served adds a node of the canary whose exact target has been Ready for so many minutes.
func (s *scene) served(name string, minutes float64) *corev1.Pod {
	s.node(name, "green", "", "serves")
	pod := s.objects.Pods[len(s.objects.Pods)-1]
	pod.Status.Conditions[0].LastTransitionTime = ago(minutes)
	return pod
}

// restarts adds a container that has restarted so often, the last time so many minutes ago.
func restarts(pod *corev1.Pod, times int32, minutes float64) {
	pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
		RestartCount:         times,
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: ago(minutes)}},
	})
}

// plan is what comes of the scene, with the reasons of its writes on the record.
func (s *scene) plan() (p model.Plan, written []model.Reason) {
	s.t.Helper()
	s.objects.DaemonSets = s.slots[:]
	cluster, err := model.NewCluster(s.objects)
	require.NoError(s.t, err)
	p = Plan(&model.Snapshot{Cluster: cluster, Rollout: s.rollout}, nil)
	for i := range p.Actions {
		if p.Actions[i].Kind == model.RecordState {
			written = append(written, p.Actions[i].Reason)
		}
	}
	return p, written
}

// TestCanaryClock is the specification of a canary's time. A Pod counts as available once it was Ready for ten seconds.
func TestCanaryClock(t *testing.T) {
	const settle = 10.0 / 60
	timeout := func(r *model.Rollout) {
		r.Spec.Strategy.Canary.AutoFail.CanaryTimeout = &metav1.Duration{Duration: 14 * time.Minute}
	}
	paused := func(r *model.Rollout) { r.Spec.Strategy.Paused = true }
	frozen := func(r *model.Rollout) { r.Spec.Strategy.Frozen = true }
	both := func(a, b func(*model.Rollout)) func(*model.Rollout) {
		return func(r *model.Rollout) { a(r); b(r) }
	}
	suspended := func(since, until *metav1.Time, minutes int64) func(*model.CanaryRecord) {
		return func(c *model.CanaryRecord) {
			c.Suspended = &model.Suspension{Since: since, Until: until, Seconds: minutes * 60}
		}
	}
	at := func(minutes float64) *metav1.Time { instant := ago(minutes); return &instant }
	whole := func(s *scene) { s.served("n1", 14); s.served("n2", 14) }
	never := -1.0
	for _, test := range []struct {
		name   string
		change func(*model.Rollout)
		record func(*model.CanaryRecord)
		nodes  func(*scene)
		ends   float64 // minutes from now; what ends now is written
		writes model.Reason
	}{
		{"it counts from the last node that became available", nil, nil, func(s *scene) { s.served("n1", 13); s.served("n2", 8) }, 2 + settle, ""},
		{"never from before it began", nil, nil, func(s *scene) { s.served("n1", 55); s.served("n2", 55) }, 0, model.CanaryValidated},
		{"to the second", nil, nil, func(s *scene) { s.served("n1", 13); s.served("n2", 10) }, settle, ""},
		{"and not later", nil, nil, func(s *scene) { s.served("n1", 13); s.served("n2", 10+settle) }, 0, model.CanaryValidated},
		{"a node without a Pod", nil, nil, func(s *scene) { s.served("n1", 13); s.node("n2", "green", "", "", "just now") }, never, ""},
		{"a node that is missing", nil, nil, func(s *scene) { s.served("n1", 13) }, never, ""},
		{"a Pod that was made anew", nil, nil, func(s *scene) { s.served("n1", 13); s.node("n2", "green", "", "serves", "just now") }, never, ""},
		// What the snapshot shows decides, recorded or not.
		{"a restart that is not recorded", nil, nil, func(s *scene) { restarts(s.served("n1", 14), 1, 3); s.served("n2", 14) }, 2, model.CanaryRestarted},
		{"one that is long ago", nil, nil, func(s *scene) { restarts(s.served("n1", 14), 1, 6); s.served("n2", 14) }, 0, model.CanaryValidated},
		{"the newest of two nodes", nil, nil, func(s *scene) { restarts(s.served("n1", 14), 1, 3); restarts(s.served("n2", 14), 1, 4) }, 2, model.CanaryRestarted},
		{"restarts that last too long, of which none is recorded", func(r *model.Rollout) {
			r.Spec.Strategy.Canary.AutoFail.MaxRestartsDuration = &metav1.Duration{Duration: 5 * time.Minute}
		}, nil, func(s *scene) { restarts(s.served("n1", 14), 1, 7); restarts(s.served("n2", 14), 1, 1) }, 0, model.CanaryFailed},
		// No clock runs while the rollout is paused or frozen.
		{"too late", timeout, nil, func(s *scene) { s.served("n1", 14); s.served("n2", 2) }, 0, model.CanaryFailed},
		{"too late, but paused: that is noted", both(timeout, paused), nil, whole, never, model.CanarySuspended},
		{"it is noted once", both(timeout, paused), suspended(at(3), nil, 0), whole, never, ""},
		{"frozen: that is noted too", both(timeout, frozen), nil, whole, never, model.CanarySuspended},
		{"once", both(timeout, frozen), suspended(at(3), nil, 0), whole, never, ""},
		{"paused no more: what it was is noted", timeout, suspended(at(12), nil, 0), whole, 0, model.CanarySuspended},
		{"the pause is taken off the duration", timeout, suspended(nil, at(2), 9), whole, 5 + settle, ""},
		{"and off the timeout", timeout, suspended(nil, at(1), 0), whole, 0, model.CanaryFailed},
		{"a node that became available meanwhile has waited since the end", nil, suspended(nil, at(2), 9), func(s *scene) { s.served("n1", 14); s.served("n2", 4) }, 8, ""},
		{"so has a restart", nil, suspended(nil, at(2), 9), func(s *scene) { restarts(s.served("n1", 50), 1, 4); s.served("n2", 50) }, 4, model.CanaryRestarted},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := canaryScene(t, test.change, test.record)
			test.nodes(s)
			s.node("n3", "", "serves", "")
			p, written := s.plan()
			if test.writes == "" {
				require.Empty(t, written)
			} else {
				require.Equal(t, []model.Reason{test.writes, test.writes}, written, "both halves")
			}
			if test.ends == never {
				require.Nil(t, p.Canary.EndsAt)
			} else if test.ends > 0 {
				wants := time.Duration(test.ends * float64(time.Minute)).Round(time.Second)
				require.Equal(t, wants, p.Canary.EndsAt.Sub(now).Round(time.Second))
				if test.writes == "" {
					require.Equal(t, wants, p.RequeueAfter.Round(time.Second), "it is looked at again then")
				}
			}
			if strategy := &s.rollout.Spec.Strategy; strategy.Paused || strategy.Frozen {
				require.NotNil(t, p.Canary.SuspendedSince)
				require.Nil(t, p.Canary.FailsAt)
				require.Len(t, p.Actions, len(written), "nothing but the note")
			}
		})
	}
}
