package simulate

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
)

// every is how many plans pass until one is made again to see whether it is the same: a plan is much of the cost of a run.
const every = 16

// Judged returns the properties that a run with these options is judged by if Options.Judge is set.
func (o Options) Judged() property.List {
	offers := property.Plans | property.Planner | property.States | property.LateHandoffs | property.Ends
	if len(o.Crashes) > 0 {
		offers |= property.Crashes
	}
	return property.For(offers)
}

// jury judges a run, and keeps the first violation of every property.
type jury struct {
	list  property.List
	found []property.Violation
	// handedOff says that the present executor has sent a handoff, and late counts those of dead ones that landed after it.
	handedOff bool
	late      int
}

func newJury(o Options) jury {
	if !o.Judge {
		return jury{}
	}
	return jury{list: o.Judged()}
}

func (j *jury) note(p *property.Property, err error) {
	if err == nil {
		return
	}
	for i := range j.found {
		if j.found[i].Property == p.Name {
			return
		}
	}
	j.found = append(j.found, property.Violation{Property: p.Name, Message: err.Error()})
}

func (s *simulation) moment() property.State {
	return property.State{World: s.world, Rollout: s.options.Rollout, Now: s.now, LateHandoffs: s.jury.late}
}

// judgeState looks at the world after a change.
func (s *simulation) judgeState() {
	if len(s.jury.list) == 0 {
		return
	}
	moment := s.moment()
	for _, p := range s.jury.list {
		if p.State != nil {
			s.jury.note(p, p.State(&moment))
		}
	}
}

// judgePlan looks at a plan before it is carried out.
func (s *simulation) judgePlan(snapshot *model.Snapshot, made *model.Plan) {
	if len(s.jury.list) == 0 || snapshot.Rollout == nil {
		return
	}
	planned := &property.Planned{State: s.moment(), Snapshot: snapshot, Plan: made}
	if s.executor.plans%every == 0 {
		planned.Planner = s.planner
	}
	for _, p := range s.jury.list {
		if p.Plan != nil {
			s.jury.note(p, p.Plan(planned))
		}
	}
}

// judgeEnd looks at a run that says it is complete.
func (s *simulation) judgeEnd() {
	if s.outcome != Complete || !s.ended {
		return
	}
	end := &property.End{State: s.moment(), Last: &s.executor.last, Crashes: s.executor.generation}
	for _, p := range s.jury.list {
		if p.End != nil {
			s.jury.note(p, p.End(end))
		}
	}
}

// sentSeat keeps who handed a node over last: a dead executor's request must have no effect after its successor's.
func (j *jury) sentSeat(a *model.Action, dead bool) {
	switch {
	case a.Cost.Seat == "", a.Reason == model.ReleaseSource: // a release has no fence, and ends by the request's timeout
	case !dead:
		j.handedOff = true
	case j.handedOff:
		j.late++
	}
}
