package model

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ControllerUID returns the UID of the object's controller, and "" if it has none.
func ControllerUID(object metav1.Object) types.UID {
	for _, ref := range object.GetOwnerReferences() {
		if ref.Controller != nil && *ref.Controller {
			return ref.UID
		}
	}
	return ""
}

// NodeOf returns the node that a Pod runs on or is bound for: spec.nodeName, else the node that the DaemonSet
// controller has written into the required node affinity.
//
// The latter counts only where it cannot be misread: every term names a node by exactly one requirement on
// metadata.name, In with exactly one value, and all terms name the same node. Else the node is unknown, and
// nothing may be done that rests on it.
func NodeOf(pod *corev1.Pod) (string, bool) {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName, true
	}
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil {
		return "", false
	}
	required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return "", false
	}
	node := ""
	for i := range required.NodeSelectorTerms {
		name, ok := pinnedName(&required.NodeSelectorTerms[i])
		if !ok || i > 0 && name != node {
			return "", false
		}
		node = name
	}
	return node, node != ""
}

func pinnedName(term *corev1.NodeSelectorTerm) (string, bool) {
	name := ""
	for i := range term.MatchFields {
		field := &term.MatchFields[i]
		if field.Key != metav1.ObjectNameField {
			continue
		}
		if name != "" || field.Operator != corev1.NodeSelectorOpIn || len(field.Values) != 1 {
			return "", false
		}
		name = field.Values[0]
	}
	return name, name != ""
}

// Bound tells whether the scheduler has bound the Pod. The DaemonSet controller leaves unbound Pods
// in place when their node turns away.
func Bound(pod *corev1.Pod) bool { return pod.Spec.NodeName != "" }

// Terminating tells whether the Pod's deletion has begun.
func Terminating(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil }

// Terminal tells whether the Pod has ended for good.
func Terminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
}

// ReadySince returns whether the Pod is Ready and when that condition last changed; the zero time
// if the kubelet has reported no such condition yet.
func ReadySince(pod *corev1.Pod) (ready bool, since time.Time) {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue, c.LastTransitionTime.Time
		}
	}
	return false, time.Time{}
}

// SameImage tells whether a Pod's image is the template's, perhaps from a mirror: admission may change the registry and the path, and what stands
// after the last slash, with tag and digest, is the same.
func SameImage(running, template string) bool {
	return running[strings.LastIndexByte(running, '/')+1:] == template[strings.LastIndexByte(template, '/')+1:]
}

// LostReadiness tells whether the Pod has been Ready and is so no more. The kubelet reports Ready as False when it first sees a Pod, in the second
// of status.startTime or the next, and the condition's time moves only when its status does (corev1.PodCondition).
func LostReadiness(pod *corev1.Pod) bool {
	ready, since := ReadySince(pod)
	start := pod.Status.StartTime
	return !ready && start != nil && since.After(start.Add(time.Second))
}

// AllRunning tells whether the Pod is in phase Running with every container of its spec running.
func AllRunning(pod *corev1.Pod) bool {
	if pod.Status.Phase != corev1.PodRunning || len(pod.Status.ContainerStatuses) < len(pod.Spec.Containers) {
		return false
	}
	for i := range pod.Status.ContainerStatuses {
		if pod.Status.ContainerStatuses[i].State.Running == nil {
			return false
		}
	}
	return true
}

// RestartedSince tells whether a container of the Pod was restarted after the instant. A restart
// whose time is not known counts.
func RestartedSince(pod *corev1.Pod, instant time.Time) bool {
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if status.RestartCount == 0 {
			continue
		}
		ended := status.LastTerminationState.Terminated
		if ended == nil || ended.FinishedAt.IsZero() || ended.FinishedAt.After(instant) {
			return true
		}
	}
	return false
}

// StartedContainers counts the containers whose startup probe has succeeded. Behind the lock wrapper
// that is the number of locks that the Pod holds.
func StartedContainers(pod *corev1.Pod) int {
	started := 0
	for i := range pod.Status.ContainerStatuses {
		if s := pod.Status.ContainerStatuses[i].Started; s != nil && *s {
			started++
		}
	}
	return started
}

// Unschedulable returns the scheduler's message if it could not place the Pod (condition PodScheduled
// False for reason Unschedulable); any other reason is no evidence of capacity.
func Unschedulable(pod *corev1.Pod) (message string, ok bool) {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			return c.Message, c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable
		}
	}
	return "", false
}

// WaitingReason returns the first reason for which a container of the Pod, init containers first,
// does not run, as the kubelet words it: ImagePullBackOff, CrashLoopBackOff and the like.
func WaitingReason(pod *corev1.Pod) string {
	for _, statuses := range [...][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			if w := statuses[i].State.Waiting; w != nil && w.Reason != "" && w.Reason != "PodInitializing" {
				return w.Reason
			}
		}
	}
	return ""
}

// NodeReady tells whether the node's Ready condition is True.
func NodeReady(node *corev1.Node) bool {
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// Pressure returns the first condition of the node that says it is short of disk, memory or process IDs, and "" if none
// does. The kubelet evicts Pods from such a node, and a DaemonSet's Pod tolerates the taint.
func Pressure(node *corev1.Node) corev1.NodeConditionType {
	for _, kind := range [...]corev1.NodeConditionType{corev1.NodeDiskPressure, corev1.NodeMemoryPressure, corev1.NodePIDPressure} {
		for i := range node.Status.Conditions {
			if c := &node.Status.Conditions[i]; c.Type == kind && c.Status == corev1.ConditionTrue {
				return kind
			}
		}
	}
	return ""
}
