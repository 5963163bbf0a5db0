package pair

import (
	"reflect"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
)

// Memo keeps between the plans of one rollout what they have in common: the rendering of what is desired, and what was found
// on nodes where nothing has changed. It never changes a plan: whatever a kept value was made from is kept beside it and
// compared. Objects are compared by their addresses first, so those that were given in a snapshot must not be changed later.
//
// A nil Memo keeps nothing. The zero value is ready for use, by one caller at a time.
type Memo struct {
	renderings []*keptRendering // the newest first
	inputs     nodeInputs
	nodes      step.NodeMemo
	turns      step.Spread
	sound      step.Sound
}

// keptRenderings bounds what is kept: a rollout goes to and fro between few revisions.
const keptRenderings = 8

// renderInputs is all that a rendering is made from.
type renderInputs struct {
	owner    model.Owner
	settings model.SlotSettings
	lock     model.LockSettings
	overlap  model.OverlapMode
	desired  *appsv1.DaemonSet
	disable  bool
	// Where the desired DaemonSet is given these are left out, and the sets but for those whose revision only their template tells.
	from   *model.DesiredFrom
	active model.Slot
	sets   [2]*appsv1.DaemonSet
	// restarted says of which of them a person asks for new Pods, which Pods tell.
	restarted [2]bool
}

// keptRendering is a rendering with what is derived from it.
type keptRendering struct {
	inputs    renderInputs
	rendering *Rendering
	placement *step.Placement
	slots     [2][2]keptSlot // by slot, and by whether it owns unlabelled nodes
}

// keptSlot is a slot's DaemonSet as it is to be, and live ones that were compared with it.
type keptSlot struct {
	want    *appsv1.DaemonSet
	covered [2]*appsv1.DaemonSet
}

// renderInputs collects what the rendering is made from. Of deployed DaemonSets that is not their resourceVersion or status.
func (v *view) renderInputs() renderInputs {
	spec, owner := &v.rollout.Spec, &v.rollout.Metadata
	in := renderInputs{
		owner:    model.Owner{Namespace: owner.Namespace, Name: owner.Name},
		settings: v.settings, lock: spec.Lock, overlap: spec.Strategy.Overlap, desired: spec.Desired,
	}
	if spec.Desired != nil {
		in.disable = v.handsBack()
	} else {
		in.from, in.active = spec.DesiredFrom, v.pair.record.active
	}
	for i := range v.pair.slots {
		if set := v.pair.slots[i].set; set != nil && (spec.Desired == nil || v.toldByTemplate(&v.pair.slots[i])) {
			bare := *set
			bare.ResourceVersion, bare.ManagedFields, bare.Status = "", nil, appsv1.DaemonSetStatus{}
			in.sets[i], in.restarted[i] = &bare, step.Restarted(v.cluster, set, v.keys.Revision)
		}
	}
	return in
}

// recall takes over a rendering that was made from the same; it tells whether there is one.
func (v *view) recall(in *renderInputs) bool {
	if v.memo == nil {
		return false
	}
	list := v.memo.renderings
	for i, kept := range list {
		if reflect.DeepEqual(&kept.inputs, in) {
			copy(list[1:i+1], list[:i])
			list[0] = kept
			v.kept, v.render, v.placement = kept, kept.rendering, kept.placement
			return true
		}
	}
	return false
}

// keep remembers the rendering that was just made.
func (v *view) keep(in renderInputs) {
	v.kept = &keptRendering{inputs: in, rendering: v.render, placement: v.placement}
	if v.memo != nil {
		list := append([]*keptRendering{v.kept}, v.memo.renderings...)
		v.memo.renderings = list[:min(len(list), keptRenderings)]
	}
}

// wanted returns the slot's DaemonSet as it is to be. It belongs to the memo, and is for comparing only: what is written is rendered anew.
func (v *view) wanted(slot model.Slot, owns bool) *keptSlot {
	kept := &v.kept.slots[boolToInt(slot == model.Green)][boolToInt(owns)]
	if kept.want == nil {
		kept.want = v.render.Slot(slot, owns)
	}
	return kept
}

// covers tells whether the live spec says all that the slot's is to say. Only what was covered is remembered: drift is
// repaired, and does not last.
func (k *keptSlot) covers(live *appsv1.DaemonSet) bool {
	for _, known := range k.covered {
		if known != nil && (known == live || reflect.DeepEqual(&known.Spec, &live.Spec)) {
			return true
		}
	}
	if !step.Covers(&live.Spec, &k.want.Spec) {
		return false
	}
	k.covered[1], k.covered[0] = k.covered[0], live
	return true
}

// nodeInputs is all that a node's report and proposal are made from, beyond the node itself, its Pods, what is issued, and the
// time. What a proposal reads must stand here.
type nodeInputs struct {
	settings nodeSettings
	slots    [2]slotInputs
}

type nodeSettings struct {
	keys      model.Keys
	spec      model.Spec
	executor  model.Executor
	otherPods model.OtherPods
	rendering *Rendering
	settle    time.Duration
	direction direction
	record    record
}

// slotInputs are of the DaemonSet its namespace, UID and spec alone, and when that was written.
type slotInputs struct {
	set      *appsv1.DaemonSet
	revision string
	edited   model.EditedGenerations
	written  time.Time
}

func (s *slotInputs) same(o *slotInputs) bool {
	return s.revision == o.revision && s.written.Equal(o.written) && slices.Equal(s.edited, o.edited) && (s.set == o.set || s.set != nil && o.set != nil &&
		s.set.Namespace == o.set.Namespace && s.set.UID == o.set.UID && reflect.DeepEqual(&s.set.Spec, &o.set.Spec))
}

func (in *nodeInputs) same(o *nodeInputs) bool {
	return in.settings.rendering == o.settings.rendering && in.slots[0].same(&o.slots[0]) && in.slots[1].same(&o.slots[1]) &&
		reflect.DeepEqual(&in.settings, &o.settings)
}

// nodeInputs collects what the nodes are judged by.
func (v *view) nodeInputs() nodeInputs {
	status := &v.rollout.Status
	in := nodeInputs{settings: nodeSettings{
		keys: v.keys, spec: v.rollout.Spec, executor: status.Executor, otherPods: status.OtherPods,
		rendering: v.render, settle: v.settle, direction: v.direction, record: v.pair.record,
	}}
	for i := range v.pair.slots {
		view := &v.pair.slots[i]
		in.slots[i] = slotInputs{set: view.set, revision: view.revision, edited: view.edited}
		if view.set != nil {
			in.slots[i].written, _ = step.WrittenAt(&v.keys, view.set)
		}
	}
	return in
}

// recallNodes returns what is known of the nodes from earlier plans; nil without a memo.
func (v *view) recallNodes() *step.NodeMemo {
	if v.memo == nil {
		return nil
	}
	in := v.nodeInputs()
	same := v.canary == nil && v.memo.inputs.same(&in) // a canary looks at each of its nodes
	v.memo.inputs = in
	v.memo.nodes.Follow(v.cluster, v.now, same, v.issuedNodes)
	return &v.memo.nodes
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
