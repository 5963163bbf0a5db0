package plan

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/pair"
	"github.com/agent-rollout/planner/plan/internal/single"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DocumentError lists every fault of the Rollout document. It is the only error of Next: an odd cluster
// object is a report, and what must not proceed is a plan without actions.
type DocumentError struct {
	Faults field.ErrorList
}

// Error lists the faults, one a line, each with its field path.
func (e *DocumentError) Error() string {
	text := "the Rollout document has a fault:"
	if len(e.Faults) > 1 {
		text = fmt.Sprintf("the Rollout document has %d faults:", len(e.Faults))
	}
	for _, fault := range e.Faults {
		text += "\n  " + fault.Error()
	}
	return text
}

// Next plans the next step of a rollout. It is pure: the same snapshot gives the same plan to the byte, and
// the snapshot is not changed. The error is a *DocumentError.
func Next(snapshot *model.Snapshot) (model.Plan, error) {
	rollout, err := validated(snapshot.Rollout)
	if err != nil {
		return model.Plan{}, err
	}
	return planned(snapshot.Cluster, rollout, &memory{}), nil
}

// memory is what a strategy keeps between plans; nil for nothing.
type memory struct {
	pair *pair.Memo
	one  *single.Memo
}

// planned plans the strategy of a valid rollout.
func planned(cluster *model.Cluster, rollout *model.Rollout, m *memory) model.Plan {
	snapshot := &model.Snapshot{Cluster: cluster, Rollout: rollout}
	switch rollout.Spec.Strategy.Type {
	case model.Surge, model.RollingUpdate:
		return single.Plan(snapshot, m.one)
	case model.Pair:
	}
	return pair.Plan(snapshot, m.pair)
}

// validated returns the rollout with its defaults.
func validated(rollout *model.Rollout) (*model.Rollout, error) {
	faults := rollout.Validate()
	defaulted := rollout.WithDefaults()
	if defaulted.Spec.Strategy.Overlap == model.Locked {
		_, more := lockspec.Resolve(defaulted.Spec.Lock, field.NewPath("spec", "lock"))
		faults = append(faults, more...)
	}
	if len(faults) > 0 {
		return nil, &DocumentError{Faults: faults}
	}
	return defaulted, nil
}
