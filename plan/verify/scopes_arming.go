package verify

import "github.com/agent-rollout/planner/plan/world"

// arming begins with a plain DaemonSet, whose Pods hold no locks.
func arming() (scopes []Scope) {
	base := func(name string, nodes int, faults ...Fault) Scope {
		s := Scope{
			Name: "arming" + name, Prompt: true, Coarse: true, Deployed: true, Start: cluster(nodes), Documents: rollTo(2),
			Faults: faults, Most: len(faults), Witnesses: met("WrapperInstalled", "PairArmed", "RolloutComplete"),
		}
		for _, fault := range faults {
			s.Witnesses = append(s.Witnesses, met("fault "+fault.Kind.String())...)
		}
		return s
	}
	wiped := base(", a DaemonSet deleted by a person, Background", 1, Fault{Kind: world.KillSet, Value: "Background"})
	wiped.Long = true
	return []Scope{
		base("", 1), base(", two nodes", 2),
		base(", a container crashes", 1, Fault{Kind: world.Crash}),
		base(", a node breaks", 1, Fault{Kind: world.BreakNode}),
		base(", a Pod deleted by a person", 1, Fault{Kind: world.KillPod}),
		wiped, base(", a DaemonSet deleted by a person, Orphan", 1, Fault{Kind: world.KillSet, Value: "Orphan"}),
	}
}
