package step

import (
	"errors"
	"reflect"
	"slices"

	"github.com/agent-rollout/planner/plan/internal/template"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Sound keeps the last desired DaemonSet of which no API server refuses anything. A nil Sound keeps nothing.
type Sound struct{ desired *appsv1.DaemonSet }

// faults are what any API server refuses of the DaemonSet.
func (s *Sound) faults(desired *appsv1.DaemonSet) field.ErrorList {
	if s != nil && s.desired != nil && (s.desired == desired || reflect.DeepEqual(s.desired, desired)) {
		return nil
	}
	faults := template.Check(desired)
	if s != nil && len(faults) == 0 {
		s.desired = desired
	}
	return faults
}

// RefuseDesired joins what any API server refuses of the desired DaemonSet to what else keeps it from being rolled out as that, nil for
// nothing. What is deployed was not refused: a fault that it has too is none.
func RefuseDesired(sound *Sound, desired *appsv1.DaemonSet, deployed func() []*appsv1.DaemonSet, as string, err error) error {
	faults := sound.faults(desired)
	if len(faults) == 0 {
		return err
	}
	taken := map[string]bool{}
	for _, set := range deployed() {
		for _, fault := range template.Check(set) {
			taken[fault.Error()] = true
		}
	}
	faults = slices.DeleteFunc(faults, func(fault *field.Error) bool { return taken[fault.Error()] })
	if len(faults) == 0 {
		return err
	}
	var more *RefusedError
	if errors.As(err, &more) {
		faults = append(faults, more.Faults...)
	}
	return &RefusedError{Faults: faults, As: as}
}
