package snapshots_test

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	namespace = "datadog"
	agentName = "datadog-agent"
	deployed  = "gcr.io/datadoghq/agent:7.80.0"
	wanted    = "gcr.io/datadoghq/agent:7.81.1"
)

// agent is the Datadog Agent's DaemonSet as its operator renders it, shortened: the environment and the read-only
// mounts of the host are left out; what locks, ports, probes and capacity need is there.
func agent() *appsv1.DaemonSet {
	labels := map[string]string{
		"agent.datadoghq.com/component": "agent",
		"agent.datadoghq.com/name":      "datadog",
		"app.kubernetes.io/instance":    agentName,
		"app.kubernetes.io/managed-by":  "datadog-operator",
	}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: agentName, UID: types.UID(uuid("set")), ResourceVersion: "4100", Generation: 1,
			CreationTimestamp: metav1.NewTime(installed), Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: "datadog",
				UID: types.UID(uuid("owner")), Controller: ptr(true), BlockOwnerDeletion: ptr(true)}},
		},
		Spec: appsv1.DaemonSetSpec{
			RevisionHistoryLimit: ptr(int32(10)),
			Selector:             &metav1.LabelSelector{MatchLabels: map[string]string{"agent.datadoghq.com/component": "agent", "app.kubernetes.io/instance": agentName}},
			Template:             corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: agentPod()},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: ptr(intstr.FromString("10%")), MaxSurge: ptr(intstr.FromInt32(0))}},
		},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 1},
	}
}

func agentPod() corev1.PodSpec {
	core := component("agent", "200m", "256Mi", []string{"agent", "run"}, "config", "auth-token", "logdatadog", "dsdsocket")
	core.Ports = []corev1.ContainerPort{{Name: "dogstatsdport", ContainerPort: 8125, Protocol: corev1.ProtocolUDP}}
	core.LivenessProbe, core.ReadinessProbe, core.StartupProbe = health("/live"), health("/ready"), health("/startup")
	trace := component("trace-agent", "100m", "128Mi", []string{"trace-agent", "-config=/etc/datadog-agent/datadog.yaml"}, "config", "auth-token", "dsdsocket")
	trace.Ports = []corev1.ContainerPort{{Name: "traceport", ContainerPort: 8126, Protocol: corev1.ProtocolTCP}}
	trace.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(8126)}},
		InitialDelaySeconds: 15, PeriodSeconds: 15, TimeoutSeconds: 5, SuccessThreshold: 1, FailureThreshold: 3}
	process := component("process-agent", "100m", "128Mi", []string{"process-agent", "-config=/etc/datadog-agent/datadog.yaml"}, "config", "auth-token", "procdir")
	probe := component("system-probe", "200m", "256Mi", []string{"system-probe", "--config=/etc/datadog-agent/system-probe.yaml"}, "config", "auth-token", "sysprobe-socket-dir", "procdir")
	probe.SecurityContext = &corev1.SecurityContext{
		Capabilities:   &corev1.Capabilities{Add: []corev1.Capability{"SYS_ADMIN", "SYS_RESOURCE", "SYS_PTRACE", "NET_ADMIN", "NET_RAW"}},
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeLocalhost, LocalhostProfile: ptr("system-probe")},
	}
	return corev1.PodSpec{
		HostPID: true, ServiceAccountName: agentName, RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst,
		TerminationGracePeriodSeconds: ptr(int64(30)),
		SecurityContext:               &corev1.PodSecurityContext{RunAsUser: ptr(int64(0))},
		NodeSelector:                  map[string]string{"kubernetes.io/os": "linux"},
		Tolerations:                   []corev1.Toleration{{Key: "node-role.kubernetes.io/control-plane", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}},
		InitContainers: []corev1.Container{
			initContainer("init-volume", []string{"bash", "-c", "cp -r /etc/datadog-agent /opt"}, corev1.VolumeMount{Name: "config", MountPath: "/opt/datadog-agent"}),
			initContainer("init-config", []string{"bash", "-c", "for script in $(find /etc/cont-init.d/ -type f -name '*.sh' | sort) ; do bash $script ; done"}, mount("config")),
			initContainer("seccomp-setup", []string{"cp", "/etc/config/system-probe-seccomp.json", "/host/var/lib/kubelet/seccomp/system-probe"}, mount("seccomp-root"), mount("datadog-agent-security")),
		},
		Containers: []corev1.Container{core, trace, process, probe},
		Volumes: []corev1.Volume{
			emptyDir("config"), emptyDir("auth-token"), emptyDir("logdatadog"), emptyDir("sysprobe-socket-dir"),
			hostPath("dsdsocket", "/var/run/datadog", corev1.HostPathDirectoryOrCreate),
			hostPath("procdir", "/proc", corev1.HostPathUnset), hostPath("seccomp-root", "/var/lib/kubelet/seccomp", corev1.HostPathUnset),
			{Name: "datadog-agent-security", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "datadog-agent-security"}, DefaultMode: ptr(int32(0o644))}}},
		},
	}
}

// onHostNetwork is the variant whose Pods share the node's network. The API server writes the host ports out.
func onHostNetwork(set *appsv1.DaemonSet) *appsv1.DaemonSet {
	pod := &set.Spec.Template.Spec
	pod.HostNetwork, pod.DNSPolicy = true, corev1.DNSClusterFirstWithHostNet
	for i := range pod.Containers {
		for p := range pod.Containers[i].Ports {
			port := &pod.Containers[i].Ports[p]
			port.HostPort = port.ContainerPort
		}
	}
	return set
}

// small is the variant with two components, for snapshots of many nodes.
func small(set *appsv1.DaemonSet) *appsv1.DaemonSet {
	pod := &set.Spec.Template.Spec
	pod.InitContainers, pod.Containers = pod.InitContainers[:2], pod.Containers[:2]
	used := map[string]bool{}
	for _, list := range [][]corev1.Container{pod.InitContainers, pod.Containers} {
		for i := range list {
			for _, m := range list[i].VolumeMounts {
				used[m.Name] = true
			}
		}
	}
	pod.Volumes = slices.DeleteFunc(pod.Volumes, func(v corev1.Volume) bool { return !used[v.Name] })
	return set
}

func component(name, cpu, memory string, command []string, volumes ...string) corev1.Container {
	c := corev1.Container{Name: name, Image: deployed, ImagePullPolicy: corev1.PullIfNotPresent, Command: command, Resources: requests(cpu, memory)}
	for _, volume := range volumes {
		c.VolumeMounts = append(c.VolumeMounts, mount(volume))
	}
	return c
}

func initContainer(name string, command []string, mounts ...corev1.VolumeMount) corev1.Container {
	return corev1.Container{Name: name, Image: deployed, ImagePullPolicy: corev1.PullIfNotPresent, Command: command, VolumeMounts: mounts}
}

func requests(cpu, memory string) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}}
}

func health(path string) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(5555), Scheme: corev1.URISchemeHTTP}},
		InitialDelaySeconds: 15, PeriodSeconds: 15, TimeoutSeconds: 5, SuccessThreshold: 1, FailureThreshold: 6}
}

var mounts = map[string]corev1.VolumeMount{
	"config":                 {Name: "config", MountPath: "/etc/datadog-agent"},
	"auth-token":             {Name: "auth-token", MountPath: "/etc/datadog-agent/auth"},
	"logdatadog":             {Name: "logdatadog", MountPath: "/var/log/datadog"},
	"dsdsocket":              {Name: "dsdsocket", MountPath: "/var/run/datadog"},
	"sysprobe-socket-dir":    {Name: "sysprobe-socket-dir", MountPath: "/var/run/sysprobe"},
	"procdir":                {Name: "procdir", MountPath: "/host/proc", ReadOnly: true},
	"seccomp-root":           {Name: "seccomp-root", MountPath: "/host/var/lib/kubelet/seccomp"},
	"datadog-agent-security": {Name: "datadog-agent-security", MountPath: "/etc/config", ReadOnly: true},
}

func mount(volume string) corev1.VolumeMount { return mounts[volume] }

func emptyDir(name string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}
}

func hostPath(name, path string, kind corev1.HostPathType) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path, Type: &kind}}}
}

// worker is a node of 4 CPUs, less what the system keeps.
func worker(name, zone string) *corev1.Node {
	room := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory), corev1.ResourcePods: resource.MustParse("58")}
	}
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(uuid(name)), ResourceVersion: "4000", CreationTimestamp: metav1.NewTime(installed),
			Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}},
		Status: corev1.NodeStatus{Capacity: room("4", "16093Mi"), Allocatable: room("3920m", "15077Mi")},
	}
	if zone != "" {
		n.Labels[corev1.LabelTopologyZone] = zone
	}
	for _, c := range []struct {
		kind   corev1.NodeConditionType
		status corev1.ConditionStatus
		reason string
	}{{corev1.NodeMemoryPressure, corev1.ConditionFalse, "KubeletHasSufficientMemory"}, {corev1.NodeDiskPressure, corev1.ConditionFalse, "KubeletHasNoDiskPressure"}, {corev1.NodeReady, corev1.ConditionTrue, "KubeletReady"}} {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: c.kind, Status: c.status, Reason: c.reason, LastTransitionTime: metav1.NewTime(installed)})
	}
	return n
}

// tenant is a running Pod of another workload that takes room on the node.
func tenant(name, nodeName, cpu, memory string) *corev1.Pod {
	at := metav1.NewTime(installed)
	yes := corev1.ConditionTrue
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(uuid(name)), ResourceVersion: "4050", CreationTimestamp: at, Labels: map[string]string{"app": "checkout"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "checkout-6b7f4d9c85", UID: types.UID(uuid("checkout")), Controller: ptr(true)}}},
		Spec: corev1.PodSpec{NodeName: nodeName, ServiceAccountName: "default", Containers: []corev1.Container{{Name: "checkout", Image: "registry.example.com/shop/checkout:42", Resources: requests(cpu, memory)}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &at,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodScheduled, Status: yes, LastTransitionTime: at}, {Type: corev1.PodReady, Status: yes, LastTransitionTime: at}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "checkout", Image: "registry.example.com/shop/checkout:42", Ready: true, Started: ptr(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}}}},
	}
}

func workers(count int) []*corev1.Node {
	nodes := make([]*corev1.Node, count)
	for i := range nodes {
		nodes[i] = worker(fmt.Sprintf("worker-%d", i+1), "")
	}
	return nodes
}

func ptr[T any](value T) *T { return &value }
