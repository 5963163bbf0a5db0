package plan

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/pair"
	"github.com/agent-rollout/planner/plan/internal/single"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
)

// Rendering is what a rollout makes of its desired DaemonSet.
type Rendering struct {
	// Revision is the SHA-256, in hex, of the prepared template's canonical JSON, or the recorded revision of a slot
	// whose deployed template says the same.
	Revision string
	// Conventional is the desired DaemonSet as it came.
	Conventional *appsv1.DaemonSet
	// Blue and Green are the slots' DaemonSets, OnDelete. The active one, blue if there is no pair yet, also takes
	// nodes without the slot label. A rollout on one DaemonSet has only Blue.
	Blue, Green *appsv1.DaemonSet
}

// BlockedError says why nothing can be rendered. It unwraps to a *RefusedError if it is for the template.
type BlockedError = step.BlockedError

// RefusedError lists all that keeps a template from being rolled out, each with its field path.
type RefusedError = step.RefusedError

// Render returns what Next would write as the two slots, or as the one DaemonSet. The error is a *DocumentError, or a *BlockedError with
// every refusal of the template.
func Render(snapshot *model.Snapshot) (Rendering, error) {
	rollout, err := validated(snapshot.Rollout)
	if err != nil {
		return Rendering{}, err
	}
	defaulted := &model.Snapshot{Cluster: snapshot.Cluster, Rollout: rollout}
	switch rollout.Spec.Strategy.Type {
	case model.Surge, model.RollingUpdate:
		r, err := single.Rendered(defaulted)
		if err != nil {
			return Rendering{}, err
		}
		return Rendering{Revision: r.Revision, Conventional: r.Conventional.DeepCopy(), Blue: r.Set()}, nil
	case model.Pair:
	}
	r, owner, err := pair.Rendered(defaulted)
	if err != nil {
		return Rendering{}, err
	}
	return Rendering{
		Revision:     r.Revision,
		Conventional: r.Conventional.DeepCopy(),
		Blue:         r.Slot(model.Blue, owner == model.Blue),
		Green:        r.Slot(model.Green, owner == model.Green),
	}, nil
}
