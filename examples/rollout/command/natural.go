package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
)

// natural orders names as people do: n2 before n10. Runs of digits compare by their number, everything else byte by byte.
func natural(a, b string) int {
	for x, y := a, b; ; {
		if x == "" || y == "" {
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
		}
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		one, other := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if order := cmp.Or(cmp.Compare(len(one), len(other)), strings.Compare(one, other)); order != 0 {
			return order
		}
		x, y = x[m:], y[n:]
	}
}

// digits is how many digits the text begins with.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// inNaturalOrder are the names in the order of people.
func inNaturalOrder(names []string) []string { return slices.SortedFunc(slices.Values(names), natural) }

// forPeople is the plan with its nodes in the order of people; the actions stay in the order in which they are sent.
func forPeople(p *model.Plan) *model.Plan {
	own := *p
	own.Nodes = slices.Clone(p.Nodes)
	slices.SortStableFunc(own.Nodes, func(a, b model.NodeReport) int { return natural(a.Node, b.Node) })
	return &own
}
