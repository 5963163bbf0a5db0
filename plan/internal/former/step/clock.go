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
	if pod == nil || !model.Bound(pod) {
		return false
	}
	ready, since := model.ReadySince(pod)
	if !ready {
		return false
	}
	at := since.Add(c.Settle)
	if c.Now.Before(at) {
		c.Wake(at)
		return false
	}
	return true
}

// Ready tells whether there is a Pod and it is Ready, for however short a while.
func Ready(pod *corev1.Pod) bool {
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
