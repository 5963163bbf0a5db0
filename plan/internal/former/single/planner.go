package single

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// planner is one planning step.
type planner struct {
	cluster  *model.Cluster
	rollout  *model.Rollout
	strategy *model.Strategy
	keys     model.Keys
	now      time.Time
	executor model.Executor
	owner    types.UID
	plan     model.Plan

	// name of the DaemonSet; live is what the snapshot shows of it, render what is to run, nil if refused.
	name    string
	live    view
	render  *Rendering
	refused *step.BlockedError

	placement *step.Placement
	clock     step.Clock
	beside    besides

	// issuedNodes are nodes with an action whose effect does not show yet, and issuedCost what they cost; issuedSet says that
	// a write on the DaemonSet or the owner is under way.
	issuedNodes map[int]bool
	issuedCost  map[int]model.Cost
	issuedSet   bool
	// changing says that this plan writes the DaemonSet: nodes hold still until that is seen.
	changing bool
	// lost says that more nodes are unavailable than a native surge may be let loose on.
	lost bool
	// hold is why no deletion that takes a seat may be admitted; empty if they may.
	hold model.Reason

	// memo is what earlier plans have left.
	memo      *Memo
	account   budget.Account
	survey    survey
	proposals []nodeProposal
}

// Plan plans one step. The rollout must be valid and have its defaults, and its strategy be Surge or RollingUpdate. The memo may
// be nil.
func Plan(snapshot *model.Snapshot, memo *Memo) model.Plan {
	p := newPlanner(snapshot, memo)
	p.run()
	return p.finish()
}

// Rendered returns what the snapshot's rollout desires as it would be written. The error is a *step.BlockedError.
func Rendered(snapshot *model.Snapshot) (*Rendering, error) {
	p := newPlanner(snapshot, nil)
	switch {
	case p.refused != nil:
		return nil, p.refused
	case p.render == nil:
		return nil, step.Block(model.DesiredMissing, "a teardown renders nothing")
	}
	return p.render, nil
}

func newPlanner(snapshot *model.Snapshot, memo *Memo) *planner {
	rollout := snapshot.Rollout
	p := &planner{
		memo:    memo,
		cluster: snapshot.Cluster, rollout: rollout, strategy: &rollout.Spec.Strategy,
		now: snapshot.Now(), executor: rollout.Status.Executor,
		keys: model.NewKeys(rollout.Spec.Slots.Domain, rollout.Metadata.Namespace, rollout.Metadata.Name),
		plan: model.Plan{Namespace: rollout.Metadata.Namespace, Name: rollout.Metadata.Name, ObservedAt: rollout.Status.ObservedAt},
	}
	p.clock.Now = p.now
	p.name = nameOf(rollout)
	set := p.cluster.DaemonSet(rollout.Metadata.Namespace, p.name)
	p.owner = ownerOf(rollout, set)
	p.issuedNodes, p.issuedCost, p.issuedSet = step.Issued(p.cluster, rollout.Status.Issued)
	p.live, p.refused = p.observe(set)
	p.renderDesired()
	p.place()
	return p
}

// nameOf is the name of the DaemonSet that the rollout speaks of.
func nameOf(rollout *model.Rollout) string {
	switch spec := &rollout.Spec; {
	case spec.Desired != nil:
		return spec.Desired.Name
	case spec.DesiredFrom != nil:
		return spec.DesiredFrom.Name
	}
	return rollout.Metadata.Name
}

// ownerOf is the settings' UID, else the controller of the desired or the deployed DaemonSet.
func ownerOf(rollout *model.Rollout, live *appsv1.DaemonSet) types.UID {
	if rollout.Metadata.UID != "" {
		return rollout.Metadata.UID
	}
	for _, set := range [...]*appsv1.DaemonSet{rollout.Spec.Desired, live} {
		if set == nil {
			continue
		}
		if uid := model.ControllerUID(set); uid != "" {
			return uid
		}
	}
	return ""
}

// surges tells whether the strategy is Surge, and locked whether its Pods wait behind locks.
func (p *planner) surges() bool { return p.strategy.Type == model.Surge }

func (p *planner) locked() bool { return p.surges() && p.strategy.Overlap == model.Locked }

// place compiles where Pods should run, by the template that the controller goes by, and how long one is Ready before it
// counts: max(minReadySeconds, settleSeconds).
func (p *planner) place() {
	settle := *p.strategy.SettleSeconds
	set := p.live.set
	if set == nil && p.render != nil {
		set = p.render.prepared
	}
	if set != nil {
		settle = max(settle, set.Spec.MinReadySeconds)
		p.placement = p.placementOf(set)
	}
	p.clock.Settle = time.Duration(settle) * time.Second
}

// renderDesired renders what is to run. A template that cannot be rolled out is a refusal, not an error.
func (p *planner) renderDesired() {
	if p.rollout.Spec.Intent == model.Teardown || p.tearing() {
		return
	}
	base, refusal := p.desired()
	if refusal != nil {
		p.refuse(refusal)
		return
	}
	rendering, err := p.rendered(base)
	if err != nil {
		p.refuse(step.BlockFor(model.TemplateRefused, err.Error(), err))
		return
	}
	p.render = rendering
	p.plan.Revision = rendering.Revision
}

// desired is the conventional DaemonSet that is to run.
func (p *planner) desired() (*appsv1.DaemonSet, *step.BlockedError) {
	if desired := p.rollout.Spec.Desired; desired != nil {
		switch {
		case model.ControllerUID(desired) != p.owner:
			return nil, step.Block(model.ForeignDaemonSet, step.NotOwnersText(desired, &p.rollout.Metadata, p.owner))
		case p.live.set != nil && p.rollout.Spec.Intent == model.Run && !step.Covers(&p.live.set.Spec.Selector, &desired.Spec.Selector):
			return nil, step.Block(model.SelectorChanged, fmt.Sprintf("the selector of DaemonSet %s is immutable and differs from the desired one: keep the selector, or tear the rollout down first", p.name))
		}
		return desired, nil
	}
	if p.live.set == nil {
		return nil, step.Block(model.DesiredMissing, fmt.Sprintf("DaemonSet %s/%s is not in the snapshot: spec.desiredFrom names a deployed one; give spec.desired, or add it to the dump", p.rollout.Metadata.Namespace, p.name))
	}
	base, missing := step.WithImages(p.deployed(), p.rollout.Spec.DesiredFrom)
	if missing != "" {
		return nil, step.Block(model.DesiredMissing, missing)
	}
	return base, nil
}

// refuse keeps the first cause: what is wrong with the DaemonSet comes before what is wrong with the template.
func (p *planner) refuse(cause *step.BlockedError) {
	if p.refused == nil {
		p.refused = cause
	}
}

// tearing tells whether the owner's cleanup annotation forces a teardown.
func (p *planner) tearing() bool { return p.rollout.Metadata.Annotations[p.keys.Cleanup] != "" }
