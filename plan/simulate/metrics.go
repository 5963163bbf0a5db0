package simulate

import (
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// metrics measure what really happens, from the world and not from its API.
type metrics struct {
	start time.Time
	since time.Time // the first action; zero before it
	nodes map[string]*nodeTime
	bound Bound

	unserved, mostUnserved, mostUnavailable int
	overlap, mostOverlap                    int
	overlapTime                             time.Duration
	doubledRequests                         world.Amounts
	cost                                    Extra
	double                                  *world.DoubleError
	plans                                   int
	waits                                   waits
}

// nodeTime is one node's record.
type nodeTime struct {
	served, once, overlap bool
	counts                bool // eligible, once served, and not served now
	gapSince              time.Time
	overlapSince          time.Time
	longest, total        time.Duration
	off                   bool // once served, and neither served nor eligible now
	offSince              time.Time
	offTotal              time.Duration
	doubledRequests       world.Amounts
	doubledSince          time.Time
}

func newMetrics(start time.Time) metrics {
	return metrics{start: start, nodes: map[string]*nodeTime{}}
}

func (m *metrics) begin(w *world.World) {
	for _, name := range w.Nodes() {
		m.node(w, m.start, name)
	}
}

// acted marks the first action: from here on gaps are counted.
func (m *metrics) acted(now time.Time) {
	if !m.since.IsZero() {
		return
	}
	m.since = now
	m.mostUnserved = m.unserved
	for _, n := range m.nodes {
		if n.counts {
			n.gapSince = now
		}
		n.offSince = now
	}
}

// node brings a node's record up to date, and returns the lines that belong in the timeline.
func (m *metrics) node(w *world.World, now time.Time, name string) []Entry {
	n := m.nodes[name]
	if n == nil {
		n = &nodeTime{}
		m.nodes[name] = n
	}
	was := n.served
	n.served = w.Served(name)
	n.once = n.once || n.served
	m.setOverlap(n, w.Overlapping(name), now)
	m.setDoubled(n, w.Doubled(name), now)
	m.setGap(n, n.once && !n.served && w.Eligible(name), now)
	m.setOff(n, n.once && !n.served && !w.Eligible(name) && slices.Contains(w.Nodes(), name), now) // a node that was removed is none
	switch {
	case was && !n.served:
		return []Entry{{Node: name, What: LostService}}
	case !was && n.served:
		return []Entry{{Node: name, What: Served}}
	}
	return nil
}

func (m *metrics) setGap(n *nodeTime, counts bool, now time.Time) {
	switch {
	case counts && !n.counts:
		n.gapSince = now
		m.unserved++
		if !m.since.IsZero() {
			m.mostUnserved = max(m.mostUnserved, m.unserved)
		}
	case !counts && n.counts:
		m.unserved--
		m.closeGap(n, now)
	}
	n.counts = counts
}

func (m *metrics) setOff(n *nodeTime, off bool, now time.Time) {
	switch {
	case off && !n.off:
		n.offSince = now
	case !off && n.off && !m.since.IsZero():
		n.offTotal += now.Sub(n.offSince)
	}
	n.off = off
}

func (m *metrics) closeGap(n *nodeTime, now time.Time) {
	if m.since.IsZero() {
		return
	}
	gap := now.Sub(n.gapSince)
	n.longest, n.total = max(n.longest, gap), n.total+gap
}

// spent is the time without an agent until now, over all nodes.
func (m *metrics) spent(now time.Time) (sum time.Duration) {
	for _, n := range m.nodes {
		sum += n.total
		if n.counts && !m.since.IsZero() {
			sum += now.Sub(n.gapSince)
		}
	}
	return sum
}

func (m *metrics) setOverlap(n *nodeTime, overlap bool, now time.Time) {
	switch {
	case overlap && !n.overlap:
		n.overlapSince = now
		m.overlap++
		m.mostOverlap = max(m.mostOverlap, m.overlap)
	case !overlap && n.overlap:
		m.overlap--
		m.overlapTime += now.Sub(n.overlapSince)
	}
	n.overlap = overlap
}

// setDoubled keeps the highest sum over all nodes at one instant, and the sum over time.
func (m *metrics) setDoubled(n *nodeTime, doubledRequests world.Amounts, now time.Time) {
	if doubledRequests == n.doubledRequests {
		return
	}
	lasted := now.Sub(n.doubledSince).Seconds()
	m.cost.CoreSeconds += float64(n.doubledRequests.MilliCPU) / 1000 * lasted
	m.cost.GiBSeconds += float64(n.doubledRequests.Memory) / (1 << 30) * lasted
	m.doubledRequests.MilliCPU += doubledRequests.MilliCPU - n.doubledRequests.MilliCPU
	m.doubledRequests.Memory += doubledRequests.Memory - n.doubledRequests.Memory
	m.cost.PeakMilliCPU = max(m.cost.PeakMilliCPU, m.doubledRequests.MilliCPU)
	m.cost.PeakMemory = max(m.cost.PeakMemory, m.doubledRequests.Memory)
	n.doubledRequests, n.doubledSince = doubledRequests, now
}

func (m *metrics) plan(p *model.Plan, now time.Time) {
	m.mostUnavailable = max(m.mostUnavailable, p.Ledger.Unavailable())
	if wantsLook(m.plans, len(p.Nodes)) {
		m.waits.look(p, now)
	}
	m.plans++
}

// fill closes the books.
func (m *metrics) fill(r *Result, now time.Time) {
	for _, name := range sortedKeys(m.nodes) {
		n := m.nodes[name]
		open := n.counts
		if open {
			m.closeGap(n, now)
		}
		m.setOverlap(n, false, now)
		m.setDoubled(n, world.Amounts{}, now)
		m.setOff(n, false, now)
		if n.total > 0 || n.offTotal > 0 || open && !m.since.IsZero() {
			r.Gaps = append(r.Gaps, NodeGap{Node: name, Longest: n.longest, Total: n.total, Open: open, Ineligible: n.offTotal})
		}
		r.LongestGap = max(r.LongestGap, n.longest)
		r.NodeTime += n.total
	}
	r.MostUnserved, r.MostUnavailable = m.mostUnserved, m.mostUnavailable
	r.MostOverlap, r.OverlapTime = m.mostOverlap, m.overlapTime
	r.Double, r.Bound, r.Extra, r.DecidedBy = m.double, m.bound, m.cost, m.waits.decided()
}

func sortedKeys[V any](values map[string]V) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
