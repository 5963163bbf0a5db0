package differential

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/capacity"
)

// realScheduler is the scheduler's own filters, and its own choice of victims.
type realScheduler struct {
	ctx       context.Context
	framework framework.Framework
	preempts  *defaultpreemption.DefaultPreemption
}

func newRealScheduler(t *testing.T) *realScheduler {
	metrics.Register()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	f, err := tf.NewFramework(ctx, []tf.RegisterPluginFunc{
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
		tf.RegisterFilterPlugin(nodename.Name, runtime.FactoryAdapter(feature.Features{}, nodename.New)),
		tf.RegisterFilterPlugin(nodeunschedulable.Name, runtime.FactoryAdapter(feature.Features{}, nodeunschedulable.New)),
		tf.RegisterPluginAsExtensions(tainttoleration.Name, runtime.FactoryAdapter(feature.Features{}, tainttoleration.New), "Filter"),
		tf.RegisterPluginAsExtensions(nodeaffinity.Name, runtime.FactoryAdapter(feature.Features{}, nodeaffinity.New), "Filter", "PreFilter"),
		tf.RegisterPluginAsExtensions(nodeports.Name, runtime.FactoryAdapter(feature.Features{}, nodeports.New), "Filter", "PreFilter"),
		tf.RegisterPluginAsExtensions(noderesources.Name, runtime.FactoryAdapter(feature.Features{}, noderesources.NewFit), "Filter", "PreFilter"),
	}, "", runtime.WithPodNominator(queue.NewSchedulingQueue(nil, factory)), runtime.WithSnapshotSharedLister(cache.NewEmptySnapshot()), runtime.WithInformerFactory(factory))
	require.NoError(t, err)
	args := &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}
	preempts, err := defaultpreemption.New(ctx, args, f, feature.Features{})
	require.NoError(t, err)
	return &realScheduler{ctx, f, preempts}
}

// fits asks the filters, and victims the preemption.
func (s *realScheduler) fits(c *drawnNode) bool {
	state := framework.NewCycleState()
	if _, status, _ := s.framework.RunPreFilterPlugins(s.ctx, state, c.pod); !status.IsSuccess() {
		return false
	}
	return s.framework.RunFilterPlugins(s.ctx, state, c.pod, c.info()).IsSuccess()
}

func (s *realScheduler) victims(t require.TestingT, c *drawnNode) (names []string, violating int, ok bool) {
	state := framework.NewCycleState()
	if _, status, _ := s.framework.RunPreFilterPlugins(s.ctx, state, c.pod); !status.IsSuccess() {
		return nil, 0, false
	}
	if eligible, _ := s.preempts.PodEligibleToPreemptOthers(s.ctx, c.pod, nil); !eligible {
		return nil, 0, false
	}
	victims, violating, status := s.preempts.SelectVictimsOnNode(s.ctx, state, c.pod, c.info(), c.budgets)
	for _, victim := range victims {
		names = append(names, victim.Name)
	}
	slices.Sort(names)
	return names, violating, status.IsSuccess()
}

// drawnNode is a node with its Pods, and one that wants to go there.
type drawnNode struct {
	node    *corev1.Node
	pod     *corev1.Pod
	others  []*corev1.Pod
	budgets []*policyv1.PodDisruptionBudget
}

func (c *drawnNode) info() *framework.NodeInfo {
	info := framework.NewNodeInfo(c.others...)
	info.SetNode(c.node)
	return info
}

var drawnNodes = rapid.Custom(func(t *rapid.T) *drawnNode {
	amounts := func(most int64) corev1.ResourceList {
		return corev1.ResourceList{
			corev1.ResourceCPU:              *resource.NewMilliQuantity(100*rapid.Int64Range(0, most).Draw(t, "cpu"), resource.DecimalSI),
			corev1.ResourceMemory:           *resource.NewQuantity(rapid.Int64Range(0, most).Draw(t, "memory"), resource.BinarySI),
			corev1.ResourceEphemeralStorage: *resource.NewQuantity(rapid.Int64Range(0, most).Draw(t, "storage"), resource.BinarySI),
			"example.com/nic":               *resource.NewQuantity(rapid.Int64Range(0, most).Draw(t, "nic"), resource.DecimalSI),
		}
	}
	c := &drawnNode{node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", Labels: map[string]string{"zone": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "zone")}}}}
	c.node.Status.Allocatable = amounts(20)
	c.node.Status.Allocatable[corev1.ResourcePods] = *resource.NewQuantity(rapid.Int64Range(0, 6).Draw(t, "seats"), resource.DecimalSI)
	c.node.Spec.Unschedulable = rapid.IntRange(0, 9).Draw(t, "cordon") == 0
	if rapid.IntRange(0, 4).Draw(t, "tainted") == 0 {
		c.node.Spec.Taints = []corev1.Taint{{Key: "k", Effect: rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect")}}
	}
	pod := func(name string) *corev1.Pod {
		start := metav1.NewTime(time.Unix(1764550000+int64(100*len(c.others)), 0))
		priority := rapid.Int32Range(0, 3).Draw(t, "priority")
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID(name), Labels: map[string]string{"app": rapid.SampledFrom([]string{"x", "y"}).Draw(t, "app")}}}
		p.Spec.Priority, p.Status.StartTime = &priority, &start
		p.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: amounts(3)}}}
		if rapid.IntRange(0, 3).Draw(t, "port") == 0 {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: rapid.Int32Range(1, 2).Draw(t, "hostPort"), ContainerPort: 1, Protocol: corev1.ProtocolTCP}}
		}
		return p
	}
	taken := map[int32]bool{}
	for i := range rapid.IntRange(0, 5).Draw(t, "others") {
		other := pod(fmt.Sprintf("other-%d", i))
		other.Spec.NodeName, other.Status.Phase = "node", corev1.PodRunning
		if ports := other.Spec.Containers[0].Ports; len(ports) > 0 {
			if taken[ports[0].HostPort] { // no two Pods run with it
				other.Spec.Containers[0].Ports = nil
			}
			taken[ports[0].HostPort] = true
		}
		c.others = append(c.others, other)
	}
	c.pod = pod("agent")
	*c.pod.Spec.Priority += rapid.Int32Range(0, 2).Draw(t, "more important")
	if rapid.IntRange(0, 3).Draw(t, "tolerates") == 0 {
		c.pod.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}
	if rapid.IntRange(0, 3).Draw(t, "placed") == 0 {
		c.pod.Spec.NodeSelector = map[string]string{"zone": "a"}
	}
	if rapid.IntRange(0, 7).Draw(t, "never") == 0 {
		never := corev1.PreemptNever
		c.pod.Spec.PreemptionPolicy = &never
	}
	for _, app := range []string{"x", "y"} {
		if rapid.Bool().Draw(t, "budget") {
			c.budgets = append(c.budgets, &policyv1.PodDisruptionBudget{
				ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: app},
				Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
				Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: rapid.Int32Range(0, 2).Draw(t, "allowed")},
			})
		}
	}
	return c
})

// The arithmetic says of every node what the scheduler's filters say, and names the victims that its preemption chooses.
func TestSchedulerAgrees(t *testing.T) {
	real := newRealScheduler(t)
	seen := map[string]int{}
	const nodes = 10000
	for seed := range nodes {
		c := drawnNodes.Example(seed)
		fits := real.fits(c)
		short := capacity.Fit(c.pod, c.node, c.others)
		require.Equal(t, fits, len(short) == 0, "seed %d: %v", seed, short)
		if fits {
			seen["fits"]++
			continue
		}
		victims, violating, ok := real.victims(t, c)
		ours := capacity.Preempt(c.pod, c.node, c.others, c.budgets)
		var names []string
		for _, victim := range ours.Victims {
			names = append(names, victim.Name)
		}
		slices.Sort(names)
		require.Equal(t, ok, ours.Fits, "seed %d: %v %v", seed, victims, describe(c))
		require.Equal(t, victims, names, "seed %d", seed)
		require.Equal(t, violating, ours.Violating, "seed %d", seed)
		switch {
		case !ok:
			seen["no way"]++
		case violating > 0:
			seen["breaks a budget"]++
		default:
			seen["preempts"]++
		}
	}
	for _, kind := range []string{"fits", "no way", "preempts", "breaks a budget"} {
		require.GreaterOrEqual(t, seen[kind], nodes/100, "%v", seen)
	}
	t.Log(seen)
}

// describe is what a failure shows of a node.
func describe(c *drawnNode) string {
	text := fmt.Sprintf("node %v taints %v cordoned %v\n", c.node.Status.Allocatable, c.node.Spec.Taints, c.node.Spec.Unschedulable)
	for _, p := range append([]*corev1.Pod{c.pod}, c.others...) {
		text += fmt.Sprintf("%s priority %d asks %v ports %v tolerates %v selects %v\n", p.Name, *p.Spec.Priority, p.Spec.Containers[0].Resources.Requests, p.Spec.Containers[0].Ports, p.Spec.Tolerations, p.Spec.NodeSelector)
	}
	return text
}
