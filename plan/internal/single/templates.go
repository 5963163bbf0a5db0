package single

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// writeTemplate writes a template with all that belongs to it: its revision, the state, and the template to go back to. The
// native controller never meets a template that is not its to roll: it is stopped before one that is rolled delete-first, in a
// write of its own, and seen, and while the rollout is paused; while it is stopped it is started again only after the template.
func (c *course) writeTemplate(reason model.Reason, revision string, template *corev1.PodTemplateSpec, change func(*model.State)) {
	spec := c.live.set.Spec.DeepCopy()
	if revision == c.render.Revision {
		spec = c.render.prepared.Spec.DeepCopy()
	}
	spec.Template = *template.DeepCopy()
	set := &appsv1.DaemonSet{ObjectMeta: c.live.set.ObjectMeta, Spec: *spec}
	first := !c.surges() || c.survey.Account.Charged() > c.Limits.Unavailable || !c.coexists(set)
	spec.UpdateStrategy = c.strategyFor(first || c.live.onDelete() || c.strategy.Paused)
	if !sameStrategy(&c.live.set.Spec.UpdateStrategy, &spec.UpdateStrategy) {
		c.writeStrategy(spec.UpdateStrategy)
		return
	}
	notes := c.notes()
	notes.NoteRevision(&c.keys, c.live.set, template)
	kept := c.formerTemplate()
	c.noteState(&notes, func(s *model.State) {
		s.Proven, s.HandedOver = "", nil
		change(s)
		s.DeleteFirst = c.surges() && first
		if s.Return != nil {
			kept = nil
		}
	})
	notes.SetOrRemove(c.keys.Source, kept.text())
	c.writeSpec(spec, &notes, reason)
}

// formerTemplate is what to go back to from the template that comes now: the present one where it is proven, else the one that
// is kept already; nil for none.
func (v *view) formerTemplate() *source {
	if v.live.hasTarget() && !v.live.proven() {
		return v.live.source
	}
	return &source{Revision: v.live.revision, Template: v.live.set.Spec.Template}
}

// writeStrategy writes the native strategy alone. With OnDelete the controller keeps the older of two Pods on a node: where
// only the younger serves, the older one goes first.
func (c *course) writeStrategy(strategy appsv1.DaemonSetUpdateStrategy) {
	reason := model.SurgeEnabled
	spec := c.live.set.Spec.DeepCopy()
	if spec.UpdateStrategy = strategy; strategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		reason = model.NativeStopped
		if alone := c.survey.Count.Of(onlyNewServes); alone > 0 {
			c.awaitOld(fmt.Sprintf("the native controller is stopped once the old Pods are gone beside which the new ones serve alone: %s", step.Counted(alone, "node", "nodes")))
			return
		}
	} else {
		spec.MinReadySeconds = max(spec.MinReadySeconds, *c.strategy.SettleSeconds)
	}
	notes := c.notes()
	c.writeSpec(spec, &notes, reason)
}

// awaitOld waits for the native controller to delete old Pods beside which the new ones serve alone, since the last of those became Ready. Where a
// write can wake the controller that comes first.
func (c *course) awaitOld(text string) {
	since := time.Time{}
	for i := range c.cluster.Len() {
		if f := c.look(i); f.old.Live != nil && f.fresh.ready && !f.old.ready {
			_, ready := model.ReadySince(f.fresh.Live)
			since = step.Later(since, ready)
		}
	}
	if c.survey.Count.Of(rests) > 0 {
		since = time.Time{}
	}
	c.Await(c.limit(), since, model.WaitingForPodsToEnd, text, func(lasted string) *step.BlockedError {
		return step.Block(model.ControllerRests, fmt.Sprintf("%s, and the DaemonSet controller has left them for %s: delete them, or look whether kube-controller-manager runs", text, lasted))
	})
}

// stopped tells whether the native controller must not surge now.
func (c *course) stopped() bool {
	return c.deletesFirst(&c.live.record) || c.strategy.Paused || c.strategy.Frozen || c.lost || c.Phase == model.PhaseHeld
}

// keepStrategy keeps the native strategy as it is to be now.
func (c *course) keepStrategy() bool {
	want := c.strategyFor(c.stopped())
	if sameStrategy(&c.live.set.Spec.UpdateStrategy, &want) {
		return false
	}
	c.writeStrategy(want)
	return true
}

// keep puts right what a hand edit left: the strategy, and what the spec does not say any more.
func (c *course) keep() bool {
	if c.keepStrategy() || c.superseded() || c.strategy.Paused {
		return c.Writing
	}
	want := c.render.Set()
	want.Spec.UpdateStrategy = c.live.set.Spec.UpdateStrategy
	if step.Covers(&c.live.set.Spec, &want.Spec) {
		if action, any := step.AlignMetadata(c.live.set, want, model.SlotDrifted); any && c.rollout.Spec.Desired != nil {
			c.write(action)
		}
		return c.Writing
	}
	notes := c.notes()
	notes.NoteRevision(&c.keys, c.live.set, &want.Spec.Template)
	c.writeSpec(&want.Spec, &notes, model.SlotDrifted)
	return true
}

// write adds a request that nodes hold still for until its effect is seen.
func (c *course) write(action model.Action) {
	c.Add(action)
	c.Writing = true
}

// writeSpec writes the spec with the notes, and which generation that makes: from then on the controller is awaited.
func (c *course) writeSpec(spec *appsv1.DaemonSetSpec, notes *step.Edits, reason model.Reason) {
	notes.NoteWritten(&c.keys, c.live.set, c.now)
	c.write(step.UpdateSet(c.live.set, spec, notes, reason))
}

// notes are the DaemonSet's annotations, to be edited.
func (v *view) notes() step.Edits { return step.Edits{Live: v.live.set.Annotations} }

// changedState is the state as it is to be, under the next sequence, which the notes write.
func (v *view) changedState(notes *step.Edits, change func(*model.State)) *model.State {
	state := v.live.state
	state.Sequence++
	change(&state)
	notes.Set(v.keys.State, state.Text())
	return &state
}

// noteState edits the state: it is the record as the plan leaves it. The nodes that are served again leave the record of emptied ones.
func (c *course) noteState(notes *step.Edits, change func(*model.State)) {
	c.Record = c.changedState(notes, change)
	notes.SetOrRemove(c.keys.Emptied, c.live.emptied.Next(c.emptiedOver, nil).Text())
}

// advance writes a changed state before anything else is done.
func (c *course) advance(reason model.Reason, change func(*model.State)) {
	notes := c.notes()
	c.noteState(&notes, change)
	c.write(step.RecordState(c.live.set, notes.List, reason))
}
