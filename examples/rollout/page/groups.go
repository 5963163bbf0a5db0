package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	// instants is at how many moments a group is counted.
	instants = 400
	// mostGroups is the most groups that are shown; the smallest share the last one.
	mostGroups = 24
	// longestShape is how many states a shape names.
	longestShape = 5
)

// Group is nodes of one zone whose lines have the same shape: the same states in the same order. Its columns are how many of them are in
// a state at each of equally spaced instants, from 0 on; on the source are all others.
type Group struct {
	Zone    string  `json:"zone,omitempty"`
	Shape   string  `json:"shape"`
	Count   int     `json:"nodes"`
	Step    float64 `json:"stepSeconds"`
	Overlap []int   `json:"overlap"`
	Gap     []int   `json:"gap"`
	Target  []int   `json:"target"`
	Away    []int   `json:"notEligible,omitempty"`
	Failed  []int   `json:"failed,omitempty"`
	Aside   []int   `json:"exception,omitempty"`
}

// Grouped are the nodes by zone and shape, the zones in their order and large groups first.
func Grouped(nodes []Node, duration float64) []Group {
	type key struct{ zone, shape string }
	members := map[key][]*Node{}
	for i := range nodes {
		k := key{nodes[i].Zone, shapeOf(&nodes[i])}
		members[k] = append(members[k], &nodes[i])
	}
	keys := make([]key, 0, len(members))
	for k := range members {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(len(members[b]), len(members[a])), cmp.Compare(a.zone, b.zone), cmp.Compare(a.shape, b.shape))
	})
	var others []*Node
	if len(keys) > mostGroups {
		for _, k := range keys[mostGroups-1:] {
			others = append(others, members[k]...)
		}
		keys = keys[:mostGroups-1]
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.zone, b.zone) })
	var groups []Group
	for _, k := range keys {
		groups = append(groups, counted(k.zone, k.shape, members[k], duration))
	}
	if len(others) > 0 {
		groups = append(groups, counted("", "other shapes", others, duration))
	}
	return groups
}

// shapeOf names the states that a node comes through.
func shapeOf(n *Node) string {
	words := [states]string{Source: "source", Overlap: "overlap", Gap: "no agent", Target: "target", Away: "not eligible"}
	var names []string
	for i, t := range n.Turns {
		if i == 0 || n.Turns[i-1].State != t.State {
			names = append(names, words[t.State])
		}
	}
	if more := len(names) - longestShape; more > 0 {
		names = append(names[:longestShape-1], strconv.Itoa(more)+" more", names[len(names)-1])
	}
	text := strings.Join(names, " → ")
	if len(n.Failed) > 0 {
		text += ", failed"
	}
	if len(n.Aside) > 0 {
		text += ", set aside"
	}
	return text
}

// instant is the i-th of a group's; the last one is the end.
func instant(i int, duration float64) float64 { return duration * float64(i) / (instants - 1) }

func counted(zone, shape string, nodes []*Node, duration float64) Group {
	g := Group{Zone: zone, Shape: shape, Count: len(nodes), Step: duration / (instants - 1),
		Overlap: make([]int, instants), Gap: make([]int, instants), Target: make([]int, instants)}
	away := make([]int, instants)
	columns := [states][]int{Overlap: g.Overlap, Gap: g.Gap, Target: g.Target, Away: away}
	for _, n := range nodes {
		turn := 0
		for i := range instants {
			for turn+1 < len(n.Turns) && n.Turns[turn+1].At <= instant(i, duration) {
				turn++
			}
			if column := columns[n.Turns[turn].State]; column != nil {
				column[i]++
			}
		}
		g.Failed = countSpans(g.Failed, n.Failed, duration)
		g.Aside = countSpans(g.Aside, n.Aside, duration)
	}
	if slices.Max(away) > 0 {
		g.Away = away
	}
	return g
}

// countSpans adds one at every instant within the spans.
func countSpans(column []int, spans []Span, duration float64) []int {
	if len(spans) > 0 && column == nil {
		column = make([]int, instants)
	}
	for _, s := range spans {
		for i := range column {
			if at := instant(i, duration); at >= s.From && at <= s.Until {
				column[i]++
			}
		}
	}
	return column
}
