package capacity

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// unjudged names a hard constraint of the target that one node and its Pods cannot settle, or that the
// Pods staying on the node break; "" where there is none. The scheduler looks at these only after the
// resources fit, so that its message has not named them yet.
func unjudged(target *corev1.Pod, node *corev1.Node, staying []*corev1.Pod) string {
	for _, c := range target.Spec.TopologySpreadConstraints {
		if c.WhenUnsatisfiable == corev1.DoNotSchedule {
			return fmt.Sprintf("topology spread over %s cannot be judged from one node", c.TopologyKey)
		}
	}
	if len(target.Spec.ResourceClaims) > 0 {
		return fmt.Sprintf("resource claim %s cannot be judged from the node", target.Spec.ResourceClaims[0].Name)
	}
	for i := range target.Spec.Volumes {
		if v := &target.Spec.Volumes[i]; isDisk(&v.VolumeSource) {
			return fmt.Sprintf("volume %s cannot be judged from the node", v.Name)
		}
	}
	if fault := ownAntiAffinity(target, node, staying); fault != "" {
		return fault
	}
	if fault := ownAffinity(target, node, staying); fault != "" {
		return fault
	}
	return peerAntiAffinity(target, node, staying)
}

// isDisk: a volume whose place or number of users the scheduler restricts.
func isDisk(v *corev1.VolumeSource) bool {
	return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.GCEPersistentDisk != nil ||
		v.AWSElasticBlockStore != nil || v.AzureDisk != nil || v.Cinder != nil || v.ISCSI != nil || v.RBD != nil
}

func requiredAffinity(pod *corev1.Pod) []corev1.PodAffinityTerm {
	if pod.Spec.Affinity == nil || pod.Spec.Affinity.PodAffinity == nil {
		return nil
	}
	return pod.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

func requiredAntiAffinity(pod *corev1.Pod) []corev1.PodAffinityTerm {
	if pod.Spec.Affinity == nil || pod.Spec.Affinity.PodAntiAffinity == nil {
		return nil
	}
	return pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// inTopology: the node is part of the topology. A node without the key is in no topology of that kind
// and breaks no anti-affinity over it; each node is held to be in that of host names.
func inTopology(node *corev1.Node, key string) bool {
	_, has := node.Labels[key]
	return has || key == corev1.LabelHostname
}

func ownAntiAffinity(target *corev1.Pod, node *corev1.Node, staying []*corev1.Pod) string {
	terms := requiredAntiAffinity(target)
	for i := range terms {
		t := &terms[i]
		if !inTopology(node, t.TopologyKey) {
			continue
		}
		for _, other := range staying {
			if selects(t, target.Namespace, other) {
				return fmt.Sprintf("the Pod's anti-affinity over %s matches %s", t.TopologyKey, nameOf(other))
			}
		}
		if t.TopologyKey != corev1.LabelHostname {
			return fmt.Sprintf("the Pod's anti-affinity over %s cannot be judged from one node", t.TopologyKey)
		}
	}
	return ""
}

// ownAffinity wants one Pod on the node that all terms select, as the scheduler does. That the first
// Pod of a kind may go anywhere cannot be judged from one node.
func ownAffinity(target *corev1.Pod, node *corev1.Node, staying []*corev1.Pod) string {
	terms := requiredAffinity(target)
	if len(terms) == 0 {
		return ""
	}
	for i := range terms {
		if key := terms[i].TopologyKey; key != corev1.LabelHostname {
			return fmt.Sprintf("the Pod's affinity over %s cannot be judged from one node", key)
		}
	}
	if _, has := node.Labels[corev1.LabelHostname]; !has {
		return fmt.Sprintf("the Pod's affinity needs the label %s on the node", corev1.LabelHostname)
	}
	all := func(other *corev1.Pod) bool {
		return !slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool {
			return !surelySelects(&t, target.Namespace, other)
		})
	}
	if !slices.ContainsFunc(staying, all) {
		return "no Pod that stays on the node satisfies the Pod's affinity"
	}
	return ""
}

// peerAntiAffinity: a Pod that stays does not suffer the target. Over a wider topology than the node it
// is in the same one, being on the same node.
func peerAntiAffinity(target *corev1.Pod, node *corev1.Node, staying []*corev1.Pod) string {
	for _, other := range staying {
		terms := requiredAntiAffinity(other)
		for i := range terms {
			if t := &terms[i]; inTopology(node, t.TopologyKey) && selects(t, other.Namespace, target) {
				return fmt.Sprintf("the anti-affinity of %s over %s matches the Pod", nameOf(other), t.TopologyKey)
			}
		}
	}
	return ""
}

// selects reports whether a term of a Pod in the namespace may select the other Pod: doubt counts as
// yes, which is the safe side for anti-affinity. In doubt are a namespace selector, since the labels of
// namespaces are not known here, and a malformed selector. matchLabelKeys need no look: the API server
// has written them into the label selector (KEP-3633).
func selects(t *corev1.PodAffinityTerm, namespace string, other *corev1.Pod) bool {
	if !inNamespaces(t, namespace, other.Namespace) && t.NamespaceSelector == nil {
		return false
	}
	matches, ok := selectorMatches(t.LabelSelector, other.Labels)
	return matches || !ok
}

// surelySelects takes doubt for no, the safe side for affinity.
func surelySelects(t *corev1.PodAffinityTerm, namespace string, other *corev1.Pod) bool {
	everywhere := t.NamespaceSelector != nil && len(t.NamespaceSelector.MatchLabels) == 0 && len(t.NamespaceSelector.MatchExpressions) == 0
	if !inNamespaces(t, namespace, other.Namespace) && !everywhere {
		return false
	}
	matches, ok := selectorMatches(t.LabelSelector, other.Labels)
	return matches && ok
}

// inNamespaces: the listed ones, or the Pod's own where neither list nor selector is given.
func inNamespaces(t *corev1.PodAffinityTerm, own, other string) bool {
	if len(t.Namespaces) == 0 && t.NamespaceSelector == nil {
		return own == other
	}
	return slices.Contains(t.Namespaces, other)
}

func selectorMatches(s *metav1.LabelSelector, set map[string]string) (matches, ok bool) {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return false, false
	}
	return selector.Matches(labels.Set(set)), true
}

// Apart names the required anti-affinity of either Pod that keeps the two off one node, and "" if they may share one. Every
// topology counts: two Pods on one node are in one of each kind. Doubt counts as yes.
func Apart(a, b *corev1.Pod) string {
	for _, pair := range [...][2]*corev1.Pod{{a, b}, {b, a}} {
		terms := requiredAntiAffinity(pair[0])
		for i := range terms {
			if t := &terms[i]; selects(t, pair[0].Namespace, pair[1]) {
				return fmt.Sprintf("required anti-affinity over %s, %s", t.TopologyKey, metav1.FormatLabelSelector(t.LabelSelector))
			}
		}
	}
	return ""
}
