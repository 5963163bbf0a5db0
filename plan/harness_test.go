package plan_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// start is the instant at which every test cluster begins.
var start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

const (
	namespace = "datadog"
	ownerUID  = types.UID("owner-uid")
)

// conventional is a small Agent: two components, requests that matter, one selector label.
func conventional(tag string) *appsv1.DaemonSet {
	yes := true
	container := func(name string, command ...string) corev1.Container {
		return corev1.Container{
			Name: name, Image: "agent:" + tag, Command: command,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}},
		}
	}
	labels := map[string]string{"app.kubernetes.io/instance": "agent"}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: "agent", Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: "agent", UID: ownerUID, Controller: &yes}},
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					HostPID:      true,
					NodeSelector: map[string]string{"kubernetes.io/os": "linux"},
					Containers:   []corev1.Container{container("agent", "agent", "run"), container("trace-agent", "trace-agent")},
				},
			},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType},
		},
	}
}

func workers(count int) []*corev1.Node {
	nodes := make([]*corev1.Node, count)
	for i := range nodes {
		nodes[i] = worker(fmt.Sprintf("n%d", i+1))
	}
	return nodes
}

func worker(name string) *corev1.Node {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("20"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID("uid-" + name), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(start.Add(-time.Hour)),
			Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
		},
		Status: corev1.NodeStatus{
			Allocatable: room, Capacity: room,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(start.Add(-time.Hour))}},
		},
	}
}

// rolloutOf is the least document, with its clock.
func rolloutOf(tag string, change ...func(*model.Rollout)) *model.Rollout {
	one := intstr.FromInt32(1)
	r := &model.Rollout{
		Metadata: model.Owner{Namespace: namespace, Name: "agent", UID: ownerUID, APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec:     model.Spec{Desired: conventional(tag), Strategy: model.Strategy{MaxUnavailable: &one}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(start), Watched: true, OtherPods: model.OtherPods{All: true}},
	}
	for _, f := range change {
		f(r)
	}
	return r
}

// lab drives a world and the planner by turns, without durations: everything that can happen happens.
type lab struct {
	t       *testing.T
	world   *world.World
	rollout *model.Rollout
	now     time.Time
	plans   int
	last    model.Plan
	trace   []string

	// lagging keeps the caches as they are; issued is what they may not show yet, and sending what is done with the
	// actions of the next plan.
	lagging bool
	stalled bool // nothing happens by itself but that the caches show what did
	issued  []model.Issued
	sending sending

	// judge, if set, sees every plan before it is carried out, and each is called after everything that happens.
	judge func(*model.Snapshot, *model.Plan)
	each  func()
	// first, if set, is the kind of transition that happens before all others.
	first func(world.Kind) bool
}

// sending says what becomes of a plan's actions. The zero value carries all of them out.
type sending struct {
	// crash, if not zero, is the number of the action before which the executor dies.
	crash int
	// delay is the reason of the action whose request is only on its way, and delayed what is.
	delay   model.Reason
	delayed *model.Write
	// fates tell what became of the last plan's actions; empty for done.
	fates []string
}

func newLab(t *testing.T, nodes []*corev1.Node, rollout *model.Rollout, sets ...*appsv1.DaemonSet) *lab {
	t.Helper()
	cluster, err := model.NewCluster(model.Objects{Nodes: nodes, DaemonSets: sets})
	require.NoError(t, err)
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: rollout}, world.Options{})
	require.NoError(t, err)
	return &lab{t: t, world: w, rollout: rollout, now: start}
}

// settle lets everything happen that happens by itself, and tells whether anything did.
func (l *lab) settle() (happened bool) {
	for count := range 20_000 {
		list := l.world.Enabled(l.now)
		list = slices.DeleteFunc(list, func(t world.Transition) bool {
			return l.lagging && t.Kind == world.Deliver || l.stalled && t.Kind != world.Deliver
		})
		if len(list) == 0 {
			return count > 0
		}
		next := 0
		if l.first != nil {
			next = max(0, slices.IndexFunc(list, func(t world.Transition) bool { return l.first(t.Kind) }))
		}
		_, err := l.world.Do(l.now, list[next])
		require.NoError(l.t, err)
		if !l.unlocked() {
			require.NoError(l.t, l.world.Check())
		}
		if l.each != nil {
			l.each()
		}
	}
	l.t.Fatal("the world does not come to rest")
	return false
}

// unlocked tells whether two agents may run on a node: a surge without locks lets them.
func (l *lab) unlocked() bool {
	strategy := l.rollout.WithDefaults().Spec.Strategy
	return strategy.Type == model.Surge && strategy.Overlap == model.Never
}

// step plans once and carries everything out.
func (l *lab) step() model.Plan {
	l.t.Helper()
	snapshot, err := l.world.Snapshot(l.now, l.rollout)
	require.NoError(l.t, err)
	l.issued = slices.DeleteFunc(l.issued, func(i model.Issued) bool { return i.Visible(snapshot.Cluster) })
	snapshot.Rollout.Status.Issued = slices.Clone(l.issued)
	p, err := plan.Next(snapshot)
	require.NoError(l.t, err)
	l.plans++
	require.Empty(l.t, plan.Validate(snapshot, &p), "%v", l.trace)
	if l.judge != nil {
		l.judge(snapshot, &p)
	}
	l.sending.fates = make([]string, len(p.Actions))
	for i := range p.Actions {
		l.sending.fates[i] = l.send(i, &p.Actions[i])
	}
	l.last = p
	return p
}

// send carries one action out and tells what became of it. Only caches that lag excuse a refusal.
func (l *lab) send(i int, a *model.Action) (fate string) {
	l.t.Helper()
	l.trace = append(l.trace, fmt.Sprintf("%s %s %s %s", l.now.Format("15:04:05"), a.Kind, a.Write.Object, a.Reason))
	switch {
	case l.sending.crash > 0 && i+1 >= l.sending.crash:
		return "not sent"
	case l.sending.delay != "" && l.sending.delay == a.Reason:
		l.sending.delay, l.sending.delayed = "", &a.Write
		return "on its way"
	}
	result, err := l.world.Apply(l.now, a.Write)
	if l.lagging && err != nil {
		return "refused"
	}
	require.NoError(l.t, err, "%v", l.trace)
	l.issued = append(l.issued, model.Issued{Action: *a, At: metav1.NewTime(l.now), Result: &result})
	return ""
}

// desire makes the tag the desired one.
func (l *lab) desire(tag string) { l.rollout.Spec.Desired = conventional(tag) }

// advance plans once, lets everything happen that follows, and lets time pass.
func (l *lab) advance() model.Plan {
	l.t.Helper()
	p := l.step()
	l.settle()
	pause := time.Second
	if len(p.Actions) == 0 {
		pause = max(pause, p.RequeueAfter)
	}
	l.now = l.now.Add(pause)
	return p
}

// run alternates until nothing is left to do, and returns the last plan.
func (l *lab) run() model.Plan {
	l.t.Helper()
	for range 400 {
		p := l.step()
		happened := l.settle()
		switch {
		case len(p.Actions) > 0 || happened:
			l.now = l.now.Add(time.Second)
		case p.RequeueAfter > 0:
			l.now = l.now.Add(p.RequeueAfter)
		default:
			return p
		}
	}
	l.t.Fatalf("no end after %d plans: %v", l.plans, l.trace)
	return model.Plan{}
}
