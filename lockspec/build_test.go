package lockspec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

// readTemplate returns a golden template, decoded strictly.
func readTemplate(t testing.TB, name string) corev1.PodTemplateSpec {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var template corev1.PodTemplateSpec
	require.NoError(t, yaml.UnmarshalStrict(data, &template))
	return template
}

// datadog returns the preset after changing it.
func datadog(t testing.TB, edits ...func(*model.LockSpec)) model.LockSpec {
	t.Helper()
	spec, ok := lockspec.Preset("datadog")
	require.True(t, ok)
	for _, edit := range edits {
		edit(&spec)
	}
	return spec
}

// anyCommand drops the allow-lists.
func anyCommand(spec *model.LockSpec) { spec.Components, spec.InitContainers = nil, nil }

// small returns a template that the preset accepts, with two components and one init container, after changing it.
func small(edits ...func(*corev1.PodTemplateSpec)) corev1.PodTemplateSpec {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		HostPID: true,
		InitContainers: []corev1.Container{
			{Name: "init-config", Image: "agent:1", Command: []string{"bash", "-c", "true"}},
		},
		Containers: []corev1.Container{
			{Name: "agent", Image: "agent:1", Command: []string{"agent", "run"}, LivenessProbe: probeAt(intstr.FromInt32(5555))},
			{Name: "trace-agent", Image: "agent:1", Command: []string{"trace-agent"}},
		},
	}}
	for _, edit := range edits {
		edit(&template)
	}
	return template
}

func probeAt(port intstr.IntOrString) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/live", Port: port}}}
}

// wrapped returns small behind the preset's locks.
func wrapped(t testing.TB, edits ...func(*corev1.PodTemplateSpec)) corev1.PodTemplateSpec {
	t.Helper()
	template, err := lockspec.Wrap(small(edits...), datadog(t))
	require.NoError(t, err)
	return template
}

func ptr[T any](v T) *T { return &v }

// live returns the Pod spec as the API server and its admission plug-ins make it.
func live(spec corev1.PodSpec) *corev1.PodSpec {
	pod := spec.DeepCopy()
	const token = "kube-api-access-x7k2p"
	pod.Volumes = append(pod.Volumes, corev1.Volume{Name: token, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{DefaultMode: ptr(int32(0o644)), Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: ptr(int64(3607))}},
		}}}})
	for _, list := range [][]corev1.Container{pod.InitContainers, pod.Containers} {
		for i := range list {
			c := &list[i]
			// The service account's mount may come before or after the others.
			c.VolumeMounts = append([]corev1.VolumeMount{{Name: token, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true}}, c.VolumeMounts...)
			c.TerminationMessagePath, c.TerminationMessagePolicy = "/dev/termination-log", corev1.TerminationMessageReadFile
			if c.ImagePullPolicy == "" {
				c.ImagePullPolicy = corev1.PullIfNotPresent
			}
		}
	}
	pod.NodeName, pod.RestartPolicy, pod.DNSPolicy = "node-1", corev1.RestartPolicyAlways, corev1.DNSClusterFirst
	pod.EnableServiceLinks, pod.Priority = ptr(true), ptr(int32(0))
	pod.TerminationGracePeriodSeconds, pod.SchedulerName = ptr(int64(30)), "default-scheduler"
	pod.Tolerations = append(pod.Tolerations, corev1.Toleration{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute})
	return pod
}
