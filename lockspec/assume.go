package lockspec

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// Assumptions lists what the wrapper cannot see of a template that it accepts, and takes for granted: a sentence each, the Pod as a
// whole first, then init containers and containers in their order. It is to be read before the first rollout.
func Assumptions(template *corev1.PodTemplateSpec, spec *model.LockSpec) (list []string) {
	pod := &template.Spec
	if !onLinux(pod) {
		list = append(list, "every node that the template selects runs Linux: it selects neither kubernetes.io/os nor spec.os (Windows and Fargate nodes are to be kept off by a selector)")
	}
	if class := pod.RuntimeClassName; class != nil && !sandboxed(*class) {
		list = append(list, fmt.Sprintf("runtimeClassName %s runs the containers on the node's own kernel: locks of a sandbox keep nobody out", *class))
	}
	if sharesProcesses(pod) {
		list = append(list, "children of a component may outlive it for a moment, beside the next generation: under hostPID and shareProcessNamespace the kernel does not end them with it")
	}
	for i := range pod.InitContainers {
		name := pod.InitContainers[i].Name
		if at := slices.IndexFunc(spec.InitContainers, func(a model.LockInitContainer) bool { return a.Container == name }); at >= 0 && spec.InitContainers[at].Assumes != "" {
			list = append(list, fmt.Sprintf("init container %s: %s", name, spec.InitContainers[at].Assumes))
		}
	}
	for i := range pod.Containers {
		name := pod.Containers[i].Name
		if at := slices.IndexFunc(spec.Components, func(a model.LockComponent) bool { return a.Container == name }); at >= 0 && spec.Components[at].Assumes != "" {
			list = append(list, fmt.Sprintf("container %s: %s", name, spec.Components[at].Assumes))
		}
	}
	return list
}

// sharesProcesses tells whether a container is not the whole of its process namespace, so that the kernel does not end the others with it.
func sharesProcesses(pod *corev1.PodSpec) bool {
	return pod.HostPID || pod.ShareProcessNamespace != nil && *pod.ShareProcessNamespace
}

// onLinux tells whether the template itself keeps its Pods off nodes of another operating system.
func onLinux(pod *corev1.PodSpec) bool {
	if pod.OS != nil && pod.OS.Name == corev1.Linux {
		return true
	}
	if pod.NodeSelector[corev1.LabelOSStable] == string(corev1.Linux) {
		return true
	}
	if pod.Affinity == nil || pod.Affinity.NodeAffinity == nil || pod.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return false
	}
	terms := pod.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(t.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool {
			return e.Key == corev1.LabelOSStable && e.Operator == corev1.NodeSelectorOpIn && slices.Equal(e.Values, []string{string(corev1.Linux)})
		})
	})
}
