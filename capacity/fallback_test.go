package capacity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	shortOfCPU    = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
	shortOfMemory = "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
	shortOfPods   = "0/3 nodes are available: 1 Too many pods, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
	shortOfPorts  = "0/3 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
)

// question is case 6: a node of one CPU whose source takes 600m, and a target that wants as much.
func question(edit ...func(*Question)) Question {
	q := Question{
		Pod:          target("n1", "cpu=600m", shortOfCPU),
		Node:         node("n1", "cpu=1 memory=2Gi"),
		Others:       []*corev1.Pod{pod("source", "cpu=600m memory=512Mi", on("n1"))},
		OthersListed: true,
		Leaving:      []types.UID{"uid-source"},
	}
	for _, e := range edit {
		e(&q)
	}
	return q
}

func onTarget(edits ...func(*corev1.Pod)) func(*Question) {
	return func(q *Question) {
		for _, e := range edits {
			e(q.Pod)
		}
	}
}

func wants(requests string) func(*Question) {
	return onTarget(func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = list(requests) })
}

func says(message string) func(*Question) {
	return onTarget(func(p *corev1.Pod) { p.Status.Conditions[0].Message = message })
}

func beside(pods ...*corev1.Pod) func(*Question) {
	return func(q *Question) { q.Others = append(q.Others, pods...) }
}

func onNode(edits ...func(*corev1.Node)) func(*Question) {
	return func(q *Question) {
		for _, e := range edits {
			e(q.Node)
		}
	}
}

func allocatable(s string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Allocatable = list(s) }
}

func slots(q *Question) { q.CountPodSlots = true }

func unlisted(q *Question) { q.OthersListed, q.Others = false, nil }

func TestFallback(t *testing.T) {
	hostPort := port(corev1.ContainerPort{ContainerPort: 54323, HostPort: 54323})
	for _, tc := range []struct {
		name   string
		q      Question
		want   Verdict
		detail string
	}{
		{"case 6", question(), FitsOnceSourceGone,
			"cpu: wants 600m, free 400m, 1000m once the source is gone, allocatable 1000m"},
		{"memory", question(wants("memory=1792Mi"), says(shortOfMemory)), FitsOnceSourceGone,
			"memory: wants 1792Mi, free 1536Mi, 2Gi once the source is gone, allocatable 2Gi"},
		{"both", question(wants("cpu=500m memory=1792Mi"), says("0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].")), FitsOnceSourceGone,
			"cpu: wants 500m, free 400m, 1000m once the source is gone, allocatable 1000m; memory: wants 1792Mi, free 1536Mi, 2Gi once the source is gone, allocatable 2Gi"},
		{"a source of two Pods", question(beside(pod("dup", "cpu=300m", on("n1"))), func(q *Question) { q.Leaving = append(q.Leaving, "uid-dup") }), FitsOnceSourceGone,
			"cpu: wants 600m, free 100m, 1000m once the source is gone, allocatable 1000m"},
		{"the target listed as well", question(func(q *Question) { q.Others = append(q.Others, q.Pod) }), FitsOnceSourceGone,
			"cpu: wants 600m, free 400m, 1000m once the source is gone, allocatable 1000m"},

		{"no Pod", question(func(q *Question) { q.Pod = nil }), NotPending, "there is no Pod"},
		{"bound", question(onTarget(func(p *corev1.Pod) { p.Spec.NodeName = "n1" })), NotPending, "the Pod is bound to n1"},
		{"failed", question(onTarget(phase(corev1.PodFailed))), NotPending, `the Pod's phase is "Failed"`},
		{"going", question(onTarget(terminating)), NotPending, "the Pod is terminating"},

		{"scheduler silent", question(onTarget(func(p *corev1.Pod) { p.Status.Conditions = nil })), NotJudged, "the scheduler has not spoken yet"},
		{"other conditions only", question(onTarget(func(p *corev1.Pod) { p.Status.Conditions[0].Type = corev1.PodReady })), NotJudged, "the scheduler has not spoken yet"},
		{"condition unknown", question(onTarget(func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionUnknown })), NotJudged,
			"PodScheduled is Unknown on an unbound Pod"},
		{"gated", question(onTarget(func(p *corev1.Pod) { p.Status.Conditions[0].Reason = corev1.PodReasonSchedulingGated })), NotUnschedulable,
			`PodScheduled is False with reason "SchedulingGated"`},
		{"gate with an old condition", question(onTarget(func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "quota"}} })), NotUnschedulable,
			"the Pod waits for the scheduling gate quota"},
		{"scheduler error", question(onTarget(func(p *corev1.Pod) { p.Status.Conditions[0].Reason = corev1.PodReasonSchedulerError })), NotUnschedulable,
			`PodScheduled is False with reason "SchedulerError"`},

		{"no node", question(func(q *Question) { q.Node = nil }), WrongNode, "there is no such node"},
		{"another node's Pod", question(onTarget(required(fields(nameIn("n2"))))), WrongNode, "the Pod is bound for n2, not for n1"},
		{"two nodes (case 23)", question(onTarget(required(fields(nameIn("n1", "n2"))))), WrongNode, "the Pod's required node affinity does not name exactly one node"},

		{"case 45", question(says("0/6 nodes are available: 5 node(s) didn't match node selector.")), UnknownMessage,
			"the scheduler gives no reason for this node"},
		{"text of another program", question(says("Failed to schedule pod, incompatible with nodepool")), UnknownMessage, "the scheduler's message is not understood"},
		{"a plugin that quotes us", question(says("0/1 nodes are available: 1 Quota: Insufficient cpu.")), UnknownMessage,
			`the scheduler names Unknown of 1 nodes: "Quota: Insufficient cpu"`},
		{"two nodes short", question(says("0/3 nodes are available: 2 Insufficient cpu, 1 node(s) didn't match node selector.")), UnknownMessage,
			`the scheduler names Resource of 2 nodes: "Insufficient cpu"`},
		{"Pod slots that do not count (case 24)", question(onNode(allocatable("cpu=1 pods=1")), wants("cpu=1m"), says(shortOfPods)), UnknownMessage,
			`the scheduler names TooManyPods of 1 nodes: "Too many pods"`},
		{"taint gone since", question(says("0/1 nodes are available: 1 node(s) had untolerated taint(s).")), UnknownMessage,
			`the scheduler names Taint of 1 nodes: "node(s) had untolerated taint(s)"`},
		{"port free since", question(says(shortOfPorts)), UnknownMessage,
			`the scheduler names HostPort of 1 nodes: "node(s) didn't have free ports for the requested pod ports"`},

		{"taint", question(onNode(taint("dedicated=db:NoSchedule"))), OtherConstraint, "the taint dedicated=db:NoSchedule is not tolerated"},
		{"affinity", question(onTarget(required(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{nameIn("n1")},
			MatchExpressions: []corev1.NodeSelectorRequirement{requirement("zone", corev1.NodeSelectorOpIn, "a")}}))), OtherConstraint,
			"no term of the required node affinity matches: term 0: wants zone In [a], the node has no label zone"},
		{"host port of the source (case 8)", question(onTarget(hostPort), says(shortOfPorts), func(q *Question) { hostPort(q.Others[0]) }), OtherConstraint,
			"host port 54323/TCP is held by ns/source"},
		{"host port, though the text says cpu", question(onTarget(hostPort), beside(pod("db", "", on("n1"), hostPort))), OtherConstraint,
			"host port 54323/TCP is held by ns/db"},
		{"ephemeral storage as well", question(onNode(allocatable("cpu=1 pods=10 ephemeral-storage=3Gi")), wants("cpu=600m ephemeral-storage=2Gi"),
			func(q *Question) {
				q.Others[0].Spec.Containers[0].Resources.Requests = list("cpu=600m ephemeral-storage=2Gi")
			}), OtherConstraint,
			"ephemeral-storage: wants 2Gi, free 1Gi, allocatable 3Gi"},
		{"Pod slots by arithmetic only", question(onNode(allocatable("cpu=1 pods=1"))), OtherConstraint, "pods: wants 1, free 0, allocatable 1"},

		{"others not listed", question(unlisted), NeedPods, "the other Pods on the node are not listed"},
		{"others not listed, and never fits", question(unlisted, wants("cpu=2")), NeverFits, "cpu: wants 2000m, the whole node has 1000m"},

		{"case 7, old wording", question(wants("memory=3Gi"), says("0/3 nodes are available: 1 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.")), NeverFits,
			"memory: wants 3Gi, the whole node has 2Gi"},
		{"case 7, one fits and one never does", question(wants("cpu=600m memory=3Gi")), NeverFits, "memory: wants 3Gi, the whole node has 2Gi"},
		{"a resource that the node has not", question(wants("cpu=600m nvidia.com/gpu=1")), NeverFits, "nvidia.com/gpu: wants 1, the whole node has 0"},

		{"fits already", question(wants("cpu=400m")), FitsNow, "by arithmetic the Pod fits already"},
		{"source over already", question(func(q *Question) { q.Others[0].Status.Phase = corev1.PodSucceeded }), FitsNow, "by arithmetic the Pod fits already"},

		{"source too small", question(beside(pod("db", "cpu=401m", on("n1")))), StillShort,
			"cpu: wants 600m, free -1m, 599m once the source is gone, allocatable 1000m"},
		{"source's neighbour is going too, but is not ours", question(beside(pod("db", "cpu=401m", on("n1"), terminating))), StillShort,
			"cpu: wants 600m, free -1m, 599m once the source is gone, allocatable 1000m"},
		{"no source to leave", question(func(q *Question) { q.Leaving = nil }), StillShort,
			"cpu: wants 600m, free 400m, 400m once the source is gone, allocatable 1000m"},
		{"source on another node", question(beside(pod("db", "cpu=600m", on("n1"))), func(q *Question) { q.Others[0].Spec.NodeName = "n2" }), StillShort,
			"cpu: wants 600m, free 400m, 400m once the source is gone, allocatable 1000m"},
		{"source not bound", question(func(q *Question) { q.Others[0].Spec.NodeName = "" }), StillShort,
			"cpu: wants 600m, free 400m, 400m once the source is gone, allocatable 1000m"},

		{"Pod slots that count (case 24)", question(slots, onNode(allocatable("cpu=1 pods=1")), wants("cpu=1m"), says(shortOfPods)), FitsOnceSourceGone,
			"pods: wants 1, free 0, 1 once the source is gone, allocatable 1"},
		{"Pod slots still short", question(slots, onNode(allocatable("cpu=1 pods=1")), wants("cpu=1m"), says(shortOfPods), beside(pod("db", "", on("n1")))), StillShort,
			"pods: wants 1, free -1, 0 once the source is gone, allocatable 1"},
		{"a node without Pod slots", question(slots, onNode(allocatable("cpu=1")), says(shortOfPods)), NeverFits, "pods: wants 1, the whole node has 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := Fallback(tc.q)
			require.Equal(t, tc.want.String(), a.Verdict.String(), a.Detail)
			require.Equal(t, tc.detail, a.Detail)
			require.False(t, a.Preempting)
		})
	}
}

// Every message that is not capacity holds the source, whatever arithmetic says.
func TestFallbackHoldsOnEveryOtherMessage(t *testing.T) {
	for _, tc := range messages {
		want := UnknownMessage
		if tc.only == capacityOK {
			want = FitsOnceSourceGone
		}
		require.Equal(t, want.String(), Fallback(question(says(tc.text))).Verdict.String(), tc.name)
	}
}

func TestFallbackReportsPreemption(t *testing.T) {
	a := Fallback(question(says(shortOfCPU + " preemption: found a potential placement for pod on node n1, preempting 2 victims")))
	require.True(t, a.Preempting)
	require.Equal(t, FitsOnceSourceGone, a.Verdict)

	a = Fallback(question(onTarget(func(p *corev1.Pod) { p.Status.NominatedNodeName = "n1" })))
	require.True(t, a.Preempting)
}

func TestFallbackShortfalls(t *testing.T) {
	cpu := Shortfall{Kind: ShortResource, Resource: "cpu", Requested: 600, Free: 400, Allocatable: 1000}
	require.Equal(t, []Shortfall{cpu}, Fallback(question()).Shortfalls)

	still := Fallback(question(beside(pod("db", "cpu=500m", on("n1")))))
	cpu.Free = 500
	require.Equal(t, []Shortfall{cpu}, still.Shortfalls, "free once the source is gone")
}

func TestFallbackLeavesItsInput(t *testing.T) {
	q := question(beside(pod("db", "cpu=100m", on("n1")), pod("over", "", on("n1"), phase(corev1.PodFailed))))
	before := Question{Pod: q.Pod.DeepCopy(), Node: q.Node.DeepCopy(), OthersListed: true, Leaving: []types.UID{"uid-source"}}
	for _, o := range q.Others {
		before.Others = append(before.Others, o.DeepCopy())
	}
	require.Equal(t, FitsOnceSourceGone, Fallback(q).Verdict)
	require.Equal(t, before, q)
}

func TestVerdictString(t *testing.T) {
	var all []string
	for v := NotPending; v <= FitsOnceSourceGone+1; v++ {
		all = append(all, v.String())
	}
	require.Equal(t, "NotPending NotJudged NotUnschedulable WrongNode UnknownMessage OtherConstraint NeedPods NeverFits FitsNow StillShort FitsOnceSourceGone Verdict(11)",
		strings.Join(all, " "))
}
