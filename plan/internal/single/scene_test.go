package single

import (
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// scene is a rollout on one DaemonSet as one snapshot shows it. Its template is revision 2, which is desired and recorded as the target
// for two hours, with revision 1 to go back to.
type scene struct {
	t       *testing.T
	rollout *model.Rollout
	keys    model.Keys
	set     *appsv1.DaemonSet
	objects model.Objects
}

// newScene is of the strategy: "delete-first", "surge" (behind locks), or "plain surge".
func newScene(t *testing.T, strategy string, change ...func(*model.Rollout)) *scene {
	t.Helper()
	one := intstr.FromInt32(1)
	rollout := &model.Rollout{
		Metadata: model.Owner{Namespace: "agents", Name: "agent", UID: "owner"},
		Spec:     model.Spec{Desired: agent("2"), Strategy: model.Strategy{Type: model.RollingUpdate, MaxUnavailable: &one}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(now), Watched: true, OtherPods: model.OtherPods{All: true}},
	}
	switch strategy {
	case "surge":
		rollout.Spec.Strategy.Type, rollout.Spec.Strategy.Overlap = model.Surge, model.Locked
	case "plain surge":
		rollout.Spec.Strategy.Type, rollout.Spec.Strategy.Overlap = model.Surge, model.Never
	case "delete-first":
	default:
		t.Fatalf("no strategy is %q", strategy)
	}
	s := &scene{t: t, rollout: rollout.WithDefaults(), keys: model.NewKeys("", "agents", "agent")}
	s.set = s.rendered("2")
	s.set.Annotations[s.keys.Source] = (&source{Revision: "former", Template: s.rendered("1").Spec.Template}).text()
	since := metav1.NewTime(now.Add(-2 * time.Hour))
	s.record(func(state *model.State) { state.TargetSince = &since })
	for _, f := range change {
		f(s.rollout)
	}
	return s
}

// agent is a small DaemonSet; its Pods count as available once they were Ready for 10 s.
func agent(tag string) *appsv1.DaemonSet {
	yes, labels := true, map[string]string{"app": "agent"}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "agents", Name: "agent", Labels: labels, OwnerReferences: []metav1.OwnerReference{{Kind: "Agent", Name: "agent", UID: "owner", Controller: &yes}},
		},
		Spec: appsv1.DaemonSetSpec{
			MinReadySeconds: 10,
			Selector:        &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{HostPID: true, Containers: []corev1.Container{{Name: "agent", Image: "agent:" + tag, Command: []string{"agent", "run"}}}},
			},
		},
	}
}

// rendered is the DaemonSet of that tag as it is written, observed.
func (s *scene) rendered(tag string) *appsv1.DaemonSet {
	r := *s.rollout
	r.Spec.Desired = agent(tag)
	cluster, err := model.NewCluster(model.Objects{})
	require.NoError(s.t, err)
	rendering, err := Rendered(&model.Snapshot{Cluster: cluster, Rollout: &r})
	require.NoError(s.t, err)
	set := rendering.Set()
	set.UID, set.ResourceVersion, set.Generation = "agent", "1", 1
	set.Status.ObservedGeneration = 1
	return set
}

// unobserved gives the DaemonSet a spec that was written so long ago, and that its controller has not seen.
func (s *scene) unobserved(ago time.Duration) {
	s.set.Generation = 2
	s.set.Annotations[s.keys.Written] = model.Written{Generation: 2, At: now.Add(-ago)}.String()
}

// record changes what the DaemonSet remembers.
func (s *scene) record(change func(*model.State)) {
	state, err := model.ParseState(s.set.Annotations[s.keys.State])
	require.NoError(s.t, err)
	state.Sequence++
	change(&state)
	s.set.Annotations[s.keys.State] = state.Text()
}

// emptied notes that the rollout took the node's working agent an hour ago.
func (s *scene) emptied(name string) {
	at := model.Moved{At: now.Add(-time.Hour), Paid: true}
	former, err := model.ParseEmptied(s.set.Annotations[s.keys.Emptied])
	require.NoError(s.t, err)
	s.set.Annotations[s.keys.Emptied] = former.Next(func(string) bool { return false }, model.Emptied{name: at}).Text()
}

func (s *scene) revision() string { return s.set.Annotations[s.keys.Revision] }

// proven records that the target is.
func proven(s *scene) { s.record(func(state *model.State) { state.Proven = s.revision() }) }

// returned makes the present template the former one, to which nodes return since a minute ago.
func returned(s *scene) {
	s.record(func(state *model.State) {
		state.TargetSince = nil
		state.Return = &model.Return{Revision: "bad", Cause: model.ReturnFailed, Since: metav1.NewTime(now.Add(-time.Minute))}
	})
}

// steady takes target and former template out of the record.
func steady(s *scene) {
	s.record(func(state *model.State) { state.TargetSince = nil })
	delete(s.set.Annotations, s.keys.Source)
}

// node adds a node with a Pod of another revision and one of the template's, as podOf says, "" for none. The words are "dead", "tainted",
// "pressure", "just now" (when the new Pod was made: an hour ago without it).
func (s *scene) node(name, old, fresh string, words ...string) {
	is := func(word string) bool { return slices.Contains(words, word) }
	age := time.Hour
	if is("just now") {
		age = time.Second
	}
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("20")}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1"},
		Status:     corev1.NodeStatus{Allocatable: room, Capacity: room, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	if is("dead") {
		node.Status.Conditions[0].Status = corev1.ConditionUnknown
	}
	if is("tainted") {
		node.Spec.Taints = []corev1.Taint{{Key: "reserved", Effect: corev1.TaintEffectNoSchedule}}
	}
	if is("pressure") {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue})
	}
	s.objects.Nodes = append(s.objects.Nodes, node)
	if old != "" {
		pod := s.podOf(name, "old", old, 3*time.Hour)
		pod.Annotations[s.keys.Revision] = "former"
		s.objects.Pods = append(s.objects.Pods, pod)
	}
	if fresh != "" {
		s.objects.Pods = append(s.objects.Pods, s.podOf(name, "new", fresh, age))
	}
}

// podOf is a Pod of the DaemonSet: "serves", "settling" (Ready for a second), "prepared" (runs, and is not Ready), "starting" (its container
// does not run), "restarted" (runs, and not for the first time), "terminating", or "ended".
func (s *scene) podOf(node, name, word string, age time.Duration) *corev1.Pod {
	template, yes := s.set.Spec.Template.DeepCopy(), true
	name = node + "-" + name
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "agents", Name: name, UID: types.UID(name), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(now.Add(-age)),
			Labels: template.Labels, Annotations: template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Name: s.set.Name, UID: s.set.UID, Controller: &yes}},
		},
		Spec:   template.Spec,
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodInitialized, Status: corev1.ConditionTrue}}},
	}
	pod.Spec.NodeName = node
	run := func(restarts int32) {
		for i := range pod.Spec.Containers {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
				Name: pod.Spec.Containers[i].Name, RestartCount: restarts, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			})
		}
	}
	ready := func(since time.Duration) {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-since))})
	}
	switch word {
	case "serves":
		run(0)
		ready(age)
	case "settling":
		run(0)
		ready(time.Second)
	case "prepared":
		run(0)
	case "restarted":
		run(1)
	case "starting":
	case "terminating":
		deleted := metav1.NewTime(now)
		pod.DeletionTimestamp = &deleted
	case "ended":
		pod.Status.Phase, pod.Status.Reason = corev1.PodFailed, "Evicted"
	default:
		s.t.Fatalf("no Pod is %q", word)
	}
	return pod
}

// view is what the planner observes of the scene.
func (s *scene) view() *view {
	s.t.Helper()
	s.objects.DaemonSets = nil
	if s.set != nil {
		s.objects.DaemonSets = []*appsv1.DaemonSet{s.set}
	}
	cluster, err := model.NewCluster(s.objects)
	require.NoError(s.t, err)
	v := observe(&model.Snapshot{Cluster: cluster, Rollout: s.rollout}, nil)
	require.Nil(s.t, v.refused)
	return v
}
