package model

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TrimNode is an informer Transform (client-go cache.TransformFunc) that keeps of a Node what is read:
// name, UID, resourceVersion, labels, annotations, taints, unschedulable, allocatable and conditions.
// It changes the object in place; objects of other types are returned as they are.
func TrimNode(object any) (any, error) {
	node, ok := object.(*corev1.Node)
	if !ok {
		return object, nil
	}
	node.ManagedFields = nil
	node.Spec = corev1.NodeSpec{Taints: node.Spec.Taints, Unschedulable: node.Spec.Unschedulable}
	node.Status = corev1.NodeStatus{Allocatable: node.Status.Allocatable, Conditions: node.Status.Conditions}
	return node, nil
}

// TrimPod is an informer Transform that keeps of a Pod what is read. Of an agent's Pod that is its whole
// spec without the environment, since locks, ports and requests are judged from it; managed fields,
// environment and finalizers go.
func TrimPod(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil
	}
	pod.ManagedFields = nil
	for _, containers := range [...][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			containers[i].Env, containers[i].EnvFrom = nil, nil
		}
	}
	pod.Status = corev1.PodStatus{
		Phase:                 pod.Status.Phase,
		Reason:                pod.Status.Reason,
		NominatedNodeName:     pod.Status.NominatedNodeName,
		StartTime:             pod.Status.StartTime,
		Conditions:            pod.Status.Conditions,
		InitContainerStatuses: pod.Status.InitContainerStatuses,
		ContainerStatuses:     pod.Status.ContainerStatuses,
	}
	return pod, nil
}

// TrimDaemonSet is an informer Transform that drops a DaemonSet's managed fields; all else is read.
func TrimDaemonSet(object any) (any, error) {
	if set, ok := object.(metav1.Object); ok {
		set.SetManagedFields(nil)
	}
	return object, nil
}
