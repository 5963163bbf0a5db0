package single

import (
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
)

// survey is what one look at all nodes shows.
type survey struct {
	// eligible nodes, and those with a Ready Node that the template's revision does not serve alone.
	eligible, elsewhere int
	// stale are eligible nodes with a live Pod of another revision, strayed those of them whose Node is Ready, and departing
	// those that may still leave it.
	stale, strayed, departing int
	// alone are eligible nodes with a Pod of each revision, of which only the new one serves: stopping the controller now
	// would keep the wrong one.
	alone int
	// served are nodes that the template's revision serves: proof, if the target needs one.
	served int
	// hopeful counts nodes where the target may still prove itself by itself, waiting those where it needs a seat first.
	hopeful, waiting int
	// failure is the first failed target in the order of names; node "" if there is none.
	failure  model.Failed
	failures int
}

// nodeProposal is a deletion that waits for admission.
type nodeProposal struct {
	node, report                int32
	seat                        budget.Seat
	available, settling, exempt bool
}

// surveyNodes judges every node once: its report, its column in the ledger and its proposal.
func (p *planner) surveyNodes() {
	p.plan.Nodes = make([]model.NodeReport, 0, p.cluster.Len())
	var exemptable []int32
	for i := range p.cluster.Len() {
		f := p.gather(i)
		if f.eligible != capacity.Eligible && f.old.gone() && f.fresh.gone() {
			continue
		}
		pr := p.propose(&f)
		if f.issued {
			pr = p.hoping(wait(pr.stage, model.ActionIssued, ""))
		}
		if p.count(&f, &pr) {
			exemptable = append(exemptable, int32(len(p.plan.Nodes)))
		}
		p.report(&f, &pr)
	}
	p.plan.Pair.Desired = p.survey.eligible
	p.exempt(exemptable)
}

// count books an eligible node and tells whether it may be exempt.
func (p *planner) count(f *facts, pr *proposal) (exemptable bool) {
	if f.eligible != capacity.Eligible {
		return false
	}
	s := &p.survey
	s.eligible++
	if f.ready && !f.reached() {
		s.elsewhere++
	}
	if f.fresh.available {
		s.served++
	}
	if f.old.live != nil {
		s.stale++
		if f.ready {
			s.strayed++
		}
		if f.fresh.live == nil && f.ready && pr.verdict != model.Blocks && pr.reason != model.NodeUnderPressure {
			s.departing++
		}
		if f.fresh.live != nil && f.fresh.ready && !f.old.ready {
			s.alone++
		}
	}
	switch {
	case pr.hopeful && f.old.live != nil && !f.issued && (p.locked() || pr.seat != budget.NoSeat):
		s.waiting++
	case pr.hopeful:
		s.hopeful++
	}
	if pr.failed {
		s.failures++
		if s.failure.Node == "" {
			s.failure = model.Failed{Reason: model.TargetFailed, Node: f.node.Name, Detail: pr.detail}
		}
	}
	return p.bookLedger(f)
}

// bookLedger puts an eligible node into its column.
func (p *planner) bookLedger(f *facts) (exemptable bool) {
	status := &p.plan.Pair
	if f.fresh.available && p.render != nil && p.live.revision == p.render.Revision {
		status.Updated++
	}
	if f.old.ready || f.fresh.ready {
		status.Ready++
	}
	switch {
	case f.toTarget():
		status.OnTarget++
		p.account.OffSource++
	case f.fresh.live != nil:
		status.InOverlap++
		p.account.Overlap++
	default:
		status.OnSource++
	}
	return step.Book(&p.account, p.blame(f)) && p.mayBeExempt(f)
}

// blame chooses the column. While a target is rolled out, a node that belongs to it without an available Pod is committed,
// whatever the cause; it becomes ambient only when its Node is not Ready and the target is proven. On the way back it is
// committed while the former revision's Pod is made and starts, and no longer than the deadline: a node that is broken must
// not keep the others from going home.
func (p *planner) blame(f *facts) model.Blame {
	switch {
	case p.issuedCost[f.index].Seat != "":
		return model.Committed
	case f.available:
		return model.Available
	case !f.toTarget():
		return model.Ambient
	case p.live.recorded() && (f.ready || !p.live.proven()):
		return model.Committed
	case p.live.home() && f.ready && p.comesHome(f):
		return model.Committed
	}
	return model.Ambient
}

func (p *planner) comesHome(f *facts) bool {
	pod := f.fresh.live
	if pod == nil {
		return true
	}
	made := pod.CreationTimestamp.Time
	return !made.Before(p.live.state.Return.Since.Time) && p.now.Before(made.Add(p.deadline()))
}

// mayBeExempt tells whether an ambient node need not be charged: its Node is not Ready, or its Pod is older than the record of
// the target; never one that belongs to the target.
func (p *planner) mayBeExempt(f *facts) bool {
	since := p.live.state.TargetSince
	switch {
	case p.live.recorded():
		return !f.toTarget() && (!f.ready || f.old.live.CreationTimestamp.Before(since))
	case p.live.home():
		return !f.ready && f.toTarget()
	}
	return !f.ready
}

// exempt takes ambient nodes off the charge, in the order of names, as far as the setting allows.
func (p *planner) exempt(exemptable []int32) {
	step.Exempt(&p.plan, &p.account, exemptable, p.strategy.Exempt(p.survey.eligible))
	for i := range p.proposals {
		n := &p.proposals[i]
		n.exempt = p.plan.Nodes[n.report].Blame == model.Exempt
	}
}

// report writes the node's report and keeps its proposal.
func (p *planner) report(f *facts, pr *proposal) {
	r := model.NodeReport{Node: f.node.Name, Reason: pr.reason, Stage: pr.stage, Verdict: pr.verdict, Detail: pr.detail}
	if f.eligible == capacity.Eligible {
		r.Blame = p.blame(f)
	}
	if !p.live.recorded() {
		r.Reason, r.Stage = step.HomeReason(r.Reason), step.HomeStage(r.Stage)
	}
	if pr.needsPods {
		p.need(f.node.Name)
	}
	if pr.pod != nil {
		p.proposals = append(p.proposals, nodeProposal{
			node: int32(f.index), report: int32(len(p.plan.Nodes)), seat: pr.seat, available: f.available, settling: f.settling,
		})
	}
	p.plan.Nodes = append(p.plan.Nodes, r)
}

// need names a node whose other Pods must be listed.
func (p *planner) need(node string) {
	if !slices.Contains(p.plan.Needs, node) {
		p.plan.Needs = append(p.plan.Needs, node)
	}
}
