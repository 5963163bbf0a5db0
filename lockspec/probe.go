package lockspec

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// startupProbe succeeds exactly while the component's Pod-local lock is held, that is once the host
// lock was granted and the program was started. It asks for the lock without waiting and succeeds on
// status 1 (busy) alone: 0 means that nobody held it, 111 that the lock file cannot be opened, 127
// that the image has no true(1). It never gives up, since a component may wait for hours: the
// liveness probe takes over the bound on a slow start, see livenessThreshold.
func startupProbe(spec *model.LockSpec, name string) *corev1.Probe {
	script := toolPath(spec) + " -n " + activeLock(spec, name) + " true; test $? -eq 1"
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"/bin/sh", "-c", script}}},
		PeriodSeconds:    1,
		TimeoutSeconds:   1,
		SuccessThreshold: 1,
		FailureThreshold: math.MaxInt32,
	}
}

// livenessThreshold returns the liveness failure threshold that leaves the running program the time
// that its own probes left it, given the probes before wrapping; startup may be nil.
//
// All times are whole seconds. A probe's window is the longest that it lets a program fail:
//
//	window = initialDelay + max(period, timeout) × failures + timeout
//
// In a wrapped container both windows shrink: the startup probe ends when the lock is granted, and the
// liveness probe's initial delay counts from the start of the container (kubelet), so it is over by
// then. Failures n come at least period apart and the first may come at once, so the program lives for
// at least (n−1) × period, which must not be less than either window:
//
//	n = max(failures, ⌈max(startup window, liveness window) / period⌉ + 1), rounded up, at most MaxInt32
//
// Worked example: startup and liveness both with delay 15, period 15, timeout 5, failures 6. Both
// windows are 15 + 15×6 + 5 = 110 s, ⌈110/15⌉ = 8, so n = 9: the ninth failure comes no earlier than
// 120 s after the program began. Without a startup probe and with the default of 3 failures the
// window is 15 + 15×3 + 5 = 65 s, ⌈65/15⌉ = 5, so n = 6.
func livenessThreshold(liveness, startup *corev1.Probe) int32 {
	need := window(liveness)
	if startup != nil {
		need = max(need, window(startup))
	}
	period := seconds(liveness.PeriodSeconds, defaultPeriod)
	return int32(min((need+period-1)/period+1, math.MaxInt32))
}

// The API's defaults of core/v1 Probe: 0 and a missing field mean these.
const (
	defaultPeriod   = 10
	defaultTimeout  = 1
	defaultFailures = 3
)

// window is the longest time in seconds, from the start of the container, that a probe may fail
// before the container is killed. It fits an int64 for any field values.
func window(p *corev1.Probe) int64 {
	period, timeout := seconds(p.PeriodSeconds, defaultPeriod), seconds(p.TimeoutSeconds, defaultTimeout)
	return max(int64(p.InitialDelaySeconds), 0) + max(period, timeout)*seconds(p.FailureThreshold, defaultFailures) + timeout
}

func seconds(value, missing int32) int64 {
	if value <= 0 {
		return int64(missing)
	}
	return int64(value)
}
