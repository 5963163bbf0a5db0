package differential

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// outcome is what one sync does.
type outcome struct {
	created []string // nodes
	deleted []string // Pods
	status  string
}

func (o *outcome) create(node string) { o.created = append(o.created, node) }
func (o *outcome) remove(pod string)  { o.deleted = append(o.deleted, pod) }

func (o *outcome) sort() {
	slices.Sort(o.created)
	slices.Sort(o.deleted)
}

func (o *outcome) quiet() bool { return len(o.created) == 0 && len(o.deleted) == 0 }

func (o *outcome) equal(other *outcome) bool {
	return slices.Equal(o.created, other.created) && slices.Equal(o.deleted, other.deleted) && o.status == other.status
}

func (o *outcome) String() string {
	return fmt.Sprintf("creates %v deletes %v, %s", o.created, o.deleted, o.status)
}

func counts(s *appsv1.DaemonSetStatus) string {
	return fmt.Sprintf("desired %d current %d misscheduled %d ready %d updated %d available %d unavailable %d",
		s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberMisscheduled, s.NumberReady, s.UpdatedNumberScheduled,
		s.NumberAvailable, s.NumberUnavailable)
}

// modelled is a world whose DaemonSet controller is about to sync, as after a write of the DaemonSet: that
// shows it the Pods that wait unbound on nodes that turned away.
type modelled struct {
	testing.TB
	*world.World
	c *cluster
}

func newModelled(t testing.TB, c *cluster) modelled {
	t.Helper()
	m := loaded(t, c)
	m.do(world.Transition{Kind: world.ObserveSet, Set: m.name()})
	return m
}

// loaded is a world that was just built.
func loaded(t testing.TB, c *cluster) modelled {
	t.Helper()
	built, err := model.NewCluster(model.Objects{Nodes: c.nodes, Pods: c.pods, DaemonSets: []*appsv1.DaemonSet{c.set}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&model.Snapshot{Cluster: built}, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return modelled{t, w, c}
}

func (m modelled) name() string { return m.c.set.Namespace + "/" + m.c.set.Name }

func (m modelled) do(t world.Transition) []world.Event {
	m.Helper()
	events, err := m.Do(m.c.now, t)
	if err != nil {
		m.Fatalf("%v in\n%s", err, m.c)
	}
	return events
}

// next lists what can happen next of one kind.
func (m modelled) next(kinds ...world.Kind) (list []world.Transition) {
	for _, t := range m.Enabled(m.c.now) {
		if slices.Contains(kinds, t.Kind) {
			list = append(list, t)
		}
	}
	return list
}

// sync is one sync of the world's controller: it adopts, counts, and takes the manage step, or the update
// step where that has nothing to do. It tells which one it was.
func (m modelled) sync() (did outcome, updated bool) {
	m.Helper()
	for _, t := range m.next(world.AdoptPod) {
		m.do(t)
	}
	m.do(world.Transition{Kind: world.WriteStatus, Set: m.name()})
	truth, err := m.Truth(m.c.now, nil)
	if err != nil {
		m.Fatal(err)
	}
	did.status = counts(&truth.Cluster.DaemonSet(m.c.set.Namespace, m.c.set.Name).Status)
	steps, updates := m.next(world.CreatePod, world.DeletePod), m.next(world.UpdateStep)
	if len(steps) > 0 && len(updates) > 0 {
		m.Errorf("both steps are possible in\n%s", m.c)
	}
	if len(steps) == 0 {
		updated = true
		for _, t := range updates {
			for _, event := range m.do(t) {
				steps = append(steps, event.Transition)
			}
		}
	}
	for _, t := range steps {
		switch t.Kind {
		case world.CreatePod:
			did.create(t.Node)
		case world.DeletePod:
			did.remove(strings.TrimPrefix(t.Pod, m.c.set.Namespace+"/"))
		default: // the step itself
		}
	}
	did.sort()
	return did, updated
}

// blurred replaces by the name of their class the Pods and nodes that the update step takes in random
// order: any other of the class would have done.
func (c *cluster) blurred(o outcome) outcome {
	created, deleted := slices.Clone(o.created), slices.Clone(o.deleted)
	for i, name := range created {
		if old, alone := c.live(name); alone && old && c.available(c.livePods(name)[0]) {
			created[i] = "a node with an available old Pod"
		}
	}
	for i, name := range deleted {
		p := c.pod(name)
		if p == nil {
			continue
		}
		if old, alone := c.live(pinnedTo(p)); !alone || !old || !c.available(p) {
			continue
		}
		deleted[i] = "an available old Pod"
		if shouldRun, _ := c.judge(c.node(pinnedTo(p))); !shouldRun && c.surges() {
			deleted[i] = "an available old Pod that only goes on"
		}
	}
	blurred := outcome{created, deleted, o.status}
	blurred.sort()
	return blurred
}

// oneFailed keeps of the failed Pods that go from a node where the DaemonSet goes on one, by the name of
// their class: the real controller puts the node into back-off with the first that it meets and leaves the others for
// later, the world has no back-off.
func (c *cluster) oneFailed(o outcome) outcome {
	met := map[string]bool{}
	var deleted []string
	for _, name := range o.deleted {
		p := c.pod(name)
		if p == nil || p.Status.Phase != corev1.PodFailed {
			deleted = append(deleted, name)
			continue
		}
		node := pinnedTo(p)
		if _, goesOn := c.judge(c.node(node)); goesOn {
			name = "a failed Pod of " + node
		}
		if !met[name] {
			deleted = append(deleted, name)
		}
		met[name] = true
	}
	one := outcome{o.created, deleted, o.status}
	one.sort()
	return one
}

func (c *cluster) pod(name string) *corev1.Pod {
	at := slices.IndexFunc(c.pods, func(p *corev1.Pod) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return c.pods[at]
}

// livePods are the Pods on the node that neither terminate nor have ended.
func (c *cluster) livePods(node string) (pods []*corev1.Pod) {
	for _, p := range c.podsOn(node) {
		if p.DeletionTimestamp == nil && !ended(p) {
			pods = append(pods, p)
		}
	}
	return pods
}

// live tells whether the node has exactly one live Pod, and whether that is an old one.
func (c *cluster) live(node string) (old, alone bool) {
	pods := c.livePods(node)
	return len(pods) == 1 && c.old(pods[0]), len(pods) == 1
}

func (c *cluster) old(p *corev1.Pod) bool {
	return p.Labels[appsv1.ControllerRevisionHashLabelKey] != c.hash
}

func (c *cluster) available(p *corev1.Pod) bool {
	ready := p.Status.Conditions[0]
	minReady := time.Duration(c.set.Spec.MinReadySeconds) * time.Second
	return ready.Status == corev1.ConditionTrue && c.now.Sub(ready.LastTransitionTime.Time) >= minReady
}

func (c *cluster) node(name string) *corev1.Node {
	for _, node := range c.nodes {
		if node.Name == name {
			return node
		}
	}
	return nil
}
