package single

import (
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pend takes the Pod from its node: it fits there once the old one, which asks for as much, is gone.
func pend(pod *corev1.Pod) {
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{pod.Spec.NodeName}}}}},
	}}}
	pod.Spec.NodeName = ""
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: "0/1 nodes are available: 1 Insufficient cpu.",
	}}}
}

// A replacement that admission has made into something else than the template costs nobody an agent, whether it waits for its locks or for a
// place.
func TestStray(t *testing.T) {
	sidecar := func(pod *corev1.Pod) {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "mesh", Image: "mesh:1", Command: []string{"mesh"}})
		if pod.Spec.NodeName != "" {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: "mesh", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}})
		}
	}
	otherImage := func(pod *corev1.Pod) { pod.Spec.Containers[0].Image = "agent:canary" }
	type change = []func(*corev1.Pod)
	for _, test := range []struct {
		name, strategy, fresh, word string
		old, new                    change
		record                      func(*scene)
		twice                       bool
		reason                      model.Reason
		acts, aside, failed         bool
	}{
		{name: "as the template", strategy: "surge", fresh: "prepared", word: "just now", reason: model.HandoffPrepared, acts: true},
		{name: "a sidecar", strategy: "surge", fresh: "prepared", word: "just now", new: change{sidecar}, reason: model.LocksDoNotExclude},
		{name: "a sidecar, late", strategy: "surge", fresh: "prepared", new: change{sidecar}, reason: model.LocksDoNotExclude},
		{name: "a sidecar, late, and others are served", strategy: "surge", fresh: "prepared", new: change{sidecar}, record: proven, reason: model.LocksDoNotExclude, aside: true},
		{name: "a sidecar on the old Pod", strategy: "surge", fresh: "prepared", word: "just now", old: change{sidecar}, reason: model.LocksDoNotExclude},
		{name: "another image", strategy: "surge", fresh: "prepared", word: "just now", new: change{otherImage}, reason: model.TargetPreparing},
		{name: "another image, late", strategy: "surge", fresh: "prepared", new: change{otherImage}, reason: model.TargetFailed, failed: true},
		{name: "Pending", strategy: "surge", fresh: "starting", word: "just now", new: change{pend}, reason: model.CapacityFallback, acts: true},
		{name: "Pending, a sidecar", strategy: "surge", fresh: "starting", word: "just now", new: change{pend, sidecar}, reason: model.LocksDoNotExclude},
		{name: "Pending, another image", strategy: "surge", fresh: "starting", word: "just now", new: change{pend, otherImage}, reason: model.TargetPreparing},
		{name: "Pending, two old Pods", strategy: "surge", fresh: "starting", word: "just now", new: change{pend}, twice: true, reason: model.WaitingForPodsToEnd},
		{name: "Pending, without locks", strategy: "plain surge", fresh: "starting", word: "just now", new: change{pend}, reason: model.CapacityFallback, acts: true},
		{name: "Pending, a sidecar, without locks", strategy: "plain surge", fresh: "starting", word: "just now", new: change{pend, sidecar}, reason: model.TargetPreparing},
		{name: "Pending, a sidecar on all, without locks", strategy: "plain surge", fresh: "starting", word: "just now", old: change{sidecar}, new: change{pend, sidecar}, reason: model.CapacityFallback, acts: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, test.strategy)
			if test.record != nil {
				test.record(s)
			}
			s.node("n1", "serves", test.fresh, test.word)
			if test.twice {
				more := s.podOf("n1", "older", "serves", 4*time.Hour)
				more.Annotations[s.keys.Revision] = "former"
				s.objects.Pods = append(s.objects.Pods, more)
			}
			for _, pod := range s.objects.Pods {
				pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")}
			}
			for _, f := range test.old {
				f(s.objects.Pods[0])
			}
			for _, f := range slices.Backward(test.new) { // a container is added before the Pod is without its node
				f(s.objects.Pods[1])
			}
			v := s.view()
			j := v.judge(0)
			require.Equal(t, test.reason, j.Report.Reason, j.Report.Detail)
			require.Equal(t, test.acts, j.Move.Kind == deletePod)
			require.Equal(t, test.acts, j.Move.Seat == budget.PaidSeat)
			require.Equal(t, test.aside, j.Aside != "")
			f := v.look(0)
			require.Equal(t, test.failed, v.propose(&f).failed)
			if test.reason == model.LocksDoNotExclude && test.word == "just now" {
				require.Equal(t, now.Add(599*time.Second), v.propose(&f).wake, "of the deadline")
			}
		})
	}
}
