package command

import (
	"errors"
	"sync"

	"github.com/agent-rollout/planner/model"
)

// errBroken ends a run whose plans broke a property.
var errBroken = errors.New("a plan breaks a property")

// checker validates the plans of a run on a second core: the run goes on meanwhile, and ends some plans after one that is broken.
type checker struct {
	plans chan planned
	done  sync.WaitGroup
	lock  sync.Mutex
	found bool
}

type planned struct {
	snapshot *model.Snapshot
	plan     model.Plan
}

func newChecker() *checker {
	const ahead = 16
	c := &checker{plans: make(chan planned, ahead)}
	c.done.Go(func() {
		judge := validating()
		for p := range c.plans {
			if judge(p.snapshot, &p.plan) != nil {
				c.lock.Lock()
				c.found = true
				c.lock.Unlock()
			}
		}
	})
	return c
}

// check hands a plan on, and ends the run once one is found broken.
func (c *checker) check(s *model.Snapshot, p *model.Plan) error {
	c.plans <- planned{s, *p}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.found {
		return errBroken
	}
	return nil
}

// broken waits for the last plan, and tells whether any broke a property.
func (c *checker) broken() bool {
	close(c.plans)
	c.done.Wait()
	return c.found
}
