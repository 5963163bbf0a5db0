package verify

import (
	"errors"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// deploy returns the scope's cluster once the document's plain DaemonSet serves every node, and the document at that time. The error says
// that it does not serve with the scope's images.
func (s *Scope) deploy(first *model.Rollout) (model.Objects, *model.Rollout, error) {
	set := first.Spec.Desired.DeepCopy()
	set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
	cluster, err := model.NewCluster(model.Objects{Nodes: s.Start.Nodes, DaemonSets: []*appsv1.DaemonSet{set}})
	if err != nil {
		return model.Objects{}, nil, err
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: first}, world.Options{NoStatusCounts: true, Behaviour: s.Images})
	if err != nil {
		return model.Objects{}, nil, err
	}
	now := first.Status.ObservedAt.Time
	for range 1000 {
		now = now.Add(2 * time.Second)
		list := w.Enabled(now)
		if len(list) == 0 {
			break
		}
		if _, err := w.Do(now, list[0]); err != nil {
			return model.Objects{}, nil, err
		}
	}
	if slices.ContainsFunc(w.Nodes(), func(node string) bool { return !w.Served(node) }) {
		return model.Objects{}, nil, errors.New("the deployed DaemonSet does not serve")
	}
	truth, err := w.Truth(now, first)
	if err != nil {
		return model.Objects{}, nil, err
	}
	later := *first
	later.Status.ObservedAt.Time = now
	return property.Objects(truth.Cluster), &later, nil
}
