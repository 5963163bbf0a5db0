package verify

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// OpenScopes are what the planner is known to get wrong: each finds by itself what its Known names.
func OpenScopes() []Scope {
	return slices.DeleteFunc(openWorld(), func(s Scope) bool { return s.Known == "" })
}

// mended are those that find nothing any more.
func mended() []Scope {
	return slices.DeleteFunc(openWorld(), func(s Scope) bool { return s.Known != "" })
}

// openWorld are the scopes that found by themselves what the planner got wrong on real clusters. Those that find nothing any more are
// among Scopes, without what was Known and the prefix "open: ".
func openWorld() (scopes []Scope) {
	scopes = slices.Concat(waits(), lostSeats(), staleMoves(), strangers(), neverMade(), stuckEnds(), restingControllers(), downgrades(), young(), cramped(), unwrapped(), injected(), brokenBefore())
	for i := range scopes {
		s := &scopes[i]
		s.OpenWorld, s.Prompt, s.Coarse, s.Judges, s.Witnesses = true, true, true, finders[s.Known], s.own()
		if !slices.Contains(unmended, s.Name) {
			s.Name, s.Known = strings.TrimPrefix(s.Name, "open: "), ""
		}
	}
	return scopes
}

// own is what the scope is about: its first fault happens, or else a node that can pull nothing, another document, or the end.
func (s *Scope) own() []Witness {
	switch {
	case len(s.Faults) > 0:
		return met("fault " + s.Faults[0].Kind.String())
	case s.Known == "STUCK-SOURCE" || s.Known == "BROKEN-BEFORE":
		return met("PullError")
	case s.Known == "SILENT-WAIT":
		return met("RolloutComplete")
	case len(s.Documents) > 1:
		return met("desire ")
	}
	return met("plan: ")
}

// unmended are the names of the scopes that still find something: none.
var unmended []string

// finders are the open promises that find what is known. What is not listed is found by those that every scope is judged by.
var finders = map[string][]string{
	"SILENT-WAIT": {"S15"}, "LOST-SEAT": {"S2 in truth"}, "NO-SPACE": {"L8", "S2 in truth"}, "YOUNG-NODES": {"S2 in truth"}, "FREE-STALE": {"S2 in truth"}, "FORMER-PODS": {"S9 of former Pods"},
	"TWO-OWNERS": {"S9 of neighbours"}, "RENAMED": {"L8"}, "NEVER-MADE": {"L8"}, "HOTFIX-WAITS": {"L8", "S15 overdue"}, "STUCK-EXIT": {"L8", "S15 overdue"},
	"SURGE-STALL": {"L8"}, "DOWNGRADE": {"S8 of a healthy fleet"}, "BROKEN-BEFORE": {"Evidence"}, "STUCK-SOURCE": {"L8"}, "ARMING-STUCK": {"L9"}, "TEARDOWN-REFUSED": {"L9"},
	"WORDS": {"Words"},
}

// waits are met wherever somebody is waited for, and judged here alone.
func waits() []Scope {
	return []Scope{
		{Name: "open: no fault, and a silent wait", Known: "SILENT-WAIT", Start: two(0), Documents: rollTo(2)},
		{
			Name: "open: delete-first, every node is lost", Known: "WORDS", Start: two(0), Documents: withEvery(deletesFirst, rollTo()),
			Most: 2, Faults: faultsOf(world.LoseNode), Lasting: true,
		},
	}
}

func lostSeats() []Scope {
	lost := func(name string, set func(*model.Rollout)) Scope {
		return Scope{
			Name: "open: " + name + ", a silent node loses its Pod", Known: "LOST-SEAT", Start: two(0), Documents: withEvery(set, rollTo(2)),
			Most: 2, Faults: faultsOf(world.LoseNode, world.LosePod),
		}
	}
	return []Scope{lost("delete-first", deletesFirst)}
}

// staleMoves are free moves on a view whose Pods are late: one node is really without an agent, and another one seems to be.
func staleMoves() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"released", never}, {"delete-first", deletesFirst}} {
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", Pod cache lags, and two Pods were not there for a while", Known: "FREE-STALE",
			Start: two(0), Documents: withEvery(kind.set, rollTo(2)), Lags: []world.Cache{world.PodCache}, Lists: true, Most: 2, Faults: faultsOf(world.Crash),
		})
	}
	return scopes
}

func strangers() []Scope {
	remade := func(name string, set func(*model.Rollout)) Scope {
		return Scope{
			Name: "open: " + name + ", the DaemonSet made anew", Known: "FORMER-PODS", Start: two(0), Documents: withEvery(set, rollTo()),
			Most: 1, Faults: faultsOf(world.RemakeSet),
		}
	}
	owners := Scope{Name: "open: two owners with one key", Known: "TWO-OWNERS", Fresh: true, Start: neighbours(), Documents: refusedEach(rollTo(2)), Lasting: true, After: []world.Transition{
		{Kind: world.EditLabel, Node: "n2", Value: model.NewKeys("", namespace, name).NodeSlot + "=" + model.Green.String()},
	}}
	renamed := Scope{
		Name: "open: the desired DaemonSet has another name", Known: "RENAMED", Start: two(0),
		Documents: append(rollTo(), renamedTo("other", 2)),
	}
	renamedOne := renamed
	renamedOne.Name, renamedOne.Documents = "open: delete-first, the desired DaemonSet has another name", withEvery(deletesFirst, append(rollTo(), renamedTo("other", 2)))
	return []Scope{remade("delete-first", deletesFirst), remade("locked", window(1)), owners, renamed, renamedOne}
}

// refusedEach are documents that are refused from the first one on.
func refusedEach(documents []Document) []Document {
	for i := range documents {
		documents[i].Refused = true
	}
	return documents
}

func renamedTo(name string, revision int) Document {
	d := Revision(revision, func(r *model.Rollout) { r.Spec.Desired.Name = name })
	d.Name, d.Refused = "revision "+imageOf(revision)+" under another name", true
	return d
}

// neighbours are two nodes, and another rollout, whose DaemonSet chooses nodes by the same key.
func neighbours() model.Objects {
	objects := two(0)
	set := agent(1)
	set.Name, set.UID, set.ResourceVersion, set.Generation = "neighbour-green", types.UID("uid-neighbour"), "1", 1
	set.OwnerReferences[0].UID = "another-owner"
	set.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: model.NewKeys("", namespace, name).NodeSlot, Operator: corev1.NodeSelectorOpIn, Values: []string{model.Green.String()},
			}},
		}}},
	}}
	objects.DaemonSets = []*appsv1.DaemonSet{set}
	return objects
}

// neverMade are Pods that admission refuses, or that are evicted again and again, and that never come.
func neverMade() (scopes []Scope) {
	for _, kind := range []struct {
		name  string
		set   func(*model.Rollout)
		moves bool // an agent is taken away before the next one has started
	}{{"locked", window(1), true}, {"released", never, true}, {"delete-first", deletesFirst, true}} {
		denied := Scope{
			Name: "open: " + kind.name + ", Pods are refused", Known: "NEVER-MADE", Start: two(0), Documents: withEvery(kind.set, rollTo(2, 3)),
			Most: 1, Faults: []Fault{{world.DenyPods, imageOf(2)}}, Lasting: true,
		}
		pressed := denied
		pressed.Name, pressed.Faults, pressed.Documents = "open: "+kind.name+", Pods are evicted again and again", faultsOf(world.PressNode), withEvery(kind.set, rollTo(2))
		scopes = append(scopes, denied)
		if kind.moves {
			scopes = append(scopes, pressed)
		}
	}
	return scopes
}

// stuckEnds are deletions that hang for ever.
func stuckEnds() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"locked", window(1)}, {"released", never}, {"delete-first", deletesFirst}} {
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", a Pod does not end, and a newer revision", Known: "HOTFIX-WAITS", Start: two(0), Documents: withEvery(kind.set, rollTo(2, 3)),
			Most: 1, Faults: faultsOf(world.StickPod), Lasting: true,
		})
	}
	return scopes
}

// restingControllers see nothing until their DaemonSet is written.
func restingControllers() (scopes []Scope) {
	for _, kind := range []struct {
		name, known string
		set         func(*model.Rollout)
	}{
		{"locked", "STUCK-EXIT", window(1)}, {"released", "STUCK-EXIT", never}, {"delete-first", "NEVER-MADE", deletesFirst},
		{"plain surge", "SURGE-STALL", plain},
	} {
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", the controller rests", Known: kind.known, Start: two(0), Documents: withEvery(kind.set, rollTo(2)),
			Most: 1, Faults: faultsOf(world.RestController), Lasting: true,
		})
	}
	return scopes
}

// downgrades have a node that cannot pull the target, which serves the others, when a newer revision is desired.
func downgrades() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"released", never}, {"locked", window(1)}} {
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", a pull that fails on one node, and a newer revision", Known: "DOWNGRADE", Start: model.Objects{Nodes: Nodes(3, 0, 1, 3)},
			Documents: withEvery(kind.set, rollTo(2, 3)), Most: 1, Faults: faultsOf(world.BreakPulls), Lasting: true,
		})
	}
	return scopes
}

// young are nodes of a cluster that is younger than the deadline: they had an agent, and lose it to a rollout that turns back half way.
func young() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"locked", window(2)}, {"released", never}, {"delete-first", deletesFirst}} {
		start := two(0)
		for _, node := range start.Nodes {
			node.CreationTimestamp = metav1.NewTime(began)
		}
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", young nodes, and a newer revision", Known: "YOUNG-NODES", Start: start, Documents: withEvery(kind.set, rollTo(2, 3)),
		})
		if kind.name == "locked" {
			continue // the same, in more states
		}
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", young nodes, of which one falls", Known: "YOUNG-NODES", Start: start, Documents: withEvery(kind.set, rollTo(2)),
			Most: 1, Faults: faultsOf(world.Crash),
		})
	}
	return scopes
}

// cramped have a node that is too small for the next revision, and large enough for the one after that.
func cramped() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"locked", window(2)}, {"released", never}, {"delete-first", deletesFirst}} {
		documents := withEvery(kind.set, rollTo(2, 3))
		for i := range documents[1].Rollout.Spec.Desired.Spec.Template.Spec.Containers {
			c := &documents[1].Rollout.Spec.Desired.Spec.Template.Spec.Containers[i]
			c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("400m")}
		}
		scopes = append(scopes, Scope{
			Name: "open: " + kind.name + ", a node without room, and a newer revision", Known: "NO-SPACE", Start: two(1), Documents: documents, Lasting: true,
		})
	}
	return scopes
}

// unwrapped is a pair of which one slot is left, with a template that holds no locks.
func unwrapped() []Scope {
	set, keys := agent(1), model.NewKeys("", namespace, name)
	set.Name, set.UID, set.ResourceVersion, set.Generation = name+"-green", types.UID("uid-green"), "1", 1
	set.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
	set.Annotations = map[string]string{keys.ActiveSlot: model.Blue.String(), keys.Initialized: model.MarkPair, keys.Revision: "1"}
	set.Spec.Template.Annotations = map[string]string{keys.Mode: model.ModePair, keys.Revision: "1"}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/instance": set.Name}}
	set.Spec.Template.Labels = set.Spec.Selector.MatchLabels
	start := cluster(1)
	start.DaemonSets = []*appsv1.DaemonSet{set}
	return []Scope{{Name: "open: one slot is left, without locks", Known: "NEXT-AGAINST-VALIDATE", Start: start, Given: true, Documents: rollTo(), Lasting: true}}
}

// injected have Pods with a container that no wrapper keeps from running beside the old agent.
func injected() []Scope {
	return []Scope{{
		Name: "open: prepared surge, admission adds a container", Known: "UNLOCKED-BESIDE", Start: two(0), Documents: withEvery(prepared, rollTo(2)),
		Most: 1, Faults: []Fault{{world.InjectContainer, imageOf(1)}}, Lasting: true,
	}}
}

// brokenBefore have one node on which no agent has ever worked: it joined without images, and the registry cannot be reached from it.
func brokenBefore() (scopes []Scope) {
	never3 := []world.Transition{{Kind: world.JoinNode, Node: "n3", Value: "n1"}, {Kind: world.BreakPulls, Node: "n3"}}
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
	}{{"locked", window(1)}, {"released", never}, {"delete-first", deletesFirst}, {"prepared surge", prepared}} {
		broken := Scope{
			Name: "open: " + kind.name + ", a node that never had an agent", Known: "BROKEN-BEFORE", Start: two(0), Documents: withEvery(kind.set, rollTo(2)),
			After: never3, Lasting: true,
		}
		stuck := broken
		stuck.Name, stuck.Known, stuck.Documents = "open: "+kind.name+", an agent that never starts", "STUCK-SOURCE", withEvery(kind.set, rollTo())
		scopes = append(scopes, stuck)
		if kind.name != "locked" { // in overlap the broken node costs no seat
			scopes = append(scopes, broken)
		}
	}
	for _, end := range []struct {
		name     string
		document Document
	}{{"opt-out", optedOut(1)}, {"teardown", tornDown()}} {
		scopes = append(scopes, Scope{
			Name: "open: a record that cannot be read, " + end.name, Known: "TEARDOWN-REFUSED", Start: two(0), Documents: append(rollTo(), end.document), Lasting: true,
			After: []world.Transition{{Kind: world.EditAnnotation, Set: namespace + "/" + name, Value: model.NewKeys("", namespace, name).State + "=unreadable"}},
		}, Scope{
			Name: "open: arming on a node that cannot start it, " + end.name, Known: "ARMING-STUCK", Deployed: true, Start: two(0),
			Documents: append(rollTo(), end.document), Most: 1, Faults: faultsOf(world.LoseNode), Lasting: true,
		})
	}
	return scopes
}
