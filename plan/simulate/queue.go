package simulate

import (
	"cmp"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/world"
)

// class says what a due item is. At one instant the script comes first, the executor last.
type class uint8

const (
	scripted class = iota
	natural
	late
	write
	restart
	planning
)

// item is something that is due.
type item struct {
	due        time.Time
	class      class
	transition world.Transition
	number     int // of the fault or the action; makes the order total
	end        bool
	churn      bool // goes round in circles: no progress
	cancelled  bool
	step       *execute.Step // of a write
	late       *model.Action // of a dead executor
	generation int           // of the executor or the plan that it belongs to
}

func (a *item) less(b *item) bool {
	return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.class, b.class), a.transition.Compare(b.transition),
		cmp.Compare(a.number, b.number)) < 0
}

// queue is a binary heap of items.
type queue []*item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].less(q[j]) }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push and Pop are those of container/heap.
func (q *queue) Push(x any) { *q = append(*q, x.(*item)) }

func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}
