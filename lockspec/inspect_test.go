package lockspec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

func TestInspectLivePod(t *testing.T) {
	template, err := lockspec.Wrap(readTemplate(t, "pod-network.in.yaml"), datadog(t))
	require.NoError(t, err)
	got, whole := lockspec.Inspect(live(template.Spec))
	require.True(t, whole)
	component := func(name string) lockspec.Component {
		return lockspec.Component{Container: name, LockFile: "/var/run/datadog-agent-rollout/" + name + ".lock",
			ActiveLock: "/var/run/datadog-agent-rollout-state/" + name + ".active.lock"}
	}
	require.Empty(t, cmp.Diff(lockspec.Wrapping{
		Kind: model.LockFcntl, HostDirectory: "/var/run/datadog-agent-rollout",
		Components: []lockspec.Component{component("agent"), component("otel-agent"), component("system-probe"), component("trace-agent")},
	}, got))
}

// unprotectedPods breaks a wrapped Pod in one place each. want are the containers left without protection.
var unprotectedPods = []struct {
	name string
	edit func(*corev1.PodSpec)
	want map[string]string
}{
	{"sidecar of a webhook", func(p *corev1.PodSpec) {
		p.Containers = append(p.Containers, corev1.Container{Name: "proxy", Command: []string{"proxy"}})
	}, map[string]string{"proxy": "the command does not begin"}},
	{"restartable init container of a webhook", func(p *corev1.PodSpec) {
		p.InitContainers = append([]corev1.Container{{Name: "proxy", RestartPolicy: ptr(corev1.ContainerRestartPolicyAlways)}}, p.InitContainers...)
	}, map[string]string{"proxy": "restartable"}},
	{"plain command", func(p *corev1.PodSpec) { p.Containers[1].Command = p.Containers[1].Command[4:] }, map[string]string{"trace-agent": "the command does not begin"}},
	{"one lock only", func(p *corev1.PodSpec) { p.Containers[1].Command = p.Containers[1].Command[2:] }, map[string]string{"trace-agent": "the command does not begin"}},
	{"no program", func(p *corev1.PodSpec) { p.Containers[1].Command = p.Containers[1].Command[:4] }, map[string]string{"trace-agent": "the command does not begin"}},
	{"an option that does not wait", func(p *corev1.PodSpec) {
		c := p.Containers[1].Command
		p.Containers[1].Command = append([]string{c[0], "-N"}, c[1:]...)
	}, map[string]string{"trace-agent": "the command does not begin"}},
	{"a shell around it", func(p *corev1.PodSpec) {
		p.Containers[1].Command = append([]string{"sh", "-c"}, p.Containers[1].Command...)
	}, map[string]string{"trace-agent": "the command does not begin"}},
	{"both locks are one", func(p *corev1.PodSpec) { p.Containers[1].Command[3] = p.Containers[1].Command[1] }, map[string]string{"trace-agent": "the command does not begin"}},
	{"a hook", func(p *corev1.PodSpec) {
		p.Containers[1].Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{}}
	}, map[string]string{"trace-agent": "lifecycle hook"}},
	{"locks in the Pod", func(p *corev1.PodSpec) {
		p.Volumes[0].VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
	}, map[string]string{"agent": "hostPath volume", "trace-agent": "hostPath volume"}},
	{"locks in a part of the volume", func(p *corev1.PodSpec) { lockMount(p, 1).SubPathExpr = "$(POD)" }, map[string]string{"trace-agent": "hostPath volume"}},
	{"lock path not mounted", func(p *corev1.PodSpec) { lockMount(p, 1).MountPath = "/elsewhere" }, map[string]string{"trace-agent": "hostPath volume"}},
	{"lock path climbs out", func(p *corev1.PodSpec) {
		p.Containers[1].Command[1] = "/var/run/datadog-agent-rollout/../trace-agent.lock"
	}, map[string]string{"trace-agent": "hostPath volume"}},
	{"another mount over the lock path", func(p *corev1.PodSpec) {
		p.Containers[1].VolumeMounts = append(p.Containers[1].VolumeMounts, corev1.VolumeMount{Name: "agent-rollout-state", MountPath: "/var/run/datadog-agent-rollout/trace-agent.lock"})
	}, map[string]string{"trace-agent": "hostPath volume"}},
	{"another mount over the lock path, written otherwise", func(p *corev1.PodSpec) {
		p.Containers[1].VolumeMounts = append(p.Containers[1].VolumeMounts, corev1.VolumeMount{Name: "agent-rollout-state", MountPath: "var/run//datadog-agent-rollout/./trace-agent.lock/"})
	}, map[string]string{"trace-agent": "hostPath volume"}},
	{"the tool of the image", func(p *corev1.PodSpec) {
		p.Containers[1].Command[0], p.Containers[1].Command[2] = "/usr/bin/s6-setlock", "/usr/bin/s6-setlock"
	}, map[string]string{"trace-agent": "one init container copies"}},
	{"a tool path that climbs out of the volume", func(p *corev1.PodSpec) {
		const outside = "/opt/datadog-agent-rollout/../s6-setlock"
		p.InitContainers[1].Command[2] = outside
		p.Containers[1].Command[0], p.Containers[1].Command[2] = outside, outside
	}, map[string]string{"agent": "one init container copies", "trace-agent": "one init container copies"}},
	{"no init container", func(p *corev1.PodSpec) { p.InitContainers = nil }, map[string]string{"agent": "one init container copies", "trace-agent": "one init container copies"}},
	{"two fill the tools volume", func(p *corev1.PodSpec) {
		p.InitContainers = append(p.InitContainers, p.InitContainers[1])
	}, map[string]string{"agent": "one init container copies", "trace-agent": "one init container copies"}},
	{"another file is copied", func(p *corev1.PodSpec) { p.InitContainers[1].Command[2] += "-x" }, map[string]string{"agent": "one init container copies", "trace-agent": "one init container copies"}},
	{"a tool that nobody knows", func(p *corev1.PodSpec) { p.InitContainers[1].Command[1] = "/usr/bin/gate" }, map[string]string{"agent": "not known", "trace-agent": "not known"}},
	{"another directory for one", func(p *corev1.PodSpec) {
		p.Volumes = append(p.Volumes, corev1.Volume{Name: "other", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/run/other"}}})
		lockMount(p, 1).Name = "other"
	}, map[string]string{"trace-agent": "another host directory"}},
	{"no wrapper at all", func(p *corev1.PodSpec) { *p = small().Spec }, map[string]string{"agent": "the command does not begin", "trace-agent": "the command does not begin"}},
}

func lockMount(p *corev1.PodSpec, i int) *corev1.VolumeMount {
	for j := range p.Containers[i].VolumeMounts {
		if m := &p.Containers[i].VolumeMounts[j]; m.Name == "agent-rollout-locks" {
			return m
		}
	}
	panic("no lock mount")
}

func TestInspectUnprotected(t *testing.T) {
	for _, tc := range unprotectedPods {
		t.Run(tc.name, func(t *testing.T) {
			pod := wrapped(t).Spec
			tc.edit(&pod)
			got, whole := lockspec.Inspect(&pod)
			require.False(t, whole)
			require.Len(t, got.Unprotected, len(tc.want), "%v", got.Unprotected)
			for i, u := range got.Unprotected {
				require.Contains(t, u.Reason, tc.want[u.Container], u.Container)
				require.NotEmpty(t, tc.want[u.Container])
				require.True(t, i == 0 || got.Unprotected[i-1].Container < u.Container, "not sorted")
			}
		})
	}
	_, whole := lockspec.Inspect(&corev1.PodSpec{})
	require.False(t, whole, "an empty Pod")
}

// TestInspectForms are wrapped Pods that look otherwise than ours and hold their locks all the same.
func TestInspectForms(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*corev1.PodSpec)
		dir  string
	}{
		{"words in args", func(p *corev1.PodSpec) {
			c := &p.Containers[1]
			c.Command, c.Args = c.Command[:1], append(c.Command[1:], c.Args...)
		}, "/var/run/datadog-agent-rollout"},
		{"other mount path, same directory of the node", func(p *corev1.PodSpec) {
			for i := range p.Containers {
				lockMount(p, i).MountPath = "/locks/"
				p.Containers[i].Command[1] = "/locks/" + p.Containers[i].Name + ".lock"
			}
		}, "/var/run/datadog-agent-rollout"},
		{"same mount path, other directory of the node", func(p *corev1.PodSpec) { p.Volumes[0].HostPath.Path = "/data/locks/" }, "/data/locks"},
		{"debugged by hand", func(p *corev1.PodSpec) { p.EphemeralContainers = make([]corev1.EphemeralContainer, 1) }, "/var/run/datadog-agent-rollout"},
		{"an init container of a webhook", func(p *corev1.PodSpec) {
			p.InitContainers = append(p.InitContainers, corev1.Container{Name: "network-setup"})
		}, "/var/run/datadog-agent-rollout"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := wrapped(t).Spec
			tc.edit(&pod)
			got, whole := lockspec.Inspect(live(pod))
			require.True(t, whole, "%v", got.Unprotected)
			require.Equal(t, tc.dir, got.HostDirectory)
			require.Equal(t, tc.dir+"/agent.lock", got.Components[0].LockFile)
		})
	}
}
