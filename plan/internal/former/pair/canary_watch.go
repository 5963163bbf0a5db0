package pair

import (
	"time"

	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// canaryView is what the canary's Pods show, all of them together. The node is the first in the order of names.
type canaryView struct {
	// nodes are the eligible ones that have left the source.
	nodes []int32
	// restarts are the most that one container has had, and restarted is the newest of all.
	restarts   int32
	restartsOn string
	restarted  time.Time
	// cannotStart is why a container does not start.
	cannotStart, cannotStartOn string
}

// watchCanary looks at one eligible node that has left the source. Only an exact Pod on a Ready Node says anything. A Pod that
// waits behind the locks is not a canary that runs: its restarts are those of the wrapper and are not counted, not even once
// it has got the locks; that it cannot be pulled or created is true of it all the same.
func (p *planner) watchCanary(f *facts) {
	if p.canary == nil {
		return
	}
	seen := &p.watched
	seen.nodes = append(seen.nodes, int32(f.index))
	if !f.ready || !f.exact || !f.place.admitsTo() {
		return
	}
	if why := model.CannotStart(f.to.live, p.startsSlowly(f)); why != "" && p.forgiven(f) && seen.cannotStart == "" {
		seen.cannotStart, seen.cannotStartOn = why, f.node.Name
	}
	if f.place != atTo {
		return
	}
	restarts, newest := model.RestartsAfter(f.to.live, f.moved.At)
	if restarts > seen.restarts {
		seen.restarts, seen.restartsOn = restarts, f.node.Name
	}
	if newest.After(seen.restarted) {
		seen.restarted = newest
	}
}

// startsSlowly tells whether a container that is still being created counts as one that cannot start: only with
// maxSlowStartDuration, and once that has passed since the Pod's start.
func (p *planner) startsSlowly(f *facts) bool {
	return p.canary.settings.AutoPause.MaxSlowStartDuration != nil && p.forgiven(f)
}

// forgiven tells whether the time is over in which the Pod is forgiven that it does not start.
func (p *planner) forgiven(f *facts) bool {
	slow := p.canary.settings.AutoPause.MaxSlowStartDuration
	if slow == nil {
		return true
	}
	if f.to.live.Status.StartTime == nil {
		return false
	}
	until := f.to.live.Status.StartTime.Add(slow.Duration)
	if model.CannotStart(f.to.live, true) != "" {
		p.clock.Wake(until)
	}
	return !p.now.Before(until)
}

// withRestarts returns the record with the restarts that were seen now. Times are kept to the second, as JSON keeps them.
func (p *planner) withRestarts(record model.CanaryRecord) model.CanaryRecord {
	newest := p.watched.restarted.Truncate(time.Second)
	if newest.IsZero() || (record.LastRestart != nil && !newest.After(record.LastRestart.Time)) {
		return record
	}
	record.LastRestart = &metav1.Time{Time: newest}
	if record.FirstRestart == nil {
		record.FirstRestart = record.LastRestart
	}
	return record
}

// restartedAgain tells whether a restart was seen that is not remembered yet.
func (p *planner) restartedAgain() bool {
	return p.withRestarts(p.canary.record).LastRestart != p.canary.record.LastRestart
}

// canaryFell puts off the deadline of a canary that has served already: it lasts longer than any deadline, and a Pod that is
// not Ready for a moment is given the whole of it from then on. What restarts instead is counted.
func (p *planner) canaryFell(f *facts, began time.Time) time.Time {
	if p.canary == nil || f.place != atTo || f.to.live == nil {
		return began
	}
	if ready, since := model.ReadySince(f.to.live); !ready && since.After(began) {
		return since
	}
	return began
}
