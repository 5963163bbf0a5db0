package step

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
)

// Course is what a plan does with the rollout as a whole, and what it lets the nodes do.
type Course struct {
	Phase model.Phase
	// Refused is a cause for which nothing may proceed, Stalled one for which nothing goes on by itself though nothing is refused: it is told
	// where nothing is left to do.
	Refused, Stalled *BlockedError
	// Actions come before those of the nodes' moves.
	Actions []model.Action
	Waits   []model.Wait
	Limits  budget.Limits
	// Still says that no move is asked for: the DaemonSets themselves are being made or taken away.
	Still bool
	// Writing says that the plan writes a DaemonSet or the record: nodes hold still until that is seen.
	Writing bool
	// Hold is why nothing may be admitted that costs; empty if it may.
	Hold model.Reason
	// Chosen are the nodes, by number, that may leave the source while a canary holds the rollout.
	Chosen map[int32]bool
	// Overrides are other answers for nodes than those judged, in turn.
	Overrides []Override
	// Left are the nodes, in the order of names, on which a rollout that leaves the cluster leaves something that ends without it.
	Left []model.Exception
	// Record is the memory of the rollout as the plan writes it; nil if it does not.
	Record *model.State
	// Wake is when to look again at the rollout as a whole; zero for never.
	Wake time.Time
	// Release says that the owner may let go.
	Release bool
}

// Add appends an action.
func (c *Course) Add(action model.Action) { c.Actions = append(c.Actions, action) }

// Wait says what the rollout as a whole waits for.
func (c *Course) Wait(reason model.Reason, message string) {
	c.Waits = append(c.Waits, model.Wait{Reason: reason, Message: message})
}

// WakeAt asks for a new plan at the instant, if it lies ahead of now.
func (c *Course) WakeAt(at, now time.Time) {
	if at.After(now) {
		c.Wake = Sooner(c.Wake, at)
	}
}

// Override gives the nodes that it is for another answer than they were judged to have.
type Override func(*model.NodeReport)

// OverrideAll lets every node rest for the reason.
func OverrideAll(reason model.Reason) Override {
	return func(r *model.NodeReport) {
		r.Verdict, r.Reason, r.Stage = model.Waits, reason, model.StageSource
	}
}

// OverrideDone says of every node that is done, were the revision not another one, why it stays.
func OverrideDone(verdict model.Verdict, reason model.Reason) Override {
	return func(r *model.NodeReport) {
		if r.Verdict == model.Done {
			r.Verdict, r.Reason, r.Stage = verdict, reason, model.StageSource
		}
	}
}

// OverrideUndone lets every node that is not done rest for the reason.
func OverrideUndone(reason model.Reason) Override {
	return func(r *model.NodeReport) {
		if r.Verdict != model.Done {
			r.Verdict, r.Reason, r.Stage = model.Waits, reason, model.StageSource
		}
	}
}

// OverrideAllDone says of every node that nothing is left to do there.
func OverrideAllDone(reason model.Reason) Override {
	return func(r *model.NodeReport) { r.Verdict, r.Reason = model.Done, reason }
}

// Freeze takes the action of every node back.
func Freeze(r *model.NodeReport) {
	if r.Verdict == model.Acts {
		r.Verdict, r.Reason, r.Action = model.Waits, model.RolloutFrozen, 0
	}
}

// BlockAll blocks every node for the reason.
func BlockAll(reason model.Reason) Override {
	return func(r *model.NodeReport) {
		r.Verdict, r.Reason, r.Action, r.Detail = model.Blocks, reason, 0, ""
	}
}

// Apply gives the reports their other answers.
func Apply(reports []model.NodeReport, overrides ...Override) {
	if len(overrides) == 0 {
		return
	}
	for i := range reports {
		for _, override := range overrides {
			override(&reports[i])
		}
	}
}
