package plan

import (
	"cmp"
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
)

// inFull is everything that the plan knows of one node.
func (e *explanation) inFull(r *model.NodeReport) {
	e.row("Node", r.Node)
	e.row("Stage", r.Stage.String()+e.since(r))
	e.row("Verdict", r.Verdict.String())
	e.row("Reason", string(r.Reason))
	e.row("Message", Message(e.plan, r))
	e.row("Ledger", cmp.Or(r.Blame.String(), "in no column: the node is not eligible"))
	if r.Action > 0 && int(r.Action) <= len(e.plan.Actions) {
		e.action(int(r.Action), &e.plan.Actions[r.Action-1])
	}
	e.row("Waits for", awaited(r))
}

// awaited says what changes the report by itself or by somebody's hand.
func awaited(r *model.NodeReport) string {
	switch r.Verdict {
	case model.Done:
		return "nothing"
	case model.Acts:
		return "the effect of the action"
	case model.Blocks:
		return "somebody who changes what the message names"
	case model.Waits:
	}
	switch r.Reason {
	case model.WaitingForCohort:
		return "a lower spec.strategy.partition"
	case model.WaitingForBudget:
		return "another node to become available, or a higher spec.strategy.maxUnavailable"
	case model.WaitingForWindow:
		return "another node to leave overlap, or a higher spec.strategy.maxSurge"
	case model.WaitingForWrites:
		return "the next plan, or a higher spec.strategy.maxWrites"
	case model.WaitingForFence:
		return "the earlier executor's request timeout, and a live list"
	case model.WaitingForSlot, model.WaitingForArming, model.SlotNotObserved:
		return "a DaemonSet to change"
	case model.ActionIssued:
		return "the effect of the action that was sent"
	case model.RolloutPaused:
		return "spec.strategy.paused to be false"
	case model.RolloutFrozen:
		return "spec.strategy.frozen to be false"
	case model.WaitingForCanary:
		return "the canary to be validated, or spec.decision.canary"
	case model.CanaryPaused:
		return "spec.decision.canary"
	case model.CanaryFailed:
		return "the return to the source"
	case model.RolloutHeld:
		return "spec.decision"
	case model.ReadinessLost:
		return "no more nodes to be unavailable than the budget, or spec.decision"
	case model.NodeNotReady:
		return "the Node to be Ready, or all others to be done"
	case model.NodeUnderPressure:
		return "the Node's pressure to end"
	case model.OtherPodsUnknown:
		return "a list of the node's other Pods"
	}
	return "the rollout's Pods on the node to change"
}

func (e *explanation) since(r *model.NodeReport) string {
	since := r.SinceTime()
	if since.IsZero() {
		return ""
	}
	text := " since " + since.Format(time.RFC3339)
	if now := e.plan.ObservedAt.Time; !now.IsZero() && !now.Before(since) {
		text += fmt.Sprintf(" (%s before the plan)", now.Sub(since).Round(time.Second))
	}
	return text
}

// action tells what is sent, what it tests, and what it rests on. The rows after the first have no name of their own.
func (e *explanation) action(number int, a *model.Action) {
	e.row("Action", fmt.Sprintf("%d of %d: %s %s (%s, %s)", number, len(e.plan.Actions), a.Write.Verb(), a.Write.Object, a.Kind, a.Reason))
	e.rows("Writes", changes(&a.Write))
	e.rows("Guards", guards(&a.Write))
	premises := make([]string, len(a.Premises))
	for i := range a.Premises {
		premises[i] = premise(&a.Premises[i])
	}
	e.rows("Premises", premises)
	e.row("Cost", a.Cost.String())
}

func (e *explanation) rows(name string, values []string) {
	for _, value := range values {
		e.row(name, value)
		name = ""
	}
}

// changes are the edits of a write, each with what it replaces.
func changes(w *model.Write) (list []string) {
	if w.Delete != nil {
		return []string{"deletes it, propagation " + string(w.Delete.Propagation)}
	}
	if w.Patch == nil {
		return nil
	}
	for _, edit := range w.Patch.Labels {
		list = append(list, fmt.Sprintf("label %s: %s → %s", edit.Key, valueText(edit.From), valueText(edit.To)))
	}
	for _, edit := range w.Patch.Annotations {
		list = append(list, fmt.Sprintf("annotation %s: %s → %s", edit.Key, valueText(edit.From), valueText(edit.To)))
	}
	if w.Patch.Spec != nil {
		list = append(list, "the whole spec")
	}
	return list
}

func valueText(value *string) string {
	if value == nil {
		return "absent"
	}
	return fmt.Sprintf("%q", *value)
}

// guards are what the request itself tests, the edits' former values aside.
func guards(w *model.Write) (list []string) {
	if w.Create != nil {
		return []string{"the name is free"}
	}
	list = append(list, fmt.Sprintf("uid is %s", w.Object.UID))
	if w.Patch == nil {
		return list
	}
	if w.Patch.ResourceVersion != "" {
		list = append(list, "resourceVersion is "+w.Patch.ResourceVersion)
	}
	if w.Patch.Generation != 0 {
		list = append(list, fmt.Sprintf("generation is %d", w.Patch.Generation))
	}
	if len(w.Patch.Labels)+len(w.Patch.Annotations) > 0 {
		list = append(list, "every key still has its former value")
	}
	return list
}

func premise(p *model.Premise) string {
	words := string(p.Kind)
	if p.Name != "" {
		words += " " + p.Name
	}
	if p.UID != "" {
		words += fmt.Sprintf(" (uid %s)", p.UID)
	}
	if p.Want != "" {
		words += ": " + shortRevision(p.Want)
	}
	return words
}
