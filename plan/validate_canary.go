package plan

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
)

// canarySeen is the canary by the record and the settings alone: the validator's own account of it.
type canarySeen struct {
	// holds says that a canary is asked for and the recorded target's is not validated; halted that it is paused or failed.
	holds, halted bool
	// size is the most nodes that it may have, fitting the eligible ones that the target is not too big for.
	size, fitting int
	// served are nodes labelled target that the exact target serves.
	served int
}

// seeCanary reads the settings and the record. What the record does not know is not validated.
func (v *validation) seeCanary() {
	if v.rollout.Spec.Strategy.Canary == nil || v.home || v.rollout.Spec.Intent != model.Run {
		return
	}
	v.canary.holds = true
	if c := v.state.Canary; c != nil && c.Revision == v.targetRevision {
		v.canary.holds = c.Verdict != model.CanaryIsValidated
		v.canary.halted = c.Verdict == model.CanaryIsPaused || c.Verdict == model.CanaryHasFailed
	}
}

// countCanary counts one node.
func (v *validation) countCanary(s *sight) {
	if !v.canary.holds || !s.eligible {
		return
	}
	if s.label.Kind != model.Unlabelled && s.only(v.to) && s.exact[v.to-1] {
		v.canary.served++
	}
	if v.fitsAtAll(s.node) {
		v.canary.fitting++
	}
}

func (v *validation) fitsAtAll(node *corev1.Node) bool {
	set := v.slot(v.to).set
	if set == nil {
		return true
	}
	for _, short := range capacity.Fit(&corev1.Pod{Spec: set.Spec.Template.Spec}, node, nil) {
		if short.Kind == capacity.ShortResource && short.AboveAllocatable {
			return false
		}
	}
	return true
}

// limitCanary lowers the cohort to the canary's size.
func (v *validation) limitCanary() {
	if !v.canary.holds {
		return
	}
	v.canary.size = v.rollout.Spec.Strategy.Canary.Size(v.ledger.Eligible)
	v.limits.Cohort = min(v.limits.Cohort, v.canary.size)
}

// spares: a paused or failed canary begins nothing, and takes no node from its source.
func (v *validation) spares(k int, node string, what string) {
	if v.canary.holds && v.canary.halted && !v.home {
		v.say(Cohort, k, node, "%s while the canary is %s", what, v.state.Canary.Verdict)
	}
}

// rules judges what a write of the record decides of the canary: it is validated by a person, or by its time with every
// node of it served; and what is validated or failed stays so.
func (v *validation) rules(k int, a *model.Action) {
	if !v.canary.holds || a.Write.Patch == nil {
		return
	}
	for i := range a.Write.Patch.Annotations {
		edit := &a.Write.Patch.Annotations[i]
		if edit.Key != v.keys.State || edit.To == nil {
			continue
		}
		next, err := model.ParseState(*edit.To)
		if err != nil {
			v.say(Form, k, "", "the state is not readable: %v", err)
			continue
		}
		if next.Sequence <= v.state.Sequence || next.Canary == nil || next.Canary.Verdict == v.verdict() {
			continue
		}
		if next.Canary.Verdict == model.CanaryIsValidated {
			v.mayValidate(k)
		} else if v.verdict() == model.CanaryHasFailed {
			v.say(Cohort, k, "", "the canary has failed and would be %q again", next.Canary.Verdict)
		}
	}
}

func (v *validation) verdict() model.CanaryVerdict {
	if v.state.Canary == nil || v.state.Canary.Revision != v.targetRevision {
		return model.CanaryRuns
	}
	return v.state.Canary.Verdict
}

func (v *validation) mayValidate(k int) {
	d, c := &v.rollout.Spec.Decision, v.rollout.Spec.Strategy.Canary
	if v.verdict() == model.CanaryHasFailed {
		v.say(Cohort, k, "", "a failed canary would be validated")
		return
	}
	if d.Revision == v.targetRevision && d.Canary == model.PromoteCanary {
		return
	}
	wanted := max(1, min(v.canary.fitting, v.limits.Cohort))
	switch {
	case v.canary.halted || c.ValidationMode != model.CanaryAuto:
		v.say(Cohort, k, "", "the canary is %q in mode %s, and nobody has promoted it", v.verdict(), c.ValidationMode)
	case v.state.Canary == nil || v.now.Before(v.state.Canary.Begun.Add(c.Duration.Duration)):
		v.say(Cohort, k, "", "the canary's duration of %s is not over", c.Duration.Duration)
	case v.canary.served < wanted || v.canary.served < v.offRoute:
		v.say(Cohort, k, "", "%d nodes are served by the target, the canary has %d and is to have %d", v.canary.served, v.offRoute, wanted)
	}
	last, quiet := v.state.Canary, c.NoRestartsDuration
	if quiet != nil && last != nil && last.LastRestart != nil && v.now.Before(last.LastRestart.Add(quiet.Duration)) {
		v.say(Cohort, k, "", "the last restart at %s is not %s ago", last.LastRestart.UTC(), quiet.Duration)
	}
}
