package verify

import (
	"slices"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// prepared is a surge whose next Pod waits for the locks of the present one; plain runs both; deletesFirst makes the next one
// in place of the present one.
func prepared(r *model.Rollout) {
	r.Spec.Strategy.Type, r.Spec.Strategy.Overlap, r.Spec.Strategy.MaxSurge = model.Surge, model.Locked, number(1)
}

func plain(r *model.Rollout) {
	r.Spec.Strategy.Type, r.Spec.Strategy.Overlap, r.Spec.Strategy.MaxSurge = model.Surge, model.Never, number(1)
}

func deletesFirst(r *model.Rollout) {
	r.Spec.Strategy.Type, r.Spec.Strategy.MaxSurge = model.RollingUpdate, nil
}

// onOne are the kinds of faults that a rollout on one DaemonSet is explored with.
var onOne = []world.Kind{
	world.StopReadiness, world.Crash, world.BreakNode, world.LoseNode, world.RebootNode, world.CordonNode, world.RemoveNode, world.KillPod, world.FailPod,
}

// many are those of them that have many moments.
var many = []world.Kind{world.LoseNode, world.RebootNode, world.KillPod}

// oneSet are the rollouts on one DaemonSet: each as it should go, back, after a bad target, and with one fault.
func oneSet() (scopes []Scope) {
	for _, kind := range []struct {
		name  string
		set   func(*model.Rollout)
		moves string // the reason of a deletion
		wide  bool   // two Pods a node: what has many moments is long
	}{
		{"prepared surge", prepared, "HandoffPrepared", true},
		{"plain surge", plain, "UpdateStep", true},
		{"delete-first", deletesFirst, "StaleRevision", false},
	} {
		base := func(name string, documents []Document, witnesses ...string) Scope {
			return Scope{
				Name: kind.name + name, Prompt: true, Coarse: true, Start: two(0), Documents: withEvery(kind.set, documents),
				Witnesses: append(met("RolloutComplete"), met(witnesses...)...),
			}
		}
		never := base(", never ready", []Document{Revision(1), bad(2), Revision(3)}, "Remembered")
		never.Images = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}
		takeover := base(", takeover", rollTo(2), "crash,", "late")
		takeover.Crashes = 1
		scopes = append(scopes, base("", rollTo(2), kind.moves), base(", back", rollTo(2, 1)), base(", superseded", rollTo(2, 3)), never, takeover)
		for _, fault := range onOne {
			one := base(", "+fault.String(), rollTo(2), "fault "+fault.String())
			one.Most, one.Faults = 1, faultsOf(fault)
			one.Long = kind.wide && slices.Contains(many, fault)
			scopes = append(scopes, one)
		}
		for _, cache := range [...]world.Cache{world.PodCache, world.DaemonSetCache} {
			late := base(", "+cache.String()+" cache lags", rollTo(2), "show "+cache.String(), kind.moves)
			late.Lags = []world.Cache{cache}
			scopes = append(scopes, late)
		}
		three := base(", three nodes", rollTo(2), kind.moves)
		three.Start = cluster(3)
		edited := base(", a template edited by a person", rollTo(2), "fault EditTemplate")
		edited.Most, edited.Faults, edited.Long = 1, []Fault{{world.EditTemplate, "agent:9"}}, kind.wide
		orphaned := base(", the DaemonSet deleted by a person, Orphan", rollTo(2), "fault KillSet")
		orphaned.Most, orphaned.Faults = 1, []Fault{{world.KillSet, "Orphan"}}
		wiped := base(", the DaemonSet deleted by a person, Background", rollTo(2), "fault KillSet")
		wiped.Most, wiped.Faults, wiped.Long = 1, []Fault{{world.KillSet, "Background"}}, kind.wide
		gone := base(", teardown", rollTo(2))
		gone.Documents = withEvery(kind.set, append(rollTo(2), tornDown()))
		scopes = append(scopes, three, edited, orphaned, wiped, gone)
	}
	full := scopes[0]
	full.Name, full.Start = "prepared surge, a full node", two(1)
	full.Witnesses = met("CapacityFallback", "HandoffPrepared", "RolloutComplete")
	out := scopes[1]
	out.Name, out.Documents = "prepared surge, opt-out", withEvery(prepared, append(rollTo(2), optedOut(2)))
	return slices.Concat(scopes, []Scope{full, out})
}
