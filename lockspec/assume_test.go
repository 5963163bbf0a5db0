package lockspec_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/lockspec"
)

// What is taken for granted of a template: of the small one nothing but its platform and the namespaces of its host.
func TestAssumptions(t *testing.T) {
	const children, platform = "children of a component may outlive it", "every node that the template selects runs Linux"
	const script = "init container init-config: the scripts of the image"
	linux := func(p *corev1.PodTemplateSpec) { p.Spec.NodeSelector = map[string]string{"kubernetes.io/os": "linux"} }
	terms := func(values ...string) *corev1.Affinity {
		only := corev1.NodeSelectorRequirement{Key: "kubernetes.io/os", Operator: corev1.NodeSelectorOpIn, Values: values}
		return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{only}}},
		}}}
	}
	for _, test := range []struct {
		name string
		edit func(*corev1.PodTemplateSpec)
		want []string
	}{
		{"nothing is said", func(*corev1.PodTemplateSpec) {}, []string{platform, children, script}},
		{"a selector", linux, []string{children, script}},
		{"the Pod's own field", func(p *corev1.PodTemplateSpec) { p.Spec.OS = &corev1.PodOS{Name: corev1.Linux} }, []string{children, script}},
		{"an affinity", func(p *corev1.PodTemplateSpec) { p.Spec.Affinity = terms("linux") }, []string{children, script}},
		{"an affinity to more", func(p *corev1.PodTemplateSpec) { p.Spec.Affinity = terms("linux", "windows") }, []string{platform, children, script}},
		{"a namespace of its own", func(p *corev1.PodTemplateSpec) { linux(p); p.Spec.HostPID = false }, []string{script}},
		{"a runtime class", func(p *corev1.PodTemplateSpec) { linux(p); p.Spec.RuntimeClassName = ptr("nvidia") }, []string{"runtimeClassName nvidia", children, script}},
		{"a component that starts others", func(p *corev1.PodTemplateSpec) { linux(p); privateActionRunner(p); p.Spec.HostPID = false },
			[]string{script, "container private-action-runner: an action that its end interrupts"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			template, spec := small(test.edit), datadog(t)
			list := lockspec.Assumptions(&template, &spec)
			require.Len(t, list, len(test.want), "%q", list)
			for i, want := range test.want {
				require.Contains(t, list[i], want)
			}
		})
	}
}
