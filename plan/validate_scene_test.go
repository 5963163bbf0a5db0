package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var slotKeys = model.NewKeys("", namespace, "agent")

// scene is a snapshot with the plan that was made from it.
type scene struct {
	objects model.Objects
	rollout *model.Rollout
	plan    model.Plan
}

// lifeOf installs revision 1, rolls out revision 2 to the end, and keeps every scene on the way.
func lifeOf(t *testing.T, nodes []*corev1.Node, change ...func(*model.Rollout)) []scene {
	t.Helper()
	l := newLab(t, nodes, rolloutOf("1", change...))
	var scenes []scene
	for _, tag := range []string{"1", "2"} {
		l.rollout = rolloutOf(tag, change...)
		for quiet := false; !quiet; l.settle() {
			snapshot, err := l.world.Snapshot(l.now, l.rollout)
			require.NoError(t, err)
			p := l.step()
			scenes = append(scenes, sceneOf(snapshot, p))
			quiet = len(p.Actions) == 0 && p.RequeueAfter == 0
			l.now = l.now.Add(max(time.Second, p.RequeueAfter))
			require.Less(t, len(scenes), 200, "no end")
		}
		require.True(t, l.last.Complete(), "revision %s ends in phase %s", tag, l.last.Phase)
	}
	return scenes
}

// sceneOf copies everything, so that a test may change it.
func sceneOf(snapshot *model.Snapshot, p model.Plan) scene {
	s := scene{rollout: copied(*snapshot.Rollout), plan: *copied(p)}
	for i := range snapshot.Cluster.Len() {
		s.objects.Nodes = append(s.objects.Nodes, snapshot.Cluster.Node(i).DeepCopy())
		for _, pod := range snapshot.Cluster.Pods(i) {
			s.objects.Pods = append(s.objects.Pods, pod.DeepCopy())
		}
	}
	for _, set := range snapshot.Cluster.DaemonSets() {
		s.objects.DaemonSets = append(s.objects.DaemonSets, set.DeepCopy())
	}
	return s
}

// copied goes through JSON, as a plan does that is stored and replayed.
func copied[T any](value T) *T {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	out := new(T)
	if err := json.Unmarshal(text, out); err != nil {
		panic(err)
	}
	return out
}

func (s *scene) snapshot(t *testing.T) *model.Snapshot {
	t.Helper()
	cluster, err := model.NewCluster(s.objects)
	require.NoError(t, err)
	return &model.Snapshot{Cluster: cluster, Rollout: s.rollout}
}

func (s *scene) validate(t *testing.T) []plan.Violation {
	t.Helper()
	return plan.Validate(s.snapshot(t), &s.plan)
}

// action returns the n-th action for the reason.
func (s *scene) action(reason model.Reason, n int) *model.Action {
	for i := range s.plan.Actions {
		if a := &s.plan.Actions[i]; a.Reason == reason {
			if n == 0 {
				return a
			}
			n--
		}
	}
	panic(fmt.Sprintf("no such action for %s", reason))
}

func (s *scene) node(name string) *corev1.Node {
	return s.objects.Nodes[slices.IndexFunc(s.objects.Nodes, func(n *corev1.Node) bool { return n.Name == name })]
}

func (s *scene) set(name string) *appsv1.DaemonSet {
	return s.objects.DaemonSets[slices.IndexFunc(s.objects.DaemonSets, func(d *appsv1.DaemonSet) bool { return d.Name == name })]
}

// pod returns the slot's Pod on the node.
func (s *scene) pod(node string, slot model.Slot) *corev1.Pod {
	owner := s.set("agent").UID
	if slot == model.Green {
		owner = s.set("agent-green").UID
	}
	return s.objects.Pods[slices.IndexFunc(s.objects.Pods, func(p *corev1.Pod) bool {
		at, _ := model.NodeOf(p)
		return at == node && model.ControllerUID(p) == owner
	})]
}

func (s *scene) unready(node string, slot model.Slot) {
	pod := s.pod(node, slot)
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			c.Status = corev1.ConditionFalse
		}
	}
}

func (s *scene) report(node string) *model.NodeReport {
	return &s.plan.Nodes[slices.IndexFunc(s.plan.Nodes, func(r model.NodeReport) bool { return r.Node == node })]
}

// with returns a copy of the first scene that has so many actions for the reason.
func with(t *testing.T, scenes []scene, reason model.Reason, count int) *scene {
	t.Helper()
	for i := range scenes {
		found := 0
		for k := range scenes[i].plan.Actions {
			if scenes[i].plan.Actions[k].Reason == reason {
				found++
			}
		}
		if found < count {
			continue
		}
		s := scene{rollout: copied(*scenes[i].rollout), plan: *copied(scenes[i].plan)}
		for _, node := range scenes[i].objects.Nodes {
			s.objects.Nodes = append(s.objects.Nodes, node.DeepCopy())
		}
		for _, pod := range scenes[i].objects.Pods {
			s.objects.Pods = append(s.objects.Pods, pod.DeepCopy())
		}
		for _, set := range scenes[i].objects.DaemonSets {
			s.objects.DaemonSets = append(s.objects.DaemonSets, set.DeepCopy())
		}
		return &s
	}
	t.Fatalf("no plan with %d actions for %s", count, reason)
	return nil
}

func budgetOf(n int) func(*model.Rollout) {
	return func(r *model.Rollout) {
		limit := intstr.FromInt(n)
		r.Spec.Strategy.MaxUnavailable = &limit
	}
}

func never(r *model.Rollout) { r.Spec.Strategy.Overlap = model.Never }

func tight(count int) []*corev1.Node {
	nodes := workers(count)
	for _, node := range nodes {
		node.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("500m")
		node.Status.Capacity[corev1.ResourceCPU] = resource.MustParse("500m")
	}
	return nodes
}

func (s *scene) prove() {
	for _, set := range s.objects.DaemonSets {
		state, err := model.ParseState(set.Annotations[slotKeys.State])
		if err != nil {
			panic(err)
		}
		state.Proven = set.Annotations[slotKeys.TargetRevision]
		set.Annotations[slotKeys.State] = state.Text()
	}
}

func podDeletion(pod *corev1.Pod) model.Write {
	return model.Write{
		Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Delete: &model.Delete{Propagation: metav1.DeletePropagationBackground},
	}
}

func update(set *appsv1.DaemonSet, change func(*appsv1.DaemonSetSpec)) model.Write {
	spec := set.Spec.DeepCopy()
	if change != nil {
		change(spec)
	}
	return model.Write{
		Object: model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: set.UID},
		Patch:  &model.Patch{Generation: set.Generation, Spec: spec},
	}
}
