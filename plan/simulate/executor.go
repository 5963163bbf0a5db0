package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// executor carries the actions of plans out.
type executor struct {
	who        model.Executor
	alive      bool
	generation int // grows with every crash

	planned bool
	last    model.Plan
	plans   int
	lastAt  time.Time
	behind  bool  // something changed that the last plan's snapshot did not show
	next    *item // the next planning
	requeue bool  // the last plan asked for another one by itself

	sending bool
	actions []model.Action
	issued  []model.Issued
	sent    int // over all lives

	writes map[WriteCount]*WriteCount
}

// pendingWrite is an action on its way.
type pendingWrite struct{ action model.Action }

func newExecutor(o Options) executor {
	x := executor{alive: true, writes: map[WriteCount]*WriteCount{}}
	if o.Rollout != nil {
		x.who = o.Rollout.Status.Executor
		x.issued = slices.Clone(o.Rollout.Status.Issued)
	}
	return x
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

// view is the snapshot that the executor's caches show now.
func (s *simulation) view() (*model.Snapshot, error) {
	x := &s.executor
	shown := s.now.Add(-s.timings.CacheLag)
	for _, cache := range world.Caches() {
		s.world.DeliverUntil(cache, shown)
	}
	snapshot, err := s.world.Snapshot(s.now, s.options.Rollout)
	if err != nil || snapshot.Rollout == nil {
		return snapshot, err
	}
	x.issued = slices.DeleteFunc(x.issued, func(i model.Issued) bool { return i.Visible(snapshot.Cluster) })
	snapshot.Rollout.Status.Issued = slices.Clone(x.issued)
	snapshot.Rollout.Status.Executor = x.who
	return snapshot, nil
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
	x.requeue = next.RequeueAfter > 0
	if len(next.Actions) > 0 {
		x.actions, x.sending = next.Actions, true
		s.nextWrite()
		return nil
	}
	s.planAgain()
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
// last plan's timer runs out.
func (s *simulation) planAgain() {
	x := &s.executor
	if x.behind {
		s.wantPlan(s.lastChange.Add(s.timings.CacheLag))
	}
	if x.requeue {
		s.wantPlan(x.lastAt.Add(x.last.RequeueAfter))
	}
}

func (s *simulation) nextWrite() {
	x := &s.executor
	if len(x.actions) == 0 {
		x.sending = false
		if len(x.last.Actions) > 0 {
			// The plan was carried out. The next one does not wait until the caches show that: what
			// they do not show yet is in the list of issued actions.
			s.wantPlan(s.now)
		}
		s.planAgain()
		return
	}
	s.push(&item{due: s.now.Add(s.timings.Write), class: write, generation: x.generation,
		number: x.sent, action: pendingWrite{x.actions[0]}})
	x.actions = x.actions[1:]
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
			s.crash(crash, i.action)
			return nil
		}
	}
	action := i.action.action
	if s.options.Validate != nil {
		snapshot, err := s.view()
		if err != nil {
			return err
		}
		if err := s.options.Validate(snapshot, action); err != nil {
			s.refused(action, err)
			x.actions = nil
			s.nextWrite()
			return nil
		}
	}
	result, err := s.world.Apply(s.now, action.Write)
	if err != nil {
		s.refused(action, err)
		x.actions = nil
	} else {
		x.issued = append(x.issued, model.Issued{Action: action, At: metav1.NewTime(s.now), Result: &result})
		s.done(action)
	}
	s.nextWrite()
	return nil
}

func (s *simulation) done(action model.Action) {
	s.progress = s.now
	s.metrics.acted(s.now)
	s.executor.count(&action).Done++
	s.note(Entry{Node: action.Node, What: Sent, Action: &action})
}

func (s *simulation) refused(action model.Action, err error) {
	s.executor.count(&action).Refused++
	s.note(Entry{Node: action.Node, What: Refused, Action: &action, Err: err})
}

// land is a dead executor's request that reaches the API server after all.
func (s *simulation) land(late pendingWrite) {
	if _, err := s.world.Apply(s.now, late.action.Write); err != nil {
		s.refused(late.action, err)
		return
	}
	s.jury.sentSeat(&late.action, true)
	s.done(late.action)
}

// crash ends the executor: it forgets the rest of its plan and what it has issued.
func (s *simulation) crash(crash Crash, lost pendingWrite) {
	x := &s.executor
	x.generation++
	s.jury.handedOff = false
	x.alive, x.sending, x.planned, x.actions, x.issued, x.requeue = false, false, false, nil, nil, false
	if x.next != nil {
		x.next.cancelled, x.next = true, nil
	}
	s.note(Entry{What: ExecutorCrashed})
	if crash.Late > 0 {
		s.push(&item{due: s.now.Add(crash.Late), class: late, number: x.sent, action: lost})
		s.script++
	}
	s.push(&item{due: s.now.Add(s.timings.Restart), class: restart})
}

// restartExecutor starts a new one under a new ID, which begins with a live list.
func (s *simulation) restartExecutor() {
	x := &s.executor
	timeout := s.timings.RequestTimeout
	if r := s.options.Rollout; r != nil && r.Status.Executor.RequestTimeout.Duration > 0 {
		timeout = r.Status.Executor.RequestTimeout.Duration
	}
	x.who = model.Executor{
		ID:    fmt.Sprintf("executor-%d", x.generation+1),
		Since: metav1.NewTime(s.now), RequestTimeout: metav1.Duration{Duration: timeout}, Listed: true,
	}
	for _, cache := range world.Caches() {
		s.world.DeliverUntil(cache, s.now)
	}
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
