package model

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CanaryMode says who promotes a canary.
type CanaryMode string

const (
	// CanaryAuto: it is promoted by its clock, once every node of it is available.
	CanaryAuto CanaryMode = "auto"
	// CanaryManual: it is promoted by decision.canary alone.
	CanaryManual CanaryMode = "manual"
)

// CanaryVerb is what a person decides of a canary.
type CanaryVerb string

const (
	// PromoteCanary ends it well, paused or not, and whatever the clock says. A failed one stays failed.
	PromoteCanary CanaryVerb = "Promote"
	// FailCanary ends it badly: its nodes go back, and the revision is remembered as failed.
	FailCanary CanaryVerb = "Fail"
	// PauseCanary holds it until one of the other three; removing the decision is none of them.
	PauseCanary CanaryVerb = "Pause"
	// ResumeCanary ends a pause, and lets this canary pause by itself no more. It can still fail.
	ResumeCanary CanaryVerb = "Resume"
)

// Defaults of a canary, which are ExtendedDaemonSet's.
const (
	DefaultCanaryReplicas     = 1
	DefaultCanaryDuration     = 10 * time.Minute
	DefaultNoRestartsDuration = 5 * time.Minute
	DefaultPauseMaxRestarts   = 2
	DefaultFailMaxRestarts    = 5
)

// Canary holds back the rollout until a first few nodes have proven the revision. Fields and defaults are those of
// ExtendedDaemonSet's spec.strategy.canary; `canary: {}` is one node for ten minutes. A first installation has none, nor have
// arming, opt-out and whatever leads back to the source.
type Canary struct {
	// Replicas is the size: a number, or a percentage of the eligible nodes, rounded up (3% of 3 is 1). Default 1.
	Replicas *intstr.IntOrString `json:"replicas,omitempty"`
	// Duration is how long the canary lasts at least, from when the last of its nodes became available. Only in mode auto, where the
	// default is 10m.
	Duration *metav1.Duration `json:"duration,omitempty"`
	// NoRestartsDuration is for how long no container may have restarted at the end. Only in mode auto, default 5m.
	NoRestartsDuration *metav1.Duration `json:"noRestartsDuration,omitempty"`
	// ValidationMode says who promotes: auto (the default) or manual.
	ValidationMode CanaryMode `json:"validationMode,omitempty"`
	// NodeSelector chooses among the eligible nodes; default all of them. Those whose agent is available come first.
	NodeSelector *metav1.LabelSelector `json:"nodeSelector,omitempty"`
	// NodeAntiAffinityKeys are node labels: the canary is spread evenly over the groups of nodes with equal values.
	NodeAntiAffinityKeys []string `json:"nodeAntiAffinityKeys,omitempty"`
	// AutoPause is on if left out, and pauses after more than 2 restarts, or at once if a container cannot start.
	AutoPause *AutoPause `json:"autoPause,omitempty"`
	// AutoFail is on if left out, and fails after more than 5 restarts; it has no time limit unless one is given.
	AutoFail *AutoFail `json:"autoFail,omitempty"`
}

// AutoPause pauses a canary by itself: one that cannot start, or restarts too often.
type AutoPause struct {
	// Enabled is true by default.
	Enabled *bool `json:"enabled,omitempty"`
	// MaxRestarts pauses when a container has restarted more often. Default 2.
	MaxRestarts *int32 `json:"maxRestarts,omitempty"`
	// MaxSlowStartDuration is how long, from the Pod's start, pull and create errors are forgiven, and a container may be in
	// creation. Without it errors pause at once and creation never does.
	MaxSlowStartDuration *metav1.Duration `json:"maxSlowStartDuration,omitempty"`
}

// AutoFail fails a canary by itself.
type AutoFail struct {
	// Enabled is true by default.
	Enabled *bool `json:"enabled,omitempty"`
	// MaxRestarts fails when a container has restarted more often. Default 5.
	MaxRestarts *int32 `json:"maxRestarts,omitempty"`
	// MaxRestartsDuration fails when more than so much lies between the first and the newest restart. Default: no limit.
	MaxRestartsDuration *metav1.Duration `json:"maxRestartsDuration,omitempty"`
	// CanaryTimeout fails a canary that has lasted so long, whatever Pods there are. Default: no limit.
	CanaryTimeout *metav1.Duration `json:"canaryTimeout,omitempty"`
}

// On tells whether the canary pauses by itself; the settings must have their defaults.
func (a *AutoPause) On() bool { return a != nil && a.Enabled != nil && *a.Enabled }

// On tells whether the canary fails by itself; the settings must have their defaults.
func (a *AutoFail) On() bool { return a != nil && a.Enabled != nil && *a.Enabled }

// withDefaults returns a copy with every setting filled in.
func (c *Canary) withDefaults() *Canary {
	if c == nil {
		return nil
	}
	out := *c
	defaultPointer(&out.Replicas, intstr.FromInt32(DefaultCanaryReplicas))
	setDefault(&out.ValidationMode, CanaryAuto)
	if out.ValidationMode == CanaryAuto {
		defaultPointer(&out.Duration, metav1.Duration{Duration: DefaultCanaryDuration})
		defaultPointer(&out.NoRestartsDuration, metav1.Duration{Duration: DefaultNoRestartsDuration})
	}
	var pause AutoPause
	var fail AutoFail
	if c.AutoPause != nil {
		pause = *c.AutoPause
	}
	if c.AutoFail != nil {
		fail = *c.AutoFail
	}
	defaultPointer(&pause.Enabled, true)
	defaultPointer(&pause.MaxRestarts, DefaultPauseMaxRestarts)
	defaultPointer(&fail.Enabled, true)
	defaultPointer(&fail.MaxRestarts, DefaultFailMaxRestarts)
	out.AutoPause, out.AutoFail = &pause, &fail
	return &out
}

// validate lists every fault; the defaults are filled in.
func (c *Canary) validate(at *field.Path) (faults field.ErrorList) {
	if c == nil {
		return nil
	}
	if _, err := budget.CanarySize(*c.Replicas, 100); err != nil {
		faults = append(faults, field.Invalid(at.Child("replicas"), asWritten(*c.Replicas), err.Error()))
	}
	faults = append(faults, c.validateMode(at)...)
	if c.NodeSelector != nil {
		faults = append(faults, validation.ValidateLabelSelector(c.NodeSelector, validation.LabelSelectorValidationOptions{}, at.Child("nodeSelector"))...)
	}
	for i, key := range c.NodeAntiAffinityKeys {
		faults = append(faults, validateKey(at.Child("nodeAntiAffinityKeys").Index(i), key)...)
	}
	return append(faults, c.validateAuto(at)...)
}

func (c *Canary) validateMode(at *field.Path) (faults field.ErrorList) {
	for _, timed := range []struct {
		name  string
		value *metav1.Duration
	}{{"duration", c.Duration}, {"noRestartsDuration", c.NoRestartsDuration}} {
		switch {
		case timed.value == nil:
		case c.ValidationMode == CanaryManual:
			faults = append(faults, field.Forbidden(at.Child(timed.name), "nothing but decision.canary promotes in validationMode manual"))
		case timed.value.Duration < 0:
			faults = append(faults, field.Invalid(at.Child(timed.name), timed.value.Duration.String(), "must not be negative"))
		}
	}
	if c.ValidationMode != CanaryAuto && c.ValidationMode != CanaryManual {
		faults = append(faults, field.NotSupported(at.Child("validationMode"), c.ValidationMode, []CanaryMode{CanaryAuto, CanaryManual}))
	}
	return faults
}

func (c *Canary) validateAuto(at *field.Path) (faults field.ErrorList) {
	pause, fail := at.Child("autoPause"), at.Child("autoFail")
	for _, count := range []struct {
		at    *field.Path
		value int32
	}{{pause.Child("maxRestarts"), *c.AutoPause.MaxRestarts}, {fail.Child("maxRestarts"), *c.AutoFail.MaxRestarts}} {
		if count.value < 0 {
			faults = append(faults, field.Invalid(count.at, count.value, "must not be negative"))
		}
	}
	if c.AutoPause.On() && c.AutoFail.On() && *c.AutoFail.MaxRestarts < *c.AutoPause.MaxRestarts {
		faults = append(faults, field.Invalid(fail.Child("maxRestarts"), *c.AutoFail.MaxRestarts, "must not be less than autoPause.maxRestarts: the canary would fail before it pauses"))
	}
	for _, span := range []struct {
		at    *field.Path
		value *metav1.Duration
	}{{pause.Child("maxSlowStartDuration"), c.AutoPause.MaxSlowStartDuration}, {fail.Child("maxRestartsDuration"), c.AutoFail.MaxRestartsDuration}} {
		if span.value != nil && span.value.Duration < 0 {
			faults = append(faults, field.Invalid(span.at, span.value.Duration.String(), "must not be negative"))
		}
	}
	timeout := c.AutoFail.CanaryTimeout
	switch {
	case timeout == nil:
	case timeout.Duration <= 0:
		faults = append(faults, field.Invalid(fail.Child("canaryTimeout"), timeout.Duration.String(), "must be longer than 0"))
	case c.AutoFail.On() && c.ValidationMode == CanaryAuto && c.Duration != nil && timeout.Duration <= c.Duration.Duration:
		faults = append(faults, field.Invalid(fail.Child("canaryTimeout"), timeout.Duration.String(), "must be longer than canary.duration: the canary would fail before it ends"))
	}
	return faults
}

func (d *Decision) validateCanary(at *field.Path, strategy StrategyType) (faults field.ErrorList) {
	switch d.Canary {
	case "":
		return nil
	case PromoteCanary, FailCanary, PauseCanary, ResumeCanary:
	default:
		faults = append(faults, field.NotSupported(at.Child("canary"), d.Canary, []CanaryVerb{PromoteCanary, FailCanary, PauseCanary, ResumeCanary}))
	}
	if strategy == Surge || strategy == RollingUpdate {
		faults = append(faults, field.Forbidden(at.Child("canary"), onlyPairsHoldCanaries))
	}
	if d.Revision == "" && d.Recover == "" {
		faults = append(faults, field.Required(at.Child("revision"), "the revision that canary speaks of"))
	}
	return faults
}
