package simulate

import (
	"hash/fnv"
	"math"
	"strconv"
	"time"

	"github.com/agent-rollout/planner/plan/world"
)

// Timings are how long things take. Zero is the default in parentheses; a negative duration is none at all.
type Timings struct {
	// Pull of one image (60s), and how long a pull takes that fails (5s).
	Pull, PullError time.Duration
	// Init is all init containers of a Pod together (3s).
	Init time.Duration
	// Create is from a container's turn to its process (500ms).
	Create time.Duration
	// Lock is from a lock's release to its next holder's start (2ms).
	Lock time.Duration
	// Start is from the component's start to a successful startup probe (2s).
	Start time.Duration
	// Ready is from there to a successful readiness probe (8s).
	Ready time.Duration
	// Stop is from a Pod's deletion to the end of each of its components (3s); what only waits for a
	// lock ends at once.
	Stop time.Duration
	// Remove is from the end of a Pod's last process to the end of the object (200ms).
	Remove time.Duration
	// CrashAfter is from the start, or from readiness, to a crash of the image's own making (3s).
	CrashAfter time.Duration
	// BackOff is before a container's second restart and the second try of a pull (10s); it doubles up to
	// MaxBackOff (5m). The first restart comes after a second.
	BackOff, MaxBackOff time.Duration
	// Controller is one reaction of a controller (50ms), Schedule one of the scheduler (20ms), Status from
	// a change to the DaemonSet's status (1s).
	Controller, Schedule, Status time.Duration
	// Write is one request of the executor (20ms).
	Write time.Duration
	// PlanInterval is the least time between two plans (1s).
	PlanInterval time.Duration
	// CacheLag is how late the planner's caches are (none). It needs a world with lagging caches.
	CacheLag time.Duration
	// Restart is from an executor's crash to its successor's start (10s), RequestTimeout the longest that a
	// request of the dead one may be under way (30s, or what the rollout's status says).
	Restart, RequestTimeout time.Duration
	// Jitter spreads every duration evenly over ±Jitter of it (0.1; negative for none, at most 1).
	Jitter float64
	// SlowFactor multiplies Start for images that start slowly (10).
	SlowFactor float64
}

// withDefaults fills in what is zero, and turns what is negative into none.
func (t Timings) withDefaults() Timings {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&t.Pull, time.Minute}, {&t.PullError, 5 * time.Second}, {&t.Init, 3 * time.Second},
		{&t.Create, 500 * time.Millisecond}, {&t.Lock, 2 * time.Millisecond},
		{&t.Start, 2 * time.Second}, {&t.Ready, 8 * time.Second}, {&t.Stop, 3 * time.Second},
		{&t.Remove, 200 * time.Millisecond}, {&t.CrashAfter, 3 * time.Second},
		{&t.BackOff, 10 * time.Second}, {&t.MaxBackOff, 5 * time.Minute},
		{&t.Controller, 50 * time.Millisecond}, {&t.Schedule, 20 * time.Millisecond}, {&t.Status, time.Second},
		{&t.Write, 20 * time.Millisecond}, {&t.PlanInterval, time.Second}, {&t.CacheLag, 0},
		{&t.Restart, 10 * time.Second}, {&t.RequestTimeout, 30 * time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
		*d.field = max(0, *d.field)
	}
	if t.Jitter == 0 {
		t.Jitter = 0.1
	}
	t.Jitter = min(1, max(0, t.Jitter))
	if t.SlowFactor == 0 {
		t.SlowFactor = 10
	}
	return t
}

// base is how long a transition takes before the spread.
func (t *Timings) base(w *world.World, what world.Transition, count uint32) time.Duration {
	switch what.Kind {
	case world.ObserveSet, world.CreatePod, world.DeletePod, world.AdoptPod, world.UpdateStep, world.CollectPod, world.CollectSet:
		return t.Controller
	case world.WriteStatus:
		return t.Status
	case world.BindPod, world.RefusePod:
		return t.Schedule
	case world.PullImage, world.PullError:
		return t.pull(w, what, count)
	case world.RunInit:
		return t.Init
	case world.InitError:
		c, _ := w.Container(what)
		return t.Init + t.backOff(int(count)+c.Restarts)
	case world.StartContainer:
		return t.Create
	case world.GrantLock:
		return t.Lock
	case world.PassStartup:
		if c, ok := w.Container(what); ok && c.Behaviour == world.SlowStart {
			return time.Duration(float64(t.Start) * t.SlowFactor)
		}
		return t.Start
	case world.PassReadiness:
		return t.Ready
	case world.Crash:
		return t.CrashAfter
	case world.RestartContainer:
		c, _ := w.Container(what)
		return t.backOff(c.Restarts)
	case world.StopContainer:
		if c, ok := w.Container(what); ok && c.WaitsForLock {
			return 0
		}
		return t.Stop
	case world.RemovePod:
		return t.Remove
	case world.FailPod: // by itself under pressure: the kubelet's housekeeping
		return t.BackOff
	default: // faults and deliveries come when the script and the caches say
		return 0
	}
}

func (t *Timings) pull(w *world.World, what world.Transition, count uint32) time.Duration {
	took := t.Pull
	if what.Kind == world.PullError {
		took = t.PullError
	}
	if c, ok := w.Container(what); ok && c.PullFailed {
		took += t.backOff(1 + int(count))
	}
	return took
}

// backOff is the kubelet's: a second before the first restart, then doubling.
func (t *Timings) backOff(restarts int) time.Duration {
	if restarts == 0 {
		return min(time.Second, t.BackOff)
	}
	if restarts > 20 {
		return t.MaxBackOff
	}
	return min(t.MaxBackOff, t.BackOff<<(restarts-1))
}

// spread draws the duration of a transition from its own hash.
func (t *Timings) spread(base time.Duration, seed uint64, what world.Transition, count uint32) time.Duration {
	if t.Jitter == 0 || base == 0 {
		return base
	}
	sum := fnv.New64a()
	text := make([]byte, 0, 160)
	text = strconv.AppendUint(text, seed, 16)
	text = append(text, ' ', byte(what.Kind))
	for _, word := range [...]string{what.Node, what.Set, what.Pod, what.Container, what.Value} {
		text = append(append(text, ' '), word...)
	}
	text = strconv.AppendUint(append(text, ' '), uint64(count), 16)
	_, _ = sum.Write(text)
	unit := float64(mix(sum.Sum64())>>11) / (1 << 53)
	return time.Duration(math.Round(float64(base) * (1 + t.Jitter*(2*unit-1))))
}

// mix spreads a hash over all bits: FNV's high bits hardly depend on the last bytes.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
