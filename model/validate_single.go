package model

import (
	"fmt"
	"strings"

	"github.com/agent-rollout/planner/budget"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const onlyPairsHoldCanaries = "only a Pair can hold a canary: on one DaemonSet a recreated Pod takes the newest template"

// validateSingle refuses what a rollout on one DaemonSet cannot keep: a setting is never silently ignored.
func (s *Strategy) validateSingle(at *field.Path) (faults field.ErrorList) {
	if s.Partition != nil && !isZero(*s.Partition) {
		faults = append(faults, field.Forbidden(at.Child("partition"), "on one DaemonSet a recreated Pod takes the newest template; use Pair"))
	}
	if s.Canary != nil {
		faults = append(faults, field.Forbidden(at.Child("canary"), onlyPairsHoldCanaries))
	}
	if s.Type == Surge {
		return append(faults, s.validateSurge(at)...)
	}
	if s.Overlap != "" {
		faults = append(faults, field.Forbidden(at.Child("overlap"), "no two Pods share a node in a RollingUpdate: leave it out"))
	}
	if s.MaxSurge != nil {
		faults = append(faults, field.Forbidden(at.Child("maxSurge"), "no Pod is made beside another in a RollingUpdate: leave it out, or use Surge or Pair"))
	}
	return faults
}

// validateSurge also refuses what the native controller, which chooses the nodes of a surge, does not know.
func (s *Strategy) validateSurge(at *field.Path) (faults field.ErrorList) {
	faults = s.validateOverlap(at)
	if s.SlowStart != nil {
		faults = append(faults, field.Forbidden(at.Child("slowStart"), "the native controller paces a surge; use Pair or RollingUpdate"))
	}
	if len(s.SpreadBy) > 0 {
		faults = append(faults, field.Forbidden(at.Child("spreadBy"), "the native controller chooses the nodes of a surge; use Pair or RollingUpdate"))
	}
	if *s.MaxWrites == 1 {
		faults = append(faults, field.Invalid(at.Child("maxWrites"), *s.MaxWrites, "must be at least 2: a handover is noted and done in one plan"))
	}
	if fault := s.surgeBeyondBudget(); fault != "" {
		faults = append(faults, field.Invalid(at.Child("maxSurge"), asWritten(*s.MaxSurge), fault))
	}
	return faults
}

// surgeBeyondBudget compares maxSurge with maxUnavailable, which bounds it: every surging node may lose its agent if its old
// Pod fails. Numbers that cannot be read are other faults.
func (s *Strategy) surgeBeyondBudget() string {
	if s.MaxSurge == nil || budget.Check(*s.MaxSurge) != nil || budget.Check(*s.MaxUnavailable) != nil {
		return ""
	}
	if isPercent(*s.MaxSurge) != isPercent(*s.MaxUnavailable) {
		return fmt.Sprintf("cannot be compared with maxUnavailable %s: give both as a number, or both as a percentage", s.MaxUnavailable)
	}
	if s.MaxUnavailable.Type == intstr.Int && s.MaxSurge.IntVal > s.MaxUnavailable.IntVal ||
		isPercent(*s.MaxSurge) && resolved(s.MaxSurge, 100) > resolved(s.MaxUnavailable, 100) {
		return fmt.Sprintf("must not be more than maxUnavailable %s: a surge stays within the budget", s.MaxUnavailable)
	}
	return ""
}

func isPercent(value intstr.IntOrString) bool {
	return value.Type == intstr.String && strings.HasSuffix(value.StrVal, "%")
}
