package verify_test

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/agent-rollout/planner/plan/world"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	neverReady = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}
	twoBad     = map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady, "trace-agent@agent:3": world.NeverReady}
)

// trials are as small as their rule allows. With every rule in place none of them has a violation: see TestTrials, which
// looks at Long ones with -scope=long only.
var trials = []trial{
	{Scope: verify.Scope{Name: "two nodes"}, nodes: 2, revisions: []int{1, 2}},
	{
		Scope: verify.Scope{Name: "bad, a source crashes", Images: neverReady, Most: 1, Faults: faultsOf(world.Crash)},
		nodes: 2, revisions: []int{1, 2}, bad: 2, only: []string{"Crash n2 blue agent"},
		steps: []explore.StepInvariant[*verify.State]{seats},
	},
	{
		Scope: verify.Scope{
			Name: "bad, a node breaks, a source crashes", Long: true, Images: neverReady, Most: 2, Faults: faultsOf(world.Crash, world.BreakNode),
		},
		nodes: 2, revisions: []int{1, 2}, bad: 2, only: []string{"Crash n2 blue agent", "BreakNode n1"},
		steps: []explore.StepInvariant[*verify.State]{seats},
	},
	{
		Scope: verify.Scope{Name: "ready for a moment", Images: map[string]world.Behaviour{"agent@agent:2": world.ReadyThenCrashes}},
		nodes: 2, revisions: []int{1, 2}, bad: 2, maxRestarts: 1, settle: int32(verify.Deadline / time.Second / 2),
	},
	{
		Scope: verify.Scope{Name: "a proven target restarts", Most: 2, Faults: faultsOf(world.Crash)},
		nodes: 2, revisions: []int{1, 2}, maxRestarts: 1, only: []string{"Crash n2 green agent"}, when: targetProven,
	},
	{Scope: verify.Scope{Name: "back"}, nodes: 2, revisions: []int{1, 2, 1}},
	{
		Scope: verify.Scope{Name: "tainted", Most: 1, Faults: []verify.Fault{{Kind: world.TaintNode, Value: "dedicated=gpu:NoSchedule"}}, Lasting: true},
		nodes: 2, revisions: []int{1, 2}, only: []string{"TaintNode n1"},
		steps: []explore.StepInvariant[*verify.State]{keeps}, endless: true,
	},
	{Scope: verify.Scope{Name: "full, back"}, nodes: 1, full: 1, revisions: []int{1, 2, 1}},
	{Scope: verify.Scope{Name: "one node, a crash", Most: 1, Faults: faultsOf(world.Crash)}, nodes: 1, revisions: []int{1, 2}},
	{
		Scope: verify.Scope{Name: "one node, its source deleted or all restarted", Most: 1, Faults: faultsOf(world.KillPod, world.RebootNode)},
		nodes: 1, revisions: []int{1, 2}, only: []string{"KillPod n1 blue", "RebootNode"},
	},
	{Scope: verify.Scope{Name: "one node breaks", Most: 1, Faults: faultsOf(world.LoseNode)}, nodes: 1, revisions: []int{1, 2}},
	{Scope: verify.Scope{Name: "one node, back"}, nodes: 1, revisions: []int{1, 2, 1}},
	{
		Scope: verify.Scope{Name: "a node dies", Most: 1, Faults: faultsOf(world.LoseNode), Lasting: true},
		nodes: 2, revisions: []int{1, 2}, surge: 1, only: []string{"LoseNode n1"},
		change: roomForOneDead, endName: dead, end: livingNodes,
	},
	{
		Scope: verify.Scope{Name: "too big for a node"}, nodes: 2, full: 1, revisions: []int{1, 2}, surge: 1,
		change: func(r *model.Rollout) {
			if c := &r.Spec.Desired.Spec.Template.Spec.Containers[0]; c.Image == imageOf(2) {
				c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("600m")}
			}
		},
		endName: tooBig, end: secondNode,
	},
	{
		Scope: verify.Scope{Name: "a node joins after completion", Most: 1, Faults: []verify.Fault{{Kind: world.JoinNode, Value: "n2"}}},
		nodes: 1, revisions: []int{1, 2}, when: afterCompletion,
		always: []explore.Invariant[*verify.State]{newcomer},
	},
	{Scope: verify.Scope{Name: "one node, bad", Images: neverReady}, nodes: 1, revisions: []int{1, 2}, bad: 2},
	{Scope: verify.Scope{Name: "one node, bad, then good", Images: neverReady}, nodes: 1, revisions: []int{1, 2, 3}, bad: 2},
	{Scope: verify.Scope{Name: "takeover", Crashes: 1}, nodes: 2, revisions: []int{1, 2}},
	{
		Scope: verify.Scope{Name: "a DaemonSet deleted without its Pods", Most: 1, Faults: []verify.Fault{{Kind: world.KillSet, Value: "Orphan"}}},
		nodes: 1, revisions: []int{1, 2},
	},
	{
		Scope: verify.Scope{Name: "nothing new, a DaemonSet deleted without its Pods", Most: 1, Faults: []verify.Fault{{Kind: world.KillSet, Value: "Orphan"}}},
		nodes: 2, revisions: []int{1}, strict: true,
	},
	{Scope: verify.Scope{Name: "conventional", Deployed: true}, nodes: 2, revisions: []int{1, 2}},
	{Scope: verify.Scope{Name: "two bad revisions, one exempt", Images: twoBad}, nodes: 2, revisions: []int{1, 2, 3}, change: exempts(1), endless: true},
	{
		Scope: verify.Scope{Name: "a source deleted, one exempt", Long: true, Most: 1, Faults: faultsOf(world.KillPod)},
		nodes: 2, revisions: []int{1, 2}, only: []string{"KillPod n2 blue"}, change: exempts(1),
	},
	{Scope: verify.Scope{Name: "nodes that lag", Lags: []world.Cache{world.NodeCache}}, nodes: 2, revisions: []int{1, 2}},
}

func faultsOf(kinds ...world.Kind) (list []verify.Fault) {
	for _, kind := range kinds {
		list = append(list, verify.Fault{Kind: kind})
	}
	return list
}

func exempts(nodes int) func(*model.Rollout) {
	return func(r *model.Rollout) { n := intstr.FromInt(nodes); r.Spec.Strategy.ExemptUnhealthy = &n }
}

// roomForOneDead: a node that dies in the middle of the first handoff keeps its seat, for nothing proves the target yet, so that the
// budget has to exceed it.
func roomForOneDead(r *model.Rollout) {
	two := intstr.FromInt32(2)
	r.Spec.Strategy.MaxUnavailable = &two
	exempts(1)(r)
}
