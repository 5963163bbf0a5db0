package pair

import (
	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
)

// tally is what nodes add to the survey, the account and the pair's status.
type tally struct {
	survey  survey
	account budget.Account
	status  model.PairStatus
}

// add adds a tally so many times.
func (t *tally) add(o *tally, times int) {
	s, from := &t.survey, &o.survey
	s.eligible += times * from.eligible
	s.done += times * from.done
	s.elsewhere += times * from.elsewhere
	s.atTo += times * from.atTo
	s.unlabelledBusy += times * from.unlabelledBusy
	s.unlabelledHeld += times * from.unlabelledHeld
	s.unlabelledKept += times * from.unlabelledKept
	s.departing += times * from.departing
	s.dead += times * from.dead
	s.parked += times * from.parked
	s.returned += times * from.returned
	s.unfinished += times * from.unfinished
	s.unfenced += times * from.unfenced
	s.served += times * from.served
	s.prepared += times * from.prepared
	s.committedHope += times * from.committedHope
	s.overlapHope += times * from.overlapHope
	s.failures += times * from.failures
	s.given += times * from.given
	if s.failure.Node == "" {
		s.failure = from.failure
	}
	if from.returnedUntil.After(s.returnedUntil) {
		s.returnedUntil = from.returnedUntil
	}
	a, of := &t.account, &o.account
	a.Eligible += times * of.Eligible
	a.Available += times * of.Available
	a.Ambient += times * of.Ambient
	a.Committed += times * of.Committed
	a.OffSource += times * of.OffSource
	a.Overlap += times * of.Overlap
	status, shown := &t.status, &o.status
	status.Updated += times * shown.Updated
	status.Ready += times * shown.Ready
	status.OnSource += times * shown.OnSource
	status.OnTarget += times * shown.OnTarget
	status.InOverlap += times * shown.InOverlap
}

// takeTally returns what was counted so far, and begins anew.
func (p *planner) takeTally() tally {
	t := tally{p.survey, p.account, p.plan.Pair}
	p.survey, p.account, p.plan.Pair = survey{}, budget.Account{}, model.PairStatus{}
	return t
}

func (p *planner) addTally(t *tally, times int) {
	sum := tally{p.survey, p.account, p.plan.Pair}
	sum.add(t, times)
	p.survey, p.account, p.plan.Pair = sum.survey, sum.account, sum.status
}

// repeats are nodes in a row that are taken over from the memo and add the same.
type repeats struct {
	first, times int
	tally        uint8
	reported     bool
}

// repeat takes the node over from the memo, if nothing has changed on it; it tells whether that was so.
func (p *planner) repeat(i int) bool {
	if p.memo == nil {
		return false
	}
	e := &p.memo.nodes.entries[i]
	if e.tally == 0 || len(p.issuedNodes) > 0 && p.issuedNodes[i] {
		return false
	}
	if r := &p.repeats; e.tally != r.tally || e.reported != r.reported || i != r.first+r.times {
		p.endRepeats()
		*r = repeats{first: i, tally: e.tally, reported: e.reported}
	}
	if e.proposal.move != stay {
		n := e.proposal
		n.node, n.report = int32(i), int32(len(p.plan.Nodes)+p.repeats.times)
		p.proposals = append(p.proposals, n)
	}
	p.repeats.times++
	return true
}

// endRepeats adds the reports and the tallies of the nodes in the row.
func (p *planner) endRepeats() {
	r := p.repeats
	p.repeats = repeats{}
	if r.times == 0 {
		return
	}
	p.addTally(&p.memo.nodes.tallies[r.tally-1], r.times)
	if r.reported {
		p.plan.Nodes = append(p.plan.Nodes, p.memo.nodes.reports[r.first:r.first+r.times]...)
	}
}

// look is the look at one node that may be remembered: its tally and its clock are kept apart.
type look struct {
	sum                tally
	clock              step.Clock
	reports, proposals int
}

func (p *planner) beginLook() (l look) {
	if p.memo == nil {
		return l
	}
	l = look{p.takeTally(), p.clock, len(p.plan.Nodes), len(p.proposals)}
	p.clock = step.Clock{Now: l.clock.Now, Settle: l.clock.Settle}
	return l
}

// endLook puts the node's tally and clock to the others, and remembers the node if it is steady and waits for no instant.
func (p *planner) endLook(l *look, i int, steady bool) {
	if p.memo == nil {
		return
	}
	at, own := p.clock.Next, p.takeTally()
	p.clock = l.clock
	p.clock.Wake(at)
	l.sum.add(&own, 1)
	p.survey, p.account, p.plan.Pair = l.sum.survey, l.sum.account, l.sum.status
	if !steady || !at.IsZero() {
		return
	}
	e := nodeEntry{tally: p.memo.nodes.number(&own), reported: len(p.plan.Nodes) > l.reports}
	if e.reported {
		p.memo.nodes.reports[i] = p.plan.Nodes[l.reports]
	}
	if len(p.proposals) > l.proposals {
		e.proposal = p.proposals[l.proposals]
	}
	p.memo.nodes.entries[i] = e
}

// number returns the tally's number plus one, and 0 if there are too many.
func (m *nodeMemo) number(t *tally) uint8 {
	for n := range m.tallies {
		if m.tallies[n] == *t {
			return uint8(n + 1)
		}
	}
	if len(m.tallies) == maxTallies {
		return 0
	}
	m.tallies = append(m.tallies, *t)
	return uint8(len(m.tallies))
}
