package command

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// actionText is an action in the words of the plan's own messages; one on a DaemonSet names it. A rollout on one DaemonSet
// has no slots to speak of.
func actionText(a *model.Action, single bool) string {
	if a.Node == "" {
		reason := slotReason(a.Reason)
		if text := setReason(a.Reason); single && text != "" {
			reason = text
		}
		return fmt.Sprintf("%s %s: %s", a.Write.Verb(), a.Write.Object, reason)
	}
	var of model.Plan
	if !single {
		of.Pair.Active = model.Blue
	}
	report := model.NodeReport{Verdict: model.Acts, Reason: a.Reason}
	if p := a.Write.Patch; p != nil && len(p.Labels) > 0 && p.Labels[0].From != nil {
		report.Detail = *p.Labels[0].From
	}
	if a.Reason != model.LabelRepaired {
		report.Detail = ""
	}
	return plan.Message(&of, &report)
}

// slotReason says what is done to the DaemonSets, the record or the owner.
func slotReason(reason model.Reason) string {
	switch reason {
	case model.SlotMissing:
		return "a DaemonSet of the pair is missing"
	case model.SlotDrifted:
		return "it is not as it was rendered"
	case model.SlotFollows:
		return "the inactive slot follows the active one's template"
	case model.WrapperInstalled:
		return "arming: the Pods are made ready for a pair"
	case model.PairArmed:
		return "every Pod is ready for a pair"
	case model.NewRevision:
		return "the inactive slot gets the new revision"
	case model.TargetRecorded:
		return "the slot is recorded as target"
	case model.TargetProven:
		return "the target is proven: it serves a node that was handed over"
	case model.OwnershipMoved:
		return "nodes without the slot label go to the other slot"
	case model.RolloutComplete:
		return "the rollout is complete: the target becomes the active slot"
	case model.ReturnBegun:
		return "the return to the source begins"
	case model.ReturnComplete:
		return "every node is back at the source"
	case model.CanaryBegun:
		return "the canary begins"
	case model.CanaryRestarted:
		return "a restart in the canary is noted"
	case model.CanarySuspended:
		return "the clocks of the canary stand while the rollout is paused or frozen, or run again"
	case model.CanaryPaused:
		return "the canary is paused"
	case model.CanaryResumed:
		return "the canary is resumed"
	case model.CanaryFailed:
		return "the canary has failed"
	case model.CanaryValidated:
		return "the canary is validated: the other nodes follow"
	case model.FailureForgotten:
		return "the memory of the failed revision is cleared"
	case model.StateRepaired:
		return "the two halves of the record are made alike"
	case model.IntentRecorded:
		return "the intent is recorded on the owner"
	case model.HandedBack:
		return "the pair becomes one conventional DaemonSet"
	case model.DaemonSetAdopted:
		return "the DaemonSet is taken over: the native rolling update is stopped before the template changes"
	case model.SurgeEnabled:
		return "the native controller may surge"
	case model.NativeStopped:
		return "the native controller is stopped"
	case model.HandoverNoted:
		return "the time is noted at which a waiting target takes over"
	case model.EmptiedNoted:
		return "the nodes are noted whose Pods are taken"
	case model.WriteNoted:
		return "the time is noted from which on the controller is awaited"
	case model.FailuresForgiven:
		return "the decision is noted to go on without the nodes that have failed"
	case model.ControllerWoken:
		return "a controller that rests is woken by a write"
	case model.DeleteFirst:
		return "the rollout goes on delete-first"
	case model.TargetFailed:
		return "the failed target is remembered"
	case model.RolloutTornDown:
		return "the rollout is torn down"
	}
	return string(reason)
}

// setReason is slotReason where a rollout on one DaemonSet has other words; empty elsewhere.
func setReason(reason model.Reason) string {
	switch reason {
	case model.SlotMissing:
		return "the DaemonSet is missing"
	case model.NewRevision:
		return "the DaemonSet gets the new revision"
	case model.TargetProven:
		return "the new revision is proven: it serves a node that was handed over"
	case model.RolloutComplete:
		return "the rollout is complete: the record says so"
	case model.ReturnBegun:
		return "the return to the former revision begins"
	case model.ReturnComplete:
		return "every node is back at the former revision"
	case model.HandedBack:
		return "it becomes a conventional DaemonSet"
	case model.HandoverNoted:
		return "the time is noted at which a waiting new Pod takes over"
	case model.TargetFailed:
		return "the failed revision is remembered"
	}
	return ""
}
