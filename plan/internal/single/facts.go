package single

import (
	"cmp"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
)

// pods are the DaemonSet's Pods of the template's revision, or of another one, on one node.
type pods struct {
	// live is the one that counts: neither terminating nor over; of several the bound, then the oldest.
	live *corev1.Pod
	// count is the number of live ones, and terminating that of those on their way out.
	count, terminating int
	// ended is the youngest Pod that is over: evicted, or refused by the kubelet.
	ended *corev1.Pod
	// available says that one of them is available, and ready that one is Ready.
	available, ready bool
}

func (s *pods) add(pod *corev1.Pod, available bool) {
	switch {
	case model.Terminal(pod):
		if s.ended == nil || s.ended.CreationTimestamp.Before(&pod.CreationTimestamp) {
			s.ended = pod
		}
		return
	case model.Terminating(pod):
		s.terminating++
		return
	}
	s.count++
	ready, _ := model.ReadySince(pod)
	s.available, s.ready = s.available || available, s.ready || ready
	if s.live == nil || preferred(pod, s.live) {
		s.live = pod
	}
}

func preferred(a, b *corev1.Pod) bool {
	if model.Bound(a) != model.Bound(b) {
		return model.Bound(a)
	}
	if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return a.CreationTimestamp.Before(&b.CreationTimestamp)
	}
	return a.Name < b.Name
}

func (s *pods) gone() bool { return s.live == nil && s.terminating == 0 }

// ending says why the last Pod ended; "" if none has.
func (s *pods) ending() string {
	if s.ended == nil {
		return ""
	}
	return "the last Pod ended: " + cmp.Or(s.ended.Status.Reason, string(s.ended.Status.Phase))
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
	// issued says that an action on the node was sent whose effect does not show yet.
	issued    bool
	available bool
	// settling says that the old Pod is Ready, though the node does not count as available.
	settling bool
	// wake is when a Pod that is Ready will be available; zero for never.
	wake time.Time
}

// look reads the facts of the i-th node.
func (v *view) look(i int) facts {
	f := facts{index: i, node: v.cluster.Node(i), issued: v.issuedNodes[i]}
	f.ready = model.NodeReady(f.node)
	for _, pod := range v.cluster.Pods(i) {
		switch model.ControllerUID(pod) {
		case "":
			f.orphaned = f.orphaned || v.live.set != nil && step.Orphaned(pod, v.live.set)
			continue
		case v.live.uid():
		default:
			continue
		}
		of := &f.old
		if v.isFresh(pod) {
			of = &f.fresh
		}
		available := false
		if !model.Terminating(pod) && !model.Terminal(pod) {
			var at time.Time
			available, at = step.AvailableFrom(pod, v.now, v.settle)
			f.wake = step.Sooner(f.wake, at)
		}
		of.add(pod, available)
	}
	f.available = f.old.available || f.fresh.available
	f.settling = !f.available && step.PodReady(f.old.live)
	if v.placement != nil {
		f.eligible = v.placement.Judge(f.node, !f.old.gone() || !f.fresh.gone())
	}
	return f
}

// toTarget tells whether the node belongs to the target: what is made there next, or was made, has the template's revision.
func (f *facts) toTarget() bool { return f.old.live == nil }

// reached tells whether the template's revision serves and nothing of another one is left.
func (f *facts) reached() bool { return f.fresh.available && f.old.gone() && !f.orphaned }

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
	pod := f.fresh.live
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
