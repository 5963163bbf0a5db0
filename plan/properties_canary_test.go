package plan_test

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// canaryGame draws a pair with a canary, short enough that a game lives through the whole of it.
func canaryGame(d dice) setting {
	s := pairOf(pick(d, "overlap", model.Locked, model.Never))(d)
	s.strategy.Partition = nil
	s.strategy.MaxUnavailable = number(2)
	canary := &model.Canary{
		Replicas: number(1 + d.roll("replicas", 2)), ValidationMode: pick(d, "mode", model.CanaryAuto, model.CanaryAuto, model.CanaryAuto, model.CanaryManual),
		AutoPause: &model.AutoPause{}, AutoFail: &model.AutoFail{},
	}
	if canary.ValidationMode == model.CanaryAuto {
		canary.Duration = &metav1.Duration{Duration: pick(d, "duration", 30*time.Second, 45*time.Second, 90*time.Second)}
		canary.NoRestartsDuration = &metav1.Duration{Duration: pick(d, "quiet", 0, time.Minute, 3*time.Minute)}
	}
	if d.roll("patient", 2) == 1 {
		no := false
		canary.AutoPause.Enabled = &no
	}
	if d.roll("timeout", 3) == 0 {
		canary.AutoFail.CanaryTimeout = &metav1.Duration{Duration: 5 * time.Minute}
	}
	s.strategy.Canary = canary
	return s
}

// drawVerdict lets a person decide of the canary, or take the decision back.
func (c *chaos) drawVerdict() {
	verb := pick(c.dice, "verb", "", model.PauseCanary, model.PauseCanary, model.ResumeCanary, model.PromoteCanary, model.FailCanary)
	c.rollout.Spec.Decision = model.Decision{}
	if revision := c.last.Pair.TargetRevision; revision != "" && verb != "" {
		c.rollout.Spec.Decision = model.Decision{Revision: revision, Canary: verb}
	}
	c.note("a person decides %q", c.rollout.Spec.Decision.Canary)
}

// drawRestart crashes a container on a node of the canary, and lets it come back.
func (c *chaos) drawRestart() {
	var nodes []string
	for i := range c.last.Nodes {
		if r := &c.last.Nodes[i]; c.last.Canary != nil && r.Stage != model.StageSource {
			nodes = append(nodes, r.Node)
		}
	}
	c.draw(func(t world.Transition) bool { return t.Kind == world.Crash && slices.Contains(nodes, t.Node) })
	c.rest()
}

// toTheCanarysEnd lets the last canary end by itself.
func toTheCanarysEnd(c *chaos) {
	canary := *c.rollout.Spec.Strategy.Canary
	canary.ValidationMode, canary.Duration = model.CanaryAuto, &metav1.Duration{Duration: time.Minute}
	c.rollout.Spec.Strategy.Canary = &canary
	toTheEnd(c)
}

// canarySettings is a mutant whose canary has another setting.
func canarySettings(change func(*model.Canary)) func(planner) planner {
	return settings(func(r *model.Rollout) {
		if r.Spec.Strategy.Canary != nil {
			canary := *r.Spec.Strategy.Canary
			change(&canary)
			r.Spec.Strategy.Canary = &canary
		}
	})
}

// readVerdicts is a mutant that reads neither a verdict of the canary nor what a person decides of it.
func readVerdicts(which model.CanaryVerdict) func(planner) planner {
	return objectsAnd(func(o *model.Objects, r *model.Rollout) {
		for _, set := range o.DaemonSets {
			state, err := model.ParseState(set.Annotations[slotKeys.State])
			if err != nil || state.Canary == nil || state.Canary.Verdict != which {
				continue
			}
			record := *state.Canary
			record.Verdict, record.Resumed = model.CanaryRuns, true
			state.Canary, r.Spec.Decision = &record, model.Decision{}
			set.Annotations[slotKeys.State] = state.Text()
		}
	})
}
