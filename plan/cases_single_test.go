package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// oneSetMoment is one DaemonSet whose template has just got revision 2, while revision 1 serves everywhere. A test changes
// it, and plans.
type oneSetMoment struct {
	*scene
	t   *testing.T
	now time.Time
}

func strategyOf(kind model.StrategyType, overlap model.OverlapMode, limit intstr.IntOrString) func(*model.Rollout) {
	return func(r *model.Rollout) {
		r.Spec.Strategy.Type, r.Spec.Strategy.Overlap, r.Spec.Strategy.MaxUnavailable = kind, overlap, &limit
	}
}

// targetWritten plays until revision 2 is the template, and nothing has come of it yet.
func targetWritten(t *testing.T, nodes []*corev1.Node, change ...func(*model.Rollout)) *oneSetMoment {
	t.Helper()
	l := newLab(t, nodes, rolloutOf("1", change...))
	steady := l.run()
	require.True(t, steady.Complete())
	l.now = l.now.Add(time.Hour)
	l.desire("2")
	require.Equal(t, model.NewRevision, l.step().Actions[0].Reason)
	snapshot, err := l.world.Truth(l.now.Add(time.Minute), l.rollout)
	require.NoError(t, err)
	m := &oneSetMoment{t: t, now: l.now.Add(time.Minute)}
	s := sceneOf(snapshot, model.Plan{})
	m.scene = &s
	set := m.set("agent")
	set.Status.ObservedGeneration = set.Generation
	return m
}

// old returns the node's Pod of revision 1.
func (m *oneSetMoment) old(node string) *corev1.Pod { return m.pod(node, model.Blue) }

// emptied notes that the rollout has taken the node's Pod.
func (m *oneSetMoment) emptied(node string, at time.Time) {
	m.set("agent").Annotations[slotKeys.Emptied] = fmt.Sprintf("{%q:%q}", node, model.Moved{At: at, Paid: true})
}

// fresh puts a running Pod of revision 2 on the node, in place of the old one or beside it, made half a minute ago.
func (m *oneSetMoment) fresh(node string, beside bool, edits ...func(*corev1.Pod)) *corev1.Pod {
	m.t.Helper()
	pod := m.old(node)
	if beside {
		pod = pod.DeepCopy()
		m.objects.Pods = append(m.objects.Pods, pod)
	}
	template := m.set("agent").Spec.Template
	pod.Name, pod.UID = "fresh-"+node, types.UID("uid-fresh-"+node)
	pod.Annotations = template.Annotations
	pod.CreationTimestamp = metav1.NewTime(m.now.Add(-30 * time.Second))
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Image = template.Spec.Containers[i].Image
	}
	unready(m.now)(pod)
	for _, edit := range edits {
		edit(pod)
	}
	return pod
}

func (m *oneSetMoment) lose(node string) {
	n := m.node(node)
	for i := range n.Status.Conditions {
		if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady {
			c.Status = corev1.ConditionUnknown
		}
	}
}

func (m *oneSetMoment) isProven() {
	set := m.set("agent")
	state, err := model.ParseState(set.Annotations[slotKeys.State])
	require.NoError(m.t, err)
	state.Proven = set.Spec.Template.Annotations[slotKeys.Revision]
	set.Annotations[slotKeys.State] = state.Text()
}

func (m *oneSetMoment) next() *model.Plan {
	m.t.Helper()
	cluster, err := model.NewCluster(m.objects)
	require.NoError(m.t, err)
	snapshot := &model.Snapshot{Cluster: cluster, Rollout: m.rollout}
	p, err := plan.Next(snapshot)
	require.NoError(m.t, err)
	require.Empty(m.t, plan.Validate(snapshot, &p))
	return &p
}

func names(from, to int) (list []string) {
	for i := from; i <= to; i++ {
		list = append(list, fmt.Sprintf("n%d", i))
	}
	return list
}

// Cases 1 and 28, strict: unavailable old Pods go first, and no more of them than the budget has seats; the native controller
// would replace all of them.
func TestCase1And28DeleteFirstIsStrict(t *testing.T) {
	for _, test := range []struct {
		name       string
		nodes, bad int
		limit      intstr.IntOrString
		free, paid int
	}{
		{"one broken of three spends a budget of one", 3, 1, count(1), 1, 0},
		{"a budget of two leaves one", 3, 1, count(2), 1, 1},
		{"ten broken of twenty spend a budget of three", 20, 10, count(3), 3, 0},
		{"eighty broken of a hundred, a budget of one", 100, 80, count(1), 1, 0},
		{"a budget of half the nodes is spent", 20, 10, percent("50%"), 10, 0},
		{"none broken, a tenth of seven rounded up", 7, 0, percent("10%"), 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(test.nodes), strategyOf(model.RollingUpdate, "", test.limit))
			for i := range test.bad {
				unready(m.now)(m.old(fmt.Sprintf("n%d", test.nodes-i)))
			}
			p := m.next()
			free := 0
			for node, seat := range taken(p) {
				if seat == budget.FreeSeat.String() {
					free++
					require.Equal(t, model.Ambient, reportOf(t, p, node).Blame)
				}
			}
			require.Equal(t, test.free, free)
			require.Len(t, paid(p), test.paid)
			require.Equal(t, test.bad, p.Ledger.Ambient)
		})
	}
}

// Case 2: what is under way counts, whatever keeps it. Case 14: a Pod that terminates is not deleted again, and holds its seat.
// Case 30: a node that got the new revision and is not Ready holds it, unless somebody exempts it; an exemption never covers it.
func TestCases2And14And30WhatIsUnderWayIsCounted(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*oneSetMoment)
		ledger budget.Ledger
	}{
		{"the image cannot be pulled", func(m *oneSetMoment) { m.fresh("n1", false, pullFails) }, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
		{"ready for a moment", func(m *oneSetMoment) { m.fresh("n1", false, readySince(m.now.Add(-time.Second))) }, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
		{"not bound yet", func(m *oneSetMoment) {
			m.fresh("n1", false, func(pod *corev1.Pod) { pinTo(pod, "n1") })
		}, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
		{"no Pod yet", func(m *oneSetMoment) {
			m.old("n1").Status.Phase = corev1.PodFailed
			m.emptied("n1", m.now.Add(-time.Second))
		}, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
		{"the old Pod terminates, Ready on a dead node", func(m *oneSetMoment) {
			m.lose("n1")
			terminating(m.now)(m.old("n1"))
		}, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
		{"the new Pod's Node is not Ready", func(m *oneSetMoment) {
			m.lose("n1")
			m.fresh("n1", false)
			one := count(1)
			m.rollout.Spec.Strategy.ExemptUnhealthy = &one
		}, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(3), strategyOf(model.RollingUpdate, "", count(1)))
			test.change(m)
			p := m.next()
			require.Empty(t, p.Actions)
			require.Equal(t, test.ledger, p.Ledger)
			require.Equal(t, []string{"n2", "n3"}, held(p, model.WaitingForBudget))
		})
	}
}

// Case 33: a Pod that never ends on a dead node holds one seat, and no more.
func TestCase33AStuckPodHoldsOneSeat(t *testing.T) {
	m := targetWritten(t, workers(10), strategyOf(model.RollingUpdate, "", count(2)))
	m.isProven()
	m.lose("n1")
	terminating(m.now)(m.old("n1"))
	m.fresh("n2", false)
	p := m.next()
	require.Empty(t, p.Actions, "n1 and n2 hold both seats")
	require.Equal(t, budget.Ledger{Eligible: 10, Available: 8, Ambient: 1, Committed: 1}, p.Ledger)
	readySince(m.now.Add(-time.Minute))(m.pod("n2", model.Blue))
	require.Len(t, paid(m.next()), 1, "n2 serves: one seat is free")
}

// Case 54: the report is split by cause.
func TestCase54OnOneDaemonSet(t *testing.T) {
	m := targetWritten(t, workers(100), strategyOf(model.RollingUpdate, "", percent("10%")))
	m.isProven()
	for _, node := range names(1, 3) {
		m.lose(node)
		unready(m.now)(m.old(node))
	}
	m.fresh("n4", false, func(pod *corev1.Pod) {
		for i := range pod.Status.ContainerStatuses {
			pod.Status.ContainerStatuses[i].RestartCount = 3
			pod.Status.ContainerStatuses[i].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
		}
	})
	p := m.next()
	require.Equal(t, budget.Ledger{Eligible: 100, Available: 96, Ambient: 3, Committed: 1}, p.Ledger)
	require.Len(t, paid(p), 6)
	require.Equal(t, "the new Pod is starting: CrashLoopBackOff", plan.Message(p, reportOf(t, p, "n4")))
	for _, node := range names(1, 3) {
		require.Equal(t, model.NodeNotReady, reportOf(t, p, node).Reason)
	}
}

// Cases 7, 32 and 35 before a deletion: a Pod that would never fit, or would be evicted at once, costs no agent.
func TestCases7And32NothingIsDeletedForNothing(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*oneSetMoment)
		reason model.Reason
		says   string
	}{
		{"the whole node is too small", func(m *oneSetMoment) {
			for _, node := range m.objects.Nodes {
				node.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("300m")
			}
		}, model.NeverFits, "cpu: wants 400m, the whole node has 300m"},
		{"the kubelet evicts", func(m *oneSetMoment) {
			for _, node := range m.objects.Nodes {
				node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue})
			}
		}, model.NodeUnderPressure, "DiskPressure"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(2), strategyOf(model.RollingUpdate, "", count(2)))
			test.change(m)
			p := m.next()
			require.Empty(t, p.Actions)
			require.Equal(t, test.reason, reportOf(t, p, "n1").Reason)
			require.Contains(t, p.Blocked().Message, test.says)
		})
	}
}

// Case 27: the old Pods of 26 of 30 nodes become unready. The native controller is stopped before it replaces all of them, and
// then the plan says why it stands still.
func TestCase27SystemicReadinessLoss(t *testing.T) {
	m := targetWritten(t, workers(30), strategyOf(model.Surge, model.Never, count(4)))
	m.isProven()
	for _, node := range []string{"n1", "n2", "n3", "n4"} {
		m.fresh(node, false, readySince(m.now.Add(-time.Minute)))
	}
	for _, node := range names(5, 30) {
		unready(m.now)(m.old(node))
	}
	p := m.next()
	require.Len(t, p.Actions, 1)
	require.Equal(t, model.NativeStopped, p.Actions[0].Reason)
	require.Equal(t, appsv1.OnDeleteDaemonSetStrategyType, p.Actions[0].Write.Patch.Spec.UpdateStrategy.Type)
	require.Equal(t, m.set("agent").Spec.Template, p.Actions[0].Write.Patch.Spec.Template)

	set := m.set("agent")
	set.Spec, set.Generation, set.Status.ObservedGeneration = *p.Actions[0].Write.Patch.Spec, set.Generation+1, set.Generation+1
	p = m.next()
	require.Empty(t, p.Actions)
	require.Contains(t, p.Blocked().Message, "systemic readiness loss: 26 of 30 nodes are unavailable, 0 committed + 26 ambient − 0 exempt > maxUnavailable 4")
	require.Len(t, held(p, model.ReadinessLost), 26)
	require.Equal(t, metav1.ConditionTrue, p.Condition(model.ConditionDegraded).Status)
}

// Cases 6, 7 and 24 in a surge: only the arithmetic of CPU and memory costs the old Pod its node.
func TestCases6And7And24CapacityInASurge(t *testing.T) {
	pin := ", 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
	for _, test := range []struct {
		name, message string
		cpu           string
		slots         bool
		deletes       bool
		reason        model.Reason
	}{
		{"short of CPU", "0/3 nodes are available: 1 Insufficient cpu" + pin, "600m", false, true, model.CapacityFallback},
		{"another reason beside", "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)" + pin, "600m", false, false, model.CannotSchedule},
		{"never fits", "0/3 nodes are available: 1 Insufficient cpu" + pin, "300m", false, false, model.NeverFits},
		{"fits by arithmetic", "0/3 nodes are available: 1 Insufficient cpu" + pin, "2", false, false, model.TargetScheduling},
		{"Pod slots do not count", "0/3 nodes are available: 1 Too many pods" + pin, "2", false, false, model.CannotSchedule},
		{"Pod slots count if somebody says so", "0/3 nodes are available: 1 Too many pods" + pin, "2", true, true, model.CapacityFallback},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(3), strategyOf(model.Surge, model.Never, count(1)))
			m.rollout.Spec.Capacity.CountPodSlots = test.slots
			m.fresh("n1", true, func(pod *corev1.Pod) { pinTo(pod, "n1"); unschedulable(test.message)(pod) })
			m.node("n1").Status.Allocatable[corev1.ResourceCPU] = resource.MustParse(test.cpu)
			if test.slots {
				m.node("n1").Status.Allocatable[corev1.ResourcePods] = resource.MustParse("1")
			}
			p := m.next()
			require.Equal(t, test.reason, reportOf(t, p, "n1").Reason)
			if !test.deletes {
				require.Empty(t, taken(p))
				return
			}
			require.Equal(t, map[string]string{"n1": "paid"}, taken(p))
			require.Equal(t, m.old("n1").UID, p.Actions[len(p.Actions)-1].Write.Object.UID)
		})
	}
}

// Case 32: an evicted replacement on a node under pressure: the old Pod stays, the target is not condemned, and the
// controller's own back-off holds.
func TestCase32EvictedInASurge(t *testing.T) {
	m := targetWritten(t, workers(2), strategyOf(model.Surge, model.Never, count(1)))
	m.fresh("n1", true, func(pod *corev1.Pod) { pod.Status.Phase, pod.Status.Reason = corev1.PodFailed, "Evicted" })
	m.node("n1").Status.Conditions = append(m.node("n1").Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue})
	m.rollout.Status.ObservedAt = metav1.NewTime(m.now.Add(time.Hour))
	p := m.next()
	require.Empty(t, p.Actions)
	require.Equal(t, model.NodeUnderPressure, reportOf(t, p, "n1").Reason)
	require.Equal(t, metav1.ConditionFalse, p.Condition(model.ConditionDegraded).Status)
}

// Case 36: Ready for five of minReadySeconds 10: nothing to do, and a plan in five seconds.
func TestCase36WhatIsLeftOfMinReadySeconds(t *testing.T) {
	m := targetWritten(t, workers(1), strategyOf(model.Surge, model.Never, count(1)))
	require.Equal(t, int32(10), m.set("agent").Spec.MinReadySeconds)
	m.fresh("n1", true, readySince(m.now.Add(-5*time.Second)))
	p := m.next()
	require.Empty(t, p.Actions)
	require.Equal(t, 5*time.Second, p.RequeueAfter)
	require.Equal(t, model.TargetSettling, reportOf(t, p, "n1").Reason)
}

// Case 41: an OnDelete DaemonSet at rest is steady, whatever its status counts.
func TestCase41OnDeleteAtRestIsSteady(t *testing.T) {
	l := newLab(t, workers(5), rolloutOf("1", strategyOf(model.RollingUpdate, "", count(1))))
	p := l.run()
	require.True(t, p.Complete())
	require.Equal(t, string(model.Reconciled), p.Condition(model.ConditionProgressing).Reason)
	require.Equal(t, 5, p.Pair.Updated)
}

// A prepared replacement takes over only as it was made: every container runs, none restarted, with the template's images.
func TestPreparedReplacement(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(*oneSetMoment, *corev1.Pod)
		deletes bool
	}{
		{"prepared", func(*oneSetMoment, *corev1.Pod) {}, true},
		{"a container restarted", func(m *oneSetMoment, pod *corev1.Pod) {
			pod.Status.ContainerStatuses[0].RestartCount = 1
			pod.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(m.now.Add(-time.Second))}
		}, false},
		{"a container does not run", func(_ *oneSetMoment, pod *corev1.Pod) {
			pod.Status.ContainerStatuses[1].State = corev1.ContainerState{}
		}, false},
		{"another image", func(_ *oneSetMoment, pod *corev1.Pod) { pod.Spec.Containers[0].Image = "agent:9" }, false},
		{"the old Pod is not available", func(m *oneSetMoment, _ *corev1.Pod) { unready(m.now)(m.old("n1")) }, false},
		{"a second old Pod", func(m *oneSetMoment, _ *corev1.Pod) {
			second := m.old("n1").DeepCopy()
			second.Name, second.UID = "second", "uid-second"
			m.objects.Pods = append(m.objects.Pods, second)
		}, false},
		{"the budget is spent", func(m *oneSetMoment, _ *corev1.Pod) { unready(m.now)(m.old("n2")) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(3), strategyOf(model.Surge, model.Locked, count(1)))
			no := false
			pod := m.fresh("n1", true, func(pod *corev1.Pod) {
				for i := range pod.Status.ContainerStatuses {
					pod.Status.ContainerStatuses[i].Started = &no
				}
			})
			test.change(m, pod)
			p := m.next()
			if !test.deletes {
				require.Empty(t, taken(p))
				return
			}
			require.Equal(t, map[string]string{"n1": "paid"}, taken(p))
		})
	}
}

// Two agents whose locks do not exclude each other are never let loose beside each other, not even by a plan that is handed in.
func TestValidateFindsASurgeBesideUnlockedPods(t *testing.T) {
	m := targetWritten(t, workers(2), strategyOf(model.Surge, model.Locked, count(1)))
	for _, node := range names(1, 2) {
		m.old(node).Spec.Containers = conventional("1").Spec.Template.Spec.Containers
	}
	set := m.set("agent")
	loose := set.Spec.DeepCopy()
	set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	m.scene.plan = model.Plan{Namespace: namespace, Name: "agent", Phase: model.PhaseAdvancing, Revision: set.Spec.Template.Annotations[slotKeys.Revision],
		Nodes: []model.NodeReport{{Node: "n1", Verdict: model.Waits}, {Node: "n2", Verdict: model.Waits}},
		Actions: []model.Action{{Kind: model.UpdateSlot, Reason: model.SurgeEnabled, Write: model.Write{
			Object: refOf(set), Patch: &model.Patch{Generation: set.Generation, Spec: loose},
		}}}}
	found := m.validate(t)
	require.Len(t, found, 2)
	require.Equal(t, plan.S14, found[0].Property)
}
