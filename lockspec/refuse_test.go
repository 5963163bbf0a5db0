package lockspec_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

func selectIn(key string, values ...string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOpIn, Values: values}}}
}

type refusalCase struct {
	name string
	edit func(*corev1.PodTemplateSpec)
	// want is the one fault expected: field path and a part of the message.
	path, message string
}

// hostMount mounts a directory of the node in the container.
func hostMount(p *corev1.PodTemplateSpec, c *corev1.Container, dir, at string, readOnly bool) {
	p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: dir}}})
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "host", MountPath: at, ReadOnly: readOnly})
}

func hostNetworkPorts(ports ...corev1.ContainerPort) func(*corev1.PodTemplateSpec) {
	return func(p *corev1.PodTemplateSpec) { p.Spec.HostNetwork, p.Spec.Containers[0].Ports = true, ports }
}

var refusals = []refusalCase{
	{"windows by os", func(p *corev1.PodTemplateSpec) { p.Spec.OS = &corev1.PodOS{Name: corev1.Windows} }, "spec.template.spec.os.name", "Linux only"},
	{"windows by selector", func(p *corev1.PodTemplateSpec) {
		p.Spec.NodeSelector = map[string]string{"kubernetes.io/os": "windows"}
	},
		"spec.template.spec.nodeSelector[kubernetes.io/os]", "Linux only"},
	{"windows by old selector", func(p *corev1.PodTemplateSpec) {
		p.Spec.NodeSelector = map[string]string{"beta.kubernetes.io/os": "windows"}
	}, "spec.template.spec.nodeSelector[beta.kubernetes.io/os]", "Linux only"},
	{"a sandbox", func(p *corev1.PodTemplateSpec) { p.Spec.RuntimeClassName = ptr("kata-qemu") }, "spec.template.spec.runtimeClassName", "kernel of its own"},
	{"an allowlist by its own label", func(p *corev1.PodTemplateSpec) {
		p.Labels = map[string]string{"cloud.google.com/matching-allowlist": "agent-v1"}
	},
		"spec.template.metadata.labels[cloud.google.com/matching-allowlist]", "GKE Autopilot admits the template's exact commands only"},
	{"an allowlist by the agent's label", func(p *corev1.PodTemplateSpec) { p.Labels = map[string]string{"env.datadoghq.com/kind": "gke-gdc"} },
		"spec.template.metadata.labels[env.datadoghq.com/kind]", "Google Distributed Cloud"},
	{"another file than the profile", seccompBy("cp", "/etc/passwd", "/host/var/lib/kubelet/seccomp/system-probe"), "spec.template.spec.initContainers[0].command", "system-probe-seccomp.json"},
	{"another place than the profile's", seccompBy("cp", "/etc/config/system-probe-seccomp.json", "/host/var/lib/kubelet/seccomp/x"), "spec.template.spec.initContainers[0].command", "seccomp/system-probe"},
	{"a path that leaves its folder", func(p *corev1.PodTemplateSpec) {
		seccompBy("cp", "/etc/config/../passwd", "/host/var/lib/kubelet/seccomp/host-profiler")(p)
		p.Spec.InitContainers[0].Name = "host-profiler-seccomp-setup"
	}, "spec.template.spec.initContainers[0].command", "host-profiler-seccomp.json /host"},
	{"a file of that name in a folder below", operatorsProfile("/host/var/lib/kubelet/seccomp/host-profiler-0123abcd/x"), "spec.template.spec.initContainers[0].command", "host-profiler-[0-9a-f]"},
	{"another profile's name", operatorsProfile("/host/var/lib/kubelet/seccomp/host-profiler-kubelet0"), "spec.template.spec.initContainers[0].command", "host-profiler-[0-9a-f]"},
	{"a component whose processes outlive it", privateActionRunner, "spec.template.spec.containers[1].name", "overlap Never"},
	{"foreign container", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Name = "proxy" }, "spec.template.spec.containers[1].name", "not a known component"},
	{"foreign command", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Command = []string{"sh", "-c", "x"} },
		"spec.template.spec.containers[1].command", `the word "trace-agent"`},
	{"foreign init container", func(p *corev1.PodTemplateSpec) { p.Spec.InitContainers[0].Name = "setup" }, "spec.template.spec.initContainers[0].name", "not a known init container"},
	{"foreign init command", func(p *corev1.PodTemplateSpec) { p.Spec.InitContainers[0].Command = []string{"bash", "-c", "x", "y"} },
		"spec.template.spec.initContainers[0].command", `"bash -c" first and 3 words`},
	{"no command", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[1].Command, p.Spec.Containers[1].Args = nil, []string{"trace-agent"}
	}, "spec.template.spec.containers[1].command", "write the command out"},
	{"empty command", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Command = []string{"", "trace-agent"} }, "spec.template.spec.containers[1].command", "write the command out"},
	{"postStart", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{}}
	}, "spec.template.spec.containers[0].lifecycle.postStart", "without the lock"},
	{"preStop", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{}}
	}, "spec.template.spec.containers[0].lifecycle.preStop", "without the lock"},
	{"pod user", func(p *corev1.PodTemplateSpec) {
		p.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: ptr(int64(101))}
	}, "spec.template.spec.securityContext.runAsUser", "user 0"},
	{"pod non-root", func(p *corev1.PodTemplateSpec) {
		p.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: ptr(true)}
	}, "spec.template.spec.securityContext.runAsNonRoot", "belongs to root"},
	{"container user", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[1].SecurityContext = &corev1.SecurityContext{RunAsUser: ptr(int64(101))}
	}, "spec.template.spec.containers[1].securityContext.runAsUser", "user 0"},
	{"container non-root", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[1].SecurityContext = &corev1.SecurityContext{RunAsNonRoot: ptr(true)}
	}, "spec.template.spec.containers[1].securityContext.runAsNonRoot", "belongs to root"},
	{"startup without liveness", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].StartupProbe = probeAt(intstr.FromInt32(1)) },
		"spec.template.spec.containers[1].livenessProbe", "start that hangs"},
	{"named liveness port", func(p *corev1.PodTemplateSpec) {
		hostNetworkPorts(corev1.ContainerPort{Name: "health", ContainerPort: 5555})(p)
		p.Spec.Containers[0].LivenessProbe = probeAt(intstr.FromString("health"))
	}, "spec.template.spec.containers[0].livenessProbe.httpGet.port", "give the number"},
	{"named readiness port", func(p *corev1.PodTemplateSpec) {
		hostNetworkPorts(corev1.ContainerPort{Name: "health", ContainerPort: 5555})(p)
		p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("health")}}}
	}, "spec.template.spec.containers[0].readinessProbe.tcpSocket.port", "give the number"},
	{"host port", func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8125}, {ContainerPort: 8126, HostPort: 8126}}
	}, "spec.template.spec.containers[0].ports[1].hostPort", "one node"},
	{"host port of an init container", func(p *corev1.PodTemplateSpec) {
		p.Spec.InitContainers[0].Ports = []corev1.ContainerPort{{ContainerPort: 1, HostPort: 1}}
	}, "spec.template.spec.initContainers[0].ports[0].hostPort", "one node"},
	{"other host port under hostNetwork", hostNetworkPorts(corev1.ContainerPort{ContainerPort: 8125, HostPort: 9125}),
		"spec.template.spec.containers[0].ports[0].hostPort", "must equal containerPort 8125"},
	{"init container writes to the node", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.InitContainers[0], "/etc/agent", "/host/etc", false)
	}, "spec.template.spec.initContainers[0].volumeMounts[0].readOnly", "/etc/agent on the node"},
	{"seccomp folder of another init container", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.InitContainers[0], "/var/lib/kubelet/seccomp", "/host/seccomp", false)
	}, "spec.template.spec.initContainers[0].volumeMounts[0].readOnly", "/var/lib/kubelet/seccomp"},
	{"seccomp folder's parent", func(p *corev1.PodTemplateSpec) {
		seccomp(p)
		p.Spec.Volumes[0].HostPath.Path = "/var/lib/kubelet"
	}, "spec.template.spec.initContainers[0].volumeMounts[0].readOnly", "/var/lib/kubelet on the node"},
	{"reserved volume", func(p *corev1.PodTemplateSpec) { p.Spec.Volumes = []corev1.Volume{{Name: "agent-rollout-state"}} },
		"spec.template.spec.volumes[0].name", "rename"},
	{"mount over", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.Containers[0], "/x", "/var/run/datadog-agent-rollout", true)
	}, "spec.template.spec.containers[0].volumeMounts[0].mountPath", "overlaps /var/run/datadog-agent-rollout"},
	{"mount above, by the link's target", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.Containers[0], "/x", "/run/datadog-agent-rollout-state/", true)
	}, "spec.template.spec.containers[0].volumeMounts[0].mountPath", "overlaps /var/run/datadog-agent-rollout-state"},
	{"mount below", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.Containers[0], "/x", "/opt/datadog-agent-rollout/bin", true)
	}, "spec.template.spec.containers[0].volumeMounts[0].mountPath", "overlaps /opt/datadog-agent-rollout"},
	{"mount in an init container", func(p *corev1.PodTemplateSpec) {
		hostMount(p, &p.Spec.InitContainers[0], "/x", "/opt/datadog-agent-rollout", true)
	}, "spec.template.spec.initContainers[0].volumeMounts[0].mountPath", "overlaps /opt/datadog-agent-rollout"},
	{"tool container missing", func(p *corev1.PodTemplateSpec) { p.Spec.Containers = p.Spec.Containers[1:] }, "spec.template.spec.containers", `container "agent", whose image has /usr/bin/s6-setlock`},
	{"tool image missing", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].Image = "" }, "spec.template.spec.containers[0].image", "copied from this image"},
	{"restartable init container", func(p *corev1.PodTemplateSpec) {
		p.Spec.InitContainers[0].RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
	}, "spec.template.spec.initContainers[0].restartPolicy", "holds no lock"},
	{"ephemeral container", func(p *corev1.PodTemplateSpec) { p.Spec.EphemeralContainers = make([]corev1.EphemeralContainer, 1) },
		"spec.template.spec.ephemeralContainers[0]", "remove it"},
	{"anti-affinity without the name label", func(p *corev1.PodTemplateSpec) {
		broadAntiAffinity(p)
		delete(p.Labels, "agent.datadoghq.com/name")
	}, "spec.template.metadata.labels[agent.datadoghq.com/name]", "add it"},
	{"anti-affinity by another topology", antiAffinity(func(t *corev1.PodAffinityTerm) { t.TopologyKey = "topology.kubernetes.io/zone" }), antiAffinityPath, "can be narrowed"},
	{"anti-affinity by more labels", antiAffinity(func(t *corev1.PodAffinityTerm) { t.LabelSelector.MatchLabels = map[string]string{"a": "b"} }), antiAffinityPath, "can be narrowed"},
	{"anti-affinity by more values", antiAffinity(func(t *corev1.PodAffinityTerm) {
		t.LabelSelector = selectIn("agent.datadoghq.com/component", "agent", "dca")
	}), antiAffinityPath, "can be narrowed"},
	{"anti-affinity in other namespaces", antiAffinity(func(t *corev1.PodAffinityTerm) { t.Namespaces = []string{"x"} }), antiAffinityPath, "can be narrowed"},
	{"preferred anti-affinity", func(p *corev1.PodTemplateSpec) {
		broadAntiAffinity(p)
		a := p.Spec.Affinity.PodAntiAffinity
		a.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: a.RequiredDuringSchedulingIgnoredDuringExecution[0]}}
	}, antiAffinityPath, "can be narrowed"},
}

const antiAffinityPath = "spec.template.spec.affinity.podAntiAffinity"

func antiAffinity(edit func(*corev1.PodAffinityTerm)) func(*corev1.PodTemplateSpec) {
	return func(p *corev1.PodTemplateSpec) {
		broadAntiAffinity(p)
		edit(&p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0])
	}
}

// operatorsProfile is the init container that the operator makes for the profiler's profile.
func operatorsProfile(to string) func(*corev1.PodTemplateSpec) {
	return func(p *corev1.PodTemplateSpec) {
		seccompBy("cp", "/etc/dd-host-profiler/seccomp.json", to)(p)
		p.Spec.InitContainers[0].Name = "host-profiler-seccomp-setup"
	}
}

func privateActionRunner(p *corev1.PodTemplateSpec) {
	p.Spec.Containers[1].Name, p.Spec.Containers[1].Command = "private-action-runner", []string{"/opt/datadog-agent/embedded/bin/privateactionrunner", "run"}
}

func seccomp(p *corev1.PodTemplateSpec) {
	seccompBy("cp", "/etc/config/system-probe-seccomp.json", "/host/var/lib/kubelet/seccomp/system-probe")(p)
}

func seccompBy(words ...string) func(*corev1.PodTemplateSpec) {
	return func(p *corev1.PodTemplateSpec) {
		p.Spec.InitContainers[0] = corev1.Container{Name: "seccomp-setup", Command: words}
		hostMount(p, &p.Spec.InitContainers[0], "/var/lib/kubelet/seccomp", "/host/var/lib/kubelet/seccomp", false)
	}
}

func TestRefuse(t *testing.T) {
	for _, tc := range refusals {
		t.Run(tc.name, func(t *testing.T) {
			template := small(tc.edit)
			before := template.DeepCopy()
			_, err := lockspec.Wrap(template, datadog(t))
			var refused *lockspec.RefusedError
			require.True(t, errors.As(err, &refused), "accepted")
			require.Len(t, refused.Faults, 1, "%v", refused.Faults)
			require.Equal(t, tc.path, refused.Faults[0].Field)
			require.ErrorContains(t, refused.Faults[0], tc.message)
			require.Empty(t, cmp.Diff(*before, template))
		})
	}
}

func TestAccept(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*corev1.PodTemplateSpec)
	}{
		{"as it is", func(*corev1.PodTemplateSpec) {}},
		{"shared PID namespace", func(p *corev1.PodTemplateSpec) { p.Spec.HostPID, p.Spec.ShareProcessNamespace = false, ptr(true) }},
		{"private PID namespace", func(p *corev1.PodTemplateSpec) { p.Spec.HostPID = false }},
		{"root by name", func(p *corev1.PodTemplateSpec) {
			p.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: ptr(int64(0)), RunAsNonRoot: ptr(false)}
		}},
		{"a runtime class on the node's kernel", func(p *corev1.PodTemplateSpec) { p.Spec.RuntimeClassName = ptr("nvidia") }},
		{"a label that only looks like an allowlist's", func(p *corev1.PodTemplateSpec) { p.Labels = map[string]string{"env.datadoghq.com/kind": "eks"} }},
		{"the profiler's seccomp profile", func(p *corev1.PodTemplateSpec) {
			seccompBy("cp", "/etc/config/host-profiler-seccomp.json", "/host/var/lib/kubelet/seccomp/host-profiler")(p)
			p.Spec.InitContainers[0].Name = "host-profiler-seccomp-setup"
		}},
		{"the profiler's seccomp profile of the operator", operatorsProfile("/host/var/lib/kubelet/seccomp/host-profiler-0123abcd")},
		{"a component whose processes end with it", func(p *corev1.PodTemplateSpec) { privateActionRunner(p); p.Spec.HostPID = false }},
		{"the broad anti-affinity by matchLabels", func(p *corev1.PodTemplateSpec) {
			antiAffinity(func(t *corev1.PodAffinityTerm) {
				t.LabelSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"agent.datadoghq.com/component": "agent"}}
			})(p)
			p.Labels = map[string]string{"agent.datadoghq.com/name": "dd"}
		}},
		{"seccomp folder of the init container that may write there", seccomp},
		{"a path that only looks alike", func(p *corev1.PodTemplateSpec) {
			hostMount(p, &p.Spec.Containers[0], "/var/run/datadog", "/var/run/datadog", false)
		}},
		{"named port that stays", func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{Name: "health", ContainerPort: 5555}}
			p.Spec.Containers[0].LivenessProbe = probeAt(intstr.FromString("health"))
		}},
		{"named startup port", func(p *corev1.PodTemplateSpec) {
			hostNetworkPorts(corev1.ContainerPort{Name: "health", ContainerPort: 5555})(p)
			p.Spec.Containers[0].StartupProbe = probeAt(intstr.FromString("health"))
		}},
		{"empty anti-affinity", func(p *corev1.PodTemplateSpec) {
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
		}},
		{"a stop signal is no hook", func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{StopSignal: ptr(corev1.SIGTERM)}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			template := wrapped(t, tc.edit)
			w, whole := lockspec.Inspect(&template.Spec)
			require.True(t, whole, "%v", w.Unprotected)
		})
	}
}

// TestRefuseAllAtOnce puts faults of every part together: each is reported, in the order of the table.
func TestRefuseAllAtOnce(t *testing.T) {
	spec := datadog(t)
	template := small(func(p *corev1.PodTemplateSpec) {
		p.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
		p.Spec.InitContainers[0].Name = "setup"
		p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{}}
		p.Spec.Containers[1].Command = nil
		p.Spec.EphemeralContainers = make([]corev1.EphemeralContainer, 1)
		p.Spec.Volumes = []corev1.Volume{{Name: "agent-rollout-tools"}}
	})
	antiAffinity(func(t *corev1.PodAffinityTerm) { t.TopologyKey = "zone" })(&template)
	faults := lockspec.Refuse(&template, &spec, field.NewPath("t"))
	var paths []string
	for _, f := range faults {
		paths = append(paths, f.Field)
	}
	require.Equal(t, []string{
		"t.spec.os.name", "t.spec.initContainers[0].name", "t.spec.containers[0].lifecycle.postStart", "t.spec.containers[1].command",
		"t.spec.ephemeralContainers[0]", "t.spec.volumes[0].name", "t.spec.affinity.podAntiAffinity",
	}, paths)
}

// TestRefuseHalfWrapped breaks a wrapped template in one place each.
func TestRefuseHalfWrapped(t *testing.T) {
	for _, tc := range []refusalCase{
		{"container not wrapped", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Command = []string{"trace-agent"} }, "spec.template.spec.containers[1].command", "must begin with"},
		{"another component's lock", func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[1].Command[1] = "/var/run/datadog-agent-rollout/agent.lock"
		}, "spec.template.spec.containers[1].command", "must begin with"},
		{"startup probe gone", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].StartupProbe = nil }, "spec.template.spec.containers[1].startupProbe", "must be the lock's"},
		{"startup probe bounded", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].StartupProbe.FailureThreshold = 3 }, "spec.template.spec.containers[1].startupProbe", "must be the lock's"},
		{"mount gone", func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[1].VolumeMounts = p.Spec.Containers[1].VolumeMounts[1:]
		},
			"spec.template.spec.containers[1].volumeMounts", "agent-rollout-locks"},
		{"tools writable", func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].VolumeMounts[2].ReadOnly = false }, "spec.template.spec.containers[1].volumeMounts[2]", "read-only"},
		{"mounted twice", func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[1].VolumeMounts = append(p.Spec.Containers[1].VolumeMounts, corev1.VolumeMount{Name: "agent-rollout-locks", MountPath: "/locks"})
		}, "spec.template.spec.containers[1].volumeMounts[3]", "mounted once"},
		{"volume gone", func(p *corev1.PodTemplateSpec) { p.Spec.Volumes = p.Spec.Volumes[1:] }, "spec.template.spec.volumes", `"agent-rollout-locks" is missing`},
		{"other host directory", func(p *corev1.PodTemplateSpec) { p.Spec.Volumes[0].HostPath.Path = "/run/other" }, "spec.template.spec.volumes[0]", "not the one"},
		{"copier gone", func(p *corev1.PodTemplateSpec) { p.Spec.InitContainers = p.Spec.InitContainers[:1] }, "spec.template.spec.initContainers", "is missing"},
		{"copier not last", func(p *corev1.PodTemplateSpec) {
			l := p.Spec.InitContainers
			l[0], l[1] = l[1], l[0]
		}, "spec.template.spec.initContainers[0]", "last"},
		{"copier copies something else", func(p *corev1.PodTemplateSpec) { p.Spec.InitContainers[1].Command[1] = "/usr/bin/flock" }, "spec.template.spec.initContainers[1].command", "/usr/bin/s6-setlock"},
		{"copier not root", func(p *corev1.PodTemplateSpec) { p.Spec.InitContainers[1].SecurityContext = nil }, "spec.template.spec.initContainers[1].securityContext", "user 0"},
		{"copier restarts", func(p *corev1.PodTemplateSpec) {
			p.Spec.InitContainers[1].RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
		}, "spec.template.spec.initContainers[1].restartPolicy", "must end"},
		{"tools of another init container", func(p *corev1.PodTemplateSpec) {
			p.Spec.InitContainers[0].VolumeMounts = []corev1.VolumeMount{{Name: "agent-rollout-tools", MountPath: "/t"}}
		}, "spec.template.spec.initContainers[0].volumeMounts[0]", "wrapper's own"},
		{"ports declared again", func(p *corev1.PodTemplateSpec) {
			p.Spec.HostNetwork, p.Spec.Containers[0].Ports = true, []corev1.ContainerPort{{ContainerPort: 1, HostPort: 1}}
		}, "spec.template.spec.containers[0].ports[0]", "second Pod"},
		{"anti-affinity broad again", broadAntiAffinity, antiAffinityPath, "two generations"},
		{"container added", func(p *corev1.PodTemplateSpec) {
			c := p.Spec.Containers[1].DeepCopy()
			c.Name = "process-agent"
			c.Command = append(c.Command[:4:4], "process-agent")
			c.Command[1], c.Command[3] = "/var/run/datadog-agent-rollout/process-agent.lock", "/var/run/datadog-agent-rollout-state/process-agent.active.lock"
			p.Spec.Containers = append(p.Spec.Containers, *c)
		}, "spec.template.spec.containers[2].startupProbe", "process-agent.active.lock"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			template := wrapped(t)
			tc.edit(&template)
			_, err := lockspec.Wrap(template, datadog(t))
			var refused *lockspec.RefusedError
			require.True(t, errors.As(err, &refused), "accepted")
			require.Len(t, refused.Faults, 1, "%v", refused.Faults)
			require.Equal(t, tc.path, refused.Faults[0].Field)
			require.ErrorContains(t, refused.Faults[0], "wrapped in part: ")
			require.ErrorContains(t, refused.Faults[0], tc.message)
		})
	}
}

// TestRefuseWrappedAndFaulty: the ordinary refusals hold for a wrapped template too.
func TestRefuseWrappedAndFaulty(t *testing.T) {
	template := wrapped(t)
	template.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{}}
	template.Spec.Containers[1].Command[4] = "nc"
	_, err := lockspec.Wrap(template, datadog(t))
	require.ErrorContains(t, err, "containers[0].lifecycle.preStop")
	require.ErrorContains(t, err, `containers[1].command: Invalid value: "nc"`)
}

func TestRefuseAnotherSpecificationsWrapper(t *testing.T) {
	template, err := lockspec.Wrap(small(), datadog(t, anyCommand, func(s *model.LockSpec) {
		s.HostDirectory, s.ToolsDirectory, s.InitContainer = "/run/first", "/opt/first", "first"
		s.StateDirectory = "/run/first-state"
		s.Volumes = model.LockVolumes{Host: "h", State: "s", Tools: "t"}
	}))
	require.NoError(t, err)
	_, err = lockspec.Wrap(template, datadog(t, anyCommand))
	require.ErrorContains(t, err, "spec.template.spec.containers[0].command: Forbidden: behind the lock of another specification, in /run/first")
}

// TestRefuseWithoutLists: without allow-lists any container with a command is a component, and init
// containers may do anything but write to the node.
func TestRefuseWithoutLists(t *testing.T) {
	spec := datadog(t, anyCommand)
	template := small(func(p *corev1.PodTemplateSpec) {
		p.Spec.Containers[1].Name, p.Spec.Containers[1].Command = "proxy", []string{"proxy"}
		p.Spec.InitContainers[0].Name = "setup"
	})
	require.Empty(t, lockspec.Refuse(&template, &spec, nil))
	hostMount(&template, &template.Spec.InitContainers[0], "/etc", "/host/etc", false)
	faults := lockspec.Refuse(&template, &spec, nil)
	require.Len(t, faults, 1)
	require.Equal(t, "template.spec.initContainers[0].volumeMounts[0].readOnly", faults[0].Field)
}

// The broad form in a template without the label that narrows it is refused for that label, not for its form.
func TestNarrowNamesTheLabel(t *testing.T) {
	template, spec := small(broadAntiAffinity), datadog(t)
	delete(template.Labels, "agent.datadoghq.com/name")
	_, narrowed, faults := lockspec.Narrow(template, spec, field.NewPath("t"))
	require.False(t, narrowed)
	require.Len(t, faults, 1)
	require.Equal(t, "t.metadata.labels[agent.datadoghq.com/name]", faults[0].Field)
	template.Labels = map[string]string{"agent.datadoghq.com/name": "dd"}
	after, narrowed, faults := lockspec.Narrow(template, spec, nil)
	require.True(t, narrowed)
	require.Empty(t, faults)
	require.Len(t, after.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, 2)
	require.Len(t, template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, 1, "what was given is unchanged")
}
