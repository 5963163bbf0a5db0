package explore

import "slices"

// judgeGoals judges every goal on the whole graph, and none on a part of it.
func (s *search[S]) judgeGoals() error {
	for i := range s.properties.Goals {
		if s.result.Limit != "" {
			s.result.Unjudged = append(s.result.Unjudged, s.properties.Goals[i].Name)
			continue
		}
		s.tell(Progress{Expanded: s.expanded, States: s.store.count, Goal: s.properties.Goals[i].Name, Judged: i, Goals: len(s.properties.Goals)})
		if err := s.judgeGoal(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *search[S]) judgeGoal(i int) error {
	goal := &s.properties.Goals[i]
	bit := uint8(1) << i
	var avoid uint8 // on the way; in the loop the goal is avoided in any case
	if !goal.Again {
		avoid = bit
	}
	parents := s.graph.reachable(s.roots(), avoid)
	component, count := s.graph.components(func(id int32) bool { return parents[id] != unreached && s.graph.goals[id]&bit == 0 })
	f := &fairness{graph: &s.graph, component: component, demanded: s.demanded()}
	entry := f.firstFair(count)
	if entry == unreached {
		return nil
	}
	stem := []step{}
	for id := entry; parents[id] != id; id = parents[id] {
		stem = append(stem, step{to: id})
	}
	slices.Reverse(stem)
	trace, err := s.derive(s.startOf(entry, parents), append(stem, f.loop(entry)...))
	trace.Loop = len(stem)
	s.result.Violations = append(s.result.Violations, Violation{Property: goal.Name, Kind: NotReached, Trace: trace})
	return err
}

// roots are the numbers of the initial states: those without a parent come first.
func (s *search[S]) roots() (roots []int32) {
	for id := int32(0); int(id) < s.store.count && s.store.parent(id) < 0; id++ {
		roots = append(roots, id)
	}
	return roots
}

func (s *search[S]) startOf(id int32, parents []int32) int {
	for parents[id] != id {
		id = parents[id]
	}
	return int(-1 - s.store.parent(id))
}

// demanded tells of every label whether it must happen if it stays enabled.
func (s *search[S]) demanded() []bool {
	demanded := make([]bool, len(s.graph.names))
	for i, name := range s.graph.names {
		demanded[i] = s.options.Fair == nil || s.options.Fair(name)
	}
	return demanded
}

// fairness finds components in which a fair run may stay. Under weak fairness whole components decide: what is
// enabled throughout one and never taken in it is so in every part of it.
type fairness struct {
	graph     *graph
	component []int32
	demanded  []bool
}

// firstFair returns the lowest state of a component that a fair run need not leave, or unreached.
func (f *fairness) firstFair(count int32) int32 {
	order, begins := f.grouped(count)
	first := int32(unreached)
	enabled, taken := make([]int32, len(f.demanded)), make([]bool, len(f.demanded))
	for c := int32(1); c <= count; c++ {
		list := order[begins[c]:begins[c+1]]
		if (first == unreached || list[0] < first) && f.fair(list, enabled, taken) {
			first = list[0]
		}
	}
	return first
}

// grouped sorts the states by component: those of c are order[begins[c]:begins[c+1]], in the order of their numbers.
func (f *fairness) grouped(count int32) (order, begins []int32) {
	order, begins = make([]int32, len(f.component)), make([]int32, count+2)
	for _, c := range f.component {
		begins[c+1]++
	}
	for c := range count + 1 {
		begins[c+1] += begins[c]
	}
	next := slices.Clone(begins)
	for id, c := range f.component {
		order[next[c]] = int32(id)
		next[c]++
	}
	return order, begins
}

// fair tells whether every demanded label is disabled in some state of the component or taken within it. The scratch
// slices are zero before and after.
func (f *fairness) fair(list []int32, enabled []int32, taken []bool) bool {
	var touched []uint16
	for _, id := range list {
		for e, end := f.graph.edges(id); e < end; e++ {
			label := f.graph.label[e]
			if enabled[label] == 0 {
				touched = append(touched, label)
			}
			if !f.seenBefore(id, e) {
				enabled[label]++
			}
			taken[label] = taken[label] || f.component[f.graph.to[e]] == f.component[id]
		}
	}
	fair := true
	for _, label := range touched {
		if f.demanded[label] && !taken[label] && int(enabled[label]) == len(list) {
			fair = false
		}
		enabled[label], taken[label] = 0, false
	}
	return fair
}

// seenBefore tells whether an earlier transition of the state has the label of the e-th.
func (f *fairness) seenBefore(id int32, e uint32) bool {
	first, _ := f.graph.edges(id)
	return slices.Contains(f.graph.label[first:e], f.graph.label[e])
}

// loop is a fair way round the component: it meets, for every demanded label that is enabled on it, a state that
// disables the label or a transition that takes it. It is empty if the run may rest.
func (f *fairness) loop(entry int32) []step {
	here, path := entry, []step(nil)
	met := map[uint16]bool{}
	meet := func(list []hop) {
		for _, h := range list {
			path, here = append(path, step{h.to, f.graph.names[h.label]}), h.to
			met[h.label] = true
			f.meetDisabled(h.to, met)
		}
	}
	f.meetDisabled(entry, met)
	for label := range f.demanded {
		if l := uint16(label); f.demanded[label] && !met[l] {
			meet(f.way(here, func(h hop) bool { return h.label == l || !f.enables(h.to, l) }))
		}
	}
	if here != entry {
		meet(f.way(here, func(h hop) bool { return h.to == entry }))
	}
	return path
}

func (f *fairness) enables(id int32, label uint16) bool {
	from, to := f.graph.edges(id)
	return slices.Contains(f.graph.label[from:to], label)
}

func (f *fairness) meetDisabled(id int32, met map[uint16]bool) {
	for label := range f.demanded {
		if l := uint16(label); !met[l] && !f.enables(id, l) {
			met[l] = true
		}
	}
}

// hop is one transition within a component.
type hop struct {
	from, to int32
	label    uint16
}

// way is the shortest way within the component whose last transition is wanted; empty if there is none.
func (f *fairness) way(from int32, wanted func(hop) bool) []hop {
	came := map[int32]hop{}
	queue := []int32{from}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for e, end := f.graph.edges(id); e < end; e++ {
			h := hop{id, f.graph.to[e], f.graph.label[e]}
			if f.component[h.to] != f.component[id] {
				continue
			}
			if wanted(h) {
				way := []hop{h}
				for id != from {
					way = append(way, came[id])
					id = came[id].from
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := came[h.to]; !seen && h.to != from {
				came[h.to] = h
				queue = append(queue, h.to)
			}
		}
	}
	return nil
}
