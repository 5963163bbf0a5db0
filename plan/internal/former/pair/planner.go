// Package pair plans the prepared blue-green pair: two OnDelete DaemonSets, of which the next revision
// prepares beside the serving one.
//
// One step goes from top to bottom: observe both slots and their record (observe.go), choose the direction
// (journey.go), read every node's facts (node.go) and propose at most one move for it (propose.go, between.go, deadline.go), let what was
// recorded change where the nodes show that it must (transition.go), admit moves within the four limits (admit.go),
// and finish with conditions (finish.go). What concerns a DaemonSet as a whole stands in lifecycle.go (install, arm,
// recreate), upkeep.go (templates and ownership) and leave.go (opt-out, teardown). What is kept from one plan to the next,
// and taken over where nothing has changed, stands in memo.go and tally.go.
package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// planner is one planning step.
type planner struct {
	cluster  *model.Cluster
	rollout  *model.Rollout
	keys     model.Keys
	settings model.SlotSettings
	now      time.Time
	executor model.Executor
	owner    types.UID
	plan     model.Plan

	// blue is the name of the rendered DaemonSet, and live its settings-defaulted rendering; nil if refused.
	blue, green string
	render      *Rendering
	refused     *blocked
	// refusal are the template's refusals, if there are any.
	refusal error

	pair      pairView
	journey   journey
	placement *step.Placement
	clock     step.Clock
	// locks is what the destination's template locks, once it was asked for.
	locks *lockspec.Wrapping

	// issuedNodes are nodes with an action whose effect does not show yet, and issuedCost what they cost.
	issuedNodes map[int]bool
	issuedCost  map[int]model.Cost
	// issuedSlot says that a write on a DaemonSet or the owner is under way.
	issuedSlot bool
	// changing says that this plan writes a DaemonSet or the record: nodes hold still until that is seen.
	changing bool
	// standing is a cause for which nothing goes on by itself, though nothing is refused.
	standing *blocked
	// hold is why no handoff and no overlap may be admitted; empty if they may.
	hold model.Reason

	// memo is what earlier plans have left, kept the rendering's part of it, and repeats the nodes that were taken over.
	memo    *Memo
	kept    *keptRendering
	repeats repeats

	account budget.Account
	survey  survey
	// canary holds the rollout until it is validated; nil if there is none.
	canary *canary
	// watched is what the nodes of such a canary show.
	watched   canaryView
	proposals []nodeProposal
}

// Plan plans one step of the pair. The rollout must be valid and have its defaults. The memo may be nil.
func Plan(snapshot *model.Snapshot, memo *Memo) model.Plan {
	p := newPlanner(snapshot, memo)
	p.run()
	return p.finish()
}

// Rendered returns the rendering of what the snapshot's rollout desires, and the slot that owns unlabelled nodes. The
// error is a *step.BlockedError.
func Rendered(snapshot *model.Snapshot) (*Rendering, model.Slot, error) {
	p := newPlanner(snapshot, nil)
	switch {
	case p.refused != nil:
		return nil, model.NoSlot, step.BlockFor(p.refused.reason, p.refused.message, p.refusal)
	case p.render == nil:
		return nil, model.NoSlot, step.Block(model.DesiredMissing, "a teardown renders nothing")
	}
	owner := p.pair.record.active
	if owner == model.NoSlot {
		owner = model.Blue
	}
	return p.render, owner, nil
}

func newPlanner(snapshot *model.Snapshot, memo *Memo) *planner {
	rollout := snapshot.Rollout
	p := &planner{
		memo:    memo,
		cluster: snapshot.Cluster, rollout: rollout, now: snapshot.Now(), executor: rollout.Status.Executor,
		plan: model.Plan{Namespace: rollout.Metadata.Namespace, Name: rollout.Metadata.Name, ObservedAt: rollout.Status.ObservedAt},
	}
	p.clock.Now = p.now
	desired := p.resolveNames()
	p.issuedNodes, p.issuedCost, p.issuedSlot = step.Issued(p.cluster, rollout.Status.Issued)
	p.pairRefused(desired)
	p.renderDesired(desired)
	if p.placement == nil {
		p.placeDeployed()
	}
	if p.placement == nil && desired != nil {
		p.placement, _ = step.NewPlacement(&desired.Spec.Template) // nil where it cannot be judged
	}
	p.clock.Settle = p.settleTime()
	return p
}

// settleTime is how long a Pod must be Ready to count as available: max(minReadySeconds, settleSeconds).
func (p *planner) settleTime() time.Duration {
	seconds := *p.rollout.Spec.Strategy.SettleSeconds
	switch {
	case p.render != nil:
		seconds = max(seconds, p.render.prepared.Spec.MinReadySeconds)
	case p.pair.slot(p.pair.record.active).set != nil:
		seconds = max(seconds, p.pair.slot(p.pair.record.active).set.Spec.MinReadySeconds)
	}
	return time.Duration(seconds) * time.Second
}

// placeDeployed compiles the placement of what is deployed, for plans that have no rendering.
func (p *planner) placeDeployed() {
	for _, slot := range [...]model.Slot{p.pair.record.active, p.pair.record.active.Other()} {
		if set := p.pair.slot(slot).set; set != nil && p.placement == nil {
			template := set.Spec.Template.DeepCopy()
			withdrawSlot(&template.Spec, p.keys.NodeSlot)
			p.placement, _ = step.NewPlacement(template)
		}
	}
}

// resolveNames finds the DaemonSet that the rollout speaks of, and with it names, keys and the owner.
func (p *planner) resolveNames() *appsv1.DaemonSet {
	spec := &p.rollout.Spec
	desired := spec.Desired
	namespace := p.rollout.Metadata.Namespace
	p.blue = p.rollout.Metadata.Name
	switch {
	case desired != nil:
		p.blue = desired.Name
	case spec.DesiredFrom != nil:
		p.blue = spec.DesiredFrom.Name
	}
	live := p.cluster.DaemonSet(namespace, p.blue)
	naming := desired
	if naming == nil {
		naming = live
	}
	if naming == nil {
		naming = &appsv1.DaemonSet{}
	}
	p.settings = slotSettings(p.rollout, naming)
	p.green = slotName(p.blue, model.Green, p.settings)
	p.keys = model.NewKeys(p.settings.Domain, namespace, p.rollout.Metadata.Name)
	p.owner = p.ownerUID(desired, live)
	return desired
}

// ownerUID is the settings' UID, else the controller of the desired or the deployed DaemonSet.
func (p *planner) ownerUID(desired, live *appsv1.DaemonSet) types.UID {
	if p.rollout.Metadata.UID != "" {
		return p.rollout.Metadata.UID
	}
	for _, set := range []*appsv1.DaemonSet{desired, live, p.cluster.DaemonSet(p.rollout.Metadata.Namespace, p.green)} {
		if set != nil {
			if uid := model.ControllerUID(set); uid != "" {
				return uid
			}
		}
	}
	return ""
}

// pairRefused reads the pair and keeps the cause if it cannot be worked with.
func (p *planner) pairRefused(desired *appsv1.DaemonSet) {
	p.pair, p.refused = observePair(p.cluster, p.rollout, p.owner, p.blue, p.green, p.keys)
	if p.refused != nil {
		return
	}
	if desired != nil && model.ControllerUID(desired) != p.owner {
		p.refused = &blocked{model.ForeignDaemonSet, step.NotOwnersText(desired, &p.rollout.Metadata, p.owner)}
		return
	}
	blue := p.pair.slot(model.Blue).set
	if desired != nil && blue != nil && p.rollout.Spec.Intent == model.Run && !step.Covers(&blue.Spec.Selector, &desired.Spec.Selector) {
		p.refused = &blocked{model.SelectorChanged, fmt.Sprintf("the selector of DaemonSet %s is immutable and differs from the desired one: keep the selector, or tear the rollout down first", p.blue)}
	}
}

// renderDesired renders what is to run. A template that cannot be protected is a refusal, not an error.
func (p *planner) renderDesired(desired *appsv1.DaemonSet) {
	if p.rollout.Spec.Intent == model.Teardown || p.tearing() {
		return
	}
	inputs := p.renderInputs()
	if p.recall(&inputs) {
		p.plan.Revision = p.render.Revision
		return
	}
	base := desired
	if desired == nil {
		var refusal *blocked
		if base, refusal = p.desiredFromDeployed(); refusal != nil {
			p.refuse(refusal)
			return
		}
	}
	rendering, err := p.renderBase(base)
	if err != nil {
		p.refusal = err
		p.refuse(&blocked{model.TemplateRefused, err.Error()})
		return
	}
	p.render = rendering
	p.plan.Revision = rendering.Revision
	if p.placement, err = step.NewPlacement(rendering.Template()); err != nil {
		p.refuse(&blocked{model.TemplateRefused, err.Error()})
		p.render = nil
		return
	}
	p.keep(inputs)
}

// refuse keeps the first cause: what is wrong with the pair comes before what is wrong with the template.
func (p *planner) refuse(cause *blocked) {
	if p.refused == nil {
		p.refused = cause
	}
}

// desiredFromDeployed takes the deployed template, with the images of the settings.
func (p *planner) desiredFromDeployed() (base *appsv1.DaemonSet, refusal *blocked) {
	slot := p.pair.record.active
	view := p.pair.slot(slot)
	if view.set == nil {
		slot = slot.Other()
		view = p.pair.slot(slot)
	}
	if view.set == nil {
		return nil, &blocked{model.DesiredMissing, fmt.Sprintf("DaemonSet %s/%s is not in the snapshot: spec.desiredFrom names a deployed one; give spec.desired, or add it to the dump", p.rollout.Metadata.Namespace, p.blue)}
	}
	live := deployed(view.set, slot, p.blue, p.settings, p.keys)
	base, missing := step.WithImages(live, p.rollout.Spec.DesiredFrom)
	if missing != "" {
		return nil, &blocked{model.DesiredMissing, missing}
	}
	return base, nil
}

// renderBase renders the desired DaemonSet. One that is made from the deployed one and says what a slot's template says
// has that slot's revision: what the API server filled in is no new revision.
func (p *planner) renderBase(base *appsv1.DaemonSet) (*Rendering, error) {
	if p.rollout.Spec.Desired != nil {
		return Render(p.rollout, base, p.handsBack())
	}
	r, err := prepare(p.rollout, base, false)
	if err != nil {
		return nil, err
	}
	bare := deployed(r.prepared, model.Blue, p.blue, p.settings, p.keys)
	for _, slot := range model.Slots() {
		view := p.pair.slot(slot)
		if view.set == nil || view.revision == "" {
			continue
		}
		live := deployed(view.set, slot, p.blue, p.settings, p.keys)
		if step.Covers(&live.Spec.Template, &bare.Spec.Template) && step.Covers(&bare.Spec.Template, &live.Spec.Template) {
			r.identify(view.revision)
			return r, nil
		}
	}
	return Render(p.rollout, base, false)
}

// handsBack tells whether the desired revision is the one that hands back to blue for opt-out.
func (p *planner) handsBack() bool {
	return p.rollout.Spec.Intent == model.OptOut && p.pair.initialized() &&
		(p.pair.record.active == model.Green || p.pair.slot(model.Blue).disabled(p.keys))
}

// disabled tells whether the slot's template carries the opt-out mark.
func (v *slotView) disabled(keys model.Keys) bool {
	return v.set != nil && v.set.Spec.Template.Annotations[keys.Disable] != ""
}

// tearing tells whether the owner's cleanup annotation forces a teardown.
func (p *planner) tearing() bool { return p.rollout.Metadata.Annotations[p.keys.Cleanup] != "" }
