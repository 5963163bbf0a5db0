package extendeddaemonset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/budget"
)

// validate lists what ExtendedDaemonSet refuses, and what it breaks on.
func (x *resource) validate() (faults field.ErrorList) {
	spec := field.NewPath("spec")
	if x.Name == "" {
		faults = append(faults, field.Required(field.NewPath("metadata", "name"), ""))
	}
	if len(x.Spec.Template.Spec.Containers) == 0 {
		faults = append(faults, field.Required(spec.Child("template", "spec", "containers"), "a Pod needs one"))
	}
	if _, err := metav1.LabelSelectorAsSelector(x.Spec.Selector); err != nil {
		faults = append(faults, field.Invalid(spec.Child("selector"), field.OmitValueType{}, err.Error()))
	}
	strategy := spec.Child("strategy")
	faults = append(faults, x.Spec.Strategy.RollingUpdate.validate(strategy.Child("rollingUpdate"))...)
	if c := x.Spec.Strategy.Canary; c != nil {
		faults = append(faults, c.validate(strategy.Child("canary"))...)
	}
	return faults
}

func checkNumber(value *intstr.IntOrString, at *field.Path) (faults field.ErrorList) {
	if value == nil {
		return nil
	}
	if err := budget.Check(*value); err != nil {
		faults = append(faults, field.Invalid(at, asWritten(*value), err.Error()))
	}
	return faults
}

func (r *rollingUpdate) validate(at *field.Path) (faults field.ErrorList) {
	faults = append(faults, checkNumber(r.MaxUnavailable, at.Child("maxUnavailable"))...)
	faults = append(faults, checkNumber(r.MaxPodSchedulerFailure, at.Child("maxPodSchedulerFailure"))...)
	faults = append(faults, checkNumber(r.SlowStartAdditiveIncrease, at.Child("slowStartAdditiveIncrease"))...)
	if n := r.MaxParallelPodCreation; n != nil && *n < 1 {
		faults = append(faults, field.Invalid(at.Child("maxParallelPodCreation"), *n, "no Pod could ever be created"))
	}
	if d := r.SlowStartIntervalDuration; d != nil && d.Duration <= 0 {
		faults = append(faults, field.Invalid(at.Child("slowStartIntervalDuration"), d.Duration.String(), "ExtendedDaemonSet divides by it: it must be longer than 0"))
	}
	if n := r.SlowStartAdditiveIncrease; n != nil && isNothing(n) {
		faults = append(faults, field.Invalid(at.Child("slowStartAdditiveIncrease"), asWritten(*n), "no Pod could ever be created"))
	}
	return faults
}

// asWritten is the number as it stands in the manifest: an int without quotes, a percentage with them.
func asWritten(value intstr.IntOrString) any {
	if value.Type == intstr.Int {
		return value.IntVal
	}
	return value.StrVal
}

// isNothing tells whether the number is 0 of any number of nodes.
func isNothing(value *intstr.IntOrString) bool {
	n, err := budget.Resolve(*value, 100)
	return err == nil && n == 0
}

func (c *canary) validate(at *field.Path) (faults field.ErrorList) {
	faults = append(faults, checkNumber(c.Replicas, at.Child("replicas"))...)
	if _, err := metav1.LabelSelectorAsSelector(c.NodeSelector); err != nil {
		faults = append(faults, field.Invalid(at.Child("nodeSelector"), field.OmitValueType{}, err.Error()+" (ExtendedDaemonSet would take all nodes)"))
	}
	manual := c.ValidationMode == "manual"
	if !manual && c.ValidationMode != "" && c.ValidationMode != "auto" {
		faults = append(faults, field.NotSupported(at.Child("validationMode"), c.ValidationMode, []string{"auto", "manual"}))
	}
	for _, timed := range []struct {
		name  string
		value *metav1.Duration
	}{{"duration", c.Duration}, {"noRestartsDuration", c.NoRestartsDuration}} {
		if manual && timed.value != nil {
			faults = append(faults, field.Invalid(at.Child(timed.name), timed.value.Duration.String(), "not with validationMode manual"))
		}
	}
	return append(faults, c.validateAutomatic(at, manual)...)
}

func (c *canary) validateAutomatic(at *field.Path, manual bool) (faults field.ErrorList) {
	pause, fail := c.pause(), c.fail()
	if pause.on && fail.on && fail.restarts < pause.restarts {
		faults = append(faults, field.Invalid(at.Child("autoFail", "maxRestarts"), fail.restarts, "must not be less than autoPause.maxRestarts"))
	}
	if c.AutoFail == nil || c.AutoFail.CanaryTimeout == nil || !fail.on || manual {
		return faults
	}
	duration := canaryDuration
	if c.Duration != nil {
		duration = c.Duration.Duration
	}
	if timeout := c.AutoFail.CanaryTimeout.Duration; timeout <= duration {
		faults = append(faults, field.Invalid(at.Child("autoFail", "canaryTimeout"), timeout.String(), "must be longer than duration"))
	}
	return faults
}

// automatic is a switch with its number of restarts, defaults filled in.
type automatic struct {
	on       bool
	restarts int32
}

func (c *canary) pause() automatic {
	a := automatic{true, pauseRestarts}
	if p := c.AutoPause; p != nil {
		a = a.overridden(p.Enabled, p.MaxRestarts)
	}
	return a
}

func (c *canary) fail() automatic {
	a := automatic{true, failRestarts}
	if f := c.AutoFail; f != nil {
		a = a.overridden(f.Enabled, f.MaxRestarts)
	}
	return a
}

func (a automatic) overridden(on *bool, restarts *int32) automatic {
	if on != nil {
		a.on = *on
	}
	if restarts != nil {
		a.restarts = *restarts
	}
	return a
}
