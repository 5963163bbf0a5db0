package verify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// Model is a scope as package explore wants it. It remembers plans, so it is not safe for concurrent use.
type Model struct {
	scope  Scope
	blind  bool
	keyer  *world.Keyer
	start  *State
	began  time.Time
	judges property.List
	// planners are one a document.
	planners []Planner
	// idle are plans without actions by what they were made from; asked counts the questions.
	idle  map[string]*planned
	asked int
	// view is the last view's key, of the state viewed; nil if that may have changed since.
	view   []byte
	viewed *State
	// alone: the rollout has one DaemonSet.
	alone bool
	// unserved are the nodes without an agent at the start, and ill the conditions that nobody ends.
	unserved int
	ill      []world.Transition
}

// New makes the scope's model: unless it is fresh or given, the first document is installed first.
func New(s Scope) (*Model, error) {
	switch {
	case len(s.Documents) == 0:
		return nil, errors.New("a scope needs a document")
	case max(len(s.Documents), s.Most, s.Crashes, len(s.Clocks)) > MostFaults:
		return nil, fmt.Errorf("a scope has at most %d documents, faults, crashes and clocks: a key has four bits for each", MostFaults)
	}
	blind := s.Validate != nil // what a look finds is judged by plan.Validate alone
	if !blind {
		s.Validate = plan.Validate
	}
	first := s.Documents[0].Rollout
	if s.Deployed {
		var err error
		if s.Start, first, err = s.deploy(first); err != nil {
			return nil, err
		}
		s.Given = true
	}
	m := &Model{scope: s, blind: blind, idle: map[string]*planned{}, began: first.Status.ObservedAt.Time, planners: planners(&s)}
	cluster, err := model.NewCluster(s.Start)
	if err != nil {
		return nil, err
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: first}, world.Options{Lagging: len(s.Lags) > 0, NoStatusCounts: true, Behaviour: s.Images})
	if err != nil {
		return nil, err
	}
	m.alone = first.WithDefaults().Spec.Strategy.Type != model.Pair
	m.keyer = world.NewKeyer(world.KeyOptions{
		Rollout: first, Places: s.places(), Ages: s.ages(), Restarts: m.restarts() + 1, Rest: s.restTime(), Emptied: s.OpenWorld,
	})
	m.start = &State{world: w, now: m.began, exec: m.newRun(0)}
	m.start.exec.Executor.Listed = true
	if !s.Fresh && !s.Given {
		if err := m.install(); err != nil {
			return nil, err
		}
	}
	for _, t := range s.After {
		if _, err := m.start.world.Do(m.start.now, t); err != nil {
			return nil, err
		}
		m.show(m.start, m.start)
	}
	m.start.faults, m.start.crashes = s.Most, s.Crashes
	start := m.moment(m.start)
	m.unserved = len(start.Unserved())
	for _, t := range m.start.world.Faults(m.start.now) {
		if endsFault(t.Kind) {
			m.ill = append(m.ill, t)
		}
	}
	m.judges = m.judged()
	return m, nil
}

// planners are the scope's one, or the plans of plan.Next to the byte in less time: a plan.Planner remembers one document.
func planners(s *Scope) []Planner {
	list := make([]Planner, len(s.Documents))
	for i := range list {
		if list[i] = s.Planner; list[i] == nil {
			list[i] = new(plan.Planner).Next
		}
	}
	return list
}

func (m *Model) restarts() int32 {
	most := int32(0)
	for i := range m.scope.Documents {
		spec := &m.scope.Documents[i].Rollout.WithDefaults().Spec
		most = max(most, *spec.Failure.MaxRestarts)
		if canary := spec.Strategy.Canary; canary != nil {
			most = max(most, *canary.AutoPause.MaxRestarts, *canary.AutoFail.MaxRestarts)
		}
	}
	return most
}

// install goes on, one way among many, until the first document is at its end.
func (m *Model) install() error {
	scope := m.scope
	m.scope.Triggers, m.scope.Forgetful = Anytime, false
	defer func() { m.scope = scope }()
	for range 1000 {
		if m.end(m.start, property.Reached) {
			return nil
		}
		next := (*State)(nil)
		m.Next(m.start, func(name string, to *State) {
			if next == nil && Fair(name) {
				next = to
			}
		})
		if next == nil {
			return fmt.Errorf("the first document is not installed, and nothing goes on: %v", property.Reached(m.endOf(m.start)))
		}
		m.start = next
	}
	return errors.New("the first document is not installed after 1000 steps")
}

// Initial returns the one state to begin with.
func (m *Model) Initial() []*State { return []*State{m.start} }

// Next yields what the executor does, what happens by itself, and what goes wrong.
func (m *Model) Next(s *State, yield func(string, *State)) {
	if s.broken != nil {
		return
	}
	m.executor(s, yield)
	alone := m.byItself(s, yield)
	m.disturb(s, yield)
	if alone && s.listed() && s.sending == nil && m.rests(s) && (s.clock == right || m.scope.Clocks[s.clock-1] != Still) {
		next := s.clone()
		next.now, next.asleep = next.now.Add(jump), false
		m.refresh(next)
		yield("time passes", next)
	}
}

// rests tells whether the executor waits for a time that it has asked for.
func (m *Model) rests(s *State) bool {
	if m.scope.Triggers != Anytime {
		return s.asleep && s.again
	}
	p := m.plan(s)
	return (len(p.actions) == 0 || m.waits(s, p)) && m.again(s, p)
}

// byItself yields the world's own transitions and what the caches show, and tells whether there are none. Faults end after
// that.
func (m *Model) byItself(s *State, yield func(string, *State)) (alone bool) {
	alone = true
	behind := [4]bool{}
	for _, t := range s.world.Enabled(s.now) {
		if t.Kind == world.Deliver {
			for _, cache := range m.scope.Lags {
				behind[cache] = behind[cache] || t.Value == cache.String()
			}
			continue
		}
		if m.scope.Lasting && s.world.Pressed(t.Node) {
			// An eviction follows the other for ever, and time passes all the same. The controller backs off before it deletes a Pod that has failed: what
			// the executor has to do comes before that. It may come too late for all else.
			if t.Kind != world.DeletePod || s.sending == nil && s.listed() && m.rests(s) {
				m.do(s, t, yield)
			}
			continue
		}
		alone = false
		m.do(s, t, yield)
	}
	for _, cache := range m.scope.Lags {
		if behind[cache] {
			alone = false
			next := s.clone()
			next.world.DeliverUntil(cache, next.now)
			m.shown(s, next)
			yield("show "+cache.String(), next)
		}
	}
	m.endFaults(s, yield)
	return alone
}

// do lets the world go one step.
func (m *Model) do(s *State, t world.Transition, yield func(string, *State)) {
	next := s.clone()
	if _, err := next.world.Do(next.now, t); err != nil {
		if !t.Kind.Fault() {
			next.broken = fmt.Errorf("the world offers what it refuses: %w", err)
			yield(m.named(s, t), next)
		}
		return
	}
	m.show(s, next)
	yield(m.named(s, t), next)
}

// show lets the caches that do not lag show everything.
func (m *Model) show(from, s *State) {
	m.hurry(s)
	for _, cache := range world.Caches() {
		if !slices.Contains(m.scope.Lags, cache) {
			s.world.DeliverUntil(cache, s.now)
		}
	}
	m.shown(from, s)
}

// shown lets the run forget what the caches show, and wakes the executor.
func (m *Model) shown(from, s *State) {
	s.truth, s.view = nil, nil
	m.refresh(s)
	if m.scope.Triggers == Woken && s.asleep && changes(from, s)&s.wakeOn != 0 {
		s.asleep = false
	}
}

// hurry lets the small steps of a coarse scope follow at once.
func (m *Model) hurry(s *State) {
	for m.scope.Coarse {
		list := s.world.Enabled(s.now)
		at := slices.IndexFunc(list, func(t world.Transition) bool {
			return t.Kind == world.BindPod || t.Kind == world.RunInit || t.Kind == world.PassReadiness || t.Kind == world.RemovePod
		})
		if at < 0 {
			return
		}
		if _, err := s.world.Do(s.now, list[at]); err != nil {
			s.broken = fmt.Errorf("the world offers what it refuses: %w", err)
			return
		}
	}
}
