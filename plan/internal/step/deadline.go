package step

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// Deadline is how long anything is awaited: failure.progressDeadlineSeconds. It counts from an instant that does not move when an
// object is missing, refused, evicted or made anew.
type Deadline struct {
	Now   time.Time
	Limit time.Duration
}

// Passed tells whether the limit has passed since the instant, and if not, when it will have. Nothing has passed since the zero
// instant, which stands for one that is not known.
func (d Deadline) Passed(since time.Time) (passed bool, at time.Time) {
	if since.IsZero() {
		return false, time.Time{}
	}
	at = since.Add(d.Limit)
	if d.Now.Before(at) {
		return false, at
	}
	return true, time.Time{}
}

// Lasted says how long something has been awaited, to the second.
func (d Deadline) Lasted(since time.Time) string { return d.Now.Sub(since).Round(time.Second).String() }

// NodeReadySince is when the Node's condition Ready changed last; zero if it has none.
func NodeReadySince(node *corev1.Node) time.Time {
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.LastTransitionTime.Time
		}
	}
	return time.Time{}
}

// NotStartingText says what is wrong with a Pod that should serve; nil for none.
func NotStartingText(pod *corev1.Pod, lasted string) string {
	if pod == nil {
		return "no Pod has been made for " + lasted
	}
	text := fmt.Sprintf("Pod %s has not been Ready for %s", pod.Name, lasted)
	if why := model.WaitingReason(pod); why != "" {
		text += ": " + why
	}
	return text
}

// NotMadeText says whose controller makes no Pod.
func NotMadeText(set, lasted string) string {
	return fmt.Sprintf("no Pod has been made for %s: the events of DaemonSet %s say why (a quota, an admission webhook)", lasted, set)
}

// HangsText says what does not end.
func HangsText(pod *corev1.Pod, lasted string) string {
	return fmt.Sprintf("Pod %s has been ending for %s: its kubelet or a finalizer holds it", pod.Name, lasted)
}

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
