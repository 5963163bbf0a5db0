package lockspec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

func probe(delay, period, timeout, failures int32) *corev1.Probe {
	return &corev1.Probe{InitialDelaySeconds: delay, PeriodSeconds: period, TimeoutSeconds: timeout, FailureThreshold: failures}
}

func TestLivenessThreshold(t *testing.T) {
	for _, tc := range []struct {
		name              string
		liveness, startup *corev1.Probe
		want              int32
	}{
		{"the documented example", probe(15, 15, 5, 6), probe(15, 15, 5, 6), 9},
		{"no startup probe", probe(15, 15, 5, 0), nil, 6},
		{"all defaults: 10×3+1 = 31 s", probe(0, 0, 0, 0), nil, 5},
		{"the startup window counts", probe(0, 10, 1, 3), probe(60, 10, 1, 30), 38}, // 361 s
		{"a timeout above the period", probe(0, 5, 30, 3), nil, 25},                 // 120 s
		{"a threshold that is high enough stays", probe(0, 10, 1, 3), probe(0, 1, 1, 1), 5},
		{"one long period", probe(0, 3600, 1, 1), nil, 3}, // 3601 s
		{"the largest values", probe(math.MaxInt32, 1, math.MaxInt32, math.MaxInt32), probe(math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32), math.MaxInt32},
		{"never lowered", probe(0, math.MaxInt32, 1, math.MaxInt32), nil, math.MaxInt32},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, livenessThreshold(tc.liveness, tc.startup)) })
	}
}

// TestLivenessThresholdLeavesTheTime plays the kubelet, which kills at the n-th failure in a row: the
// program must live as long as before, though the first failure comes at once and each answer at once.
// It kills the mutants that leave out the plus one, round down, or divide by max(period, timeout).
func TestLivenessThresholdLeavesTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) *corev1.Probe {
			return probe(rapid.Int32Range(0, 300).Draw(t, label+" delay"), rapid.Int32Range(1, 60).Draw(t, label+" period"),
				rapid.Int32Range(1, 120).Draw(t, label+" timeout"), rapid.Int32Range(1, 50).Draw(t, label+" failures"))
		}
		liveness, startup := draw("liveness"), draw("startup")
		longest := func(p *corev1.Probe) int64 { // the last of the failures, each as late and as slow as it can be
			at := int64(p.InitialDelaySeconds)
			for range p.FailureThreshold {
				at += int64(max(p.PeriodSeconds, p.TimeoutSeconds))
			}
			return at + int64(p.TimeoutSeconds)
		}
		killed := int64(0)
		n := livenessThreshold(liveness, startup)
		for failure := int32(1); failure < n; failure++ {
			killed += int64(liveness.PeriodSeconds)
		}
		if need := max(longest(liveness), longest(startup)); killed < need {
			t.Fatalf("killed after %d s, had %d s before", killed, need)
		}
		if n < liveness.FailureThreshold {
			t.Fatalf("threshold lowered from %d to %d", liveness.FailureThreshold, n)
		}
	})
}
