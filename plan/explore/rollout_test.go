package explore_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rollout is the rollout as a model: a world, the planner and an executor that may stop anywhere.
//
// Time is a count of steps: what happens does so at even seconds, and plans are made at odd ones, so that no two instants
// are equal by chance. No deadline lies within reach of it. Only when nothing can happen by
// itself, and the plan has no action and asks to be called again, a jump passes every deadline at once. So the order of
// instants is explored, and durations are not.
type rollout struct {
	scope scope
	keyer keyer
	start *state
	// documents by index of the desired revision.
	documents []*model.Rollout
	// idle are plans without actions by what they were made from; asked counts the questions.
	idle  map[[sha256.Size]byte]*planned
	asked int
}

// state is one state. It is not changed once it is made, but for what is computed of it once.
type state struct {
	world *world.World
	now   time.Time
	// desired is an index into the scope's revisions; faults and crashes are what is left of them.
	desired, faults, crashes int
	observed                 [2]observedSpec

	// The executor: its run, whether it has read a live list, the actions whose effect its caches may not show yet, the
	// rest of the plan that it is sending, and a request of its predecessor that may still land.
	run    int
	listed bool
	issued []model.Issued
	send   []model.Action // the rest of whole
	whole  *model.Plan
	late   *model.Action
	broken error

	planned     *planned
	truth, view *model.Cluster    // made once, when asked for
	owner       map[string]string // its annotations
}

// planned is what is kept of a plan.
type planned struct {
	whole    *model.Plan // nil without actions
	actions  []model.Action
	complete bool // nothing is left to do, and every node is available
	// remembered: some node rests because the desired revision has failed; again: the plan asks to be made again.
	remembered, again bool
	broken            error
}

const (
	// deadline lies beyond any trace's steps, and jump beyond the deadline.
	deadline = 1_000_000
	tick     = time.Second
	jump     = 2 * deadline * time.Second
)

var errNotEmpty = errors.New("the validator objects")

func (m *rollout) Initial() []*state { return []*state{m.start} }

// Next yields what the executor does, what happens by itself, and what goes wrong.
func (m *rollout) Next(s *state, yield func(string, *state)) {
	if s.broken != nil {
		return
	}
	m.executor(s, yield)
	alone := m.byItself(s, yield)
	m.disturb(s, yield)
	if alone && len(s.send) == 0 && s.listed {
		if p := m.plan(s); len(p.actions) == 0 && p.again {
			next := s.clone()
			next.now = next.now.Add(jump)
			yield("time passes", next)
		}
	}
}

func (m *rollout) executor(s *state, yield func(string, *state)) {
	if !s.listed {
		next := s.clone()
		m.list(next)
		yield("list", next)
	}
	if s.late != nil {
		next := s.clone()
		next.late = nil
		_, _ = next.world.Apply(next.now, s.late.Write) // refused or not: nobody hears of it
		m.show(next)
		yield("late "+word(s.late), next)
	}
	if len(s.send) == 0 {
		if p := m.plan(s); p.broken != nil || len(p.actions) > 0 {
			next := s.clone()
			if next.broken, next.send, next.whole = p.broken, p.actions, p.whole; m.scope.prompt && p.broken == nil {
				m.sendAll(next, yield)
				return
			}
			yield("plan", next)
		}
		return
	}
	m.mayCrash(s, "", yield)
	next := s.clone()
	m.sendOne(next)
	yield(word(&s.send[0]), next)
}

// sendAll carries a plan out with nothing in between; the executor may crash before any action.
func (m *rollout) sendAll(s *state, yield func(string, *state)) {
	words := "plan:"
	for len(s.send) > 0 {
		m.mayCrash(s, words+" ", yield)
		words += " " + word(&s.send[0])
		m.sendOne(s)
		s.planned = nil
	}
	yield(words, s)
}

// mayCrash lets the executor end with its next action on its way; another one takes over.
func (m *rollout) mayCrash(s *state, before string, yield func(string, *state)) {
	if s.crashes == 0 {
		return
	}
	next := s.clone()
	next.crashes, next.late = s.crashes-1, &s.send[0]
	next.run, next.listed, next.issued, next.send = s.run+1, false, nil, nil
	yield(before+"crash, on its way: "+word(&s.send[0]), next)
}

// sendOne carries the next action out. The executor validates what costs availability against a live read first, and
// drops the rest of the plan if an action is refused.
func (m *rollout) sendOne(s *state) {
	action := s.send[0]
	if action.Cost.Seat != "" && !m.stillValid(s) {
		s.send = nil
		return
	}
	s.send = s.send[1:]
	result, err := s.world.Apply(s.now, action.Write)
	if err != nil {
		s.send = nil
		return
	}
	s.issued = append(slices.Clip(s.issued), model.Issued{Action: action, At: metav1.NewTime(s.now), Result: &result})
	m.show(s)
}

func (m *rollout) stillValid(s *state) bool {
	truth := m.snapshot(s, true)
	at := len(s.whole.Actions) - len(s.send)
	return !slices.ContainsFunc(m.scope.validate(truth, s.whole), func(v plan.Violation) bool { return v.Action == at })
}

// byItself yields the world's own transitions and what the caches show, and tells whether there are none.
func (m *rollout) byItself(s *state, yield func(string, *state)) (alone bool) {
	alone = true
	for _, t := range s.world.Enabled(s.now) {
		if t.Kind != world.Deliver {
			alone = false
			m.do(s, t, yield)
		}
	}
	for _, cache := range m.scope.lags {
		if !m.behind(s, cache) {
			continue
		}
		alone = false
		next := s.clone()
		next.world.DeliverUntil(cache, next.now)
		m.settle(next)
		yield("show "+cache.String(), next)
	}
	for _, t := range s.world.Faults(s.now) {
		if t.Kind == world.MendNode {
			m.do(s, t, yield)
		}
	}
	return alone
}

func (m *rollout) behind(s *state, cache world.Cache) bool {
	return slices.ContainsFunc(s.world.Enabled(s.now), func(t world.Transition) bool {
		return t.Kind == world.Deliver && t.Value == cache.String()
	})
}

// disturb yields what need not happen.
func (m *rollout) disturb(s *state, yield func(string, *state)) {
	if s.desired+1 < len(m.scope.revisions) {
		next := s.clone()
		next.desired++
		yield("desire revision "+strconv.Itoa(m.scope.revisions[next.desired]), next)
	}
	if s.faults == 0 || m.scope.faults == nil {
		return
	}
	for _, t := range m.scope.faults(s) {
		m.do(s, t, func(name string, next *state) {
			next.faults--
			yield("fault "+name, next)
		})
	}
}

func (m *rollout) do(s *state, t world.Transition, yield func(string, *state)) {
	next := s.clone()
	if _, err := next.world.Do(next.now, t); err != nil {
		if t.Kind != world.EditLabel {
			next.broken = fmt.Errorf("the world offers what it refuses: %w", err)
			yield(transitionName(t), next)
		}
		return
	}
	m.show(next)
	if t.Kind == world.ObserveSet {
		m.keyer.observe(next, t.Set)
	}
	yield(transitionName(t), next)
}

// show lets the caches that do not lag show everything, and takes what is visible off the issued list.
func (m *rollout) show(s *state) {
	m.hurry(s)
	s.truth, s.view = nil, nil
	for _, cache := range world.Caches() {
		if !slices.Contains(m.scope.lags, cache) {
			s.world.DeliverUntil(cache, s.now)
		}
	}
	m.settle(s)
}

// hurry lets the small steps of a coarse scope follow at once: binding, init containers, readiness after startup, and
// the object's end after the last process.
func (m *rollout) hurry(s *state) {
	for m.scope.coarse {
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

func (m *rollout) settle(s *state) {
	if len(s.issued) == 0 {
		return
	}
	seen := s.asSeen()
	s.issued = slices.DeleteFunc(slices.Clone(s.issued), func(i model.Issued) bool { return i.Visible(seen) })
}

func (m *rollout) list(s *state) {
	for _, cache := range world.Caches() {
		s.world.DeliverUntil(cache, s.now)
	}
	s.issued, s.listed = nil, true
}

// plan plans once a state. Where another state had the same view and its plan had no action, that plan is the answer: it
// names no object. Every so often the memory is checked against the planner.
func (m *rollout) plan(s *state) *planned {
	if s.planned != nil {
		return s.planned
	}
	view := sha256.Sum256(m.viewKey(s))
	known, ok := m.idle[view]
	if m.asked++; ok && m.asked%32 != 0 {
		s.planned = known
		return known
	}
	s.planned = m.planOf(s)
	switch {
	case ok && !reflect.DeepEqual(known, s.planned):
		s.planned.broken = fmt.Errorf("two snapshots have one view and different plans: %+v and %+v", known, s.planned)
	case len(s.planned.actions) == 0:
		m.idle[view] = s.planned
	}
	return s.planned
}

func (m *rollout) planOf(s *state) *planned {
	snapshot := m.snapshot(s, false)
	p, err := m.scope.planner(snapshot)
	if err != nil {
		return &planned{broken: err}
	}
	kept := &planned{actions: p.Actions, complete: p.Complete() && p.Pair.Unavailable == 0, again: p.RequeueAfter > 0}
	if len(p.Actions) > 0 {
		kept.whole = &p
	}
	kept.remembered = slices.ContainsFunc(p.Nodes, func(r model.NodeReport) bool { return r.Reason == model.RevisionRemembered })
	if found := m.scope.validate(snapshot, &p); len(found) > 0 {
		kept.broken = fmt.Errorf("%w: %v", errNotEmpty, found)
	}
	return kept
}

// snapshot is what the planner, or with live a live read, sees.
func (m *rollout) snapshot(s *state, live bool) *model.Snapshot {
	r := *m.documents[s.desired]
	r.Metadata.Annotations = s.owner
	r.Status.ObservedAt = metav1.NewTime(s.now.Add(tick))
	r.Status.Executor = model.Executor{ID: runID(s.run), Since: metav1.NewTime(begin), Listed: s.listed}
	r.Status.Issued = s.issued
	if live {
		return &model.Snapshot{Cluster: s.asItIs(), Rollout: &r}
	}
	return &model.Snapshot{Cluster: s.asSeen(), Rollout: &r}
}

// asItIs is what the API server has, and asSeen what the caches show.
func (s *state) asItIs() *model.Cluster {
	if s.truth == nil {
		s.truth, s.owner = s.read(s.world.Truth)
	}
	return s.truth
}

func (s *state) asSeen() *model.Cluster {
	switch {
	case s.view != nil:
	case s.world.Pending() == 0:
		s.view = s.asItIs()
	default:
		s.view, _ = s.read(s.world.Snapshot)
	}
	return s.view
}

func (s *state) read(from func(time.Time, *model.Rollout) (*model.Snapshot, error)) (*model.Cluster, map[string]string) {
	snapshot, err := from(s.now, &model.Rollout{})
	if err != nil {
		panic(err) // the world made the objects
	}
	return snapshot.Cluster, snapshot.Rollout.Metadata.Annotations
}

func runID(run int) string { return "run-" + strconv.Itoa(run) }

// clone is the state one step later.
func (s *state) clone() *state {
	next := *s
	next.world, next.now, next.planned, next.truth, next.view = s.world.Clone(), s.now.Add(2*tick), nil, nil, nil
	return &next
}

func word(a *model.Action) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", a.Kind, a.Reason, a.Node))
}

// transitionName names a transition without the names of Pods, which tell nothing.
func transitionName(t world.Transition) string {
	text := t.Kind.String()
	if t.Node != "" {
		text += " " + t.Node
	}
	switch {
	case t.Pod != "":
		text += " " + slotOf(t.Pod[strings.IndexByte(t.Pod, '/')+1:])
	case t.Set != "":
		text += " " + slotOf(t.Set[strings.IndexByte(t.Set, '/')+1:])
	}
	if t.Container != "" {
		text += " " + t.Container
	}
	if t.Value != "" {
		text += " " + t.Value[strings.IndexByte(t.Value, '=')+1:]
	}
	return text
}

func slotOf(object string) string {
	if strings.HasPrefix(object, name+"-green") {
		return model.Green.String()
	}
	return model.Blue.String()
}

// fair tells whether a transition that stays enabled happens: all but faults, decisions of people, crashes of the
// executor and requests of a dead one.
func fair(name string) bool {
	for _, prefix := range []string{"fault ", "desire ", "crash", "late "} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}
