package lockspec_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

var rewrite = flag.Bool("rewrite", false, "write the expected output of the golden files anew")

// TestWrapGolden wraps each testdata/*.in.yaml and compares with *.out.yaml, as objects: the bytes
// differ between releases of k8s.io/api.
func TestWrapGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.in.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, inputs)
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".in.yaml")
		t.Run(name, func(t *testing.T) {
			template := readTemplate(t, name+".in.yaml")
			before := template.DeepCopy()
			spec := datadog(t)

			once, err := lockspec.Wrap(template, spec)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(*before, template), "the input changed")
			if *rewrite {
				data, err := yaml.Marshal(once)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join("testdata", name+".out.yaml"), data, 0o644))
			}
			want := readTemplate(t, name+".out.yaml")
			require.Empty(t, cmp.Diff(want, once), "run with -rewrite if this is right")

			twice, err := lockspec.Wrap(once, spec)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(once, twice), "wrapping again changed something")

			deployed := *once.DeepCopy()
			deployed.Spec = *live(once.Spec)
			again, err := lockspec.Wrap(deployed, spec)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(deployed, again), "wrapping what the API server returned changed something")

			require.NoError(t, lockspec.MayOverlap(&once.Spec, live(once.Spec)))
		})
	}
}

// TestWrapSharesNothing changes everything reachable in the result and looks at the input.
func TestWrapSharesNothing(t *testing.T) {
	template := readTemplate(t, "pod-network.in.yaml")
	before := template.DeepCopy()
	result, err := lockspec.Wrap(template, datadog(t))
	require.NoError(t, err)
	result.Labels["app.kubernetes.io/name"] = "changed"
	for i := range result.Spec.Containers {
		c := &result.Spec.Containers[i]
		for j := range c.Command {
			c.Command[j] = "changed"
		}
		for j := range c.VolumeMounts {
			c.VolumeMounts[j].Name = "changed"
		}
		for name := range c.Resources.Requests {
			delete(c.Resources.Requests, name)
		}
		if c.ReadinessProbe != nil {
			c.ReadinessProbe.HTTPGet.Path = "changed"
		}
	}
	clear(result.Spec.InitContainers[len(result.Spec.InitContainers)-1].Resources.Limits)
	require.Empty(t, cmp.Diff(*before, template))
}

func TestWrapAgainFollowsTheToolImage(t *testing.T) {
	template := wrapped(t)
	copier := func(p corev1.PodTemplateSpec) corev1.Container {
		return p.Spec.InitContainers[len(p.Spec.InitContainers)-1]
	}
	require.Equal(t, "agent:1", copier(template).Image)

	edited := *template.DeepCopy()
	edited.Spec.Containers[0].Image, edited.Spec.Containers[0].ImagePullPolicy = "agent:2", corev1.PullAlways
	edited.Spec.Containers[1].Image = "trace:7"
	again, err := lockspec.Wrap(edited, datadog(t))
	require.NoError(t, err)
	require.Equal(t, "agent:2", copier(again).Image)
	require.Equal(t, corev1.PullAlways, copier(again).ImagePullPolicy)

	// Nothing else moved.
	last := len(again.Spec.InitContainers) - 1
	again.Spec.InitContainers[last].Image, again.Spec.InitContainers[last].ImagePullPolicy = copier(edited).Image, copier(edited).ImagePullPolicy
	require.Empty(t, cmp.Diff(edited, again))
}

// TestWrapKeepsQoS: an init container without limits would take Guaranteed away from the Pod.
func TestWrapKeepsQoS(t *testing.T) {
	template, err := lockspec.Wrap(readTemplate(t, "pod-network.in.yaml"), datadog(t))
	require.NoError(t, err)
	copier := template.Spec.InitContainers[len(template.Spec.InitContainers)-1]
	require.Empty(t, cmp.Diff(template.Spec.Containers[0].Resources, copier.Resources))
}

func TestWrapRefusesAMalformedSpecification(t *testing.T) {
	_, err := lockspec.Wrap(small(), model.LockSpec{})
	var refused *lockspec.RefusedError
	require.True(t, errors.As(err, &refused))
	for _, f := range refused.Faults {
		require.True(t, strings.HasPrefix(f.Field, "lock."), f.Field)
	}
	require.ErrorContains(t, err, "lock.hostDirectory: Required value")
}

func TestWrapAntiAffinity(t *testing.T) {
	names := func(terms []corev1.PodAffinityTerm) (out [][]string) {
		for _, term := range terms {
			var line []string
			for _, r := range term.LabelSelector.MatchExpressions {
				line = append(line, strings.TrimPrefix(r.Key, "agent.datadoghq.com/")+" "+string(r.Operator)+" "+strings.Join(r.Values, ","))
			}
			require.Equal(t, "kubernetes.io/hostname", term.TopologyKey)
			out = append(out, line)
		}
		return out
	}
	for _, tc := range []struct {
		name   string
		labels map[string]string
		want   [][]string
	}{
		{"default profile", map[string]string{"agent.datadoghq.com/name": "dd"}, [][]string{
			{"component In agent", "name In dd", "datadogagentprofile Exists "},
			{"component In agent", "name NotIn dd"},
		}},
		{"named profile", map[string]string{"agent.datadoghq.com/name": "dd", "agent.datadoghq.com/datadogagentprofile": "gpu"}, [][]string{
			{"component In agent", "name In dd", "datadogagentprofile NotIn gpu"},
			{"component In agent", "name NotIn dd"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			template := wrapped(t, broadAntiAffinity, func(p *corev1.PodTemplateSpec) { p.Labels = tc.labels })
			required := template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
			require.Equal(t, tc.want, names(required))

			// A template that was narrowed before it was wrapped stays as it is.
			narrowed := wrapped(t, func(p *corev1.PodTemplateSpec) {
				p.Labels, p.Spec.Affinity = tc.labels, template.Spec.Affinity.DeepCopy()
			})
			require.Empty(t, cmp.Diff(template, narrowed))
		})
	}
}

func broadAntiAffinity(p *corev1.PodTemplateSpec) {
	p.Labels = map[string]string{"agent.datadoghq.com/component": "agent", "agent.datadoghq.com/name": "dd"}
	p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		TopologyKey:   "kubernetes.io/hostname",
		LabelSelector: selectIn("agent.datadoghq.com/component", "agent"),
	}}}}
}
