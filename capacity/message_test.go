package capacity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// P, T1 and T2 as a current scheduler writes them for a DaemonSet Pod in a cluster of three nodes.
const (
	pinned2 = "2 node(s) didn't satisfy plugin(s) [NodeAffinity]"
	tail1   = " preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
	tail2   = " preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
)

// brief writes a message as "N: count Kind(resource), …", with "?" before one that is not Known.
func brief(m Message) string {
	var b strings.Builder
	if !m.Known {
		b.WriteString("? ")
	}
	fmt.Fprintf(&b, "%d:", m.Nodes)
	for i, r := range m.Reasons {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d %s", r.Count, r.Kind)
		if r.Resource != "" {
			fmt.Fprintf(&b, "(%s)", r.Resource)
		}
	}
	return b.String()
}

type onlyCapacity int

const (
	no         onlyCapacity = iota
	withSlots               // only where Pod slots count
	capacityOK              // CPU and memory alone
)

// Program output of schedulers, kubelets and autoscalers through the years.
var messages = []struct {
	name, text, want string
	only             onlyCapacity
}{
	{"M1", "pod (jenkins-master-645022479-ov9ka) failed to fit in any node\nfit failure on node (gke-warpdrive-default-pool-eae1f3b0-spgr): Insufficient cpu", "? -1:", no},
	{"M2", "pod (test-1012964845-v8915) failed to fit in any node\nfit failure summary on nodes : Insufficient pods (2), PodToleratesNodeTaints (1)", "? -1:", no},
	{"M3", "No nodes are available that match all of the following predicates:: Insufficient cpu (9), Insufficient memory (15), MatchNodeSelector (18).", "? -1:", no},
	{"M4", "No nodes are available that match all of the following predicates:: NodeUnderMemoryPressure (1).", "? -1:", no},
	{"M6", `failed to place pod on "bootstrap-e2e-master": Node didn't have enough resource: cpu, requested: 150, used: 950, capacity: 1000`, "? -1:", no},
	{"M7", "0/1 nodes are available: 1 node(s) were not ready, 1 node(s) were out of disk space", "1: 1 NodeState, 1 NodeState", no},
	{"M8", "0/6 nodes are available: 2 node(s) had taints that the pod didn't tolerate, 4 Insufficient cpu.", "6: 2 Taint, 4 Resource(cpu)", no},
	{"M10", "0/12 nodes are available: 3 Insufficient memory, 9 node(s) didn't match node selector.", "12: 3 Resource(memory), 9 NodePin", no},
	{"M11 (case 45)", "0/6 nodes are available: 5 node(s) didn't match node selector.", "6: 5 NodePin", no},
	{"M12", "0/36 nodes are available: 31 node(s) didn't have free ports for the requested pod ports, 5 Insufficient memory.", "36: 31 HostPort, 5 Resource(memory)", no},
	{"M13", "0/3 nodes are available: 3 Insufficient ephemeral-storage.", "3: 3 Resource(ephemeral-storage)", no},
	{"M15", "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't match node selector.", "2: 1 TooManyPods, 1 NodePin", withSlots},
	{"M16", "0/20 nodes are available: 1 node(s) didn't match pod affinity/anti-affinity, 19 node(s) didn't match node selector.", "20: 1 PodAffinity, 19 NodePin", no},
	{"M18", "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 1 node(s) didn't match Pod's node affinity/selector.", "2: 1 HostPort, 1 NodePin", no},
	{"M19", "0/6 nodes are available: 1 Too many pods, 5 node(s) didn't match Pod's node affinity/selector.", "6: 1 TooManyPods, 5 NodePin", withSlots},
	{"M21", "0/3 nodes are available: 1 node(s) had taint {node.kubernetes.io/disk-pressure: }, that the pod didn't tolerate, 2 node(s) didn't have free ports for the requested pod ports.", "3: 1 Taint, 2 HostPort", no},
	{"M24", "0/9 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. preemption: 0/9 nodes are available: 9 No preemption victims found for incoming pod.", "9: 1 HostPort", no},
	{"M25", "0/4 nodes are available: 1 Insufficient cpu. preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.", "4: 1 Resource(cpu)", capacityOK},
	{"M27", "0/13 nodes are available: 1 node(s) were unschedulable, 12 node(s) didn't have free ports for the requested pod ports. preemption: 0/13 nodes are available: 1 Preemption is not helpful for scheduling, 12 No preemption victims found for incoming pod..", "13: 1 NodeState, 12 HostPort", no},
	{"M28", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod..", "1: 1 Resource(nvidia.com/gpu)", no},
	{"M30", "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.", "4: 4 NodePin", no},
	{"M31", "0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: 0/4 nodes are available: 1 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.", "4: 1 Resource(cpu), 3 NodePin", capacityOK},
	{"M32", "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]", "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"M34", "0/4 nodes are available: 1 Too many pods, 4 Insufficient memory. no new claims to deallocate, preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.", "4: 1 TooManyPods, 4 Resource(memory)", no},
	{"M37", "0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.", "3: 1 Resource(memory), 2 Taint", no},
	{"M39", "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.", "4: 1 Taint, 3 NodePin", no},
	{"M40", "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found", "? 4: 0 Unknown", no},
	{"M42", "0/4 nodes are available: 1 NodeUnfitPod, 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 2 node unregistered. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod..", "4: 1 Unknown, 1 Taint, 2 Unknown", no},
	{"M45", "0/8 nodes are available: 8 Insufficient cpu, 8 Insufficient memory", "8: 8 Resource(cpu), 8 Resource(memory)", no},
	{"K1", "Pod was rejected: Node didn't have enough resource: cpu, requested: 150, used: 11388, capacity: 11500", "? -1:", no},
	{"K3", "Pod Predicate PodFitsHostPorts failed", "? -1:", no},
	{"X1", "pod didn't trigger scale-up (it wouldn't fit if a new node is added)", "? -1:", no},
	{"X2", `Failed to schedule pod, incompatible with nodepool, daemonset overhead={"cpu":"100m"}, no instance type satisfied resources NodePool="default"`, "? -1:", no},

	{"case 6", "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].", "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"cpu above the node", "0/3 nodes are available: 1 Insufficient cpu, " + pinned2 + "." + tail1, "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"memory above the node", "0/3 nodes are available: 1 Insufficient memory, " + pinned2 + "." + tail1, "3: 1 Resource(memory), 2 NodePin", capacityOK},
	{"both above the node", "0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, " + pinned2 + "." + tail1, "3: 1 Resource(cpu), 1 Resource(memory), 2 NodePin", capacityOK},
	{"both and Pods", "0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods, " + pinned2 + "." + tail1, "3: 1 Resource(cpu), 1 Resource(memory), 1 TooManyPods, 2 NodePin", withSlots},
	{"node full now", "0/3 nodes are available: 1 Insufficient cpu, " + pinned2 + "." + tail2, "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"Pods full now", "0/3 nodes are available: 1 Too many pods, " + pinned2 + "." + tail2, "3: 1 TooManyPods, 2 NodePin", withSlots},
	{"host port", "0/3 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, " + pinned2 + "." + tail2, "3: 1 HostPort, 2 NodePin", no},
	{"taint, pinned by hand", "0/3 nodes are available: 1 node(s) had untolerated taint(s), " + pinned2 + "." + tail1, "3: 1 Taint, 2 NodePin", no},
	{"affinity, pinned by hand", "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, " + pinned2 + "." + tail1, "3: 1 NodePin, 2 NodePin", no},
	{"missing node", "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]." + tail1, "3: 3 NodePin", no},
	{"preempting", "0/3 nodes are available: 1 Insufficient cpu, " + pinned2 + ". preemption: found a potential placement for pod on node n1, preempting 1 victims", "3: 1 Resource(cpu), 2 NodePin", capacityOK},

	{"typographic apostrophes", "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn’t match Pod’s node affinity/selector.", "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"two final dots", "0/3 nodes are available: 1 Insufficient cpu, " + pinned2 + "..", "3: 1 Resource(cpu), 2 NodePin", capacityOK},
	{"three are not a form of ours", "0/3 nodes are available: 1 Insufficient cpu, " + pinned2 + "...", "3: 1 Resource(cpu), 2 Unknown", no},
	{"nodes left open", "0/x nodes are available: 1 Insufficient cpu.", "-1: 1 Resource(cpu)", capacityOK},
	{"Pods in the wording of 1.9", "0/2 nodes are available: 1 Insufficient pods, 1 node(s) didn't match node selector.", "2: 1 TooManyPods, 1 NodePin", withSlots},
	{"a plugin that quotes us", "0/3 nodes are available: 1 Quota: Insufficient cpu, " + pinned2 + ".", "3: 1 Unknown, 2 NodePin", no},
	{"a plugin that begins like us", "0/3 nodes are available: 1 Insufficient cpu on this rack, " + pinned2 + ".", "3: 1 Unknown, 2 NodePin", no},
	{"a plugin beside NodeAffinity", "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity Rack].", "3: 1 Resource(cpu), 2 Unknown", no},
	{"two nodes", "0/3 nodes are available: 2 Insufficient cpu, 1 node(s) didn't match node selector.", "3: 2 Resource(cpu), 1 NodePin", no},
	{"every node turned away and one short", "0/2 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match node selector.", "2: 1 Resource(cpu), 2 NodePin", no},
	{"named twice", "0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient cpu.", "3: 1 Resource(cpu), 1 Resource(cpu)", no},
	{"a dot inside a clause", "0/1 nodes are available: 1 the plugin said. preemptively no.", "1: 1 Unknown", no},
	{"no count", "0/3 nodes are available: Insufficient cpu.", "? 3: 0 Unknown", no},
	{"count of zero", "0/3 nodes are available: 0 Insufficient cpu.", "? 3: 0 Unknown", no},
	{"count is no number", "0/3 nodes are available: one Insufficient cpu.", "? 3: 0 Unknown", no},
	{"count too great for a cluster", "0/3 nodes are available: 1000000000 Insufficient cpu.", "? 3: 0 Unknown", no},
	{"no clause", "0/3 nodes are available: .", "? 3: 0 Unknown", no},
	{"total is no number", "0/three nodes are available: 1 Insufficient cpu.", "? -1:", no},
	{"total too great for a cluster", "0/1000000000 nodes are available: 1 Insufficient cpu.", "? -1:", no},
	{"no total", "0/ nodes are available: 1 Insufficient cpu.", "? -1:", no},
	{"some nodes available", "1/3 nodes are available: 1 Insufficient cpu.", "? -1:", no},
	{"nothing", "", "? -1:", no},
	{"only cpu in words", "Insufficient cpu", "? -1:", no},
	{"too long", "0/1 nodes are available: 1 Insufficient cpu." + strings.Repeat(" ", MaxMessageBytes), "? -1:", no},
	{"too many clauses", "0/1 nodes are available: 1 Insufficient cpu" + strings.Repeat(", 1 x", MaxReasons) + ".", "? -1:", no},
}

func TestParseMessage(t *testing.T) {
	for _, tc := range messages {
		t.Run(tc.name, func(t *testing.T) {
			m := ParseMessage(tc.text)
			require.Equal(t, tc.want, brief(m))
			require.Equal(t, tc.only == capacityOK, m.OnlyCapacity(false), "CPU and memory")
			require.Equal(t, tc.only >= withSlots, m.OnlyCapacity(true), "and Pod slots")
			require.Equal(t, strings.HasSuffix(tc.text, "preempting 1 victims"), m.Preempting)
		})
	}
}

func TestParseMessageVictims(t *testing.T) {
	for _, tc := range []struct {
		tail       string
		victims    int
		preempting bool
	}{
		{". preemption: found a potential placement for pod on node n1, preempting 12 victims", 12, true},
		{". preemption: found a potential placement for pod on node n1, preempting 1 victim.", 1, true},
		{". preemption: found a potential placement for pod on node n1, preempting 0 victims", 0, false},
		{". preemption: preempting several victims", 0, false},
		{". preemption: preempting 3 Pods", 0, false},
		{". preemption: preempting", 0, false},
		{", 1 plugin is preempting 4 victims", 0, false}, // not in a tail
		{".", 0, false},
	} {
		m := ParseMessage("0/3 nodes are available: 1 Insufficient cpu" + tc.tail)
		require.Equal(t, tc.preempting, m.Preempting, tc.tail)
		require.Equal(t, tc.victims, m.Victims, tc.tail)
	}
}

func TestReasonText(t *testing.T) {
	m := ParseMessage("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn’t match node selector.")
	require.Equal(t, []Reason{
		{Kind: ReasonResource, Count: 1, Resource: "cpu", Text: "Insufficient cpu"},
		{Kind: ReasonNodePin, Count: 2, Text: "node(s) didn't match node selector"},
	}, m.Reasons)
}

func TestClassify(t *testing.T) {
	for text, want := range map[string]ReasonKind{
		"Insufficient ":                                            ReasonUnknown,
		"Insufficient cpu,":                                        ReasonUnknown,
		"Insufficient -cpu":                                        ReasonUnknown,
		"insufficient cpu":                                         ReasonUnknown,
		"Insufficient hugepages-2Mi":                               ReasonResource,
		"node(s) didn't match node selector!":                      ReasonUnknown,
		"node(s) had untolerated taint {a: b}":                     ReasonTaint,
		"node(s) had untolerated taint {a: b":                      ReasonUnknown,
		"node(s) had untolerated taint {a} {b}":                    ReasonUnknown,
		"node(s) had taint {a: b}":                                 ReasonUnknown,
		"node(s) didn't match pod anti-affinity rules":             ReasonPodAffinity,
		"node(s) didn't satisfy existing pods anti-affinity rules": ReasonPodAffinity,
		"node(s) didn't match the requested node name":             ReasonNodePin,
	} {
		kind, _ := classify(text)
		require.Equal(t, want, kind, text)
	}
}

func TestReasonKindString(t *testing.T) {
	var all []string
	for k := ReasonUnknown; k <= ReasonNodeState+1; k++ {
		all = append(all, k.String())
	}
	require.Equal(t, "Unknown NodePin Resource TooManyPods HostPort Taint PodAffinity NodeState ReasonKind(8)", strings.Join(all, " "))
}

func FuzzParseMessage(f *testing.F) {
	for _, tc := range messages {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := ParseMessage(s)
		if len(m.Reasons) > MaxReasons || m.Nodes < -1 || m.Victims < 0 || m.Preempting != (m.Victims > 0) {
			t.Fatalf("out of bounds: %+v", m)
		}
		total := 0
		for _, r := range m.Reasons {
			total += len(r.Text)
			if (r.Kind == ReasonResource) != (r.Resource != "") || r.Count == 0 && r.Kind != ReasonUnknown || m.Known && r.Count < 1 {
				t.Fatalf("inconsistent: %+v", r)
			}
		}
		if total > len(s) {
			t.Fatalf("%d bytes of reasons from %d bytes of text", total, len(s))
		}
		strict, wide := m.OnlyCapacity(false), m.OnlyCapacity(true)
		if strict && !wide || wide && !m.Known {
			t.Fatalf("only capacity %t, with Pod slots %t: %+v", strict, wide, m)
		}
		if wide && !strings.Contains(s, "Insufficient ") && !strings.Contains(s, "Too many pods") {
			t.Fatalf("capacity out of nothing: %q", s)
		}
	})
}
