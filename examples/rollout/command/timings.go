package command

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/plan/simulate"
)

// timingFlags say how long things take in a simulation.
type timingFlags struct {
	seed    uint64
	timings simulate.Timings
}

func (f *timingFlags) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 1, "the seed of all durations")
	for _, d := range f.durations() {
		flags.DurationVar(d.field, d.name, d.value, d.usage)
	}
	flags.Float64Var(&f.timings.Jitter, "jitter", 0.1, "spreads every duration evenly over this share of it, from 0 to 1")
}

// duration is one flag for one field of the timings.
type duration struct {
	name  string
	field *time.Duration
	value time.Duration
	usage string
}

func (f *timingFlags) durations() []duration {
	t := &f.timings
	return []duration{
		{"pull", &t.Pull, time.Minute, "pull of one image"},
		{"init", &t.Init, 3 * time.Second, "all init containers of a Pod together"},
		{"create", &t.Create, 500 * time.Millisecond, "from a container's turn to its process"},
		{"start", &t.Start, 2 * time.Second, "from a component's start to its startup probe's success"},
		{"ready", &t.Ready, 8 * time.Second, "from there to its readiness probe's success"},
		{"stop", &t.Stop, 3 * time.Second, "from a Pod's deletion to the end of its components"},
		{"controller", &t.Controller, 50 * time.Millisecond, "one reaction of the DaemonSet controller"},
		{"schedule", &t.Schedule, 20 * time.Millisecond, "one reaction of the scheduler"},
		{"write", &t.Write, 20 * time.Millisecond, "one request of the executor"},
		{"plan-interval", &t.PlanInterval, time.Second, "the least time between two plans"},
		{"cache-lag", &t.CacheLag, 0, "how late the planner's caches are"},
		{"restart", &t.Restart, 10 * time.Second, "from a crash of the executor to its successor's start"},
	}
}

// settleTimings turns what the caller wrote into what the simulation takes: there 0 is a default and less is none.
func (f *timingFlags) settleTimings() error {
	for _, d := range f.durations() {
		switch {
		case *d.field < 0:
			return fmt.Errorf("--%s: %s is negative", d.name, *d.field)
		case *d.field == 0:
			*d.field = -1
		}
	}
	if j := f.timings.Jitter; math.IsNaN(j) || j < 0 || j > 1 {
		return fmt.Errorf("--jitter: %v is not between 0 and 1", j)
	}
	if f.timings.Jitter == 0 {
		f.timings.Jitter = -1
	}
	return nil
}
