package verify

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// released are pairs without locks: one Pod of a node ends before the other one may start, so that nothing but labels keeps them
// apart.
func released() (scopes []Scope) {
	base := func(name string, start model.Objects, documents []Document, witnesses ...string) Scope {
		return Scope{
			Name: "released, " + name, Prompt: true, Coarse: true, Start: start, Documents: withEvery(never, documents),
			Witnesses: append(met("RolloutComplete"), met(witnesses...)...),
		}
	}
	bad := base("never ready", two(0), []Document{Revision(1), bad(2), Revision(3)}, "ReturnBegun", "Remembered")
	bad.Images = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}
	takeover := base("takeover", two(0), rollTo(2), "crash,", "late")
	takeover.Crashes = 1
	scopes = []Scope{
		base("superseded", two(0), rollTo(2, 3), "ReleaseSource", "ReturnBegun"),
		base("a full node", two(1), rollTo(2), "ReleaseSource", "AdmitTarget"),
		base("opt-out", two(0), append(rollTo(2), optedOut(2)), "HandedBack"),
		base("three nodes", cluster(3), rollTo(2), "ReleaseSource", "AdmitTarget"),
		bad, takeover,
	}
	for _, cache := range [...]world.Cache{world.NodeCache, world.PodCache, world.DaemonSetCache} {
		late := base(cache.String()+" cache lags", two(0), rollTo(2), "show "+cache.String(), "AdmitTarget")
		late.Lags = []world.Cache{cache}
		scopes = append(scopes, late)
	}
	for _, fault := range []struct {
		name string
		Fault
	}{
		{"a container crashes", Fault{Kind: world.Crash}},
		{"a node breaks", Fault{Kind: world.BreakNode}},
		{"a node is lost", Fault{Kind: world.LoseNode}},
		{"a node is tainted", Fault{Kind: world.TaintNode, Value: "reserved:NoSchedule"}},
		{"a Pod deleted by a person", Fault{Kind: world.KillPod}},
		{"a template edited by a person", Fault{Kind: world.EditTemplate, Value: "agent:3"}},
		{"a DaemonSet deleted by a person, Background", Fault{Kind: world.KillSet, Value: "Background"}},
		{"a DaemonSet deleted by a person, Orphan", Fault{Kind: world.KillSet, Value: "Orphan"}},
	} {
		one := base(fault.name, two(0), rollTo(2), "fault "+fault.Kind.String())
		one.Most, one.Faults = 1, []Fault{fault.Fault}
		scopes = append(scopes, one)
	}
	two := base("two faults of any kind", cluster(2), rollTo(2), "fault Crash", "fault BreakNode", "fault KillPod", "fault EditTemplate")
	two.Most, two.Long = 2, true
	two.Faults = append(faultsOf(world.Crash, world.BreakNode, world.LoseNode, world.RebootNode, world.CordonNode, world.StopReadiness, world.KillPod, world.FailPod, world.RemoveNode),
		Fault{Kind: world.EditTemplate, Value: "agent:3"}, Fault{Kind: world.TaintNode, Value: "reserved:NoSchedule"})
	exempt := base("three nodes, one breaks, exempt", cluster(3), rollTo(2), "fault BreakNode")
	exempt.Most, exempt.Faults = 1, faultsOf(world.BreakNode)
	withEvery(func(r *model.Rollout) { r.Spec.Strategy.ExemptUnhealthy = number(1) }, exempt.Documents)
	return append(scopes, two, exempt)
}
