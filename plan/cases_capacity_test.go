package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// short is what the scheduler of 1.30 and later writes on a Pod that is bound for one node of three.
const short = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."

// crowded is a pair of which n1 has no room for two agents: its target is Pending, and everything else is in order.
func crowded(t *testing.T, maxUnavailable int, change ...func(*model.Rollout)) *moment {
	t.Helper()
	s := prepared(t, workers(3), count(maxUnavailable), change...)
	s.node("n1").Status.Allocatable[corev1.ResourceCPU] = *quantity("700m") // of which each agent wants 400m
	pod := s.pod("n1", model.Green)
	pinTo(pod, "n1")
	unschedulable(short)(pod)
	delete(s.node("n1").Annotations, s.keys.NodeCandidate)
	// The others are held, so that every seat is n1's.
	for _, node := range []string{"n2", "n3"} {
		delete(s.node(node).Annotations, s.keys.NodeCandidate)
	}
	return s
}

// Cases 6 and 18b: an agent that cannot be prepared for want of room takes its source's place, when arithmetic says that it
// will fit, and the budget has room.
func TestCase6CapacityCostsTheSource(t *testing.T) {
	t.Run("it waits no longer", func(t *testing.T) {
		s := crowded(t, 1)
		p := s.plan()
		require.Equal(t, map[string]string{"n1": "paid"}, taken(p))
		require.Equal(t, model.CapacityFallback, reportOf(t, p, "n1").Reason)
		for i := range p.Actions {
			a := &p.Actions[i]
			if a.Node != "n1" {
				continue
			}
			// In a pair the source goes by its node's label: the guard is the whole node, and the Pod that must not have been
			// bound meanwhile is named by its UID.
			require.Equal(t, s.node("n1").UID, a.Write.Object.UID)
			require.Equal(t, s.node("n1").ResourceVersion, a.Write.Patch.ResourceVersion)
			require.Contains(t, a.Premises, model.Premise{
				Kind: model.PremisePodUnschedulable, Name: s.pod("n1", model.Green).Name, UID: s.pod("n1", model.Green).UID, Want: p.Pair.TargetRevision,
			})
		}
	})
	t.Run("a spent budget holds it", func(t *testing.T) {
		s := crowded(t, 1)
		s.handedOff("n2", time.Minute)
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, model.WaitingForBudget, reportOf(t, p, "n1").Reason)
	})
	t.Run("memory as well as CPU", func(t *testing.T) {
		s := crowded(t, 1)
		for _, slot := range model.Slots() {
			s.pod("n1", slot).Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = *quantity("3Gi")
		}
		unschedulable("0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector.")(s.pod("n1", model.Green))
		require.Equal(t, map[string]string{"n1": "paid"}, taken(s.plan()))
	})
	for _, test := range []struct {
		name   string
		change func(*moment, *corev1.Pod)
		want   model.Reason
	}{
		{"an untolerated taint", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"local storage", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: 1 Insufficient ephemeral-storage, 2 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"a device", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"a plugin that quotes the words", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: 1 quota plugin: Insufficient cpu in the queue, 2 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"an empty message", func(_ *moment, pod *corev1.Pod) { unschedulable("")(pod) }, model.CannotSchedule},
		{"a clause without a count", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found")(pod)
		}, model.CannotSchedule},
		{"a count that is no number", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: one Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"two nodes short of CPU, of which it can have one", func(_ *moment, pod *corev1.Pod) {
			unschedulable("0/3 nodes are available: 2 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.")(pod)
		}, model.CannotSchedule},
		{"a scheduling gate", func(_ *moment, pod *corev1.Pod) {
			setCondition(pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "SchedulingGated"})
		}, model.CannotSchedule},
		{"a word of an autoscaler", func(_ *moment, pod *corev1.Pod) {
			setCondition(pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "FailedScheduling", Message: short})
		}, model.CannotSchedule},
		{"no word of the scheduler yet", func(_ *moment, pod *corev1.Pod) { pod.Status.Conditions = nil }, model.TargetScheduling},
		{"room that has come meanwhile", func(s *moment, _ *corev1.Pod) {
			s.node("n1").Status.Allocatable[corev1.ResourceCPU] = *quantity("4")
		}, model.TargetScheduling},
		{"a taint that the node has and the message does not", func(s *moment, _ *corev1.Pod) {
			s.node("n1").Spec.Taints = []corev1.Taint{{Key: "node.kubernetes.io/network-unavailable", Effect: corev1.TaintEffectNoSchedule}}
		}, model.UnboundTurnedAway},
		{"another workload that fills the node", func(s *moment, _ *corev1.Pod) { s.objects.Pods = append(s.objects.Pods, tenant("n1", "500m")) }, model.StillShort},
		{"another revision", func(s *moment, pod *corev1.Pod) { pod.Annotations[s.keys.Revision] = "another" }, model.StaleRevision},
		{"the other Pods of the node unknown", func(s *moment, _ *corev1.Pod) { s.rollout.Status.OtherPods = model.OtherPods{} }, model.OtherPodsUnknown},
	} {
		t.Run("not for "+test.name, func(t *testing.T) {
			s := crowded(t, 1)
			test.change(s, s.pod("n1", model.Green))
			p := s.plan()
			require.NotContains(t, taken(p), "n1")
			require.Equal(t, test.want, reportOf(t, p, "n1").Reason)
			if test.want == model.OtherPodsUnknown {
				require.Equal(t, []string{"n1"}, p.Needs)
			}
		})
	}
}

// Case 7: a Pod that is bigger than its node fits no better without its source. The text says so in new schedulers only;
// the arithmetic always does.
func TestCase7BiggerThanTheNode(t *testing.T) {
	for _, message := range []string{
		"0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
		"0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
		"0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector.",
	} {
		s := crowded(t, 3)
		s.node("n1").Status.Allocatable[corev1.ResourceMemory] = *quantity("2Gi")
		s.pod("n1", model.Blue).Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = *quantity("512Mi")
		s.pod("n1", model.Green).Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = *quantity("3Gi")
		unschedulable(message)(s.pod("n1", model.Green))
		p := s.plan()
		require.NotContains(t, taken(p), "n1")
		require.Equal(t, model.NeverFits, reportOf(t, p, "n1").Reason)
		require.Contains(t, reportOf(t, p, "n1").Detail, "memory: wants 3Gi, the whole node has 2Gi")
	}
}

// Case 8: a host port is no shortage of CPU or memory. A template that declares one is refused before anything is planned,
// and a node where somebody else holds the port says so.
func TestCase8HostPorts(t *testing.T) {
	t.Run("refused at once", func(t *testing.T) {
		rollout := rolloutOf("1")
		rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 54323, HostPort: 54323}}
		p := newLab(t, workers(2), rollout).step()
		require.Empty(t, p.Actions)
		require.Equal(t, model.TemplateRefused, model.Reason(p.Blocked().Reason))
		require.Contains(t, p.Blocked().Message, "containers[0].ports[0].hostPort")
		require.Contains(t, p.Blocked().Message, "remove it")
	})
	t.Run("by the message", func(t *testing.T) {
		s := crowded(t, 3)
		unschedulable("0/3 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 2 node(s) didn't match Pod's node affinity/selector.")(s.pod("n1", model.Green))
		p := s.plan()
		require.NotContains(t, taken(p), "n1")
		require.Equal(t, model.CannotSchedule, reportOf(t, p, "n1").Reason)
		require.Contains(t, reportOf(t, p, "n1").Detail, "free ports")
	})
	t.Run("by the node, whatever the message says", func(t *testing.T) {
		s := crowded(t, 3)
		port := []corev1.ContainerPort{{ContainerPort: 54323, HostPort: 54323}}
		s.pod("n1", model.Green).Spec.Containers[0].Ports = port
		other := tenant("n1", "10m")
		other.Spec.Containers[0].Ports = port
		s.objects.Pods = append(s.objects.Pods, other)
		p := s.plan()
		require.NotContains(t, taken(p), "n1")
		require.Equal(t, model.CannotSchedule, reportOf(t, p, "n1").Reason)
		require.Contains(t, reportOf(t, p, "n1").Detail, "54323")
	})
}

// Case 24: a node that holds as many Pods as it may is not short of CPU or memory. Who wants the slot of the source to
// count says so.
func TestCase24TooManyPods(t *testing.T) {
	full := func(countSlots bool) *moment {
		s := crowded(t, 1, func(r *model.Rollout) { r.Spec.Capacity.CountPodSlots = countSlots })
		s.node("n1").Status.Allocatable[corev1.ResourceCPU] = *quantity("4")
		s.node("n1").Status.Allocatable[corev1.ResourcePods] = *quantity("1") // the source's
		unschedulable("0/3 nodes are available: 1 Too many pods, 2 node(s) didn't match Pod's node affinity/selector.")(s.pod("n1", model.Green))
		return s
	}
	p := full(false).plan()
	require.NotContains(t, taken(p), "n1")
	require.Equal(t, model.CannotSchedule, reportOf(t, p, "n1").Reason)
	require.Equal(t, map[string]string{"n1": "paid"}, taken(full(true).plan()))
}

// Case 45: the counts of a message need not add up. What it does not say of the target's own node is not known, and no
// reason to take its source.
func TestCase45CountsThatDoNotAddUp(t *testing.T) {
	for _, message := range []string{
		"0/6 nodes are available: 5 node(s) didn't match node selector.",
		"0/6 nodes are available: 5 node(s) didn't match Pod's node affinity/selector. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
		"0/6 nodes are available: 6 node(s) didn't match node selector.",
		"0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector, 1 Insufficient cpu.",
		"0/4 nodes are available: 1 NodeUnfitPod, 2 node unregistered.",
		"0/8 nodes are available: 8 Insufficient cpu, 8 Insufficient memory",
		"No nodes are available that match all of the following predicates:: Insufficient cpu (9), MatchNodeSelector (18).",
		"0/0 nodes are available: .",
		"0/3 nodes are available: 99999999999999999999 Insufficient cpu.",
	} {
		t.Run(message, func(t *testing.T) {
			require.False(t, capacity.ParseMessage(message).OnlyCapacity(true))
			s := crowded(t, 1)
			unschedulable(message)(s.pod("n1", model.Green))
			p := s.plan()
			require.NotContains(t, taken(p), "n1")
			require.Equal(t, model.CannotSchedule, reportOf(t, p, "n1").Reason)
		})
	}
	// Fewer reasons than nodes, and the one that is named is the target's: all others may be left out.
	for i, message := range []string{
		short,
		"0/3 nodes are available: 1 Insufficient cpu.",
		"0/3 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match node selector.",
		"0/x nodes are available: 1 Insufficient cpu..",
		"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn\u2019t match Pod\u2019s node affinity/selector.",
	} {
		t.Run(fmt.Sprintf("understood %d", i), func(t *testing.T) {
			s := crowded(t, 1)
			unschedulable(message)(s.pod("n1", model.Green))
			require.Equal(t, map[string]string{"n1": "paid"}, taken(s.plan()))
		})
	}
}

// A second Pod of a higher priority would push a workload off the node: by default the source goes first, and a setting lets the scheduler do as it does.
func TestSecondPodEvictsNobody(t *testing.T) {
	for _, test := range []struct {
		name       string
		preemption model.PreemptionMode
		priority   int32 // of the workload; the agent has 1000
		reason     model.Reason
		detail     string
	}{
		{"refused, which is the default", "", 10, model.CapacityFallback, "a second Pod would evict Pod apps/busy (priority 10)"},
		{"allowed, and told", model.AllowPreemption, 10, model.BeginOverlap, "a second Pod would evict Pod apps/busy (priority 10)"},
		{"the workload is more important", "", 2000, model.BeginOverlap, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := crowded(t, 2, func(r *model.Rollout) { r.Spec.Capacity.Preemption = test.preemption })
			agents := int32(1000)
			busy := tenant("n2", "1300m") // of 2, where the agent has 400m: no room for another one
			busy.Namespace, busy.Name, busy.Spec.Priority = "apps", "busy", &test.priority
			s.objects.Pods = append(s.objects.Pods, busy)
			for _, pod := range s.objects.Pods {
				if pod != busy {
					pod.Spec.Priority = &agents
				}
			}
			s.label("n2", "blue", time.Hour)
			p := s.plan()
			r := reportOf(t, p, "n2")
			require.Equal(t, test.reason, r.Reason, "%v", r)
			require.Equal(t, test.detail, r.Detail)
			if test.reason == model.CapacityFallback {
				require.Equal(t, "paid", taken(p)["n2"])
				require.Contains(t, *p.Actions[r.Action-1].Write.Patch.Labels[0].To, "released-to-")
			}
		})
	}
}

// A Pod for which the scheduler makes room already gets the node without its source going.
func TestPromisedNodesKeepTheirSource(t *testing.T) {
	for name, change := range map[string]func(*moment){
		"nominated": func(s *moment) { s.pod("n1", model.Green).Status.NominatedNodeName = "n1" },
		"a victim ends": func(s *moment) {
			high := int32(1000)
			s.pod("n1", model.Green).Spec.Priority = &high
			victim := tenant("n1", "100m")
			terminating(s.now)(victim)
			s.objects.Pods = append(s.objects.Pods, victim)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := crowded(t, 1)
			require.Contains(t, taken(s.plan()), "n1")
			change(s)
			p := s.plan()
			require.NotContains(t, taken(p), "n1")
			require.Equal(t, model.TargetScheduling, reportOf(t, p, "n1").Reason)
		})
	}
}

// What admission has made of the revision's live Pods is what the next one will ask for, whatever the template says: the source stays where that finds no room.
func TestLivePodsSayWhatTheNextOneAsksFor(t *testing.T) {
	grown := func(pod *corev1.Pod) { // the other container has 200m
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *quantity("500m")
	}
	for _, test := range []struct {
		name   string
		change func(m *oneSetMoment)
		reason model.Reason
		detail string
	}{
		{"as the template", func(m *oneSetMoment) { m.fresh("n1", false, readySince(m.now.Add(-time.Minute))) }, model.StaleRevision, ""},
		{"raised by admission", func(m *oneSetMoment) { m.fresh("n1", false, readySince(m.now.Add(-time.Minute)), grown) }, model.StillShort, "cpu: wants 700m, free 600m, allocatable 1000m"},
		{"one that is over", func(m *oneSetMoment) {
			m.fresh("n1", true, grown, func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed })
		}, model.StaleRevision, ""},
		{"of another revision", func(m *oneSetMoment) { grown(m.old("n1")) }, model.StaleRevision, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(2), strategyOf(model.RollingUpdate, "", count(2)))
			m.isProven()
			test.change(m)
			m.node("n2").Status.Allocatable[corev1.ResourceCPU] = *quantity("1")
			m.objects.Pods = append(m.objects.Pods, tenant("n2", "400m"))
			p := m.next()
			r := reportOf(t, p, "n2")
			require.Equal(t, test.reason, r.Reason)
			require.Equal(t, test.detail, r.Detail)
			if test.reason == model.StillShort {
				require.Empty(t, taken(p))
				require.Contains(t, p.Blocked().Message, test.detail)
				return
			}
			require.Contains(t, taken(p), "n2")
		})
	}
}

// In a pair too: the second Pod, as admission makes it, would evict a workload that the template's would not.
func TestLivePodsSayWhomTheNextOneEvicts(t *testing.T) {
	for _, test := range []struct {
		name, cpu string // of one container of the target's live Pod; the other has 200m
		reason    model.Reason
		detail    string
	}{
		{"as the template", "200m", model.BeginOverlap, ""},
		{"raised by admission", "500m", model.CapacityFallback, "a second Pod would evict Pod apps/busy (priority 10)"},
		{"raised above what the source leaves", "900m", model.StillShort,
			"cpu: wants 1100m, free 900m, allocatable 2000m; the scheduler would make room by evicting Pod apps/busy (priority 10), which spec.capacity.preemption Refuse forbids"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := crowded(t, 2)
			agents, low := int32(1000), int32(10)
			for _, pod := range s.objects.Pods {
				pod.Spec.Priority = &agents
			}
			busy := tenant("n2", "1100m") // of 2, where the agent has 400m
			busy.Namespace, busy.Name, busy.Spec.Priority = "apps", "busy", &low
			s.objects.Pods = append(s.objects.Pods, busy)
			s.pod("n3", model.Green).Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *quantity(test.cpu)
			s.label("n2", "blue", time.Hour)
			p := s.plan()
			r := reportOf(t, p, "n2")
			require.Equal(t, test.reason, r.Reason, "%v", r)
			require.Equal(t, test.detail, r.Detail)
			if test.reason == model.StillShort {
				require.NotContains(t, taken(p), "n2")
			}
		})
	}
}

// Where the scheduler may evict for the agent, whoever goes is named before the agent's old Pod is deleted, whether every node has to be looked at
// since the template asks for more, or only those that may move.
func TestDeletionsNameWhomTheyEvict(t *testing.T) {
	const victim = "the scheduler will make room by evicting Pod apps/busy (priority 10)"
	for _, test := range []struct {
		name, cpu, other string // of the node, and of the workload; the agent has 400m and leaves as much
		reason           model.Reason
		detail           string
		waits            bool
	}{
		{"there is room", "1", "400m", model.StaleRevision, "", false},
		{"a workload goes", "1", "700m", model.StaleRevision, victim, false},
		{"the whole node is too small", "300m", "100m", model.NeverFits, "cpu: wants 400m, the whole node has 300m", false},
		{"the budget is spent", "1", "700m", model.WaitingForBudget, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := targetWritten(t, workers(2), strategyOf(model.RollingUpdate, "", count(1)))
			m.rollout.Spec.Capacity.Preemption = model.AllowPreemption
			high, low := int32(1000), int32(10)
			for _, pod := range m.objects.Pods {
				pod.Spec.Priority = &high
			}
			m.node("n1").Status.Allocatable[corev1.ResourceCPU] = *quantity(test.cpu)
			busy := tenant("n1", test.other)
			busy.Namespace, busy.Name, busy.Spec.Priority = "apps", "busy", &low
			m.objects.Pods = append(m.objects.Pods, busy)
			if test.waits {
				m.emptied("n2", m.now.Add(-time.Minute))
				m.fresh("n2", false)
			}
			p := m.next()
			r := reportOf(t, p, "n1")
			require.Equal(t, test.reason, r.Reason)
			require.Equal(t, test.detail, r.Detail)
			require.Equal(t, test.reason == model.StaleRevision, r.Verdict == model.Acts)
		})
	}
}

// released is a pair of plain DaemonSets in the moment when the first sources are released.
func released(t *testing.T, change ...func(*model.Rollout)) *moment {
	t.Helper()
	l := newLab(t, workers(3), rolloutOf("1", append(change, strategyOf(model.Pair, model.Never, count(3)))...))
	steady := l.run()
	require.True(t, steady.Complete())
	l.desire("2")
	for range 10 {
		s := momentOf(l)
		if taken(s.plan())["n2"] != "" {
			return s
		}
		l.step()
		l.settle()
		l.now = l.now.Add(time.Second)
	}
	t.Fatal("no source is released")
	return nil
}

// The same where a pair releases its source.
func TestReleasesNameWhomTheyEvict(t *testing.T) {
	for preemption, want := range map[model.PreemptionMode]struct {
		reason model.Reason
		detail string
	}{
		model.AllowPreemption: {model.ReleaseSource, "the scheduler will make room by evicting Pod apps/busy (priority 10)"},
		model.RefusePreemption: {model.StillShort, "cpu: wants 400m, free 300m, allocatable 2000m; " +
			"the scheduler would make room by evicting Pod apps/busy (priority 10), which spec.capacity.preemption Refuse forbids"},
	} {
		t.Run(string(preemption), func(t *testing.T) {
			s := released(t, func(r *model.Rollout) { r.Spec.Capacity.Preemption = preemption })
			high, low := int32(1000), int32(10)
			for _, pod := range s.objects.Pods {
				pod.Spec.Priority = &high
			}
			busy := tenant("n2", "1700m") // of 2, where the agent has 400m
			busy.Namespace, busy.Name, busy.Spec.Priority = "apps", "busy", &low
			s.objects.Pods = append(s.objects.Pods, busy)
			s.node("n2").Labels[s.keys.NodeSlot] = "blue"
			s.node("n2").Annotations = map[string]string{s.keys.NodeMoved: model.Moved{At: s.now.Add(-time.Hour), Paid: true}.String()}
			r := reportOf(t, s.plan(), "n2")
			require.Equal(t, want.reason, r.Reason, "%v", r)
			require.Equal(t, want.detail, r.Detail)
		})
	}
}
