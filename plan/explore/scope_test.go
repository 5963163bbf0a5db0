package explore_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// scope says what is explored: how large, and what may go wrong.
type scope struct {
	name string
	// long scopes run with -scope=long only.
	long bool
	// prompt executors carry a plan out with nothing in between, and coarse worlds hurry through small steps.
	prompt, coarse bool
	nodes          int
	// full nodes hold one agent and no second one.
	full int
	// revisions that are desired one after the other; the first one serves at the start.
	revisions []int
	// fresh starts with no DaemonSet at all.
	fresh  bool
	images map[string]world.Behaviour
	// crashes of the executor and faults of one kind, at most.
	crashes, most int
	faults        func(*state) []world.Transition
	lags          []world.Cache
	surge         int // maxSurge; 0 is all nodes
	overlap       model.OverlapMode
	// maxRestarts of the document; 0 is the default.
	maxRestarts int32
	// bad is a revision that must end remembered as failed, with the one before it serving.
	bad int
	// met must be reached: reasons of actions, or beginnings of transitions.
	met []string
	// planner and validate are the library's, but for mutants.
	planner  func(*model.Snapshot) (model.Plan, error)
	validate func(*model.Snapshot, *model.Plan) []plan.Violation
}

var begin = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

const (
	namespace = "datadog"
	name      = "agent"
)

func imageOf(tag int) string { return fmt.Sprintf("agent:%d", tag) }

// agent is a small agent of two components.
func agent(tag int) *appsv1.DaemonSet {
	yes := true
	component := func(command ...string) corev1.Container {
		return corev1.Container{
			Name: command[0], Image: imageOf(tag), Command: command,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}},
		}
	}
	marks := map[string]string{"app.kubernetes.io/instance": name}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: marks, OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: name, UID: "owner", Controller: &yes},
		}},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: marks},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: marks}, Spec: corev1.PodSpec{
				HostPID: true, Containers: []corev1.Container{component("agent", "run"), component("trace-agent")},
			}},
		},
	}
}

// machines are nodes that have all images.
func (s *scope) machines() (nodes []*corev1.Node) {
	var images []corev1.ContainerImage
	for _, tag := range s.revisions {
		if s.images[imageOf(tag)] == world.PullFails {
			continue
		}
		images = append(images, corev1.ContainerImage{Names: []string{imageOf(tag)}})
	}
	for i := range s.nodes {
		node := fmt.Sprintf("n%d", i+1)
		cpu := "2"
		if i < s.full {
			cpu = "500m"
		}
		nodes = append(nodes, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: node, UID: types.UID("uid-" + node), ResourceVersion: "1", CreationTimestamp: metav1.NewTime(begin)},
			Status: corev1.NodeStatus{
				Images:      images,
				Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourcePods: resource.MustParse("20")},
				Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(begin)}},
			},
		})
	}
	return nodes
}

func (s *scope) document(tag int) *model.Rollout {
	one, surge := intstr.FromInt32(1), intstr.FromInt32(int32(s.surge))
	settle, late := int32(0), int32(deadline)
	failure := model.Failure{ProgressDeadlineSeconds: &late}
	if s.maxRestarts > 0 {
		failure.MaxRestarts = &s.maxRestarts
	}
	return &model.Rollout{
		Metadata: model.Owner{Namespace: namespace, Name: name, UID: "owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec: model.Spec{
			Desired:  agent(tag),
			Strategy: model.Strategy{MaxUnavailable: &one, MaxSurge: &surge, SettleSeconds: &settle, Overlap: s.overlap},
			Failure:  failure,
		},
		Status: model.Facts{ObservedAt: metav1.NewTime(begin), Watched: true, OtherPods: model.OtherPods{All: true}},
	}
}

// model makes the scope's model: unless it is fresh, the first revision is installed and serves on every node.
func (s scope) model() (*rollout, error) {
	if s.planner == nil {
		s.planner = plan.Next
	}
	if s.validate == nil {
		s.validate = plan.Validate
	}
	if s.surge == 0 {
		s.surge = s.nodes
	}
	cluster, err := model.NewCluster(model.Objects{Nodes: s.machines()})
	if err != nil {
		return nil, err
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: s.document(s.revisions[0])},
		world.Options{Lagging: len(s.lags) > 0, NoStatusCounts: true, Behaviour: s.images})
	if err != nil {
		return nil, err
	}
	m := &rollout{scope: s, idle: map[[sha256.Size]byte]*planned{}}
	for _, tag := range s.revisions {
		m.documents = append(m.documents, s.document(tag))
	}
	m.keyer = newKeyer(model.NewKeys("", namespace, name), *m.documents[0].WithDefaults().Spec.Failure.MaxRestarts)
	m.start = &state{world: w, now: begin, listed: true}
	if !s.fresh {
		if err := m.install(); err != nil {
			return nil, err
		}
	}
	m.start.faults, m.start.crashes = s.most, s.crashes
	return m, nil
}

// install goes on, one way among many, until nothing is left to do.
func (m *rollout) install() error {
	for range 1000 {
		next := (*state)(nil)
		m.Next(m.start, func(name string, to *state) {
			if next == nil && fair(name) {
				next = to
			}
		})
		if next == nil {
			if !m.served(m.start) {
				return fmt.Errorf("the first revision is not served: %v", m.start.broken)
			}
			return nil
		}
		m.start = next
	}
	return fmt.Errorf("the first revision is not installed after 1000 steps")
}

// served tells whether the rollout is at its end: the plan says so, and every node is served by the desired revision.
func (m *rollout) served(s *state) bool {
	if len(s.send) > 0 || !s.listed {
		return false
	}
	tag, p := m.scope.revisions[s.desired], m.plan(s)
	switch {
	case tag == m.scope.bad && tag != 0:
		if tag = m.scope.revisions[s.desired-1]; len(p.actions) > 0 || !p.remembered {
			return false
		}
	case !p.complete:
		return false
	}
	truth := s.asItIs()
	for i := range truth.Len() {
		if !s.world.Served(truth.Node(i).Name) {
			return false
		}
		if slices.ContainsFunc(truth.Pods(i), func(p *corev1.Pod) bool { return p.Spec.Containers[0].Image != imageOf(tag) }) {
			return false
		}
	}
	return true
}

// budget counts the nodes that are really not served: the rollout may cost one, and every fault one more. A fresh cluster begins with
// none served.
func (m *rollout) budget(s *state) error {
	var without []string
	for _, node := range s.world.Nodes() {
		if !s.world.Served(node) {
			without = append(without, node)
		}
	}
	if most := 1 + m.scope.most - s.faults; len(without) > most && !m.scope.fresh {
		return fmt.Errorf("%v are not served, and at most %d may be", without, most)
	}
	return nil
}

// stays: only a fault or another decision ends completion.
func (m *rollout) stays(from *state, name string, to *state) error {
	if fair(name) && m.served(from) && !m.served(to) {
		return fmt.Errorf("the rollout was complete before")
	}
	return nil
}

func (m *rollout) properties() explore.Properties[*state] {
	p := explore.Properties[*state]{
		Always: []explore.Invariant[*state]{
			{Name: "S1", Holds: func(s *state) error { return s.world.Check() }},
			{Name: "the validator finds nothing", Holds: func(s *state) error { return s.broken }},
			{Name: "nodes served (S2, S3)", Holds: m.budget},
		},
		Steps: []explore.StepInvariant[*state]{{Name: "what is complete stays so (L1)", Holds: m.stays}},
		Goals: []explore.Goal[*state]{{Name: "the rollout completes (L1, L3)", Again: true, Reached: m.served}},
	}
	for _, what := range m.scope.met {
		p.Sometimes = append(p.Sometimes, explore.Witness[*state]{Name: what, Step: func(_ *state, name string, _ *state) bool {
			return strings.HasPrefix(name, what) || slices.Contains(strings.Fields(name), what)
		}})
	}
	return p
}
