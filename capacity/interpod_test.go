package capacity

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const zone = corev1.LabelTopologyZone

// term selects Pods by one label, "key=value", over a topology.
func term(topology, kv string, edit ...func(*corev1.PodAffinityTerm)) corev1.PodAffinityTerm {
	s, err := metav1.ParseToLabelSelector(kv)
	if err != nil {
		panic(err)
	}
	t := corev1.PodAffinityTerm{TopologyKey: topology, LabelSelector: s}
	for _, e := range edit {
		e(&t)
	}
	return t
}

func avoids(terms ...corev1.PodAffinityTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		if p.Spec.Affinity == nil {
			p.Spec.Affinity = &corev1.Affinity{}
		}
		p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}
	}
}

func seeks(terms ...corev1.PodAffinityTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}
	}
}

func labelled(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{key: value} }
}

func inNamespace(ns string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Namespace = ns } }

// The scheduler looks at these after the resources, so its message does not name them; each must hold
// the source although the numbers are those of case 6.
func TestFallbackOtherConstraints(t *testing.T) {
	const host = corev1.LabelHostname
	everywhere := func(t *corev1.PodAffinityTerm) { t.NamespaceSelector = &metav1.LabelSelector{} }
	team := func(t *corev1.PodAffinityTerm) {
		t.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	}
	listed := func(ns ...string) func(*corev1.PodAffinityTerm) {
		return func(t *corev1.PodAffinityTerm) { t.Namespaces = ns }
	}
	malformed := func(t *corev1.PodAffinityTerm) {
		t.LabelSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Near"}}}
	}
	anyone := func(t *corev1.PodAffinityTerm) { t.LabelSelector = &metav1.LabelSelector{} }
	nobody := func(t *corev1.PodAffinityTerm) { t.LabelSelector = nil }
	db := func(edit ...func(*corev1.Pod)) func(*Question) {
		p := pod("db", "", on("n1"), labelled("app", "db"))
		for _, e := range edit {
			e(p)
		}
		return beside(p)
	}
	inZone := onNode(label(zone + "=a"))
	volume := func(v corev1.VolumeSource) func(*Question) {
		return onTarget(func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: v}} })
	}

	for _, tc := range []struct {
		name   string
		q      Question
		detail string // "" = FitsOnceSourceGone
	}{
		{"peer avoids the agent", question(db(avoids(term(host, "app=agent")))), "the anti-affinity of ns/db over kubernetes.io/hostname matches the Pod"},
		{"peer avoids others", question(db(avoids(term(host, "app=web")))), ""},
		{"peer avoids nobody", question(db(avoids(term(host, "app=agent", nobody)))), ""},
		{"peer avoids anyone", question(db(avoids(term(host, "app=web", anyone)))), "the anti-affinity of ns/db over kubernetes.io/hostname matches the Pod"},
		{"peer is over", question(db(avoids(term(host, "app=agent")), phase(corev1.PodSucceeded))), ""},
		{"peer is terminating", question(db(avoids(term(host, "app=agent")), terminating)), "the anti-affinity of ns/db over kubernetes.io/hostname matches the Pod"},
		{"the source avoids the target", question(func(q *Question) { avoids(term(host, "app=agent"))(q.Others[0]) }), ""},
		{"peer of another namespace", question(db(inNamespace("db"), avoids(term(host, "app=agent")))), ""},
		{"… that lists ours", question(db(inNamespace("db"), avoids(term(host, "app=agent", listed("x", "ns"))))), "the anti-affinity of db/db over kubernetes.io/hostname matches the Pod"},
		{"… that lists others", question(db(avoids(term(host, "app=agent", listed("x"))))), ""},
		{"… that means all", question(db(inNamespace("db"), avoids(term(host, "app=agent", everywhere)))), "the anti-affinity of db/db over kubernetes.io/hostname matches the Pod"},
		{"… that selects namespaces by label", question(db(inNamespace("db"), avoids(term(host, "app=agent", team)))), "the anti-affinity of db/db over kubernetes.io/hostname matches the Pod"},
		{"… that selects namespaces, for others", question(db(inNamespace("db"), avoids(term(host, "app=web", team)))), ""},
		{"a malformed selector", question(db(avoids(term(host, "app=web", malformed)))), "the anti-affinity of ns/db over kubernetes.io/hostname matches the Pod"},
		{"peer avoids the agent in the zone", question(inZone, db(avoids(term(zone, "app=agent")))), "the anti-affinity of ns/db over topology.kubernetes.io/zone matches the Pod"},
		{"peer avoids others in the zone", question(inZone, db(avoids(term(zone, "app=web")))), ""},
		{"peer on a node without zone", question(db(avoids(term(zone, "app=agent")))), ""},
		{"second term of a peer", question(db(avoids(term(host, "app=web"), term(host, "app=agent")))), "the anti-affinity of ns/db over kubernetes.io/hostname matches the Pod"},

		{"target avoids a peer", question(onTarget(avoids(term(host, "app=db"))), db()), "the Pod's anti-affinity over kubernetes.io/hostname matches ns/db"},
		{"target avoids others", question(onTarget(avoids(term(host, "app=web"))), db()), ""},
		{"target avoids the source", question(onTarget(avoids(term(host, "app=agent"))), func(q *Question) { labelled("app", "agent")(q.Others[0]) }), ""},
		{"target avoids another agent that stays", question(onTarget(avoids(term(host, "app=agent"))), db(labelled("app", "agent"))), "the Pod's anti-affinity over kubernetes.io/hostname matches ns/db"},
		{"target avoids a peer in the zone", question(inZone, onTarget(avoids(term(zone, "app=db"))), db()), "the Pod's anti-affinity over topology.kubernetes.io/zone matches ns/db"},
		{"target avoids Pods of the zone, unseen", question(inZone, onTarget(avoids(term(zone, "app=web"))), db()), "the Pod's anti-affinity over topology.kubernetes.io/zone cannot be judged from one node"},
		{"target avoids Pods of a zone that the node is not in", question(onTarget(avoids(term(zone, "app=db"))), db()), ""},
		{"no host name label, still a host", question(onNode(func(n *corev1.Node) { n.Labels = nil }), onTarget(avoids(term(host, "app=db"))), db()), "the Pod's anti-affinity over kubernetes.io/hostname matches ns/db"},

		{"target seeks a peer", question(onTarget(seeks(term(host, "app=db"))), db()), ""},
		{"target seeks one that is not there", question(onTarget(seeks(term(host, "app=web"))), db()), "no Pod that stays on the node satisfies the Pod's affinity"},
		{"target seeks the source", question(onTarget(seeks(term(host, "app=agent"))), func(q *Question) { labelled("app", "agent")(q.Others[0]) }), "no Pod that stays on the node satisfies the Pod's affinity"},
		{"target seeks two in one", question(onTarget(seeks(term(host, "app=db"), term(host, "tier=1"))), db(), beside(pod("t", "", on("n1"), labelled("tier", "1")))), "no Pod that stays on the node satisfies the Pod's affinity"},
		{"target seeks in all namespaces", question(onTarget(seeks(term(host, "app=db", everywhere))), db(inNamespace("db"))), ""},
		{"target seeks in some namespaces", question(onTarget(seeks(term(host, "app=db", team))), db(inNamespace("db"))), "no Pod that stays on the node satisfies the Pod's affinity"},
		{"target seeks with a malformed selector", question(onTarget(seeks(term(host, "app=db", malformed))), db()), "no Pod that stays on the node satisfies the Pod's affinity"},
		{"target seeks in the zone", question(inZone, onTarget(seeks(term(zone, "app=db"))), db()), "the Pod's affinity over topology.kubernetes.io/zone cannot be judged from one node"},
		{"target seeks on a node without host name", question(onNode(func(n *corev1.Node) { n.Labels = nil }), onTarget(seeks(term(host, "app=db"))), db()), "the Pod's affinity needs the label kubernetes.io/hostname on the node"},

		{"hard spread", question(onTarget(func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: zone, WhenUnsatisfiable: corev1.DoNotSchedule}}
		})), "topology spread over topology.kubernetes.io/zone cannot be judged from one node"},
		{"soft spread", question(onTarget(func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: zone, WhenUnsatisfiable: corev1.ScheduleAnyway}}
		})), ""},
		{"resource claim", question(onTarget(func(p *corev1.Pod) { p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} })), "resource claim gpu cannot be judged from the node"},
		{"volume claim", question(volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}})), "volume data cannot be judged from the node"},
		{"ephemeral claim", question(volume(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}})), "volume data cannot be judged from the node"},
		{"host path", question(volume(corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{}})), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := Fallback(tc.q)
			if tc.detail == "" {
				require.Equal(t, FitsOnceSourceGone.String(), a.Verdict.String(), a.Detail)
				return
			}
			require.Equal(t, OtherConstraint.String(), a.Verdict.String(), a.Detail)
			require.Equal(t, tc.detail, a.Detail)
			require.Nil(t, a.Shortfalls)
		})
	}
}
