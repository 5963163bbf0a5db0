package capacity

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

func template(edit ...func(*corev1.PodSpec)) *corev1.PodTemplateSpec {
	t := &corev1.PodTemplateSpec{}
	for _, e := range edit {
		e(&t.Spec)
	}
	return t
}

func placement(t testing.TB, tmpl *corev1.PodTemplateSpec) *Placement {
	t.Helper()
	p, err := NewPlacement(tmpl)
	require.NoError(t, err)
	return p
}

func tolerate(ts ...corev1.Toleration) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.Tolerations = append(s.Tolerations, ts...) }
}

func selector(kv map[string]string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.NodeSelector = kv }
}

func affine(terms ...corev1.NodeSelectorTerm) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.Affinity = affinity(terms...) }
}

func hostNetwork(s *corev1.PodSpec) { s.HostNetwork = true }

func TestPlacement(t *testing.T) {
	plain := node("n1", "", label("zone=a", "cores=8"))
	slot := func(value string) *corev1.Node { return node("n1", "", label("slot="+value)) }
	blue := requirement("slot", corev1.NodeSelectorOpIn, "blue", "blue-to-green", "green-to-blue")
	unlabelled := requirement("slot", corev1.NodeSelectorOpDoesNotExist)

	for _, tc := range []struct {
		name string
		tmpl *corev1.PodTemplateSpec
		node *corev1.Node
		want Eligibility
		why  string
	}{
		{"nothing asked", template(), plain, Eligible, ""},
		{"no node", template(), nil, Ineligible, "there is no such node"},
		{"node name", template(func(s *corev1.PodSpec) { s.NodeName = "n1" }), plain, Eligible, ""},
		{"other node name", template(func(s *corev1.PodSpec) { s.NodeName = "n2" }), plain, Ineligible,
			"the template's node name is n2, the node is n1"},
		{"selector", template(selector(map[string]string{"zone": "a"})), plain, Eligible, ""},
		{"selector, other value", template(selector(map[string]string{"zone": "b"})), plain, Ineligible,
			"nodeSelector wants zone=b, the node has zone=a"},
		{"selector, empty value wants the label", template(selector(map[string]string{"gpu": ""})), plain, Ineligible,
			"nodeSelector wants gpu=, the node has no label gpu"},
		{"first fault by key", template(selector(map[string]string{"y": "1", "x": "1"})), plain, Ineligible,
			"nodeSelector wants x=1, the node has no label x"},

		{"affinity without a term", template(affine()), plain, Ineligible,
			"the required node affinity has no term, so it matches no node"},
		{"empty term", template(affine(exprs())), plain, Ineligible,
			"no term of the required node affinity matches: term 0: it is empty"},
		{"field", template(affine(fields(nameIn("n1")))), plain, Eligible, ""},
		{"other field", template(affine(fields(nameIn("n2")))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants field metadata.name In [n2], the node is n1"},
		{"field excluded", template(affine(fields(requirement("metadata.name", corev1.NodeSelectorOpNotIn, "n1")))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants field metadata.name NotIn [n1], the node is n1"},
		{"second term", template(affine(exprs(requirement("zone", corev1.NodeSelectorOpIn, "b")), exprs(requirement("zone", corev1.NodeSelectorOpExists)))), plain, Eligible, ""},
		{"within a term all must hold", template(affine(exprs(requirement("zone", corev1.NodeSelectorOpExists), requirement("cores", corev1.NodeSelectorOpGt, "8")))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants cores Gt [8], the node has cores=8"},
		{"less than", template(affine(exprs(requirement("cores", corev1.NodeSelectorOpLt, "9")))), plain, Eligible, ""},
		{"not a number", template(affine(exprs(requirement("zone", corev1.NodeSelectorOpLt, "9")))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants zone Lt [9], the node has zone=a"},
		{"no number", template(affine(exprs(requirement("gpus", corev1.NodeSelectorOpLt, "9")))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants gpus Lt [9], the node has no label gpus"},
		{"not in, without the label", template(affine(exprs(requirement("gpu", corev1.NodeSelectorOpNotIn, "x")))), plain, Eligible, ""},

		{"slot: overlap", template(affine(exprs(blue))), slot("blue-to-green"), Eligible, ""},
		{"slot: handed over", template(affine(exprs(blue))), slot("green"), Ineligible,
			"no term of the required node affinity matches: term 0: wants slot In [blue blue-to-green green-to-blue], the node has slot=green"},
		{"slot: joining node, owner", template(affine(exprs(blue), exprs(unlabelled))), plain, Eligible, ""},
		{"slot: joining node, other slot", template(affine(exprs(blue))), plain, Ineligible,
			"no term of the required node affinity matches: term 0: wants slot In [blue blue-to-green green-to-blue], the node has no label slot"},

		{"NoSchedule keeps what runs (case 9)", template(), node("m1", "", taint("role=master:NoSchedule")), KeepsRunning,
			"the taint role=master:NoSchedule is not tolerated"},
		{"NoExecute", template(), node("m1", "", taint("role:NoExecute")), Ineligible, "the taint role:NoExecute is not tolerated"},
		{"NoExecute decides over NoSchedule", template(), node("m1", "", taint("a:NoSchedule", "b:NoExecute")), Ineligible,
			"the taint b:NoExecute is not tolerated"},
		{"PreferNoSchedule is soft", template(), node("m1", "", taint("a:PreferNoSchedule")), Eligible, ""},
		{"tolerated by value", template(tolerate(corev1.Toleration{Key: "a", Value: "1"})), node("m1", "", taint("a=1:NoExecute")), Eligible, ""},
		{"tolerated for another value", template(tolerate(corev1.Toleration{Key: "a", Value: "2"})), node("m1", "", taint("a=1:NoSchedule")), KeepsRunning,
			"the taint a=1:NoSchedule is not tolerated"},
		{"everything tolerated", template(tolerate(corev1.Toleration{Operator: corev1.TolerationOpExists})), node("m1", "", taint("a:NoExecute", "b:NoSchedule")), Eligible, ""},
		{"greater than", template(tolerate(corev1.Toleration{Key: "sla", Operator: corev1.TolerationOpGt, Value: "900"})), node("m1", "", taint("sla=950:NoSchedule")), Eligible, ""},
		{"not greater than", template(tolerate(corev1.Toleration{Key: "sla", Operator: corev1.TolerationOpGt, Value: "950"})), node("m1", "", taint("sla=950:NoSchedule")), KeepsRunning,
			"the taint sla=950:NoSchedule is not tolerated"},

		{"cordoned", template(), node("n1", "", taint("node.kubernetes.io/unschedulable:NoSchedule"), func(n *corev1.Node) { n.Spec.Unschedulable = true }), Eligible, ""},
		{"unreachable", template(), node("n1", "", taint("node.kubernetes.io/unreachable:NoExecute", "node.kubernetes.io/not-ready:NoExecute")), Eligible, ""},
		{"a new node is not ready yet", template(), node("n1", "", taint("node.kubernetes.io/not-ready:NoSchedule")), KeepsRunning,
			"the taint node.kubernetes.io/not-ready:NoSchedule is not tolerated"},
		{"under pressure", template(), node("n1", "", taint("node.kubernetes.io/disk-pressure:NoSchedule", "node.kubernetes.io/memory-pressure:NoSchedule", "node.kubernetes.io/pid-pressure:NoSchedule")), Eligible, ""},
		{"no network, own network", template(hostNetwork), node("n1", "", taint("node.kubernetes.io/network-unavailable:NoSchedule")), Eligible, ""},
		{"no network, Pod network", template(), node("n1", "", taint("node.kubernetes.io/network-unavailable:NoSchedule")), KeepsRunning,
			"the taint node.kubernetes.io/network-unavailable:NoSchedule is not tolerated"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := placement(t, tc.tmpl)
			require.Equal(t, tc.want, p.Judge(tc.node))
			require.Equal(t, tc.why, p.Why(tc.node))
		})
	}
}

func TestPlacementListsEveryFault(t *testing.T) {
	_, err := NewPlacement(template(
		affine(
			exprs(requirement("zone", "Near", "a"), requirement("cores", corev1.NodeSelectorOpGt, "many")),
			fields(nameIn("n1", "n2")),
			fields(requirement("metadata.name", corev1.NodeSelectorOpExists)),
		),
		tolerate(corev1.Toleration{Key: "a", Operator: "Almost"}, corev1.Toleration{Operator: corev1.TolerationOpEqual}),
	))
	const affinity = "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	for _, path := range []string{
		affinity + "[0].matchExpressions[0].operator",
		affinity + "[0].matchExpressions[1].values[0]",
		affinity + "[1].matchFields[0].values",
		affinity + "[2].matchFields[0].operator",
		"spec.template.spec.tolerations[0].operator",
		"spec.template.spec.tolerations[1].operator",
	} {
		require.ErrorContains(t, err, path)
	}

	_, err = NewPlacement(nil)
	require.ErrorContains(t, err, "spec.template")
}

func TestPlacementKeepsNothingOfTheTemplate(t *testing.T) {
	tmpl := template(selector(map[string]string{"zone": "a"}), tolerate(corev1.Toleration{Key: "a"}),
		affine(exprs(requirement("zone", corev1.NodeSelectorOpIn, "a"))))
	p := placement(t, tmpl)
	tmpl.Spec.NodeSelector["zone"] = "b"
	tmpl.Spec.Tolerations[0].Key = "b"
	tmpl.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchExpressions[0].Values[0] = "b"
	require.Equal(t, Eligible, p.Judge(node("n1", "", label("zone=a"), taint("a:NoSchedule"))))
}

func TestJudgeAllocatesNothing(t *testing.T) {
	n := node("n1", "", label("zone=a", "slot=blue", "cores=8"), taint("node.kubernetes.io/unschedulable:NoSchedule"))
	for name, tmpl := range map[string]*corev1.PodTemplateSpec{
		"plain": template(),
		"pair": template(selector(map[string]string{"zone": "a"}), affine(
			exprs(requirement("slot", corev1.NodeSelectorOpDoesNotExist)),
			exprs(requirement("slot", corev1.NodeSelectorOpIn, "blue"), requirement("cores", corev1.NodeSelectorOpGt, "4")))),
	} {
		p := placement(t, tmpl)
		require.Equal(t, Eligible, p.Judge(n), name)
		require.Zero(t, testing.AllocsPerRun(100, func() { p.Judge(n) }), name)
	}
}

func TestEligibilityString(t *testing.T) {
	require.Equal(t, []string{"Ineligible", "KeepsRunning", "Eligible", "Eligibility(9)"},
		[]string{Ineligible.String(), KeepsRunning.String(), Eligible.String(), Eligibility(9).String()})
}
