package explore_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
)

var (
	which = flag.String("scope", "", "long runs the longer scopes too, a name runs that one")
	limit = flag.Int("states", 0, "stops every scope at so many states; 0 explores all")
)

// scopes are explored in this order. The first ones are the ones to read: everything is interleaved with everything.
var scopes = []scope{
	{
		name:  "no fault",
		nodes: 2, revisions: []int{1, 2},
		met: []string{"HandoffPrepared", "RolloutComplete"},
	},
	{
		name:  "a full node",
		nodes: 2, full: 1, revisions: []int{1, 2},
		met: []string{"CapacityFallback", "RolloutComplete"},
	},
	{
		name:  "nodes lag",
		nodes: 2, lags: []world.Cache{world.NodeCache}, revisions: []int{1, 2},
		met: []string{"show Node", "RolloutComplete"},
	},
	{
		name:  "Pods lag",
		nodes: 2, lags: []world.Cache{world.PodCache}, revisions: []int{1, 2},
		met: []string{"show Pod", "RolloutComplete"},
	},
	{
		name:  "DaemonSets lag",
		nodes: 2, lags: []world.Cache{world.DaemonSetCache}, revisions: []int{1, 2},
		met: []string{"show DaemonSet", "RolloutComplete"},
	},
	{
		name:   "all caches lag",
		prompt: true, coarse: true, nodes: 2, lags: world.Caches(), revisions: []int{1, 2},
		met: []string{"show Node", "show Pod", "show DaemonSet", "RolloutComplete"},
	},
	{
		name:  "fresh",
		fresh: true, prompt: true, coarse: true, nodes: 2, crashes: 1, revisions: []int{1},
		met: []string{"SlotMissing", "crash,", "late"},
	},
	{
		name:  "released",
		nodes: 2, overlap: model.Never, revisions: []int{1, 2},
		met: []string{"ReleaseSource", "AdmitTarget", "RolloutComplete"},
	},
	{
		name:   "released, back",
		coarse: true, nodes: 2, overlap: model.Never, revisions: []int{1, 2, 1},
		met: []string{"ReleaseSource", "ReturnBegun", "RolloutComplete"},
	},
	{
		name:   "back",
		prompt: true, coarse: true, nodes: 2, revisions: []int{1, 2, 1},
		met: []string{"ReturnBegun", "TakeBack", "ReturnComplete", "RolloutComplete"},
	},
	{
		name:   "superseded",
		prompt: true, coarse: true, nodes: 2, revisions: []int{1, 2, 3},
		met: []string{"ReturnBegun", "ReturnComplete", "RolloutComplete"},
	},
	{
		name:   "takeover",
		prompt: true, coarse: true, nodes: 2, crashes: 1, revisions: []int{1, 2},
		met: []string{"crash,", "late", "NodeFenced", "RolloutComplete"},
	},
	{
		name:   "a container crashes",
		prompt: true, coarse: true, nodes: 2, most: 1, faults: faultsOf(world.Crash), revisions: []int{1, 2},
		met: []string{"fault Crash", "LocksSplit", "RolloutComplete"},
	},
	{
		name:   "a node breaks",
		prompt: true, coarse: true, nodes: 2, most: 1, faults: faultsOf(world.BreakNode), revisions: []int{1, 2},
		met: []string{"fault BreakNode", "MendNode", "RolloutComplete"},
	},
	{
		name:  "never ready",
		nodes: 2, bad: 2, images: map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}, prompt: true, coarse: true, revisions: []int{1, 2, 3},
		met: []string{"time passes", "ReturnBegun", "ReturnComplete", "FailureForgotten", "RolloutComplete"},
	},
	{
		name:  "never pulled",
		nodes: 2, bad: 2, images: map[string]world.Behaviour{"agent:2": world.PullFails}, prompt: true, coarse: true, revisions: []int{1, 2, 3},
		met: []string{"time passes", "ReturnBegun", "ReturnComplete", "RolloutComplete"},
	},

	{
		name: "a Pod deleted", long: true,
		prompt: true, coarse: true, nodes: 2, most: 1, faults: faultsOf(world.KillPod), revisions: []int{1, 2},
		met: []string{"fault KillPod", "RolloutComplete"},
	},
	{
		name: "a label edited", long: true,
		prompt: true, coarse: true, nodes: 2, most: 1, faults: edits, revisions: []int{1, 2},
		met: []string{"fault EditLabel", "RolloutComplete"},
	},
	{
		name: "crash loop", long: true,
		nodes: 2, maxRestarts: 1, bad: 2, images: map[string]world.Behaviour{"agent@agent:2": world.CrashLoops}, prompt: true, coarse: true, revisions: []int{1, 2, 3},
		met: []string{"ReturnBegun", "ReturnComplete", "RolloutComplete"},
	},
	{
		name: "takeover, every step", long: true,
		nodes: 2, crashes: 1, revisions: []int{1, 2},
		met: []string{"crash,", "late", "NodeFenced", "RolloutComplete"},
	},
	{
		name: "a node breaks, every step", long: true,
		nodes: 2, most: 1, faults: faultsOf(world.BreakNode), revisions: []int{1, 2},
		met: []string{"fault BreakNode", "MendNode", "RolloutComplete"},
	},
	{
		name: "a container crashes, every step", long: true,
		nodes: 2, most: 1, faults: faultsOf(world.Crash), revisions: []int{1, 2},
		met: []string{"fault Crash", "LocksSplit", "RolloutComplete"},
	},
	{
		name: "nodes and Pods lag, takeover", long: true,
		prompt: true, coarse: true, nodes: 2, crashes: 1, lags: []world.Cache{world.NodeCache, world.PodCache}, revisions: []int{1, 2},
		met: []string{"show Node", "show Pod", "crash,", "late", "NodeFenced", "RolloutComplete"},
	},
	{
		name: "Pods lag, back", long: true,
		prompt: true, coarse: true, nodes: 2, lags: []world.Cache{world.PodCache}, revisions: []int{1, 2, 1},
		met: []string{"show Pod", "ReturnBegun", "RolloutComplete"},
	},
	{
		name: "one node, a fault of any kind", long: true,
		prompt: true, coarse: true, nodes: 1, most: 1, faults: anything, revisions: []int{1, 2},
		met: []string{"fault Crash", "fault BreakNode", "fault KillPod", "fault EditLabel", "LocksSplit", "RolloutComplete"},
	},
	{
		name: "one node, two faults of any kind", long: true,
		prompt: true, coarse: true, nodes: 1, most: 2, faults: anything, revisions: []int{1, 2},
		met: []string{"fault Crash", "fault BreakNode", "fault KillPod", "fault EditLabel", "LocksSplit", "RolloutComplete"},
	},
	{
		name: "one node, back, a fault of any kind", long: true,
		prompt: true, coarse: true, nodes: 1, most: 1, faults: anything, revisions: []int{1, 2, 1},
		met: []string{"fault Crash", "fault BreakNode", "fault KillPod", "fault EditLabel", "ReturnBegun", "RolloutComplete"},
	},
	{
		name: "a full node, a container crashes", long: true,
		prompt: true, coarse: true, nodes: 2, full: 1, most: 1, faults: faultsOf(world.Crash), revisions: []int{1, 2},
		met: []string{"CapacityFallback", "fault Crash", "RolloutComplete"},
	},
}

// chosen are the scopes that the flag asks for.
func chosen() (list []scope) {
	for _, s := range scopes {
		if s.name == *which || *which == "long" || *which == "" && !s.long {
			list = append(list, s)
		}
	}
	return list
}

// Every state of every scope keeps the properties, and the rollout completes from each.
func TestScopes(t *testing.T) {
	require.NotEmpty(t, chosen(), "no scope is called %q", *which)
	for _, s := range chosen() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			m, err := s.model()
			require.NoError(t, err)
			result, err := explore.Run(m, m.properties(), explore.Options{MaxStates: *limit, Fair: fair, Clock: time.Now})
			require.NoError(t, err)
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			t.Logf("%s\n  memory of the process: %d MiB", result, memory.Sys>>20)
			require.Empty(t, result.Violations)
		})
	}
}

func faultsOf(kinds ...world.Kind) func(*state) []world.Transition {
	return func(s *state) (list []world.Transition) {
		for _, t := range s.world.Faults(s.now) {
			for _, kind := range kinds {
				if t.Kind == kind {
					list = append(list, t)
				}
			}
		}
		return list
	}
}

// anything is every fault that the scopes know.
func anything(s *state) []world.Transition {
	return append(faultsOf(world.Crash, world.BreakNode, world.LoseNode, world.RebootNode, world.KillPod, world.FailPod)(s), edits(s)...)
}

// edits are what a person may do to a node's label.
func edits(s *state) (list []world.Transition) {
	key := model.NewKeys("", namespace, name).NodeSlot
	for _, node := range s.world.Nodes() {
		for _, value := range []string{"=blue", "=green", "=blue-to-green", "-"} {
			list = append(list, world.Transition{Kind: world.EditLabel, Node: node, Value: key + value})
		}
	}
	return list
}
