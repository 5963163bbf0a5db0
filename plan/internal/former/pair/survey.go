package pair

import (
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
)

// survey is what one look at all nodes shows.
type survey struct {
	// eligible nodes, and those that are done.
	eligible, done int
	// elsewhere are eligible nodes with a Ready Node whose label or Pods are not at the destination.
	elsewhere int
	// atTo are eligible nodes whose label admits only the destination.
	atTo int
	// unlabelledBusy are nodes without the slot label on which a Pod of the slot that is left still runs.
	// unlabelledHeld are the eligible ones of them with a Ready Node, unlabelledKept those whose Pod Kubernetes keeps though
	// they are not eligible.
	unlabelledBusy, unlabelledHeld, unlabelledKept int
	// departing are eligible nodes with a Ready Node that have not begun to leave.
	departing int
	// parked are eligible nodes that are released and whose Node is not Ready: they are let in when they come back.
	parked int
	// dead are eligible nodes that are left for last since their Node is not Ready.
	dead int
	// unfinished are eligible nodes at the destination that it does not serve, dead ones excepted.
	unfinished int
	// unfenced are overlapping nodes that this executor has not marked yet.
	unfenced int
	// served are labelled nodes that the exact destination serves: proof, if the destination needs one.
	served int
	// prepared counts nodes with a prepared or serving destination Pod: proof that it can be pulled.
	prepared int
	// committedHope counts handed over nodes, and overlapHope overlapping ones, where the target may still
	// prove itself.
	committedHope, overlapHope int
	// failure is the first failed target in the order of names; node "" if there is none.
	failure  model.Failed
	failures int
	// given are overlapping nodes that gave their place in the window back for a cause that may be the target's own.
	given int
	// returned are nodes that came home a short while ago and are not available yet, the last of them counts until returnedUntil.
	returned      int
	returnedUntil time.Time
}

// nodeProposal is a proposal that waits for admission.
type nodeProposal struct {
	node, report int32
	move         moveKind
	seat         budget.Seat
	// available says that the node is served, inWindow that it holds a place in the window, offSource that it has left
	// the source already, exempt that it is not charged.
	// settling that it serves and does not count as available yet.
	available, settling, inWindow, offSource, exempt bool
	// chosen says that the node is to become one of the canary.
	chosen bool
}

// surveyNodes judges every node once: its report, its column in the ledger and its proposal.
func (p *planner) surveyNodes() {
	p.survey, p.watched = survey{}, canaryView{}
	p.plan.Nodes = make([]model.NodeReport, 0, p.cluster.Len())
	p.proposals = p.proposals[:0]
	p.recallNodes()
	var exemptable []int32
	for i := range p.cluster.Len() {
		if p.repeat(i) {
			continue
		}
		p.endRepeats()
		if p.surveyNode(i) {
			exemptable = append(exemptable, int32(len(p.plan.Nodes)-1))
		}
	}
	p.endRepeats()
	p.plan.Pair.Desired = p.survey.eligible
	p.exempt(exemptable)
	p.account.Overlap += p.suspects()
}

// surveyNode judges one node and tells whether it may be exempt.
func (p *planner) surveyNode(i int) (exemptable bool) {
	look := p.beginLook()
	f := p.gather(i)
	if f.eligible != capacity.Eligible && f.from.gone() && f.to.gone() && !p.marked(f.node) {
		p.endLook(&look, i, !f.issued && !f.orphaned)
		return false
	}
	pr := p.propose(&f)
	if f.issued {
		pr = p.awaitIssued(&f, pr)
	}
	exemptable = p.count(&f, &pr)
	p.report(&f, &pr)
	p.endLook(&look, i, f.steady(&pr))
	return exemptable
}

// suspects counts the nodes that keep their place in the window although they cannot prepare: as long as no node could,
// the cause may be the target's own, and only as many places as the window has are given back.
func (p *planner) suspects() int {
	if p.survey.prepared > 0 {
		return 0
	}
	window := p.rollout.Spec.Strategy.Limits(p.survey.eligible, 0).Window
	return max(0, p.survey.given-window)
}

// awaitIssued lets a node rest whose action does not show yet.
func (p *planner) awaitIssued(f *facts, pr proposal) proposal {
	rest := wait(pr.stage, model.ActionIssued, "")
	rest.hopeful = true
	rest.outside = pr.outside && p.issuedCost[f.index].Overlap == 0
	return rest
}

// count books the node and tells whether it may be exempt.
func (p *planner) count(f *facts, pr *proposal) (exemptable bool) {
	s := &p.survey
	if f.place.overlaps() && !p.fenced(f) {
		s.unfenced++
	}
	if f.label.Kind == model.Unlabelled && !f.from.gone() {
		s.unlabelledBusy++
		s.unlabelledHeld += boolToInt(f.ready && f.eligible == capacity.Eligible)
		s.unlabelledKept += boolToInt(p.losesOwner(f))
	}
	if f.eligible != capacity.Eligible {
		return false
	}
	s.eligible++
	s.tally(f, pr, p)
	cost := p.issuedCost[f.index]
	switch {
	case cost.Overlap > 0 || (f.place.overlaps() && f.ready && !pr.outside):
		p.account.Overlap++
	case f.place.overlaps() && f.ready && pr.suspect:
		s.given++
	}
	if (f.place != atFrom && f.place != astray && f.place != unowned) || cost.OffSource > 0 {
		p.account.OffSource++
		p.watchCanary(f)
	}
	return p.bookLedger(f)
}

func (s *survey) tally(f *facts, pr *proposal, p *planner) {
	switch {
	case pr.verdict == model.Done:
		s.done++
	case f.place == atTo && f.ready:
		s.unfinished++
	}
	switch {
	case !f.ready:
		s.dead++
	case f.place != atTo || !f.from.gone():
		s.elsewhere++
	}
	switch {
	case f.place == atTo:
		s.atTo++
	case f.place == released && !f.ready:
		s.parked++
	}
	if f.place == atFrom && f.ready && pr.verdict == model.Acts {
		s.departing++
	}
	if until := f.moved.At.Add(p.deadline()); p.justHome(f) && p.now.Before(until) {
		s.returned++
		if until.After(s.returnedUntil) {
			s.returnedUntil = until
		}
	}
	if f.serves() {
		s.prepared++
		if f.place == atTo && f.label.Kind != model.Unlabelled {
			s.served++
		}
	} else if p.prepared(f) {
		s.prepared++
	}
	switch {
	case pr.hopeful && f.place.overlaps():
		s.overlapHope++
	case pr.hopeful:
		s.committedHope++
	}
	if pr.failed {
		s.failures++
		if s.failure.Node == "" {
			s.failure = model.Failed{Reason: model.TargetFailed, Node: f.node.Name, Detail: pr.detail}
		}
	}
}

// bookLedger puts an eligible node into its column.
func (p *planner) bookLedger(f *facts) (exemptable bool) {
	status := &p.plan.Pair
	if f.serves() && f.place.admitsTo() && p.render != nil && p.journey.toRevision == p.render.Revision {
		status.Updated++
	}
	if f.available || f.settling {
		status.Ready++
	}
	switch f.place {
	case atTo:
		status.OnTarget++
	case between, contrary, unowned:
		status.InOverlap++
	case atFrom, released, astray:
		status.OnSource++
	}
	return step.Book(&p.account, p.blame(f)) && p.mayBeExempt(f)
}

// mayBeExempt tells whether an ambient node need not be charged: its Node is not Ready, or its Pod is older than the
// recorded target; never one that is labelled for the slot that is not authoritative, or on its way there without an agent.
func (p *planner) mayBeExempt(f *facts) bool {
	if p.journey.home {
		return !f.ready && f.place != atFrom
	}
	return f.place != atTo && f.place != released && (!f.ready || p.olderThanTarget(f))
}

// olderThanTarget tells whether the node's unavailable Pod was there before the target was recorded: then
// the rollout cannot have hurt it.
func (p *planner) olderThanTarget(f *facts) bool {
	return f.from.live != nil && !p.journey.targetSince.IsZero() && f.from.live.CreationTimestamp.Time.Before(p.journey.targetSince)
}

// blame chooses the column. While a target is recorded a node labelled target without an available exact
// target is committed, whatever the cause; it becomes ambient only when its Node is not Ready and the target is proven.
func (p *planner) blame(f *facts) model.Blame {
	switch {
	case p.issuedCost[f.index].Seat != "":
		return model.Committed
	case f.available:
		return model.Available
	case f.place == released && (f.ready || !(p.journey.proven || p.journey.home)):
		return model.Committed
	case f.place != atTo || f.label.Kind == model.Unlabelled:
		return model.Ambient
	case !f.ready && (p.journey.proven || p.journey.home):
		return model.Ambient
	case !p.journey.home:
		return model.Committed
	case p.movedHome(f):
		return model.Committed
	}
	return model.Ambient
}

// movedHome tells whether the rollout itself took the node's agent a short while ago to bring it to the authoritative
// slot: since the return began, or within the deadline. A node that had none before stays ambient: it came home from a
// fault or a hand, and must not keep the next one waiting.
func (p *planner) movedHome(f *facts) bool {
	began := p.journey.since
	if began.IsZero() {
		began = p.now.Add(-p.deadline())
	}
	return f.moved.Paid && !f.moved.At.IsZero() && !f.moved.At.Before(began.Truncate(time.Second))
}

// justHome tells whether the node was labelled for the authoritative slot, whose Pod does not serve it though its Node is
// Ready.
func (p *planner) justHome(f *facts) bool {
	return p.journey.home && f.place == atTo && f.ready && !f.available && !f.moved.At.IsZero()
}

// exempt takes ambient nodes off the charge, in the order of names, as far as the setting allows.
func (p *planner) exempt(exemptable []int32) {
	step.Exempt(&p.plan, &p.account, exemptable, p.rollout.Spec.Strategy.Exempt(p.survey.eligible))
	for i := range p.proposals {
		n := &p.proposals[i]
		n.exempt = p.plan.Nodes[n.report].Blame == model.Exempt
	}
}

// report writes the node's report and keeps its proposal.
func (p *planner) report(f *facts, pr *proposal) {
	r := model.NodeReport{
		Node: f.node.Name, Reason: pr.reason, Stage: pr.stage, Verdict: pr.verdict, Detail: pr.detail,
	}
	if f.eligible == capacity.Eligible {
		r.Blame = p.blame(f)
	}
	if p.journey.home {
		r.Reason, r.Stage = step.HomeReason(r.Reason), step.HomeStage(r.Stage)
	}
	if !f.moved.At.IsZero() {
		r.Since = f.moved.At.Unix()
	}
	if pr.needsPods {
		p.plan.Needs = append(p.plan.Needs, f.node.Name)
	}
	if pr.move != stay {
		p.proposals = append(p.proposals, nodeProposal{
			node: int32(f.index), report: int32(len(p.plan.Nodes)), move: pr.move, seat: pr.seat,
			available: f.available, settling: f.settling, inWindow: f.place.overlaps() && !pr.outside && f.ready, offSource: f.place != atFrom,
		})
	}
	p.plan.Nodes = append(p.plan.Nodes, r)
}
