package verify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// CutOptions say how much of a snapshot is explored.
type CutOptions struct {
	// Nodes that are kept; at least one.
	Nodes int
	// Faults and executor crashes that may happen, together at most so many of each.
	Faults int
	// Planner is plan.Next if it is nil.
	Planner Planner
}

// Kept is a node that is explored, and what it stands for.
type Kept struct {
	Node string `json:"node"`
	// Why it was kept: what tells it from the others.
	Why string `json:"why"`
	// Others are how many nodes that are like it were left out.
	Others int `json:"others"`
}

// Cutting is a scope made of a snapshot, with what the cut left out.
type Cutting struct {
	Scope Scope
	Kept  []Kept
	// Nodes is how many nodes the snapshot has, and LeftOut are kinds of node of which none is kept.
	Nodes   int
	LeftOut []Kept
	// Changed says what of the document was changed, since no duration is explored.
	Changed []string
}

// Cut makes a scope of a snapshot: a few of its nodes with their Pods, its DaemonSets, and its document without durations. Nodes
// are of one kind if the agent's state on them, their taints and their conditions are the same; kinds that are
// in flight, out of order or otherwise rare come first, and of each kind the first node by name.
//
// The error is a field.ErrorList's, or says that nothing is left to explore.
func Cut(snapshot *model.Snapshot, o CutOptions) (*Cutting, error) {
	if o.Nodes < 1 {
		return nil, fmt.Errorf("%d nodes: at least one must be kept", o.Nodes)
	}
	document, err := desired(snapshot)
	if err != nil {
		return nil, err
	}
	if snapshot.Cluster.Len() == 0 {
		return nil, errors.New("the snapshot has no node")
	}
	if strategy := document.WithDefaults().Spec.Strategy.Type; strategy != model.Pair {
		return nil, fmt.Errorf("strategy %s: only a %s is explored", strategy, model.Pair)
	}
	cut := &Cutting{Nodes: snapshot.Cluster.Len()}
	cut.Changed = timelessDocument(document)
	chosen := cut.choose(snapshot, document, o.Nodes)
	cut.Scope = Scope{
		Witnesses: reachable(o.Faults > 0),
		Name:      document.Metadata.Namespace + "/" + document.Metadata.Name, Given: true, Prompt: true, Coarse: true,
		Documents: []Document{{Name: "the document", Rollout: document, MayFail: true, Held: holds(document)}},
		Start:     objectsOf(snapshot, chosen), Planner: o.Planner,
	}
	if o.Faults > 0 {
		cut.Scope.Most, cut.Scope.Crashes = o.Faults, 1
		cut.Scope.Faults = faultsOf(world.Crash, world.LoseNode, world.KillPod)
	}
	return cut, nil
}

// reachable is what may be met in a scope that is cut; whether it can depends on the snapshot.
func reachable(faults bool) (list []Witness) {
	what := []string{"BeginOverlap", "HandoffPrepared", "CapacityFallback", "ReleaseSource", "LocksSplit", "ReturnBegun", "Blocked", "Complete"}
	if faults {
		what = append(what, "fault Crash", "fault LoseNode", "fault KillPod", "crash,", "late")
	}
	for _, what := range what {
		list = append(list, Witness{What: what})
	}
	return list
}

// NotChecked says what a search of the scope does not tell, one sentence each.
func (c *Cutting) NotChecked(result *explore.Result) (lines []string) {
	if !result.Exhaustive() {
		lines = append(lines, "states beyond the limit of "+result.Limit+", and with them every promise that is marked as not judged")
	}
	if rest := c.Nodes - len(c.Kept); rest > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d nodes: numbers and percentages are taken of the %d that are kept", rest, c.Nodes, len(c.Kept)))
	}
	for _, kind := range c.LeftOut {
		more := ""
		if kind.Others > 0 {
			more = fmt.Sprintf(" and %d more", kind.Others)
		}
		lines = append(lines, fmt.Sprintf("a kind of node: %s (%s%s)", kind.Why, kind.Node, more))
	}
	for _, change := range c.Changed {
		lines = append(lines, "durations: "+change)
	}
	if c.Scope.Most == 0 {
		lines = append(lines, "faults, people's hands, and crashes of the executor")
	} else {
		lines = append(lines, fmt.Sprintf("more than %d faults and one crash of the executor in one run, and other faults than: a container crashes, a node is lost and comes back, a person deletes a Pod", c.Scope.Most))
	}
	return append(lines,
		"caches that lag, and anything between the requests of one plan",
		"changes of other workloads' Pods, and preemption",
		"a revision that is bad, and another one that is desired meanwhile: what images do is taken to be good",
		"how long anything takes, and how many plans it takes")
}

// desired checks the document, and copies it.
func desired(snapshot *model.Snapshot) (*model.Rollout, error) {
	if snapshot == nil || snapshot.Cluster == nil || snapshot.Rollout == nil {
		return nil, errors.New("a snapshot needs a cluster and a document")
	}
	if _, err := plan.Next(snapshot); err != nil {
		return nil, err
	}
	document := *snapshot.Rollout
	return &document, nil
}

// timelessDocument takes the durations out of a document, and says which.
func timelessDocument(r *model.Rollout) (changed []string) {
	zero, late := int32(0), int32(Deadline/time.Second)
	defaults := r.WithDefaults()
	changed = append(changed,
		fmt.Sprintf("strategy.settleSeconds %d → 0", *defaults.Spec.Strategy.SettleSeconds),
		fmt.Sprintf("failure.progressDeadlineSeconds %d → passes at once, or not at all", *defaults.Spec.Failure.ProgressDeadlineSeconds))
	r.Spec.Strategy.SettleSeconds, r.Spec.Failure.ProgressDeadlineSeconds = &zero, &late
	if slow := r.Spec.Strategy.SlowStart; slow != nil {
		own := *slow
		changed = append(changed, fmt.Sprintf("strategy.slowStart.interval %s → passes at once, or not at all", own.Interval.Duration))
		own.Interval = metav1.Duration{Duration: Deadline}
		r.Spec.Strategy.SlowStart = &own
	}
	if d := r.Spec.Desired; d != nil && d.Spec.MinReadySeconds > 0 {
		changed = append(changed, fmt.Sprintf("desired.spec.minReadySeconds %d → 0", d.Spec.MinReadySeconds))
		r.Spec.Desired = d.DeepCopy()
		r.Spec.Desired.Spec.MinReadySeconds = 0
	}
	r.Status.Watched, r.Status.Issued = true, nil
	return changed
}

// holds tells whether a setting holds nodes back.
func holds(r *model.Rollout) bool {
	s := &r.Spec.Strategy
	return s.Paused || s.Frozen || s.Partition != nil && *s.Partition != intstr.FromInt32(0)
}

// objectsOf are the chosen nodes with their Pods, and the DaemonSets.
func objectsOf(snapshot *model.Snapshot, chosen map[string]bool) model.Objects {
	objects := property.Objects(snapshot.Cluster)
	objects.Nodes = slices.DeleteFunc(objects.Nodes, func(node *corev1.Node) bool { return !chosen[node.Name] })
	objects.Pods = slices.DeleteFunc(objects.Pods, func(pod *corev1.Pod) bool {
		node, known := model.NodeOf(pod)
		return known && !chosen[node]
	})
	for i, set := range objects.DaemonSets {
		if set.Namespace == snapshot.Rollout.Metadata.Namespace && set.Spec.MinReadySeconds > 0 {
			own := set.DeepCopy()
			own.Spec.MinReadySeconds = 0
			objects.DaemonSets[i] = own
		}
	}
	return objects
}
