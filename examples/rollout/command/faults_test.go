package command

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

func reader(t *testing.T) *faultReader {
	t.Helper()
	node := func(name string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "1", ResourceVersion: "1"}}
	}
	cluster, err := model.NewCluster(model.Objects{Nodes: []*corev1.Node{node("a"), node("b")}})
	require.NoError(t, err)
	return &faultReader{cluster: cluster, images: map[string]bool{"agent:1": true, "agent@sha256:00": true}}
}

func TestReadFault(t *testing.T) {
	tests := []struct {
		text  string
		want  simulate.Fault
		fault string
	}{
		{text: "2m BreakNode a until=5m", want: simulate.Fault{At: 2 * time.Minute, Until: 5 * time.Minute, Transition: world.Transition{Kind: world.BreakNode, Node: "a"}}},
		{text: "0s KillPod b pod=n/p", want: simulate.Fault{Transition: world.Transition{Kind: world.KillPod, Node: "b", Pod: "n/p"}}},
		{text: "1s EditLabel a value=zone=x", want: simulate.Fault{At: time.Second, Transition: world.Transition{Kind: world.EditLabel, Node: "a", Value: "zone=x"}}},
		{text: "1s Crash a pod=n/p container=c", want: simulate.Fault{At: time.Second, Transition: world.Transition{Kind: world.Crash, Node: "a", Pod: "n/p", Container: "c"}}},
		{text: "1s JoinNode c value=a", want: simulate.Fault{At: time.Second, Transition: world.Transition{Kind: world.JoinNode, Node: "c", Value: "a"}}},
		{text: "1s KillSet set=n/d value=Orphan", want: simulate.Fault{At: time.Second, Transition: world.Transition{Kind: world.KillSet, Set: "n/d", Value: "Orphan"}}},
		{text: "1s Image agent:1=NeverReady until=1m", want: simulate.Fault{At: time.Second, Until: time.Minute, Behaviour: map[string]world.Behaviour{"agent:1": world.NeverReady}}},
		{text: "", fault: "must be AT KIND NODE"},
		{text: "1m", fault: "must be AT KIND NODE"},
		{text: "soon BreakNode a", fault: "no time of the run"},
		{text: "-1s BreakNode a", fault: "no time of the run"},
		{text: "1s PullImage a", fault: "no kind of fault"},
		{text: "1s BreakNode", fault: "the node is missing: AT BreakNode NODE [until=AT]"},
		{text: "1s RebootNode a until=2m", fault: "until= does not end it: AT RebootNode NODE"},
		{text: "1s KillPod a", fault: "pod= is missing: AT KillPod NODE pod=NAMESPACE/NAME"},
		{text: "1s Crash a", fault: "pod=, container= is missing"},
		{text: "1s TaintNode a", fault: "value= is missing: AT TaintNode NODE value=KEY[=VALUE]:EFFECT"},
		{text: "1s EditTemplate set=n/d", fault: "container=, value= is missing"},
		{text: "1s BreakNode a pod=n/p", fault: "pod= does not belong to it"},
		{text: "1s KillSet a set=n/d", fault: `"a" is not understood`},
		{text: "1s BreakNode c", fault: `node "c" is not in the inputs`},
		{text: "1s BreakNode a until=1s", fault: "is not after"},
		{text: "1s BreakNode a until=later", fault: "no time of the run"},
		{text: "1s BreakNode a for=3m", fault: "not understood"},
		{text: "1s BreakNode a b", fault: "must be until="},
		{text: "1s JoinNode a value=b", fault: "is there already"},
		{text: "1s JoinNode c value=d", fault: "names no node"},
		{text: "1s JoinNode", fault: "needs a name"},
		{text: "1s KillSet", fault: "set= is missing: AT KillSet set=NAMESPACE/NAME [value=Background|Foreground|Orphan]"},
		{text: "1s DenyPods value=agent:2 until=1h", want: simulate.Fault{At: time.Second, Until: time.Hour, Transition: world.Transition{Kind: world.DenyPods, Value: "agent:2"}}},
		{text: "1s DenyPods a", want: simulate.Fault{At: time.Second, Transition: world.Transition{Kind: world.DenyPods, Node: "a"}}},
		{text: "1s DenyPods nobody", fault: `node "nobody" is not in the inputs`},
		{text: "1s JoinNode c value=a until=5m", want: simulate.Fault{At: time.Second, Until: 5 * time.Minute, Transition: world.Transition{Kind: world.JoinNode, Node: "c", Value: "a"}}},
		{text: "1s Image", fault: "must be AT Image"},
		{text: "1s Image agent:1=NeverReady pod=x", fault: "not understood"},
		{text: "1s Image agent:2=NeverReady", fault: "no such image"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := reader(t).fault(test.text)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestReadImage(t *testing.T) {
	tests := []struct{ text, key, fault string }{
		{text: "agent:1=CrashLoops", key: "agent:1"},
		{text: "trace@agent:1=CrashLoops", key: "trace@agent:1"},
		{text: "agent@sha256:00=CrashLoops", key: "agent@sha256:00"},
		{text: "trace@agent@sha256:00=CrashLoops", key: "trace@agent@sha256:00"},
		{text: "agent:1", fault: "must be IMAGE=BEHAVIOUR"},
		{text: "agent:1=crashloops", fault: "is no behaviour"},
		{text: "trace@agent:2=CrashLoops", fault: "no such image"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			key, behaviour, err := reader(t).image(test.text)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.key, key)
			require.Equal(t, world.CrashLoops, behaviour)
		})
	}
}

// TestFaultKinds: every fault and every person's hand of the world can be asked for, and until= is taken where the
// simulation has an end for it.
func TestFaultKinds(t *testing.T) {
	for kind := world.StopReadiness; kind.Fault(); kind++ {
		_, ok := findFaultKind(kind.String())
		require.True(t, ok, "%s cannot be asked for", kind)
	}
	snapshot, err := dump.Files(twoWorkers)
	require.NoError(t, err)
	read, err := snapshot.Snapshot()
	require.NoError(t, err)
	for i := range faultKinds {
		k := &faultKinds[i]
		require.True(t, k.kind.Fault() || k.kind == world.Crash, k.kind)
		w, err := world.New(read, world.Options{})
		require.NoError(t, err)
		fault := simulate.Fault{At: time.Second, Until: time.Minute, Transition: world.Transition{Kind: k.kind, Node: "worker-1"}}
		_, err = simulate.Run(w, plan.Next, simulate.Options{Rollout: read.Rollout, Faults: []simulate.Fault{fault}})
		if k.ends {
			require.NoError(t, err, k.kind)
		} else {
			require.ErrorContains(t, err, "no end of its own", k.kind)
		}
	}
}

// The help lists every kind with its words, in lines that a terminal shows whole.
func TestFaultHelp(t *testing.T) {
	for _, b := range world.Behaviours() {
		require.NotEmpty(t, behaviourDoes(b), b)
	}
	help := faultHelp()
	for i := range faultKinds {
		require.Contains(t, help, faultKinds[i].usage())
		require.Contains(t, help, faultKinds[i].does)
	}
	for _, line := range strings.Split(help, "\n") {
		require.LessOrEqual(t, len(line), widest)
	}
}
