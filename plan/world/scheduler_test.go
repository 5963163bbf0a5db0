package world

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// The messages of a 1.37 scheduler for a DaemonSet's Pod. The node has one Pod of 200m.
func TestRefusals(t *testing.T) {
	const (
		elsewhere  = "2 node(s) didn't satisfy plugin(s) [NodeAffinity]"
		hopeless   = " preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
		victimless = " preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
	)
	request := func(cpu, memory string) func(*appsv1.DaemonSet) {
		return func(s *appsv1.DaemonSet) {
			s.Spec.Template.Spec.Containers = s.Spec.Template.Spec.Containers[:1]
			s.Spec.Template.Spec.Containers[0].Resources.Requests = corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
			}
		}
	}
	port := func(s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.Containers = s.Spec.Template.Spec.Containers[:1]
		s.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8126, HostPort: 8126, Protocol: corev1.ProtocolTCP}}
	}
	nothing := func(*appsv1.DaemonSet) {}
	for _, test := range []struct {
		name        string
		node        func(*corev1.Node)
		first, next func(*appsv1.DaemonSet)
		want        string
	}{
		{"cpu above allocatable", cpu("1"), request("200m", "0"), request("2", "0"), "1 Insufficient cpu, " + elsewhere + "." + hopeless},
		{"memory above allocatable", cpu("1"), request("200m", "0"), request("100m", "8Gi"), "1 Insufficient memory, " + elsewhere + "." + hopeless},
		{"both", cpu("1"), request("200m", "0"), request("2", "8Gi"), "1 Insufficient cpu, 1 Insufficient memory, " + elsewhere + "." + hopeless},
		{"both and the Pods", pods("1"), request("200m", "0"), request("3", "8Gi"), "1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods, " + elsewhere + "." + hopeless},
		{"cpu full now", cpu("1"), request("600m", "0"), request("600m", "0"), "1 Insufficient cpu, " + elsewhere + "." + victimless},
		{"Pods full now", pods("1"), request("200m", "0"), request("200m", "0"), "1 Too many pods, " + elsewhere + "." + victimless},
		{"host port", cpu("1"), port, port, "1 node(s) didn't have free ports for the requested pod ports, " + elsewhere + "." + victimless},
		{"it fits", cpu("1"), nothing, nothing, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			nodes := worldtest.Nodes(3, test.node)
			first, next := worldtest.Set("first", "1", test.first), worldtest.Set("next", "1", test.next, worldtest.OnLabel(slotKey, "here"))
			nodes[1].Labels[slotKey] = "here"
			l := newLab(t, Options{}, nodes, first, next).settle()
			pod := l.w.podObject(l.pod("n0002", "next"))
			message, refused := model.Unschedulable(pod)
			if test.want == "" {
				require.False(t, refused)
				require.True(t, model.Bound(pod))
				return
			}
			require.True(t, refused)
			require.Equal(t, "0/3 nodes are available: "+test.want, message)
			require.True(t, capacity.ParseMessage(message).Known)
			require.Equal(t, corev1.PodPending, pod.Status.Phase)
			node, ok := model.NodeOf(pod)
			require.True(t, ok && node == "n0002", "the Pod shows the node that it is bound for")
		})
	}
}

func pods(count string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse(count) }
}

func TestARefusedPodIsBoundOnceThereIsRoom(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1, cpu("500m"), labelled("both")),
		worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both")),
		worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both"))).settle()
	message, _ := model.Unschedulable(l.w.podObject(l.pod("n0001", "green")))
	require.Equal(t, "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.", message)

	l.word("EditLabel n0001 " + slotKey + "=green")
	l.settle(RemovePod)
	require.Equal(t, "?ww", l.draw("n0001", "green"), "a terminating Pod takes its room until it is gone")
	l.settle()
	require.Equal(t, "RR", l.draw("n0001", "green"))
}

func TestPodsOfOthersTakeRoom(t *testing.T) {
	other := &corev1.Pod{}
	other.Name, other.Namespace, other.UID, other.ResourceVersion = "db", "apps", "db", "1"
	other.Spec = corev1.PodSpec{NodeName: "n0001", Containers: []corev1.Container{{Name: "db", Image: "db:1",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1800m")}}}}}
	other.Status.Phase = corev1.PodRunning
	l := labOf(t, Options{}, worldtest.Snapshot(worldtest.Nodes(2), []*corev1.Pod{other}, worldtest.Set("blue", "1"))).settle()
	require.Equal(t, "?ww", l.draw("n0001", "blue"))
	require.Equal(t, "RR", l.draw("n0002", "blue"))

	_, err := l.w.Apply(l.now, model.Write{Object: model.ObjectRef{Kind: "Pod", Namespace: "apps", Name: "db", UID: "db"}, Delete: &model.Delete{}})
	require.NoError(t, err)
	l.settle()
	require.Equal(t, "RR", l.draw("n0001", "blue"))
}
