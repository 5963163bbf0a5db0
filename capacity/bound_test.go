package capacity

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// Case 23, and all ways to be ambiguous.
func TestBoundFor(t *testing.T) {
	notIn := requirement("metadata.name", corev1.NodeSelectorOpNotIn, "n7")
	zone := requirement("zone", corev1.NodeSelectorOpIn, "n7")
	for _, tc := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"bound", pod("p", "", on("n1")), "n1"},
		{"bound elsewhere than pinned", pod("p", "", required(fields(nameIn("n7"))), on("n1")), "n1"},
		{"pinned", pod("p", "", required(fields(nameIn("n7")))), "n7"},
		{"every term names it", pod("p", "", required(fields(nameIn("n7")), fields(nameIn("n7")))), "n7"},
		{"beside expressions", pod("p", "", required(corev1.NodeSelectorTerm{
			MatchFields: []corev1.NodeSelectorRequirement{nameIn("n7")}, MatchExpressions: []corev1.NodeSelectorRequirement{zone}})), "n7"},

		{"no Pod", nil, ""},
		{"no affinity", pod("p", ""), ""},
		{"affinity between Pods only", pod("p", "", func(p *corev1.Pod) { p.Spec.Affinity = &corev1.Affinity{} }), ""},
		{"no required affinity", pod("p", "", func(p *corev1.Pod) { p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}} }), ""},
		{"no term", pod("p", "", required()), ""},
		{"no value", pod("p", "", required(fields(nameIn()))), ""},
		{"an empty name", pod("p", "", required(fields(nameIn("")))), ""},
		{"two values", pod("p", "", required(fields(nameIn("n7", "n8")))), ""},
		{"two terms, two nodes", pod("p", "", required(fields(nameIn("n7")), fields(nameIn("n8")))), ""},
		{"a term without", pod("p", "", required(fields(nameIn("n7")), exprs(zone))), ""},
		{"an empty term", pod("p", "", required(fields(nameIn("n7")), exprs())), ""},
		{"excluded and named", pod("p", "", required(fields(nameIn("n7"), notIn))), ""},
		{"named twice in a term", pod("p", "", required(fields(nameIn("n7"), nameIn("n7")))), ""},
		{"excluded only", pod("p", "", required(fields(notIn))), ""},
		{"a label that looks like it", pod("p", "", required(exprs(nameIn("n7")))), ""},
		{"another field", pod("p", "", required(fields(requirement("spec.name", corev1.NodeSelectorOpIn, "n7")))), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := BoundFor(tc.pod)
			require.Equal(t, tc.want, got)
			require.Equal(t, tc.want != "", ok)
		})
	}
}
