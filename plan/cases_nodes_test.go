package plan_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Case 9: the new template does not tolerate what the old one did. Nodes that it rejects are not the rollout's any more:
// they are counted nowhere, and nothing is prepared on them.
func TestCase9NodesThatTheNewTemplateRejects(t *testing.T) {
	nodes := workers(6)
	for _, node := range nodes[:3] {
		node.Spec.Taints = []corev1.Taint{{Key: "control-plane", Effect: corev1.TaintEffectNoSchedule}}
	}
	tenth := percent("10%")
	rollout := rolloutOf("1", func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &tenth, &tenth
		r.Spec.Desired.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "control-plane", Operator: corev1.TolerationOpExists}}
	})
	l := newLab(t, nodes, rollout)
	steady := l.run()
	require.True(t, steady.Complete())
	require.Equal(t, 6, l.last.Ledger.Eligible)
	l.desire("2")
	rejected := map[string]bool{"n1": true, "n2": true, "n3": true}
	advancing := false
	l.judge = func(_ *model.Snapshot, p *model.Plan) {
		require.Equal(t, 3, p.Ledger.Eligible)
		require.Equal(t, budget.Limits{Cohort: 3, Unavailable: 1, Window: 1, Writes: 250}, p.Limits, "a tenth of three, rounded up")
		advancing = advancing || p.Phase == model.PhaseAdvancing
		for i := range p.Actions {
			// Their labels name the slot whose Pods they keep, before it leaves unlabelled nodes; nothing else is done there.
			kept := p.Phase == model.PhaseCompleting && p.Actions[i].Reason == model.LabelRepaired && p.Actions[i].Cost == model.Cost{}
			require.True(t, !rejected[p.Actions[i].Node] || kept, "%s on %s", p.Actions[i].Kind, p.Actions[i].Node)
		}
		for node := range rejected {
			if p.Phase == model.PhaseAdvancing {
				require.Equal(t, model.NodeLeaving, reportOf(t, p, node).Reason)
			}
		}
	}
	end := l.run()
	require.True(t, advancing)
	require.True(t, end.Complete())
	for _, node := range l.world.Nodes() {
		require.True(t, l.world.Served(node), "%s, where Kubernetes keeps the Pod if the new template rejects the node", node)
	}
}

// Case 21: a DaemonSet's status looks at one Pod a node, and lags. What is updated is counted from the Pods.
func TestCase21StatusLags(t *testing.T) {
	s := prepared(t, workers(3), count(3))
	for _, node := range []string{"n1", "n2", "n3"} {
		source := s.pod(node, model.Blue)
		s.handedOff(node, time.Minute, readySince(s.now.Add(-time.Minute)))
		terminating(s.now)(source)
		s.objects.Pods = append(s.objects.Pods, source)
	}
	for _, slot := range model.Slots() {
		s.set(slot).Status.UpdatedNumberScheduled = 0
	}
	p := s.plan()
	require.Equal(t, 3, p.Pair.Updated)
	require.Equal(t, budget.Ledger{Eligible: 3, Available: 3}, p.Ledger)
	require.Empty(t, taken(p), "nothing begins anew")
}

// Cases 27 and 28: all agents of the former revision become unready at once, for a cause that is not theirs. Unready is not
// free: as many are replaced at a time as the budget has seats, and no more are prepared than the window holds.
func TestCases27And28ReadinessCollapses(t *testing.T) {
	for _, test := range []struct {
		nodes, done, most, window int
	}{{30, 4, 1, 4}, {100, 20, 1, 2}, {30, 4, 3, 6}, {12, 0, 2, 4}} {
		t.Run(fmt.Sprintf("%d nodes, maxUnavailable %d, maxSurge %d", test.nodes, test.most, test.window), func(t *testing.T) {
			most, window := count(test.most), count(test.window)
			l := newLab(t, workers(test.nodes), rolloutOf("1", func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &most, &window
			}))
			l.run()
			l.desire("2")
			for l.last.Pair.OnTarget < test.done || l.last.Phase != model.PhaseAdvancing {
				l.advance()
			}
			s := momentOf(l)
			broken := 0
			for i := range s.objects.Pods {
				if pod := s.objects.Pods[i]; slotOfPod(pod) == model.Blue {
					unready(s.now)(pod)
					broken++
				}
			}
			require.Greater(t, broken, test.nodes/2)
			p := s.plan()
			require.Empty(t, paid(p))
			require.LessOrEqual(t, len(taken(p))+p.Ledger.Committed, test.most)
			begun := 0
			for i := range p.Actions {
				begun += max(0, p.Actions[i].Cost.Overlap)
			}
			require.LessOrEqual(t, p.Pair.InOverlap+begun, test.window)
			require.GreaterOrEqual(t, p.Ledger.Ambient+p.Ledger.Committed, broken)
		})
	}
}

// Case 31: the two numbers do not exclude each other in a pair, and each has its own check.
func TestCase31BothNumbers(t *testing.T) {
	for _, test := range []struct {
		name        string
		most, surge intstr.IntOrString
		fields      []string
	}{
		{"both", count(1), count(1), nil},
		{"percentages", percent("1%"), percent("100%"), nil},
		{"both 0", count(0), count(0), []string{"spec.strategy.maxUnavailable", "spec.strategy.maxSurge"}},
		{"0% and 1", percent("0%"), count(1), []string{"spec.strategy.maxUnavailable"}},
		{"1 and 0", count(1), count(0), []string{"spec.strategy.maxSurge"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			faults := rolloutOf("1", func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &test.most, &test.surge
			}).Validate()
			var fields []string
			for _, fault := range faults {
				fields = append(fields, fault.Field)
			}
			require.Equal(t, test.fields, fields)
		})
	}
	t.Run("1% of no nodes", func(t *testing.T) {
		hundredth := percent("1%")
		l := newLab(t, nil, rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = &hundredth }))
		end := l.run()
		require.True(t, end.Complete())
		require.Nil(t, end.Blocked())
		require.Zero(t, end.Ledger)
	})
}

// Case 32: a node under pressure evicts what is added to it. Nothing is, while the source serves there; the place in the
// window goes to another node, and what is prepared already may take over.
func TestCase32NodesUnderPressure(t *testing.T) {
	pressed := func(s *moment, node string, kind corev1.NodeConditionType) {
		n := s.node(node)
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: kind, Status: corev1.ConditionTrue})
	}
	advancing := func(t *testing.T, change ...func(*model.Rollout)) *moment {
		one := count(1)
		l := newLab(t, workers(3), rolloutOf("1", append(change, func(r *model.Rollout) { r.Spec.Strategy.MaxSurge = &one })...))
		l.run()
		l.desire("2")
		for l.last.Phase != model.PhasePreparing || l.last.Actions[0].Reason != model.TargetRecorded {
			l.advance()
		}
		return momentOf(l)
	}
	for _, kind := range []corev1.NodeConditionType{corev1.NodeDiskPressure, corev1.NodeMemoryPressure, corev1.NodePIDPressure} {
		t.Run(string(kind), func(t *testing.T) {
			s := advancing(t)
			require.Equal(t, "n1", s.plan().Actions[0].Node)
			pressed(s, "n1", kind)
			p := s.plan()
			require.Equal(t, "n2", p.Actions[0].Node)
			require.Equal(t, model.NodeUnderPressure, reportOf(t, p, "n1").Reason)
			require.Equal(t, string(kind), reportOf(t, p, "n1").Detail)
		})
	}
	t.Run("all nodes", func(t *testing.T) {
		for _, mode := range []model.OverlapMode{model.Locked, model.Never} {
			s := advancing(t, func(r *model.Rollout) { r.Spec.Strategy.Overlap = mode })
			for _, node := range []string{"n1", "n2", "n3"} {
				pressed(s, node, corev1.NodeDiskPressure)
			}
			p := s.plan()
			require.Empty(t, p.Actions)
			require.Equal(t, string(model.NodeUnderPressure), p.Blocked().Reason)
			require.Contains(t, p.Blocked().Message, "3 nodes are under pressure (n1, n2, n3): DiskPressure")
		}
	})
	t.Run("a node whose source is broken has nothing to lose", func(t *testing.T) {
		s := advancing(t)
		pressed(s, "n3", corev1.NodeDiskPressure)
		unready(s.now)(s.pod("n3", model.Blue))
		all := count(3)
		s.rollout.Spec.Strategy.MaxSurge = &all
		p := s.plan()
		require.True(t, slices.ContainsFunc(p.Actions, func(a model.Action) bool { return a.Node == "n3" && a.Reason == model.BeginOverlap }), "%v", p.Actions)
	})
	t.Run("evicted while it prepares", func(t *testing.T) {
		s := prepared(t, workers(3), count(1))
		s.rollout.Spec.Strategy.MaxSurge = new(intstr.IntOrString)
		*s.rollout.Spec.Strategy.MaxSurge = count(1)
		for _, node := range []string{"n2", "n3"} {
			s.label(node, "blue", time.Hour)
		}
		pod := s.pod("n1", model.Green)
		pod.Status.Phase, pod.Status.Reason = corev1.PodFailed, "Evicted"
		pressed(s, "n1", corev1.NodeDiskPressure)
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, "the last Pod ended: Evicted", reportOf(t, p, "n1").Detail)
		require.Len(t, p.Actions, 1)
		require.Equal(t, "n2", p.Actions[0].Node, "the place in the window goes elsewhere")
	})
	t.Run("prepared before", func(t *testing.T) {
		s := prepared(t, workers(3), count(1))
		pressed(s, "n1", corev1.NodeDiskPressure)
		require.Equal(t, map[string]string{"n1": "paid"}, taken(s.plan()))
	})
}

// Case 35: a Pod that the kubelet refuses is made again by its controller, later each time. The plan deletes nothing and hurries
// nothing, says why the last Pod ended, and takes the target for failed there once the deadline has passed.
func TestCase35RefusedByTheKubelet(t *testing.T) {
	refuse := func(s *moment, node string, slot model.Slot) {
		pod := s.pod(node, slot)
		pod.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "OutOfcpu", Message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 150, used: 11388, capacity: 11500"}
	}
	for _, test := range []struct {
		name   string
		passed time.Duration
		reason model.Reason
	}{
		{"two seconds ago", 2 * time.Second, model.TargetCreating},
		{"past the deadline", 11 * time.Minute, model.TargetFailed},
	} {
		t.Run("in overlap, "+test.name, func(t *testing.T) {
			s := prepared(t, workers(1), count(1))
			refuse(s, "n1", model.Green)
			s.node("n1").Annotations[s.keys.NodeMoved] = model.Moved{At: s.now.Add(-test.passed)}.String()
			delete(s.node("n1").Annotations, s.keys.NodeCandidate)
			recorded := metav1.NewTime(s.now.Add(-test.passed))
			s.state(func(state *model.State) { state.TargetSince = &recorded })
			p := s.plan()
			require.Empty(t, taken(p))
			if test.reason == model.TargetFailed {
				require.Equal(t, model.ReturnBegun, p.Actions[0].Reason)
				return
			}
			require.Empty(t, p.Actions)
			require.Equal(t, test.reason, reportOf(t, p, "n1").Reason)
			require.Equal(t, "the last Pod ended: OutOfcpu", reportOf(t, p, "n1").Detail)
			require.Positive(t, p.RequeueAfter)
		})
		t.Run("handed off, "+test.name, func(t *testing.T) {
			s := prepared(t, workers(2), count(1))
			s.handedOff("n1", test.passed)
			refuse(s, "n1", model.Green)
			p := s.plan()
			require.Empty(t, taken(p), "it keeps its seat")
			require.Equal(t, 1, p.Ledger.Committed)
			require.Equal(t, "the last Pod ended: OutOfcpu", reportOf(t, p, "n1").Detail)
		})
	}
}

// Case 36: a Pod must be Ready for a while. The plan asks to be made again when that is over, by the time that is left.
func TestCase36WakesWhenMinReadyIsOver(t *testing.T) {
	s := prepared(t, workers(2), count(1))
	s.rollout.Spec.Desired.Spec.MinReadySeconds = 10
	s.set(model.Green).Spec.MinReadySeconds = 10
	s.now = s.now.Add(time.Hour)
	s.handedOff("n1", time.Minute, readySince(s.now.Add(-5*time.Second)))
	p := s.plan()
	require.Empty(t, p.Actions)
	require.Equal(t, 5*time.Second, p.RequeueAfter)
	s.now = s.now.Add(p.RequeueAfter)
	require.Equal(t, model.TargetProven, s.plan().Actions[0].Reason)
	snapshot := s.snapshot()
	snapshot.Rollout.Status.ObservedAt = metav1.NewTime(s.now.Add(-time.Second))
	early, err := plan.Next(snapshot)
	require.NoError(t, err)
	require.Empty(t, early.Actions, "not a second sooner")
	require.Equal(t, time.Second, early.RequeueAfter)
}
