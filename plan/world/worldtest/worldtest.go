// Package worldtest builds the API objects of small clusters for tests of package world, of package simulate,
// and of operators that are tested on them. It gives no running Pods: a world makes them by itself.
package worldtest

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

// Namespace of all DaemonSets.
const Namespace = "datadog"

// Start is the instant at which the clusters were made.
var Start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// Joined is the instant at which the Nodes were made: long ago, so that no node is taken for one that joins.
var Joined = Start.Add(-24 * time.Hour)

// Nodes returns ready nodes n0001, n0002 and so on with two CPUs, 4Gi and room for twenty Pods, after
// changing each.
func Nodes(count int, edits ...func(*corev1.Node)) []*corev1.Node {
	nodes := make([]*corev1.Node, count)
	for i := range nodes {
		name := fmt.Sprintf("n%04d", i+1)
		room := corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"),
			corev1.ResourcePods: resource.MustParse("20"),
		}
		nodes[i] = &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name: name, UID: types.UID("node-" + name), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(Joined),
				Labels: map[string]string{corev1.LabelHostname: name},
			},
			Status: corev1.NodeStatus{Allocatable: room, Conditions: []corev1.NodeCondition{
				{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(Start)},
			}},
		}
		for _, edit := range edits {
			edit(nodes[i])
		}
	}
	return nodes
}

// Set returns an OnDelete DaemonSet with the components agent and trace-agent of the image agent:tag, 200m
// CPU each and one init container, after changing it.
func Set(name, tag string, edits ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	request := corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}}
	marks := map[string]string{"app.kubernetes.io/instance": name}
	image := "agent:" + tag
	set := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: Namespace, Name: name, UID: types.UID("set-" + name), ResourceVersion: "1", Generation: 1,
			CreationTimestamp: metav1.NewTime(Start),
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: marks},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: marks},
				Spec: corev1.PodSpec{
					InitContainers: []corev1.Container{{Name: "init-config", Image: image, Command: []string{"bash", "-c", "true"}}},
					Containers: []corev1.Container{
						{Name: "agent", Image: image, Command: []string{"agent", "run"}, Resources: request},
						{Name: "trace-agent", Image: image, Command: []string{"trace-agent"}, Resources: request},
					},
				},
			},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType},
		},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 1},
	}
	for _, edit := range edits {
		edit(set)
	}
	return set
}

// Wrapped puts the containers behind the locks of the preset datadog. It panics if that refuses them.
func Wrapped(set *appsv1.DaemonSet) {
	spec, _ := lockspec.Preset("datadog")
	template, err := lockspec.Wrap(set.Spec.Template, spec)
	if err != nil {
		panic(err)
	}
	set.Spec.Template = template
}

// Rolling makes the native rolling update of it, with maxUnavailable or, if surge is true, maxSurge.
func Rolling(value intstr.IntOrString, surge bool) func(*appsv1.DaemonSet) {
	return func(set *appsv1.DaemonSet) {
		none := intstr.FromInt32(0)
		rolling := &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &value, MaxSurge: &none}
		if surge {
			rolling = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &none, MaxSurge: &value}
		}
		set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: rolling}
	}
}

// OnLabel restricts the set to nodes whose label has one of the values.
func OnLabel(key string, values ...string) func(*appsv1.DaemonSet) {
	return func(set *appsv1.DaemonSet) {
		set.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}},
			}}},
		}}
	}
}

// Snapshot returns nodes, Pods and DaemonSets as a planner sees them. It panics if they make no cluster.
func Snapshot(nodes []*corev1.Node, pods []*corev1.Pod, sets ...*appsv1.DaemonSet) *model.Snapshot {
	cluster, err := model.NewCluster(model.Objects{Nodes: nodes, Pods: pods, DaemonSets: sets})
	if err != nil {
		panic(err)
	}
	return &model.Snapshot{Cluster: cluster}
}
