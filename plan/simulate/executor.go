package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/world"
)

// executor carries the actions of plans out; what it must remember for that is its run's matter.
type executor struct {
	run        *execute.Run
	alive      bool
	generation int // grows with every crash

	planned bool
	last    model.Plan
	plans   int
	lastAt  time.Time
	behind  bool  // something changed that the last plan's snapshot did not show
	next    *item // the next planning
	requeue bool  // the last plan asked for another one by itself, or the run waits for a time

	sending bool
	at      int // of the last plan's actions, the next one
	sent    int // over all lives

	writes map[WriteCount]*WriteCount
}

func newExecutor(o Options) executor {
	var state execute.State
	if o.Rollout != nil {
		state.Executor, state.Issued = o.Rollout.Status.Executor, slices.Clone(o.Rollout.Status.Issued)
	}
	return executor{alive: true, run: execute.Resume(state), writes: map[WriteCount]*WriteCount{}}
}

// wantPlan asks for a plan at that instant, or as soon as the interval allows.
func (s *simulation) wantPlan(at time.Time) {
	x := &s.executor
	if !x.alive || x.sending {
		return
	}
	if x.planned {
		if least := x.lastAt.Add(s.timings.PlanInterval); at.Before(least) {
			at = least
		}
	}
	if x.next != nil {
		if !at.Before(x.next.due) {
			return
		}
		x.next.cancelled = true
	}
	x.next = s.push(&item{due: at, class: planning, generation: x.generation})
}

// view is the snapshot that the executor's caches show now, after the live reads that its run asks for.
func (s *simulation) view() (*model.Snapshot, error) {
	run := s.executor.run
	shown := s.now.Add(-s.timings.CacheLag)
	for _, cache := range world.Caches() {
		s.world.DeliverUntil(cache, shown)
	}
	if reads := run.Reads(s.now); reads.Any() {
		live, err := s.read(reads)
		if err == nil {
			err = run.Read(reads, live, s.now)
		}
		if err != nil {
			return nil, err
		}
	}
	snapshot, err := s.world.Snapshot(s.now, s.options.Rollout)
	if err != nil || snapshot.Rollout != nil {
		if err == nil {
			snapshot = run.Snapshot(snapshot.Cluster, snapshot.Rollout, s.now)
		}
		return snapshot, err
	}
	run.Snapshot(snapshot.Cluster, &model.Rollout{}, s.now) // nobody's rollout, as a planner of another kind may have it
	return snapshot, nil
}

// read answers reads from the API server itself.
func (s *simulation) read(reads execute.Reads) (model.Objects, error) {
	if !reads.All {
		return s.world.Read(s.now, reads.PodsOn, reads.Objects), nil
	}
	truth, err := s.world.Truth(s.now, s.options.Rollout)
	if err != nil {
		return model.Objects{}, err
	}
	return reads.From(truth.Cluster), nil
}

// plan makes a plan and begins to carry it out.
func (s *simulation) plan(i *item) error {
	x := &s.executor
	if i.generation != x.generation {
		return nil
	}
	x.next = nil
	snapshot, err := s.view()
	if err != nil {
		return err
	}
	next, err := s.planner(snapshot)
	if err != nil {
		return fmt.Errorf("planning %s into the rollout: %w", s.now.Sub(s.options.Start), err)
	}
	x.planned, x.last, x.lastAt = true, next, s.now
	x.behind = s.now.Add(-s.timings.CacheLag).Before(s.lastChange)
	x.plans++
	s.metrics.plan(&next, s.now)
	s.judgePlan(snapshot, &next)
	if s.options.OnStep != nil {
		if err := s.options.OnStep(snapshot, &next); err != nil {
			return err
		}
	}
	if s.options.Decide != nil {
		s.decide(s.options.Decide(&next))
	}
	x.at, x.sending = 0, len(next.Actions) > 0
	s.nextWrite()
	return nil
}

// decide gives the rollout a decision, which the next plan sees. One that stands already is taken away first: given anew it covers what
// has failed since.
func (s *simulation) decide(d *model.Decision) {
	if d == nil || s.options.Rollout == nil {
		return
	}
	rollout := *s.options.Rollout
	s.options.Rollout = &rollout
	s.lastChange, s.progress, s.executor.behind = s.now, s.now, true
	if rollout.Spec.Decision == *d {
		rollout.Spec.Decision = model.Decision{}
		return
	}
	rollout.Spec.Decision = *d
	s.turns = append(s.turns, Turn{At: s.now.Sub(s.options.Start), Decision: *d, NodeTime: s.metrics.spent(s.now)})
	s.note(Entry{What: Decided, Decision: d})
}

// planAgain asks for the plan that follows by itself: for what the caches did not show yet, and when the
// last plan's timer, or the run's, runs out.
func (s *simulation) planAgain() {
	x := &s.executor
	if x.behind {
		s.wantPlan(s.lastChange.Add(s.timings.CacheLag))
	}
	after := x.run.After(&x.last, x.lastAt)
	if x.requeue = after > 0; x.requeue {
		s.wantPlan(x.lastAt.Add(after))
	}
}

// nextWrite begins the last plan's next request. Where that waits for a cache, or all is sent, the plan is over.
func (s *simulation) nextWrite() {
	x := &s.executor
	if x.at < len(x.last.Actions) {
		if step, ok := x.run.Step(&x.last, x.at); ok {
			s.push(&item{due: s.now.Add(s.timings.Write), class: write, generation: x.generation, number: x.sent, step: step})
			return
		}
	}
	x.sending = false
	if x.at > 0 {
		// The plan was carried out, or ended by a refusal. The next one does not wait until the caches show that: what
		// they do not show yet is the run's to know.
		s.wantPlan(s.now)
	}
	s.planAgain()
}

// send carries one action out, unless the executor crashes before it.
func (s *simulation) send(i *item) error {
	x := &s.executor
	if i.generation != x.generation {
		return nil
	}
	x.sent++
	for _, crash := range s.options.Crashes {
		if crash.Before == x.sent {
			s.crash(crash, i.step.Action)
			return nil
		}
	}
	err := s.carryOut(i.step)
	if x.at++; err != nil {
		s.refused(i.step.Action, err)
		x.at = len(x.last.Actions) // any prefix of a plan may be carried out, and nothing else
	}
	s.nextWrite()
	return nil
}

// carryOut gives a step its fresh look and sends it. The error is of either.
func (s *simulation) carryOut(step *execute.Step) error {
	if step.NeedsFresh() {
		live, err := s.read(step.Reads())
		if err == nil {
			err = step.Confirm(live, s.now)
		}
		if err != nil {
			return err
		}
	}
	result, err := s.world.Apply(s.now, *step.Write())
	if err != nil {
		_ = step.Done(execute.Refused(err))
		return err
	}
	_ = step.Done(execute.Stored(result))
	s.jury.sentSeat(step.Action, false)
	s.done(step.Action)
	return nil
}

func (s *simulation) done(action *model.Action) {
	s.progress = s.now
	s.metrics.acted(s.now)
	s.executor.count(action).Done++
	s.note(Entry{Node: action.Node, What: Sent, Action: action})
}

func (s *simulation) refused(action *model.Action, err error) {
	s.executor.count(action).Refused++
	s.note(Entry{Node: action.Node, What: Refused, Action: action, Err: err})
}

// land is a dead executor's request that reaches the API server after all.
func (s *simulation) land(late *model.Action) {
	if _, err := s.world.Apply(s.now, late.Write); err != nil {
		s.refused(late, err)
		return
	}
	s.jury.sentSeat(late, true)
	s.done(late)
}

// crash ends the executor: it forgets the rest of its plan and all that its run knew.
func (s *simulation) crash(crash Crash, lost *model.Action) {
	x := &s.executor
	x.generation++
	s.jury.handedOff = false
	x.alive, x.sending, x.planned, x.requeue = false, false, false, false
	if x.next != nil {
		x.next.cancelled, x.next = true, nil
	}
	s.note(Entry{What: ExecutorCrashed})
	if crash.Late > 0 {
		s.push(&item{due: s.now.Add(crash.Late), class: late, number: x.sent, late: lost})
		s.script++
	}
	s.push(&item{due: s.now.Add(s.timings.Restart), class: restart})
}

// restartExecutor starts a new one under a new ID. Its run asks for a live list once no request of the dead one can land any more.
func (s *simulation) restartExecutor() {
	x := &s.executor
	x.run = execute.Resume(execute.State{Executor: model.Executor{
		ID: fmt.Sprintf("executor-%d", x.generation+1), RequestTimeout: metav1.Duration{Duration: s.timings.RequestTimeout},
	}})
	x.alive = true
	s.progress = s.now
	s.note(Entry{What: ExecutorStarted})
	s.wantPlan(s.now)
}

// count returns the line of the action's verb, kind of object and kind.
func (x *executor) count(action *model.Action) *WriteCount {
	key := WriteCount{Verb: action.Write.Verb(), Object: action.Write.Object.Kind, Kind: action.Kind}
	line, ok := x.writes[key]
	if !ok {
		own := key
		line = &own
		x.writes[key] = line
	}
	return line
}

func (x *executor) counts() []WriteCount {
	lines := make([]WriteCount, 0, len(x.writes))
	for _, line := range x.writes {
		lines = append(lines, *line)
	}
	slices.SortFunc(lines, func(a, b WriteCount) int {
		return cmp.Or(cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Kind, b.Kind))
	})
	return lines
}
