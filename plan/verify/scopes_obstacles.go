package verify

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// obstructed meet one obstacle of the open world, with its end.
func obstructed() (scopes []Scope) {
	for _, kind := range []struct {
		name string
		set  func(*model.Rollout)
		pair bool
	}{{"locked", window(1), true}, {"released", never, true}, {"delete-first", deletesFirst, false}, {"prepared surge", prepared, false}} {
		for _, fault := range [...]Fault{
			{world.DenyPods, imageOf(2)}, {Kind: world.HoldPod}, {Kind: world.StickPod}, {Kind: world.RestController}, {Kind: world.PressNode}, {Kind: world.RenewNode},
		} {
			s := Scope{
				Name: "obstacle: " + kind.name + ", " + fault.Kind.String(), Prompt: true, Coarse: true, Start: two(0), Documents: withEvery(kind.set, rollTo(2)),
				Most: 1, Faults: []Fault{fault}, Witnesses: met("fault "+fault.Kind.String(), "RolloutComplete"),
			}
			if kind.name == "locked" && fault.Kind == world.RenewNode {
				s.Start = cluster(1)
			}
			s.Long = fault.Kind == world.RenewNode && kind.pair || fault.Kind == world.StickPod && kind.name == "prepared surge"
			// The deadline can pass before the obstacle ends.
			s.Documents[1].MayFail = true
			scopes = append(scopes, s)
		}
	}
	return scopes
}
