package verify

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

func corev1Env(name, value string) corev1.EnvVar { return corev1.EnvVar{Name: name, Value: value} }

// anything is every fault that has an end, and every hand that leaves the agent where it is.
func anything() []Fault {
	return append(faultsOf(world.Crash, world.BreakNode, world.LoseNode, world.RebootNode, world.CordonNode, world.StopReadiness, world.KillPod, world.FailPod),
		labelEdits(labels...)...)
}

func cluster(nodes int) model.Objects { return model.Objects{Nodes: Nodes(nodes, 0, 1, 2, 3)} }

// three nodes: where the second handoff waits for the first, and the third for both.
func three() []Scope {
	return []Scope{
		{
			Name: "three nodes", Prompt: true, Coarse: true, Start: cluster(3), Documents: withEvery(window(1), rollTo(2)),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "three nodes, one is not ready for a while", Prompt: true, Coarse: true, Start: cluster(3), Documents: withEvery(window(1), rollTo(2)),
			Most: 1, Faults: faultsOf(world.StopReadiness),
			Witnesses: met("fault StopReadiness", "HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "three nodes, every step", Start: cluster(3), Documents: withEvery(window(1), rollTo(2)),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "three nodes, the Node cache lags", Prompt: true, Coarse: true, Start: cluster(3), Documents: withEvery(window(2), rollTo(2)),
			Lags: []world.Cache{world.NodeCache}, Witnesses: met("show Node", "HandoffPrepared", "RolloutComplete"),
		},
		{
			Name: "four nodes", Prompt: true, Coarse: true, Start: cluster(4), Documents: withEvery(window(1), rollTo(2)),
			Witnesses: met("HandoffPrepared", "RolloutComplete"),
		},
	}
}

// window is the most nodes in overlap.
func window(most int) func(*model.Rollout) {
	return func(r *model.Rollout) { r.Spec.Strategy.MaxSurge = number(most) }
}

// wide are the scopes among all the others that take too long for a quick run: those of more than 50,000 transitions, and some whose plans
// are slow to make.
var wide = []string{
	"arming, a node breaks", "arming, a DaemonSet deleted by a person, Orphan", "Pod cache lags", "fresh", "a node joins",
	"the clock is wrong", "takeover, every step", "three nodes, a canary of two, a container crashes",
	"two nodes, a canary pauses by itself, and is promoted", "prepared surge, superseded", "prepared surge, never ready",
	"prepared surge, Crash", "plain surge, superseded", "two faults: a node breaks", "two faults: a Pod is not ready, a node breaks",
	"three nodes, a container crashes", "four nodes, a container crashes", "arming, a container crashes",
	"a DaemonSet deleted by a person, Background", "prepared surge, BreakNode", "plain surge, FailPod",
	"released, Pod cache lags, and two Pods were not there for a while", "delete-first, Pod cache lags, and two Pods were not there for a while",
	"locked, a pull that fails on one node, and a newer revision", "locked, a Pod does not end, and a newer revision", "locked, Pods are refused",
	"delete-first, a silent node loses its Pod", "delete-first, the DaemonSet made anew",
}

func long() []Scope {
	scopes := []Scope{
		{
			Name: "crash loop", Prompt: true, Coarse: true, Start: two(0), Images: map[string]world.Behaviour{"agent@agent:2": world.CrashLoops},
			Documents: withEvery(func(r *model.Rollout) { least := int32(1); r.Spec.Failure.MaxRestarts = &least }, []Document{Revision(1), bad(2), Revision(3)}),
			Witnesses: met("ReturnBegun", "ReturnComplete", "RolloutComplete"),
		},
		{
			Name: "a node breaks, every step", Start: two(0), Most: 1, Faults: faultsOf(world.BreakNode), Documents: rollTo(2),
			Witnesses: met("fault BreakNode", "MendNode", "RolloutComplete"),
		},
		{
			Name: "a container crashes, every step", Start: two(0), Most: 1, Faults: faultsOf(world.Crash), Documents: rollTo(2),
			Witnesses: met("fault Crash", "LocksSplit", "RolloutComplete"),
		},
		{
			Name: "Node and Pod caches lag, takeover", Prompt: true, Coarse: true, Start: two(0), Crashes: 1,
			Lags: []world.Cache{world.NodeCache, world.PodCache}, Documents: rollTo(2),
			Witnesses: met("show Node", "show Pod", "crash,", "late", "NodeFenced", "RolloutComplete"),
		},
		{
			Name: "Pod cache lags, back", Prompt: true, Coarse: true, Start: two(0), Lags: []world.Cache{world.PodCache}, Documents: rollTo(2, 1),
			Witnesses: met("show Pod", "ReturnBegun", "RolloutComplete"),
		},
		{
			Name: "one node, two faults of any kind", Prompt: true, Coarse: true, Start: cluster(1), Most: 2, Faults: anything(), Documents: rollTo(2),
			Witnesses: met("fault Crash", "fault BreakNode", "fault KillPod", "fault EditLabel", "LocksSplit", "RolloutComplete"),
		},
		{
			Name: "one node, back, a fault of any kind", Prompt: true, Coarse: true, Start: cluster(1), Most: 1, Faults: anything(), Documents: rollTo(2, 1),
			Witnesses: met("fault Crash", "fault BreakNode", "fault KillPod", "fault EditLabel", "ReturnBegun", "RolloutComplete"),
		},
		{
			Name: "a full node, a container crashes", Prompt: true, Coarse: true, Start: two(1), Most: 1, Faults: faultsOf(world.Crash), Documents: rollTo(2),
			Witnesses: met("CapacityFallback", "fault Crash", "RolloutComplete"),
		},
		{
			Name: "opt-out, a fault of any kind", Prompt: true, Coarse: true, Start: cluster(1), Most: 1, Faults: anything(), Documents: append(rollTo(2), optedOut(2)),
			Witnesses: met("HandedBack", "fault Crash", "RolloutComplete"),
		},
		{
			Name: "four nodes, one is lost", Prompt: true, Coarse: true, Start: cluster(4), Documents: withEvery(window(1), rollTo(2)),
			Most: 1, Faults: faultsOf(world.LoseNode), Witnesses: met("fault LoseNode", "RolloutComplete"),
		},
	}
	for i := range scopes {
		scopes[i].Long = true
	}
	return slices.Clip(scopes)
}
