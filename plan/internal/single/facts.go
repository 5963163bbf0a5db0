package single

import (
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// pods are the DaemonSet's Pods of the template's revision, or of another one, on one node.
type pods struct {
	step.Podset
	// count is the number of live ones.
	count int
	// available says that one of them is available, and ready that one is Ready.
	available, ready bool
}

// facts are what the snapshot says of one node.
type facts struct {
	index    int
	node     *corev1.Node
	eligible capacity.Eligibility
	ready    bool
	// old are the Pods of another revision than the template's, fresh those of that revision.
	old, fresh pods
	// orphaned says that a Pod without a controller runs there, which the DaemonSet is about to adopt.
	orphaned bool
	// foreign is a Pod under another controller that carries the DaemonSet's labels; nil for none.
	foreign *corev1.Pod
	// issued says that an action on the node was sent whose effect does not show yet.
	issued    bool
	available bool
	// joining says that the node is new and has never had an available agent.
	joining bool
	// moved is the mark of a node that the rollout has emptied; zero of another one.
	moved model.Moved
	// settling says that the old Pod is Ready, though the node does not count as available.
	settling bool
	// wake is when a Pod that is Ready will be available; zero for never.
	wake time.Time
}

// look reads the facts of the i-th node.
func (v *view) look(i int) facts {
	f := facts{index: i, node: v.cluster.Node(i), issued: v.issuedNodes[i]}
	f.ready, f.moved = model.NodeReady(f.node), v.live.emptied.Of(f.node)
	for _, pod := range v.cluster.Pods(i) {
		switch uid := model.ControllerUID(pod); {
		case uid == "":
			f.orphaned = f.orphaned || v.live.set != nil && step.Orphaned(pod, v.live.set)
		case uid == v.live.uid():
			v.sortIn(&f, pod)
		case f.foreign == nil && v.identity.Foreign(pod):
			f.foreign = pod
		}
	}
	f.available = f.old.available || f.fresh.available
	f.settling = !f.available && step.PodReady(f.old.Live)
	if v.placement != nil {
		f.eligible = v.placement.Judge(f.node, !f.old.Gone() || !f.fresh.Gone() || !f.moved.At.IsZero())
	}
	v.judgeJoining(&f)
	return f
}

// judgeJoining tells whether the node joins: its Node is younger than the deadline, and nothing shows that it has had an agent: the rollout has
// taken none away, and no Pod has been Ready.
func (v *view) judgeJoining(f *facts) {
	if f.available || f.eligible != capacity.Eligible || !f.moved.At.IsZero() || f.old.Served || f.fresh.Served {
		return
	}
	passed, at := v.limit().Passed(f.node.CreationTimestamp.Time)
	if f.joining = !passed && !at.IsZero(); f.joining {
		f.wake = step.Sooner(f.wake, at)
	}
}

// sortIn takes a Pod of the DaemonSet to those of its revision.
func (v *view) sortIn(f *facts, pod *corev1.Pod) {
	of := &f.old
	if v.isFresh(pod) {
		of = &f.fresh
	}
	of.Add(pod)
	if model.Terminal(pod) || model.Terminating(pod) {
		return
	}
	of.count++
	available, at := step.AvailableFrom(pod, v.now, v.settle)
	f.wake = step.Sooner(f.wake, at)
	of.available, of.ready = of.available || available, of.ready || step.PodReady(pod)
}

// toTarget tells whether the node belongs to the target: what is made there next, or was made, has the template's revision.
func (f *facts) toTarget() bool { return f.old.Live == nil }

// reached tells whether the template's revision serves and nothing of another one is left.
func (f *facts) reached() bool { return f.fresh.available && f.old.Gone() && !f.orphaned }

// pressed names the pressure under which the kubelet evicts Pods from the node, and "" if there is none. Nothing is added
// there while its Pod serves; a way back is never barred.
func (v *view) pressed(f *facts) string {
	if v.live.returning() || !f.old.available {
		return ""
	}
	return string(model.Pressure(f.node))
}

// prepared tells whether the replacement has everything but, perhaps, the locks: bound, every container running, and none
// restarted since it was made.
func prepared(f *facts) bool {
	pod := f.fresh.Live
	return f.ready && model.Bound(pod) && model.AllRunning(pod) && initialized(pod) && !model.RestartedSince(pod, pod.CreationTimestamp.Time)
}

func initialized(pod *corev1.Pod) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodInitialized {
			return c.Status == corev1.ConditionTrue
		}
	}
	return len(pod.Spec.InitContainers) == 0
}

// isFresh tells whether the Pod has the template's revision, and was not made from a template that a person had edited.
func (v *view) isFresh(pod *corev1.Pod) bool {
	return pod.Annotations[v.keys.Revision] == v.live.revision && !v.live.edited.Made(pod)
}
