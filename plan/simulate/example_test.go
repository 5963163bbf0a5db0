package simulate_test

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// A rollout from a snapshot to its end: how long it takes, how long nodes go without an agent, and what no way to roll could
// be faster than.
func Example() {
	d, err := dump.Files("../../examples/snapshots/two-workers.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := world.New(snapshot, world.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rollout := *snapshot.Rollout
	rollout.Status.Watched = true // the executor plans when something changes, and polls for nothing
	result, err := simulate.Run(w, plan.Next, simulate.Options{Rollout: &rollout, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Outcome, "after", result.Duration.Round(time.Second))
	fmt.Println("longest time of a node without an agent:", result.LongestGap.Round(time.Second))
	fmt.Println("lower bound:", result.Bound.Total.Round(time.Second), "for", result.Bound.Nodes, "nodes,", result.Bound.Budget, "at a time")
	// Output:
	// Complete after 1m53s
	// longest time of a node without an agent: 11s
	// lower bound: 1m50s for 2 nodes, 1 at a time
}
