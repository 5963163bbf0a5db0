package verify

import (
	"github.com/agent-rollout/planner/plan/world"
)

// twoFaults happen in one run, each with its end: of the kinds whose runs stay few.
func twoFaults() (scopes []Scope) {
	for _, kind := range []struct {
		name   string
		faults []Fault
		long   bool
	}{
		{"a Pod is not ready", faultsOf(world.StopReadiness), false},
		{"a node is cordoned", faultsOf(world.CordonNode), false},
		{"a node is removed", faultsOf(world.RemoveNode), false},
		{"a node is tainted", []Fault{{Kind: world.TaintNode, Value: "reserved:NoSchedule"}}, true},
		{"a Pod is not ready, a node is cordoned", faultsOf(world.StopReadiness, world.CordonNode), false},
		{"a node breaks", faultsOf(world.BreakNode), false},
		{"a Pod is not ready, a node breaks", faultsOf(world.StopReadiness, world.BreakNode), false},
		{"a node breaks, a node is cordoned", faultsOf(world.BreakNode, world.CordonNode), true},
		{"a container crashes", faultsOf(world.Crash), true},
	} {
		s := Scope{
			Name: "two faults: " + kind.name, Long: kind.long, Prompt: true, Coarse: true, Start: two(0), Documents: rollTo(2),
			Most: 2, Faults: kind.faults, Witnesses: met("RolloutComplete"),
		}
		for _, fault := range kind.faults {
			s.Witnesses = append(s.Witnesses, met("fault "+fault.Kind.String())...)
		}
		scopes = append(scopes, s)
	}
	return scopes
}

// more are three nodes with two faults, and four with one: where the kind has many moments, a long one.
func more() []Scope {
	at := func(name string, nodes, most int, kind world.Kind, long bool) Scope {
		return Scope{
			Name: name, Long: long, Prompt: true, Coarse: true, Start: cluster(nodes), Documents: withEvery(window(1), rollTo(2)),
			Most: most, Faults: faultsOf(kind), Witnesses: met("fault "+kind.String(), "HandoffPrepared", "RolloutComplete"),
		}
	}
	return []Scope{
		at("three nodes, two Pods are not ready", 3, 2, world.StopReadiness, false), at("three nodes, two are cordoned", 3, 2, world.CordonNode, false),
		at("three nodes, two break", 3, 2, world.BreakNode, true), at("three nodes, two containers crash", 3, 2, world.Crash, true),
		at("four nodes, a Pod is not ready", 4, 1, world.StopReadiness, false), at("four nodes, one is cordoned", 4, 1, world.CordonNode, false),
		at("four nodes, one breaks", 4, 1, world.BreakNode, false), at("four nodes, a container crashes", 4, 1, world.Crash, false),
	}
}

// threeWithAFault are three nodes one after the other, and one fault.
func threeWithAFault() (scopes []Scope) {
	for _, kind := range []struct {
		name  string
		fault Fault
		long  bool
	}{
		{"one is cordoned", Fault{Kind: world.CordonNode}, false},
		{"one is tainted", Fault{Kind: world.TaintNode, Value: "reserved:NoSchedule"}, false},
		{"one is removed", Fault{Kind: world.RemoveNode}, false},
		{"one breaks", Fault{Kind: world.BreakNode}, false},
		{"one reboots", Fault{Kind: world.RebootNode}, true},
		{"a container crashes", Fault{Kind: world.Crash}, false},
		{"a Pod is deleted by a person", Fault{Kind: world.KillPod}, true},
		{"a Pod is evicted", Fault{Kind: world.FailPod}, true},
		{"one is lost", Fault{Kind: world.LoseNode}, true},
	} {
		scopes = append(scopes, Scope{
			Name: "three nodes, " + kind.name, Long: kind.long, Prompt: true, Coarse: true, Start: cluster(3), Documents: withEvery(window(1), rollTo(2)),
			Most: 1, Faults: []Fault{kind.fault}, Witnesses: met("fault "+kind.fault.Kind.String(), "HandoffPrepared", "RolloutComplete"),
		})
	}
	return scopes
}
