package step

import (
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// Clock judges availability: Ready for so long, at this instant.
type Clock struct {
	Now time.Time
	// Settle is how long a Pod must be Ready to count as available.
	Settle time.Duration
	// Next is the nearest instant at which something settles or expires.
	Next time.Time
}

// Available tells whether the Pod counts as available for pacing and proof.
func (c *Clock) Available(pod *corev1.Pod) bool {
	available, at := AvailableFrom(pod, c.Now, c.Settle)
	c.Wake(at)
	return available
}

// AvailableFrom tells whether the Pod counts as available for pacing and proof: it has been Ready for settle. Where only time is
// missing, at is when it will be; else it is zero.
func AvailableFrom(pod *corev1.Pod, now time.Time, settle time.Duration) (available bool, at time.Time) {
	if pod == nil || !model.Bound(pod) {
		return false, at
	}
	ready, since := model.ReadySince(pod)
	if !ready {
		return false, at
	}
	if ends := since.Add(settle); now.Before(ends) {
		return false, ends
	}
	return true, at
}

// PodReady tells whether there is a Pod and it is Ready, for however short a while.
func PodReady(pod *corev1.Pod) bool {
	if pod == nil {
		return false
	}
	ready, _ := model.ReadySince(pod)
	return ready
}

// Wake asks for a new plan at the instant, if it lies ahead.
func (c *Clock) Wake(at time.Time) {
	if at.After(c.Now) && (c.Next.IsZero() || at.Before(c.Next)) {
		c.Next = at
	}
}
