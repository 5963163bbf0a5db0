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

// CanaryClock says when a canary has lasted long enough, by numbers alone: it knows no Pods. A canary has ended iff
//
//	max(Begun + Duration, LastRestart + NoRestarts) ≤ now
//
// and has timed out iff Begun + Timeout ≤ now. The instant itself counts, so that a plan that was asked for at that
// instant decides. The clock runs on while a canary is paused. Worked example, Begun 12:00, Duration 10m, NoRestarts 5m:
// without a restart it ends at 12:10; a restart at 12:03 changes nothing (12:08 comes sooner); one at 12:08 ends it at 12:13.
//
// That it has ended promotes nothing by itself: who calls also asks that every node of the canary is available.
type CanaryClock struct {
	// Begun is when the canary began.
	Begun time.Time
	// Timed says that the canary ends by itself, after Duration; else it never does.
	Timed    bool
	Duration time.Duration
	// NoRestarts is how long no container may have restarted; 0 asks for nothing.
	NoRestarts time.Duration
	// LastRestart is the newest restart that was seen; zero for none.
	LastRestart time.Time
	// Timeout is how long the canary may last at all; 0 is for ever.
	Timeout time.Duration
}

// EndsAt returns the earliest instant at which the canary has ended, as far as is known now; false if it never does.
func (c CanaryClock) EndsAt() (time.Time, bool) {
	if !c.Timed {
		return time.Time{}, false
	}
	end := c.Begun.Add(c.Duration)
	if quiet := c.LastRestart.Add(c.NoRestarts); c.NoRestarts > 0 && !c.LastRestart.IsZero() && quiet.After(end) {
		end = quiet
	}
	return end, true
}

// Ended tells whether the canary has lasted long enough.
func (c CanaryClock) Ended(now time.Time) bool {
	end, timed := c.EndsAt()
	return timed && !now.Before(end)
}

// TimesOutAt returns the instant from which on the canary has lasted too long; false if it may last for ever.
func (c CanaryClock) TimesOutAt() (time.Time, bool) {
	return c.Begun.Add(c.Timeout), c.Timeout > 0
}

// TimedOut tells whether the canary has lasted too long.
func (c CanaryClock) TimedOut(now time.Time) bool {
	end, limited := c.TimesOutAt()
	return limited && !now.Before(end)
}

// Wakes returns the instants at which time alone changes an answer: the end and the timeout, those of them that there are.
// In the example above with a Timeout of 1h: 12:10 and 13:00.
func (c CanaryClock) Wakes() (instants []time.Time) {
	if at, ok := c.EndsAt(); ok {
		instants = append(instants, at)
	}
	if at, ok := c.TimesOutAt(); ok {
		instants = append(instants, at)
	}
	return instants
}
