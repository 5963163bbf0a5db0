package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
)

// probeCanary looks at one eligible node that has left the source. Only an exact Pod on a Ready Node says anything. A Pod that
// waits behind the locks is not a canary that runs: its restarts are those of the wrapper and are not counted, not even once
// it has got the locks; that it cannot be pulled or created is true of it all the same. It also returns when to look again.
func (v *view) probeCanary(f *facts) (probe *step.CanaryProbe, wake time.Time) {
	probe = &step.CanaryProbe{}
	if !f.ready || !f.exact || !f.place.admitsTo() {
		return probe, wake
	}
	forgiven, wake := v.forgiven(f)
	slowly := forgiven && v.canary.settings.AutoPause.MaxSlowStartDuration != nil
	if why := model.CannotStart(f.to.Live, slowly); why != "" && forgiven {
		probe.CannotStart = why
	}
	if f.place == atTo {
		probe.Restarts, probe.FirstRestarted, probe.Restarted = model.RestartsAfter(f.to.Live, f.moved.At)
	}
	if f.place == atTo && f.serves() {
		_, ready := model.ReadySince(f.to.Live)
		probe.Available = ready.Add(v.settle)
	}
	return probe, wake
}

// forgiven tells whether the time is over in which the Pod is forgiven that it does not start, or in which a container that is
// still being created does not count as one that cannot start; and when it will be, if that matters.
func (v *view) forgiven(f *facts) (over bool, wake time.Time) {
	slow := v.canary.settings.AutoPause.MaxSlowStartDuration
	switch {
	case slow == nil:
		return true, wake
	case f.to.Live.Status.StartTime == nil:
		return false, wake
	}
	until := f.to.Live.Status.StartTime.Add(slow.Duration)
	if !v.now.Before(until) {
		return true, wake
	}
	if model.CannotStart(f.to.Live, true) != "" {
		wake = until
	}
	return false, wake
}

// canaryFell puts off the deadline of a canary that has served already: it lasts longer than any deadline, and a Pod that is
// not Ready for a moment is given the whole of it from then on. What restarts instead is counted.
func (v *view) canaryFell(f *facts, began time.Time) time.Time {
	if v.canary == nil || f.place != atTo || f.to.Live == nil {
		return began
	}
	if ready, since := model.ReadySince(f.to.Live); !ready && since.After(began) {
		return since
	}
	return began
}
