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
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Case 1: every update took the broken Pod for nothing and one more healthy one, until no agent was left. A node without
// an agent goes first and is on the account: the healthy ones have what is left of the budget.
func TestCase1BrokenNodesAreNotFree(t *testing.T) {
	for _, test := range []struct {
		name          string
		nodes, broken int
		budget        intstr.IntOrString
		free, paid    int
	}{
		{"one broken of three spends a budget of one", 3, 1, count(1), 1, 0},
		{"a budget of two leaves one", 3, 1, count(2), 1, 1},
		// The native controller would replace all ten at once, whatever the budget. Ours commits as many as the budget
		// has seats: a revision that never gets ready must not be started on all of them.
		{"ten broken of twenty spend a budget of three", 20, 10, count(3), 3, 0},
		{"a budget of twelve leaves two", 20, 10, count(12), 10, 2},
		{"a budget of half the nodes is spent", 20, 10, percent("50%"), 10, 0},
		{"none broken", 3, 0, count(1), 0, 1},
	} {
		for _, how := range []struct {
			name  string
			apply func(*moment, string)
		}{
			{"not ready", func(s *moment, node string) { unready(s.now)(s.pod(node, model.Blue)) }},
			{"gone", func(s *moment, node string) { s.drop(s.pod(node, model.Blue)) }},
			{"terminating", func(s *moment, node string) { terminating(s.now)(s.pod(node, model.Blue)) }},
			{"ready for a moment only", func(s *moment, node string) { readySince(s.now.Add(-9 * time.Second))(s.pod(node, model.Blue)) }},
		} {
			t.Run(test.name+", "+how.name, func(t *testing.T) {
				s := prepared(t, workers(test.nodes), test.budget)
				for i := range test.broken {
					how.apply(s, fmt.Sprintf("n%d", test.nodes-i)) // the last in the order of names, so that the order proves something
				}
				p := s.plan()
				free := 0
				for node, seat := range taken(p) {
					if seat == budget.FreeSeat.String() {
						free++
						require.Equal(t, model.Ambient, reportOf(t, p, node).Blame)
					}
				}
				want := test.free
				if how.name == "ready for a moment only" && test.broken > p.Limits.Unavailable {
					want = 0 // they serve for now: taking one beside what is above the limit would be one more without an agent
				}
				require.Equal(t, want, free, "broken nodes first")
				require.Len(t, paid(p), test.paid)
				require.Equal(t, test.broken, p.Ledger.Ambient)
				if test.free+test.paid < test.nodes {
					require.NotEmpty(t, held(p, model.WaitingForBudget))
				}
			})
		}
	}
}

// held are the nodes that wait for the reason.
func held(p *model.Plan, reason model.Reason) (nodes []string) {
	for i := range p.Nodes {
		if p.Nodes[i].Verdict == model.Waits && p.Nodes[i].Reason == reason {
			nodes = append(nodes, p.Nodes[i].Node)
		}
	}
	return nodes
}

// Cases 2 and 18d: what is under way is counted from the snapshot, whatever keeps it from being available. Otherwise
// every look at the cluster takes a fresh batch.
func TestCase2WhatIsUnderWayIsCounted(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*moment)
		blocks bool
	}{
		{"the image cannot be pulled", func(s *moment) { s.handedOff("n1", time.Minute, pullFails) }, false},
		{"starting", func(s *moment) { s.handedOff("n1", time.Minute) }, false},
		{"no Pod yet", func(s *moment) { s.drop(s.handedOff("n1", time.Second)) }, false},
		{"ready for a moment", func(s *moment) { s.handedOff("n1", time.Minute, readySince(s.now.Add(-time.Second))) }, false},
		{"not bound", func(s *moment) {
			s.handedOff("n1", time.Minute, func(pod *corev1.Pod) { pinTo(pod, "n1") })
		}, false},
		{"ready, and terminating", func(s *moment) {
			s.handedOff("n1", time.Minute, readySince(s.now.Add(-time.Minute)), terminating(s.now))
		}, false},
		{"ready, of another revision", func(s *moment) {
			s.handedOff("n1", time.Second, readySince(s.now.Add(-time.Minute)), func(pod *corev1.Pod) { pod.Annotations[s.keys.Revision] = "another" })
		}, false},
		{"the old Pod still there, and ready", func(s *moment) {
			old := s.pod("n1", model.Blue)
			s.handedOff("n1", time.Second)
			s.objects.Pods = append(s.objects.Pods, old)
		}, false},
		{"available, and with no old Pod", func(s *moment) { s.handedOff("n1", time.Minute, readySince(s.now.Add(-time.Minute))) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepared(t, workers(3), count(1))
			test.change(s)
			p := s.plan()
			if test.blocks { // the counter-example: nothing is under way any more, first the proof is recorded
				require.Equal(t, model.TargetProven, p.Actions[0].Reason)
				require.Equal(t, budget.Ledger{Eligible: 3, Available: 3}, p.Ledger)
				return
			}
			require.Empty(t, taken(p))
			require.Equal(t, budget.Ledger{Eligible: 3, Available: 2, Committed: 1}, p.Ledger)
			require.Equal(t, []string{"n2", "n3"}, held(p, model.WaitingForBudget))
		})
	}
}

// Case 3: percentages are rounded up, on the eligible nodes. Down, a small cluster never moves.
func TestCase3PercentagesAreRoundedUp(t *testing.T) {
	for _, test := range []struct {
		nodes int
		value string
		want  int
	}{
		{7, "10%", 1}, {15, "10%", 2}, {1, "1%", 1}, {20, "5%", 1}, {21, "5%", 2}, {3, "100%", 3},
	} {
		t.Run(fmt.Sprintf("%s of %d", test.value, test.nodes), func(t *testing.T) {
			p := prepared(t, workers(test.nodes), percent(test.value)).plan()
			require.Equal(t, test.want, p.Limits.Unavailable)
			require.Len(t, paid(p), test.want)
		})
	}
	t.Run("288 and none", func(t *testing.T) {
		for _, test := range []struct{ total, want int }{{288, 15}, {0, 0}} {
			got, err := budget.Resolve(percent("5%"), test.total)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		}
	})
	t.Run("of the eligible nodes only", func(t *testing.T) {
		nodes := workers(11)
		nodes[10].Labels["kubernetes.io/os"] = "windows"
		rollout := rolloutOf("1", func(r *model.Rollout) { tenth := percent("10%"); r.Spec.Strategy.MaxUnavailable = &tenth })
		p := newLab(t, nodes, rollout).run()
		require.Equal(t, 10, p.Ledger.Eligible)
		require.Equal(t, 1, p.Limits.Unavailable)
	})
}

// Case 5: three lost nodes of 164 spend a budget of one; a tenth leaves fourteen. The lost ones take no handoff for
// themselves: nothing can be prepared there.
func TestCase5LostNodesSpendTheBudget(t *testing.T) {
	s := prepared(t, workers(164), count(1))
	for _, node := range []string{"n1", "n80", "n164"} {
		nodeDown(s.node(node))
		unready(s.now)(s.pod(node, model.Blue))
	}
	for _, test := range []struct {
		name    string
		budget  intstr.IntOrString
		exempt  int
		healthy int
	}{
		{"a budget of one", count(1), 0, 0},
		{"a budget of three", count(3), 0, 0},
		{"a budget of four", count(4), 0, 1},
		{"a tenth", percent("10%"), 0, 14},
		{"a budget of one, with two exempt", count(1), 2, 0},
		{"a budget of one, with three exempt", count(1), 3, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			exempt := count(test.exempt)
			s.rollout.Spec.Strategy.MaxUnavailable, s.rollout.Spec.Strategy.ExemptUnhealthy = &test.budget, &exempt
			p := s.plan()
			require.Equal(t, 3, p.Ledger.Ambient)
			require.Len(t, paid(p), test.healthy)
			require.Len(t, taken(p), test.healthy, "no move at all on a lost node")
			for _, node := range []string{"n1", "n80", "n164"} {
				require.Equal(t, model.NodeNotReady, reportOf(t, p, node).Reason)
			}
		})
	}
}

// Cases 14 and 33: a Pod that is being deleted on a dead node still says that it is Ready. It is not available, nothing
// more is done to it, and it holds its place on the account; the other nodes of the batch go on.
func TestCase14TerminatingPodsAreNotAvailable(t *testing.T) {
	dying := func(s *moment, node string) {
		nodeDown(s.node(node))
		terminating(s.now)(s.pod(node, model.Blue)) // Ready=True stays
	}
	t.Run("it holds the one seat", func(t *testing.T) {
		s := prepared(t, workers(2), count(1))
		dying(s, "n1")
		p := s.plan()
		require.Empty(t, p.Actions)
		require.Equal(t, model.WaitingForBudget, reportOf(t, p, "n2").Reason)
		require.Equal(t, model.BudgetSpent, model.Reason(p.Blocked().Reason))
		require.Contains(t, p.Blocked().Message, "n1 (ambient, its Node is not Ready)")
	})
	t.Run("with two seats the other goes", func(t *testing.T) {
		s := prepared(t, workers(2), count(2))
		dying(s, "n1")
		require.Equal(t, map[string]string{"n2": "paid"}, taken(s.plan()))
	})
	t.Run("a source that is being deleted on a live node is replaced at no cost to a healthy one", func(t *testing.T) {
		s := prepared(t, workers(2), count(1))
		terminating(s.now)(s.pod("n1", model.Blue))
		require.Equal(t, map[string]string{"n1": "free"}, taken(s.plan()))
	})
	t.Run("a target that is being deleted is on the account", func(t *testing.T) {
		s := prepared(t, workers(2), count(1))
		s.handedOff("n1", time.Minute, readySince(s.now.Add(-time.Minute)), terminating(s.now))
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, model.TargetExiting, reportOf(t, p, "n1").Reason)
	})
	// Case 33: the stuck node must not keep n2, which has no agent at all, from getting one.
	t.Run("the node without an agent is not kept waiting", func(t *testing.T) {
		s := prepared(t, workers(10), count(2))
		dying(s, "n1")
		s.drop(s.pod("n2", model.Blue))
		require.Equal(t, map[string]string{"n2": "free"}, taken(s.plan()), "n1 and n2 are the two; no healthy node")

		s = prepared(t, workers(10), count(2))
		dying(s, "n1")
		s.handedOff("n2", time.Minute, readySince(s.now.Add(-time.Minute)))
		s.set(model.Blue).Annotations[s.keys.State] = s.proven(model.Blue)
		s.set(model.Green).Annotations[s.keys.State] = s.proven(model.Green)
		require.Equal(t, map[string]string{"n10": "paid"}, taken(s.plan()), "one more once n2 serves, the next by name")
	})
}

// proven is the state of the slot's half with the recorded target as proven.
func (s *moment) proven(slot model.Slot) string {
	set := s.set(slot)
	state, err := model.ParseState(set.Annotations[s.keys.State])
	require.NoError(s.t, err)
	state.Proven = set.Annotations[s.keys.TargetRevision]
	return state.Text()
}

// Case 17: the DaemonSet controller ends a Pod whose node stops matching, OnDelete or not, outside every budget. So every
// write of a slot label that turns an available Pod away is a deletion, whatever it is written for: it is paid for, and
// sent only when the other slot's Pod is prepared, or where both must not share the node, or where they cannot.
func TestCase17TurningAwayIsPaid(t *testing.T) {
	for _, test := range []struct {
		name  string
		drive func(*lab)
		least int // paid handoffs
	}{
		{"a new revision", func(l *lab) { l.desire("2"); l.run() }, 4},
		{"and back again", func(l *lab) { l.desire("2"); l.run(); l.desire("1"); l.run() }, 8},
		{"superseded half way", func(l *lab) {
			l.desire("2")
			for l.last.Pair.OnTarget < 1 {
				l.advance()
			}
			l.desire("3")
			l.run()
		}, 4},
		{"opting out while green serves", func(l *lab) { l.desire("2"); l.run(); l.rollout.Spec.Intent = model.OptOut; l.run() }, 8},
		{"without room for both", func(l *lab) { l.desire("2"); l.run() }, 4},
		{"without overlap", func(l *lab) { l.desire("2"); l.run() }, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			rollout := rolloutOf("1")
			nodes := workers(4)
			if test.name == "without overlap" {
				rollout.Spec.Strategy.Overlap = model.Never
			}
			if test.name == "without room for both" {
				for _, n := range nodes {
					n.Status.Allocatable[corev1.ResourceCPU] = *quantity("700m")
				}
			}
			l := newLab(t, nodes, rollout)
			l.run()
			paidFor := 0
			l.judge = func(s *model.Snapshot, p *model.Plan) { paidFor += turnedAway(t, s, p) }
			test.drive(l)
			require.GreaterOrEqual(t, paidFor, test.least)
		})
	}
}

// turnedAway checks every label write that turns an available Pod away, and counts them.
func turnedAway(t *testing.T, s *model.Snapshot, p *model.Plan) (paidFor int) {
	t.Helper()
	key := model.NewKeys("", namespace, "agent").NodeSlot
	for i := range p.Actions {
		a := &p.Actions[i]
		if a.Kind != model.SetNodeSlot {
			continue
		}
		n, _ := s.Cluster.Find(a.Node)
		value, labelled := s.Cluster.Node(n).Labels[key]
		before, after := model.ParseNodeLabel(value, labelled), model.NodeLabel{}
		if to := a.Write.Patch.Labels[0].To; to != nil {
			after = model.ParseNodeLabel(*to, true)
		}
		serving := map[model.Slot]bool{}
		readyFor := map[model.Slot]bool{}
		waiting := map[model.Slot]bool{}
		for _, pod := range s.Cluster.Pods(n) {
			slot := slotOfPod(pod)
			ready, since := model.ReadySince(pod)
			serving[slot] = serving[slot] || ready && !model.Terminating(pod)
			readyFor[slot] = readyFor[slot] || ready && !model.Terminating(pod) && s.Now().Sub(since) >= 10*time.Second
			waiting[slot] = waiting[slot] || model.AllRunning(pod) && !model.Terminating(pod)
		}
		for _, slot := range model.Slots() {
			// The pair's first slot owns the unlabelled nodes in all of these runs.
			if !before.Admits(slot, slot == model.Blue) || after.Admits(slot, slot == model.Blue) || !serving[slot] {
				continue
			}
			require.NotEmpty(t, a.Cost.Seat, "%s on %s turns a serving Pod away", a.Reason, a.Node)
			if readyFor[slot] {
				require.Equal(t, budget.PaidSeat, a.Cost.SeatTaken(), "%s on %s", a.Reason, a.Node)
				paidFor++
			}
			if a.Reason == model.HandoffPrepared {
				require.True(t, waiting[slot.Other()], "%s on %s before the other slot's Pod is prepared", a.Reason, a.Node)
			}
			require.Contains(t, []model.Reason{model.HandoffPrepared, model.CapacityFallback, model.ReleaseSource}, a.Reason)
			require.NotEmpty(t, a.Write.Patch.ResourceVersion, "the whole node is guarded")
			require.True(t, slices.ContainsFunc(a.Premises, func(premise model.Premise) bool { return premise.Kind == model.PremiseSeatLeft }))
		}
	}
	return paidFor
}

// Case 25: a number in quotes is neither an int nor a percentage.
func TestCase25NumbersInQuotes(t *testing.T) {
	for _, test := range []struct {
		value intstr.IntOrString
		want  int // of 10; -1 is an error
	}{
		{count(2), 2}, {percent("2%"), 1}, {percent("20%"), 2}, {percent("21%"), 3}, {percent("100%"), 10},
		{percent("2"), -1}, {percent(""), -1}, {percent("%"), -1}, {percent("-1%"), -1}, {percent("1.5%"), -1},
		{percent("+5%"), -1}, {percent(" 5%"), -1}, {percent("5 %"), -1}, {percent("150%"), -1}, {count(-1), -1},
	} {
		t.Run(test.value.String(), func(t *testing.T) {
			got, err := budget.Resolve(test.value, 10)
			require.Equal(t, test.want == -1, err != nil, "%v", err)
			require.Equal(t, max(test.want, 0), got)
		})
		t.Run("in the document: "+test.value.String(), func(t *testing.T) {
			rollout := rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = &test.value })
			_, err := plan.Next(newLab(t, workers(1), rolloutOf("1")).withRollout(rollout))
			if test.want != -1 {
				require.NoError(t, err)
				return
			}
			var fault *plan.DocumentError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, "spec.strategy.maxUnavailable", fault.Faults[0].Field)
		})
	}
}
