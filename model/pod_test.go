package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// A DaemonSet's Pending Pod has no nodeName: the controller pins it by matchFields. Anything but exactly one
// name is unknown.
func TestNodeOf(t *testing.T) {
	other := func(key string, operator corev1.NodeSelectorOperator) *corev1.Pod {
		pod := podFor("p", []string{"n7"})
		field := &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0]
		field.Key, field.Operator = key, operator
		return pod
	}
	twoFields := func(second string) *corev1.Pod {
		pod := podFor("p", []string{"n7"})
		term := &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
		term.MatchFields = append(term.MatchFields, corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{second}})
		return pod
	}
	bound := podFor("p", []string{"n7"})
	bound.Spec.NodeName = "n3"
	empty := podOn("", "p")
	empty.Spec.Affinity = &corev1.Affinity{}
	none := podOn("", "p")
	none.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
	tests := []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"bound", podOn("n1", "p"), "n1"},
		{"bound and pinned elsewhere: where it runs counts", bound, "n3"},
		{"pinned", podFor("p", []string{"n7"}), "n7"},
		{"every term names the node", podFor("p", []string{"n7"}, []string{"n7"}), "n7"},
		{"the same name twice in a term", twoFields("n7"), ""},
		{"an empty name", podFor("p", []string{""}), ""},
		{"no affinity", podOn("", "p"), ""},
		{"empty affinity", empty, ""},
		{"no required affinity", none, ""},
		{"no terms", podFor("p"), ""},
		{"no value", podFor("p", []string{}), ""},
		{"two values", podFor("p", []string{"n7", "n8"}), ""},
		{"conflicting terms", podFor("p", []string{"n7"}, []string{"n8"}), ""},
		{"conflict within a term", twoFields("n8"), ""},
		{"one term without a name", podFor("p", []string{"n7"}, []string{}), ""},
		{"another field", other("metadata.namespace", corev1.NodeSelectorOpIn), ""},
		{"another operator", other("metadata.name", corev1.NodeSelectorOpNotIn), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name, ok := model.NodeOf(test.pod)
			require.Equal(t, test.want, name)
			require.Equal(t, test.want != "", ok)
		})
	}
}

func TestControllerUID(t *testing.T) {
	ref := func(uid types.UID, controller *bool) metav1.OwnerReference {
		return metav1.OwnerReference{UID: uid, Controller: controller}
	}
	tests := []struct {
		name string
		refs []metav1.OwnerReference
		want types.UID
	}{
		{"none", nil, ""},
		{"owner that is no controller", []metav1.OwnerReference{ref("a", nil), ref("b", ptr(false))}, ""},
		{"controller behind an owner", []metav1.OwnerReference{ref("a", nil), ref("b", ptr(true))}, "b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, model.ControllerUID(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: test.refs}}))
		})
	}
}

type status = corev1.ContainerStatus

func running() corev1.ContainerState {
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
}

func waiting(reason string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
}

func ended(at time.Time) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(at)}}
}

// podWith makes a running Pod of as many containers as it has statuses.
func podHaving(statuses ...status) *corev1.Pod {
	pod := podOn("n1", "p")
	pod.Spec.Containers = make([]corev1.Container, len(statuses))
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: statuses}
	return pod
}

func TestAllRunning(t *testing.T) {
	pending := podHaving(status{State: running()})
	pending.Status.Phase = corev1.PodPending
	short := podHaving(status{State: running()})
	short.Spec.Containers = make([]corev1.Container, 2)
	tests := []struct {
		name string
		pod  *corev1.Pod
		want bool
	}{
		{"all", podHaving(status{State: running()}, status{State: running()}), true},
		{"one waits", podHaving(status{State: running()}, status{State: waiting("CrashLoopBackOff")}), false},
		{"one ended", podHaving(status{State: ended(noon)}), false},
		{"phase", pending, false},
		{"a status is missing", short, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, model.AllRunning(test.pod)) })
	}
}

func TestRestarts(t *testing.T) {
	before, after := noon.Add(-time.Second), noon.Add(time.Second)
	tests := []struct {
		name  string
		pod   *corev1.Pod
		since bool
		most  int32
	}{
		{"none", podHaving(status{}), false, 0},
		{"before", podHaving(status{RestartCount: 2, LastTerminationState: ended(before)}), false, 2},
		{"at the instant", podHaving(status{RestartCount: 1, LastTerminationState: ended(noon)}), false, 1},
		{"after", podHaving(status{RestartCount: 1, LastTerminationState: ended(before)}, status{RestartCount: 4, LastTerminationState: ended(after)}), true, 4},
		{"time not known", podHaving(status{RestartCount: 1}), true, 1},
		{"time left out", podHaving(status{RestartCount: 1, LastTerminationState: ended(time.Time{})}), true, 1},
		{"an end without a restart", podHaving(status{LastTerminationState: ended(after)}), false, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.since, model.RestartedSince(test.pod, noon))
			require.Equal(t, test.most, model.Restarts(test.pod))
		})
	}
}

func TestStartedContainers(t *testing.T) {
	require.Equal(t, 1, model.StartedContainers(podHaving(status{Started: ptr(true)}, status{Started: ptr(false)}, status{})))
	require.Zero(t, model.StartedContainers(podHaving()))
}

func TestWaitingReason(t *testing.T) {
	withInit := podHaving(status{State: waiting("ErrImagePull")})
	withInit.Status.InitContainerStatuses = []status{{State: waiting("CrashLoopBackOff")}}
	tests := []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"nothing waits", podHaving(status{State: running()}), ""},
		{"no reason given", podHaving(status{State: waiting("")}), ""},
		{"waiting for the init containers is none", podHaving(status{State: waiting("PodInitializing")}, status{State: waiting("ImagePullBackOff")}), "ImagePullBackOff"},
		{"init containers come first", withInit, "CrashLoopBackOff"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, model.WaitingReason(test.pod)) })
	}
}

func TestConditions(t *testing.T) {
	with := func(conditions ...corev1.PodCondition) *corev1.Pod {
		pod := podOn("n1", "p")
		pod.Status.Conditions = conditions
		return pod
	}
	at := metav1.NewTime(noon)
	scheduled := func(status corev1.ConditionStatus, reason string) *corev1.Pod {
		return with(corev1.PodCondition{Type: corev1.PodInitialized}, corev1.PodCondition{Type: corev1.PodScheduled, Status: status, Reason: reason, Message: "0/3 nodes"})
	}

	ready, since := model.ReadySince(with(corev1.PodCondition{Type: corev1.ContainersReady, Status: corev1.ConditionFalse}, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at}))
	require.True(t, ready)
	require.Equal(t, noon, since)
	ready, since = model.ReadySince(with(corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionUnknown, LastTransitionTime: at}))
	require.False(t, ready)
	require.Equal(t, noon, since)
	ready, since = model.ReadySince(with())
	require.False(t, ready)
	require.True(t, since.IsZero())

	for _, test := range []struct {
		pod  *corev1.Pod
		want bool
	}{
		{scheduled(corev1.ConditionFalse, corev1.PodReasonUnschedulable), true},
		{scheduled(corev1.ConditionFalse, corev1.PodReasonSchedulingGated), false},
		{scheduled(corev1.ConditionTrue, corev1.PodReasonUnschedulable), false},
		{with(), false},
	} {
		message, ok := model.Unschedulable(test.pod)
		require.Equal(t, test.want, ok)
		if ok {
			require.Equal(t, "0/3 nodes", message)
		}
	}

	for status, want := range map[corev1.ConditionStatus]bool{corev1.ConditionTrue: true, corev1.ConditionFalse: false, corev1.ConditionUnknown: false} {
		n := node("n1")
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue}, {Type: corev1.NodeReady, Status: status}}
		require.Equal(t, want, model.NodeReady(n), status)
	}
	require.False(t, model.NodeReady(node("n1")), "no condition yet")
}

func TestLifeOfAPod(t *testing.T) {
	pod := podOn("", "p")
	require.False(t, model.Bound(pod))
	require.True(t, model.Bound(podOn("n1", "p")))
	require.False(t, model.Terminating(pod))
	pod.DeletionTimestamp = &metav1.Time{Time: noon}
	require.True(t, model.Terminating(pod))
	for phase, want := range map[corev1.PodPhase]bool{corev1.PodPending: false, corev1.PodRunning: false, corev1.PodSucceeded: true, corev1.PodFailed: true, corev1.PodUnknown: false} {
		pod.Status.Phase = phase
		require.Equal(t, want, model.Terminal(pod), phase)
	}
}
