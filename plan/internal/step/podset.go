package step

import (
	"cmp"
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// Podset are the Pods of one DaemonSet, or of one of its revisions, on one node.
type Podset struct {
	// Live is the one that counts: neither terminating nor over; of several the bound, then the oldest.
	Live *corev1.Pod
	// Unbound is a live Pod that no kubelet has yet.
	Unbound *corev1.Pod
	// Terminating counts the Pods on their way out, and Dying are those of them whose processes may still run.
	Terminating int
	Dying       []*corev1.Pod
	// Ended is the youngest Pod that is over: evicted, or refused by the kubelet.
	Ended *corev1.Pod
	// Served says that one of them has been Ready, and is so no more.
	Served bool
}

// Add sorts a Pod in.
func (s *Podset) Add(pod *corev1.Pod) {
	s.Served = s.Served || model.LostReadiness(pod)
	switch {
	case model.Terminal(pod): // no process is left of it
		if s.Ended == nil || s.Ended.CreationTimestamp.Before(&pod.CreationTimestamp) {
			s.Ended = pod
		}
		return
	case model.Terminating(pod):
		s.Terminating++
		if model.Bound(pod) {
			s.Dying = append(s.Dying, pod)
		}
		return
	}
	if !model.Bound(pod) {
		s.Unbound = pod
	}
	if s.Live == nil || preferred(pod, s.Live) {
		s.Live = pod
	}
}

// FellSince tells whether the Pod has been Ready, and is so no more since the instant or later.
func FellSince(pod *corev1.Pod, instant time.Time) bool {
	if pod == nil || instant.IsZero() || !model.LostReadiness(pod) {
		return false
	}
	_, fell := model.ReadySince(pod)
	return !fell.Before(instant.Truncate(time.Second))
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

// Ending says why the last Pod ended; "" if none has.
func (s *Podset) Ending() string {
	if s.Ended == nil {
		return ""
	}
	return "the last Pod ended: " + cmp.Or(s.Ended.Status.Reason, string(s.Ended.Status.Phase))
}

// EndsSince is when the first of those whose processes may still run began to end; zero if none does.
func (s *Podset) EndsSince() (since time.Time) {
	for _, pod := range s.Dying {
		since = Sooner(since, pod.DeletionTimestamp.Time)
	}
	return since
}

// Gone tells whether none is left.
func (s *Podset) Gone() bool { return s.Live == nil && s.Unbound == nil && s.Terminating == 0 }
