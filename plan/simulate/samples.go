package simulate

import (
	"time"

	"github.com/agent-rollout/planner/plan/world"
)

// Sample is what a run takes from the fleet at an instant, as it really is, until the next sample.
type Sample struct {
	At time.Duration // since the start
	// Unserved are the nodes that Result.MostUnserved is the most of, Overlap those of MostOverlap.
	Unserved, Overlap int
	// Pulling are the nodes that pull an image, or fail to.
	Pulling int
	// MilliCPU and Memory, in bytes, are what Extra has the peaks of.
	MilliCPU, Memory int64
}

// Absence is a time in which a node was without an agent: in a gap or, if it was not eligible, in what NodeGap.Ineligible is the sum of,
// and beside that from the start on and before its first agent.
type Absence struct {
	Node        string
	From, Until time.Duration // since the start
	Eligible    bool
}

// sampler keeps the samples of a run, one for every change.
type sampler struct {
	list    []Sample
	pull    map[string]bool
	pulling int
	open    map[string]Absence
	closed  []Absence
}

// absent takes note of whether the node is without an agent.
func (k *sampler) absent(name string, n *nodeTime, eligible bool, at time.Duration) {
	is := !n.served && (n.off || eligible || !n.once) // and not gone
	open, was := k.open[name]
	if was && (!is || open.Eligible != eligible) {
		open.Until = at
		k.closed = append(k.closed, open)
		delete(k.open, name)
		was = false
	}
	if is && !was {
		if k.open == nil {
			k.open = map[string]Absence{}
		}
		k.open[name] = Absence{Node: name, From: at, Eligible: eligible}
	}
}

// absences are all of them, at the end.
func (k *sampler) absences(at time.Duration) []Absence {
	for _, name := range sortedKeys(k.open) {
		open := k.open[name]
		open.Until = at
		k.closed = append(k.closed, open)
	}
	return k.closed
}

// pulls takes note of whether the node pulls, by what is scheduled there.
func (k *sampler) pulls(name string, scheduled []*item) {
	pulls := false
	for _, i := range scheduled {
		pulls = pulls || i.transition.Kind == world.PullImage || i.transition.Kind == world.PullError
	}
	if pulls == k.pull[name] {
		return
	}
	if k.pull == nil {
		k.pull = map[string]bool{}
	}
	k.pull[name] = pulls
	if pulls {
		k.pulling++
	} else {
		k.pulling--
	}
}

// take adds a sample if something is other than in the last one.
func (k *sampler) take(at time.Duration, m *metrics) {
	next := Sample{At: at, Overlap: m.overlap, Pulling: k.pulling, MilliCPU: m.doubledRequests.MilliCPU, Memory: m.doubledRequests.Memory}
	if !m.since.IsZero() {
		next.Unserved = m.unserved
	}
	if n := len(k.list); n > 0 {
		last := k.list[n-1]
		if last.At = at; last == next {
			return
		}
	}
	k.list = append(k.list, next)
}
