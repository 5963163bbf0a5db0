package plan_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPlannerSeesEveryChange changes one thing at a time on a cluster that the Planner has seen, and goes back.
func TestPlannerSeesEveryChange(t *testing.T) {
	edits := map[string]func(*model.Objects, *model.Rollout){
		"nothing":            func(*model.Objects, *model.Rollout) {},
		"a node leaves":      func(o *model.Objects, _ *model.Rollout) { o.Nodes = o.Nodes[1:] },
		"the last node goes": func(o *model.Objects, _ *model.Rollout) { o.Nodes = o.Nodes[:len(o.Nodes)-1] },
		"a node joins": func(o *model.Objects, _ *model.Rollout) {
			o.Nodes = append(o.Nodes, anotherNode("a-node"), anotherNode("z-node"))
		},
		"a node is renamed": func(o *model.Objects, _ *model.Rollout) { o.Nodes[1] = anotherNode("node-000001b") },
		"a node is tainted": func(o *model.Objects, _ *model.Rollout) { o.Nodes[1] = tainted(o.Nodes[1]) },
		"a Pod goes": func(o *model.Objects, _ *model.Rollout) {
			o.Pods = slices.Delete(o.Pods, agent(o.Pods), agent(o.Pods)+1)
		},
		"a Pod is not Ready": func(o *model.Objects, _ *model.Rollout) { i := agent(o.Pods); o.Pods[i] = notReady(o.Pods[i]) },
		"time goes on": func(_ *model.Objects, r *model.Rollout) {
			r.Status.ObservedAt = metav1.NewTime(r.Status.ObservedAt.Add(time.Hour))
		},
		"time goes back": func(_ *model.Objects, r *model.Rollout) {
			r.Status.ObservedAt = metav1.NewTime(r.Status.ObservedAt.Add(-8 * time.Minute))
		},
		"another executor":    func(_ *model.Objects, r *model.Rollout) { r.Status.Executor = model.Executor{ID: "new", Listed: true} },
		"a wider budget":      func(_ *model.Objects, r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = number(3) },
		"no overlap":          func(_ *model.Objects, r *model.Rollout) { r.Spec.Strategy.Overlap = model.Never },
		"another revision":    func(_ *model.Objects, r *model.Rollout) { r.Spec.Desired = conventional("3") },
		"the owner tears all": func(_ *model.Objects, r *model.Rollout) { r.Spec.Intent = model.Teardown },
		"an image by hand": func(o *model.Objects, _ *model.Rollout) {
			set := o.DaemonSets[0].DeepCopy()
			set.Spec.Template.Spec.Containers[0].Image = "by:hand"
			o.DaemonSets[0] = set
		},
		"the record": func(o *model.Objects, _ *model.Rollout) {
			for i, set := range o.DaemonSets {
				o.DaemonSets[i] = set.DeepCopy()
				delete(o.DaemonSets[i].Annotations, slotKeys.TargetSlot)
				delete(o.DaemonSets[i].Annotations, slotKeys.TargetRevision)
			}
		},
		"an action is issued": func(o *model.Objects, r *model.Rollout) {
			r.Status.Issued = []model.Issued{{At: r.Status.ObservedAt, Action: model.Action{Kind: model.SetNodeSlot, Node: o.Nodes[2].Name, Cost: model.Cost{Seat: "paid"},
				Write: model.Write{Object: model.ObjectRef{Kind: "Node", Name: o.Nodes[2].Name, UID: o.Nodes[2].UID}, Patch: &model.Patch{}}}}}
		},
	}
	changed := map[string]bool{}
	for _, advancing := range []bool{false, true} {
		objects, rollout := fleet(t, 12, advancing)
		slices.SortFunc(objects.Nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
		var planner plan.Planner
		for _, name := range slices.Sorted(maps.Keys(edits)) {
			first := sameAsNext(t, &planner, objects, rollout, "before "+name)
			o, r := model.Objects{Nodes: slices.Clone(objects.Nodes), Pods: slices.Clone(objects.Pods), DaemonSets: slices.Clone(objects.DaemonSets)}, *rollout
			edits[name](&o, &r)
			if sameAsNext(t, &planner, o, &r, name) != first {
				changed[name] = true
			}
			require.Equal(t, first, sameAsNext(t, &planner, objects, rollout, "after "+name))
		}
	}
	require.Len(t, changed, len(edits)-1, "an edit that changes no plan proves nothing")
}

// sameAsNext plans with the Planner and without it.
func sameAsNext(t *testing.T, planner *plan.Planner, objects model.Objects, rollout *model.Rollout, what string) string {
	t.Helper()
	cluster, err := model.NewCluster(objects)
	require.NoError(t, err)
	snapshot := &model.Snapshot{Cluster: cluster, Rollout: rollout}
	want, err := plan.Next(snapshot)
	require.NoError(t, err)
	for range 2 {
		got, err := planner.Next(snapshot)
		require.NoError(t, err)
		require.Equal(t, jsonOf(&want), jsonOf(&got), what)
	}
	return jsonOf(&want)
}

// agent finds a Pod of the rollout.
func agent(pods []*corev1.Pod) int {
	return slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) != "" })
}

func anotherNode(name string) *corev1.Node {
	node := workers(1)[0].DeepCopy()
	node.Name, node.UID = name, "uid-another"
	return node
}

func tainted(node *corev1.Node) *corev1.Node {
	node = node.DeepCopy()
	node.Spec.Taints = []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoExecute}}
	return node
}

func notReady(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	for i := range pod.Status.Conditions {
		pod.Status.Conditions[i].Status = corev1.ConditionFalse
	}
	return pod
}

// TestPlannerForgetsNothingItSaid: a caller may do what it likes with a plan.
func TestPlannerForgetsNothingItSaid(t *testing.T) {
	objects, rollout := fleet(t, 8, true)
	var planner plan.Planner
	want := sameAsNext(t, &planner, objects, rollout, "at first")
	cluster, err := model.NewCluster(objects)
	require.NoError(t, err)
	p, err := planner.Next(&model.Snapshot{Cluster: cluster, Rollout: rollout})
	require.NoError(t, err)
	clear(p.Nodes)
	for i := range p.Actions {
		p.Actions[i] = model.Action{}
	}
	require.Equal(t, want, sameAsNext(t, &planner, objects, rollout, "afterwards"))
}

func TestPlannerRefusesAsNextDoes(t *testing.T) {
	objects, rollout := fleet(t, 2, false)
	cluster, err := model.NewCluster(objects)
	require.NoError(t, err)
	faulty := *rollout
	faulty.Spec.Strategy.MaxUnavailable = number(0)
	snapshot := &model.Snapshot{Cluster: cluster, Rollout: &faulty}
	_, want := plan.Next(snapshot)
	var planner plan.Planner
	_, err = planner.Next(snapshot)
	require.Equal(t, want, err)
	require.ErrorAs(t, err, new(*plan.DocumentError))
}

// Of one DaemonSet the Planner remembers the rendering: whatever that is made from changes it.
func TestPlannerRendersOneDaemonSetAnew(t *testing.T) {
	edits := map[string]func(*model.Rollout){
		"nothing":          func(*model.Rollout) {},
		"another revision": func(r *model.Rollout) { r.Spec.Desired = conventional("3") },
		"the same again":   func(r *model.Rollout) { r.Spec.Desired = r.Spec.Desired.DeepCopy() },
		"a wider budget":   func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = number(4) },
		"a wider surge":    func(r *model.Rollout) { r.Spec.Strategy.MaxSurge = number(3) },
		"no locks":         func(r *model.Rollout) { r.Spec.Strategy.Overlap = model.Never },
		"delete-first": func(r *model.Rollout) {
			r.Spec.Strategy.Type, r.Spec.Strategy.Overlap, r.Spec.Strategy.MaxSurge = model.RollingUpdate, "", nil
		},
		"settling":        func(r *model.Rollout) { seconds := int32(90); r.Spec.Strategy.SettleSeconds = &seconds },
		"another domain":  func(r *model.Rollout) { r.Spec.Slots.Domain = "rollout.example.com" },
		"a template hash": func(r *model.Rollout) { r.Spec.Slots.TemplateHashAnnotations = []string{"example.com/hash"} },
	}
	objects, rollout := fleet(t, 3, false)
	objects.DaemonSets, objects.Pods = nil, nil
	rollout.Spec.Strategy.Type, rollout.Spec.Strategy.Overlap, rollout.Spec.Strategy.MaxSurge = model.Surge, model.Locked, number(1)
	rollout.Spec.Strategy.MaxUnavailable = number(3)
	rollout.Spec.Desired = rollout.Spec.Desired.DeepCopy()
	rollout.Spec.Desired.Spec.Template.Annotations = map[string]string{"example.com/hash": "1"}
	same := map[string]bool{}
	var planner plan.Planner
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		first := sameAsNext(t, &planner, objects, rollout, "before "+name)
		require.Contains(t, first, string(model.CreateSlot))
		r := *rollout
		edits[name](&r)
		same[name] = sameAsNext(t, &planner, objects, &r, name) == first
		require.Equal(t, first, sameAsNext(t, &planner, objects, rollout, "after "+name))
	}
	for name, is := range same {
		require.Equal(t, name == "nothing" || name == "the same again", is, name)
	}
}
