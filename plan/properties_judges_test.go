package plan_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
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
		if err := c.sameJudgement(s, p); err != nil {
			return err
		}
		return list.Plan(planned)
	}
	c.look = func(c *chaos) error {
		moment := c.moment()
		return list.State(&moment)
	}
}

// sameJudgement compares a Validator, which remembers, with Validate: on the plan, and on one that is wrong in everything, so that what is found tells
// what every node came to: no node is reported, the limits are 0, and former actions are sent again.
func (c *chaos) sameJudgement(s *model.Snapshot, p *model.Plan) error {
	if !c.honest {
		return nil // mutants change what they were given
	}
	tight, wrong := *s.Rollout, *p
	tight.Spec.Strategy.MaxUnavailable, tight.Spec.Strategy.MaxSurge, tight.Spec.Strategy.ExemptUnhealthy = number(0), number(0), nil
	wrong.Nodes, wrong.Actions = nil, slices.Concat(p.Actions, c.past)
	for i, judged := range []struct {
		*model.Rollout
		*model.Plan
	}{{s.Rollout, p}, {&tight, &wrong}} {
		snapshot := &model.Snapshot{Cluster: s.Cluster, Rollout: judged.Rollout}
		found, again := plan.Validate(snapshot, judged.Plan), c.validators[i].Validate(snapshot, judged.Plan)
		if !slices.Equal(found, again) {
			return fmt.Errorf("a Validator finds %v, and Validate %v", again, found)
		}
		c.seen["violations compared"] += len(found)
	}
	return nil
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
