package budget

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// CanarySize resolves the size of a canary: a number, or a percentage of the eligible nodes, rounded up, and never more
// than there are. The denominator is the eligible nodes, not those that the canary has already: of those a percentage
// would be 0 for ever. 3% of 3 is 1, 10% of 11 is 2, 5 of 3 nodes are 3, and of 0 nodes any canary is 0.
//
// A setting that resolves to 0 on its own ("0%", 0) is an error: it would skip the canary and look like one.
func CanarySize(replicas intstr.IntOrString, eligible int) (int, error) {
	if _, err := Resolve(replicas, 0); err != nil {
		return 0, err
	}
	if of100, _ := Resolve(replicas, 100); of100 == 0 {
		return 0, fmt.Errorf("resolves to 0: leave the canary out if there is to be none")
	}
	size, err := Resolve(replicas, eligible)
	return max(0, min(size, eligible)), err
}

// CanaryClock says when a canary has lasted long enough, by numbers alone: it knows no Pods. A canary has ended iff it is whole and
//
//	max(From + Duration, LastRestart + NoRestarts) ≤ now, where From = max(Begun, Available)
//
// and has timed out iff Begun + Timeout ≤ now. The instant itself counts, so that a plan that was asked for at that
// instant decides. The clock runs on while a canary is paused, but not while it is suspended: that time is taken off. Worked
// example, Begun 12:00, Available 12:01, Duration 10m, NoRestarts 5m: without a restart it ends at 12:11; a restart at 12:03 changes
// nothing (12:08 comes sooner); one at 12:08 ends it at 12:13. Suspended from 12:04 until 12:24, it ends at 12:31.
type CanaryClock struct {
	// Begun is when the canary began.
	Begun time.Time
	// Whole says that every node of the canary is available, and Available since when the last of them is.
	Whole     bool
	Available time.Time
	// Timed says that the canary ends by itself, after Duration; else it never does.
	Timed    bool
	Duration time.Duration
	// NoRestarts is how long no container may have restarted; 0 asks for nothing.
	NoRestarts time.Duration
	// LastRestart is the newest restart that was seen; zero for none.
	LastRestart time.Time
	// Timeout is how long the canary may last at all; 0 is for ever.
	Timeout time.Duration
	// Suspended is when no clock ran.
	Suspended Suspension
}

// Suspension says when clocks stand. The zero value is never.
type Suspension struct {
	// Now says that they stand at present, and nothing ends by time.
	Now bool
	// Until is the end of the last suspension that is over, and Sum is how long those that are over were together.
	Until time.Time
	Sum   time.Duration
}

// From returns the instant from which on as much time would have passed since t, had there been no suspension. What began
// before one of several suspensions and after another is given no more than has passed for certain.
func (s Suspension) From(t time.Time) time.Time {
	if shifted := t.Add(s.Sum); shifted.Before(s.Until) {
		return shifted
	}
	if t.Before(s.Until) {
		return s.Until
	}
	return t
}

// EndsAt returns the earliest instant at which the canary has ended, as far as is known now; false if it never does, and while it
// is not whole or is suspended, when no instant is known.
func (c CanaryClock) EndsAt() (time.Time, bool) {
	if !c.Timed || !c.Whole || c.Suspended.Now {
		return time.Time{}, false
	}
	from := c.Begun
	if c.Available.After(from) {
		from = c.Available
	}
	end := c.Suspended.From(from).Add(c.Duration)
	if c.NoRestarts > 0 && !c.LastRestart.IsZero() {
		if quiet := c.Suspended.From(c.LastRestart).Add(c.NoRestarts); quiet.After(end) {
			end = quiet
		}
	}
	return end, true
}

// Ended tells whether the canary has lasted long enough.
func (c CanaryClock) Ended(now time.Time) bool {
	end, timed := c.EndsAt()
	return timed && !now.Before(end)
}

// TimesOutAt returns the instant from which on the canary has lasted too long; false if it may last for ever, and while it is suspended.
func (c CanaryClock) TimesOutAt() (time.Time, bool) {
	return c.Suspended.From(c.Begun).Add(c.Timeout), c.Timeout > 0 && !c.Suspended.Now
}

// TimedOut tells whether the canary has lasted too long.
func (c CanaryClock) TimedOut(now time.Time) bool {
	end, limited := c.TimesOutAt()
	return limited && !now.Before(end)
}

// Wakes returns the instants at which time alone changes an answer: the end and the timeout, those of them that there are.
// In the example above without a restart, with a Timeout of 1h: 12:11 and 13:00.
func (c CanaryClock) Wakes() (instants []time.Time) {
	if at, ok := c.EndsAt(); ok {
		instants = append(instants, at)
	}
	if at, ok := c.TimesOutAt(); ok {
		instants = append(instants, at)
	}
	return instants
}
