// Package former is the planner as it was before its inside was made anew, for as long as that takes: plans must stay the same to
// the byte. Tests alone use it.
package former

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/pair"
	"github.com/agent-rollout/planner/plan/internal/former/single"
)

// Next plans as plan.Next did. The rollout must be valid.
func Next(snapshot *model.Snapshot) model.Plan {
	again := &model.Snapshot{Cluster: snapshot.Cluster, Rollout: snapshot.Rollout.WithDefaults()}
	switch again.Rollout.Spec.Strategy.Type {
	case model.Surge, model.RollingUpdate:
		return single.Plan(again, nil)
	case model.Pair:
	}
	return pair.Plan(again, nil)
}

// Planner is one planning step.
type Planner = func(*model.Snapshot) (model.Plan, error)

// Twin compares plans with the former planner's, one in every so many.
type Twin struct {
	Every           int64
	asked, compared atomic.Int64
}

// Compared is how many plans were compared.
func (t *Twin) Compared() int64 { return t.compared.Load() }

// Watch returns the planner, which panics where its plan, or that of another one that must be the same, is not the former one's.
func (t *Twin) Watch(next Planner, others ...Planner) Planner {
	return func(snapshot *model.Snapshot) (model.Plan, error) {
		plan, err := next(snapshot)
		if err != nil || t.Every == 0 || t.asked.Add(1)%t.Every != 0 {
			return plan, err
		}
		want := text(Next(snapshot))
		same(want, text(plan))
		for _, other := range others {
			again, err := other(snapshot)
			if err != nil {
				return plan, err
			}
			same(want, text(again))
		}
		t.compared.Add(1)
		return plan, nil
	}
}

func text(plan model.Plan) string {
	out, err := json.Marshal(plan)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// same panics where two plans differ.
func same(want, got string) {
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, at-300):min(len(s), at+300)] }
	panic(fmt.Sprintf("another plan than the former one's, from byte %d on:\n  was … %s …\n  is  … %s …", at, cut(want), cut(got)))
}
