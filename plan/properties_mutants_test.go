package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mutant is the planner with one small fault, made without touching it: it sees another snapshot, or its plan is changed.
// The property that must kill it judges the plan with the snapshot as it is.
type mutant struct {
	name, killedBy string
	// game in which it is killed, if not the property's first.
	game string
	make func(planner) planner
}

var mutants = []mutant{
	{"maxUnavailable is one more", "S2", "", settings(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable = number(r.Spec.Strategy.MaxUnavailable.IntValue() + 1)
	})},
	{"settleSeconds are 0", "S2", "", settings(func(r *model.Rollout) { r.Spec.Strategy.SettleSeconds = new(int32) })},
	{"minReadySeconds are dropped", "S2", "", settings(func(r *model.Rollout) { r.Spec.Desired.Spec.MinReadySeconds = 0 })},
	{"one more unhealthy node is exempt", "S2", "", settings(func(r *model.Rollout) { r.Spec.Strategy.ExemptUnhealthy = number(2) })},
	{"a Pod that the label turns away serves", "S2", "", objects(readTurnedAway)},
	{"terminating Pods count as live", "S2", "", objects(func(o *model.Objects) {
		for _, pod := range o.Pods {
			pod.DeletionTimestamp = nil
		}
	})},
	{"Pods that do not run are prepared", "S4", "", objects(readPrepared)},
	{"restarts are not seen", "S4", "", objects(forgetRestarts)},
	{"the candidate step is skipped", "S4", "", objects(readCandidates)},
	{"a node goes to the target without overlap", "S4", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Reason == model.BeginOverlap {
			to := strings.Split(*a.Write.Patch.Labels[0].To, "-to-")[1]
			a.Write.Patch.Labels[0].To = &to
		}
	})},
	{"the source's Pod is deleted in place of the target's", "S4", "", actions(deleteAnother(func(a *model.Action, pod *corev1.Pod) bool {
		return pod.Namespace == namespace && pod.UID != a.Write.Object.UID
	}))},
	{"the target is taken for the active slot", "S5", "", objects(func(o *model.Objects) {
		for _, set := range o.DaemonSets {
			if target := set.Annotations[slotKeys.TargetSlot]; target != "" {
				set.Annotations[slotKeys.ActiveSlot] = target
				delete(set.Annotations, slotKeys.TargetSlot)
				delete(set.Annotations, slotKeys.TargetRevision)
			}
		}
	})},
	{"the source follows its target too early", "S5", "", plans(sourceFollows)},
	{"the source is cleaned up before completion", "S5", "", plans(func(s *model.Snapshot, p *model.Plan) {
		if source := sourceOf(s); source != nil {
			p.Actions = append(p.Actions, model.Action{Kind: model.DeleteSlot, Reason: model.HandedBack, Write: model.Write{
				Object: refOf(source), Delete: &model.Delete{Propagation: metav1.DeletePropagationForeground}}})
		}
	})},
	{"a handoff does not test the Node's resourceVersion", "S6", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Patch != nil {
			a.Write.Patch.ResourceVersion = ""
		}
	})},
	{"a label's former value is not tested", "S6", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Patch != nil && len(a.Write.Patch.Labels) > 0 {
			a.Write.Patch.Labels[0].From = nil
		}
	})},
	{"a delete does not test the UID", "S6", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Delete != nil {
			a.Write.Object.UID = ""
		}
	})},
	{"a spec does not test the generation", "S6", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Patch != nil {
			a.Write.Patch.Generation = 0
		}
	})},
	{"issued actions are forgotten", "S7", "", settings(func(r *model.Rollout) { r.Status.Issued = nil })},
	{"a new executor is not known", "S7", "", settings(func(r *model.Rollout) { r.Status.Executor = model.Executor{} })},
	{"the fence is taken for written", "S7", "", objectsAnd(func(o *model.Objects, r *model.Rollout) {
		for _, node := range o.Nodes {
			if _, ok := node.Annotations[slotKeys.NodeFence]; ok {
				node.Annotations[slotKeys.NodeFence] = r.Status.Executor.ID
			}
		}
		r.Status.Executor.RequestTimeout, r.Status.Executor.Listed = metav1.Duration{}, true
	})},
	{"a superseded target is finished", "S8", "", finishSuperseded},
	{"an edit of a template is not remembered", "S5", "edited", actions(withoutNote(slotKeys.Edited))},
	{"a target is taken for proven", "S8", "", objects(func(o *model.Objects) {
		for _, set := range o.DaemonSets {
			if state, err := model.ParseState(set.Annotations[slotKeys.State]); err == nil && set.Annotations[slotKeys.TargetRevision] != "" {
				state.Proven = set.Annotations[slotKeys.TargetRevision]
				set.Annotations[slotKeys.State] = state.Text()
			}
		}
	})},
	{"taints are not seen", "S9", "", objects(func(o *model.Objects) {
		for _, node := range o.Nodes {
			node.Spec.Taints = nil
		}
	})},
	{"another workload's Pod is deleted", "S9", "", actions(deleteAnother(func(_ *model.Action, pod *corev1.Pod) bool { return pod.Namespace != namespace }))},
	{"a DaemonSet is made without its owner", "S9", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Write.Create != nil {
			a.Write.Create.OwnerReferences = nil
		}
	})},
	{"another's label is written along", "S9", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Kind == model.SetNodeSlot {
			host := a.Node
			a.Write.Patch.Labels = append(a.Write.Patch.Labels, model.Edit{Key: corev1.LabelHostname, From: &host, To: &host})
		}
	})},
	{"what a person wrote is put back where it came from", "S10", "", actions(func(_ *model.Snapshot, a *model.Action) {
		if a.Reason == model.LabelRepaired {
			again := "green " + *a.Write.Patch.Labels[0].To
			a.Write.Patch.Labels[0].To = &again
		}
	})},
	{"the window is one more", "S11", "", settings(func(r *model.Rollout) {
		surge := 2 * r.Spec.Strategy.MaxUnavailable.IntValue()
		if r.Spec.Strategy.MaxSurge != nil {
			surge = r.Spec.Strategy.MaxSurge.IntValue()
		}
		r.Spec.Strategy.MaxSurge = number(surge + 1)
	})},
	{"maxWrites is not kept", "S11", "", settings(func(r *model.Rollout) { r.Spec.Strategy.MaxWrites = nil })},
	{"the partition is not kept", "Cohort", "", settings(func(r *model.Rollout) { r.Spec.Strategy.Partition = nil })},
	{"a canary is not known", "Cohort", "canary", settings(func(r *model.Rollout) { r.Spec.Strategy.Canary = nil })},
	{"a canary is one more", "Cohort", "canary", canarySettings(func(c *model.Canary) { c.Replicas = number(c.Replicas.IntValue() + 1) })},
	{"a canary ends too early", "Cohort", "canary", canarySettings(func(c *model.Canary) {
		if c.Duration != nil {
			c.Duration = &metav1.Duration{Duration: c.Duration.Duration / 2}
		}
	})},
	{"a restart in a canary does not matter", "Cohort", "canary", canarySettings(func(c *model.Canary) {
		if c.NoRestartsDuration != nil {
			c.NoRestartsDuration = &metav1.Duration{}
		}
	})},
	{"a canary ends by itself in mode manual", "Cohort", "canary", canarySettings(func(c *model.Canary) {
		if c.ValidationMode == model.CanaryManual {
			c.ValidationMode, c.Duration, c.NoRestartsDuration = model.CanaryAuto, &metav1.Duration{Duration: time.Minute}, &metav1.Duration{}
		}
	})},
	{"a canary that is Ready for a moment has served", "Cohort", "canary", settings(func(r *model.Rollout) {
		r.Spec.Strategy.SettleSeconds, r.Spec.Desired.Spec.MinReadySeconds = new(int32), 0
	})},
	{"a paused canary goes on", "Cohort", "canary", readVerdicts(model.CanaryIsPaused)},
	{"a failed canary goes on", "Cohort", "canary", readVerdicts(model.CanaryHasFailed)},
	{"a canary is never validated", "L1", "canary", dropping(func(a *model.Action) bool { return a.Reason == model.CanaryValidated })},
	{"the order of actions is a map's", "S12", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		byName := map[string]model.Action{}
		for _, a := range p.Actions {
			byName[a.Write.Object.String()] = a
		}
		p.Actions = p.Actions[:0]
		for _, a := range byName {
			p.Actions = append(p.Actions, a)
		}
	})},
	{"the order of a list shows", "S12", "", plans(func(s *model.Snapshot, p *model.Plan) {
		if issued := s.Rollout.Status.Issued; len(issued) > 0 {
			p.Faults = append(p.Faults, issued[0].Action.Write.Object.String())
		}
	})},
	{"the planner remembers", "S12", "", func(next planner) planner {
		count := 0
		return func(s *model.Snapshot) (model.Plan, error) {
			p, err := next(s)
			count++
			p.RequeueAfter += time.Duration(count)
			return p, err
		}
	}},
	{"the planner writes into its snapshot", "S12", "", plans(func(s *model.Snapshot, p *model.Plan) {
		if len(p.Actions) > 0 && p.Actions[0].Node != "" {
			n, _ := s.Cluster.Find(p.Actions[0].Node)
			s.Cluster.Node(n).ResourceVersion += "0"
		}
	})},
	{"what a node was is remembered for too long", "Memory", "", func(next planner) planner {
		var former []model.NodeReport
		return func(s *model.Snapshot) (model.Plan, error) {
			p, err := next(s)
			present := slices.Clone(p.Nodes)
			if len(former) == len(present) {
				copy(p.Nodes, former)
			}
			former = present
			return p, err
		}
	}},
	{"a report is left out", "S13", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		if len(p.Nodes) > 1 {
			p.Nodes = p.Nodes[1:]
		}
	})},
	{"a report has no reason", "S13", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		if len(p.Nodes) > 1 {
			p.Nodes[1].Reason = ""
		}
	})},
	{"a node that waits is done", "S13", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		for i := range p.Nodes {
			if p.Nodes[i].Verdict == model.Waits {
				p.Nodes[i].Verdict = model.Done
			}
		}
	})},
	{"an action is dropped and its report stays", "S13", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		if n := len(p.Actions); n > 0 && p.Actions[n-1].Node != "" {
			p.Actions = p.Actions[:n-1]
		}
	})},
	{"an action is sent twice", "Form", "", plans(func(_ *model.Snapshot, p *model.Plan) {
		if len(p.Actions) > 0 {
			p.Actions = append(p.Actions, p.Actions[0])
		}
	})},
	{"Pods are taken for wrapped", "S14", "conventional", objects(readWrapped)},
	{"the target is admitted while the source still ends", "S1", "released", objects(func(o *model.Objects) {
		o.Pods = slices.DeleteFunc(o.Pods, model.Terminating)
	})},
	{"nothing is said of what is waited for", "L3", "", plans(func(_ *model.Snapshot, p *model.Plan) { p.Waits, p.Nodes = nil, nil })},
	{"the last handoff is not made", "L1", "", dropping(func(a *model.Action) bool { return a.Node == "n1" && a.Cost.Seat != "" })},
	{"the proof is not recorded", "L1", "", dropping(func(a *model.Action) bool { return a.Reason == model.TargetProven })},
	{"completion is not recorded", "L1", "", dropping(func(a *model.Action) bool { return a.Reason == model.RolloutComplete })},
	{"the ownership of unlabelled nodes stays", "L1", "", dropping(func(a *model.Action) bool { return a.Reason == model.OwnershipMoved })},
	{"nobody is asked to plan again", "L1", "", plans(func(_ *model.Snapshot, p *model.Plan) { p.RequeueAfter = 0 })},
	{"a released node is not admitted", "L1", "released", dropping(func(a *model.Action) bool { return a.Reason == model.AdmitTarget })},
	{"other workloads' Pods are not seen", "L1", "", objects(func(o *model.Objects) {
		o.Pods = slices.DeleteFunc(o.Pods, func(pod *corev1.Pod) bool { return pod.Namespace != namespace })
	})},
	{"an opt-out is not understood", "L5", "", settings(func(r *model.Rollout) { r.Spec.Intent = model.Run })},
	{"another plan is asked for without end", "L2", "", plans(func(_ *model.Snapshot, p *model.Plan) { p.RequeueAfter = time.Second })},
	{"a second executor does not record completion", "L4", "", plans(func(s *model.Snapshot, p *model.Plan) {
		if s.Rollout.Status.Executor.ID != "run-0" {
			p.Actions = slices.DeleteFunc(p.Actions, func(a model.Action) bool { return a.Reason == model.RolloutComplete })
		}
	})},
	{"a bad target keeps its nodes", "L6", "", dropping(func(a *model.Action) bool { return a.Reason == model.ReturnBegun })},
	{"a return does not begin", "L5", "", dropping(func(a *model.Action) bool { return a.Reason == model.ReturnBegun })},
	{"maxUnavailable is one more, as it really is", "S3", "", settings(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable = number(r.Spec.Strategy.MaxUnavailable.IntValue() + 1)
	})},
	{"what is Ready for a moment serves", "S3", "", settings(func(r *model.Rollout) {
		r.Spec.Strategy.SettleSeconds, r.Spec.Desired.Spec.MinReadySeconds = new(int32), 0
	})},
	{"every Node is taken for Ready", "L7", "", objects(func(o *model.Objects) {
		for _, node := range o.Nodes {
			for i := range node.Status.Conditions {
				node.Status.Conditions[i].Status = corev1.ConditionTrue
			}
			node.Spec.Taints = nil
		}
	})},
	{"an unhealthy node is charged", "L7", "", settings(func(r *model.Rollout) { r.Spec.Strategy.ExemptUnhealthy = nil })},
}

// mostGames is the number of seeded games after which a mutant has survived.
const mostGames = 500

// TestMutants: every mutant is killed by its property, within so many games of fixed seeds. The planner itself passes the
// same games.
func TestMutants(t *testing.T) {
	count := map[string]int{}
	list := slices.Concat(mutants, singleMutants)
	for i := range list {
		m := &list[i]
		count[m.killedBy]++
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			judge := propertyNamed(t, m.killedBy)
			g := gameOf(judge)
			if m.game != "" {
				g = gameNamed(t, m.game)
			}
			for seed := uint64(1); seed <= mostGames; seed++ {
				c := g.seeded(seed, mutated(m.make(plan.Next)), property.List{judge})
				if c.broke != nil {
					var violation *property.Violation
					require.ErrorAs(t, c.broke, &violation, "seed %d ended for another cause\n%s", seed, c.story())
					require.Equal(t, judge.Name, violation.Property)
					t.Logf("killed by the game of seed %d: %v", seed, firstLine(c.broke))
					return
				}
			}
			t.Errorf("it survived %d games of %s: %s proves nothing against it", mostGames, g.name, judge.Name)
		})
	}
	for _, name := range []string{"S2", "S4", "S5", "S9", "S11", "S12", "S13", "L1"} {
		require.GreaterOrEqual(t, count[name], 2, "mutants of %s", name)
	}
}

// gameOf is the first game that can judge the property.
func gameOf(p *property.Property) *game {
	return &games[slices.IndexFunc(games, func(g game) bool { return p.Needs&^g.offers == 0 })]
}

func propertyNamed(t *testing.T, name string) *property.Property {
	all := property.All()
	i := slices.IndexFunc(all, func(p *property.Property) bool { return p.Name == name })
	require.GreaterOrEqual(t, i, 0, "no property %s", name)
	return all[i]
}

// Every property is judged by every driver that can show what it needs, by one at least, and names the mutants that it
// kills.
func TestEveryPropertyIsJudgedAndKillsItsMutants(t *testing.T) {
	killed := map[string][]string{}
	for _, m := range slices.Concat(mutants, singleMutants) {
		killed[m.killedBy] = append(killed[m.killedBy], m.name)
	}
	drivers := map[string][]string{}
	for i := range games {
		drivers["games"] = append(drivers["games"], property.For(games[i].offers).Names()...)
	}
	drivers["simulate"] = simulate.Options{Crashes: []simulate.Crash{{Before: 1}}}.Judged().Names()
	for _, scope := range verify.Scopes() {
		if scope.Name == "teardown" || scope.Name == "takeover" || scope.Name == "never ready" || scope.Name == "a broken node, exempt" {
			m, err := verify.New(scope)
			require.NoError(t, err)
			drivers["verify"] = append(drivers["verify"], m.Judged().Names()...)
		}
	}
	// What a driver cannot show, and why.
	cannot := map[string]map[string]string{
		"simulate": {
			"S3": "its faults may take any number of nodes", "S10": "it does not count labels", "L2": "it bounds events, not plans",
			"Memory": "its planner is the caller's", "L5": "a run has one document", "L6": "a run has one document", "L7": "a run ends when its faults have ended",
		},
		"verify": {"Memory": "states follow in no order that a memory could use", "S10": "a count of writes is no part of a state: L1 rules oscillation out", "L2": "a graph has no number of plans"},
	}
	for _, p := range property.All() {
		require.NotEmpty(t, p.Sentence, p.Name)
		require.NotEmpty(t, p.Kinds(), "%s judges nothing", p.Name)
		require.ElementsMatch(t, p.Mutants, killed[p.Name], "mutants of %s", p.Name)
		require.Contains(t, drivers["games"], p.Name)
		for _, driver := range []string{"simulate", "verify"} {
			if why := cannot[driver][p.Name]; why != "" {
				require.NotContains(t, drivers[driver], p.Name, why)
				continue
			}
			require.Contains(t, drivers[driver], p.Name, driver)
		}
	}
	for _, name := range plan.Properties() {
		propertyNamed(t, string(name))
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
