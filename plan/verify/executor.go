package verify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// planned is what is kept of a plan.
type planned struct {
	whole   *model.Plan // nil unless it has actions or is complete
	actions []model.Action
	// complete: nothing is left to do. remembered: a node rests because the desired revision has failed. again: the
	// plan asks to be made again.
	complete, remembered, blocked, again bool
	wakeOn                               kinds
	found                                map[string]error // by property
	err                                  error
}

func (m *Model) executor(s *State, yield func(string, *State)) {
	if !s.listed {
		next := s.clone()
		for _, cache := range world.Caches() {
			next.world.DeliverUntil(cache, next.now)
		}
		next.issued, next.listed, next.asleep = nil, true, false
		m.shown(s, next)
		yield("list", next)
	}
	if s.late != nil {
		next := s.clone()
		next.late = nil
		_, _ = next.world.Apply(next.now, s.late.Write) // refused or not: nobody hears of it
		m.show(s, next)
		yield("late "+word(s.late), next)
	}
	switch {
	case len(s.send) > 0:
		m.mayCrash(s, "", yield)
		next := s.clone()
		m.sendOne(next)
		yield(word(&s.send[0]), next)
	case !s.asleep:
		m.makePlan(s, yield)
	case m.scope.Triggers == Polled && s.again:
		next := s.clone()
		next.asleep = false
		yield("poll", next)
	}
}

// makePlan begins to send a plan, and goes to sleep over one without actions.
func (m *Model) makePlan(s *State, yield func(string, *State)) {
	p := m.plan(s)
	if len(p.actions) == 0 && (m.scope.Triggers == Anytime || p.err != nil) {
		return
	}
	next := s.clone()
	next.send, next.whole = p.actions, p.whole
	if m.scope.Triggers != Anytime {
		next.asleep, next.wakeOn, next.again = true, p.wakeOn, p.again
	}
	if m.scope.Prompt {
		m.sendAll(next, yield)
		return
	}
	yield("plan", next)
}

// sendAll carries a plan out with nothing in between; the executor may crash before any action.
func (m *Model) sendAll(s *State, yield func(string, *State)) {
	words := "plan:"
	for len(s.send) > 0 {
		m.mayCrash(s, words+" ", yield)
		words += " " + word(&s.send[0])
		m.sendOne(s)
		s.planned, s.reached = nil, nil
	}
	yield(words, s)
}

// mayCrash lets the executor end with its next action on its way; another one takes over.
func (m *Model) mayCrash(s *State, before string, yield func(string, *State)) {
	if s.crashes == 0 {
		return
	}
	next := s.clone()
	next.crashes, next.late = s.crashes-1, &s.send[0]
	next.run, next.listed, next.issued, next.send, next.whole, next.asleep = s.run+1, false, nil, nil, nil, false
	yield(before+"crash, on its way: "+word(&s.send[0]), next)
}

// sendOne carries the next action out. The executor validates what costs availability against a live read first, and
// drops the rest of the plan if an action is refused.
func (m *Model) sendOne(s *State) {
	action := s.send[0]
	if m.validates(&action) && !m.stillValid(s) {
		s.send, s.whole, s.asleep = nil, nil, false
		return
	}
	if s.send = s.send[1:]; len(s.send) == 0 {
		s.whole = nil
	}
	from := *s
	if m.scope.Triggers == Woken {
		from.asSeen() // the world is about to change
	}
	result, err := s.world.Apply(s.now, action.Write)
	if err != nil {
		s.send, s.whole, s.asleep = nil, nil, false
		return
	}
	s.issued = append(slices.Clip(s.issued), model.Issued{Action: action, At: metav1.NewTime(s.now), Result: &result})
	m.show(&from, s)
}

// validates tells whether the executor looks again before the action.
func (m *Model) validates(a *model.Action) bool {
	if m.scope.Literal {
		return a.Cost.Seat == budget.PaidSeat.String()
	}
	return a.Cost.Seat != ""
}

func (m *Model) stillValid(s *State) bool {
	truth := m.snapshot(s, true)
	at := len(s.whole.Actions) - len(s.send)
	return !slices.ContainsFunc(m.scope.Validate(truth, s.whole), func(v plan.Violation) bool { return v.Action == at })
}

// plan plans once a state. Where another state had the same view and its plan had no action, that plan is the answer: it
// names no object. Every so often the memory is checked against the planner.
func (m *Model) plan(s *State) *planned {
	if s.planned != nil {
		return s.planned
	}
	view := m.viewKey(s)
	known, ok := m.idle[string(view)]
	if m.asked++; ok && m.asked%32 != 0 {
		s.planned = known
		return known
	}
	s.planned = m.planOf(s)
	switch {
	case ok && !known.same(s.planned):
		s.broken = fmt.Errorf("two snapshots have one view and different plans: %+v and %+v", known, s.planned)
	case len(s.planned.actions) == 0:
		m.idle[string(view)] = s.planned
	}
	return s.planned
}

// same compares two plans of one view.
func (p *planned) same(o *planned) bool {
	return reflect.DeepEqual(p.actions, o.actions) && p.complete == o.complete && p.remembered == o.remembered &&
		p.blocked == o.blocked && p.again == o.again && p.wakeOn == o.wakeOn && len(p.found) == len(o.found)
}

// reported is the snapshot that the executor makes: a forgetful one leaves out what it has issued. The properties judge with
// what is true.
func (m *Model) reported(snapshot *model.Snapshot) *model.Snapshot {
	if !m.scope.Forgetful {
		return snapshot
	}
	r := *snapshot.Rollout
	r.Status.Issued = nil
	return &model.Snapshot{Cluster: snapshot.Cluster, Rollout: &r}
}

// every is how many plans pass until one is made again to see whether it is the same.
const every = 256

func (m *Model) planOf(s *State) *planned {
	snapshot := m.snapshot(s, false)
	s.truth, s.view = nil, nil // states that wait for their turn need not keep them
	planner := m.planners[s.desired]
	p, err := planner(m.reported(snapshot))
	if err != nil {
		return &planned{err: err}
	}
	kept := &planned{
		actions: p.Actions, complete: p.Complete(), blocked: p.Blocked() != nil, again: p.RequeueAfter > 0, wakeOn: kindsOf(p.WakeOn),
		remembered: slices.ContainsFunc(p.Nodes, func(r model.NodeReport) bool { return r.Reason == model.RevisionRemembered }),
	}
	if len(p.Actions) > 0 || kept.complete || m.scope.OpenWorld {
		kept.whole = &p
	}
	look := &property.Planned{State: m.moment(s), Snapshot: snapshot, Plan: &p, Validate: m.scope.Validate}
	if m.asked%every == 0 {
		look.Planner = planner
	}
	for _, judge := range m.judges {
		if judge.Plan == nil {
			continue
		}
		if err := judge.Plan(look); err != nil {
			if kept.found == nil {
				kept.found = map[string]error{}
			}
			kept.found[judge.Name] = err
		}
	}
	return kept
}

func word(a *model.Action) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", a.Kind, a.Reason, a.Node))
}
