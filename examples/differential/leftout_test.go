package differential

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/plan/world"
)

// plain is a cluster of ready nodes without taints and a DaemonSet that fits all of them.
func plain(number uint64, nodes int, surge bool) *cluster {
	c := randomCluster(1, number)
	c.nodes, c.pods = nil, nil
	spec := &c.set.Spec
	spec.Template.Spec = corev1.PodSpec{Containers: spec.Template.Spec.Containers}
	spec.MinReadySeconds = 0
	one, none := intstr.FromInt32(1), intstr.FromInt32(0)
	spec.UpdateStrategy = rolling(&one, &none)
	if surge {
		spec.UpdateStrategy = rolling(&none, &one)
	}
	c.hash = hashOf(&spec.Template)
	for i := range nodes {
		node := c.addNode(fmt.Sprintf("n%d", i))
		node.Labels, node.Spec = nil, corev1.NodeSpec{}
		node.Status.Conditions[0].Status = corev1.ConditionTrue
	}
	return c
}

var (
	oldReady  = state{old: true, phase: corev1.PodRunning, ready: true, readyFor: time.Minute}
	oldBroken = state{old: true, phase: corev1.PodRunning}
	newFailed = state{phase: corev1.PodFailed}
)

// burst is the real controller's limit on the creations and on the deletions of one step.
const burst = 250

// The manage step of the real controller makes 250 Pods a sync; the world lists every Pod that is missing,
// and its driver decides how many come at a time. The update step has the limit in both.
func TestLimitOfASync(t *testing.T) {
	n := startNative(t, time.Second)
	empty := plain(0, burst+30, false)
	theirs := n.sync(t, empty)
	ours, updated := newModelled(t, empty).sync()
	if len(theirs.created) != burst || len(ours.created) != burst+30 || updated {
		t.Errorf("the manage step makes %d Pods, the world's %d", len(theirs.created), len(ours.created))
	}
	broken := plain(1, burst+30, false)
	for _, node := range broken.nodes {
		broken.addPod(node.Name, oldBroken)
	}
	theirs = n.sync(t, broken)
	ours, updated = newModelled(t, broken).sync()
	if len(theirs.deleted) != burst || len(ours.deleted) != burst || !updated {
		t.Errorf("the update step deletes %d Pods, the world's %d", len(theirs.deleted), len(ours.deleted))
	}
}

// The real controller waits before it deletes a node's next failed Pod, and meanwhile takes that one for a Pod
// that is not available. The world deletes it at once.
func TestBackOff(t *testing.T) {
	n := startNative(t, time.Hour) // the controller queues by the real clock as well: never in this test
	c := plain(2, 2, false)
	c.addPod("n0", newFailed)
	c.addPod("n1", oldReady)
	if did := n.sync(t, c); !slices.Equal(did.deleted, []string{c.pods[0].Name}) {
		t.Fatalf("the first failed Pod: %s", &did)
	}
	again := func(number uint64, later time.Duration) *cluster {
		next := plain(number, 2, false) // by another name, since the first sync still waits for its deletion
		next.set.UID = c.set.UID        // which is what the back-off goes by
		next.now = c.now.Add(later)
		next.addPod("n0", newFailed)
		next.addPod("n1", oldReady)
		return next
	}
	soon, late := again(3, time.Minute), again(4, time.Hour+time.Minute)
	if did := n.sync(t, soon); !did.quiet() {
		t.Errorf("the second one is in back-off and takes the budget: %s", &did)
	}
	if did := n.sync(t, late); !slices.Equal(did.deleted, []string{late.pods[0].Name}) {
		t.Errorf("after the back-off it goes: %s", &did)
	}
	if did, _ := newModelled(t, soon).sync(); !slices.Equal(did.deleted, []string{soon.pods[0].Name}) {
		t.Errorf("the world has no back-off: %s", &did)
	}
}

// A Pod whose node does not exist is nothing to the world, in which a node takes its Pods with it. The
// real controller deletes it while it is unbound, and counts it in the budget once it is bound.
func TestPodWithoutNode(t *testing.T) {
	n := startNative(t, time.Second)
	unbound := plain(3, 1, false)
	unbound.addPod("n0", oldReady)
	unbound.addPod("gone", state{phase: corev1.PodPending, unbound: true})
	theirs := n.sync(t, unbound)
	ours, _ := newModelled(t, unbound).sync()
	if !slices.Equal(theirs.deleted, []string{unbound.pods[1].Name}) || !slices.Equal(ours.deleted, []string{unbound.pods[0].Name}) {
		t.Errorf("unbound:\nreal:  %s\nworld: %s", &theirs, &ours)
	}
	bound := plain(4, 1, false)
	bound.addPod("n0", oldReady)
	bound.addPod("gone", state{phase: corev1.PodRunning})
	theirs = n.sync(t, bound)
	ours, _ = newModelled(t, bound).sync()
	if !theirs.quiet() || !slices.Equal(ours.deleted, []string{bound.pods[0].Name}) {
		t.Errorf("bound:\nreal:  %s\nworld: %s", &theirs, &ours)
	}
}

// A Pod that waits unbound on a node that turned away is seen by any sync of the real controller. The
// world's sees it once somebody has written the DaemonSet: a change of the node alone starts no sync for it,
// and a planner must not count on one.
func TestUnboundPodOfATurnedAwayNode(t *testing.T) {
	n := startNative(t, time.Second)
	c := plain(5, 1, false)
	c.nodes[0].Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoExecute}}
	c.addPod("n0", state{phase: corev1.PodPending, unbound: true})
	if did := n.sync(t, c); len(did.deleted) != 1 {
		t.Errorf("a sync deletes it: %s", &did)
	}
	if list := loaded(t, c).next(world.DeletePod); len(list) != 0 {
		t.Errorf("before a write: %v", list)
	}
	if list := newModelled(t, c).next(world.DeletePod); len(list) != 1 {
		t.Errorf("after a write: %v", list)
	}
}
