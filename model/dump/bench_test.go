package dump_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model/dump"
)

// objects makes n nodes with two Pods each, of the size that a real cluster's have without managed fields:
// about 5 KB of JSON.
func objects(n int, seed uint64) []any {
	random := rand.New(rand.NewPCG(seed, 1))
	list := make([]any, 0, 3*n+1)
	for i := range n {
		list = append(list, benchNode(i, random))
	}
	for i := range 2 * n {
		list = append(list, benchPod(i, random))
	}
	return append(list, &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "datadog", Name: "datadog-agent", UID: "set", ResourceVersion: "1"},
	})
}

func stamp(random *rand.Rand) metav1.Time { return metav1.Unix(1790000000+random.Int64N(1e6), 0) }

func benchNode(i int, random *rand.Rand) *corev1.Node {
	node := &corev1.Node{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", i/250, i%250), UID: types.UID(fmt.Sprintf("node-%d", i)),
			ResourceVersion: fmt.Sprint(100000 + i), CreationTimestamp: stamp(random),
			Labels: map[string]string{}, Annotations: map[string]string{"volumes.kubernetes.io/controller-managed-attach-detach": "true", "csi.volume.kubernetes.io/nodeid": `{"ebs.csi.aws.com":"i-0123456789"}`},
		},
		Spec: corev1.NodeSpec{ProviderID: fmt.Sprintf("aws:///us-east-1a/i-%08x", i)},
		Status: corev1.NodeStatus{
			Capacity:    corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("32391924Ki"), "pods": resource.MustParse("58")},
			Allocatable: corev1.ResourceList{"cpu": resource.MustParse("7910m"), "memory": resource.MustParse("31375092Ki"), "pods": resource.MustParse("58")},
			Addresses:   []corev1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "Hostname", Address: "ip-10-0-0-1"}},
			NodeInfo:    corev1.NodeSystemInfo{KernelVersion: "6.1.79", OSImage: "Bottlerocket OS 1.19.2", KubeletVersion: "v1.35.3", Architecture: "amd64", OperatingSystem: "linux"},
		},
	}
	for l := range 14 {
		node.Labels[fmt.Sprintf("example.com/label-%d", l)] = fmt.Sprintf("value-%d", random.IntN(10))
	}
	for _, kind := range []corev1.NodeConditionType{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: kind, Status: "True", Reason: "KubeletReason", Message: "kubelet has said something sufficient", LastHeartbeatTime: stamp(random), LastTransitionTime: stamp(random)})
	}
	for range 12 {
		node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{fmt.Sprintf("registry.example.com/app@sha256:%064x", random.Uint64()), "registry.example.com/app:v1"}, SizeBytes: random.Int64N(1e9)})
	}
	return node
}

func benchPod(i int, random *rand.Rand) *corev1.Pod {
	controller := true
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "datadog", Name: fmt.Sprintf("datadog-agent-%d", i), UID: types.UID(fmt.Sprintf("pod-%d", i)),
			ResourceVersion: fmt.Sprint(900000 + i), CreationTimestamp: stamp(random),
			Labels:          map[string]string{"app.kubernetes.io/instance": "datadog-agent", "controller-revision-hash": "5d8f7c9b6"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "datadog-agent", UID: "set", Controller: &controller}},
		},
		Spec: corev1.PodSpec{NodeName: fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", i/2/250, i/2%250), ServiceAccountName: "datadog-agent"},
	}
	for c := range 3 {
		container := corev1.Container{Name: fmt.Sprintf("container-%d", c), Image: "gcr.io/datadoghq/agent:7.80.0", Command: []string{"agent", "run"}}
		for e := range 8 {
			container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("DD_SETTING_%d", e), Value: "true"})
		}
		for v := range 6 {
			container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: fmt.Sprintf("volume-%d", v), MountPath: fmt.Sprintf("/etc/volume/%d", v), ReadOnly: true})
		}
		container.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("200m"), "memory": resource.MustParse("256Mi")}
		pod.Spec.Containers = append(pod.Spec.Containers, container)
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: container.Name, Ready: true, Image: container.Image, ImageID: "sha256:0123", ContainerID: "containerd://0123", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: stamp(random)}}})
	}
	for v := range 6 {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: fmt.Sprintf("volume-%d", v), VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/etc"}}})
	}
	for _, kind := range []corev1.PodConditionType{"Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: stamp(random)})
	}
	pod.Status.Phase = corev1.PodRunning
	return pod
}

// kubectlJSON and kubectlYAML print objects as kubectl does: one List.
func kubectlJSON(tb testing.TB, items []any) []byte {
	tb.Helper()
	list := map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""}, "items": items}
	text, err := json.MarshalIndent(list, "", "    ")
	require.NoError(tb, err)
	return text
}

func kubectlYAML(tb testing.TB, items []any) []byte {
	tb.Helper()
	text := []byte("apiVersion: v1\nitems:\n")
	for _, item := range items {
		one, err := yaml.Marshal([]any{item})
		require.NoError(tb, err)
		text = append(text, one...)
	}
	return append(text, "kind: List\nmetadata:\n  resourceVersion: \"\"\n"...)
}

// BenchmarkRead reads a whole dump; one of 65,000 nodes would be 2.4 GB of text. Compare two versions with benchstat on ten runs each.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1000, 5000, 15000} {
		items := objects(n, 1)
		for _, input := range []struct {
			format string
			print  func(testing.TB, []any) []byte
		}{{"json", kubectlJSON}, {"yaml", kubectlYAML}} {
			b.Run(fmt.Sprintf("format=%s/nodes=%d", input.format, n), func(b *testing.B) {
				text := input.print(b, items)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					d, err := dump.Read(bytes.NewReader(text), "bench")
					if err != nil || len(d.Objects.Pods) != 2*n {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
			})
		}
	}
}
