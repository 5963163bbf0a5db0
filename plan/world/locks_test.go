package world

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// overlapping is one node where blue serves and green waits behind the same locks.
func overlapping(t *testing.T, edits ...func(*appsv1.DaemonSet)) *lab {
	t.Helper()
	green := append([]func(*appsv1.DaemonSet){worldtest.OnLabel(slotKey, "green", "both"), worldtest.Wrapped}, edits...)
	return newLab(t, Options{}, worldtest.Nodes(1, labelled("both")),
		worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both"), worldtest.Wrapped),
		worldtest.Set("green", "2", green...)).settle()
}

func TestLocks(t *testing.T) {
	for _, test := range []struct {
		name        string
		script      []string
		blue, green string
	}{
		{"the target waits", nil, "RR", "ll"},
		{"a crash hands one lock to the waiter, and the two are split", []string{"Crash n0001 blue agent", "."}, "lR", "Rl"},
		{"both components crashed: the target serves", []string{"Crash n0001 blue agent", "Crash n0001 blue trace-agent", "."}, "ll", "RR"},
		{"a crash of the waiter only makes it wait again", []string{"Crash n0001 green agent", "."}, "RR", "ll"},
		{"the source's end hands everything over", []string{"EditLabel n0001 " + slotKey + "=green", "."}, "", "RR"},
		{"a silent kubelet frees nothing", []string{"BreakNode n0001", "EditLabel n0001 " + slotKey + "=green", "."}, "~RR", "ll"},
		{"split locks are joined by taking one Pod away", []string{"Crash n0001 blue agent", ".", "EditLabel n0001 " + slotKey + "=green", "."}, "", "RR"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := overlapping(t)
			for _, step := range test.script {
				if step == "." {
					l.settle()
				} else {
					l.word(step)
				}
			}
			require.Equal(t, test.blue, l.draw("n0001", "blue"), "blue")
			require.Equal(t, test.green, l.draw("n0001", "green"), "green")
			require.NoError(t, l.w.Check())
		})
	}
}

func TestOneComponentsEndFreesOnlyItsLock(t *testing.T) {
	l := overlapping(t)
	l.word("EditLabel n0001 " + slotKey + "=green")
	l.settle(StopContainer)
	l.word("StopContainer n0001 blue agent")
	l.settle(StopContainer)
	require.Equal(t, "~eR", l.draw("n0001", "blue"))
	require.Equal(t, "Rl", l.draw("n0001", "green"))
	require.False(t, l.w.Served("n0001"))
	require.Equal(t, []Holder{
		{Component: "trace-agent", Pod: l.pod("n0001", "blue").name(), Lock: "/var/run/datadog-agent-rollout/trace-agent.lock"},
		{Component: "agent", Pod: l.pod("n0001", "green").name(), Lock: "/var/run/datadog-agent-rollout/agent.lock"},
	}, l.w.Holders("n0001"))
	l.settle()
	require.True(t, l.w.Served("n0001"))
}

func TestAReadyNodeIsServedUntilItsFirstProcessEnds(t *testing.T) {
	l := overlapping(t)
	l.word("EditLabel n0001 " + slotKey + "=none")
	l.settle(StopContainer)
	require.True(t, l.w.Served("n0001"), "terminating, but everything runs")
	l.word("StopContainer n0001 blue trace-agent")
	require.False(t, l.w.Served("n0001"))
}

func TestEveryWaiterMayBeNext(t *testing.T) {
	l := overlapping(t)
	third := worldtest.Set("third", "3", worldtest.OnLabel(slotKey, "both"), worldtest.Wrapped)
	_, err := l.w.Apply(l.now, model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "third"}, Create: third})
	require.NoError(t, err)
	l.settle()
	l.word("Crash n0001 blue agent")
	var waiters []string
	for _, next := range l.w.EnabledOn(l.now, "n0001") {
		if next.Kind == GrantLock {
			waiters = append(waiters, next.Pod)
		}
	}
	require.Equal(t, []string{l.pod("n0001", "green").name(), l.pod("n0001", "third").name()}, waiters,
		"one transition a waiter, in the order in which they asked")
	l.word("GrantLock n0001 third agent")
	require.NotContains(t, l.kinds("n0001"), "GrantLock")
	_, err = l.w.Do(l.now, Transition{Kind: GrantLock, Node: "n0001", Pod: l.pod("n0001", "green").name(), Container: "agent"})
	var no *ImpossibleError
	require.ErrorAs(t, err, &no)
}

// Two wrappers whose locks are of another kind, or in another directory, keep nobody out, and neither does
// a container without a wrapper: Check says so.
func TestCheckFindsTwoProcesses(t *testing.T) {
	tool := func(s *appsv1.DaemonSet) {
		spec := &s.Spec.Template.Spec
		last := &spec.InitContainers[len(spec.InitContainers)-1]
		last.Command[1] = "/usr/bin/flock"
	}
	elsewhere := func(s *appsv1.DaemonSet) {
		volumes := s.Spec.Template.Spec.Volumes
		for i := range volumes {
			if volumes[i].HostPath != nil {
				volumes[i].HostPath.Path = "/elsewhere"
			}
		}
	}
	bare := func(s *appsv1.DaemonSet) { s.Spec.Template.Spec = worldtest.Set("x", "2").Spec.Template.Spec }
	for name, edit := range map[string]func(*appsv1.DaemonSet){
		"another directory": elsewhere, "no wrapper": bare, "another tool": tool,
	} {
		t.Run(name, func(t *testing.T) {
			green := func(s *appsv1.DaemonSet) {
				edit(s)
				worldtest.OnLabel(slotKey, "green", "both")(s)
			}
			l := overlapping(t, green)
			require.Equal(t, "RR", l.draw("n0001", "green"))
			var double *DoubleError
			require.True(t, errors.As(l.w.Check(), &double))
			require.Equal(t, "n0001", double.Node)
			require.Equal(t, "agent", double.Component)
			require.Len(t, double.Pods, 2)
			require.Error(t, l.w.CheckNode("n0001"))
		})
	}
}
