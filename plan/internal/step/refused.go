package step

import (
	"errors"
	"slices"

	"github.com/agent-rollout/planner/plan/internal/template"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// RefuseDesired joins what any API server refuses of the desired DaemonSet to what else keeps it from being rolled out as that, nil for
// nothing. What is deployed was not refused: a fault that it has too is none.
func RefuseDesired(desired *appsv1.DaemonSet, deployed func() []*appsv1.DaemonSet, as string, err error) error {
	faults := template.Check(desired)
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
