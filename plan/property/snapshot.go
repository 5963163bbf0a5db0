package property

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/agent-rollout/planner/model"
)

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil { // plans and API objects have no field that cannot be written
		panic(err)
	}
	return string(text)
}

func text(s *model.Snapshot) string { return jsonOf(Objects(s.Cluster)) + jsonOf(s.Rollout) }

// Objects lists what a cluster was made from.
func Objects(c *model.Cluster) (o model.Objects) {
	for i := range c.Len() {
		o.Nodes = append(o.Nodes, c.Node(i))
		o.Pods = append(o.Pods, c.Pods(i)...)
	}
	o.Pods = append(o.Pods, c.Stray()...)
	o.DaemonSets = append(o.DaemonSets, c.DaemonSets()...)
	return o
}

// Changed returns a deep copy of the snapshot after a change of its objects and its document. It panics if the objects
// make no cluster any more.
func Changed(s *model.Snapshot, change func(*model.Objects, *model.Rollout)) *model.Snapshot {
	o := Objects(s.Cluster)
	for i := range o.Nodes {
		o.Nodes[i] = o.Nodes[i].DeepCopy()
	}
	for i := range o.Pods {
		o.Pods[i] = o.Pods[i].DeepCopy()
	}
	for i := range o.DaemonSets {
		o.DaemonSets[i] = o.DaemonSets[i].DeepCopy()
	}
	r := *s.Rollout
	r.Metadata.Annotations = maps.Clone(r.Metadata.Annotations)
	r.Status.Issued = slices.Clone(r.Status.Issued)
	r.Status.OtherPods.Nodes = slices.Clone(r.Status.OtherPods.Nodes)
	if r.Spec.Desired != nil {
		r.Spec.Desired = r.Spec.Desired.DeepCopy()
	}
	change(&o, &r)
	cluster, err := model.NewCluster(o)
	if err != nil {
		panic(err)
	}
	return &model.Snapshot{Cluster: cluster, Rollout: &r}
}

// Shuffled returns a deep copy with every list in another order; in the same one without randomness.
func Shuffled(s *model.Snapshot, r *rand.Rand) *model.Snapshot {
	return Changed(s, func(o *model.Objects, rollout *model.Rollout) {
		if r == nil {
			return
		}
		issued, names := rollout.Status.Issued, rollout.Status.OtherPods.Nodes
		shuffle(r, o.Nodes)
		shuffle(r, o.Pods)
		shuffle(r, o.DaemonSets)
		shuffle(r, issued)
		shuffle(r, names)
	})
}

func shuffle[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}
