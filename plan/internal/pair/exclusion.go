package pair

import (
	"errors"
	"iter"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// path is the way on which a node leaves its slot.
type path uint8

const (
	// byOverlap: the destination prepares behind locks beside the source.
	byOverlap path = iota
	// byRelease: the source goes before the destination is admitted.
	byRelease
	// noPath: neither may be done without a decision.
	noPath
)

// pathOf chooses the way by what the Pods really run, Pod by Pod. Where one side has no wrapper at all the
// source is released first: that is how a pair without locks becomes one with locks, and back. Two wrapped
// generations whose locks do not exclude each other are blocked.
func (v *view) pathOf(f *facts) (path, string) {
	if v.rollout.Spec.Strategy.Overlap == model.Never {
		return byRelease, ""
	}
	err := v.locksExclude(f)
	if err == nil {
		return byOverlap, ""
	}
	var overlap *lockspec.OverlapError
	if errors.As(err, &overlap) && overlap.Difference == lockspec.NotWrapped && v.unwrapped(f) {
		return byRelease, ""
	}
	return noPath, err.Error()
}

// mustNotOverlap says why a node that overlaps already must not, and "" if it may. A destination that was recorded as
// prepared has been judged: a Pod's spec does not change.
func (v *view) mustNotOverlap(f *facts) string {
	if (f.from.Live == nil && len(f.from.Dying) == 0) || v.candidate(f) == f.to.Live.UID {
		return ""
	}
	if err := v.locksExclude(f); err != nil {
		return err.Error()
	}
	return ""
}

// locksExclude judges the source's Pods on the node, the terminating ones too, or its template where there are none,
// against the destination's template.
func (v *view) locksExclude(f *facts) error {
	target := v.templateOf(v.direction.to)
	if target == nil {
		return nil
	}
	for source := range v.sourcesOf(f) {
		if lockspec.MayOverlap(source, target) == nil {
			continue // which is most of all, and makes nothing
		}
		wrapping, _ := lockspec.Inspect(source)
		if err := wrapping.MayOverlap(*v.targetLocks()); err != nil {
			return err
		}
	}
	return nil
}

// sourcesOf are the specs of the source that may run on the node.
func (v *view) sourcesOf(f *facts) iter.Seq[*corev1.PodSpec] {
	return func(yield func(*corev1.PodSpec) bool) {
		for _, pod := range f.from.Dying {
			if !yield(&pod.Spec) {
				return
			}
		}
		switch template := v.templateOf(v.direction.from); {
		case f.from.Live != nil:
			yield(&f.from.Live.Spec)
		case template != nil:
			yield(template)
		}
	}
}

// readTargetLocks returns what reads the locks of the destination's template, once it is asked for.
func (v *view) readTargetLocks() func() *lockspec.Wrapping {
	var locks *lockspec.Wrapping
	return func() *lockspec.Wrapping {
		if locks == nil {
			if target := v.templateOf(v.direction.to); target != nil {
				wrapping, _ := lockspec.Inspect(target)
				locks = &wrapping
			}
		}
		return locks
	}
}

func (v *view) templateOf(slot model.Slot) *corev1.PodSpec {
	set := v.pair.slot(slot).set
	if set == nil {
		return nil
	}
	return &set.Spec.Template.Spec
}

// unwrapped tells whether one of the two sides holds no lock at all.
func (v *view) unwrapped(f *facts) bool {
	bare := func(spec *corev1.PodSpec) bool {
		wrapping, _ := lockspec.Inspect(spec)
		return len(wrapping.Components) == 0
	}
	for spec := range v.sourcesOf(f) {
		if bare(spec) {
			return true
		}
	}
	target := v.templateOf(v.direction.to)
	return target != nil && bare(target)
}
