package single

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
)

// Memo keeps between the plans of one rollout the rendering of what is desired, where the deployed template's Pods should run, the former
// template, and what was found on nodes where nothing has changed. It never changes a plan: what each was made from is kept beside it and compared, by addresses
// first.
//
// A nil Memo keeps nothing. The zero value is ready for use, by one caller at a time.
type Memo struct {
	inputs    renderInputs
	rendering *Rendering // nil: none is kept

	template  *appsv1.DaemonSet // of which only the template counts
	placement *step.Placement

	text   string // of the annotation that holds the former template
	source *source

	judged  nodeInputs
	emptied model.Emptied // by which the nodes were judged, each by its own mark
	nodes   step.NodeMemo
	turns   step.Spread
	sound   step.Sound
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
func (v *view) rendered(base *appsv1.DaemonSet) (*Rendering, error) {
	spec := &v.rollout.Spec
	if v.memo == nil || spec.Desired == nil {
		return v.sound(base)
	}
	inputs := renderInputs{v.rollout.Metadata.Namespace, v.rollout.Metadata.Name, base, spec.Strategy, spec.Lock, spec.Slots}
	if v.memo.rendering != nil && reflect.DeepEqual(&v.memo.inputs, &inputs) {
		return v.memo.rendering, nil
	}
	rendering, err := v.sound(base)
	if err == nil {
		v.memo.inputs, v.memo.rendering = inputs, rendering
	}
	return rendering, err
}

// sound renders, and refuses what cannot be placed.
func (v *view) sound(base *appsv1.DaemonSet) (*Rendering, error) {
	rendering, err := v.prepare(base)
	if err != nil {
		return nil, err
	}
	if _, err = step.NewPlacement(&rendering.prepared.Spec.Template); err != nil {
		return nil, err
	}
	return rendering, nil
}

// placementOf compiles a DaemonSet's placement; nil where it cannot be judged.
func (v *view) placementOf(set *appsv1.DaemonSet) *step.Placement {
	if v.memo != nil && v.memo.template == set {
		return v.memo.placement
	}
	placement, err := step.NewPlacement(&set.Spec.Template)
	if err != nil {
		placement = nil
	}
	if v.memo != nil {
		v.memo.template, v.memo.placement = set, placement
	}
	return placement
}

// sourceIn takes over the former template that was read from the same text, or reads it; nil if there is none in it.
func (v *view) sourceIn(text string) *source {
	if v.memo == nil {
		return readSource(text)
	}
	if v.memo.source == nil || v.memo.text != text {
		v.memo.text, v.memo.source = text, readSource(text)
	}
	return v.memo.source
}

// nodeInputs is all that a node is judged by, beyond the node itself, its Pods, what is issued, and the time. What judge reads must stand
// here.
type nodeInputs struct {
	keys      model.Keys
	spec      model.Spec
	otherPods model.OtherPods
	settle    time.Duration
	// desired is the revision that is to run, and refused says that there is none; placement is the template's where the DaemonSet is missing.
	desired   string
	refused   bool
	placement *step.Placement
	record    record
	// set counts with its namespace, UID and spec alone.
	set    *appsv1.DaemonSet
	edited model.EditedGenerations
	// nudged is when the native controller was woken last, as it is noted.
	nudged string
}

// nodeInputs collects what the nodes are judged by.
func (v *view) nodeInputs() nodeInputs {
	in := nodeInputs{
		keys: v.keys, spec: v.rollout.Spec, otherPods: v.rollout.Status.OtherPods, settle: v.settle, record: v.live.record, set: v.live.set, edited: v.live.edited,
	}
	if in.refused = v.render == nil; !in.refused {
		in.desired = v.render.Revision
	}
	if v.live.set == nil {
		in.placement = v.placement
	} else {
		in.nudged = v.live.set.Annotations[v.keys.Nudged]
	}
	return in
}

func (in *nodeInputs) same(o *nodeInputs) bool {
	return in.keys == o.keys && in.settle == o.settle && in.nudged == o.nudged && in.desired == o.desired && in.refused == o.refused && in.placement == o.placement && slices.Equal(in.edited, o.edited) &&
		(in.set == o.set || in.set != nil && o.set != nil && in.set.Namespace == o.set.Namespace && in.set.UID == o.set.UID &&
			reflect.DeepEqual(&in.set.Spec, &o.set.Spec)) &&
		reflect.DeepEqual(&in.record, &o.record) && reflect.DeepEqual(&in.otherPods, &o.otherPods) && reflect.DeepEqual(&in.spec, &o.spec)
}

// recallNodes returns what is known of the nodes from earlier plans; nil without a memo.
func (v *view) recallNodes() *step.NodeMemo {
	if v.memo == nil {
		return nil
	}
	in := v.nodeInputs()
	same := v.memo.judged.same(&in)
	v.memo.judged = in
	anew := v.remarked(v.memo.emptied)
	maps.Copy(anew, v.issuedNodes)
	v.memo.emptied = v.live.emptied
	v.memo.nodes.Follow(v.cluster, v.now, same, anew)
	return &v.memo.nodes
}

// remarked are the nodes whose mark of having been emptied is not what it was.
func (v *view) remarked(former model.Emptied) map[int]bool {
	nodes := map[int]bool{}
	for _, marks := range []model.Emptied{former, v.live.emptied} {
		for name := range marks {
			if i, ok := v.cluster.Find(name); ok && former[name] != v.live.emptied[name] {
				nodes[i] = true
			}
		}
	}
	return nodes
}

// spread is what is known of the nodes' turns; nil without a memo.
func (m *Memo) spread() *step.Spread {
	if m == nil {
		return nil
	}
	return &m.turns
}

// soundness is what is known of the desired DaemonSet; nil without a memo.
func (m *Memo) soundness() *step.Sound {
	if m == nil {
		return nil
	}
	return &m.sound
}
