package step

import (
	"time"

	"github.com/agent-rollout/planner/model"
)

// NodeMemo keeps what was judged of the nodes of one cluster, beside the instant. It never changes a survey: what judgments are
// made from is the mechanism's to compare. Objects are compared by their addresses.
//
// A nil NodeMemo keeps nothing. The zero value is ready for use.
type NodeMemo struct {
	cluster *model.Cluster
	now     time.Time
	rows    []row // by the node's number in the cluster
	reports []model.NodeReport
}

// row is what a node adds to the survey as long as nothing changes on it.
type row struct {
	traits   Traits
	move     Move
	known    bool
	reported bool
	wake     time.Time // the judgment holds until then; zero for longer
}

// Follow brings the memo to the snapshot's cluster and forgets what may be otherwise now: all if what the nodes are judged by is
// not the same or time ran backwards, else the nodes with something new, and those with an issued action.
func (m *NodeMemo) Follow(cluster *model.Cluster, now time.Time, same bool, issued map[int]bool) {
	if m == nil {
		return
	}
	switch {
	case m.cluster == nil || !same || now.Before(m.now):
		m.begin(cluster.Len())
	case m.cluster != cluster:
		m.follow(cluster)
	}
	m.cluster, m.now = cluster, now
	for i := range m.rows {
		if r := &m.rows[i]; r.known && !r.wake.IsZero() && !now.Before(r.wake) {
			r.known = false
		}
	}
	for i := range issued {
		m.rows[i].known = false
	}
}

// begin makes room for so many nodes, of which nothing is known.
func (m *NodeMemo) begin(n int) {
	if len(m.rows) == n {
		clear(m.rows)
		return
	}
	m.rows, m.reports = make([]row, n), make([]model.NodeReport, n)
}

// follow brings the rows to another cluster: both have their nodes in the order of names.
func (m *NodeMemo) follow(next *model.Cluster) {
	former, reports := m.rows, m.reports
	if n := next.Len(); n != m.cluster.Len() || !sameNames(m.cluster, next) {
		m.rows, m.reports = make([]row, n), make([]model.NodeReport, n)
	}
	j := 0
	for i := range next.Len() {
		for j < len(former) && m.cluster.Node(j) != next.Node(i) && m.cluster.Node(j).Name < next.Node(i).Name {
			j++
		}
		if j < len(former) && unchanged(m.cluster, j, next, i) {
			m.rows[i], m.reports[i] = former[j], reports[j]
		} else {
			m.rows[i].known = false
		}
		if j < len(former) && m.cluster.Node(j) == next.Node(i) {
			j++
		}
	}
}

// run is how many nodes from the i-th on are known and add the same; 0 if that one is not known.
func (m *NodeMemo) run(i, n int) int {
	if m == nil || !m.rows[i].known {
		return 0
	}
	first, end := &m.rows[i], i+1
	for end < n {
		next := &m.rows[end]
		if !next.known || next.traits != first.traits || next.reported != first.reported {
			break
		}
		end++
	}
	return end - i
}

// keep remembers a judgment that holds until something changes on its node, or until it asks for another one.
func (m *NodeMemo) keep(i int, j *Judgment) {
	if m == nil || !j.Steady || j.Aside != "" || len(j.Faults) > 0 || j.Probe != nil || !j.ReturnedUntil.IsZero() {
		return
	}
	m.rows[i] = row{traits: j.Traits, move: j.Move, known: true, reported: j.Reported, wake: j.Wake}
	if j.Reported {
		m.reports[i] = j.Report
	}
}

// sameNames tells whether both clusters number the same nodes alike.
func sameNames(a, b *model.Cluster) bool {
	for i := range a.Len() {
		if a.Node(i) != b.Node(i) && a.Node(i).Name != b.Node(i).Name {
			return false
		}
	}
	return true
}

// unchanged tells whether the node and its Pods are the very same objects in both clusters.
func unchanged(a *model.Cluster, i int, b *model.Cluster, j int) bool {
	if a.Node(i) != b.Node(j) {
		return false
	}
	former, present := a.Pods(i), b.Pods(j)
	if len(former) != len(present) {
		return false
	}
	for k, pod := range former {
		if present[k] != pod {
			return false
		}
	}
	return true
}
