package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/agent-rollout/planner/examples/operator/agents"
	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
)

// DocumentInvalid is the reason of the condition Blocked for a spec that the planner refuses.
const DocumentInvalid = "DocumentInvalid"

// statusOf is what the plan says of the object.
func statusOf(owner *api.NodeAgentRollout, next *model.Plan) *api.Status {
	s := &api.Status{
		ObservedGeneration: owner.Generation, Phase: next.Phase, Revision: next.Revision, Nodes: next.Pair,
		Canary: next.Canary, CanaryState: canaryState(next),
		ExceptionCount: len(next.Exceptions), Exceptions: next.Exceptions[:min(len(next.Exceptions), api.MostExceptions)],
		Conditions: owner.DeepCopy().Status.Conditions,
	}
	for _, condition := range next.Conditions {
		condition.ObservedGeneration = owner.Generation
		meta.SetStatusCondition(&s.Conditions, condition)
	}
	s.Reason, s.Message = telling(s.Conditions)
	return s
}

// canaryState is the canary in one word.
func canaryState(next *model.Plan) string {
	switch {
	case next.Canary == nil:
		return ""
	case next.Canary.Verdict == model.CanaryRuns:
		return "Running"
	}
	return string(next.Canary.Verdict)
}

// telling is the condition that says most: what somebody has to clear, else what is wrong, else how far it is.
func telling(conditions []metav1.Condition) (reason, message string) {
	for _, kind := range []string{model.ConditionBlocked, model.ConditionDegraded} {
		if c := meta.FindStatusCondition(conditions, kind); c != nil && c.Status == metav1.ConditionTrue {
			return c.Reason, c.Message
		}
	}
	if c := meta.FindStatusCondition(conditions, model.ConditionProgressing); c != nil {
		return c.Reason, c.Message
	}
	return "", ""
}

// invalidStatus keeps what the last plan has said, and blocks.
func invalidStatus(owner *api.NodeAgentRollout, invalid *agents.InvalidError) *api.Status {
	s := &owner.DeepCopy().Status
	s.ObservedGeneration, s.Phase = owner.Generation, model.PhaseBlocked
	for kind, status := range map[string]metav1.ConditionStatus{model.ConditionBlocked: metav1.ConditionTrue, model.ConditionProgressing: metav1.ConditionFalse} {
		meta.SetStatusCondition(&s.Conditions, metav1.Condition{
			Type: kind, Status: status, Reason: DocumentInvalid, Message: invalid.Error(), ObservedGeneration: owner.Generation,
		})
	}
	s.Reason, s.Message = DocumentInvalid, invalid.Error()
	return s
}

// report writes the status if it differs from what is there, and then tells of the conditions that have changed. Nobody else writes the status, so that the
// write asks for no version.
func (r *Reconciler) report(ctx context.Context, owner *api.NodeAgentRollout, status *api.Status) error {
	reported := owner.DeepCopy()
	reported.Status = *status
	reported = reported.DeepCopy() // as the server will have it: times in seconds
	if equality.Semantic.DeepEqual(owner.Status, reported.Status) {
		return nil
	}
	if err := r.Status().Patch(ctx, reported, client.MergeFrom(owner)); err != nil {
		return client.IgnoreNotFound(err)
	}
	for i := range status.Conditions {
		c := &status.Conditions[i]
		former := meta.FindStatusCondition(owner.Status.Conditions, c.Type)
		if former != nil && former.Status == c.Status && former.Reason == c.Reason || former == nil && asItShould(c) {
			continue
		}
		kind := corev1.EventTypeWarning
		if asItShould(c) {
			kind = corev1.EventTypeNormal
		}
		r.Events.Eventf(owner, nil, kind, c.Reason, c.Type, "%s is %s: %s", c.Type, c.Status, short(c.Message))
	}
	return nil
}

// asItShould tells whether the condition is good news, or none.
func asItShould(c *metav1.Condition) bool {
	switch c.Type {
	case model.ConditionBlocked, model.ConditionDegraded:
		return c.Status != metav1.ConditionTrue
	case model.ConditionAvailable:
		return c.Status == metav1.ConditionTrue
	}
	return true
}

// mostNote is the longest note of an Event (events.k8s.io/v1).
const mostNote = 1024

func short(message string) string {
	const room = mostNote - len("Progressing is Unknown: ")
	if len(message) <= room {
		return message
	}
	return message[:room-len("…")] + "…"
}
