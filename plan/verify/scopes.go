package verify

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// Scopes are explored in this order. The first ones are the ones to read: everything is interleaved with everything.
func Scopes() []Scope {
	scopes := slices.Concat(everyStep(), released(), arming(), lagging(), decisions(), faulty(), hands(), executors(), canaries(), oneSet(), twoFaults(), three(), threeWithAFault(), more(), obstructed(), mended(), long())
	for i := range scopes {
		scopes[i].Long = scopes[i].Long || slices.Contains(wide, scopes[i].Name)
	}
	return scopes
}

// met is a list of witnesses of which one meeting is enough.
func met(list ...string) (witnesses []Witness) {
	for _, what := range list {
		witnesses = append(witnesses, Witness{What: what, Least: 1})
	}
	return witnesses
}

func faultsOf(kinds ...world.Kind) (list []Fault) {
	for _, kind := range kinds {
		list = append(list, Fault{Kind: kind})
	}
	return list
}

// two nodes with the images of revisions 1, 2 and 3.
func two(full int) model.Objects { return model.Objects{Nodes: Nodes(2, full, 1, 2, 3)} }

// rollTo desires revision 1, and then the others.
func rollTo(revisions ...int) (documents []Document) {
	for _, revision := range append([]int{1}, revisions...) {
		documents = append(documents, Revision(revision))
	}
	return documents
}

func withEvery(change func(*model.Rollout), documents []Document) []Document {
	for i := range documents {
		change(documents[i].Rollout)
	}
	return documents
}

func never(r *model.Rollout) { r.Spec.Strategy.Overlap = model.Never }

func number(n int) *intstr.IntOrString {
	value := intstr.FromInt32(int32(n))
	return &value
}

func percent(text string) *intstr.IntOrString {
	value := intstr.FromString(text)
	return &value
}

func everyStep() []Scope {
	return []Scope{
		{
			Name: "no fault", Start: two(0), Documents: rollTo(2),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "a full node", Start: two(1), Documents: rollTo(2),
			Witnesses: []Witness{{"CapacityFallback", 2}, {"RolloutComplete", 1}},
		},
		{
			Name: "released", Start: two(0), Documents: withEvery(never, rollTo(2)),
			Witnesses: met("ReleaseSource", "AdmitTarget", "RolloutComplete"),
		},
		{
			Name: "released, back", Coarse: true, Start: two(0), Documents: withEvery(never, rollTo(2, 1)),
			Witnesses: met("ReleaseSource", "ReturnBegun", "RolloutComplete"),
		},
	}
}

func lagging() (scopes []Scope) {
	for _, cache := range [...]world.Cache{world.NodeCache, world.PodCache, world.DaemonSetCache} {
		scopes = append(scopes, Scope{
			Name: cache.String() + " cache lags", Start: two(0), Lags: []world.Cache{cache}, Documents: rollTo(2),
			Witnesses: met("show "+cache.String(), "HandoffPrepared", "RolloutComplete"),
		})
	}
	return append(scopes,
		Scope{
			Name: "Owner cache lags, teardown", Prompt: true, Coarse: true, Start: two(0), Lags: []world.Cache{world.OwnerCache},
			Documents: []Document{Revision(1), tornDown()},
			Witnesses: met("show Owner", "DeleteSlot"),
		},
		Scope{
			Name: "all caches lag", Prompt: true, Coarse: true, Start: two(0), Lags: world.Caches(), Documents: rollTo(2),
			Witnesses: met("show Node", "show Pod", "show DaemonSet", "RolloutComplete"),
		},
	)
}

func tornDown() Document {
	d := Revision(1, func(r *model.Rollout) { r.Spec.Intent = model.Teardown })
	d.Name = "teardown"
	return d
}

func optedOut(revision int) Document {
	d := Revision(revision, func(r *model.Rollout) { r.Spec.Intent = model.OptOut })
	d.Name = "opt-out"
	return d
}

func held(name string, revision int, change func(*model.Rollout)) Document {
	d := Revision(revision, change)
	d.Name, d.Held = name, true
	return d
}

func paused(r *model.Rollout) { r.Spec.Strategy.Paused = true }

func partitioned(r *model.Rollout) { r.Spec.Strategy.Partition = number(1) }

// refused has a template that sets the variable by which the slots are told apart.
func refused() Document {
	d := Revision(2, func(r *model.Rollout) {
		c := &r.Spec.Desired.Spec.Template.Spec.Containers[0]
		c.Env = append(c.Env, corev1Env("DD_CMD_PORT", "5000"))
	})
	d.Name, d.Refused = "a template that is refused", true
	return d
}

func bad(revision int) Document {
	d := Revision(revision)
	d.Bad = true
	return d
}

func decisions() []Scope {
	return []Scope{
		{
			Name: "fresh", Fresh: true, Prompt: true, Coarse: true, Start: two(0), Crashes: 1, Documents: rollTo(),
			Witnesses: met("SlotMissing", "crash,", "late"),
		},
		{
			Name: "back", Prompt: true, Coarse: true, Start: two(0), Documents: rollTo(2, 1),
			Witnesses: []Witness{{"ReturnBegun", 10}, {"TakeBack", 10}, {"ReturnComplete", 1}, {"RolloutComplete", 1}},
		},
		{
			Name: "superseded", Prompt: true, Coarse: true, Start: two(0), Documents: rollTo(2, 3),
			Witnesses: []Witness{{"ReturnBegun", 10}, {"ReturnComplete", 1}, {"RolloutComplete", 1}},
		},
		{
			Name: "opt-out", Prompt: true, Coarse: true, Start: two(0), Documents: append(rollTo(2), optedOut(2)),
			Witnesses: met("HandedBack", "RolloutComplete"),
		},
		{
			Name: "teardown", Long: true, Prompt: true, Coarse: true, Start: two(0), Documents: append(rollTo(2), tornDown()),
			Witnesses: met("DeleteSlot", "ClearNode"),
		},
		{
			Name: "teardown, takeover", Prompt: true, Coarse: true, Start: cluster(1), Crashes: 1, Documents: append(rollTo(2), tornDown()),
			Witnesses: met("DeleteSlot", "ClearNode", "crash,", "late"),
		},
		{
			Name: "paused", Prompt: true, Coarse: true, Start: two(0), Documents: []Document{Revision(1), held("revision 2, paused", 2, paused), Revision(2)},
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "a partition", Prompt: true, Coarse: true, Start: two(0), Documents: []Document{Revision(1), held("revision 2 on one node", 2, partitioned), Revision(2)},
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "slow start", Prompt: true, Coarse: true, Start: two(0), Documents: withEvery(func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable = number(2)
				r.Spec.Strategy.SlowStart = &model.SlowStart{Interval: metav1.Duration{Duration: Deadline}, Increase: *number(1)}
			}, rollTo(2)),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "percentages", Prompt: true, Coarse: true, Start: two(0), Documents: withEvery(func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = percent("34%"), percent("51%")
			}, rollTo(2)),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "a template that is refused", Prompt: true, Coarse: true, Start: two(0), Documents: []Document{Revision(1), Revision(2), refused(), Revision(3)},
			Witnesses: []Witness{{"Blocked", 20}, {"RolloutComplete", 1}},
		},
		{
			Name: "never ready", Prompt: true, Coarse: true, Start: two(0), Images: map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady},
			Documents: []Document{Revision(1), bad(2), Revision(3)},
			Witnesses: []Witness{{"time passes", 2}, {"ReturnBegun", 2}, {"ReturnComplete", 1}, {"Remembered", 1}, {"FailureForgotten", 1}, {"RolloutComplete", 1}},
		},
		{
			Name: "never pulled", Prompt: true, Coarse: true, Start: model.Objects{Nodes: Nodes(2, 0, 1, 3)}, Images: map[string]world.Behaviour{"agent:2": world.PullFails},
			Documents: []Document{Revision(1), bad(2), Revision(3)},
			Witnesses: []Witness{{"time passes", 1}, {"ReturnBegun", 2}, {"ReturnComplete", 1}, {"RolloutComplete", 1}},
		},
	}
}

func faulty() []Scope {
	one := func(name string, fault Fault, witnesses ...string) Scope {
		return Scope{
			Name: name, Prompt: true, Coarse: true, Start: two(0), Most: 1, Faults: []Fault{fault}, Documents: rollTo(2),
			Witnesses: append(met("fault "+fault.Kind.String(), "RolloutComplete"), met(witnesses...)...),
		}
	}
	broken := one("a broken node, exempt", Fault{Kind: world.LoseNode})
	broken.Lasting = true
	// A node that is lost in the middle of the first handoff keeps its seat, for nothing proves the target yet: the budget has
	// to exceed it.
	withEvery(func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.ExemptUnhealthy = number(2), number(1)
	}, broken.Documents)
	split := one("a container crashes", Fault{Kind: world.Crash})
	split.Witnesses = append(split.Witnesses, Witness{"LocksSplit", 50})
	pull := one("a pull that fails for a while", Fault{Kind: world.BreakPulls}, "PullError")
	pull.Start = model.Objects{Nodes: Nodes(2, 0, 1)}
	image := one("an image that cannot be pulled for a while", Fault{Kind: world.BreakPulls})
	image.Start, image.Faults, image.Pulls = pull.Start, nil, []string{imageOf(2)}
	// The deadline can pass before the image is there again.
	for _, s := range []*Scope{&pull, &image} {
		s.Documents = rollTo(2)
		s.Documents[1].MayFail = true
	}
	image.Witnesses = met("fault image", "end of image", "RolloutComplete")
	lost := one("a node is lost", Fault{Kind: world.LoseNode}, "MendNode")
	lost.Long = true
	joins := one("a node joins", Fault{Kind: world.JoinNode, Value: "n2"})
	joins.Start = cluster(1)
	return []Scope{
		split, pull, image, broken, joins,
		one("a node breaks", Fault{Kind: world.BreakNode}, "MendNode"),
		lost,
		one("a node is cordoned", Fault{Kind: world.CordonNode}, "UncordonNode"),
		one("a node is tainted", Fault{Kind: world.TaintNode, Value: "reserved:NoSchedule"}, "UntaintNode"),
		one("a node is removed", Fault{Kind: world.RemoveNode}),
		one("a Pod is not ready for a while", Fault{Kind: world.StopReadiness}),
	}
}

// labels are what a person may make of a node's label, without the key.
var labels = []string{"=blue", "=green", "=blue-to-green", "=green-to-blue", "=purple", "-"}

func labelEdits(values ...string) (list []Fault) {
	key := model.NewKeys("", namespace, name).NodeSlot
	for _, value := range values {
		list = append(list, Fault{Kind: world.EditLabel, Value: key + value})
	}
	return list
}

func hands() []Scope {
	one := func(name string, faults []Fault, witnesses ...string) Scope {
		return Scope{
			Name: name, Prompt: true, Coarse: true, Start: two(0), Most: 1, Faults: faults, Documents: rollTo(2),
			Witnesses: append(met("RolloutComplete"), met(witnesses...)...),
		}
	}
	edited := one("a label edited by a person", labelEdits(labels...), "fault EditLabel")
	edited.Witnesses = append(edited.Witnesses, Witness{"LabelRepaired", 10})
	edited.Long = true
	killed := one("a Pod deleted by a person", faultsOf(world.KillPod), "fault KillPod")
	killed.Long = true
	template := one("a template edited by a person", []Fault{{Kind: world.EditTemplate, Value: "agent:3"}}, "fault EditTemplate", "SlotDrifted")
	scopes := []Scope{edited, killed, template}
	for _, propagation := range [...]string{"Background", "Foreground", "Orphan"} {
		gone := one("a DaemonSet deleted by a person, "+propagation, []Fault{{Kind: world.KillSet, Value: propagation}}, "fault KillSet", "SlotMissing")
		gone.Start = cluster(1)
		both := gone
		both.Name, both.Start, both.Long = "two nodes, "+gone.Name, two(0), propagation != "Orphan"
		scopes = append(scopes, gone, both)
	}
	return scopes
}

func executors() []Scope {
	base := Scope{Prompt: true, Coarse: true, Start: two(0), Documents: rollTo(2), Witnesses: met("HandoffPrepared", "RolloutComplete")}
	takeover, woken, polled, clock := base, base, base, base
	takeover.Name, takeover.Crashes = "takeover", 1
	takeover.Witnesses = append(met("crash,", "late", "NodeFenced"), base.Witnesses...)
	woken.Name, woken.Triggers = "woken by what WakeOn names", Woken
	polled.Name, polled.Triggers = "every trigger is lost", Polled
	polled.Witnesses = append(met("poll"), base.Witnesses...)
	clock.Name, clock.Most, clock.Clocks = "the clock is wrong", 1, []time.Duration{Still, 2 * Deadline, -2 * Deadline}
	clock.Witnesses = append(met("fault the clock stands still", "fault the clock is wrong", "end of the clock"), base.Witnesses...)
	// A clock that is ahead by more than the deadline condemns a good revision: nothing else tells how much time has passed.
	clock.Documents = rollTo(2)
	clock.Documents[1].MayFail = true
	return []Scope{takeover, woken, polled, clock,
		{
			Name: "takeover, every step", Start: two(0), Crashes: 1, Documents: rollTo(2),
			Witnesses: met("crash,", "late", "NodeFenced", "RolloutComplete"),
		},
	}
}
