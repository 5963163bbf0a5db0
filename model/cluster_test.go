package model_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
)

// The counting pass against the obvious way, a map of lists; any order of the input gives the same cluster.
func TestClusterGroupsAsAMapWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 0, 8, rapid.ID[int]).Draw(t, "nodes")
		objects := model.Objects{}
		for _, n := range nodes {
			objects.Nodes = append(objects.Nodes, node(fmt.Sprintf("n%d", n)))
		}
		want, stray := map[string][]string{}, []string{}
		for i, n := range rapid.SliceOfN(rapid.IntRange(-1, 12), 0, 30).Draw(t, "pods") {
			on, name := fmt.Sprintf("n%d", n), fmt.Sprintf("p%d", i)
			switch {
			case n < 0:
				objects.Pods = append(objects.Pods, podOn("", name))
			case rapid.Bool().Draw(t, "bound"):
				objects.Pods = append(objects.Pods, podOn(on, name))
			default:
				objects.Pods = append(objects.Pods, podFor(name, []string{on}))
			}
			if slices.Contains(nodes, n) {
				want[on] = append(want[on], name)
			} else {
				stray = append(stray, name)
			}
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 2 {
			c, err := model.NewCluster(objects)
			require.NoError(t, err)
			require.Equal(t, len(nodes), c.Len())
			total := 0
			for i := range c.Len() {
				name := c.Node(i).Name
				require.Equal(t, sorted(want[name]), podNames(c.Pods(i)), name)
				found, ok := c.Find(name)
				require.True(t, ok)
				require.Equal(t, i, found)
				if i > 0 {
					require.Less(t, c.Node(i-1).Name, name)
				}
				total += len(c.Pods(i))
			}
			require.Equal(t, total, c.PodCount())
			require.Equal(t, sorted(stray), podNames(c.Stray()))
			_, ok := c.Find("elsewhere")
			require.False(t, ok)
			shuffle(random, objects.Nodes)
			shuffle(random, objects.Pods)
		}
	})
}

func TestClusterKeepsTheOrderOfItsInput(t *testing.T) {
	objects := fleet(5, 1)
	before := slices.Clone(objects.Nodes)
	pods := slices.Clone(objects.Pods)
	_, err := model.NewCluster(objects)
	require.NoError(t, err)
	require.True(t, slices.Equal(before, objects.Nodes))
	require.True(t, slices.Equal(pods, objects.Pods))
}

// Appending to what Pods returns must not write into the next node's group.
func TestClusterPodsCannotBeOverrun(t *testing.T) {
	c, err := model.NewCluster(fleet(2, 1))
	require.NoError(t, err)
	next := podNames(c.Pods(1))
	_ = append(c.Pods(0), podOn("x", "intruder"))
	require.Equal(t, next, podNames(c.Pods(1)))
}

func TestClusterFindsDaemonSets(t *testing.T) {
	objects := model.Objects{}
	for _, key := range []string{"b/x", "a/y", "a/x", "b/a"} {
		namespace, name, _ := strings.Cut(key, "/")
		objects.DaemonSets = append(objects.DaemonSets, &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(key), ResourceVersion: "1"}})
	}
	c, err := model.NewCluster(objects)
	require.NoError(t, err)
	order := []string{}
	for _, set := range c.DaemonSets() {
		order = append(order, set.Namespace+"/"+set.Name)
		require.Same(t, set, c.DaemonSet(set.Namespace, set.Name))
	}
	require.Equal(t, []string{"a/x", "a/y", "b/a", "b/x"}, order)
	require.Nil(t, c.DaemonSet("a", "a"))
	require.Nil(t, c.DaemonSet("c", "x"))
	require.Nil(t, c.DaemonSet("", ""))
}

func TestClusterRefusesListingAll(t *testing.T) {
	unversioned := podOn("n1", "p2")
	unversioned.ResourceVersion = ""
	_, err := model.NewCluster(model.Objects{
		Nodes:      []*corev1.Node{node("n1"), {ObjectMeta: metav1.ObjectMeta{Name: "n2", ResourceVersion: "1"}}, node("n1")},
		Pods:       []*corev1.Pod{unversioned, podOn("n1", "p1")},
		DaemonSets: []*appsv1.DaemonSet{{ObjectMeta: metav1.ObjectMeta{Namespace: "datadog", Name: "agent"}}},
	})
	var refused *model.ObjectError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, []string{
		"DaemonSet datadog/agent: metadata.uid is missing",
		"Node n1: given twice",
		"Node n2: metadata.uid is missing",
		"Pod datadog/p2: metadata.resourceVersion is missing",
	}, refused.Faults)
	require.EqualError(t, err, `4 objects cannot be used (if they come from an informer's cache, look at its Transform: model.TrimNode and model.TrimPod keep all that is read):
  DaemonSet datadog/agent: metadata.uid is missing
  Node n1: given twice
  Node n2: metadata.uid is missing
  Pod datadog/p2: metadata.resourceVersion is missing`)
}

func TestClusterRefusesPodsGivenTwice(t *testing.T) {
	tests := []struct {
		name string
		pods []*corev1.Pod
		want []string
	}{
		{"on one node", []*corev1.Pod{podOn("n1", "p"), podOn("n1", "q"), podOn("n1", "p")}, []string{"Pod datadog/p: given twice"}},
		{"stray", []*corev1.Pod{podOn("gone", "p"), podOn("gone", "p")}, []string{"Pod datadog/p: given twice"}},
		{"on two nodes and stray", []*corev1.Pod{podOn("n2", "p"), podOn("n1", "q"), podOn("gone", "r"), podOn("n2", "p"), podOn("n1", "q"), podOn("gone", "r")},
			[]string{"Pod datadog/p: given twice", "Pod datadog/q: given twice", "Pod datadog/r: given twice"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := model.NewCluster(model.Objects{Nodes: []*corev1.Node{node("n1"), node("n2")}, Pods: test.pods})
			var refused *model.ObjectError
			require.ErrorAs(t, err, &refused)
			require.ElementsMatch(t, test.want, refused.Faults)
		})
	}
}

func TestClusterErrorShowsTwentyFaults(t *testing.T) {
	for _, n := range []int{20, 23} {
		objects := model.Objects{}
		for i := range n {
			objects.Nodes = append(objects.Nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%02d", i)}})
		}
		_, err := model.NewCluster(objects)
		require.Error(t, err)
		require.Equal(t, 20, strings.Count(err.Error(), "metadata.uid is missing"))
		require.Equal(t, n > 20, strings.HasSuffix(err.Error(), "\n  and 3 more"), err.Error())
	}
}

// A cache that keeps only what the Transforms keep gives the same cluster, and the same answers about its Pods.
func TestTrimKeepsWhatIsRead(t *testing.T) {
	full := func() (*corev1.Node, *corev1.Pod) {
		n, p := node("n1"), podOn("n1", "p1")
		n.Labels, n.Annotations = map[string]string{"a": "b"}, map[string]string{"c": "d"}
		n.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}
		n.Spec = corev1.NodeSpec{ProviderID: "aws:///i-1", Unschedulable: true, Taints: []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}}
		n.Status.Images = []corev1.ContainerImage{{Names: []string{"x"}}}
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		p.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}
		p.OwnerReferences = []metav1.OwnerReference{{UID: "set", Controller: ptr(true)}}
		p.Spec.InitContainers = []corev1.Container{{Name: "init", Command: []string{"cp"}, Env: []corev1.EnvVar{{Name: "A"}}}}
		p.Spec.Containers = []corev1.Container{{Name: "agent", Command: []string{"agent"}, Env: []corev1.EnvVar{{Name: "A"}}, EnvFrom: []corev1.EnvFromSource{{}}, VolumeMounts: []corev1.VolumeMount{{Name: "v"}}}}
		p.Status = corev1.PodStatus{
			Phase: corev1.PodRunning, HostIP: "10.0.0.1", StartTime: ptr(metav1.NewTime(noon)),
			Conditions:            []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(noon)}},
			ContainerStatuses:     []corev1.ContainerStatus{{Name: "agent", Started: ptr(true), RestartCount: 3, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "init", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}}},
		}
		return n, p
	}
	facts := func(n *corev1.Node, p *corev1.Pod) []any {
		c, err := model.NewCluster(model.Objects{Nodes: []*corev1.Node{n}, Pods: []*corev1.Pod{p}})
		require.NoError(t, err)
		n, p = c.Node(0), c.Pods(0)[0]
		ready, since := model.ReadySince(p)
		return []any{n.Name, n.UID, n.ResourceVersion, n.Labels, n.Annotations, n.Spec.Taints, n.Spec.Unschedulable, n.Status.Allocatable, model.NodeReady(n),
			model.ControllerUID(p), model.AllRunning(p), model.Restarts(p), model.StartedContainers(p), model.WaitingReason(p), ready, since,
			p.Spec.Containers[0].Command, p.Spec.Containers[0].VolumeMounts, p.Spec.InitContainers[0].Command}
	}
	want := facts(full())
	n, p := full()
	_, err := model.TrimNode(n)
	require.NoError(t, err)
	_, err = model.TrimPod(p)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, facts(n, p)))

	require.Nil(t, n.ManagedFields)
	require.Nil(t, n.Status.Images)
	require.Empty(t, n.Spec.ProviderID)
	require.Nil(t, p.ManagedFields)
	require.Nil(t, p.Spec.Containers[0].Env)
	require.Nil(t, p.Spec.Containers[0].EnvFrom)
	require.Nil(t, p.Spec.InitContainers[0].Env)
	require.Empty(t, p.Status.HostIP)

	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "a", ManagedFields: []metav1.ManagedFieldsEntry{{}}}}
	kept, err := model.TrimDaemonSet(set)
	require.NoError(t, err)
	require.Same(t, set, kept)
	require.Nil(t, set.ManagedFields)
}

// A Transform also meets other types, such as the tombstones of deleted objects.
func TestTrimLeavesOtherTypesAlone(t *testing.T) {
	for _, trim := range []func(any) (any, error){model.TrimNode, model.TrimPod, model.TrimDaemonSet} {
		kept, err := trim("tombstone")
		require.NoError(t, err)
		require.Equal(t, "tombstone", kept)
	}
}

// BenchmarkNewCluster builds the index, the Pods half bound and half not. B/node is all that one build
// allocates, what it drops again included.
func BenchmarkNewCluster(b *testing.B) {
	for _, n := range []int{1000, 5000, 15000, 65000, 130000} {
		objects := fleet(n, 1)
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			var before, after runtime.MemStats
			b.ReportAllocs()
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if _, err := model.NewCluster(objects); err != nil {
					b.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(n), "B/node")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
