package validate

import (
	"reflect"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
)

// Memo keeps between the judgements of one rollout's plans what its nodes come to, as long as nothing on them changes. It never changes an answer:
// whatever a kept stand was made from is compared, and it has an end where time alone could make it another one. Objects are compared by their
// addresses first, so those that were given in a snapshot must not be changed later.
//
// A nil Memo keeps nothing. The zero value is ready for use, by one caller at a time.
type Memo struct {
	basis   basis
	cluster *model.Cluster
	now     time.Time
	rows    []row // by the node's number
}

// row is what one node comes to, until an instant; zero is none.
type row struct {
	stand stand
	taken model.Moved // its mark of one DaemonSet
	known bool
	until time.Time
}

// basis is all that a node is judged by, beyond itself, its Pods, its mark of one DaemonSet, and the time.
type basis struct {
	keys     model.Keys
	spec     model.Spec
	record   record
	revision string
	slots    [2]slotBasis
}

// slotBasis is of the DaemonSet its UID and spec alone.
type slotBasis struct {
	set      *appsv1.DaemonSet
	revision string
	edited   model.EditedGenerations
}

func (s *scene) basis() basis {
	b := basis{keys: s.keys, spec: s.rollout.Spec, record: s.record, revision: s.plan.Revision}
	b.record.emptied = nil
	for i := range s.slots {
		b.slots[i] = slotBasis{s.slots[i].set, s.slots[i].revision, s.slots[i].edited}
	}
	return b
}

func (s *slotBasis) same(o *slotBasis) bool {
	return s.revision == o.revision && slices.Equal(s.edited, o.edited) && (s.set == o.set || s.set != nil && o.set != nil &&
		s.set.UID == o.set.UID && reflect.DeepEqual(&s.set.Spec, &o.set.Spec))
}

func (b *basis) same(o *basis) bool {
	return b.revision == o.revision && b.slots[0].same(&o.slots[0]) && b.slots[1].same(&o.slots[1]) && b.keys == o.keys &&
		reflect.DeepEqual(&b.spec, &o.spec) && reflect.DeepEqual(&b.record, &o.record)
}

// follow brings the memo to the scene, and forgets what may be otherwise there. A canary looks at every node of its own.
func (m *Memo) follow(s *scene) {
	if m == nil {
		return
	}
	b := s.basis()
	if s.canary.holds || s.now.Before(m.now) || len(m.rows) != s.cluster.Len() || !m.basis.same(&b) || !m.unmoved(s) {
		m.rows = make([]row, s.cluster.Len())
	}
	m.basis, m.cluster, m.now = b, s.cluster, s.now
}

// unmoved forgets the nodes on which something is new. It tells whether all have the numbers that they had.
func (m *Memo) unmoved(s *scene) bool {
	for i := range m.rows {
		r, node := &m.rows[i], s.cluster.Node(i)
		if former := m.cluster.Node(i); former != node && former.Name != node.Name {
			return false
		} else if former != node || r.taken != s.emptied[node.Name] || !r.until.IsZero() && !s.now.Before(r.until) ||
			m.cluster != s.cluster && !slices.Equal(m.cluster.Pods(i), s.cluster.Pods(i)) {
			r.known = false
		}
	}
	return true
}

// stand is what the i-th node comes to as it is.
func (m *Memo) stand(s *scene, by mechanism, i int) *stand {
	if m == nil || s.canary.holds {
		at := by.stand(i, nil)
		return &at
	}
	r := &m.rows[i]
	if !r.known {
		*r = row{stand: by.stand(i, nil), taken: s.emptied[s.cluster.Node(i).Name], known: true, until: s.turns(i)}
	}
	return &r.stand
}

// turns is the earliest instant at which time alone may make another stand of the node; zero for none.
func (s *scene) turns(i int) (earliest time.Time) {
	add := func(since time.Time, after time.Duration) {
		if at := since.Add(after); !since.IsZero() && s.now.Before(at) && (earliest.IsZero() || at.Before(earliest)) {
			earliest = at
		}
	}
	node := s.cluster.Node(i)
	moved := model.ParseMoved(node.Annotations[s.keys.NodeMoved]).At
	add(node.CreationTimestamp.Time, s.deadline())
	add(moved, s.deadline())
	add(moved.Truncate(time.Second), s.deadline()+time.Second) // what returns is told by whole seconds
	if since := s.state.TargetSince; since != nil {
		add(since.Time, s.deadline())
	}
	for _, pod := range s.cluster.Pods(i) {
		add(pod.CreationTimestamp.Time, s.deadline())
		if ready, since := model.ReadySince(pod); ready {
			add(since, s.settle)
		}
	}
	return earliest
}
