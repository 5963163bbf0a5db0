package world

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

func TestCachesLag(t *testing.T) {
	l := newLab(t, Options{Lagging: true}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue")))
	pods := func() int {
		s, err := l.w.Snapshot(l.now, nil)
		require.NoError(t, err)
		return s.Cluster.PodCount()
	}
	l.settle(Deliver)
	require.Zero(t, pods())
	truth, err := l.w.Truth(l.now, nil)
	require.NoError(t, err)
	require.Equal(t, 1, truth.Cluster.PodCount())

	// The oldest change comes first: the Pod as it was made, unbound.
	deliver := Transition{Kind: Deliver, Value: PodCache.String()}
	require.Contains(t, l.w.Enabled(l.now), deliver)
	l.do(deliver)
	s, err := l.w.Snapshot(l.now, nil)
	require.NoError(t, err)
	require.False(t, model.Bound(s.Cluster.Pods(0)[0]))

	l.settle()
	require.Zero(t, l.w.Pending())
	l.same()

	// A Pod that is gone is shown until its deletion is delivered, and a label likewise.
	l.word("EditLabel n0001 " + slotKey + "=none")
	l.settle(Deliver)
	require.Equal(t, 1, pods())
	s, err = l.w.Snapshot(l.now, nil)
	require.NoError(t, err)
	require.Equal(t, "blue", s.Cluster.Node(0).Labels[slotKey])
	l.w.DeliverUntil(PodCache, l.now)
	require.Zero(t, pods())
	l.settle()
	l.same()
	require.Empty(t, l.w.view.pods, "what is gone everywhere is forgotten")
}

// same requires that the caches show the truth.
func (l *lab) same() {
	l.t.Helper()
	require.Empty(l.t, cmp.Diff(l.w.objects(false), l.w.objects(true)))
}

func TestLaggingCachesForgetWhatIsGone(t *testing.T) {
	l := newLab(t, Options{Lagging: true}, worldtest.Nodes(2), worldtest.Set("blue", "1")).settle()
	l.word("RemoveNode n0001")
	s, err := l.w.Snapshot(l.now, nil)
	require.NoError(t, err)
	require.Equal(t, 2, s.Cluster.Len())
	require.Len(t, s.Cluster.DaemonSets(), 1)
	l.word("KillSet blue Background")
	s, err = l.w.Snapshot(l.now, nil)
	require.NoError(t, err)
	require.Len(t, s.Cluster.DaemonSets(), 1)
	l.settle()
	l.same()
	s, err = l.w.Snapshot(l.now, nil)
	require.NoError(t, err)
	require.Equal(t, 1, s.Cluster.Len())
	require.Empty(t, s.Cluster.DaemonSets())
	require.Zero(t, s.Cluster.PodCount())
}

// A world made from another one's truth goes on like it, from any state on the way, and so does a clone;
// going on changes neither the original nor a snapshot that was taken from it.
func TestAWorldGoesOnFromItsObjects(t *testing.T) {
	make2 := func() *lab {
		return newLab(t, Options{}, worldtest.Nodes(2, labelled("both")),
			worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both"), worldtest.Wrapped),
			worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both"), worldtest.Wrapped),
			worldtest.Set("native", "3", worldtest.Rolling(intstr.FromInt32(1), false)))
	}
	disturbances := []string{
		"EditLabel n0001 " + slotKey + "=green", "Crash n0002 blue agent", "BreakNode n0002", "EditTemplate native agent agent:4", "MendNode n0002",
	}
	l, states := make2(), 0
	for {
		if next, ok := l.next(nil); ok {
			l.do(next)
		} else if len(disturbances) > 0 {
			l.word(disturbances[0])
			disturbances = disturbances[1:]
		} else {
			break
		}
		if states++; states%5 != 0 {
			continue
		}
		l.recounted()
		truth, err := l.w.Truth(l.now, nil)
		require.NoError(t, err)
		before := l.dump()
		clone := &lab{t: t, w: l.w.Clone(), now: l.now}
		again := labOf(t, Options{}, truth)
		again.now = l.now
		require.Equal(t, before, again.dump(), "state %d", states)
		clone.settle()
		again.settle()
		require.Equal(t, clone.drawAll(), again.drawAll(), "state %d", states)
		require.Equal(t, before, l.dump(), "state %d", states)
	}
	require.Greater(t, states, 60)
}

func (l *lab) drawAll() (lines []string) {
	for _, n := range l.w.Nodes() {
		for _, set := range []string{"blue", "green", "native"} {
			lines = append(lines, n+" "+set+" "+l.draw(n, set))
		}
	}
	return lines
}

func TestSameCallsSameObjects(t *testing.T) {
	run := func() string {
		l := newLab(t, Options{Lagging: true}, worldtest.Nodes(3, labelled("both")),
			worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both"), worldtest.Wrapped),
			worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both"), worldtest.Wrapped)).settle()
		l.word("EditLabel n0002 " + slotKey + "=green")
		l.word("KillPod n0003 blue")
		return l.settle().dump()
	}
	require.Equal(t, run(), run())
}

func TestJoinAndRemove(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1")).settle()
	l.word("CordonNode n0001")
	l.word("JoinNode n0000 n0001")
	l.settle()
	require.Equal(t, []string{"n0000", "n0001", "n0002"}, l.w.Nodes())
	require.Equal(t, "RR", l.draw("n0000", "blue"))
	require.False(t, l.w.findNode("n0000").object.Spec.Unschedulable)
	l.word("RemoveNode n0001")
	require.Equal(t, []string{"n0000", "n0002"}, l.w.Nodes())
	require.EqualValues(t, 2, l.settle().w.findSet("datadog/blue").object.Status.NumberAvailable)

	l.word("EditTemplate blue agent agent:2")
	l.word("RemoveNode n0000")
	l.do(Transition{Kind: ObserveSet, Set: "datadog/blue"})
	l.recounted()
}

func TestEveryTransitionIsNamedAndListedOnlyIfPossible(t *testing.T) {
	for kind := range kinds {
		back, ok := ParseKind(kind.String())
		require.True(t, ok && back == kind, "%d", kind)
	}
	_, ok := ParseKind("Nothing")
	require.False(t, ok)

	l := newLab(t, Options{Lagging: true, Behaviour: map[string]Behaviour{"trace-agent@agent:1": CrashLoops}}, worldtest.Nodes(2, labelled("both")),
		worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both"), worldtest.Wrapped),
		worldtest.Set("native", "2", worldtest.Rolling(intstr.FromInt32(1), true)))
	done := map[Kind]bool{}
	for range 80 {
		possible := append(l.w.Enabled(l.now), l.w.Faults(l.now)...)
		for _, next := range possible {
			clone := l.w.Clone()
			_, err := clone.Do(l.now, next)
			require.NoError(t, err)
			done[next.Kind] = true
		}
		l.do(l.w.Enabled(l.now)[0])
	}
	require.Greater(t, len(done), 20, "the walk must see most kinds")
}

// recounted requires that the status that is kept up to date is what counting everything gives.
func (l *lab) recounted() {
	l.t.Helper()
	for _, s := range l.w.sets {
		kept := l.w.statusOf(s)
		s.counted = nil
		require.Equal(l.t, l.w.statusOf(s), kept, s.name())
	}
}
