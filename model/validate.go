package model

import (
	"fmt"

	"github.com/agent-rollout/planner/budget"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate lists every fault of the document, defaults filled in first, each with its field path.
func (r *Rollout) Validate() field.ErrorList {
	d := r.WithDefaults()
	spec := field.NewPath("spec")
	faults := d.validateIdentity()
	faults = append(faults, d.Spec.validateDesired(spec)...)
	faults = append(faults, d.validateDesiredType(spec.Child("desired"))...)
	faults = append(faults, d.Spec.Strategy.validate(spec.Child("strategy"))...)
	if d.Spec.Strategy.Type == RollingUpdate && d.Spec.Lock.Spec != nil {
		faults = append(faults, field.Forbidden(spec.Child("lock"), "no two Pods share a node in a RollingUpdate: remove it, or use Pair or Surge"))
	}
	faults = append(faults, d.Spec.Failure.validate(spec.Child("failure"))...)
	faults = append(faults, d.Spec.Slots.validate(spec.Child("slots"))...)
	if p := d.Spec.Capacity.Preemption; p != RefusePreemption && p != AllowPreemption {
		faults = append(faults, field.NotSupported(spec.Child("capacity", "preemption"), p, []PreemptionMode{RefusePreemption, AllowPreemption}))
	}
	faults = append(faults, d.Spec.Decision.validate(spec.Child("decision"), d.Spec.Strategy.Type)...)
	return append(faults, d.Status.validate(field.NewPath("status"))...)
}

func (r *Rollout) validateIdentity() (faults field.ErrorList) {
	if r.APIVersion != RolloutAPIVersion {
		faults = append(faults, field.NotSupported(field.NewPath("apiVersion"), r.APIVersion, []string{RolloutAPIVersion}))
	}
	if r.TypeMeta.Kind != RolloutKind {
		faults = append(faults, field.NotSupported(field.NewPath("kind"), r.TypeMeta.Kind, []string{RolloutKind}))
	}
	at := field.NewPath("metadata")
	if r.Metadata.Name == "" {
		faults = append(faults, field.Required(at.Child("name"), "the owner's name; with the namespace it names the rollout"))
	}
	if r.Metadata.Namespace != "" {
		for _, fault := range validation.ValidateNamespaceName(r.Metadata.Namespace, false) {
			faults = append(faults, field.Invalid(at.Child("namespace"), r.Metadata.Namespace, fault))
		}
	}
	return faults
}

func (s *Spec) validateDesired(at *field.Path) (faults field.ErrorList) {
	switch s.Intent {
	case Run, OptOut, Teardown:
	default:
		faults = append(faults, field.NotSupported(at.Child("intent"), s.Intent, []Intent{Run, OptOut, Teardown}))
	}
	switch {
	case s.Desired != nil && s.DesiredFrom != nil:
		faults = append(faults, field.Forbidden(at.Child("desiredFrom"), "desired is given too: give one of them"))
	case s.Intent == OptOut && s.Desired == nil:
		faults = append(faults, field.Required(at.Child("desired"), "opt-out ends with the conventional DaemonSet, which cannot be read back from the slots"))
	case s.Intent == Run && s.Desired == nil && s.DesiredFrom == nil:
		faults = append(faults, field.Required(at.Child("desired"), "give a whole DaemonSet, or desiredFrom: the deployed one with other images"))
	}
	if s.Desired != nil && s.Desired.Name == "" {
		faults = append(faults, field.Required(at.Child("desired", "metadata", "name"), "the name of the DaemonSet"))
	}
	if s.DesiredFrom != nil {
		for name, image := range s.DesiredFrom.Images {
			if image == "" {
				faults = append(faults, field.Required(at.Child("desiredFrom", "images").Key(name), "an image"))
			}
		}
	}
	sortFaults(faults)
	return faults
}

// validateDesiredType refuses a desired object that is no DaemonSet, or one of another namespace: what it would become is
// written in the rollout's.
func (r *Rollout) validateDesiredType(at *field.Path) (faults field.ErrorList) {
	desired := r.Spec.Desired
	if desired == nil {
		return nil
	}
	if desired.APIVersion != "" && desired.APIVersion != "apps/v1" {
		faults = append(faults, field.NotSupported(at.Child("apiVersion"), desired.APIVersion, []string{"apps/v1"}))
	}
	if desired.Kind != "" && desired.Kind != "DaemonSet" {
		faults = append(faults, field.NotSupported(at.Child("kind"), desired.Kind, []string{"DaemonSet"}))
	}
	if desired.Namespace != "" && desired.Namespace != r.Metadata.Namespace {
		faults = append(faults, field.Invalid(at.Child("metadata", "namespace"), desired.Namespace, fmt.Sprintf("must be the rollout's, %q (metadata.namespace)", r.Metadata.Namespace)))
	}
	return faults
}

func (s *Strategy) validate(at *field.Path) (faults field.ErrorList) {
	faults = s.validateType(at)
	numbers := []struct {
		name  string
		value *intstr.IntOrString
	}{
		{"maxUnavailable", s.MaxUnavailable}, {"maxSurge", s.MaxSurge},
		{"partition", s.Partition}, {"exemptUnhealthy", s.ExemptUnhealthy},
	}
	for _, number := range numbers {
		if number.value == nil {
			continue
		}
		if err := budget.Check(*number.value); err != nil {
			faults = append(faults, field.Invalid(at.Child(number.name), asWritten(*number.value), err.Error()))
		}
	}
	for _, positive := range numbers[:2] {
		if positive.value != nil && isZero(*positive.value) {
			faults = append(faults, field.Invalid(at.Child(positive.name), asWritten(*positive.value), "resolves to 0: nothing could ever move"))
		}
	}
	if *s.MaxWrites < 1 {
		faults = append(faults, field.Invalid(at.Child("maxWrites"), *s.MaxWrites, "must be at least 1"))
	}
	if *s.SettleSeconds < 0 {
		faults = append(faults, field.Invalid(at.Child("settleSeconds"), *s.SettleSeconds, "must not be negative"))
	}
	for i, key := range s.SpreadBy {
		faults = append(faults, validateKey(at.Child("spreadBy").Index(i), key)...)
	}
	faults = append(faults, s.validateSlowStart(at.Child("slowStart"))...)
	return append(faults, s.Canary.validate(at.Child("canary"))...)
}

func (s *Strategy) validateType(at *field.Path) (faults field.ErrorList) {
	switch s.Type {
	case Pair:
		return s.validateOverlap(at)
	case Surge, RollingUpdate:
		return s.validateSingle(at)
	}
	faults = append(faults, field.NotSupported(at.Child("type"), s.Type, []StrategyType{Pair, Surge, RollingUpdate}))
	if s.Overlap != "" {
		faults = append(faults, s.validateOverlap(at)...)
	}
	return faults
}

func (s *Strategy) validateOverlap(at *field.Path) (faults field.ErrorList) {
	if s.Overlap != Locked && s.Overlap != Never {
		faults = append(faults, field.NotSupported(at.Child("overlap"), s.Overlap, []OverlapMode{Locked, Never}))
	}
	return faults
}

// validateKey judges a label key.
func validateKey(at *field.Path, key string) (faults field.ErrorList) {
	if key == "" {
		return field.ErrorList{field.Invalid(at, key, "must not be empty")}
	}
	for _, fault := range utilvalidation.IsQualifiedName(key) {
		faults = append(faults, field.Invalid(at, key, fault))
	}
	return faults
}

// asWritten is the number as it stands in the document: an int without quotes, a percentage with them.
func asWritten(value intstr.IntOrString) any {
	if value.Type == intstr.Int {
		return value.IntVal
	}
	return value.String()
}

func (s *Strategy) validateSlowStart(at *field.Path) (faults field.ErrorList) {
	if s.SlowStart == nil {
		return nil
	}
	if s.SlowStart.Interval.Duration <= 0 {
		faults = append(faults, field.Invalid(at.Child("interval"), s.SlowStart.Interval.Duration.String(), "must be longer than 0"))
	}
	if err := budget.Check(s.SlowStart.Increase); err != nil {
		faults = append(faults, field.Invalid(at.Child("increase"), asWritten(s.SlowStart.Increase), err.Error()))
	} else if isZero(s.SlowStart.Increase) {
		faults = append(faults, field.Invalid(at.Child("increase"), asWritten(s.SlowStart.Increase), "resolves to 0: the budget would never grow"))
	}
	return faults
}

func isZero(value intstr.IntOrString) bool {
	n, err := budget.Resolve(value, 100)
	return err == nil && n == 0
}

func (f *Failure) validate(at *field.Path) (faults field.ErrorList) {
	if *f.ProgressDeadlineSeconds < 1 {
		faults = append(faults, field.Invalid(at.Child("progressDeadlineSeconds"), *f.ProgressDeadlineSeconds, "must be at least 1"))
	}
	if *f.MaxRestarts < 1 {
		faults = append(faults, field.Invalid(at.Child("maxRestarts"), *f.MaxRestarts, "must be at least 1: one restart condemns nothing"))
	}
	if err := budget.Check(*f.MaxExceptions); err != nil {
		faults = append(faults, field.Invalid(at.Child("maxExceptions"), asWritten(*f.MaxExceptions), err.Error()))
	}
	if f.Action != Cancel && f.Action != Hold {
		faults = append(faults, field.NotSupported(at.Child("action"), f.Action, []FailureAction{Cancel, Hold}))
	}
	return faults
}

func (s *SlotSettings) validate(at *field.Path) (faults field.ErrorList) {
	for _, fault := range utilvalidation.IsDNS1123Subdomain(s.Domain) {
		faults = append(faults, field.Invalid(at.Child("domain"), s.Domain, fault))
	}
	if s.SelectorLabel != "" {
		for _, fault := range utilvalidation.IsQualifiedName(s.SelectorLabel) {
			faults = append(faults, field.Invalid(at.Child("selectorLabel"), s.SelectorLabel, fault))
		}
	}
	green := at.Child("green")
	for _, fault := range utilvalidation.IsDNS1123Label("x" + s.Green.Suffix) {
		faults = append(faults, field.Invalid(green.Child("suffix"), s.Green.Suffix, fault))
	}
	for i := range s.Green.Env {
		if s.Green.Env[i].Name == "" {
			faults = append(faults, field.Required(green.Child("env").Index(i).Child("name"), "the variable's name"))
		}
	}
	return faults
}

func (d *Decision) validate(at *field.Path, strategy StrategyType) (faults field.ErrorList) {
	if d.Recover != "" && d.Recover != Forward && d.Recover != Back {
		faults = append(faults, field.NotSupported(at.Child("recover"), d.Recover, []Direction{Forward, Back}))
	}
	if d.Recover != "" && d.Revision == "" {
		faults = append(faults, field.Required(at.Child("revision"), "the revision that recover speaks of"))
	}
	return append(faults, d.validateCanary(at, strategy)...)
}

func (f *Facts) validate(at *field.Path) (faults field.ErrorList) {
	if f.ObservedAt.IsZero() {
		faults = append(faults, field.Required(at.Child("observedAt"), "the instant of the snapshot: a plan has no other clock"))
	}
	if f.Executor.RequestTimeout.Duration < 0 {
		faults = append(faults, field.Invalid(at.Child("executor", "requestTimeout"), f.Executor.RequestTimeout.Duration.String(), "must not be negative"))
	}
	for i := range f.Issued {
		write := &f.Issued[i].Action.Write
		if write.Verb() == "" {
			faults = append(faults, field.Invalid(at.Child("issued").Index(i).Child("action", "write"), write.Object.String(), "must have exactly one of create, patch and delete"))
		}
	}
	return faults
}

func sortFaults(faults field.ErrorList) {
	for i := 1; i < len(faults); i++ {
		for j := i; j > 0 && faults[j].Field < faults[j-1].Field; j-- {
			faults[j], faults[j-1] = faults[j-1], faults[j]
		}
	}
}
