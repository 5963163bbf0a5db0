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

// Deploy lets the scope start where the first document's plain DaemonSet serves every node. The document's time moves on to then. The
// error says that the DaemonSet does not serve with the scope's images.
func (s *Scope) Deploy() error {
	first := s.Documents[0].Rollout
	set := first.Spec.Desired.DeepCopy()
	set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
	cluster, err := model.NewCluster(model.Objects{Nodes: s.Start.Nodes, DaemonSets: []*appsv1.DaemonSet{set}})
	if err != nil {
		return err
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: first}, world.Options{NoStatusCounts: true, Behaviour: s.Images})
	if err != nil {
		return err
	}
	now := first.Status.ObservedAt.Time
	for range 1000 {
		now = now.Add(2 * time.Second)
		list := w.Enabled(now)
		if len(list) == 0 {
			break
		}
		if _, err := w.Do(now, list[0]); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(w.Nodes(), func(node string) bool { return !w.Served(node) }) {
		return errors.New("the deployed DaemonSet does not serve")
	}
	truth, err := w.Truth(now, first)
	if err != nil {
		return err
	}
	s.Given, s.Start, first.Status.ObservedAt.Time = true, property.Objects(truth.Cluster), now
	return nil
}

// arming begins with a plain DaemonSet, whose Pods hold no locks.
func arming() (scopes []Scope) {
	base := func(name string, nodes int, faults ...Fault) Scope {
		s := Scope{
			Name: "arming" + name, Prompt: true, Coarse: true, Start: cluster(nodes), Documents: rollTo(2),
			Faults: faults, Most: len(faults), Witnesses: met("WrapperInstalled", "PairArmed", "RolloutComplete"),
		}
		for _, fault := range faults {
			s.Witnesses = append(s.Witnesses, met("fault "+fault.Kind.String())...)
		}
		if err := s.Deploy(); err != nil {
			panic(err) // good images serve
		}
		return s
	}
	wiped := base(", a DaemonSet deleted by a person, Background", 1, Fault{Kind: world.KillSet, Value: "Background"})
	wiped.Long = true
	return []Scope{
		base("", 1), base(", two nodes", 2),
		base(", a container crashes", 1, Fault{Kind: world.Crash}),
		base(", a node breaks", 1, Fault{Kind: world.BreakNode}),
		base(", a Pod deleted by a person", 1, Fault{Kind: world.KillPod}),
		wiped, base(", a DaemonSet deleted by a person, Orphan", 1, Fault{Kind: world.KillSet, Value: "Orphan"}),
	}
}
