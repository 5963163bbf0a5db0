package step

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// pollBusy and pollIdle are when to look again if the embedder does not say that it watches.
	pollBusy = 30 * time.Second
	pollIdle = 5 * time.Minute
	// NamedNodes is how many nodes a message names.
	NamedNodes = 3
)

// Book puts a node into its column; one that is not eligible has none. It tells whether the node is unavailable for no reason of the rollout's, so that it
// may be exempt.
func Book(account *budget.Account, column model.Blame) (ambient bool) {
	switch column {
	case model.NotEligible:
		return false
	case model.Available:
		account.Available++
	case model.Committed:
		account.Committed++
	case model.Ambient, model.Exempt:
		account.Ambient++
		ambient = true
	}
	account.Eligible++
	return ambient
}

// Exempt takes the first of the ambient nodes off the charge, named by their reports, and no more than so many.
func Exempt(plan *model.Plan, account *budget.Account, ambient []int32, most int) {
	for _, report := range ambient[:min(most, len(ambient))] {
		account.Exempt++
		plan.Nodes[report].Blame = model.Exempt
	}
}

// FillLedger takes the ledger of the snapshot from the reports: what the plan's own moves were charged is not in it.
func FillLedger(plan *model.Plan, account *budget.Account) {
	plan.Ledger = budget.Ledger{Eligible: account.Eligible}
	for i := range plan.Nodes {
		switch plan.Nodes[i].Blame {
		case model.Available:
			plan.Ledger.Available++
		case model.Ambient:
			plan.Ledger.Ambient++
		case model.Exempt:
			plan.Ledger.Ambient++
			plan.Ledger.Exempt++
		case model.Committed:
			plan.Ledger.Committed++
		case model.NotEligible:
		}
	}
}

// Holding is what holds a node for the rollout: the slot label, and Pods of its DaemonSets.
type Holding struct {
	Label string
	Sets  []types.UID
}

// on tells whether the rollout holds the i-th node.
func (h *Holding) on(cluster *model.Cluster, i int) bool {
	if _, labelled := cluster.Node(i).Labels[h.Label]; labelled {
		return true
	}
	return slices.ContainsFunc(cluster.Pods(i), func(pod *corev1.Pod) bool {
		uid := model.ControllerUID(pod)
		return uid != "" && slices.Contains(h.Sets, uid) && !model.Terminal(pod)
	})
}

// BlockNodes gives every eligible node the cause that blocks the rollout.
func BlockNodes(plan *model.Plan, cluster *model.Cluster, placement *Placement, holding Holding, cause model.Reason) {
	if plan.Nodes == nil && placement != nil {
		for i := range cluster.Len() {
			if node := cluster.Node(i); placement.Judge(node, holding.on(cluster, i)) == capacity.Eligible {
				plan.Nodes = append(plan.Nodes, model.NodeReport{Node: node.Name})
			}
		}
		plan.Pair.Desired = len(plan.Nodes)
	}
	for i := range plan.Nodes {
		r := &plan.Nodes[i]
		r.Verdict, r.Reason, r.Action, r.Detail = model.Blocks, cause, 0, ""
	}
}

// BlockPlan turns the plan into one that may not proceed: it has no actions, and every node the cause.
func BlockPlan(plan *model.Plan, cluster *model.Cluster, placement *Placement, holding Holding, cause model.Reason) {
	plan.Phase, plan.Actions, plan.Waits = model.PhaseBlocked, nil, nil
	BlockNodes(plan, cluster, placement, holding, cause)
}

// AddCondition appends a condition of the plan.
func AddCondition(plan *model.Plan, kind string, holds bool, reason model.Reason, message string) {
	status := metav1.ConditionFalse
	if holds {
		status = metav1.ConditionTrue
	}
	plan.Conditions = append(plan.Conditions, metav1.Condition{
		Type: kind, Status: status, Reason: string(reason), Message: message, LastTransitionTime: plan.ObservedAt,
	})
}

// AvailableCondition judges the condition of that name by the plan's ledger.
func AvailableCondition(plan *model.Plan) (bool, model.Reason, string) {
	ledger := plan.Ledger
	if ledger.Eligible == 0 {
		return true, model.NothingToServe, "no node is eligible"
	}
	if ledger.Unavailable() > plan.Limits.Unavailable+ledger.Exempt {
		return false, model.AboveBudget, fmt.Sprintf("%s; maxUnavailable is %d", ledger, plan.Limits.Unavailable)
	}
	return true, model.WithinBudget, ledger.String()
}

// FillWakeUp says when to plan again: at what the clock waits for, and without a watch after a while; busy says that
// something is under way.
func FillWakeUp(plan *model.Plan, clock *Clock, watched, busy bool) {
	WakeUp(plan, clock.Next, clock.Now, watched, busy)
}

// WakeUp says when to plan again: at the instant, if it is not zero, and without a watch after a while; busy says that something
// is under way.
func WakeUp(plan *model.Plan, at, now time.Time, watched, busy bool) {
	slices.Sort(plan.Needs)
	plan.Needs = slices.Compact(plan.Needs)
	switch plan.Phase {
	case model.PhaseGone:
		return
	case model.PhaseTearingDown:
		plan.WakeOn = []string{"DaemonSet", "Node"}
	default:
		plan.WakeOn = []string{"DaemonSet", "Node", "Pod"}
	}
	if !at.IsZero() {
		plan.RequeueAfter = at.Sub(now)
	}
	if watched {
		return
	}
	poll := pollIdle
	if busy {
		poll = pollBusy
	}
	if plan.RequeueAfter == 0 || poll < plan.RequeueAfter {
		plan.RequeueAfter = poll
	}
}

// UnderWay tells whether a node waits for something that comes by itself.
func UnderWay(plan *model.Plan) bool {
	for i := range plan.Nodes {
		if r := &plan.Nodes[i]; r.Verdict == model.Waits && comesByItself(r.Reason) {
			return true
		}
	}
	return false
}

func comesByItself(reason model.Reason) bool {
	switch reason {
	case model.ActionIssued, model.SourceStarting, model.SourceExiting, model.TargetCreating, model.TargetScheduling,
		model.TargetPreparing, model.TargetStarting, model.TargetSettling, model.TargetExiting, model.TargetRestarting,
		model.WaitingForPodsToEnd, model.WaitingForFence, model.WaitingForSlot, model.WaitingForArming, model.SlotNotObserved:
		return true
	}
	return false
}

// Held counts the nodes that are not done for the reason, and names the first few.
func Held(plan *model.Plan, reason model.Reason) (count int, names string) {
	var first []string
	for i := range plan.Nodes {
		r := &plan.Nodes[i]
		if r.Verdict == model.Done || r.Stage == model.StageLeaving || r.Reason != reason {
			continue
		}
		if count++; count <= NamedNodes {
			first = append(first, r.Node)
		}
	}
	names = strings.Join(first, ", ")
	if count > NamedNodes {
		names += ", …"
	}
	return count, names
}

// FirstDetail is what a component of the cluster said of the first node with the reason.
func FirstDetail(plan *model.Plan, reason model.Reason) string {
	if detail := DetailOf(plan.Nodes, reason); detail != "" {
		return ": " + detail
	}
	return ""
}

// DetailOf is the detail of the first report with the reason that has one.
func DetailOf(reports []model.NodeReport, reason model.Reason) string {
	for i := range reports {
		if r := &reports[i]; r.Reason == reason && r.Detail != "" {
			return r.Detail
		}
	}
	return ""
}

// Spenders names the nodes that the budget is spent on.
func Spenders(reports []model.NodeReport, cluster *model.Cluster) string {
	var named []string
	more := 0
	for i := range reports {
		r := &reports[i]
		if r.Blame != model.Ambient && r.Blame != model.Committed {
			continue
		}
		if len(named) == NamedNodes {
			more++
			continue
		}
		why := r.Blame.String()
		if n, ok := cluster.Find(r.Node); ok && !model.NodeReady(cluster.Node(n)) {
			why += ", its Node is not Ready"
		} else if r.Verdict == model.Blocks && r.Detail != "" {
			why += ": " + r.Detail
		}
		named = append(named, fmt.Sprintf("%s (%s)", r.Node, why))
	}
	if more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(named, ", ")
}

// ExceptedClaim is Degraded for the nodes that are set aside though their Nodes are Ready. Of a Node that is not Ready nothing is to be told
// beyond the ledger: it follows when it comes back.
func ExceptedClaim(plan *model.Plan) Claim {
	var named []string
	count := 0
	for i := range plan.Exceptions {
		e := &plan.Exceptions[i]
		if e.Reason == model.NodeNotReady {
			continue
		}
		if count++; count <= NamedNodes {
			named = append(named, e.Node+" ("+strings.TrimSuffix(string(e.Reason)+": "+e.Detail, ": ")+")")
		}
	}
	if count == 0 {
		return Claim{Reason: model.AsExpected}
	}
	if count > NamedNodes {
		named = append(named, fmt.Sprintf("and %d more", count-NamedNodes))
	}
	text := fmt.Sprintf("%s set aside: %s. They are tried again when something changes on them", Counted(count, "node is", "nodes are"), strings.Join(named, ", "))
	return Claim{Holds: true, Reason: model.NodesExcepted, Message: text}
}

// MergeExceptions joins two lists that are in the order of names.
func MergeExceptions(a, b []model.Exception) []model.Exception {
	if len(b) == 0 {
		return a
	}
	merged := slices.Concat(a, b)
	slices.SortStableFunc(merged, func(a, b model.Exception) int { return strings.Compare(a.Node, b.Node) })
	return merged
}

// Counted writes a number with its noun.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// InBrackets puts a detail behind what it explains.
func InBrackets(detail string) string {
	if detail == "" {
		return ""
	}
	return " (" + detail + ")"
}

// Short is a revision as messages name it.
func Short(revision string) string {
	if len(revision) > 12 {
		return revision[:12]
	}
	return revision
}

// FailedText says why a revision is remembered.
func FailedText(failed *model.Failed) string {
	if failed.Reason == model.DecidedBack {
		return fmt.Sprintf("revision %s was taken back by decision", Short(failed.Revision))
	}
	if failed.Reason == model.CanaryFailed {
		text := fmt.Sprintf("revision %s failed as a canary", Short(failed.Revision))
		if failed.Node != "" {
			text += " on node " + failed.Node
		}
		return text + InBrackets(failed.Detail)
	}
	return fmt.Sprintf("revision %s failed on node %s%s", Short(failed.Revision), failed.Node, InBrackets(failed.Detail))
}

// SpentText says what frees a budget that is spent. exemptUnhealthy is offered only where it could take a node off the charge:
// it covers no committed node and none that is at its target, and where fewer are exempt than allowed, none is left to exempt.
func SpentText(plan *model.Plan, allowed int) string {
	if plan.Ledger.Exempt >= allowed {
		for i := range plan.Nodes {
			r := &plan.Nodes[i]
			if r.Blame == model.Ambient && r.Stage != model.StageTarget && r.Stage != model.StageComplete {
				return "repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above " + fmt.Sprint(allowed)
			}
		}
	}
	return "repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)"
}
