package capacity_test

import (
	"fmt"
	"testing"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// asking is a spec with one container that requests so much.
func asking(cpu, memory string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{Name: "agent", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
	}}}}}
}

// measuredOf is what the next Pod asks for on a cluster of so many nodes, each of which runs one of the Pods, in turn.
func measuredOf(t *testing.T, template corev1.PodSpec, nodes int, pods ...corev1.PodSpec) (measured, set *appsv1.DaemonSet) {
	t.Helper()
	objects := model.Objects{}
	for i := range nodes {
		name := fmt.Sprintf("n%05d", i)
		objects.Nodes = append(objects.Nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1"}})
		if len(pods) > 0 {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent-" + name, UID: types.UID("pod-" + name), ResourceVersion: "1"}, Spec: *pods[i%len(pods)].DeepCopy()}
			pod.Spec.NodeName = name
			objects.Pods = append(objects.Pods, pod)
		}
	}
	cluster, err := model.NewCluster(objects)
	require.NoError(t, err)
	set = &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: corev1.PodTemplateSpec{Spec: template}}}
	return capacity.Measured(set, cluster, func(*corev1.Pod) bool { return true }), set
}

func TestMeasured(t *testing.T) {
	sidecar := asking("400m", "1Gi")
	sidecar.Containers = append(sidecar.Containers, corev1.Container{Name: "injected", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("150m"), corev1.ResourceEphemeralStorage: resource.MustParse("2Gi"),
	}}})
	overhead := asking("400m", "1Gi")
	overhead.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("50m")}
	for _, test := range []struct {
		name                 string
		template             corev1.PodSpec
		pods                 []corev1.PodSpec
		cpu, memory, storage string
	}{
		{"no Pod is there", asking("400m", "1Gi"), nil, "400m", "1Gi", "0"},
		{"the Pods ask for less", asking("400m", "1Gi"), []corev1.PodSpec{asking("100m", "1Mi")}, "400m", "1Gi", "0"},
		{"the largest of each resource", asking("400m", "1Gi"), []corev1.PodSpec{asking("600m", "1Mi"), asking("500m", "3Gi")}, "600m", "3Gi", "0"},
		{"an injected container", asking("400m", "1Gi"), []corev1.PodSpec{sidecar}, "550m", "1Gi", "2Gi"},
		{"the template's overhead is its own", overhead, []corev1.PodSpec{asking("500m", "1Gi")}, "500m", "1Gi", "0"},
		{"a template without requests", corev1.PodSpec{Containers: []corev1.Container{{Name: "agent"}}}, []corev1.PodSpec{asking("100m", "1Gi")}, "100m", "1Gi", "0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := *test.template.DeepCopy()
			measured, set := measuredOf(t, test.template, 2, test.pods...)
			require.Equal(t, before, set.Spec.Template.Spec, "the DaemonSet is changed")
			asked := capacity.Requests(&corev1.Pod{Spec: measured.Spec.Template.Spec})
			for name, want := range map[corev1.ResourceName]string{corev1.ResourceCPU: test.cpu, corev1.ResourceMemory: test.memory, corev1.ResourceEphemeralStorage: test.storage} {
				got := asked[name]
				require.Zero(t, got.Cmp(resource.MustParse(want)), "%s: %s, not %s", name, got.String(), want)
			}
		})
	}
}

// In a cluster that is too large to be read whole, what all Pods of the revision ask for is found all the same.
func TestMeasuredInALargeCluster(t *testing.T) {
	measured, _ := measuredOf(t, asking("400m", "1Gi"), 2500, asking("500m", "1Gi"))
	cpu := capacity.Requests(&corev1.Pod{Spec: measured.Spec.Template.Spec})[corev1.ResourceCPU]
	require.Equal(t, int64(500), cpu.MilliValue())
}
