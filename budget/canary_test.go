package budget

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

func TestCanarySize(t *testing.T) {
	for _, test := range []struct {
		name     string
		replicas intstr.IntOrString
		eligible int
		want     int
		fault    string
	}{
		{name: "a percentage of a small cluster is one", replicas: intstr.FromString("3%"), eligible: 3, want: 1},
		{name: "rounded up", replicas: intstr.FromString("10%"), eligible: 11, want: 2},
		{name: "a number", replicas: intstr.FromInt32(3), eligible: 100, want: 3},
		{name: "more than there are", replicas: intstr.FromInt32(5), eligible: 3, want: 3},
		{name: "all of them", replicas: intstr.FromString("100%"), eligible: 7, want: 7},
		{name: "no nodes", replicas: intstr.FromInt32(1), eligible: 0, want: 0},
		{name: "0", replicas: intstr.FromInt32(0), eligible: 9, fault: "resolves to 0"},
		{name: "0%", replicas: intstr.FromString("0%"), eligible: 9, fault: "resolves to 0"},
		{name: "quoted", replicas: intstr.FromString("3"), eligible: 9, fault: "without quotes"},
		{name: "negative", replicas: intstr.FromInt32(-1), eligible: 9, fault: "between 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			size, err := CanarySize(test.replicas, test.eligible)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, size)
		})
	}
}

// A canary that is asked for is never empty while there is a node.
func TestCanarySizeIsNeverNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		replicas := intstr.FromInt(rapid.IntRange(1, 200).Draw(t, "number"))
		if rapid.Bool().Draw(t, "percent") {
			replicas = intstr.FromString(rapid.StringMatching(`[1-9][0-9]?%`).Draw(t, "share"))
		}
		eligible := rapid.IntRange(1, 300).Draw(t, "eligible")
		size, err := CanarySize(replicas, eligible)
		require.NoError(t, err)
		require.GreaterOrEqual(t, size, 1)
		require.LessOrEqual(t, size, eligible)
	})
}

func TestCanaryClock(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	at := func(minutes float64) time.Time { return noon.Add(time.Duration(minutes * float64(time.Minute))) }
	usual := CanaryClock{Begun: noon, Whole: true, Timed: true, Duration: 10 * time.Minute, NoRestarts: 5 * time.Minute}
	restarted := func(minute float64) CanaryClock {
		c := usual
		c.LastRestart = at(minute)
		return c
	}
	available := func(minute float64, c CanaryClock) CanaryClock {
		c.Available = at(minute)
		return c
	}
	// suspended until the minute, and for so many minutes in sum.
	suspended := func(until, minutes float64, c CanaryClock) CanaryClock {
		c.Suspended = Suspension{Until: at(until), Sum: time.Duration(minutes * float64(time.Minute))}
		return c
	}
	for _, test := range []struct {
		name  string
		clock CanaryClock
		ends  float64 // minutes after noon
	}{
		{"without a restart", usual, 10},
		{"an early restart changes nothing", restarted(3), 10},
		{"a late one does", restarted(8), 13},
		{"a restart does not matter without noRestartsDuration", CanaryClock{Begun: noon, Whole: true, Timed: true, Duration: 10 * time.Minute, LastRestart: at(9)}, 10},
		{"a restart after the end begins it anew", restarted(12), 17},
		{"no duration at all", CanaryClock{Begun: noon, Whole: true, Timed: true}, 0},
		{"it counts from the last node that became available", available(13, usual), 23},
		{"never from before it began", available(-30, usual), 10},
		{"a restart later than that", available(3, restarted(9)), 14},
		{"suspended since it began", suspended(24, 20, available(1, usual)), 31},
		{"suspended before its last node became available", suspended(24, 20, available(25, usual)), 35},
		{"its last node became available meanwhile", suspended(24, 20, available(14, usual)), 34},
		{"a restart before a suspension", suspended(29, 20, available(1, restarted(8))), 33},
		{"a restart meanwhile", suspended(29, 20, available(1, restarted(20))), 34},
		{"suspended once before and once after: no more than is certain", suspended(40, 20, available(25, usual)), 50},
		{"the same, and the first was long ago", suspended(600, 300, available(595, usual)), 610},
	} {
		t.Run(test.name, func(t *testing.T) {
			end, timed := test.clock.EndsAt()
			require.True(t, timed)
			require.Equal(t, at(test.ends), end)
			require.False(t, test.clock.Ended(end.Add(-1)))
			require.True(t, test.clock.Ended(end), "the instant itself counts")
			require.Equal(t, []time.Time{end}, test.clock.Wakes())
		})
	}
	t.Run("without a duration it never ends", func(t *testing.T) {
		c := CanaryClock{Begun: noon, Whole: true, NoRestarts: time.Minute, LastRestart: noon}
		require.False(t, c.Ended(at(1e6)))
		require.False(t, c.TimedOut(at(1e6)))
		require.Empty(t, c.Wakes())
	})
	t.Run("one that is not whole does not end", func(t *testing.T) {
		c := usual
		c.Whole, c.Timeout = false, time.Hour
		require.False(t, c.Ended(at(1e6)))
		require.Equal(t, []time.Time{at(60)}, c.Wakes(), "its timeout runs")
	})
	t.Run("nothing ends while it is suspended", func(t *testing.T) {
		c := usual
		c.Timeout, c.Suspended.Now = time.Hour, true
		require.False(t, c.Ended(at(1e6)))
		require.False(t, c.TimedOut(at(1e6)))
		require.Empty(t, c.Wakes())
	})
	t.Run("a suspension is taken off the timeout", func(t *testing.T) {
		c := suspended(300, 240, CanaryClock{Begun: noon, Timeout: time.Hour})
		require.False(t, c.TimedOut(at(299.9)))
		require.Equal(t, []time.Time{at(300)}, c.Wakes())
	})
	t.Run("timeout", func(t *testing.T) {
		c := CanaryClock{Begun: noon, Timeout: time.Hour}
		require.False(t, c.TimedOut(at(59.9)))
		require.True(t, c.TimedOut(at(60)))
		require.Equal(t, []time.Time{at(60)}, c.Wakes())
	})
}

// Whatever restarts are seen, a canary never ends before its duration, and never within NoRestarts of a restart; and the
// answer changes at no other instant than those that Wakes names.
func TestCanaryClockWakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := func(name string) time.Duration {
			return time.Duration(rapid.IntRange(0, 90).Draw(t, name)) * time.Second
		}
		c := CanaryClock{
			Begun: time.Unix(1000, 0), Whole: true, Timed: rapid.Bool().Draw(t, "timed"), Duration: seconds("duration"),
			NoRestarts: seconds("no restarts"), Timeout: seconds("timeout"),
		}
		if rapid.Bool().Draw(t, "restarted") {
			c.LastRestart = c.Begun.Add(seconds("restart"))
		}
		c.Available = c.Begun.Add(seconds("available") - 30*time.Second)
		now := c.Begun
		for range 300 {
			before := [2]bool{c.Ended(now), c.TimedOut(now)}
			now = now.Add(time.Second)
			if c.Ended(now) {
				require.True(t, c.Timed)
				require.GreaterOrEqual(t, now.Sub(c.Begun), c.Duration)
				require.GreaterOrEqual(t, now.Sub(c.Available), c.Duration)
				require.True(t, c.LastRestart.IsZero() || c.LastRestart.After(now) || now.Sub(c.LastRestart) >= c.NoRestarts)
			}
			if before != [2]bool{c.Ended(now), c.TimedOut(now)} {
				require.Contains(t, c.Wakes(), now)
			}
		}
	})
}

// However clocks stood and ran, never more time is given than they ran, and all of it where every suspension lies on one side.
func TestSuspensionIsTakenOff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		began := time.Unix(1000, 0)
		at := func(second int) time.Time { return began.Add(time.Duration(second) * time.Second) }
		s, stands, stood := Suspension{}, false, time.Duration(0)
		ran := []time.Duration{0} // by second: how long the clocks have run since they began
		for second := range rapid.IntRange(1, 120).Draw(t, "seconds") {
			if stands {
				stood += time.Second
			}
			ran = append(ran, time.Duration(second+1)*time.Second-stood)
			if rapid.IntRange(0, 9).Draw(t, "turn") == 0 {
				if stands {
					s.Until, s.Sum = at(second+1), stood
				}
				stands = !stands
			}
		}
		if stands {
			return // nothing is asked then
		}
		last := len(ran) - 1
		for since := range ran {
			given, real := at(last).Sub(s.From(at(since))), ran[last]-ran[since]
			require.LessOrEqual(t, given, real)
			if since == 0 {
				require.Equal(t, real, given, "all suspensions lie after it")
			}
		}
	})
}
