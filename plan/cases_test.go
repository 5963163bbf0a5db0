package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The cases are what went wrong in public with rollouts of node agents, each as a snapshot: a real pair, taken from the
// model of Kubernetes at the moment that matters, in whose objects the case then changes what it is about. A case
// asserts the right decision and that the wrong one is not taken. Most reports are about one DaemonSet whose Pods are
// deleted first; what a pair has to decide there is which nodes may be handed off now, by the same account.

// moment is a pair at one moment, with objects of its own that a case may change.
type moment struct {
	t       *testing.T
	objects model.Objects
	rollout *model.Rollout
	now     time.Time
	keys    model.Keys
}

// momentOf copies what the lab's cluster shows now.
func momentOf(l *lab) *moment {
	l.t.Helper()
	truth, err := l.world.Truth(l.now, l.rollout)
	require.NoError(l.t, err)
	rollout := *truth.Rollout
	s := &moment{t: l.t, rollout: &rollout, now: l.now, keys: model.NewKeys("", namespace, "agent")}
	for i := range truth.Cluster.Len() {
		s.objects.Nodes = append(s.objects.Nodes, truth.Cluster.Node(i).DeepCopy())
		for _, pod := range truth.Cluster.Pods(i) {
			s.objects.Pods = append(s.objects.Pods, pod.DeepCopy())
		}
	}
	for _, set := range truth.Cluster.DaemonSets() {
		s.objects.DaemonSets = append(s.objects.DaemonSets, set.DeepCopy())
	}
	return s
}

// prepared is a pair in which the next revision is prepared on every node, and none is handed off yet: the very next plan
// spends the budget.
func prepared(t *testing.T, nodes []*corev1.Node, maxUnavailable intstr.IntOrString, change ...func(*model.Rollout)) *moment {
	t.Helper()
	return momentOf(preparedLab(t, nodes, maxUnavailable, change...))
}

func preparedLab(t *testing.T, nodes []*corev1.Node, maxUnavailable intstr.IntOrString, change ...func(*model.Rollout)) *lab {
	t.Helper()
	all := intstr.FromInt(len(nodes))
	rollout := rolloutOf("1", append(change, func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &maxUnavailable, &all
	})...)
	l := newLab(t, nodes, rollout)
	steady := l.run()
	require.True(t, steady.Complete())
	rollout.Spec.Desired = conventional("2")
	for range 10 {
		p := l.step()
		l.settle()
		l.now = l.now.Add(time.Second)
		if len(p.Actions) > 0 && p.Actions[0].Reason == model.CandidatePrepared {
			require.Len(t, p.Actions, len(nodes), "every node is prepared at once")
			return l
		}
	}
	t.Fatal("the target is never prepared")
	return nil
}

func (s *moment) node(name string) *corev1.Node {
	for _, n := range s.objects.Nodes {
		if n.Name == name {
			return n
		}
	}
	s.t.Fatalf("no node %s", name)
	return nil
}

func (s *moment) set(slot model.Slot) *appsv1.DaemonSet {
	for _, set := range s.objects.DaemonSets {
		if set.Namespace == namespace && strings.HasSuffix(set.Name, "-green") == (slot == model.Green) {
			return set
		}
	}
	s.t.Fatalf("no DaemonSet %s", slot)
	return nil
}

// pod returns the slot's Pod on the node, or the one that is bound for it.
func (s *moment) pod(node string, slot model.Slot) *corev1.Pod {
	uid := s.set(slot).UID
	for _, pod := range s.objects.Pods {
		if at, _ := model.NodeOf(pod); at == node && model.ControllerUID(pod) == uid {
			return pod
		}
	}
	s.t.Fatalf("no Pod of %s on %s", slot, node)
	return nil
}

// drop takes the Pod out of the snapshot.
func (s *moment) drop(gone *corev1.Pod) {
	var rest []*corev1.Pod
	for _, pod := range s.objects.Pods {
		if pod != gone {
			rest = append(rest, pod)
		}
	}
	s.objects.Pods = rest
}

// label gives the node its slot label, as written so long ago, and the controller has acted on it.
func (s *moment) label(node, value string, ago time.Duration) {
	n := s.node(node)
	n.Labels[s.keys.NodeSlot] = value
	n.Annotations[s.keys.NodeMoved] = model.Moved{At: s.now.Add(-ago), Paid: true}.String()
	delete(n.Annotations, s.keys.NodeCandidate)
	switch value {
	case "green":
		s.drop(s.pod(node, model.Blue))
	case "blue":
		s.drop(s.pod(node, model.Green))
	}
}

// handedOff is a node whose handoff was so long ago, with the target as the case makes it.
func (s *moment) handedOff(node string, ago time.Duration, change ...func(*corev1.Pod)) *corev1.Pod {
	s.label(node, "green", ago)
	pod := s.pod(node, model.Green)
	for _, f := range change {
		f(pod)
	}
	return pod
}

func (s *moment) snapshot() *model.Snapshot {
	s.t.Helper()
	cluster, err := model.NewCluster(s.objects)
	require.NoError(s.t, err)
	rollout := *s.rollout
	rollout.Status.ObservedAt = metav1.NewTime(s.now)
	return &model.Snapshot{Cluster: cluster, Rollout: &rollout}
}

// plan is the decision, which the validator shares.
func (s *moment) plan() *model.Plan {
	s.t.Helper()
	snapshot := s.snapshot()
	p, err := plan.Next(snapshot)
	require.NoError(s.t, err)
	require.Empty(s.t, plan.Validate(snapshot, &p))
	require.True(s.t, p.Ledger.Balanced(), "%s", p.Ledger)
	return &p
}

// taken are the nodes whose agent the plan takes, with what each costs.
func taken(p *model.Plan) map[string]string {
	nodes := map[string]string{}
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Cost.SeatTaken() != budget.NoSeat {
			nodes[a.Node] = a.Cost.SeatTaken().String()
		}
	}
	return nodes
}

// paid are the nodes with an available agent that the plan takes.
func paid(p *model.Plan) (nodes []string) {
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Cost.SeatTaken() == budget.PaidSeat {
			nodes = append(nodes, a.Node)
		}
	}
	return nodes
}

func reportOf(t *testing.T, p *model.Plan, node string) *model.NodeReport {
	t.Helper()
	for i := range p.Nodes {
		if p.Nodes[i].Node == node {
			return &p.Nodes[i]
		}
	}
	t.Fatalf("the plan does not report on %s", node)
	return nil
}

// The ways in which a Pod, or its node, is not available.

func unready(now time.Time) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		setCondition(pod, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now.Add(-time.Minute))})
	}
}

func readySince(at time.Time) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		started := true
		pod.Status.Phase = corev1.PodRunning
		for i := range pod.Status.ContainerStatuses {
			pod.Status.ContainerStatuses[i].Ready, pod.Status.ContainerStatuses[i].Started = true, &started
		}
		setCondition(pod, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(at)})
	}
}

func terminating(now time.Time) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		at := metav1.NewTime(now.Add(-time.Minute))
		pod.DeletionTimestamp = &at
	}
}

func pullFails(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodPending
	for i := range pod.Status.ContainerStatuses {
		no := false
		pod.Status.ContainerStatuses[i].Started = &no
		pod.Status.ContainerStatuses[i].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}
	}
}

// unschedulable is what the scheduler writes on a Pod that it cannot bind.
func unschedulable(message string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		setCondition(pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message})
	}
}

func setCondition(pod *corev1.Pod, condition corev1.PodCondition) {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == condition.Type {
			pod.Status.Conditions[i] = condition
			return
		}
	}
	pod.Status.Conditions = append(pod.Status.Conditions, condition)
}

// nodeDown is a node whose kubelet is silent. Its Pods may be shown as Ready all the same.
func nodeDown(n *corev1.Node) {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			n.Status.Conditions[i].Status = corev1.ConditionUnknown
		}
	}
}

// pinTo makes the Pod one that is not bound, as the DaemonSet controller makes it for the node.
func pinTo(pod *corev1.Pod, nodes ...string) {
	pod.Spec.NodeName = ""
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: nodes}},
		}}},
	}}
}

// slotOfPod is the slot whose DaemonSet controls the Pod; NoSlot for any other Pod.
func slotOfPod(pod *corev1.Pod) model.Slot {
	switch ref := metav1.GetControllerOf(pod); {
	case ref == nil || pod.Namespace != namespace:
		return model.NoSlot
	case ref.Name == "agent":
		return model.Blue
	case ref.Name == "agent-green":
		return model.Green
	}
	return model.NoSlot
}

func quantity(text string) *resource.Quantity {
	q := resource.MustParse(text)
	return &q
}

// withRollout is the lab's cluster under another document.
func (l *lab) withRollout(rollout *model.Rollout) *model.Snapshot {
	s := momentOf(l)
	s.rollout = rollout
	return s.snapshot()
}

func percent(text string) intstr.IntOrString { return intstr.FromString(text) }

func count(n int) intstr.IntOrString { return intstr.FromInt(n) }
