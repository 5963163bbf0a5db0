package budget_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/budget"
)

// Twenty nodes with maxUnavailable 15%, of which one is on its way to the target and one is broken: the moves are asked for
// one by one, and every answer depends on those before it.
func Example() {
	unavailable, err := budget.Resolve(intstr.FromString("15%"), 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	limits := budget.Limits{Cohort: 20, Unavailable: unavailable, Window: 6, Writes: 250}
	account := budget.Account{Ledger: budget.Ledger{Eligible: 20, Available: 18, Ambient: 1, Committed: 1}, OffSource: 1}
	fmt.Println(account.Ledger)

	available := budget.Cost{Seat: budget.PaidSeat, OffSource: 1, Writes: 1}
	broken := budget.Cost{Seat: budget.FreeSeat, OffSource: 1, Writes: 1}
	fmt.Println("an available node:", account.Admit(limits, available))
	fmt.Println("one more:", account.Admit(limits, available))
	fmt.Println("the broken node:", account.Admit(limits, broken))
	fmt.Println(account.Ledger)
	// Output:
	// 20 eligible = 18 available + 1 ambient + 1 committed
	// an available node: admitted
	// one more: budget
	// the broken node: admitted
	// 20 eligible = 17 available + 0 ambient + 3 committed
}

// A percentage is rounded up, as a DaemonSet does it; a number in quotes is an error.
func ExampleResolve() {
	for _, value := range []intstr.IntOrString{intstr.FromInt32(3), intstr.FromString("5%"), intstr.FromString("5")} {
		fmt.Println(budget.Resolve(value, 288))
	}
	// Output:
	// 3 <nil>
	// 15 <nil>
	// 0 must be an int (without quotes) or a percentage such as "5%"
}
