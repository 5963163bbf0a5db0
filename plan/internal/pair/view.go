package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// view is what the snapshot shows, and what follows from that without a look at a node. No later stage writes it.
type view struct {
	cluster  *model.Cluster
	rollout  *model.Rollout
	keys     model.Keys
	settings model.SlotSettings
	now      time.Time
	executor model.Executor
	owner    types.UID

	// blue and green are the names of the DaemonSets, render is what they are to be; nil if that is refused.
	blue, green string
	render      *Rendering
	// revision is that of what is desired, though it may be refused for where it is to run.
	revision string
	refused  *step.BlockedError
	// refusal are the template's refusals, if there are any.
	refusal error

	pair pairView
	// identity is what is this rollout's own.
	identity step.Identity
	// life is what the pair's life needs now, and direction where the nodes go.
	life      life
	direction direction
	placement *step.Placement
	// settle is how long a Pod must be Ready to count as available.
	settle time.Duration
	// targetLocks reads, once, what the destination's template locks; nil if the slot is missing.
	targetLocks func() *lockspec.Wrapping
	// grown tells whether the destination's next Pod asks for more than the source's.
	grown func(old *corev1.Pod) bool
	// measured reads, once, the destination's DaemonSet with what its live Pods ask for above the template; nil if the slot is missing.
	measured func() *appsv1.DaemonSet
	// canary holds the rollout until it is validated; nil if there is none.
	canary *canary

	// issuedNodes are nodes with an action whose effect does not show yet, and issuedCost what they cost.
	issuedNodes map[int]bool
	issuedCost  map[int]model.Cost
	// issuedSlot says that a write on a DaemonSet or the owner is under way.
	issuedSlot bool

	// leaves says that an opt-out goes on without what is refused: blue alone serves.
	leaves bool

	// memo is what earlier plans have left, and kept the rendering's part of it.
	memo *Memo
	kept *keptRendering
}

// looksAtNodes tells whether the nodes are judged at all.
func (v *view) looksAtNodes() bool { return v.life != lifeRefused && v.life != lifeTearDown }

// observe reads the snapshot. The memo may be nil.
func observe(snapshot *model.Snapshot, memo *Memo) *view {
	rollout := snapshot.Rollout
	v := &view{memo: memo, cluster: snapshot.Cluster, rollout: rollout, now: snapshot.Now(), executor: rollout.Status.Executor}
	desired := v.resolveNames()
	v.issuedNodes, v.issuedCost, v.issuedSlot = step.Issued(v.cluster, rollout.Status.Issued)
	v.pairRefused(desired)
	v.identify(desired)
	v.renderDesired(desired)
	v.leaveUnread()
	if v.placement == nil {
		v.placeDeployed()
	}
	if v.placement == nil && desired != nil {
		v.placement, _ = step.NewPlacement(&desired.Spec.Template) // nil where it cannot be judged
	}
	v.settle = v.settleTime()
	v.targetLocks = v.readTargetLocks()
	v.life = v.lifeNeeds()
	if v.looksAtNodes() {
		v.direction = directionOf(&v.pair)
		v.measured = v.readMeasured()
		v.grown = step.Grown(v.pair.slot(v.direction.to).set, templateBefore(&v.direction, v.pair.slot(v.direction.from)))
	}
	if v.life == lifePace {
		v.canary = v.canaryThatHolds()
	}
	return v
}

// settleTime is how long a Pod must be Ready to count as available: max(minReadySeconds, settleSeconds).
func (v *view) settleTime() time.Duration {
	seconds := *v.rollout.Spec.Strategy.SettleSeconds
	switch {
	case v.render != nil:
		seconds = max(seconds, v.render.prepared.Spec.MinReadySeconds)
	case v.pair.slot(v.pair.record.active).set != nil:
		seconds = max(seconds, v.pair.slot(v.pair.record.active).set.Spec.MinReadySeconds)
	}
	return time.Duration(seconds) * time.Second
}

// placeDeployed compiles the placement of what is deployed, for plans that have no rendering.
func (v *view) placeDeployed() {
	for _, slot := range [...]model.Slot{v.pair.record.active, v.pair.record.active.Other()} {
		if set := v.pair.slot(slot).set; set != nil && v.placement == nil {
			template := set.Spec.Template.DeepCopy()
			withdrawSlot(&template.Spec, v.keys.NodeSlot)
			v.placement, _ = step.NewPlacement(template)
		}
	}
}

// resolveNames finds the DaemonSet that the rollout speaks of, and with it names, keys and the owner.
func (v *view) resolveNames() *appsv1.DaemonSet {
	spec := &v.rollout.Spec
	desired := spec.Desired
	namespace := v.rollout.Metadata.Namespace
	v.blue = v.rollout.Metadata.Name
	switch {
	case desired != nil:
		v.blue = desired.Name
	case spec.DesiredFrom != nil:
		v.blue = spec.DesiredFrom.Name
	}
	live := v.cluster.DaemonSet(namespace, v.blue)
	v.green = slotName(v.blue, model.Green, spec.Slots)
	v.settings = slotSettings(v.rollout, v.cluster.DaemonSet(namespace, v.green))
	if label := v.settings.SelectorLabel; label != slotSettings(v.rollout, nil).SelectorLabel {
		settled := *v.rollout
		settled.Spec.Slots.SelectorLabel, v.rollout = label, &settled
	}
	v.keys = model.NewKeys(v.settings.Domain, namespace, v.rollout.Metadata.Name)
	v.owner = v.ownerUID(desired, live)
	return desired
}

// ownerUID is the settings' UID, else the controller of the desired or the deployed DaemonSet.
func (v *view) ownerUID(desired, live *appsv1.DaemonSet) types.UID {
	if v.rollout.Metadata.UID != "" {
		return v.rollout.Metadata.UID
	}
	for _, set := range []*appsv1.DaemonSet{desired, live, v.cluster.DaemonSet(v.rollout.Metadata.Namespace, v.green)} {
		if set != nil {
			if uid := model.ControllerUID(set); uid != "" {
				return uid
			}
		}
	}
	return ""
}

// pairRefused reads the pair and keeps the cause if it cannot be worked with.
func (v *view) pairRefused(desired *appsv1.DaemonSet) {
	v.pair, v.refused = observePair(v.cluster, v.rollout, v.owner, v.blue, v.green, v.keys, v.away())
	if v.refused != nil || v.away() {
		return
	}
	if desired != nil && model.ControllerUID(desired) != v.owner {
		v.refused = step.Block(model.ForeignDaemonSet, step.NotOwnersText(desired, &v.rollout.Metadata, v.owner))
		return
	}
	blue := v.pair.slot(model.Blue).set
	if desired != nil && blue != nil && v.rollout.Spec.Intent == model.Run && !step.Covers(&blue.Spec.Selector, &desired.Spec.Selector) {
		v.refused = step.Block(model.SelectorChanged, fmt.Sprintf("the selector of DaemonSet %s is immutable and differs from the desired one: keep the selector, or tear the rollout down first", v.blue))
	}
}

// identify settles what is the rollout's own, and refuses a cluster in which somebody else holds it. A teardown asks for the node key alone:
// it takes nobody's Pods.
func (v *view) identify(desired *appsv1.DaemonSet) {
	v.identity = step.Identity{Keys: &v.keys, Namespace: v.rollout.Metadata.Namespace, Owner: v.owner, Names: []string{v.blue, v.green}, Locks: step.LocksOf(v.rollout)}
	if !v.away() {
		v.identity.Sets = []*appsv1.DaemonSet{v.pair.slot(model.Blue).set, v.pair.slot(model.Green).set}
		if v.identity.Sets[0] == nil {
			v.identity.Sets[0] = desired
		}
	}
	if v.rollout.Spec.DesiredFrom != nil && !v.away() && v.identity.Sets[0] == nil && v.identity.Sets[1] == nil {
		return // a name that is mistyped says nothing of who holds what, and nothing is planned for it
	}
	if cause := v.identity.Strangers(v.cluster); cause != nil {
		v.refuse(cause)
	}
}

// renderDesired renders what is to run. A template that cannot be protected is a refusal, not an error.
func (v *view) renderDesired(desired *appsv1.DaemonSet) {
	if v.away() {
		return
	}
	inputs := v.renderInputs()
	if v.recall(&inputs) {
		if err := v.refuseDesired(v.render.Conventional, nil); err == nil {
			v.revision = v.render.Revision
			return
		}
		v.render, v.placement = nil, nil
	}
	base := desired
	if desired == nil {
		var refusal *step.BlockedError
		if base, refusal = v.desiredFromDeployed(); refusal != nil {
			v.refuse(refusal)
			return
		}
	}
	rendering, err := v.renderBase(base)
	if err = v.refuseDesired(base, err); err != nil {
		v.refusal = err
		v.refuse(step.Block(model.TemplateRefused, err.Error()))
		return
	}
	v.render, v.revision = rendering, rendering.Revision
	if v.placement, err = step.NewPlacement(rendering.Template()); err != nil {
		v.refuse(step.Block(model.TemplateRefused, err.Error()))
		v.render = nil
		return
	}
	v.keep(inputs)
}

// refuseDesired joins what any API server refuses to the error of rendering. Whoever opts out is told that by the server.
func (v *view) refuseDesired(desired *appsv1.DaemonSet, err error) error {
	if v.rollout.Spec.Intent != model.Run {
		return err
	}
	return step.RefuseDesired(v.memo.soundness(), desired, func() (sets []*appsv1.DaemonSet) {
		for _, slot := range model.Slots() {
			if set := v.pair.slot(slot).set; set != nil {
				sets = append(sets, deployed(set, slot, v.blue, v.settings, v.keys))
			}
		}
		return sets
	}, "a pair", err)
}

// refuse keeps the first cause: what is wrong with the pair comes before what is wrong with the template.
func (v *view) refuse(cause *step.BlockedError) {
	if v.refused == nil {
		v.refused = cause
	}
}

// desiredFromDeployed takes the deployed template, with the images of the settings.
func (v *view) desiredFromDeployed() (base *appsv1.DaemonSet, refusal *step.BlockedError) {
	slot := v.pair.record.active
	view := v.pair.slot(slot)
	if view.set == nil {
		slot = slot.Other()
		view = v.pair.slot(slot)
	}
	if view.set == nil {
		return nil, step.Block(model.DesiredMissing, fmt.Sprintf("DaemonSet %s/%s is not in the snapshot: spec.desiredFrom names a deployed one; give spec.desired, or add it to the dump", v.rollout.Metadata.Namespace, v.blue))
	}
	live := deployed(view.set, slot, v.blue, v.settings, v.keys)
	base, missing := step.WithImages(live, v.rollout.Spec.DesiredFrom)
	if missing != "" {
		return nil, step.Block(model.DesiredMissing, missing)
	}
	return base, nil
}

// renderBase renders the desired DaemonSet. What says the same as a slot's template has that slot's revision, where no sum can tell that: what the
// API server filled in is no new revision of a DaemonSet that is made from the deployed one, and another operator's revisions are sums of another
// kind.
func (v *view) renderBase(base *appsv1.DaemonSet) (*Rendering, error) {
	r, err := Render(v.rollout, base, v.rollout.Spec.Desired != nil && v.handsBack())
	if err != nil {
		return nil, err
	}
	for _, slot := range model.Slots() {
		view := v.pair.slot(slot)
		if view.set != nil && v.toldByTemplate(view) && !step.Restarted(v.cluster, view.set, v.keys.Revision) && v.saysSame(r, view.set, slot) {
			r.identify(view.revision)
			break
		}
	}
	return r, nil
}

// toldByTemplate tells whether only the slot's template says what its revision is.
func (v *view) toldByTemplate(view *slotView) bool {
	if v.rollout.Spec.Desired == nil {
		return view.revision != ""
	}
	return view.revision != "" && !step.IsRevision(view.revision) && view.disabled(v.keys) == v.handsBack()
}

// saysSame tells whether the slot's template and the rendered one say the same, but for what is the slot's own.
func (v *view) saysSame(r *Rendering, live *appsv1.DaemonSet, slot model.Slot) bool {
	bare, deployed := deployed(r.prepared, model.Blue, v.blue, v.settings, v.keys), deployed(live, slot, v.blue, v.settings, v.keys)
	for _, key := range v.settings.TemplateHashAnnotations {
		delete(deployed.Spec.Template.Annotations, key)
	}
	return step.Covers(&deployed.Spec.Template, &bare.Spec.Template) && step.Covers(&bare.Spec.Template, &deployed.Spec.Template)
}

// handsBack tells whether the desired revision is the one that hands back to blue for opt-out.
func (v *view) handsBack() bool {
	return v.rollout.Spec.Intent == model.OptOut && v.pair.initialized() &&
		(v.pair.record.active == model.Green || v.pair.slot(model.Blue).disabled(v.keys))
}

// disabled tells whether the slot's template carries the opt-out mark.
func (v *slotView) disabled(keys model.Keys) bool {
	return v.set != nil && v.set.Spec.Template.Annotations[keys.Disable] != ""
}

// away tells whether the pair is taken away, and nothing else.
func (v *view) away() bool { return v.rollout.Spec.Intent == model.Teardown || v.tearing() }

// tearing tells whether the owner's cleanup annotation forces a teardown.
func (v *view) tearing() bool { return v.rollout.Metadata.Annotations[v.keys.Cleanup] != "" }
