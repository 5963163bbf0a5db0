package plan_test

import (
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// setCanary are the settings of a canary, and what a person decides of it.
func (s *teller) setCanary(key, value string) bool {
	strategy := &s.rollout.Spec.Strategy
	switch {
	case key == "verdict":
		s.rollout.Spec.Decision = model.Decision{Revision: s.lab.last.Pair.TargetRevision, Canary: model.CanaryVerb(value)}
		if value == "" {
			s.rollout.Spec.Decision = model.Decision{}
		}
		return true
	case key == "canary" && value == "off":
		strategy.Canary = nil
		return true
	case key == "canary":
		strategy.Canary = &model.Canary{}
		return true
	case !strings.HasPrefix(key, "canary."):
		return false
	}
	canary := &model.Canary{}
	if strategy.Canary != nil {
		canary = strategy.Canary
	}
	strategy.Canary = canary
	if canary.AutoPause == nil {
		canary.AutoPause, canary.AutoFail = &model.AutoPause{}, &model.AutoFail{}
	}
	return s.setCanaryField(canary, strings.TrimPrefix(key, "canary."), value)
}

func (s *teller) setCanaryField(canary *model.Canary, field, value string) bool {
	number := intstr.Parse(value)
	duration := func() *metav1.Duration {
		d, err := time.ParseDuration(value)
		require.NoError(s.t, err)
		return &metav1.Duration{Duration: d}
	}
	switch field {
	case "replicas":
		canary.Replicas = &number
	case "duration":
		canary.Duration = duration()
	case "noRestarts":
		canary.NoRestartsDuration = duration()
	case "mode":
		canary.ValidationMode = model.CanaryMode(value)
	case "selector":
		label, want, _ := strings.Cut(value, ":")
		canary.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{label: want}}
	case "spread":
		canary.NodeAntiAffinityKeys = strings.Split(value, ",")
	case "pauseRestarts":
		canary.AutoPause.MaxRestarts = &number.IntVal
	case "failRestarts":
		canary.AutoFail.MaxRestarts = &number.IntVal
	case "slow":
		canary.AutoPause.MaxSlowStartDuration = duration()
	case "timeout":
		canary.AutoFail.CanaryTimeout = duration()
	default:
		return false
	}
	return true
}
