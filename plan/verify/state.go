package verify

import (
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/world"
)

// State is one state of a Model. It is not changed once it is made, but for what is computed of it once.
type State struct {
	world *world.World
	now   time.Time
	// desired is an index into the documents; faults and crashes are what is left of them.
	desired, faults, crashes int

	// The executor: the number of its run, what that remembers between two plans, the plan that it is sending, nil for none, and a request of its
	// predecessor that may still land.
	run     int
	exec    execute.State
	sending *sending
	late    *model.Action
	// Asleep executors do not plan until something of wakeOn changes, or until the time that they asked for.
	asleep bool
	wakeOn kinds
	again  bool
	// clock is 0 or the number of the clock's fault; still is the instant at which it stands.
	clock int
	still time.Time

	broken      error // the model is wrong, not the planner
	planned     *planned
	reached     map[string]bool
	truth, view *model.Snapshot // made once, when asked for
}

// World is the state's world; it is not to be changed.
func (s *State) World() *world.World { return s.world }

// clone is the state one step later.
func (s *State) clone() *State {
	next := *s
	next.world, next.now = s.world.Clone(), s.now.Add(2*tick)
	next.forget()
	return &next
}

// forget drops what was computed of the state.
func (s *State) forget() { s.planned, s.reached, s.truth, s.view = nil, nil, nil, nil }

// asItIs is what the API server has, and asSeen what the caches show, with the owner's annotations.
func (s *State) asItIs() *model.Snapshot {
	if s.truth == nil {
		s.truth = s.read(s.world.Truth)
	}
	return s.truth
}

func (s *State) asSeen() *model.Snapshot {
	switch {
	case s.view != nil:
	case s.world.Pending() == 0:
		s.view = s.asItIs()
	default:
		s.view = s.read(s.world.Snapshot)
	}
	return s.view
}

func (s *State) read(from func(time.Time, *model.Rollout) (*model.Snapshot, error)) *model.Snapshot {
	snapshot, err := from(s.now, &model.Rollout{})
	if err != nil {
		panic(err) // the world made the objects
	}
	return snapshot
}

// time is what the executor's clock shows.
func (m *Model) time(s *State) time.Time {
	switch {
	case s.clock == right:
		return s.now.Add(tick)
	case m.scope.Clocks[s.clock-1] == Still:
		return s.still
	}
	return s.now.Add(tick + m.scope.Clocks[s.clock-1])
}

func (s *State) listed() bool { return s.exec.Executor.Listed }

func runID(run int) string { return "run-" + strconv.Itoa(run) }

// kinds are kinds of object, as a plan's WakeOn names them.
type kinds uint8

func kindsOf(names []string) (k kinds) {
	for _, cache := range world.Caches() {
		if slices.Contains(names, cache.String()) {
			k |= 1 << cache
		}
	}
	return k
}

// changes are the kinds of object that two states show differently.
func changes(from, to *State) (k kinds) {
	a, b := from.asSeen().Cluster, to.asSeen().Cluster
	if !slices.Equal(a.DaemonSets(), b.DaemonSets()) {
		k |= 1 << world.DaemonSetCache
	}
	if a.Len() != b.Len() {
		return k | 1<<world.NodeCache | 1<<world.PodCache
	}
	for i := range a.Len() {
		if a.Node(i) != b.Node(i) {
			k |= 1 << world.NodeCache
		}
		if !slices.Equal(a.Pods(i), b.Pods(i)) {
			k |= 1 << world.PodCache
		}
	}
	return k
}

// Key writes the state: thirty-two bytes for four nodes.
func (m *Model) Key(s *State, buf []byte) []byte {
	buf = append(buf, byte(s.desired|s.clock<<4), byte(s.faults|s.crashes<<4),
		flags(s.listed(), s.broken != nil, s.asleep, s.again), byte(s.wakeOn))
	m.view = m.viewHead(s, m.view[:0])
	buf, m.view = m.keyer.AppendBoth(buf, m.view, s.world, m.sender(s))
	m.viewed = s
	return buf
}

func (m *Model) sender(s *State) world.Sender {
	sender := world.Sender{Run: runID(s.run), Now: m.time(s), True: s.now, Issued: s.exec.Issued, Late: s.late}
	holds := s.exec.Holds
	if x := s.sending; x != nil {
		state := x.run.State()
		sender.Issued, holds, sender.Send, sender.Begun = state.Issued, state.Holds, x.rest(), m.begun(s)
	}
	for i := range holds {
		h := &holds[i]
		sender.Holds = append(sender.Holds, world.Held{Object: h.Held, On: h.On, Node: h.Node, UID: h.UID, Version: h.Version, Since: h.Since.Time})
	}
	return sender
}

// begun writes what matters of the view that the plan under way was made from. What rests on other objects is judged by all of that view and by what
// is another one now; of what is left beyond that, only a refusal asks whether the caches still show its object so.
func (m *Model) begun(s *State) string {
	x := s.sending
	buf := make([]byte, 0, 64)
	seen := s.asSeen().Cluster
	for _, a := range x.rest() {
		if len(a.Premises) > 0 {
			buf = append(buf, x.seen...)
			buf = appendChanges(appendChanges(buf, x.view, s.asItIs().Cluster), x.view, seen)
			break
		}
		former, _ := x.view.Object(a.Write.Object, a.Node)
		now, _ := seen.Object(a.Write.Object, a.Node)
		buf = append(buf, flags(sameVersion(former, now)))
	}
	s.truth, s.view = nil, nil // states that wait for their turn need not keep them
	return string(buf)
}

// appendChanges writes which objects are others than in the view.
func appendChanges(buf []byte, view, now *model.Cluster) []byte {
	buf = append(buf, byte(now.Len()))
	for i := range now.Len() {
		node := now.Node(i)
		n, there := view.Find(node.Name)
		if !there {
			continue
		}
		buf = append(buf, byte(n), byte(len(view.Pods(n))), flags(sameVersion(view.Node(n), node)))
		for _, pod := range now.Pods(i) {
			former, _ := view.Object(model.ObjectRef{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}, node.Name)
			buf = append(buf, flags(sameVersion(former, pod)))
		}
	}
	buf = append(buf, byte(len(view.DaemonSets())))
	for _, set := range now.DaemonSets() {
		former, _ := view.Object(model.ObjectRef{Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name}, "")
		buf = append(buf, flags(sameVersion(former, set)))
	}
	return buf
}

func sameVersion(a, b metav1.Object) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.GetUID() == b.GetUID() && a.GetResourceVersion() == b.GetResourceVersion()
}

// viewKey writes what a plan is made from. Of the state whose key was written last it is written already.
func (m *Model) viewKey(s *State) []byte {
	if m.viewed != s {
		m.view = m.keyer.AppendView(m.viewHead(s, m.view[:0]), s.world, m.sender(s))
		m.viewed = nil
	}
	return m.view
}

func (m *Model) viewHead(s *State, buf []byte) []byte {
	return append(buf, byte(s.desired), flags(s.listed()), byte(s.clock))
}

func flags(list ...bool) (b byte) {
	for i, is := range list {
		if is {
			b |= 1 << i
		}
	}
	return b
}
