package capacity

import corev1 "k8s.io/api/core/v1"

// BoundFor says which node a Pod is on or is bound for: spec.nodeName, else the node that the DaemonSet
// controller has written into the required node affinity.
//
// The latter counts only where it cannot be misread: every term names a node by exactly one
// requirement on metadata.name, In with exactly one value, and all terms name the same node. Else the
// node is unknown, and nothing may be done that rests on it.
func BoundFor(pod *corev1.Pod) (node string, ok bool) {
	if pod == nil {
		return "", false
	}
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName, true
	}
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return "", false
	}
	terms := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	for i := range terms {
		name, ok := pinnedTo(&terms[i])
		if !ok || i > 0 && name != node {
			return "", false
		}
		node = name
	}
	return node, node != ""
}

func pinnedTo(term *corev1.NodeSelectorTerm) (string, bool) {
	name := ""
	for _, f := range term.MatchFields {
		if f.Key != "metadata.name" {
			continue
		}
		if name != "" || f.Operator != corev1.NodeSelectorOpIn || len(f.Values) != 1 {
			return "", false
		}
		name = f.Values[0]
	}
	return name, name != ""
}
