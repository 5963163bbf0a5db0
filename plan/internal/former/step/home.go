package step

import "github.com/agent-rollout/planner/model"

// HomeReason words a journey home: its destination is the source, and what it leaves is the target.
func HomeReason(reason model.Reason) model.Reason {
	switch reason {
	case model.TargetCreating, model.TargetScheduling, model.TargetPreparing, model.TargetStarting, model.TargetSettling, model.TargetRestarting:
		return model.SourceStarting
	case model.TargetExiting:
		return model.SourceExiting
	case model.SourceExiting:
		return model.TargetExiting
	}
	return reason
}

// HomeStage words its stages.
func HomeStage(stage model.Stage) model.Stage {
	switch stage {
	case model.StageSource:
		return model.StageTarget
	case model.StageTarget, model.StageComplete:
		return model.StageSource
	case model.StageOverlap, model.StageReleased, model.StageLeaving, model.StageForeign:
	}
	return stage
}
