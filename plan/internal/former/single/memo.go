package single

import (
	"reflect"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
)

// Memo keeps between the plans of one rollout the rendering of what is desired, and where the deployed template's Pods should run. It
// never changes a plan: what each was made from is kept beside it and compared, by addresses first.
//
// A nil Memo keeps nothing. The zero value is ready for use, by one caller at a time.
type Memo struct {
	inputs    renderInputs
	rendering *Rendering // nil: none is kept

	template  *appsv1.DaemonSet // of which only the template counts
	placement *step.Placement
}

// renderInputs is all that a given DaemonSet's rendering is made from.
type renderInputs struct {
	namespace, name string
	desired         *appsv1.DaemonSet
	strategy        model.Strategy
	lock            model.LockSettings
	slots           model.SlotSettings
}

// rendered takes over the rendering that was made from the same, or makes one. What is made from the deployed DaemonSet is made
// anew each time.
func (p *planner) rendered(base *appsv1.DaemonSet) (*Rendering, error) {
	spec := &p.rollout.Spec
	if p.memo == nil || spec.Desired == nil {
		return p.sound(base)
	}
	inputs := renderInputs{p.rollout.Metadata.Namespace, p.rollout.Metadata.Name, base, spec.Strategy, spec.Lock, spec.Slots}
	if p.memo.rendering != nil && reflect.DeepEqual(&p.memo.inputs, &inputs) {
		return p.memo.rendering, nil
	}
	rendering, err := p.sound(base)
	if err == nil {
		p.memo.inputs, p.memo.rendering = inputs, rendering
	}
	return rendering, err
}

// sound renders, and refuses what cannot be placed.
func (p *planner) sound(base *appsv1.DaemonSet) (*Rendering, error) {
	rendering, err := p.prepare(base)
	if err != nil {
		return nil, err
	}
	if _, err = step.NewPlacement(&rendering.prepared.Spec.Template); err != nil {
		return nil, err
	}
	return rendering, nil
}

// placementOf compiles a DaemonSet's placement; nil where it cannot be judged.
func (p *planner) placementOf(set *appsv1.DaemonSet) *step.Placement {
	if p.memo != nil && p.memo.template == set {
		return p.memo.placement
	}
	placement, err := step.NewPlacement(&set.Spec.Template)
	if err != nil {
		placement = nil
	}
	if p.memo != nil {
		p.memo.template, p.memo.placement = set, placement
	}
	return placement
}
