package pair

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

// scene is a pair as one snapshot shows it: blue serves revision 1, and revision 2 is desired.
type scene struct {
	t       *testing.T
	rollout *model.Rollout
	keys    model.Keys
	objects model.Objects
	slots   [2]*appsv1.DaemonSet
}

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

const executorID = "executor"

func newScene(t *testing.T, change ...func(*model.Rollout)) *scene {
	t.Helper()
	one := intstr.FromInt32(1)
	rollout := &model.Rollout{
		Metadata: model.Owner{Namespace: "agents", Name: "agent", UID: "owner"},
		Spec:     model.Spec{Desired: agent("2"), Strategy: model.Strategy{MaxUnavailable: &one}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(now), Watched: true, OtherPods: model.OtherPods{All: true}, Executor: model.Executor{ID: executorID}},
	}
	for _, f := range change {
		f(rollout)
	}
	s := &scene{t: t, rollout: rollout.WithDefaults(), keys: model.NewKeys("", "agents", "agent")}
	s.slots = [2]*appsv1.DaemonSet{s.slot(model.Blue, "1"), s.slot(model.Green, "1")}
	return s
}

// agent is a small DaemonSet; its Pods count as available once they were Ready for 10 s.
func agent(tag string) *appsv1.DaemonSet {
	yes, labels := true, map[string]string{"app.kubernetes.io/instance": "agent"}
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

// slot is the slot's DaemonSet, observed, with the template of that tag; blue owns the unlabelled nodes.
func (s *scene) slot(slot model.Slot, tag string) *appsv1.DaemonSet {
	rendering, err := Render(s.rollout, agent(tag), false)
	require.NoError(s.t, err)
	set := rendering.Slot(slot, slot == model.Blue)
	set.UID, set.ResourceVersion, set.Generation = types.UID(set.Name), "1", 1
	set.Status.ObservedGeneration = 1
	set.Annotations[s.keys.Initialized] = model.MarkPair
	set.Annotations[s.keys.ActiveSlot] = model.Blue.String()
	return set
}

// unobserved gives the DaemonSet a spec that was written so long ago, and that its controller has not seen.
func (s *scene) unobserved(set *appsv1.DaemonSet, ago time.Duration) {
	set.Generation = 2
	set.Annotations[s.keys.Written] = model.Written{Generation: 2, At: now.Add(-ago)}.String()
}

// recordTarget gives green the desired template, and both slots the record of the target.
func (s *scene) recordTarget(change ...func(*model.State)) {
	s.slots[1] = s.slot(model.Green, "2")
	since := metav1.NewTime(now.Add(-2 * time.Hour))
	state := model.State{Sequence: 1, TargetSince: &since}
	for _, f := range change {
		f(&state)
	}
	for _, set := range s.slots {
		set.Annotations[s.keys.TargetSlot] = model.Green.String()
		set.Annotations[s.keys.TargetRevision] = s.slots[1].Annotations[s.keys.Revision]
		set.Annotations[s.keys.State] = state.Text()
	}
}

// node adds a node with the label and a Pod of each slot, as podOf says; the words are "dead", "tainted", "pressure", "candidate" (the
// target's Pod is recorded as prepared), "other executor" (which marked it), "just now" (when the label was written).
func (s *scene) node(name, label, source, target string, words ...string) {
	is := func(word string) bool { return slices.Contains(words, word) }
	ago := time.Hour
	if is("just now") {
		ago = time.Second
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1", Labels: map[string]string{}, Annotations: map[string]string{}},
		Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("20")},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
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
	if label != "" {
		node.Labels[s.keys.NodeSlot] = label
		node.Annotations[s.keys.NodeMoved] = model.Moved{At: now.Add(-ago), Paid: true}.String()
		node.Annotations[s.keys.NodeFence] = executorID
	}
	if is("other executor") {
		node.Annotations[s.keys.NodeFence] = "another"
	}
	if is("candidate") {
		node.Annotations[s.keys.NodeCandidate] = name + "-green"
	}
	s.objects.Nodes = append(s.objects.Nodes, node)
	if source != "" {
		s.objects.Pods = append(s.objects.Pods, s.podOf(model.Blue, name, source, time.Hour))
	}
	if target != "" {
		s.objects.Pods = append(s.objects.Pods, s.podOf(model.Green, name, target, ago))
	}
}

// podOf is a Pod of the slot: "serves", "settling" (Ready for a second), "prepared" (runs, and is not Ready), "starting" (its container does
// not run), "unbound", "terminating", or "stale" (serves nothing, of another revision).
func (s *scene) podOf(slot model.Slot, node, word string, age time.Duration) *corev1.Pod {
	set, yes := s.slots[0], true
	if slot == model.Green {
		set = s.slots[1]
	}
	template := set.Spec.Template.DeepCopy()
	name := node + "-" + slot.String()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "agents", Name: name, UID: types.UID(name), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(now.Add(-age)),
			Labels: template.Labels, Annotations: template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Name: set.Name, UID: set.UID, Controller: &yes}},
		},
		Spec:   template.Spec,
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	pod.Spec.NodeName = node
	ready := func(since time.Duration) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-since))}}
	}
	run := func() {
		for i := range pod.Spec.Containers {
			status := corev1.ContainerStatus{Name: pod.Spec.Containers[i].Name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
		}
	}
	switch word {
	case "serves":
		run()
		ready(age)
	case "settling":
		run()
		ready(time.Second)
	case "prepared":
		run()
	case "starting":
	case "unbound":
		pod.Spec.NodeName, pod.Status.Phase = "", corev1.PodPending
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
			}}},
		}}}
	case "terminating":
		deleted := metav1.NewTime(now)
		pod.DeletionTimestamp = &deleted
	case "stale":
		pod.Annotations[s.keys.Revision] = "another"
	default:
		s.t.Fatalf("no Pod is %q", word)
	}
	return pod
}

// view is what the planner observes of the scene, in which nothing is refused.
func (s *scene) view() *view {
	s.t.Helper()
	v := s.observed()
	require.Nil(s.t, v.refused)
	return v
}

func (s *scene) observed() *view {
	s.t.Helper()
	s.objects.DaemonSets = slices.DeleteFunc(slices.Clone(s.slots[:]), func(set *appsv1.DaemonSet) bool { return set == nil })
	cluster, err := model.NewCluster(s.objects)
	require.NoError(s.t, err)
	return observe(&model.Snapshot{Cluster: cluster, Rollout: s.rollout}, nil)
}
