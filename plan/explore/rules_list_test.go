package explore_test

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	"k8s.io/apimachinery/pkg/api/resource"

	corev1 "k8s.io/api/core/v1"
)

var neverReady = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}

// trials are as small as their rule allows. With every rule in place none of them has a violation: see TestTrials.
var trials = []trial{
	{scope: scope{name: "two nodes", nodes: 2, revisions: []int{1, 2}}},
	{
		scope: scope{name: "bad, a source crashes", nodes: 2, revisions: []int{1, 2}, bad: 2, images: neverReady,
			most: 1, faults: on(faultsOf(world.Crash), "Crash n2 blue agent")},
		steps: []explore.StepInvariant[*state]{seats},
	},
	{
		scope: scope{name: "bad, a node breaks, a source crashes", nodes: 2, revisions: []int{1, 2}, bad: 2, images: neverReady,
			most: 2, faults: on(faultsOf(world.Crash, world.BreakNode), "Crash n2 blue agent", "BreakNode n1")},
		steps: []explore.StepInvariant[*state]{seats},
	},
	{
		scope: scope{name: "ready for a moment", nodes: 2, maxRestarts: 1, revisions: []int{1, 2}, bad: 2,
			images: map[string]world.Behaviour{"agent@agent:2": world.ReadyThenCrashes}},
		settle: deadline / 2,
	},
	{
		scope: scope{name: "a proven target restarts", nodes: 2, maxRestarts: 1, revisions: []int{1, 2},
			most: 2, faults: on(faultsOf(world.Crash), "Crash n2 green agent")},
	},
	{scope: scope{name: "back", nodes: 2, revisions: []int{1, 2, 1}}},
	{
		scope: scope{name: "tainted", nodes: 2, revisions: []int{1, 2}, most: 1, faults: taintFirst},
		steps: []explore.StepInvariant[*state]{keeps}, endless: true,
	},
	{scope: scope{name: "full, back", nodes: 1, full: 1, revisions: []int{1, 2, 1}}},
	{scope: scope{name: "one node, a crash", nodes: 1, revisions: []int{1, 2}, most: 1, faults: faultsOf(world.Crash)}},
	{
		scope: scope{name: "one node, its source deleted or all restarted", nodes: 1, revisions: []int{1, 2},
			most: 1, faults: on(faultsOf(world.KillPod, world.RebootNode), "KillPod n1 blue", "RebootNode")},
	},
	{scope: scope{name: "one node breaks", nodes: 1, revisions: []int{1, 2}, most: 1, faults: faultsOf(world.LoseNode)}},
	{scope: scope{name: "one node, back", nodes: 1, revisions: []int{1, 2, 1}}},
	{
		scope:  scope{name: "a node dies", nodes: 2, surge: 1, revisions: []int{1, 2}, most: 1, faults: on(faultsOf(world.LoseNode), "LoseNode n1")},
		change: exempts(1), never: []string{"MendNode"}, goal: livingNodes,
	},
	{
		scope: scope{name: "too big for a node", nodes: 2, full: 1, surge: 1, revisions: []int{1, 2}},
		change: func(r *model.Rollout) {
			if c := &r.Spec.Desired.Spec.Template.Spec.Containers[0]; c.Image == imageOf(2) {
				c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("600m")}
			}
		},
		goal: secondNode,
	},
	{
		scope:  scope{name: "a node joins after completion", nodes: 1, revisions: []int{1, 2}, most: 1, faults: joinsAfter},
		always: []explore.Invariant[*state]{newcomer},
	},
	{scope: scope{name: "one node, bad", nodes: 1, revisions: []int{1, 2}, bad: 2, images: neverReady}},
	{scope: scope{name: "one node, bad, then good", nodes: 1, revisions: []int{1, 2, 3}, bad: 2, images: neverReady}},
	{scope: scope{name: "takeover", nodes: 2, crashes: 1, revisions: []int{1, 2}}},
	{
		scope: scope{name: "a DaemonSet deleted without its Pods", nodes: 1, revisions: []int{1, 2}, most: 1, faults: on(faultsOf(world.KillSet),
			"KillSet green Orphan", "KillSet blue Orphan")},
	},
	{
		scope: scope{name: "nothing new, a DaemonSet deleted without its Pods", nodes: 2, revisions: []int{1}, most: 1, faults: on(faultsOf(world.KillSet),
			"KillSet green Orphan", "KillSet blue Orphan")},
		strict: true,
	},
	{conventional: true, scope: scope{name: "conventional", fresh: true, nodes: 2, revisions: []int{1, 2}}},
	{
		scope:  scope{name: "two bad revisions, one exempt", nodes: 2, revisions: []int{1, 2, 3}, images: twoBad},
		change: exempts(1), endless: true,
	},
	{
		scope:  scope{name: "a source deleted, one exempt", nodes: 2, revisions: []int{1, 2}, most: 1, faults: on(faultsOf(world.KillPod), "KillPod n2 blue")},
		change: exempts(1),
	},
	{scope: scope{name: "nodes that lag", nodes: 2, lags: []world.Cache{world.NodeCache}, revisions: []int{1, 2}}},
}

var twoBad = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady, "trace-agent@agent:3": world.NeverReady}
