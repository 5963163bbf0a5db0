package arena

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/baseline"
	"github.com/agent-rollout/planner/plan/world"
)

// Arena is what every way to roll starts from: the nodes and other workloads of a snapshot, the conventional DaemonSet
// that is deployed, and the one that is desired. It may be used by several goroutines at a time.
type Arena struct {
	snapshot         *model.Snapshot
	deployed, wanted *appsv1.DaemonSet
	// objects are the cluster's without the rollout; down are the nodes that were not Ready. They are Ready in objects, so
	// that the deployed revision gets its Pods there too, and fall silent before the rollout begins.
	objects model.Objects
	down    []string
	// tainted says that nodes that are not Ready carry the taints for it.
	tainted bool
	// conventional says that the snapshot has no pair yet.
	conventional bool
}

// NothingError says why there is nothing to compare.
type NothingError struct{ Cause string }

// Error is the cause.
func (e *NothingError) Error() string { return e.Cause }

// New makes the arena of a snapshot, which it leaves as it is. The error is a *NothingError, or what plan.Render says of a
// desired DaemonSet that cannot be made.
func New(snapshot *model.Snapshot) (*Arena, error) {
	wanted, err := baseline.Conventional(snapshot)
	if err != nil {
		return nil, err
	}
	before := *snapshot.Rollout
	before.Spec.Desired, before.Spec.DesiredFrom = nil, &model.DesiredFrom{Name: wanted.Name}
	deployed, err := baseline.Conventional(&model.Snapshot{Cluster: snapshot.Cluster, Rollout: &before})
	var missing *plan.BlockedError
	switch {
	case errors.As(err, &missing) && missing.Reason == model.DesiredMissing:
		return nil, &NothingError{fmt.Sprintf("DaemonSet %s/%s is not in the inputs: nothing is deployed, so there is no rollout to compare", wanted.Namespace, wanted.Name)}
	case err != nil:
		return nil, err
	}
	if equality.Semantic.DeepEqual(deployed.Spec.Template, wanted.Spec.Template) {
		return nil, &NothingError{"the desired template is deployed already: there is no rollout to compare; desire another image, as in --set images.CONTAINER=IMAGE"}
	}
	a := &Arena{snapshot: snapshot, deployed: deployed, wanted: wanted}
	a.clear()
	return a, nil
}

// Down are the nodes of the snapshot that are not Ready, in the order of names: they stay so throughout.
func (a *Arena) Down() []string { return slices.Clone(a.down) }

// keys are those of the snapshot's rollout.
func (a *Arena) keys() model.Keys {
	r := a.snapshot.Rollout
	return model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name)
}

// clear takes the rollout out of the cluster.
func (a *Arena) clear() {
	cluster, keys := a.snapshot.Cluster, a.keys()
	names := []string{a.wanted.Name, greenName(a.wanted.Name, a.snapshot.Rollout)}
	owned := map[string]bool{}
	for _, set := range cluster.DaemonSets() {
		if set.Namespace == a.wanted.Namespace && slices.Contains(names, set.Name) {
			owned[string(set.UID)] = true
			_, paired := set.Spec.Template.Annotations[keys.Mode]
			a.conventional = a.conventional || set.Name == names[0] && !paired
			continue
		}
		a.objects.DaemonSets = append(a.objects.DaemonSets, set)
	}
	for i := range cluster.Len() {
		a.objects.Nodes = append(a.objects.Nodes, a.well(cluster.Node(i), keys))
		for _, pod := range cluster.Pods(i) {
			if !owned[string(model.ControllerUID(pod))] {
				a.objects.Pods = append(a.objects.Pods, pod)
			}
		}
	}
}

// well is the node without the rollout's marks, and Ready.
func (a *Arena) well(node *corev1.Node, keys model.Keys) *corev1.Node {
	node = node.DeepCopy()
	delete(node.Labels, keys.NodeSlot)
	maps.DeleteFunc(node.Annotations, func(key, _ string) bool {
		return key == keys.NodeCandidate || key == keys.NodeMoved || key == keys.NodeFence
	})
	if model.NodeReady(node) {
		return node
	}
	a.down = append(a.down, node.Name)
	taints := len(node.Spec.Taints)
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable
	})
	a.tainted = a.tainted || len(node.Spec.Taints) < taints
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			c.Status = corev1.ConditionTrue
		}
	}
	return node
}

func greenName(blue string, r *model.Rollout) string {
	suffix := r.WithDefaults().Spec.Slots.Green.Suffix
	return strings.TrimRight(blue[:min(len(blue), model.GreenNameLimit-len(suffix))], "-") + suffix
}

// rollout is the snapshot's with the desired DaemonSet and the strategy.
func (a *Arena) rollout(desired *appsv1.DaemonSet, strategy model.Strategy) *model.Rollout {
	r := *a.snapshot.Rollout
	r.Spec.Intent, r.Spec.Desired, r.Spec.DesiredFrom, r.Spec.Decision = model.Run, desired.DeepCopy(), nil, model.Decision{}
	r.Spec.Strategy = strategy
	r.Metadata.Annotations = nil
	r.Status = model.Facts{ObservedAt: r.Status.ObservedAt, Watched: true, OtherPods: model.OtherPods{All: true}}
	return &r
}

// steady is a way to roll in its steady state, before the rollout.
type steady struct {
	world *world.World
	start time.Time
}

// install lets the planner install what is deployed, on nodes that have nothing of it yet. The result tells how that
// ended.
func (e *entry) install() (*steady, simulate.Result, error) {
	cluster, err := model.NewCluster(e.objects)
	if err != nil {
		return nil, simulate.Result{}, err
	}
	r := e.rollout(e.deployed, e.strategy)
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: r}, world.Options{NoLifecycleTaints: !e.tainted})
	if err != nil {
		return nil, simulate.Result{}, err
	}
	result, err := simulate.Run(w, e.way.planner(), simulate.Options{Rollout: r, AllowDouble: true, OnStep: e.onStep(nil)})
	if err != nil || result.Outcome != simulate.Complete {
		return nil, result, err
	}
	// All that settles by itself has settled a minute later.
	start := r.Status.ObservedAt.Add(result.Duration + time.Minute)
	for _, name := range e.down {
		if _, err := w.Do(start, world.Transition{Kind: world.BreakNode, Node: name}); err != nil {
			return nil, result, fmt.Errorf("node %s: %w", name, err)
		}
	}
	return &steady{world: w, start: start}, result, nil
}

// arm makes the pair of the snapshot as it is, at the deployed revision: what that costs is paid once.
func (a *Arena) arm(e *entry, o simulate.Options) (simulate.Result, error) {
	r := a.rollout(a.deployed, e.way.strategy(a.snapshot.Rollout))
	r.Metadata.Annotations = a.snapshot.Rollout.Metadata.Annotations
	w, err := world.New(&model.Snapshot{Cluster: a.snapshot.Cluster, Rollout: r}, world.Options{NoLifecycleTaints: !a.tainted})
	if err != nil {
		return simulate.Result{}, err
	}
	o.Rollout = r
	return simulate.Run(w, e.way.planner(), o)
}

// roll runs the rollout from the steady state, which stays as it is.
func (e *entry) roll(s *steady, o simulate.Options) (simulate.Result, error) {
	return simulate.Run(s.world.Clone(), e.way.planner(), e.rolling(s, o))
}

// raise rolls once more with more of what held the first draw back.
func (e *entry) raise(s *steady, first *simulate.Result) (*simulate.Raised, error) {
	o := simulate.Options{Seed: e.options.Seed, Timings: e.options.Timings, AllowDouble: e.way.Is != Ours, OnStep: e.onStep(e.judge)}
	return simulate.Raise(s.world, e.way.planner(), e.rolling(s, o), first)
}

func (e *entry) rolling(s *steady, o simulate.Options) simulate.Options {
	o.Rollout, o.Start = e.rollout(e.wanted, e.strategy), s.start
	o.Rollout.Status.ObservedAt = metav1.NewTime(s.start)
	return o
}
