package explore

import "math"

// graph keeps every transition, for the goals: states are expanded in the order of their numbers, so that the
// transitions of state i are those from first[i] to first[i+1].
type graph struct {
	on     bool
	first  []uint32
	to     []int32
	label  []uint16 // index into names
	goals  []uint8  // a bit a goal, by state
	names  []string
	labels map[string]uint16
}

func (g *graph) init(on bool) { g.on, g.labels = on, map[string]uint16{} }

// begin starts the next state's transitions.
func (g *graph) begin() {
	if g.on {
		g.first = append(g.first, uint32(len(g.to)))
	}
}

// add keeps a transition of the state begun last; it is false if there are too many transitions or names.
func (g *graph) add(to int32, name string) bool {
	if !g.on {
		return true
	}
	label, known := g.labels[name]
	if !known {
		if len(g.names) == math.MaxUint16 {
			return false
		}
		label = uint16(len(g.names))
		g.labels[name], g.names = label, append(g.names, name)
	}
	g.to, g.label = append(g.to, to), append(g.label, label)
	return len(g.to) < math.MaxUint32
}

// mark keeps which goals the next new state reaches.
func (g *graph) mark(reached uint8) {
	if g.on {
		g.goals = append(g.goals, reached)
	}
}

// bytes is the memory that the transitions take.
func (g *graph) bytes() int64 {
	return 4*int64(cap(g.first)) + 4*int64(cap(g.to)) + 2*int64(cap(g.label)) + int64(cap(g.goals))
}

// edges returns the range of a state's transitions.
func (g *graph) edges(id int32) (from, to uint32) {
	end := uint32(len(g.to))
	if int(id)+1 < len(g.first) {
		end = g.first[id+1]
	}
	return g.first[id], end
}

// reachable walks breadth first from the roots through states without the goal's bit, and returns every state's
// parent: unreached, or a root's own number.
func (g *graph) reachable(roots []int32, avoid uint8) []int32 {
	parents := make([]int32, len(g.goals))
	for i := range parents {
		parents[i] = unreached
	}
	var queue []int32
	reach := func(id, parent int32) {
		if parents[id] == unreached && g.goals[id]&avoid == 0 {
			parents[id], queue = parent, append(queue, id)
		}
	}
	for _, id := range roots {
		reach(id, id)
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for e, end := g.edges(id); e < end; e++ {
			reach(g.to[e], id)
		}
	}
	return parents
}

const unreached = -1

// components finds the strongly connected components of the states that in accepts, each numbered from 1, in an
// order in which later ones lead to earlier ones; 0 is outside. It is Tarjan's algorithm without recursion.
func (g *graph) components(in func(int32) bool) (component []int32, count int32) {
	t := tarjan{graph: g, in: in, index: make([]int32, len(g.goals)), low: make([]int32, len(g.goals)), component: make([]int32, len(g.goals))}
	for id := range int32(len(g.goals)) {
		if in(id) && t.index[id] == 0 {
			t.walk(id)
		}
	}
	return t.component, t.count
}

type tarjan struct {
	graph                 *graph
	in                    func(int32) bool
	index, low, component []int32 // index 0: not seen; component 0: open
	stack                 []int32
	calls                 []call
	next, count           int32
}

// call is one frame: a state and its next transition.
type call struct {
	id   int32
	edge uint32
}

func (t *tarjan) open(id int32) {
	t.next++
	t.index[id], t.low[id] = t.next, t.next
	t.stack = append(t.stack, id)
	first, _ := t.graph.edges(id)
	t.calls = append(t.calls, call{id, first})
}

func (t *tarjan) walk(root int32) {
	for t.open(root); len(t.calls) > 0; {
		c := &t.calls[len(t.calls)-1]
		if _, end := t.graph.edges(c.id); c.edge == end {
			t.leave(c.id)
			continue
		}
		to := t.graph.to[c.edge]
		c.edge++
		switch {
		case !t.in(to):
		case t.index[to] == 0:
			t.open(to)
		case t.component[to] == 0:
			t.low[c.id] = min(t.low[c.id], t.index[to])
		}
	}
}

// leave closes a state: the component is complete if nothing in it leads to an earlier one.
func (t *tarjan) leave(id int32) {
	if t.low[id] == t.index[id] {
		t.count++
		for {
			top := t.stack[len(t.stack)-1]
			t.stack = t.stack[:len(t.stack)-1]
			t.component[top] = t.count
			if top == id {
				break
			}
		}
	}
	t.calls = t.calls[:len(t.calls)-1]
	if n := len(t.calls); n > 0 {
		caller := t.calls[n-1].id
		t.low[caller] = min(t.low[caller], t.low[id])
	}
}
