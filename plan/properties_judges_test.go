package plan_test

import (
	"encoding/json"
	"flag"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
)

// compare is how often a plan of a Planner is compared with that of Next, and every eighth of those is made again: it costs most of the
// time of a game, so that long runs compare a part.
var compare = flag.Int("compare", 1, "compare every n-th plan of a Planner, which remembers, with that of Next, and make every eighth of those again")

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// moment is what the properties see of the game.
func (c *chaos) moment() property.State {
	s := property.State{World: c.world, Rollout: c.rollout, Now: c.now, Installing: !c.warm, LateHandoffs: c.seen[lateHandoff]}
	if c.warm {
		s.Labelled = c.labelled
	}
	return s
}

// judgedBy lets the properties look at the game.
func (c *chaos) judgedBy(list property.List) {
	c.judge = func(c *chaos, s *model.Snapshot, p *model.Plan) error {
		planned := &property.Planned{State: c.moment(), Snapshot: s, Plan: p}
		if c.plans%(8**compare) == 0 {
			planned.Planner = c.again
		}
		if c.plans%*compare == 0 {
			planned.Memory = c.other
		}
		return list.Plan(planned)
	}
	c.look = func(c *chaos) error {
		moment := c.moment()
		return list.State(&moment)
	}
}

// over judges the game that is over.
func (c *chaos) over(list property.List) {
	if c.broke != nil {
		return
	}
	c.fail(list.End(&property.End{
		State: c.moment(), Last: &c.last, Plans: c.ended, MostPlans: mostPlans, Crashes: c.runs, Broken: c.broken,
		Later: func() (model.Plan, error) {
			c.wait(3600e9)
			return c.plan(), c.broke
		},
	}))
}
