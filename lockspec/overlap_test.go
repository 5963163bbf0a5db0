package lockspec_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

// flockTool makes a wrapped Pod one that copies util-linux flock instead, under the same name.
func flockTool(p *corev1.PodSpec) {
	c := &p.InitContainers[len(p.InitContainers)-1]
	c.Command[1] = "/usr/bin/flock"
}

func TestMayOverlap(t *testing.T) {
	for _, tc := range []struct {
		name      string
		edit      func(*corev1.PodSpec) // of the second Pod
		want      lockspec.Difference   // "" = may overlap
		container string
	}{
		{"same template", func(*corev1.PodSpec) {}, "", ""},
		{"live Pod", func(p *corev1.PodSpec) { *p = *live(*p) }, "", ""},
		{"other image, command and order", func(p *corev1.PodSpec) {
			p.Containers[0], p.Containers[1] = p.Containers[1], p.Containers[0]
			p.Containers[0].Image, p.Containers[0].Args = "agent:2", []string{"--verbose"}
		}, "", ""},
		{"lock kind", flockTool, lockspec.DifferentKind, "agent"},
		{"host directory behind the same mount path", func(p *corev1.PodSpec) { p.Volumes[0].HostPath.Path = "/run/other" }, lockspec.DifferentDirectory, "agent"},
		{"host directory by another name", func(p *corev1.PodSpec) { p.Volumes[0].HostPath.Path = "/run/datadog-agent-rollout" }, lockspec.DifferentDirectory, "agent"},
		{"a component less", func(p *corev1.PodSpec) { p.Containers = p.Containers[:1] }, lockspec.DifferentComponents, "trace-agent"},
		{"a component renamed", func(p *corev1.PodSpec) { p.Containers[1].Name = "apm" }, lockspec.DifferentComponents, "trace-agent"},
		{"lock file", func(p *corev1.PodSpec) { p.Containers[1].Command[1] = "/var/run/datadog-agent-rollout/apm.lock" }, lockspec.DifferentFile, "trace-agent"},
		{"sidecar", func(p *corev1.PodSpec) {
			p.Containers = append(p.Containers, corev1.Container{Name: "proxy", Command: []string{"proxy"}})
		}, lockspec.NotWrapped, "proxy"},
		{"no wrapper", func(p *corev1.PodSpec) { *p = small().Spec }, lockspec.NotWrapped, "agent"},
		{"no containers", func(p *corev1.PodSpec) { p.Containers = nil }, lockspec.NotWrapped, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := wrapped(t).Spec, wrapped(t).Spec
			tc.edit(&b)
			wa, _ := lockspec.Inspect(&a)
			wb, _ := lockspec.Inspect(&b)
			kept := wa.MayOverlap(wb)
			for _, pair := range [][2]*corev1.PodSpec{{&a, &b}, {&b, &a}} {
				err := lockspec.MayOverlap(pair[0], pair[1])
				if tc.want == "" {
					require.NoError(t, err)
					require.NoError(t, kept)
					continue
				}
				var overlap *lockspec.OverlapError
				require.True(t, errors.As(kept, &overlap), "may overlap")
				require.Equal(t, tc.want, overlap.Difference, "%v", kept)
				require.True(t, errors.As(err, &overlap), "may overlap")
				require.Equal(t, tc.want, overlap.Difference, "%v", err)
				if pair[0] == &a {
					require.Equal(t, tc.container, overlap.Container)
				}
				require.NotEqual(t, overlap.A, overlap.B)
				require.NotEmpty(t, overlap.Advice)
			}
		})
	}
}

// TestMayOverlapUnprotected: no Pod that leaves a container unprotected may overlap, not even with itself.
func TestMayOverlapUnprotected(t *testing.T) {
	for _, tc := range unprotectedPods {
		t.Run(tc.name, func(t *testing.T) {
			a, b := wrapped(t).Spec, wrapped(t).Spec
			tc.edit(&b)
			for _, pair := range [][2]*corev1.PodSpec{{&a, &b}, {&b, &a}, {&b, &b}} {
				var overlap *lockspec.OverlapError
				require.True(t, errors.As(lockspec.MayOverlap(pair[0], pair[1]), &overlap))
				require.Equal(t, lockspec.NotWrapped, overlap.Difference)
			}
		})
	}
}

func TestSchemas(t *testing.T) {
	pod := wrapped(t).Spec
	with := func(schema string) lockspec.Wrapping {
		w, _ := lockspec.Inspect(&pod)
		w.Schema = schema
		return w
	}
	for _, tc := range []struct {
		a, b string
		ok   bool
	}{{"", "", true}, {"3", "", true}, {"", "3", true}, {"3", "3", true}, {"2", "3", false}, {"3", "2", false}, {"2", "2", false}, {"3", "4", false}} {
		err := with(tc.a).MayOverlap(with(tc.b))
		require.Equal(t, tc.ok, err == nil, "%q and %q", tc.a, tc.b)
		if !tc.ok {
			var overlap *lockspec.OverlapError
			require.True(t, errors.As(err, &overlap))
			require.Equal(t, lockspec.DifferentSchema, overlap.Difference)
		}
	}
	require.ErrorContains(t, lockspec.CheckSchema("2"), "disable the rollout under the operator that began it")
}

// drawPod is a wrapped Pod of small, changed in up to three places that may or may not matter.
func drawPod(t *rapid.T, base corev1.PodSpec, label string) *corev1.PodSpec {
	p := base.DeepCopy()
	edits := []func(){
		func() { flockTool(p) },
		func() { p.Volumes[0].HostPath.Path = "/run/other" },
		func() { p.Volumes[0].HostPath.Path += "/" },
		func() { p.Containers = p.Containers[:1] },
		func() { p.Containers[0].Command[1] = "/var/run/datadog-agent-rollout/trace-agent.lock" },
		func() { p.Containers[0].Name = "core" },
		func() {
			for i := range p.Containers {
				lockMount(p, i).MountPath = "/locks"
				p.Containers[i].Command[1] = "/locks/" + path.Base(p.Containers[i].Command[1])
			}
		},
		func() { lockMount(p, 0).SubPath = "x" },
		func() { p.Containers[0].Command = p.Containers[0].Command[len(p.Containers[0].Command)-2:] },
		func() { *p = *live(*p) },
		func() { p.InitContainers[1].Command[1] = "/opt/bin/s6-setlock" },
	}
	for range rapid.IntRange(0, 2).Draw(t, label+" edits") {
		rapid.SampledFrom(edits).Draw(t, label)()
	}
	return p
}

// hostLock finds, by a slower way than the package's, the file of the node that a container locks.
func hostLock(p *corev1.PodSpec, c corev1.Container) (file string, tool string) {
	words := append(append([]string{}, c.Command...), c.Args...)
	for _, m := range c.VolumeMounts {
		for _, v := range p.Volumes {
			rest, in := strings.CutPrefix(words[1], path.Clean(m.MountPath)+"/")
			if in && v.Name == m.Name && v.HostPath != nil {
				file = path.Join(v.HostPath.Path, m.SubPath, rest)
			}
		}
	}
	for _, init := range p.InitContainers {
		if init.Name == "prepare-agent-rollout-tools" {
			tool = path.Base(init.Command[1])
		}
	}
	return file, tool
}

// TestMayOverlapProperty is S14: two Pods that may overlap lock, in each component, the same file of the
// node with locks that exclude each other; and the answer is the same both ways round, and from Inspect.
// It kills the mutants that leave out a comparison of kind, directory, file or component set.
func TestMayOverlapProperty(t *testing.T) {
	base := wrapped(t).Spec
	allowed, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 10 { // pairs that differ in one place alone are rare
			a, b := drawPod(t, base, "a"), drawPod(t, base, "b")
			if checkPair(t, a, b) {
				allowed++
			} else {
				refused++
			}
		}
	})
	if !t.Failed() {
		require.Greater(t, allowed, 5, "too few pairs that may overlap: %d of %d", allowed, allowed+refused)
		require.Greater(t, refused, 5, "too few pairs that may not: %d of %d", refused, allowed+refused)
	}
}

// checkPair checks all that must hold of two Pods, and returns whether they may overlap.
func checkPair(t *rapid.T, a, b *corev1.PodSpec) bool {
	err := lockspec.MayOverlap(a, b)
	if back := lockspec.MayOverlap(b, a); (err == nil) != (back == nil) {
		t.Fatalf("not symmetric: %v and %v", err, back)
	}
	wa, _ := lockspec.Inspect(a)
	wb, _ := lockspec.Inspect(b)
	if other := wa.MayOverlap(wb); (err == nil) != (other == nil) {
		t.Fatalf("the two ways disagree: %v and %v", err, other)
	}
	if err != nil {
		return false
	}
	if len(a.Containers) != len(b.Containers) {
		t.Fatalf("%d and %d components", len(a.Containers), len(b.Containers))
	}
	kinds := map[string]model.LockKind{"s6-setlock": model.LockFcntl, "flock": model.LockFlock}
	for _, ca := range a.Containers {
		i := slices.IndexFunc(b.Containers, func(c corev1.Container) bool { return c.Name == ca.Name })
		if i < 0 {
			t.Fatalf("component %s on one side only", ca.Name)
		}
		fileA, toolA := hostLock(a, ca)
		fileB, toolB := hostLock(b, b.Containers[i])
		if fileA == "" || fileA != fileB || !kinds[toolA].Excludes(kinds[toolB]) {
			t.Fatalf("%s: %s of %q and %s of %q", ca.Name, toolA, fileA, toolB, fileB)
		}
	}
	return true
}

func TestMayOverlapAllocatesNothing(t *testing.T) {
	template, err := lockspec.Wrap(readTemplate(t, "pod-network.in.yaml"), datadog(t))
	require.NoError(t, err)
	a, b := live(template.Spec), live(template.Spec)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if lockspec.MayOverlap(a, b) != nil {
			t.Error("may not overlap")
		}
	}))
}

func BenchmarkMayOverlap(b *testing.B) {
	template, err := lockspec.Wrap(readTemplate(b, "pod-network.in.yaml"), datadog(b))
	require.NoError(b, err)
	source, target := live(template.Spec), live(template.Spec)
	b.ReportAllocs()
	for b.Loop() {
		if err := lockspec.MayOverlap(source, target); err != nil {
			b.Fatal(err)
		}
	}
}
