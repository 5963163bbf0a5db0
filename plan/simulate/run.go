package simulate

import (
	"container/heap"
	"errors"
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// Run lets the rollout go on from the world's state until it ends. The world is changed; clone it before to
// keep it. The error is what the planner, OnStep or the objects' index returned, a *world.DoubleError, or a
// *StepsError; the result then holds what had happened until then.
func Run(w *world.World, planner Planner, o Options) (Result, error) {
	if w == nil || planner == nil {
		return Result{}, errors.New("a simulation needs a world and a planner")
	}
	o = o.withDefaults(w.Len())
	s := &simulation{
		world: w, planner: planner, options: o, timings: o.Timings, now: o.Start,
		scheduled: map[string][]*item{}, counts: map[world.Transition]uint32{},
		metrics: newMetrics(o.Start), executor: newExecutor(o), jury: newJury(o),
		lastChange: o.Start, progress: o.Start, former: map[int]map[string]world.Behaviour{},
	}
	if err := s.begin(); err != nil {
		return Result{}, err
	}
	err := s.loop()
	s.judgeEnd()
	return s.finish(), err
}

// simulation is one run.
type simulation struct {
	world   *world.World
	planner Planner
	options Options
	timings Timings
	now     time.Time

	queue     queue
	scheduled map[string][]*item // by node; of DaemonSets by "/namespace/name"
	counts    map[world.Transition]uint32
	live      int                                // scheduled transitions that make progress
	script    int                                // faults and their ends, and late requests, that are still to come
	former    map[int]map[string]world.Behaviour // by fault: what images did before it

	executor   executor
	jury       jury
	metrics    metrics
	sampler    sampler
	timeline   []Entry
	turns      []Turn
	lastChange time.Time // the last visible change
	progress   time.Time
	steps      int

	outcome Outcome
	ended   bool
}

func (s *simulation) begin() error {
	for i := range s.options.Faults {
		f := &s.options.Faults[i]
		s.push(&item{due: s.options.Start.Add(f.At), class: scripted, number: i})
		s.script++
		if f.Until == 0 {
			continue
		}
		if _, ok := f.end(); !ok && f.Behaviour == nil {
			return fmt.Errorf("fault %d (%s): this kind has no end of its own; leave out its end", i, f.Transition)
		}
		if f.Until <= f.At {
			return fmt.Errorf("fault %d (%s): it ends at %s, before it begins at %s", i, f.Transition, f.Until, f.At)
		}
		s.push(&item{due: s.options.Start.Add(f.Until), class: scripted, number: i, end: true})
		s.script++
	}
	s.metrics.begin(s.world)
	for _, name := range s.world.Nodes() {
		s.sampleNode(name)
	}
	s.metrics.bound = boundOf(s.world, &s.options)
	s.wantPlan(s.now)
	return s.refresh()
}

func (s *simulation) push(i *item) *item {
	heap.Push(&s.queue, i)
	return i
}

// loop takes the due items one after the other.
func (s *simulation) loop() error {
	for !s.ended {
		if s.steps++; s.steps > s.options.MaxSteps {
			return &StepsError{Steps: s.options.MaxSteps, At: s.now.Sub(s.options.Start)}
		}
		next := s.pop()
		if next == nil || next.due.Sub(s.progress) > s.options.StuckAfter && s.script == 0 {
			s.end(s.stuck())
			return nil
		}
		s.now = next.due
		if err := s.happen(next); err != nil {
			return err
		}
		if err := s.refresh(); err != nil {
			return err
		}
		s.judge()
	}
	return nil
}

func (s *simulation) pop() *item {
	for s.queue.Len() > 0 {
		if next := heap.Pop(&s.queue).(*item); !next.cancelled {
			return next
		}
	}
	return nil
}

func (s *simulation) happen(next *item) error {
	switch next.class {
	case scripted:
		s.script--
		return s.doFault(next)
	case natural:
		s.forget(next)
		s.do(next.transition, next.churn)
	case late:
		s.script--
		s.land(next.late)
	case write:
		return s.send(next)
	case restart:
		s.restartExecutor()
	case planning:
		return s.plan(next)
	}
	return nil
}

// do lets a transition happen; one that has become impossible in the same instant is left out.
func (s *simulation) do(t world.Transition, churn bool) {
	events, err := s.world.Do(s.now, t)
	if err != nil {
		return
	}
	if !churn && t.Kind != world.WriteStatus && len(events) > 0 {
		s.progress = s.now
	}
	if s.options.Detail || t.Kind.Fault() {
		for i := range events {
			s.note(Entry{Node: events[i].Node, What: Happened, Event: &events[i]})
		}
	}
}

func (s *simulation) doFault(i *item) error {
	f := &s.options.Faults[i.number]
	s.progress = s.now
	if f.Behaviour != nil {
		for _, key := range sortedKeys(f.Behaviour) {
			if i.end {
				s.world.SetBehaviour(key, s.former[i.number][key])
				continue
			}
			if s.former[i.number] == nil {
				s.former[i.number] = map[string]world.Behaviour{}
			}
			s.former[i.number][key] = s.world.SetBehaviour(key, f.Behaviour[key])
		}
		return nil
	}
	t := f.Transition
	if i.end {
		t, _ = f.end()
	}
	s.do(t, false)
	return nil
}

func (s *simulation) note(e Entry) {
	e.At = s.now.Sub(s.options.Start)
	s.timeline = append(s.timeline, e)
}

// refresh schedules what has become possible and forgets what no longer is, where something changed.
func (s *simulation) refresh() error {
	changes := s.world.Changed()
	for _, name := range changes.Sets {
		s.schedule("/"+name, s.world.EnabledOf(s.now, name))
		if due := s.world.UpdateDue(name); due.After(s.now) {
			s.scheduleAgain(name, due)
		}
	}
	for _, name := range changes.Nodes {
		s.schedule(name, s.world.EnabledOn(s.now, name))
		for _, e := range s.metrics.node(s.world, s.now, name) {
			s.note(e)
		}
		s.sampleNode(name)
		if err := s.checkNode(name); err != nil {
			return err
		}
	}
	if s.options.Samples {
		s.sampler.take(s.now.Sub(s.options.Start), &s.metrics)
	}
	if len(changes.Nodes)+len(changes.Sets) > 0 {
		s.judgeState()
	}
	if changes.Visible {
		s.lastChange, s.executor.behind = s.now, true
		s.wantPlan(s.now.Add(s.timings.CacheLag))
	}
	return nil
}

func (s *simulation) sampleNode(name string) {
	if s.options.Samples {
		s.sampler.pulls(name, s.scheduled[name])
		s.sampler.absent(name, s.metrics.nodes[name], s.world.Eligible(name), s.now.Sub(s.options.Start))
	}
}

func (s *simulation) checkNode(name string) error {
	err := s.world.CheckNode(name)
	if err == nil {
		return nil
	}
	var double *world.DoubleError
	if errors.As(err, &double) && s.metrics.double == nil {
		s.metrics.double = double
	}
	if s.options.AllowDouble {
		return nil
	}
	return err
}

// schedule makes the items of one place those that are possible now. What stays possible keeps its time.
func (s *simulation) schedule(place string, enabled []world.Transition) {
	items := s.scheduled[place]
	kept := items[:0:0]
	for _, i := range items {
		if contains(enabled, i.transition) {
			kept = append(kept, i)
			continue
		}
		i.cancelled = true
		s.count(i, -1)
	}
	for _, t := range enabled {
		if s.waitsInLine(kept, t) || hasItem(kept, t) {
			continue
		}
		count := s.counts[t]
		s.counts[t] = count + 1
		took := s.timings.spread(s.timings.base(s.world, t, count), s.options.Seed, t, count)
		i := s.push(&item{due: s.now.Add(took), class: natural, transition: t, churn: s.churns(t)})
		s.count(i, +1)
		kept = append(kept, i)
	}
	if len(kept) == 0 {
		delete(s.scheduled, place)
		return
	}
	s.scheduled[place] = kept
}

// waitsInLine: waiters get their lock in the order in which they asked for it. World lists them so.
func (s *simulation) waitsInLine(items []*item, t world.Transition) bool {
	if t.Kind != world.GrantLock {
		return false
	}
	for _, i := range items {
		if i.transition.Kind == world.GrantLock && i.transition.Container == t.Container && i.transition != t {
			return true
		}
	}
	return false
}

func contains(list []world.Transition, t world.Transition) bool {
	for i := range list {
		if list[i] == t {
			return true
		}
	}
	return false
}

func hasItem(items []*item, t world.Transition) bool {
	for _, i := range items {
		if i.transition == t {
			return true
		}
	}
	return false
}

// scheduleAgain lets the native rolling update look again when a Pod has been Ready for long enough.
func (s *simulation) scheduleAgain(name string, due time.Time) {
	t := world.Transition{Kind: world.UpdateStep, Set: name}
	place := "/" + name
	if hasItem(s.scheduled[place], t) {
		return
	}
	i := s.push(&item{due: due, class: natural, transition: t})
	s.count(i, +1)
	s.scheduled[place] = append(s.scheduled[place], i)
}

// forget takes an item that is due out of its place.
func (s *simulation) forget(done *item) {
	s.count(done, -1)
	place := done.transition.Node
	if place == "" {
		place = "/" + done.transition.Set
	}
	items := s.scheduled[place]
	for i := range items {
		if items[i] == done {
			s.scheduled[place] = append(items[:i:i], items[i+1:]...)
			break
		}
	}
}

// count keeps the number of transitions under way that lead somewhere.
func (s *simulation) count(i *item, by int) {
	if !i.churn {
		s.live += by
	}
}

// churns tells whether the transition only turns in the circle of a crash loop, of a pull that fails, or of evictions.
func (s *simulation) churns(t world.Transition) bool {
	switch t.Kind {
	case world.Crash, world.RestartContainer, world.GrantLock, world.PassStartup, world.PassReadiness:
		c, ok := s.world.Container(t)
		return ok && c.Restarts > 0 && (c.Behaviour == world.CrashLoops || c.Behaviour == world.ReadyThenCrashes)
	case world.InitError:
		c, ok := s.world.Container(t)
		return ok && (c.Restarts > 0 || s.counts[t] > 0)
	case world.PullError:
		c, ok := s.world.Container(t)
		return ok && c.PullFailed
	case world.FailPod, world.CreatePod, world.DeletePod, world.BindPod, world.RemovePod:
		return s.world.Pressed(t.Node)
	default:
		return false
	}
}

// judge ends the run when the plan says so and nothing is under way that could make it say otherwise.
func (s *simulation) judge() {
	x := &s.executor
	if s.ended || !x.alive || !x.planned || x.sending || s.live > 0 || s.script > 0 || x.behind {
		return
	}
	last := &x.last
	if len(last.Actions) > 0 || len(x.run.State().Issued) > 0 {
		return
	}
	switch {
	case last.Ended():
		s.end(Complete)
	case x.requeue:
	case last.Blocked() != nil:
		s.end(Blocked)
	default:
		s.end(Stuck)
	}
}

func (s *simulation) stuck() Outcome {
	if s.executor.planned && s.executor.last.Blocked() != nil {
		return Blocked
	}
	return Stuck
}

func (s *simulation) end(o Outcome) { s.ended, s.outcome = true, o }

func (s *simulation) finish() Result {
	r := Result{
		Outcome: s.outcome, Last: s.executor.last, Duration: s.now.Sub(s.options.Start), Timeline: s.timeline, Turns: s.turns,
		Limits: s.executor.last.Limits, Plans: s.executor.plans, Steps: s.steps, Writes: s.executor.counts(),
		Violations: s.jury.found, Samples: s.sampler.list, Absences: s.sampler.absences(s.now.Sub(s.options.Start)),
	}
	if blocked := r.Last.Blocked(); blocked != nil && r.Outcome != Complete {
		r.Reason, r.Message = blocked.Reason, blocked.Message
	} else if r.Outcome != Complete && len(r.Last.Waits) > 0 {
		r.Reason, r.Message = string(r.Last.Waits[0].Reason), r.Last.Waits[0].Message
	}
	s.metrics.fill(&r, s.now)
	if o := s.options.Rollout; r.DecidedBy == ByWindow && o != nil && o.Spec.Strategy.Type == model.Surge {
		r.DecidedBy = ByBudget // a Surge has one number for both
	}
	return r
}
