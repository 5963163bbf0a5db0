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

// Absence is a time in which a node that once had an agent was without one and not eligible: NodeGap.Ineligible is the sum of a node's.
type Absence struct {
	Node        string
	From, Until time.Duration // since the start
}

// sampler keeps the samples of a run, one for every change.
type sampler struct {
	list    []Sample
	pulls   map[string]bool
	pulling int
	off     map[string]time.Duration // since when
	gone    []Absence
}

// absent takes note of whether the node is without an agent and not eligible.
func (k *sampler) absent(name string, off bool, at time.Duration) {
	from, was := k.off[name]
	switch {
	case off && !was:
		if k.off == nil {
			k.off = map[string]time.Duration{}
		}
		k.off[name] = at
	case !off && was:
		delete(k.off, name)
		k.gone = append(k.gone, Absence{name, from, at})
	}
}

// absences are all of them, at the end.
func (k *sampler) absences(at time.Duration) []Absence {
	for _, name := range sortedKeys(k.off) {
		k.absent(name, false, at)
	}
	return k.gone
}

// node takes note of whether the node pulls, by what is scheduled there.
func (k *sampler) node(name string, scheduled []*item) {
	pulls := false
	for _, i := range scheduled {
		pulls = pulls || i.transition.Kind == world.PullImage || i.transition.Kind == world.PullError
	}
	if pulls == k.pulls[name] {
		return
	}
	if k.pulls == nil {
		k.pulls = map[string]bool{}
	}
	k.pulls[name] = pulls
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
