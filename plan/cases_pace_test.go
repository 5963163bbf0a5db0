package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// Case 30: a node that went dark right after it got the new revision is no lost node: pausing is what its owner wants.
func TestCase30ANodeThatTheTargetBrokeIsNotSkipped(t *testing.T) {
	for _, exempt := range []int{0, 3} {
		t.Run(fmt.Sprintf("exempt %d", exempt), func(t *testing.T) {
			s := prepared(t, workers(3), count(1), func(r *model.Rollout) { some := count(exempt); r.Spec.Strategy.ExemptUnhealthy = &some })
			s.handedOff("n1", time.Minute, unready(s.now))
			nodeDown(s.node("n1"))
			p := s.plan()
			require.Empty(t, taken(p))
			require.Equal(t, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}, p.Ledger)
		})
	}
}

// Case 50: (a) what is in flight is read off the snapshot, not remembered; (b) a node counts only once it has been ready
// for a while; (c) a node without power that holds the only seat is named.
func TestCase50Concurrency(t *testing.T) {
	t.Run("a: many nodes labelled at once", func(t *testing.T) {
		s := prepared(t, workers(8), count(2))
		for i := 1; i <= 5; i++ {
			s.handedOff(fmt.Sprintf("n%d", i), time.Second)
		}
		s.rollout.Status.Issued = nil // another process made them
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, 5, p.Ledger.Committed)
		require.Len(t, held(p, model.WaitingForBudget), 3)
	})
	for _, test := range []struct {
		name             string
		minReady, settle int32
		ready            time.Duration
		left             time.Duration // 0: long enough
	}{
		{"b: three of ten seconds", 0, 10, 3 * time.Second, 7 * time.Second},
		{"b: minReadySeconds is longer", 60, 10, 15 * time.Second, 45 * time.Second},
		{"b: settleSeconds is longer", 5, 30, 29 * time.Second, time.Second},
		{"b: to the second", 0, 10, 10 * time.Second, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepared(t, workers(3), count(1))
			s.rollout.Spec.Strategy.SettleSeconds = &test.settle
			s.rollout.Spec.Desired.Spec.MinReadySeconds = test.minReady
			s.set(model.Green).Spec.MinReadySeconds = test.minReady
			s.now = s.now.Add(time.Hour) // the sources have been ready for long
			s.handedOff("n1", 2*time.Minute, readySince(s.now.Add(-test.ready)))
			p := s.plan()
			if test.left == 0 {
				require.Equal(t, model.TargetProven, p.Actions[0].Reason)
				return
			}
			require.Empty(t, p.Actions)
			require.Equal(t, model.TargetSettling, reportOf(t, p, "n1").Reason)
			require.Equal(t, test.left, p.RequeueAfter, "the time that is left, not the whole")
		})
	}
	t.Run("c: no power", func(t *testing.T) {
		s := prepared(t, workers(3), count(1))
		nodeDown(s.node("n2"))
		unready(s.now)(s.pod("n2", model.Blue))
		p := s.plan()
		require.Empty(t, p.Actions)
		require.Contains(t, p.Blocked().Message, "n2 (ambient, its Node is not Ready)")
		require.Contains(t, p.Blocked().Message, "spec.strategy.exemptUnhealthy")
		one := count(1)
		s.rollout.Spec.Strategy.ExemptUnhealthy = &one
		require.Equal(t, map[string]string{"n1": "paid"}, taken(s.plan()))
	})
}

// Case 54: one number of unavailable nodes does not tell whether to go back or to wait. The account is split by cause.
func TestCase54UnavailableByCause(t *testing.T) {
	s := prepared(t, workers(20), percent("10%"))
	for _, node := range []string{"n2", "n3", "n4"} {
		nodeDown(s.node(node))
		unready(s.now)(s.pod(node, model.Blue))
	}
	s.handedOff("n7", time.Minute, unready(s.now), func(pod *corev1.Pod) {
		pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	})
	p := s.plan()
	require.Equal(t, budget.Ledger{Eligible: 20, Available: 16, Ambient: 3, Committed: 1}, p.Ledger)
	require.Equal(t, model.Committed, reportOf(t, p, "n7").Blame)
	require.Equal(t, "CrashLoopBackOff", reportOf(t, p, "n7").Detail)
	require.Equal(t, model.NodeNotReady, reportOf(t, p, "n3").Reason)
	require.Equal(t, model.Ambient, reportOf(t, p, "n3").Blame)
	require.Empty(t, paid(p))
}

// Case 55: a migration that hands nodes from one DaemonSet to another without waiting takes all agents down. Here no
// more than the budget are unavailable at any instant, whatever is in the way.
func TestCase55NoInstantAboveTheBudget(t *testing.T) {
	for _, most := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("maxUnavailable %d", most), func(t *testing.T) {
			limit := count(most)
			l := newLab(t, workers(7), rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = &limit }))
			l.run()
			l.desire("2")
			// All sources that were told to end are gone before one target gets its locks.
			l.first = func(k world.Kind) bool { return k == world.DeletePod || k == world.StopContainer }
			worst := 0
			l.each = func() {
				down := 0
				for _, node := range l.world.Nodes() {
					if !l.world.Served(node) {
						down++
					}
				}
				worst = max(worst, down)
			}
			end := l.run()
			require.True(t, end.Complete())
			require.Equal(t, most, worst, "the budget is used, and not passed")
		})
	}
}

// A Pod that is Ready and has not settled counts as unavailable, and serves all the same: taking it beside a node that has
// no agent leaves two without one.
func TestAReadyPodIsNotFree(t *testing.T) {
	for _, test := range []struct {
		name string
		most int
		want map[string]string
	}{
		{"one seat", 1, map[string]string{"n3": "free"}},
		{"two seats", 2, map[string]string{"n2": "free", "n3": "free"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepared(t, workers(4), count(test.most))
			s.now = s.now.Add(time.Hour)
			readySince(s.now.Add(-2 * time.Second))(s.pod("n2", model.Blue))
			unready(s.now)(s.pod("n3", model.Blue))
			p := s.plan()
			require.Equal(t, budget.Ledger{Eligible: 4, Available: 2, Ambient: 2}, p.Ledger)
			require.Equal(t, test.want, taken(p), "the broken one first, though its name is later")
		})
	}
	t.Run("the validator objects", func(t *testing.T) {
		s := prepared(t, workers(4), count(2))
		s.now = s.now.Add(time.Hour)
		readySince(s.now.Add(-2 * time.Second))(s.pod("n2", model.Blue))
		unready(s.now)(s.pod("n3", model.Blue))
		p := s.plan()
		one := count(1)
		s.rollout.Spec.Strategy.MaxUnavailable = &one
		p.Actions = p.Actions[len(p.Actions)-1:]
		require.Equal(t, "n2", p.Actions[0].Node)
		var found []plan.Property
		for _, v := range plan.Validate(s.snapshot(), p) {
			if v.Action == 0 {
				found = append(found, v.Property)
			}
		}
		require.Contains(t, found, plan.S2)
	})
}
