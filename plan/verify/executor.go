package verify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
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

// sending is a plan that the executor carries out: its run with the view that the plan was made from, and the next action. It is not changed.
type sending struct {
	run  *execute.Run
	view *model.Cluster
	// seen is the view's key.
	seen string
	plan *model.Plan
	at   int
}

func (x *sending) rest() []model.Action {
	if x == nil {
		return nil
	}
	return x.plan.Actions[x.at:]
}

func (m *Model) executor(s *State, yield func(string, *State)) {
	if !s.listed() {
		m.list(s, yield)
	}
	if s.late != nil {
		next := s.clone()
		next.late = nil
		_, _ = next.world.Apply(next.now, s.late.Write) // refused or not: nobody hears of it
		m.show(s, next)
		yield("late "+word(s.late), next)
	}
	switch {
	case s.sending != nil:
		m.mayCrash(s, "", yield)
		next := s.clone()
		m.sendOne(next)
		yield(word(&s.sending.rest()[0]), next)
	case !s.asleep:
		m.makePlan(s, yield)
	case m.scope.Triggers == Polled && s.again:
		next := s.clone()
		next.asleep = false
		yield("poll", next)
	}
}

// list gives a new run the list that it asks for; its caches begin with that.
func (m *Model) list(s *State, yield func(string, *State)) {
	next := s.clone()
	for _, cache := range world.Caches() {
		next.world.DeliverUntil(cache, next.now)
	}
	run, live := execute.Resume(next.exec), next.asItIs().Cluster
	reads := run.Reads(m.time(next))
	if err := run.Read(reads, reads.From(live), m.time(next)); err != nil || !reads.All {
		next.broken = fmt.Errorf("a new run asks for %+v, and takes it with %w", reads, err)
	}
	m.look(next, run)
	next.exec, next.asleep = run.State(), false
	m.shown(s, next)
	yield("list", next)
}

// look gives the run the state's view, and returns it.
func (m *Model) look(s *State, run *execute.Run) *model.Snapshot { return m.lookAt(s, s.asSeen(), run) }

func (m *Model) lookAt(s *State, from *model.Snapshot, run *execute.Run) *model.Snapshot {
	document := *m.scope.Documents[s.desired].Rollout
	document.Metadata.Annotations = from.Rollout.Metadata.Annotations
	document.Status.Watched = m.scope.Triggers != Polled
	return run.Snapshot(from.Cluster, &document, m.time(s))
}

// begin is the run in front of the state's view.
func (m *Model) begin(s *State) (*execute.Run, *model.Snapshot) {
	run := execute.Resume(s.exec)
	return run, m.look(s, run)
}

// refresh lets the run forget what the view shows. While it sends a plan it does not look.
func (m *Model) refresh(s *State) {
	if s.sending == nil && len(s.exec.Issued)+len(s.exec.Holds) > 0 {
		run, _ := m.begin(s)
		s.exec = run.State()
	}
}

// waits tells whether the plan's first action waits for a cache, so that nothing of it is sent.
func (m *Model) waits(s *State, p *planned) bool {
	if len(s.exec.Holds) == 0 || len(p.actions) == 0 {
		return false
	}
	run, _ := m.begin(s)
	_, ok := run.Step(p.whole, 0)
	return !ok
}

// again tells whether the plan, or the run, asks for another plan by itself.
func (m *Model) again(s *State, p *planned) bool {
	if p.again || len(s.exec.Holds) == 0 {
		return p.again
	}
	run, _ := m.begin(s)
	return run.After(&model.Plan{}, m.time(s)) > 0
}

// makePlan begins to send a plan, and goes to sleep over one of which nothing is sent.
func (m *Model) makePlan(s *State, yield func(string, *State)) {
	p := m.plan(s)
	waits := m.waits(s, p)
	if (len(p.actions) == 0 || waits) && (m.scope.Triggers == Anytime || p.err != nil) {
		return
	}
	next := s.clone()
	if m.scope.Triggers != Anytime {
		next.asleep, next.wakeOn, next.again = true, p.wakeOn|heldOn(s.exec.Holds), m.again(s, p)
	}
	if len(p.actions) == 0 || waits {
		yield("plan", next)
		return
	}
	run, snapshot := m.begin(s)
	next.sending = &sending{run: run, view: snapshot.Cluster, plan: p.whole}
	if m.scope.Prompt {
		m.sendAll(next, yield)
		return
	}
	next.sending.seen = string(m.viewKey(s))
	yield("plan", next)
}

// heldOn are the kinds of object that held requests wait for.
func heldOn(holds []execute.Hold) (k kinds) {
	for i := range holds {
		k |= kindsOf([]string{holds[i].On.Kind})
	}
	return k
}

// sendAll carries a plan out with nothing in between; the executor may crash before any action.
func (m *Model) sendAll(s *State, yield func(string, *State)) {
	words := "plan:"
	for s.sending != nil {
		m.mayCrash(s, words+" ", yield)
		words += " " + word(&s.sending.rest()[0])
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
	next, lost := s.clone(), &s.sending.rest()[0]
	next.crashes, next.late = s.crashes-1, lost
	next.run, next.exec, next.sending, next.asleep = s.run+1, m.newRun(s.run+1), nil, false
	yield(before+"crash, on its way: "+word(lost), next)
}

// newRun is what a run knows when it begins.
func (m *Model) newRun(run int) execute.State {
	return execute.State{Executor: model.Executor{ID: runID(run), Since: metav1.NewTime(m.began)}, Patience: metav1.Duration{Duration: Deadline}}
}

// sendOne carries the next action out, after its fresh look.
func (m *Model) sendOne(s *State) {
	x := *s.sending
	x.run = x.run.Clone()
	s.sending = &x
	step, ok := x.run.Step(x.plan, x.at)
	if !ok {
		m.over(s)
		return
	}
	if step.NeedsFresh() && (!m.holdsEverywhere(s, step) || step.Confirm(step.Reads().From(m.fresh(s, step)), m.time(s)) != nil) {
		m.refused(s)
		return
	}
	from := *s
	if m.scope.Triggers == Woken {
		from.asSeen() // the world is about to change
	}
	result, err := s.world.Apply(s.now, *step.Write())
	if err != nil {
		_ = step.Done(execute.Refused(err))
		m.refused(s)
		return
	}
	_ = step.Done(execute.Stored(result))
	s.truth, s.view = nil, nil
	if x.at++; x.at == len(x.plan.Actions) {
		m.over(s)
	}
	m.show(&from, s)
}

// holdsEverywhere lets a clone of the run judge the next action by a list of everything, where the executor reads one.
func (m *Model) holdsEverywhere(s *State, step *execute.Step) bool {
	live := m.fresh(s, step)
	if !m.scope.Lists || live == s.sending.view {
		return true
	}
	clone, x := s.sending.run.Clone(), s.sending
	m.lookAt(s, s.asItIs(), clone)
	other, ok := clone.Step(x.plan, x.at)
	return ok && other.Confirm(other.Reads().From(live), m.time(s)) == nil
}

// fresh is where the objects of a fresh look come from. A blind executor takes what it has seen already, and a literal one too for what costs no
// availability by the plan's own word.
func (m *Model) fresh(s *State, step *execute.Step) *model.Cluster {
	if m.blind || m.scope.Literal && step.Action.Cost.Seat != budget.PaidSeat.String() {
		return s.sending.view
	}
	return s.asItIs().Cluster
}

// over ends a plan.
func (m *Model) over(s *State) {
	s.exec, s.sending = s.sending.run.State(), nil
}

// refused ends a plan of which an action was not carried out; another one is made at once.
func (m *Model) refused(s *State) {
	m.over(s)
	s.asleep = false
	m.refresh(s)
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
	_, snapshot := m.begin(s)
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
