package baseline

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// barrierWrites is the most node writes of one pass.
const barrierWrites = 250

// Barrier paces the prepared pair as an operator prototype does, batch by batch: nodes in the order of their names; new
// overlap begins only when no node is in overlap and nothing else is to do, on as many nodes as the budget leaves; a
// target is handed over to when it was recorded as candidate in an earlier pass and the budget has room. Installing,
// arming, giving the inactive slot a revision, completing and returning are plan.Next's.
//
// What it leaves unsafe: availability is judged by the Pod alone and not by the node's label, so the next handoff can
// follow before the controller has acted; the capacity fallback takes the scheduler's message for proof, and does not ask
// whether the target will fit; a failed target stops everything for good, without a word; a Pending target Pod stays when
// its node goes back to the source; and a node that is down keeps its batch, and with it the rollout, from ending.
func Barrier(snapshot *model.Snapshot) (model.Plan, error) {
	return new(BarrierPlanner).Next(snapshot)
}

// BarrierPlanner is Barrier with the memory of a plan.Planner: its plans are the same, and take less time. The zero value is
// ready for use, and not safe for concurrent use.
type BarrierPlanner struct {
	planner   plan.Planner
	rendering kept[plan.Rendering]
}

// Next is Barrier.
func (b *BarrierPlanner) Next(snapshot *model.Snapshot) (model.Plan, error) {
	rollout := *snapshot.Rollout
	zero, none := int32(0), intstr.FromInt32(0)
	s := &rollout.Spec.Strategy
	s.SettleSeconds, s.ExemptUnhealthy, s.Partition, s.SlowStart, s.SpreadBy = &zero, &none, &none, nil, nil
	rollout.Spec.Failure.Action = model.Hold
	own := &model.Snapshot{Cluster: snapshot.Cluster, Rollout: &rollout}
	p, err := b.planner.Next(own)
	if err != nil || p.Pair.Target == model.NoSlot || p.Phase != model.PhaseAdvancing && p.Phase != model.PhaseHeld {
		return p, err
	}
	rendering, err := b.rendering.get(own.Rollout, func() (plan.Rendering, error) { return plan.Render(own) })
	if err != nil {
		return p, nil
	}
	if pass := newPass(own, &p, &rendering); pass != nil {
		return pass.plan(), nil
	}
	return p, nil
}

// pass is one planning step of the barrier planner.
type pass struct {
	snapshot       *model.Snapshot
	next           *model.Plan
	keys           model.Keys
	source, target *appsv1.DaemonSet
	nodes          []pairNode
	left           int // of the budget
	actions        []model.Action
	// wake is when time alone makes a Pod available; zero if none waits for that.
	wake time.Time
}

// newPass reads the nodes; nil if a slot is missing, which is plan.Next's matter.
func newPass(snapshot *model.Snapshot, next *model.Plan, rendering *plan.Rendering) *pass {
	r := snapshot.Rollout
	p := &pass{
		snapshot: snapshot, next: next, keys: model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name),
		source: snapshot.Cluster.DaemonSet(rendering.Blue.Namespace, rendering.Blue.Name),
		target: snapshot.Cluster.DaemonSet(rendering.Green.Namespace, rendering.Green.Name),
	}
	if next.Pair.Target == model.Blue {
		p.source, p.target = p.target, p.source
	}
	if p.source == nil || p.target == nil {
		return nil
	}
	unavailable := 0
	for i := range next.Nodes {
		if next.Nodes[i].Stage == model.StageLeaving {
			continue
		}
		n := p.read(next.Nodes[i].Node)
		if !n.served() {
			unavailable++
		}
		p.nodes = append(p.nodes, n)
	}
	p.left = next.Limits.Unavailable - unavailable
	return p
}

// plan keeps what plan.Next does about the slots and about nodes that are no longer eligible. While a slot is being
// written the nodes hold still.
func (p *pass) plan() model.Plan {
	out := *p.next
	out.Phase, out.Nodes, out.Conditions, out.Waits, out.RequeueAfter = model.PhaseAdvancing, nil, nil, nil, 0
	for _, action := range p.next.Actions {
		if action.Node == "" || action.Kind == model.ClearNode {
			p.actions = append(p.actions, action)
		}
	}
	if len(p.actions) == 0 {
		p.moveNodes()
	}
	out.Actions = p.actions
	out.Ledger.Eligible, out.Ledger.Committed = len(p.nodes), 0
	out.Ledger.Ambient = p.next.Limits.Unavailable - p.left
	out.Ledger.Available = out.Ledger.Eligible - out.Ledger.Ambient
	if len(p.actions) > 0 {
		return out
	}
	out.Waits = []model.Wait{p.wait()}
	if now := p.snapshot.Now(); p.wake.After(now) {
		out.RequeueAfter = p.wake.Sub(now)
	}
	return out
}

func (p *pass) moveNodes() {
	overlapping := 0
	for i := range p.nodes {
		n := &p.nodes[i]
		switch n.label.Kind {
		case model.Overlaps:
			overlapping++
			p.advance(n)
		case model.Serves:
			if n.label.To == p.next.Pair.Target {
				p.tend(n)
			}
		case model.Foreign, model.Released:
			p.setLabel(n, model.NodeLabel{Kind: model.Serves, To: p.next.Pair.Target.Other()}, model.LabelRepaired, model.Cost{})
		case model.Unlabelled:
			if n.source == nil { // it has joined
				p.beginOverlap(n)
			}
		}
	}
	if overlapping > 0 || len(p.actions) > 0 {
		return
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		if !n.atSource(p.next.Pair.Target) || n.sourceAvailable && p.left < 1 {
			continue
		}
		if n.sourceAvailable {
			p.left--
		}
		p.beginOverlap(n)
	}
}

// advance is what becomes of a node in overlap.
func (p *pass) advance(n *pairNode) {
	recorded := types.UID(n.object.Annotations[p.keys.NodeCandidate])
	switch pod := n.target; {
	case pod == nil:
	case p.tend(n):
	case n.prepared && recorded == pod.UID, n.exact && shortOfRoom(pod):
		cost := 0
		if n.sourceAvailable {
			cost = 1
		}
		if cost > p.left {
			return
		}
		p.left -= cost
		seat, reason := model.HandoffFree, model.HandoffPrepared
		if cost > 0 {
			seat = model.HandoffPaid
		}
		if !n.prepared {
			reason = model.CapacityFallback
		}
		p.setLabel(n, model.NodeLabel{Kind: model.Serves, To: p.next.Pair.Target}, reason, model.Cost{Seat: seat, Overlap: -1, OffSource: 1})
	case n.prepared:
		uid := string(pod.UID)
		p.add(n, model.RecordCandidate, model.CandidatePrepared, model.Cost{}, nil, []model.Edit{edit(n.object.Annotations, p.keys.NodeCandidate, &uid)})
	}
}

// tend deletes a target Pod of an older revision, once the source serves or neither does, and one that was restarted
// while the source serves. It tells whether it did.
func (p *pass) tend(n *pairNode) bool {
	pod := n.target
	stale := pod != nil && !n.exact && (n.sourceAvailable || !n.targetAvailable)
	restarted := pod != nil && n.exact && n.label.Kind == model.Overlaps && n.sourceAvailable && model.RestartedSince(pod, time.Time{})
	if !stale && !restarted || len(p.actions) >= barrierWrites {
		return false
	}
	reason := model.StaleRevision
	if restarted {
		reason = model.WaitingRestarted
	}
	p.actions = append(p.actions, model.Action{Kind: model.DeletePod, Node: n.object.Name, Reason: reason, Write: model.Write{
		Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Delete: &model.Delete{Propagation: "Background"},
	}})
	return true
}

// shortOfRoom takes the scheduler's message for proof that the source's room is what is missing.
func shortOfRoom(pod *corev1.Pod) bool {
	message, no := model.Unschedulable(pod)
	return no && pod.Status.Phase == corev1.PodPending && (strings.Contains(message, "Insufficient ") || strings.Contains(message, "Too many pods"))
}

func (p *pass) beginOverlap(n *pairNode) {
	p.setLabel(n, model.NodeLabel{Kind: model.Overlaps, To: p.next.Pair.Target}, model.BeginOverlap, model.Cost{Overlap: 1})
}

// setLabel writes the slot label; the candidate goes whenever the label changes.
func (p *pass) setLabel(n *pairNode, label model.NodeLabel, reason model.Reason, cost model.Cost) {
	value, _ := label.Value()
	var notes []model.Edit
	if _, ok := n.object.Annotations[p.keys.NodeCandidate]; ok {
		notes = []model.Edit{edit(n.object.Annotations, p.keys.NodeCandidate, nil)}
	}
	p.add(n, model.SetNodeSlot, reason, cost, []model.Edit{edit(n.object.Labels, p.keys.NodeSlot, &value)}, notes)
}

func (p *pass) add(n *pairNode, kind model.ActionKind, reason model.Reason, cost model.Cost, labels, notes []model.Edit) {
	if len(p.actions) >= barrierWrites {
		return
	}
	node := n.object
	p.actions = append(p.actions, model.Action{Kind: kind, Node: node.Name, Reason: reason, Cost: cost, Write: model.Write{
		Object: model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID},
		Patch: &model.Patch{Labels: labels, Annotations: notes, ResourceVersion: node.ResourceVersion,
			NoLabels: len(node.Labels) == 0, NoAnnotations: len(node.Annotations) == 0},
	}})
}

func edit(values map[string]string, key string, to *string) model.Edit {
	e := model.Edit{Key: key, To: to}
	if value, ok := values[key]; ok {
		e.From = &value
	}
	return e
}

// wait says what holds the batch; the prototype itself says nothing.
func (p *pass) wait() model.Wait {
	for i := range p.nodes {
		n := &p.nodes[i]
		switch {
		case n.label.Kind == model.Overlaps:
			return model.Wait{Reason: model.TargetPreparing, Message: fmt.Sprintf("no new overlap begins while %s is in overlap", n.object.Name)}
		case n.label.Kind == model.Serves && n.label.To == p.next.Pair.Target && !n.targetAvailable:
			return model.Wait{Reason: model.TargetStarting, Message: fmt.Sprintf("the target on %s is not available", n.object.Name)}
		}
	}
	return model.Wait{Reason: model.WaitingForBudget, Message: fmt.Sprintf("%d of %d may be unavailable", p.next.Limits.Unavailable-p.left, p.next.Limits.Unavailable)}
}
