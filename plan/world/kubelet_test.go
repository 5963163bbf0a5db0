package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

func TestBehaviours(t *testing.T) {
	for _, test := range []struct {
		name      string
		behaviour map[string]Behaviour
		cycles    int // restarts to look at
		want      string
		phase     corev1.PodPhase
		waiting   string
	}{
		{"good", nil, 0, "RR", corev1.PodRunning, ""},
		{"slow is good without a clock", map[string]Behaviour{"agent:1": SlowStart}, 0, "RR", corev1.PodRunning, ""},
		{"pull fails for the init container", map[string]Behaviour{"agent:1": PullFails}, 0, "ww", corev1.PodPending, "ImagePullBackOff"},
		{"an init container fails", map[string]Behaviour{"init-config@agent:1": CrashLoops}, 2, "ww", corev1.PodPending, "CrashLoopBackOff"},
		{"one component crashes before it is ready", map[string]Behaviour{"agent@agent:1": CrashLoops}, 2, "cR", corev1.PodRunning, "CrashLoopBackOff"},
		{"one component crashes when it is ready", map[string]Behaviour{"agent@agent:1": ReadyThenCrashes}, 2, "cR", corev1.PodRunning, "CrashLoopBackOff"},
		{"one component is never ready", map[string]Behaviour{"trace-agent@agent:1": NeverReady}, 0, "Rs", corev1.PodRunning, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{Behaviour: test.behaviour}, worldtest.Nodes(1), worldtest.Set("blue", "1"))
			l.settle(Crash, RestartContainer, InitError, WriteStatus)
			for range test.cycles {
				for _, again := range []Kind{RestartContainer, PassStartup, PassReadiness, InitError, Crash} {
					for _, next := range l.w.EnabledOn(l.now, "n0001") {
						if next.Kind == again {
							l.do(next)
						}
					}
				}
			}
			require.Equal(t, test.want, l.draw("n0001", "blue"))
			pod := l.w.podObject(l.pod("n0001", "blue"))
			require.Equal(t, test.phase, pod.Status.Phase)
			require.Equal(t, test.waiting, model.WaitingReason(pod))
			ready, _ := model.ReadySince(pod)
			require.Equal(t, test.want == "RR", ready)
			require.Equal(t, test.want == "RR", l.w.Served("n0001"))
		})
	}
}

func TestRestartShowsAsTheKubeletShowsIt(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1), worldtest.Set("blue", "1")).settle()
	before := l.w.podObject(l.pod("n0001", "blue"))
	l.word("Crash n0001 blue agent")
	crashed := l.now
	pod := l.w.podObject(l.pod("n0001", "blue"))
	status := pod.Status.ContainerStatuses[0]
	require.Equal(t, "CrashLoopBackOff", status.State.Waiting.Reason)
	require.Zero(t, status.RestartCount, "the count grows with the restart")
	require.EqualValues(t, 1, status.LastTerminationState.Terminated.ExitCode)
	ready, since := model.ReadySince(pod)
	require.False(t, ready)
	require.Equal(t, crashed, since)
	require.NotEqual(t, before.ResourceVersion, pod.ResourceVersion)

	l.settle()
	pod = l.w.podObject(l.pod("n0001", "blue"))
	status = pod.Status.ContainerStatuses[0]
	require.EqualValues(t, 1, status.RestartCount)
	require.True(t, status.Ready && *status.Started)
	require.Equal(t, crashed, status.LastTerminationState.Terminated.FinishedAt.Time)
	require.Nil(t, pod.Status.ContainerStatuses[1].LastTerminationState.Terminated)
	require.True(t, model.RestartedSince(pod, crashed.Add(-time.Second)))
	require.False(t, model.RestartedSince(pod, crashed))
}

func TestAWaiterShowsAsPrepared(t *testing.T) {
	l := overlapping(t)
	pod := l.w.podObject(l.pod("n0001", "green"))
	require.True(t, model.AllRunning(pod))
	require.Zero(t, model.StartedContainers(pod))
	require.Zero(t, model.Restarts(pod))
	for _, status := range pod.Status.ContainerStatuses {
		require.False(t, status.Ready)
	}
	require.Equal(t, 2, model.StartedContainers(l.w.podObject(l.pod("n0001", "blue"))))
}

func TestImagesAreSharedByANode(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1), worldtest.Set("blue", "1"))
	pulls := 0
	for {
		next, ok := l.next(nil)
		if !ok {
			break
		}
		if next.Kind == PullImage {
			pulls++
		}
		l.do(next)
	}
	require.Equal(t, 1, pulls, "one image, three containers")
	l.word("KillPod n0001 blue")
	require.NotContains(t, l.settle(PullImage).kinds("n0001"), "PullImage")
	require.Equal(t, "RR", l.draw("n0001", "blue"))
}

func TestAPullThatFailsOnOneNode(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1"))
	l.word("BreakPulls n0001")
	l.settle()
	require.Equal(t, "ww", l.draw("n0001", "blue"))
	require.Equal(t, "RR", l.draw("n0002", "blue"))
	require.Empty(t, l.w.Enabled(l.now), "a pull that fails again is no news")
	l.word("MendPulls n0001")
	l.settle()
	require.Equal(t, "RR", l.draw("n0001", "blue"))
}

func TestAFailedPullOfOneContainerHoldsNoOther(t *testing.T) {
	set := worldtest.Set("blue", "1")
	set.Spec.Template.Spec.Containers[0].Image = "other:1"
	l := newLab(t, Options{Behaviour: map[string]Behaviour{"other:1": PullFails}}, worldtest.Nodes(1), set).settle(PullError)
	require.Equal(t, "ww", l.draw("n0001", "blue"), "containers start one after the other")
	for _, next := range l.w.EnabledOn(l.now, "n0001") {
		if next.Kind == PullError {
			l.do(next)
		}
	}
	l.settle(PullError)
	require.Equal(t, "pR", l.draw("n0001", "blue"))
	require.Equal(t, corev1.PodPending, l.w.podObject(l.pod("n0001", "blue")).Status.Phase)
}

func TestANodeThatIsNotReady(t *testing.T) {
	for _, taints := range []bool{true, false} {
		l := newLab(t, Options{NoLifecycleTaints: !taints}, worldtest.Nodes(1), worldtest.Set("blue", "1")).settle()
		l.word("BreakNode n0001")
		n := l.w.findNode("n0001")
		require.False(t, model.NodeReady(n.object))
		require.Equal(t, taints, len(n.object.Spec.Taints) == 2)
		require.Equal(t, !taints, l.w.Eligible("n0001"), "the hard taint of a node that is down is not tolerated")
		pod := l.w.podObject(l.pod("n0001", "blue"))
		ready, since := model.ReadySince(pod)
		require.False(t, ready)
		require.Equal(t, l.now, since)
		require.True(t, pod.Status.ContainerStatuses[0].Ready, "the kubelet's last word")
		require.True(t, l.w.Served("n0001"), "its processes run on")
		require.Empty(t, l.w.EnabledOn(l.now, "n0001"))

		l.word("MendNode n0001")
		ready, since = model.ReadySince(l.w.podObject(l.pod("n0001", "blue")))
		require.True(t, ready)
		require.Equal(t, l.now, since)
		require.Empty(t, l.w.findNode("n0001").object.Spec.Taints)
	}
}

func TestALostMachine(t *testing.T) {
	l := overlapping(t)
	l.word("LoseNode n0001")
	require.False(t, l.w.Served("n0001"))
	require.Empty(t, l.w.Holders("n0001"))
	l.word("MendNode n0001")
	l.settle()
	// Who asks first gets the lock: after a reboot that may be either.
	served := l.draw("n0001", "blue") + l.draw("n0001", "green")
	require.Contains(t, []string{"RRll", "llRR", "RllR", "lRRl"}, served)
	for _, set := range []string{"blue", "green"} {
		require.EqualValues(t, 1, model.Restarts(l.w.podObject(l.pod("n0001", set))))
	}
}
