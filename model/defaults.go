package model

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Defaults of the settings, as the document's reference states them.
const (
	DefaultMaxWrites               = 250
	DefaultSettleSeconds           = 10
	DefaultProgressDeadlineSeconds = 600
	DefaultFailureMaxRestarts      = 5
	DefaultGreenSuffix             = "-green"
	DefaultSelectorLabel           = "app.kubernetes.io/instance"
	DefaultLockPreset              = "datadog"
)

// WithDefaults returns the rollout with every setting that is left out filled in. The input is unchanged.
func (r *Rollout) WithDefaults() *Rollout {
	out := *r
	setDefault(&out.APIVersion, RolloutAPIVersion)
	setDefault(&out.TypeMeta.Kind, RolloutKind)
	setDefault(&out.Spec.Intent, Run)
	if out.Spec.DesiredFrom != nil && out.Spec.DesiredFrom.Name == "" {
		from := *out.Spec.DesiredFrom
		from.Name = out.Metadata.Name
		out.Spec.DesiredFrom = &from
	}
	lockGiven := out.Spec.Lock.Preset != "" || out.Spec.Lock.Spec != nil
	if out.Spec.Desired != nil && out.Spec.Strategy.MaxUnavailable == nil {
		out.Spec.Strategy.MaxUnavailable = OwnBudget(out.Spec.Desired)
	}
	out.Spec.Strategy = out.Spec.Strategy.withDefaults(lockGiven)
	f := &out.Spec.Failure
	defaultPointer(&f.ProgressDeadlineSeconds, DefaultProgressDeadlineSeconds)
	defaultPointer(&f.MaxRestarts, DefaultFailureMaxRestarts)
	setDefault(&f.Action, Cancel)
	defaultPointer(&f.MaxExceptions, intstr.FromInt32(0))
	setDefault(&out.Spec.Capacity.Preemption, RefusePreemption)
	setDefault(&out.Spec.Slots.Domain, DefaultDomain)
	setDefault(&out.Spec.Slots.Green.Suffix, DefaultGreenSuffix)
	if out.Spec.Lock.Preset == "" && out.Spec.Lock.Spec == nil {
		out.Spec.Lock.Preset = DefaultLockPreset
	}
	return &out
}

// OwnBudget is the maxUnavailable of the DaemonSet's own rolling update (apps/v1 RollingUpdateDaemonSet), which a rollout keeps unless its settings
// name another; nil where the DaemonSet says none that lets it get on.
func OwnBudget(set *appsv1.DaemonSet) *intstr.IntOrString {
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if set.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType || rolling == nil || rolling.MaxUnavailable == nil {
		return nil
	}
	if n, err := budget.Resolve(*rolling.MaxUnavailable, 1); err != nil || n == 0 {
		return nil
	}
	own := *rolling.MaxUnavailable
	return &own
}

func (s Strategy) withDefaults(lockGiven bool) Strategy {
	setDefault(&s.Type, Pair)
	switch {
	case s.Type == Pair, s.Type == Surge && lockGiven:
		setDefault(&s.Overlap, Locked)
	case s.Type == Surge:
		setDefault(&s.Overlap, Never)
	}
	defaultPointer(&s.MaxUnavailable, intstr.FromInt32(1))
	defaultPointer(&s.Partition, intstr.FromInt32(0))
	defaultPointer(&s.ExemptUnhealthy, intstr.FromInt32(0))
	defaultPointer(&s.MaxWrites, DefaultMaxWrites)
	defaultPointer(&s.SettleSeconds, DefaultSettleSeconds)
	if s.SlowStart != nil {
		slow := *s.SlowStart
		setDefault(&slow.Interval, metav1.Duration{Duration: time.Minute})
		setDefault(&slow.Increase, intstr.FromInt32(1))
		s.SlowStart = &slow
	}
	s.Canary = s.Canary.withDefaults()
	return s
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func defaultPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// Limits resolves the four limits for so many eligible nodes; slow is how long the slow start has lasted.
// The settings must be valid and defaulted. A maxUnavailable that resolves to 0 while there are nodes is
// counted as the error that Validate reports for a plain 0, and stays 0 here.
func (s *Strategy) Limits(eligible int, slow time.Duration) budget.Limits {
	unavailable := resolved(s.MaxUnavailable, eligible)
	window := resolved(s.surge(unavailable), eligible)
	if s.SlowStart != nil {
		unavailable = budget.Ramp(unavailable, resolved(&s.SlowStart.Increase, eligible), s.SlowStart.Interval.Duration, slow)
	}
	return budget.Limits{
		Cohort:      max(0, eligible-resolved(s.Partition, eligible)),
		Unavailable: unavailable,
		Window:      window,
		Writes:      int(*s.MaxWrites),
	}
}

// surge is maxSurge, or what it is if it is left out: twice the budget for a pair; the budget as it was given for a surge; and
// nothing where no Pod stands beside another.
func (s *Strategy) surge(unavailable int) *intstr.IntOrString {
	number := intstr.FromInt(2 * unavailable)
	switch {
	case s.MaxSurge != nil:
		return s.MaxSurge
	case s.Type == Surge:
		return s.MaxUnavailable
	case s.Type == RollingUpdate:
		number = intstr.FromInt32(0)
	}
	return &number
}

// Exempt resolves exemptUnhealthy for so many eligible nodes.
func (s *Strategy) Exempt(eligible int) int { return resolved(s.ExemptUnhealthy, eligible) }

// Exceptions resolves maxExceptions for so many eligible nodes.
func (f *Failure) Exceptions(eligible int) int { return resolved(f.MaxExceptions, eligible) }

func resolved(value *intstr.IntOrString, total int) int {
	n, err := budget.Resolve(*value, total)
	if err != nil {
		return 0
	}
	return n
}
