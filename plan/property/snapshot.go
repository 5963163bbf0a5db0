package property

import (
	"encoding/json"
	"maps"
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

// Shuffled returns a deep copy with every list in another order, by choices from 0 to below n; in the same one without choices.
func Shuffled(s *model.Snapshot, choose func(n int) int) *model.Snapshot {
	return Changed(s, func(o *model.Objects, rollout *model.Rollout) {
		if choose == nil {
			return
		}
		issued, names := rollout.Status.Issued, rollout.Status.OtherPods.Nodes
		shuffle(choose, o.Nodes)
		shuffle(choose, o.Pods)
		shuffle(choose, o.DaemonSets)
		shuffle(choose, issued)
		shuffle(choose, names)
	})
}

// shuffle is the one of Fisher and Yates.
func shuffle[T any](choose func(n int) int, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := choose(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// choices hang on the seed alone: a linear congruential generator with the constants of Knuth's MMIX.
func choices(seed uint64) func(n int) int {
	return func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int((seed >> 33) % uint64(n))
	}
}
