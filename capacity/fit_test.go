package capacity

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestRequests(t *testing.T) {
	for _, tc := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"containers add up", pod("p", "cpu=100m memory=1Gi", func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, initContainer("trace", "cpu=50m"))
		}), "cpu=150m memory=1Gi"},
		{"the greatest init container", pod("p", "cpu=100m memory=1Gi", func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{initContainer("a", "cpu=300m"), initContainer("b", "cpu=200m memory=2Gi")}
		}), "cpu=300m memory=2Gi"},
		{"a sidecar stays, and is there for later init containers", pod("p", "cpu=100m", func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{sidecar("s", "cpu=50m"), initContainer("a", "cpu=200m")}
		}), "cpu=250m"},
		{"an earlier init container does not see the sidecar", pod("p", "cpu=100m", func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{initContainer("a", "cpu=200m"), sidecar("s", "cpu=50m")}
		}), "cpu=200m"},
		{"overhead", pod("p", "cpu=100m", func(p *corev1.Pod) { p.Spec.Overhead = list("cpu=10m memory=64Mi") }), "cpu=110m memory=64Mi"},
		{"Pod-level resources", pod("p", "cpu=100m memory=1Gi", func(p *corev1.Pod) {
			p.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu=500m")}
			p.Spec.Overhead = list("cpu=10m")
		}), "cpu=510m memory=1Gi"},
		{"a resize that is not finished holds both", pod("p", "cpu=100m memory=2Gi", on("n1"), func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main",
				Resources: &corev1.ResourceRequirements{Requests: list("cpu=300m memory=1Gi")}, AllocatedResources: list("cpu=300m memory=1Gi")}}
		}), "cpu=300m memory=2Gi"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(list(tc.want), Requests(tc.pod)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// texts joins shortfalls as people see them; "" = fits.
func texts(short []Shortfall) string {
	var all []string
	for _, s := range short {
		all = append(all, s.Kind.String()+" "+s.String())
	}
	return strings.Join(all, "\n")
}

func TestFit(t *testing.T) {
	n1 := node("n1", "cpu=1 memory=2Gi")
	agent := pod("agent", "cpu=600m memory=512Mi", on("n1"))
	udp := func(p int32, ip string) corev1.ContainerPort {
		return corev1.ContainerPort{HostPort: p, ContainerPort: p, Protocol: corev1.ProtocolUDP, HostIP: ip}
	}
	tcp := func(p int32, ip string) corev1.ContainerPort {
		return corev1.ContainerPort{HostPort: p, ContainerPort: p, HostIP: ip}
	}
	ports := func(name string, ps ...corev1.ContainerPort) *corev1.Pod { return pod(name, "", on("n1"), port(ps...)) }

	for _, tc := range []struct {
		name   string
		pod    *corev1.Pod
		node   *corev1.Node
		others []*corev1.Pod
		want   string
	}{
		{"empty node", pod("p", "cpu=1 memory=2Gi"), n1, nil, ""},
		{"exactly what is free", pod("p", "cpu=400m memory=1536Mi"), n1, []*corev1.Pod{agent}, ""},
		{"one millicore too much", pod("p", "cpu=401m"), n1, []*corev1.Pod{agent},
			"Resource cpu: wants 401m, free 400m, allocatable 1000m"},
		{"rounded up, not down", pod("p", "cpu=400.1m memory=1.5"), n1, []*corev1.Pod{agent},
			"Resource cpu: wants 401m, free 400m, allocatable 1000m"},
		{"both, in order", pod("p", "memory=1537Mi cpu=500m"), n1, []*corev1.Pod{agent},
			"Resource cpu: wants 500m, free 400m, allocatable 1000m\nResource memory: wants 1537Mi, free 1536Mi, allocatable 2Gi"},
		{"above the node (case 7)", pod("p", "memory=3Gi"), n1, []*corev1.Pod{agent},
			"Resource memory: wants 3Gi, the whole node has 2Gi"},
		{"no request fits an overfull node", pod("p", ""), n1, []*corev1.Pod{pod("big", "cpu=5", on("n1"))}, ""},
		{"overfull", pod("p", "cpu=1m"), n1, []*corev1.Pod{pod("big", "cpu=5", on("n1"))},
			"Resource cpu: wants 1m, free -4000m, allocatable 1000m"},
		{"ephemeral storage", pod("p", "ephemeral-storage=2Gi"), node("n1", "ephemeral-storage=3Gi"), []*corev1.Pod{pod("o", "ephemeral-storage=2Gi", on("n1"))},
			"Resource ephemeral-storage: wants 2Gi, free 1Gi, allocatable 3Gi"},
		{"huge pages", pod("p", "hugepages-2Mi=4Mi"), node("n1", "hugepages-2Mi=4Mi"), []*corev1.Pod{pod("o", "hugepages-2Mi=2Mi", on("n1"))},
			"Resource hugepages-2Mi: wants 4Mi, free 2Mi, allocatable 4Mi"},
		{"extended resource that the node lacks", pod("p", "nvidia.com/gpu=1"), n1, nil,
			"Resource nvidia.com/gpu: wants 1, the whole node has 0"},
		{"others by name", pod("p", "b.io/x=1 a.io/x=1 cpu=2"), n1, nil,
			"Resource cpu: wants 2000m, the whole node has 1000m\nResource a.io/x: wants 1, the whole node has 0\nResource b.io/x: wants 1, the whole node has 0"},
		{"attachable volumes, and domains of Kubernetes", pod("p", "attachable-volumes-x=1 kubernetes.io/y=2"), n1, nil,
			"Resource attachable-volumes-x: wants 1, the whole node has 0\nResource kubernetes.io/y: wants 2, the whole node has 0"},
		{"resources that the scheduler ignores", pod("p", "storage=9Gi example=7 requests.x.io/y=1"), n1, nil, ""},

		{"Pod slots (case 24)", pod("p", "cpu=1m"), node("n1", "cpu=1 pods=1"), []*corev1.Pod{agent},
			"TooManyPods pods: wants 1, free 0, allocatable 1"},
		{"a node that tells no Pod count", pod("p", ""), &corev1.Node{}, nil, "TooManyPods pods: wants 1, the whole node has 0"},

		{"over Pods hold nothing", pod("p", "cpu=1"), node("n1", "cpu=1 pods=1"), []*corev1.Pod{
			pod("a", "cpu=1", on("n1"), phase(corev1.PodFailed)), pod("b", "cpu=1", on("n1"), phase(corev1.PodSucceeded))}, ""},
		{"a terminating Pod holds all", pod("p", "cpu=1"), n1, []*corev1.Pod{pod("a", "cpu=1", on("n1"), terminating)},
			"Resource cpu: wants 1000m, free 0m, allocatable 1000m"},
		{"a Pod of unknown phase holds all", pod("p", "cpu=1"), n1, []*corev1.Pod{pod("a", "cpu=1", on("n1"), phase(corev1.PodUnknown))},
			"Resource cpu: wants 1000m, free 0m, allocatable 1000m"},
		{"a Pod of another node", pod("p", "cpu=1"), n1, []*corev1.Pod{pod("a", "cpu=1", on("n2")), nil}, ""},
		{"a nominated Pod", pod("p", "cpu=1"), n1, []*corev1.Pod{pod("a", "cpu=1")},
			"Resource cpu: wants 1000m, free 0m, allocatable 1000m"},
		{"the Pod itself", pod("p", "cpu=1"), n1, []*corev1.Pod{pod("p", "cpu=1"), pod("q", ""), pod("p", "cpu=1")}, ""},

		{"host port taken (case 8)", ports("p", tcp(54323, "")), n1, []*corev1.Pod{ports("o", tcp(54323, ""))},
			"HostPort host port 54323/TCP is held by ns/o"},
		{"other protocol", ports("p", tcp(8125, "")), n1, []*corev1.Pod{ports("o", udp(8125, ""))}, ""},
		{"other address", ports("p", tcp(80, "10.0.0.1")), n1, []*corev1.Pod{ports("o", tcp(80, "10.0.0.2"))}, ""},
		{"every address against one", ports("p", tcp(80, "")), n1, []*corev1.Pod{ports("o", tcp(80, "10.0.0.2"))},
			"HostPort host port 80/TCP is held by ns/o"},
		{"one address against every", ports("p", tcp(80, "10.0.0.2")), n1, []*corev1.Pod{ports("o", tcp(80, "0.0.0.0"))},
			"HostPort host port 80/TCP on 10.0.0.2 is held by ns/o"},
		{"the IPv6 any-address is one address", ports("p", tcp(80, "::")), n1, []*corev1.Pod{ports("o", tcp(80, "10.0.0.2"))}, ""},
		{"a port that is not on the host", ports("p", corev1.ContainerPort{ContainerPort: 80}), n1, []*corev1.Pod{ports("o", tcp(80, ""))}, ""},
		{"own network: declared ports are host ports", pod("p", "", port(corev1.ContainerPort{ContainerPort: 80}), func(p *corev1.Pod) { p.Spec.HostNetwork = true }),
			n1, []*corev1.Pod{ports("o", tcp(80, ""))}, "HostPort host port 80/TCP is held by ns/o"},
		{"port of a sidecar", ports("p", tcp(80, "")), n1, []*corev1.Pod{pod("o", "", on("n1"), func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{sidecar("s", "")}
			p.Spec.InitContainers[0].Ports = []corev1.ContainerPort{tcp(80, "")}
		})}, "HostPort host port 80/TCP is held by ns/o"},
		{"port of an init container", ports("p", tcp(80, "")), n1, []*corev1.Pod{pod("o", "", on("n1"), func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{initContainer("i", "")}
			p.Spec.InitContainers[0].Ports = []corev1.ContainerPort{tcp(80, "")}
		})}, ""},

		{"affinity", pod("p", "", required(fields(nameIn("n2")))), n1, nil,
			"Affinity no term of the required node affinity matches: term 0: wants field metadata.name In [n2], the node is n1"},
		{"malformed term", pod("p", "", required(fields(nameIn("n1", "n2")))), n1, nil,
			"Affinity no term of the required node affinity matches: term 0: it is malformed"},
		{"bound to another node", pod("p", "", on("n2")), n1, nil, "Affinity the Pod's node name is n2, the node is n1"},
		{"taints, all hard ones", pod("p", ""), node("n1", "", taint("a:NoSchedule", "b=1:NoExecute", "c:PreferNoSchedule")), nil,
			"Taint the taint a:NoSchedule is not tolerated\nTaint the taint b=1:NoExecute is not tolerated"},
		{"no toleration is added here", pod("p", ""), node("n1", "", taint("node.kubernetes.io/not-ready:NoExecute")), nil,
			"Taint the taint node.kubernetes.io/not-ready:NoExecute is not tolerated"},
		{"cordoned, named once", pod("p", ""), node("n1", "", taint("node.kubernetes.io/unschedulable:NoSchedule"), func(n *corev1.Node) { n.Spec.Unschedulable = true }), nil,
			"Taint the taint node.kubernetes.io/unschedulable:NoSchedule is not tolerated"},
		{"cordoned, taint not yet there", pod("p", ""), node("n1", "", func(n *corev1.Node) { n.Spec.Unschedulable = true }), nil,
			"Taint the taint node.kubernetes.io/unschedulable:NoSchedule is not tolerated"},
		{"cordoned, tolerated", pod("p", "", func(p *corev1.Pod) { p.Spec.Tolerations = AddedTolerations(false) }),
			node("n1", "", func(n *corev1.Node) { n.Spec.Unschedulable = true }), nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, texts(Fit(tc.pod, tc.node, tc.others)))
		})
	}
}

func TestFitNamesTheNumbers(t *testing.T) {
	short := Fit(pod("p", "cpu=600m memory=3Gi"), node("n1", "cpu=1 memory=2Gi"), []*corev1.Pod{pod("o", "cpu=600m memory=512Mi", on("n1"))})
	want := []Shortfall{
		{Kind: ShortResource, Resource: "cpu", Requested: 600, Free: 400, Allocatable: 1000},
		{Kind: ShortResource, Resource: "memory", Requested: 3 << 30, Free: 1536 << 20, Allocatable: 2 << 30, AboveAllocatable: true},
	}
	if diff := cmp.Diff(want, short); diff != "" {
		t.Error(diff)
	}
}

// A Room that is asked again, and one that Pods are added to, answer as Fit does.
func TestRoom(t *testing.T) {
	n1 := node("n1", "cpu=1")
	r := NewRoom(n1, nil)
	placed := []*corev1.Pod{}
	for _, name := range []string{"a", "b"} {
		p := pod(name, "cpu=400m")
		require.Nil(t, r.Fit(p), name)
		require.Equal(t, r.Fit(p), Fit(p, n1, placed))
		bound := pod(name, "cpu=400m", on("n1"))
		r.Add(bound)
		placed = append(placed, bound)
	}
	c := pod("c", "cpu=400m")
	require.Equal(t, "Resource cpu: wants 400m, free 200m, allocatable 1000m", texts(r.Fit(c)))
	require.Equal(t, r.Fit(c), Fit(c, n1, placed))
}

func TestAmountsSaturate(t *testing.T) {
	huge := resource.MustParse("9E")
	require.Equal(t, int64(math.MaxInt64), amountOf(corev1.ResourceCPU, huge))
	require.Equal(t, int64(math.MaxInt64), amountOf(corev1.ResourceMemory, resource.MustParse("1e30")))
	require.Equal(t, int64(9e18), amountOf(corev1.ResourceMemory, huge))
	require.Zero(t, amountOf(corev1.ResourceMemory, resource.MustParse("-1Gi")))
	require.Equal(t, int64(math.MaxInt64), addAmounts(math.MaxInt64-1, 2))

	// Two Pods of 9E would wrap around to a node with room to spare.
	full := []*corev1.Pod{pod("a", "memory=9E", on("n1")), pod("b", "memory=9E", on("n1"))}
	require.Len(t, Fit(pod("p", "memory=1"), node("n1", "memory=1Gi"), full), 1)
	// And a negative request would make some.
	odd := []*corev1.Pod{pod("a", "memory=-1Gi", on("n1")), pod("b", "memory=1Gi", on("n1"))}
	require.Len(t, Fit(pod("p", "memory=1Gi"), node("n1", "memory=1Gi"), odd), 1)
}

func TestShortfallKindString(t *testing.T) {
	require.Equal(t, "Taint Affinity HostPort TooManyPods Resource ShortfallKind(9)", strings.Join([]string{ShortTaint.String(),
		ShortAffinity.String(), ShortPort.String(), ShortPods.String(), ShortResource.String(), ShortfallKind(9).String()}, " "))
	require.Equal(t, "ShortfallKind(9)", Shortfall{Kind: 9}.String())
}
