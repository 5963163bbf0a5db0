package model

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CanaryVerdict is what was decided of a canary, by its settings or by a person.
type CanaryVerdict string

const (
	// CanaryRuns: nothing was decided yet.
	CanaryRuns CanaryVerdict = ""
	// CanaryIsPaused: no node is begun and none is handed over until a person resumes, promotes or fails it.
	CanaryIsPaused CanaryVerdict = "Paused"
	// CanaryHasFailed: the nodes go back to the source. Nothing reverses it.
	CanaryHasFailed CanaryVerdict = "Failed"
	// CanaryIsValidated: the other nodes follow.
	CanaryIsValidated CanaryVerdict = "Validated"
)

// CanaryRecord is what the state remembers of a canary. It is bound to the target's revision: of any other one it says
// nothing. The canary's nodes are not in it, since their names would not fit an annotation in a big cluster: the
// nodes that have left the source for the target are the canary, and their labels remember it.
type CanaryRecord struct {
	Revision string `json:"revision"`
	// Begun is when the canary began: with the record of the target.
	Begun metav1.Time `json:"begun"`
	// FirstRestart and LastRestart are the first and the newest restart that were seen; they stay when the Pod is gone.
	FirstRestart *metav1.Time `json:"firstRestart,omitempty"`
	LastRestart  *metav1.Time `json:"lastRestart,omitempty"`
	// Resumed says that a person has resumed it: it pauses by itself no more.
	Resumed bool `json:"resumed,omitempty"`
	// Suspended is when its clocks stood; nil for never.
	Suspended *Suspension `json:"suspended,omitempty"`
	// Verdict with its cause: the node that showed it, what was seen there, and since when it holds.
	Verdict CanaryVerdict `json:"verdict,omitempty"`
	Reason  Reason        `json:"reason,omitempty"`
	Node    string        `json:"node,omitempty"`
	Detail  string        `json:"detail,omitempty"`
	Since   *metav1.Time  `json:"since,omitempty"`
}

// Suspension is what a record remembers of the times in which no clock of a canary runs: while strategy.paused or strategy.frozen is
// set, from when that is first seen.
type Suspension struct {
	// Since is since when the clocks stand; nil while they run.
	Since *metav1.Time `json:"since,omitempty"`
	// Until is when the last suspension that is over ended, and Seconds are how long those were together.
	Until   *metav1.Time `json:"until,omitempty"`
	Seconds int64        `json:"seconds,omitempty"`
}

// mostSuspended bounds the seconds of a suspension, so that instants can be moved by them: 31 years.
const mostSuspended = 1e9

// Suspend returns the record as it is to be while the clocks stand, or run; the same pointer if that was noted already. Times are
// kept to the second, as JSON keeps them.
func (r *CanaryRecord) Suspend(stand bool, now time.Time) *CanaryRecord {
	s := Suspension{}
	if r.Suspended != nil {
		s = *r.Suspended
	}
	if stand == (s.Since != nil) {
		return r
	}
	at, noted := metav1.NewTime(now.Truncate(time.Second)), *r
	if stand {
		s.Since = &at
	} else {
		stood := max(0, int64(at.Sub(s.Since.Time)/time.Second))
		s.Seconds = min(s.Seconds+stood, mostSuspended)
		s.Since, s.Until = nil, &at
	}
	noted.Suspended = &s
	return &noted
}

// clock is the suspension as a clock reads it.
func (s *Suspension) clock() (c budget.Suspension) {
	if s == nil {
		return c
	}
	c.Now, c.Sum = s.Since != nil, time.Duration(s.Seconds)*time.Second
	if s.Until != nil {
		c.Until = s.Until.Time
	}
	return c
}

// CanaryOf returns what is remembered of the canary of that revision, and nil if it is of another one.
func (s *State) CanaryOf(revision string) *CanaryRecord {
	if s.Canary == nil || s.Canary.Revision != revision {
		return nil
	}
	return s.Canary
}

// CanaryStatus is how a canary stands, with the numbers that its reports name.
type CanaryStatus struct {
	Mode    CanaryMode    `json:"mode"`
	Verdict CanaryVerdict `json:"verdict,omitempty"`
	// Reason, Node and Detail are the verdict's cause.
	Reason Reason `json:"reason,omitempty"`
	Node   string `json:"node,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Wanted is the number of nodes that the canary is to have. Placed of them have left the source, Available of those are
	// handed over and served by the exact target. Candidates are those that may still be chosen for what is missing.
	Wanted     int `json:"wanted"`
	Placed     int `json:"placed"`
	Available  int `json:"available"`
	Candidates int `json:"candidates"`
	// Begun is when it began, and Since when its verdict was given.
	Begun metav1.Time  `json:"begun"`
	Since *metav1.Time `json:"since,omitempty"`
	// EndsAt is the earliest instant of its promotion by itself; nil if it needs a person, and while it is not whole. FailsAt is its
	// timeout. There is neither while its clocks stand, since SuspendedSince.
	EndsAt  *metav1.Time `json:"endsAt,omitempty"`
	FailsAt *metav1.Time `json:"failsAt,omitempty"`

	SuspendedSince *metav1.Time `json:"suspendedSince,omitempty"`
}

// Whole tells whether every node of the canary is there and served by the exact target.
func (s *CanaryStatus) Whole() bool {
	return s.Placed > 0 && s.Placed >= s.Wanted && s.Available == s.Placed
}

// Clock returns the canary's clock by its settings and what is remembered of it; the settings must have their defaults. Whether it is
// whole, and since when, is the caller's to say.
func (c *Canary) Clock(record *CanaryRecord) budget.CanaryClock {
	clock := budget.CanaryClock{Begun: record.Begun.Time, Suspended: record.Suspended.clock()}
	if c.ValidationMode == CanaryAuto && c.Duration != nil {
		clock.Timed, clock.Duration = true, c.Duration.Duration
	}
	if c.NoRestartsDuration != nil {
		clock.NoRestarts = c.NoRestartsDuration.Duration
	}
	if record.LastRestart != nil {
		clock.LastRestart = record.LastRestart.Time
	}
	if c.AutoFail.On() && c.AutoFail.CanaryTimeout != nil {
		clock.Timeout = c.AutoFail.CanaryTimeout.Duration
	}
	return clock
}

// Size resolves the canary's size for so many eligible nodes. The settings must be valid and have their defaults.
func (c *Canary) Size(eligible int) int {
	size, err := budget.CanarySize(*c.Replicas, eligible)
	if err != nil {
		return 0
	}
	return size
}

// statusesOf are the statuses of all containers: init and ephemeral ones too.
func statusesOf(pod *corev1.Pod) [3][]corev1.ContainerStatus {
	return [...][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses, pod.Status.EphemeralContainerStatuses}
}

// RestartSum returns the restarts of all containers of the Pod together, init and ephemeral ones included.
func RestartSum(pod *corev1.Pod) (sum int) {
	for _, statuses := range statusesOf(pod) {
		for i := range statuses {
			sum += int(statuses[i].RestartCount)
		}
	}
	return sum
}

// Restarts returns the most restarts that one container of the Pod has had, init and ephemeral ones included.
func Restarts(pod *corev1.Pod) int32 {
	most, _, _ := RestartsAfter(pod, time.Time{})
	return most
}

// RestartsAfter returns the most restarts that one container of the Pod has had, init and ephemeral ones included, and when the newest
// of all was: the container's last end, or where the kubelet has forgotten that, its present start. A container whose newest
// restart is known to be before the instant is passed over. The oldest is the earliest that is known: of each container that
// is its newest one.
func RestartsAfter(pod *corev1.Pod, instant time.Time) (most int32, oldest, newest time.Time) {
	for _, statuses := range statusesOf(pod) {
		for i := range statuses {
			status := &statuses[i]
			at := lastRestart(status)
			if status.RestartCount == 0 || (!at.IsZero() && at.Before(instant)) {
				continue
			}
			most = max(most, status.RestartCount)
			if !at.IsZero() && (oldest.IsZero() || at.Before(oldest)) {
				oldest = at
			}
			if at.After(newest) {
				newest = at
			}
		}
	}
	return most, oldest, newest
}

func lastRestart(status *corev1.ContainerStatus) time.Time {
	switch ended, running := status.LastTerminationState.Terminated, status.State.Running; {
	case status.State.Terminated != nil && !status.State.Terminated.FinishedAt.IsZero():
		return status.State.Terminated.FinishedAt.Time
	case ended != nil && !ended.FinishedAt.IsZero():
		return ended.FinishedAt.Time
	case running != nil:
		return running.StartedAt.Time
	}
	return time.Time{}
}

// cannotStart are the kubelet's waiting reasons of a container that will not start by waiting: pull and create errors.
// CrashLoopBackOff is not among them: it shows in the restarts.
var cannotStart = map[string]bool{
	"ErrImagePull": true, "ImagePullBackOff": true, "ImageInspectError": true, "ErrImageNeverPull": true, "RegistryUnavailable": true,
	"InvalidImageName": true, "CreateContainerConfigError": true, "CreateContainerError": true,
	"PreStartHookError": true, "PostStartHookError": true, "PreCreateHookError": true,
}

// CannotStart returns the waiting reason of the first container that cannot start, init containers first; "" if there is
// none. With slow given, a container that is still being created counts as well.
func CannotStart(pod *corev1.Pod, slow bool) string {
	for _, statuses := range statusesOf(pod) {
		for i := range statuses {
			w := statuses[i].State.Waiting
			if w != nil && (cannotStart[w.Reason] || slow && w.Reason == "ContainerCreating") {
				return w.Reason
			}
		}
	}
	return ""
}
