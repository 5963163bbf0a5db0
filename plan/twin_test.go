package plan_test

import (
	"flag"
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/internal/former"
)

// While the inside of the planner is made anew, its plans are compared with the former one's: all of the stories, the cases and the
// simulations, and of the games one in so many.
var (
	every      = flag.Int64("twin", 25, "of so many plans of the random games one is compared with the former planner's; 1 compares all, 0 none")
	storyTwin  = former.Twin{Every: 1}
	randomTwin former.Twin
)

// compared is plan.Next. A Planner must plan the same, and once more when it remembers.
func compared(snapshot *model.Snapshot) (model.Plan, error) {
	planner := new(plan.Planner).Next
	return storyTwin.Watch(plan.Next, planner, planner)(snapshot)
}

// fewCompared tells of a whole run that compared too few plans to show anything; one of chosen tests says nothing.
func fewCompared() string {
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" && flag.Lookup("test.bench").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == ""
	stories, random := storyTwin.Compared(), randomTwin.Compared()
	fmt.Println("plans compared with the former planner's:", stories, "of stories, cases and simulations,", random, "of games")
	if whole && (stories < leastStories || *every > 0 && random < leastRandom/(*every)) {
		return "too few plans were compared with the former planner's"
	}
	return ""
}

const leastStories, leastRandom = 3000, 50_000
