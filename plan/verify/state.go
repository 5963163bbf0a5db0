package verify

import (
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// State is one state of a Model. It is not changed once it is made, but for what is computed of it once.
type State struct {
	world *world.World
	now   time.Time
	// desired is an index into the documents; faults and crashes are what is left of them.
	desired, faults, crashes int

	// The executor: its run, whether it has read a live list, the actions whose effect its caches may not show yet, the
	// rest of the plan that it is sending, and a request of its predecessor that may still land.
	run    int
	listed bool
	issued []model.Issued
	send   []model.Action // the rest of whole
	whole  *model.Plan
	late   *model.Action
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

// snapshot is what the planner, or with live a live read, sees.
func (m *Model) snapshot(s *State, live bool) *model.Snapshot {
	r := *m.scope.Documents[s.desired].Rollout
	from := s.asSeen()
	if live {
		from = s.asItIs()
	}
	r.Metadata.Annotations = from.Rollout.Metadata.Annotations
	r.Status.ObservedAt = metav1.NewTime(m.time(s))
	r.Status.Executor = model.Executor{ID: runID(s.run), Since: metav1.NewTime(m.began), Listed: s.listed}
	r.Status.Issued = s.issued
	r.Status.Watched = m.scope.Triggers != Polled
	return &model.Snapshot{Cluster: from.Cluster, Rollout: &r}
}

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
		flags(s.listed, s.broken != nil, s.asleep, s.again), byte(s.wakeOn))
	m.view = m.viewHead(s, m.view[:0])
	buf, m.view = m.keyer.AppendBoth(buf, m.view, s.world, m.sender(s))
	m.viewed = s
	return buf
}

func (m *Model) sender(s *State) world.Sender {
	return world.Sender{Run: runID(s.run), Now: m.time(s), True: s.now, Issued: s.issued, Send: s.send, Late: s.late}
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
	return append(buf, byte(s.desired), flags(s.listed), byte(s.clock))
}

func flags(list ...bool) (b byte) {
	for i, is := range list {
		if is {
			b |= 1 << i
		}
	}
	return b
}
