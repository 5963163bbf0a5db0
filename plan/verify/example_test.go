package verify_test

import (
	"fmt"

	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/verify"
)

// Every state that a rollout can come to from a snapshot, on one of its nodes.
func Example() {
	d, err := dump.Files("../../examples/snapshots/half-way.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	cut, err := verify.Cut(snapshot, verify.CutOptions{Nodes: 1, Planner: plan.Next})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := verify.New(cut.Scope)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := model.Run(verify.Options{MaxStates: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("kept:", cut.Kept[0].Node)
	fmt.Printf("%d states, %d transitions, exhaustive: %t, violations: %d\n", result.States, result.Transitions, result.Exhaustive(), len(result.Violations))
	// Output:
	// kept: worker-4
	// 26 states, 34 transitions, exhaustive: true, violations: 0
}
