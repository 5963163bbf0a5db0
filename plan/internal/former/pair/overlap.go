package pair

import (
	"errors"

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
func (p *planner) pathOf(f *facts) (path, string) {
	if p.rollout.Spec.Strategy.Overlap == model.Never {
		return byRelease, ""
	}
	err := p.locksExclude(f)
	if err == nil {
		return byOverlap, ""
	}
	var overlap *lockspec.OverlapError
	if errors.As(err, &overlap) && overlap.Difference == lockspec.NotWrapped && p.unwrapped(f) {
		return byRelease, ""
	}
	return noPath, err.Error()
}

// mustNotOverlap says why a node that overlaps already must not, and "" if it may. A destination that was recorded as
// prepared has been judged: a Pod's spec does not change.
func (p *planner) mustNotOverlap(f *facts) string {
	if (f.from.live == nil && len(f.from.dying) == 0) || p.candidate(f) == f.to.live.UID {
		return ""
	}
	if err := p.locksExclude(f); err != nil {
		return err.Error()
	}
	return ""
}

// locksExclude judges the source's Pods on the node, the terminating ones too, or its template where there are none,
// against the destination's template.
func (p *planner) locksExclude(f *facts) error {
	target := p.targetLocks()
	if target == nil {
		return nil
	}
	for _, source := range p.sourcesOf(f) {
		wrapping, _ := lockspec.Inspect(source)
		if err := wrapping.MayOverlap(*target); err != nil {
			return err
		}
	}
	return nil
}

// sourcesOf are the specs of the source that may run on the node.
func (p *planner) sourcesOf(f *facts) (specs []*corev1.PodSpec) {
	for _, pod := range f.from.dying {
		specs = append(specs, &pod.Spec)
	}
	switch template := p.templateOf(p.journey.from); {
	case f.from.live != nil:
		specs = append(specs, &f.from.live.Spec)
	case template != nil:
		specs = append(specs, template)
	}
	return specs
}

// targetLocks is what the destination's template locks, read once a plan; nil if the slot is missing.
func (p *planner) targetLocks() *lockspec.Wrapping {
	if p.locks == nil {
		if target := p.templateOf(p.journey.to); target != nil {
			wrapping, _ := lockspec.Inspect(target)
			p.locks = &wrapping
		}
	}
	return p.locks
}

func (p *planner) templateOf(slot model.Slot) *corev1.PodSpec {
	set := p.pair.slot(slot).set
	if set == nil {
		return nil
	}
	return &set.Spec.Template.Spec
}

// unwrapped tells whether one of the two sides holds no lock at all.
func (p *planner) unwrapped(f *facts) bool {
	specs := p.sourcesOf(f)
	if target := p.templateOf(p.journey.to); target != nil {
		specs = append(specs, target)
	}
	for _, spec := range specs {
		if wrapping, _ := lockspec.Inspect(spec); len(wrapping.Components) == 0 {
			return true
		}
	}
	return false
}
