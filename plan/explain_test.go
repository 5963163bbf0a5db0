package plan_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// advancing is a plan half way: one node of every verdict.
func advancing() *model.Plan {
	now := time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	overlap, green := "blue-to-green", "green"
	return &model.Plan{
		Namespace: "datadog", Name: "agent", ObservedAt: metav1.NewTime(now), Phase: model.PhaseAdvancing,
		Revision: "9f818858e1935e5e",
		Ledger:   budget.Ledger{Eligible: 5, Available: 5},
		Limits:   budget.Limits{Cohort: 5, Unavailable: 1, Window: 2, Writes: 250},
		Pair:     model.PairStatus{Active: model.Blue, ActiveRevision: "23d476e6150d0000", Target: model.Green, TargetRevision: "9f818858e1935e5e"},
		Conditions: []metav1.Condition{
			{Type: model.ConditionAvailable, Status: metav1.ConditionTrue, Reason: "WithinBudget"},
			{Type: model.ConditionProgressing, Status: metav1.ConditionTrue, Reason: "RolloutUnderWay", Message: "1 of 5 nodes updated"},
			{Type: model.ConditionDegraded, Status: metav1.ConditionFalse, Reason: "AsExpected"},
			{Type: model.ConditionBlocked, Status: metav1.ConditionFalse, Reason: "AsExpected"},
		},
		WakeOn: []string{"DaemonSet", "Node", "Pod"}, RequeueAfter: 30 * time.Second,
		Actions: []model.Action{{
			Kind: model.SetNodeSlot, Node: "b", Reason: model.HandoffPrepared, Cost: model.Cost{Seat: "paid", Overlap: -1},
			Premises: []model.Premise{
				{Kind: model.PremisePodPrepared, Name: "agent-green-x7k2p", UID: "pod-1", Want: "9f818858e1935e5e"},
				{Kind: model.PremiseSeatLeft},
			},
			Write: model.Write{
				Object: model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: "b", UID: "node-b"},
				Patch:  &model.Patch{ResourceVersion: "42", Labels: []model.Edit{{Key: "slot", From: &overlap, To: &green}}},
			},
		}},
		Nodes: []model.NodeReport{
			{Node: "a", Stage: model.StageComplete, Verdict: model.Done, Reason: model.OnTarget, Blame: model.Available},
			{Node: "b", Stage: model.StageOverlap, Verdict: model.Acts, Reason: model.HandoffPrepared, Blame: model.Available, Action: 1, Since: now.Add(-90 * time.Second).Unix()},
			{Node: "c", Stage: model.StageOverlap, Verdict: model.Waits, Reason: model.WaitingForBudget, Blame: model.Available},
			{Node: "d", Stage: model.StageOverlap, Verdict: model.Waits, Reason: model.WaitingForBudget, Blame: model.Available},
			{Node: "e", Stage: model.StageOverlap, Verdict: model.Blocks, Reason: model.NeverFits, Blame: model.Available, Detail: "cpu 4 > 2"},
		},
	}
}

// explained prints what Explain says of the plan.
func explained(o plan.ExplainOptions) {
	text, err := plan.Explain(advancing(), o)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(text)
}

func ExampleExplain() {
	explained(plan.ExplainOptions{})
	// Output:
	// Rollout      datadog/agent, as of 2026-01-05T09:00:00Z
	// Phase        Advancing: node by node from source to target
	// Revision     9f818858e193; active blue has 23d476e6150d; target green has 9f818858e193, not proven
	// Ledger       5 eligible = 5 available + 0 ambient + 0 committed
	// Limits       budget 1, window 2, cohort 5, writes 250
	// Progressing  True, RolloutUnderWay: 1 of 5 nodes updated
	// Next plan    in 30s, or when a DaemonSet, a Node, a Pod changes
	//
	// VERDICT  REASON            NODES  SHARE  SAMPLES, AND WHAT IT SAYS
	// Block    NeverFits         1      20.0%  e
	//                                          the target never fits this node: cpu 4 > 2
	// Wait     WaitingForBudget  2      40.0%  c, d
	//                                          waiting for budget: 1 committed + 0 ambient ≥ 1, 1 of them by this plan
	// Action   HandoffPrepared   1      20.0%  b
	//                                          handoff: the source exits and the prepared target gets the locks
	// Done     OnTarget          1      20.0%  a
	//                                          served by the target
}

func ExampleExplain_all() {
	explained(plan.ExplainOptions{All: true})
	// Output:
	// Rollout      datadog/agent, as of 2026-01-05T09:00:00Z
	// Phase        Advancing: node by node from source to target
	// Revision     9f818858e193; active blue has 23d476e6150d; target green has 9f818858e193, not proven
	// Ledger       5 eligible = 5 available + 0 ambient + 0 committed
	// Limits       budget 1, window 2, cohort 5, writes 250
	// Progressing  True, RolloutUnderWay: 1 of 5 nodes updated
	// Next plan    in 30s, or when a DaemonSet, a Node, a Pod changes
	//
	// NODE  STAGE     VERDICT  REASON            MESSAGE
	// a     Complete  Done     OnTarget          served by the target
	// b     Overlap   Action   HandoffPrepared   handoff: the source exits and the prepared target gets the locks (paid)
	// c     Overlap   Wait     WaitingForBudget  waiting for budget: 1 committed + 0 ambient ≥ 1, 1 of them by this plan
	// d     Overlap   Wait     WaitingForBudget  waiting for budget: 1 committed + 0 ambient ≥ 1, 1 of them by this plan
	// e     Overlap   Block    NeverFits         the target never fits this node: cpu 4 > 2
}

func ExampleExplain_node() {
	explained(plan.ExplainOptions{Node: "b"})
	// Output:
	// Rollout      datadog/agent, as of 2026-01-05T09:00:00Z
	// Phase        Advancing: node by node from source to target
	// Revision     9f818858e193; active blue has 23d476e6150d; target green has 9f818858e193, not proven
	// Ledger       5 eligible = 5 available + 0 ambient + 0 committed
	// Limits       budget 1, window 2, cohort 5, writes 250
	// Progressing  True, RolloutUnderWay: 1 of 5 nodes updated
	// Next plan    in 30s, or when a DaemonSet, a Node, a Pod changes
	//
	// Node       b
	// Stage      Overlap since 2026-01-05T08:58:30Z (1m30s before the plan)
	// Verdict    Action
	// Reason     HandoffPrepared
	// Message    handoff: the source exits and the prepared target gets the locks (paid)
	// Ledger     available
	// Action     1 of 1: patch Node/b (SetNodeSlot, HandoffPrepared)
	// Writes     label slot: "blue-to-green" → "green"
	// Guards     uid is node-b
	//            resourceVersion is 42
	//            every key still has its former value
	// Premises   PodPrepared agent-green-x7k2p (uid pod-1): 9f818858e193
	//            SeatLeft
	// Cost       paid seat, gives its place in the window back
	// Waits for  the effect of the action
}

func TestExplainUnknownNode(t *testing.T) {
	text, err := plan.Explain(advancing(), plan.ExplainOptions{Node: "z"})
	var unknown *plan.UnknownNodeError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "z", unknown.Node)
	require.Empty(t, text)
}

// TestExplainBeginsWithTheHead: at every size.
func TestExplainBeginsWithTheHead(t *testing.T) {
	p := advancing()
	for _, o := range []plan.ExplainOptions{{}, {All: true}, {Node: "a"}} {
		text, err := plan.Explain(p, o)
		require.NoError(t, err)
		rest, ok := strings.CutPrefix(text, plan.Summary(p)+"\n")
		require.True(t, ok)
		require.NotEmpty(t, rest)
	}
}

// TestExplainHead has what a head tells only when there is something to tell.
func TestExplainHead(t *testing.T) {
	tests := []struct {
		name   string
		change func(*model.Plan)
		has    []string
		hasNot []string
	}{
		{"as expected", func(*model.Plan) {}, []string{"Progressing"}, []string{"Available", "Degraded", "Blocked", "Waits", "Fault", "Needs"}},
		{"blocked", func(p *model.Plan) {
			p.Conditions[3].Status, p.Conditions[3].Reason, p.Conditions[3].Message = metav1.ConditionTrue, "FailedAndHeld", "decide"
		}, []string{"Blocked    True, FailedAndHeld: decide"}, []string{"Progressing"}},
		{"above the budget", func(p *model.Plan) { p.Conditions[0].Status = metav1.ConditionFalse }, []string{"Available    False, WithinBudget\n"}, nil},
		{"degraded", func(p *model.Plan) { p.Conditions[2].Status = metav1.ConditionTrue }, []string{"Degraded     True"}, nil},
		{"waits", func(p *model.Plan) { p.Waits = []model.Wait{{Reason: model.SlotNotObserved, Message: "not seen"}} }, []string{"Waits        SlotNotObserved: not seen"}, nil},
		{"faults", func(p *model.Plan) { p.Faults = []string{"an odd Pod"} }, []string{"Fault        an odd Pod"}, nil},
		{"needs", func(p *model.Plan) { p.Needs = []string{"a", "b", "c", "d", "e"} }, []string{"Needs        all Pods of a, b, c and 2 more"}, nil},
		{"proven", func(p *model.Plan) { p.Pair.Proven = true }, []string{"has 9f818858e193, proven"}, []string{"not proven"}},
		{"no revision", func(p *model.Plan) { p.Revision, p.Pair = "", model.PairStatus{} }, []string{"Revision     none\n"}, []string{"active", "target green"}},
		{"the end", func(p *model.Plan) { p.WakeOn, p.RequeueAfter = nil, 0 }, []string{"Next plan    never: nothing is left to do"}, nil},
		{"only watched", func(p *model.Plan) { p.RequeueAfter = 0 }, []string{"Next plan    when a DaemonSet, a Node, a Pod changes"}, []string{"in 30s"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := advancing()
			test.change(p)
			head := plan.Summary(p)
			for _, line := range strings.Split(head, "\n") {
				require.Equal(t, strings.TrimRight(line, " "), line)
			}
			for _, text := range test.has {
				require.Contains(t, head, text)
			}
			for _, text := range test.hasNot {
				require.NotContains(t, head, text)
			}
		})
	}
}

// TestExplainPhases: every phase says what it is, and on one DaemonSet speaks of no slot.
func TestExplainPhases(t *testing.T) {
	phases := []model.Phase{
		model.PhaseBlocked, model.PhaseInstalling, model.PhaseArming, model.PhaseSteady, model.PhasePreparing, model.PhaseAdvancing, model.PhaseCompleting,
		model.PhaseReturning, model.PhaseHeld, model.PhaseRepairing, model.PhaseOptingOut, model.PhaseTearingDown, model.PhaseGone,
	}
	for _, active := range []model.Slot{model.Blue, model.NoSlot} {
		said := map[string]bool{}
		for _, phase := range phases {
			p := advancing()
			p.Phase, p.Pair.Active = phase, active
			line, _, _ := strings.Cut(plan.Summary(p)[strings.Index(plan.Summary(p), "Phase"):], "\n")
			words, ok := strings.CutPrefix(line, "Phase        "+string(phase)+": ")
			require.True(t, ok, line)
			require.False(t, said[words], "%s says the same as another phase", phase)
			said[words] = true
			ofOne := phase != model.PhaseInstalling && phase != model.PhaseArming && phase != model.PhaseRepairing
			require.False(t, active == model.NoSlot && ofOne && pairWords.MatchString(words), "%s: %s", phase, words)
		}
	}
}

// pairWords are what a rollout on one DaemonSet has not.
var pairWords = regexp.MustCompile(`\b(slots?|source|target|pair)\b`)

// TestExplainOneDaemonSet: what a plan on one DaemonSet says of its nodes speaks of Pods, and not of slots.
func TestExplainOneDaemonSet(t *testing.T) {
	for verdict, reasons := range map[model.Verdict][]model.Reason{
		model.Done: {model.OnTarget, model.OnSource, model.HandedBack},
		model.Acts: {model.HandoffPrepared, model.HandoffServing, model.CapacityFallback, model.StaleRevision, model.WaitingRestarted},
		model.Waits: {
			model.WaitingForWindow, model.WaitingForSlot, model.WaitingForRevision, model.SlotNotObserved, model.SourceStarting, model.SourceExiting,
			model.TargetCreating, model.TargetScheduling, model.TargetPreparing, model.TargetStarting, model.TargetSettling, model.TargetExiting,
			model.TargetRestarting, model.NodeNotReady, model.NodeUnderPressure, model.NodeLeaving, model.OtherPodsUnknown, model.WaitingForPodsToEnd,
			model.WaitingForWrites, model.WaitingForBudget, model.WaitingForFence, model.ReadinessLost, model.RolloutHeld, model.RolloutPaused,
		},
		model.Blocks: {model.NeverFits, model.StillShort, model.CannotSchedule, model.TargetFailed, model.RevisionRemembered},
	} {
		for _, reason := range reasons {
			p := advancing()
			p.Pair = model.PairStatus{}
			r := model.NodeReport{Node: "a", Verdict: verdict, Reason: reason}
			text := plan.Message(p, &r)
			require.NotEqual(t, string(reason), text)
			require.NotRegexp(t, pairWords, text, "%s %s", verdict, reason)

			p.Phase = model.PhaseInstalling // a pair that is being made has no active slot either
			require.NotEqual(t, string(reason), plan.Message(p, &r))
		}
	}
}

// TestExplainLargePlan: 130,000 nodes stay readable by shape, no node is lost, and rounding hides no group.
func TestExplainLargePlan(t *testing.T) {
	p := advancing()
	p.Nodes = nil
	counts := map[model.Reason]int{model.OnTarget: 90_000, model.WaitingForBudget: 39_948, model.TargetPreparing: 50, model.NodeNotReady: 1, model.StillShort: 1}
	verdicts := map[model.Reason]model.Verdict{model.OnTarget: model.Done, model.WaitingForBudget: model.Waits, model.TargetPreparing: model.Waits, model.NodeNotReady: model.Waits, model.StillShort: model.Blocks}
	for _, reason := range []model.Reason{model.OnTarget, model.StillShort, model.TargetPreparing, model.NodeNotReady, model.WaitingForBudget} {
		for range counts[reason] {
			p.Nodes = append(p.Nodes, model.NodeReport{Node: fmt.Sprintf("n%06d", len(p.Nodes)), Verdict: verdicts[reason], Reason: reason})
		}
	}
	text, err := plan.Explain(p, plan.ExplainOptions{})
	require.NoError(t, err)
	require.Less(t, strings.Count(text, "\n"), 25)
	order := []string{
		"Block    StillShort        1      <0.1%  n090000\n",
		"Wait     WaitingForBudget  39948  30.7%  n090052, n090053, n090054 and 39945 more\n",
		"Wait     TargetPreparing   50     <0.1%  n090001, n090002, n090003 and 47 more\n",
		"Wait     NodeNotReady      1      <0.1%  n090051\n",
		"Done     OnTarget          90000  69.2%  n000000, n000001, n000002 and 89997 more\n",
	}
	at := 0
	for _, line := range order {
		i := strings.Index(text[at:], line)
		require.GreaterOrEqual(t, i, 0, "%q is missing or too early in:\n%s", line, text)
		at += i
	}

	all, err := plan.Explain(p, plan.ExplainOptions{All: true})
	require.NoError(t, err)
	require.Equal(t, len(p.Nodes)+strings.Count(plan.Summary(p), "\n")+2, strings.Count(all, "\n"))
}

func TestExplainShares(t *testing.T) {
	p := advancing()
	p.Nodes = make([]model.NodeReport, 100_000)
	for i := range p.Nodes {
		p.Nodes[i] = model.NodeReport{Node: fmt.Sprint(i), Verdict: model.Done, Reason: model.OnTarget}
	}
	text, err := plan.Explain(p, plan.ExplainOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "100000  100.0%")
	p.Nodes[7].Reason = model.OnSource
	text, err = plan.Explain(p, plan.ExplainOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "99999  >99.9%")
	require.Contains(t, text, "1      <0.1%")
}

// TestExplainWaits: every verdict and every limit names what it waits for.
func TestExplainWaits(t *testing.T) {
	tests := []struct {
		verdict model.Verdict
		reason  model.Reason
		want    string
	}{
		{model.Done, model.OnTarget, "nothing"},
		{model.Acts, model.BeginOverlap, "the effect of the action"},
		{model.Blocks, model.NeverFits, "somebody who changes what the message names"},
		{model.Waits, model.WaitingForCohort, "a lower spec.strategy.partition"},
		{model.Waits, model.WaitingForBudget, "another node to become available, or a higher spec.strategy.maxUnavailable"},
		{model.Waits, model.WaitingForWindow, "another node to leave overlap, or a higher spec.strategy.maxSurge"},
		{model.Waits, model.WaitingForWrites, "the next plan, or a higher spec.strategy.maxWrites"},
		{model.Waits, model.WaitingForFence, "the earlier executor's request timeout, and a live list"},
		{model.Waits, model.WaitingForSlot, "a DaemonSet to change"},
		{model.Waits, model.ActionIssued, "the effect of the action that was sent"},
		{model.Waits, model.RolloutPaused, "spec.strategy.paused to be false"},
		{model.Waits, model.RolloutFrozen, "spec.strategy.frozen to be false"},
		{model.Waits, model.RolloutHeld, "spec.decision"},
		{model.Waits, model.NodeNotReady, "the Node to be Ready, or all others to be done"},
		{model.Waits, model.OtherPodsUnknown, "a list of the node's other Pods"},
		{model.Waits, model.TargetPreparing, "the rollout's Pods on the node to change"},
	}
	for _, test := range tests {
		t.Run(string(test.reason), func(t *testing.T) {
			p := advancing()
			p.Nodes = []model.NodeReport{{Node: "x", Verdict: test.verdict, Reason: test.reason}}
			text, err := plan.Explain(p, plan.ExplainOptions{Node: "x"})
			require.NoError(t, err)
			require.True(t, strings.HasSuffix(text, "\nWaits for  "+test.want+"\n"), text)
			require.Contains(t, text, "Ledger     in no column: the node is not eligible\n")
		})
	}
}

// TestExplainWrites has every form of a write.
func TestExplainWrites(t *testing.T) {
	object := model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: "n", Name: "p", UID: "u"}
	value := "1"
	tests := []struct {
		name  string
		write model.Write
		has   []string
	}{
		{"create", model.Write{Object: object, Create: &appsv1.DaemonSet{}}, []string{"create Pod/n/p", "Guards     the name is free"}},
		{"delete", model.Write{Object: object, Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}},
			[]string{"delete Pod/n/p", "Writes     deletes it, propagation Foreground", "Guards     uid is u"}},
		{"spec", model.Write{Object: object, Patch: &model.Patch{Generation: 3, Spec: &appsv1.DaemonSetSpec{}}},
			[]string{"patch Pod/n/p", "Writes     the whole spec", "generation is 3"}},
		{"annotation", model.Write{Object: object, Patch: &model.Patch{Annotations: []model.Edit{{Key: "k", To: &value}}}},
			[]string{`Writes     annotation k: absent → "1"`, "every key still has its former value"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := advancing()
			p.Actions[0].Write = test.write
			text, err := plan.Explain(p, plan.ExplainOptions{Node: "b"})
			require.NoError(t, err)
			for _, want := range test.has {
				require.Contains(t, text, want)
			}
		})
	}
}

func TestCostText(t *testing.T) {
	tests := []struct {
		cost model.Cost
		want string
	}{
		{model.Cost{}, "nothing"},
		{model.Cost{Seat: "none"}, "nothing"},
		{model.Cost{Seat: "paid", Overlap: -1}, "paid seat, gives its place in the window back"},
		{model.Cost{Seat: "free", OffSource: 1}, "free seat, one more off the source"},
		{model.Cost{OffSource: 1, Overlap: 1}, "one more off the source, a place in the window"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, test.cost.String())
	}
}

func TestExplainNoNodes(t *testing.T) {
	p := advancing()
	p.Nodes = nil
	text, err := plan.Explain(p, plan.ExplainOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "No node is eligible")
}

// A plan that was refused before its nodes were judged shows no zeros as if they had been counted.
func TestExplainWithoutALedger(t *testing.T) {
	p := &model.Plan{Name: "agent", Phase: model.PhaseBlocked, Nodes: []model.NodeReport{{Node: "a", Verdict: model.Blocks, Reason: model.DesiredMissing}}}
	head := plan.Summary(p)
	require.Contains(t, head, "not counted: the plan is blocked before")
	require.NotContains(t, head, "Limits")
	p.Ledger, p.Limits = budget.Ledger{Eligible: 1, Available: 1}, budget.Limits{Unavailable: 1, Writes: 250}
	require.Contains(t, plan.Summary(p), "Limits")
}
