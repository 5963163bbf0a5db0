package plan

import (
	"reflect"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/pair"
	"github.com/agent-rollout/planner/plan/internal/single"
)

// Planner plans like Next, and remembers between the plans of one rollout what does not change from one to the next: the
// rendered templates, and what was found on each node that has nothing new. Its plans are those of Next to the byte; they
// only take less time. Use one Planner a rollout: with several in turn it is right all the same, and remembers little.
//
// Objects and settings are compared by what they say, but first by their addresses: what was given in a snapshot must not be
// changed afterwards, in the way of an informer's cache. To change an object or a setting, replace it.
//
// The zero value is ready for use. A Planner is not safe for concurrent use, and holds the last cluster that it has seen.
type Planner struct {
	pair pair.Memo
	one  single.Memo
	// given is the last rollout without its facts, and defaulted the same with its defaults.
	given, defaulted *model.Rollout
}

// Next plans the next step of the rollout as the function of that name does.
func (p *Planner) Next(snapshot *model.Snapshot) (model.Plan, error) {
	rollout, err := p.validated(snapshot.Rollout)
	if err != nil {
		return model.Plan{}, err
	}
	return planned(snapshot.Cluster, rollout, &memory{&p.pair, &p.one}), nil
}

// validated returns the rollout with its defaults: the former ones where the document is the same, of which only the facts are
// looked at again. The memory compares by addresses first, and every defaulting makes new ones.
func (p *Planner) validated(rollout *model.Rollout) (*model.Rollout, error) {
	bare := *rollout
	bare.Status = model.Facts{}
	if p.given != nil && reflect.DeepEqual(p.given, &bare) && len(rollout.Validate()) == 0 {
		again := *p.defaulted
		again.Status = rollout.Status
		return &again, nil
	}
	defaulted, err := validated(rollout)
	if err == nil {
		p.given, p.defaulted = &bare, defaulted
	}
	return defaulted, err
}
