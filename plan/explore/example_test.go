package explore_test

import (
	"fmt"

	"github.com/agent-rollout/planner/plan/explore"
)

// A light goes through its colours, and may fail while it is red.
type light struct{}

func (light) Initial() []string { return []string{"red"} }

func (light) Next(colour string, yield func(name, next string)) {
	if after, ok := map[string]string{"red": "green", "green": "amber", "amber": "red"}[colour]; ok {
		yield("change", after)
	}
	if colour == "red" {
		yield("fail", "dark")
	}
}

func (light) Key(colour string, buf []byte) []byte { return fmt.Appendf(buf, "%-5s", colour) }

func Example() {
	result, err := explore.Run(light{}, explore.Properties[string]{
		Sometimes: []explore.Witness[string]{{Name: "amber", State: func(colour string) bool { return colour == "amber" }}},
		Goals: []explore.Goal[string]{
			{Name: "green once", Reached: func(colour string) bool { return colour == "green" }},
			{Name: "green or dark again", Again: true, Reached: func(colour string) bool { return colour == "green" || colour == "dark" }},
		},
	}, explore.Options{Fair: func(name string) bool { return name != "fail" }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.States, "states,", result.Transitions, "transitions")
	for i := range result.Violations {
		fmt.Println(result.Violations[i].Error())
	}
	// Output:
	// 4 states, 4 transitions
	// green once not reached
	// from initial state 0
	//    1 fail
	// then it rests for ever
}

func ExampleReplay() {
	states, err := explore.Replay(light{}, explore.Trace{Steps: []string{"change", "change", "fail"}})
	fmt.Println(states)
	fmt.Println(err)
	// Output:
	// [red green amber]
	// step 3: fail is not enabled; enabled are: change
}
