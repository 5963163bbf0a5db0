package plan

import "github.com/agent-rollout/planner/model"

// onOneDaemonSet tells whether the plan is one of a rollout on one DaemonSet, which has no slots. Of a pair that is still
// being made no slot is active either; that its phase tells.
func onOneDaemonSet(p *model.Plan) bool {
	return p.Pair.Active == model.NoSlot && p.Phase != model.PhaseInstalling && p.Phase != model.PhaseArming
}

// singleSentence says of a node of one DaemonSet what the sentences of a pair would say with slots, source and target;
// empty where they speak of none.
func singleSentence(r *model.NodeReport) string {
	switch r.Reason {
	case model.OnTarget:
		return "served by the new revision"
	case model.OnSource:
		return "served by the DaemonSet"
	case model.HandoffPrepared:
		return "handoff: the old Pod exits and the prepared new one gets the locks"
	case model.HandoffServing:
		return "handoff: the new Pod serves already"
	case model.CapacityFallback:
		return "handoff without overlap: the new Pod fits only once the old one is gone"
	case model.StaleRevision:
		return "handoff: a Pod of another revision is deleted, and made anew"
	case model.WaitingRestarted:
		return "the waiting new Pod restarted while the old one serves: it is deleted and tried again"
	case model.WaitingForWindow:
		return "waiting for window: the native controller surges on as many nodes as maxSurge allows"
	case model.SlotNotObserved:
		return "waiting for the DaemonSet controller to see the DaemonSet's new spec"
	case model.SourceStarting:
		return "the old Pod is starting"
	case model.SourceExiting:
		return "the old Pod is going away"
	case model.TargetCreating:
		return "the new Pod is not there yet"
	case model.TargetScheduling:
		return "the new Pod is not bound yet"
	case model.TargetPreparing:
		return "the new Pod is preparing"
	case model.TargetStarting:
		return "the new Pod is starting"
	case model.TargetSettling:
		return "the new Pod is Ready and must stay so for a while"
	case model.TargetExiting:
		return "a former new Pod is going away"
	case model.TargetRestarting:
		return "the new Pod restarts"
	case model.NodeUnderPressure:
		return "the Node is under pressure, and the old Pod serves it: nothing is added while it lasts"
	case model.WaitingForPodsToEnd:
		return "waiting for Pods to end"
	case model.NeverFits:
		return "the new Pod never fits this node"
	case model.StillShort:
		return "the new Pod does not fit even once the old one is gone"
	case model.CannotSchedule:
		return "the new Pod cannot be scheduled here, and not for capacity"
	case model.RolloutHeld:
		return "held: the new revision failed, and a decision is needed"
	case model.TargetFailed:
		return "the new Pod failed here"
	}
	return ""
}
