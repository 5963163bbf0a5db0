package verify

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
)

// began is the instant at which the small clusters were made.
var began = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

const (
	namespace = "datadog"
	name      = "agent"
)

func imageOf(revision int) string { return fmt.Sprintf("agent:%d", revision) }

// agent is a small agent of two components.
func agent(revision int) *appsv1.DaemonSet {
	yes := true
	component := func(command ...string) corev1.Container {
		return corev1.Container{
			Name: command[0], Image: imageOf(revision), Command: command,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}},
		}
	}
	marks := map[string]string{"app.kubernetes.io/instance": name}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: marks, OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: name, UID: "owner", Controller: &yes},
		}},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: marks},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: marks}, Spec: corev1.PodSpec{
				HostPID: true, Containers: []corev1.Container{component("agent", "run"), component("trace-agent")},
			}},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType},
		},
	}
}

// Nodes returns so many nodes that have the images of these revisions; the first full ones hold one agent and no second one.
func Nodes(count, full int, revisions ...int) (nodes []*corev1.Node) {
	var images []corev1.ContainerImage
	for _, revision := range revisions {
		images = append(images, corev1.ContainerImage{Names: []string{imageOf(revision)}})
	}
	for i := range count {
		node := fmt.Sprintf("n%d", i+1)
		cpu := "2"
		if i < full {
			cpu = "500m"
		}
		nodes = append(nodes, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: node, UID: types.UID("uid-" + node), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(began.Add(-5 * Deadline))},
			Status: corev1.NodeStatus{
				Images:      images,
				Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourcePods: resource.MustParse("20")},
				Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(began)}},
			},
		})
	}
	return nodes
}

// Revision returns the document of one revision of a small agent of two components, after changing it: one node may be
// unavailable, every node may be in overlap, and no duration is within reach.
func Revision(revision int, change ...func(*model.Rollout)) Document {
	one, all := intstr.FromInt32(1), intstr.FromString("100%")
	settle, late := int32(0), int32(Deadline/time.Second)
	r := &model.Rollout{
		Metadata: model.Owner{Namespace: namespace, Name: name, UID: "owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec: model.Spec{
			Desired:  agent(revision),
			Strategy: model.Strategy{MaxUnavailable: &one, MaxSurge: &all, SettleSeconds: &settle},
			Failure:  model.Failure{ProgressDeadlineSeconds: &late},
		},
		Status: model.Facts{ObservedAt: metav1.NewTime(began), Watched: true, OtherPods: model.OtherPods{All: true}},
	}
	for _, f := range change {
		f(r)
	}
	return Document{Name: fmt.Sprintf("revision %d", revision), Rollout: r}
}
