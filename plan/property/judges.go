package property

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// validator judges by plan.Validate.
func validator(name plan.Property) func(*Planned) error {
	return func(s *Planned) error {
		for _, v := range s.violations() {
			if v.Property == name {
				return v
			}
		}
		return nil
	}
}

func both(judges ...func(*Planned) error) func(*Planned) error {
	return func(s *Planned) error {
		for _, judge := range judges {
			if err := judge(s); err != nil {
				return err
			}
		}
		return nil
	}
}

// oneProcess is S1, as it really is and not as the API shows it.
func oneProcess(s *State) error { return s.World.Check() }

// Unserved lists the nodes without an agent, as it really is.
func (s *State) Unserved() (nodes []string) {
	for _, node := range s.World.Nodes() {
		if !s.World.Served(node) && s.World.Eligible(node) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// withinBudget is S3.
func withinBudget(s *State) error {
	if s.Installing {
		return nil
	}
	limit, err := limitOf(s)
	if err != nil {
		return nil // not a number: the planner's matter
	}
	if without := s.Unserved(); len(without) > limit+s.Excused {
		return fmt.Errorf("%v have no agent: maxUnavailable is %d, and faults took %d at most", without, limit, s.Excused)
	}
	return nil
}

// sentOnce sends the plan's patches twice: the second time none may change anything.
func sentOnce(s *Planned) error {
	if len(s.Plan.Actions) == 0 || s.World == nil {
		return nil
	}
	w := s.World.Clone()
	for i := range s.Plan.Actions {
		a := &s.Plan.Actions[i]
		first, err := w.Apply(s.Now, a.Write)
		if err != nil || a.Write.Delete != nil {
			continue // refused already, or a delete, which says nothing new the second time
		}
		if second, err := w.Apply(s.Now, a.Write); err == nil && second != first {
			return fmt.Errorf("the %s of %s was sent twice and changed something twice", a.Kind, a.Write.Object)
		}
	}
	return nil
}

// noLateHandoff is the second half of S7.
func noLateHandoff(s *State) error {
	if s.LateHandoffs > 0 {
		return errors.New("a handoff of a dead executor had an effect after its successor's first")
	}
	return nil
}

// mostRepairs is how often a plan may label a node that a person labelled: into overlap, to one side, and once more for a
// decision that came in between.
const mostRepairs = 4

// fewRepairs is S10, where nothing but hands moves a node.
func fewRepairs(s *State) error {
	for _, node := range s.World.Nodes() {
		if writes := s.Labelled[node]; writes > mostRepairs {
			return fmt.Errorf("node %s was labelled %d times since a person labelled it", node, writes)
		}
	}
	return nil
}

// reasons is the closed set, made once.
var reasons = sync.OnceValue(func() map[model.Reason]bool {
	known := map[model.Reason]bool{}
	for _, reason := range model.Reasons() {
		known[reason] = true
	}
	return known
})

// reasoned: a report without a reason says nothing.
func reasoned(s *Planned) error {
	known := reasons()
	for i := range s.Plan.Nodes {
		if r := &s.Plan.Nodes[i]; !known[r.Reason] {
			return fmt.Errorf("the report of node %s has the reason %q", r.Node, r.Reason)
		}
	}
	for i := range s.Plan.Actions {
		if a := &s.Plan.Actions[i]; !known[a.Reason] {
			return fmt.Errorf("the %s of %s has the reason %q", a.Kind, a.Write.Object, a.Reason)
		}
	}
	return nil
}

// repeatable is S12: it plans twice more, the second time from copies of everything in lists in another order.
func repeatable(s *Planned) error {
	if s.Planner == nil {
		return nil
	}
	before, seed := Shuffled(s.Snapshot, nil), uint64(len(s.Plan.Nodes)+31*len(s.Plan.Actions))
	for _, same := range []struct {
		how      string
		snapshot *model.Snapshot
	}{{"again", s.Snapshot}, {"from lists in another order", Shuffled(s.Snapshot, choices(seed))}} {
		again, err := s.Planner(same.snapshot)
		if err != nil {
			return err
		}
		if err := samePlan(s.Plan, &again); err != nil {
			return fmt.Errorf("planning %s gives %w", same.how, err)
		}
	}
	if !unchanged(before, s.Snapshot) {
		return errors.New("planning changed its input")
	}
	return nil
}

// remembered compares a plan of a planner that remembers with one of a planner that does not.
func remembered(s *Planned) error {
	if s.Memory == nil {
		return nil
	}
	other, err := s.Memory(s.Snapshot)
	if err != nil {
		return err
	}
	if err := samePlan(s.Plan, &other); err != nil {
		return fmt.Errorf("to remember gives %w", err)
	}
	return nil
}

// samePlan compares bytes where values differ: those that are equal have the same.
func samePlan(want, got *model.Plan) error {
	if reflect.DeepEqual(want, got) {
		return nil
	}
	if want, got := jsonOf(want), jsonOf(got); want != got {
		return fmt.Errorf("other bytes:\n%s\n%s", want, got)
	}
	return nil
}

func unchanged(before, after *model.Snapshot) bool {
	return reflect.DeepEqual(Objects(before.Cluster), Objects(after.Cluster)) && reflect.DeepEqual(before.Rollout, after.Rollout) || text(before) == text(after)
}

// stays: only a fault or its end, a person or a dead executor ends completion.
func stays(s *Step) error {
	if s.CompleteBefore && !s.CompleteAfter && !s.Disturbs {
		return fmt.Errorf("%s ends what was complete", s.Name)
	}
	return nil
}
