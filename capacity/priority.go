package capacity

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
)

// The classes that every cluster has, with the values that the API server gives them.
const (
	systemNodeCritical    = "system-node-critical"
	systemClusterCritical = "system-cluster-critical"

	systemNodeCriticalValue    int32 = 2_000_001_000
	systemClusterCriticalValue int32 = 2_000_000_000
)

// PriorityOf is the priority that admission gives a Pod of the template, with its preemption policy, nil for the default one: that of the
// class that it names, else of the classes' global default, else 0. known is false where the class is not among those given: then the
// priority is that of a live Pod of the template, if there is one.
func PriorityOf(spec *corev1.PodSpec, classes []*schedulingv1.PriorityClass) (priority int32, policy *corev1.PreemptionPolicy, known bool) {
	switch spec.PriorityClassName {
	case systemNodeCritical:
		return systemNodeCriticalValue, spec.PreemptionPolicy, true
	case systemClusterCritical:
		return systemClusterCriticalValue, spec.PreemptionPolicy, true
	}
	if spec.Priority != nil {
		return *spec.Priority, spec.PreemptionPolicy, true
	}
	for _, class := range classes {
		if class.Name == spec.PriorityClassName || spec.PriorityClassName == "" && class.GlobalDefault {
			return class.Value, class.PreemptionPolicy, true
		}
	}
	return 0, spec.PreemptionPolicy, spec.PriorityClassName == ""
}
