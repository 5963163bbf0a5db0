package capacity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// clause is a reason whose meaning is known by the way it was made.
type clause struct {
	text string
	kind ReasonKind
	name string // of a resource
}

var clauses = []clause{
	{"Insufficient cpu", ReasonResource, "cpu"},
	{"Insufficient memory", ReasonResource, "memory"},
	{"Insufficient ephemeral-storage", ReasonResource, "ephemeral-storage"},
	{"Insufficient example.com/fpga", ReasonResource, "example.com/fpga"},
	{"Too many pods", ReasonTooManyPods, ""},
	{"node(s) didn't satisfy plugin(s) [NodeAffinity]", ReasonNodePin, ""},
	{"node(s) didn't match Pod's node affinity/selector", ReasonNodePin, ""},
	{"node(s) didn't have free ports for the requested pod ports", ReasonHostPort, ""},
	{"node(s) had untolerated taint {a: b, c}", ReasonTaint, ""},
	{"node(s) had taint {a: }, that the pod didn't tolerate", ReasonTaint, ""},
	{"node(s) were unschedulable", ReasonNodeState, ""},
	{"node(s) didn't match pod anti-affinity rules", ReasonPodAffinity, ""},
	{"rack is full, ask 2", ReasonUnknown, ""},
	{"policy v1.2 says no. Insufficient cpu", ReasonUnknown, ""},
}

type messageCase struct {
	nodes  int
	picked []clause
	counts []int
	text   string
}

var drawMessage = rapid.Custom(func(t *rapid.T) messageCase {
	c := messageCase{nodes: rapid.IntRange(1, 6).Draw(t, "nodes")}
	common := []clause{clauses[0], clauses[1], clauses[4], clauses[5]}
	c.picked = rapid.SliceOfNDistinct(rapid.OneOf(rapid.SampledFrom(common), rapid.SampledFrom(clauses)), 1, 4,
		func(p clause) string { return p.text }).Draw(t, "clauses")
	var parts []string
	for _, p := range c.picked {
		n := rapid.SampledFrom([]int{1, 1, 1, 2, 5}).Draw(t, "count")
		c.counts = append(c.counts, n)
		parts = append(parts, fmt.Sprintf("%d %s", n, p.text))
	}
	c.text = fmt.Sprintf("0/%d nodes are available: %s", c.nodes, strings.Join(parts, ", ")) + rapid.SampledFrom([]string{
		"", ".", "..", ". not found",
		". preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod..",
		". no new claims to deallocate, preemption: 0/4 nodes are available: 1 Insufficient cpu, 3 Preemption is not helpful for scheduling.",
	}).Draw(t, "tail")
	if rapid.Bool().Draw(t, "typographic") {
		c.text = strings.ReplaceAll(c.text, "'", "\u2019")
	}
	return c
})

// What was put together is taken apart again, and it is only capacity exactly by the rule in words.
func TestParseMessageFindsWhatWasWritten(t *testing.T) {
	type parser func(string) Message
	then := func(edit func(*Message)) parser {
		return func(s string) Message { m := ParseMessage(s); edit(&m); return m }
	}
	onlyCapacity := func(c messageCase, slots bool) bool {
		short, pinned := 0, 0
		for i, p := range c.picked {
			switch {
			case p.kind == ReasonNodePin:
				pinned += c.counts[i]
			case (p.name == "cpu" || p.name == "memory" || slots && p.kind == ReasonTooManyPods) && c.counts[i] == 1:
				short++
			default:
				return false
			}
		}
		return short > 0 && pinned < c.nodes
	}
	property[messageCase, parser]{
		draw: drawMessage,
		holds: func(c messageCase, parse parser) string {
			m := parse(c.text)
			if !m.Known || m.Nodes != c.nodes || len(m.Reasons) != len(c.picked) {
				return fmt.Sprintf("%q read as %s", c.text, brief(m))
			}
			for i, r := range m.Reasons {
				if r.Kind != c.picked[i].kind || r.Count != c.counts[i] || string(r.Resource) != c.picked[i].name || r.Text != c.picked[i].text {
					return fmt.Sprintf("%q: reason %d read as %+v", c.text, i, r)
				}
			}
			for _, slots := range []bool{false, true} {
				if got, want := m.OnlyCapacity(slots), onlyCapacity(c, slots); got != want {
					return fmt.Sprintf("%q: only capacity %t, by the rule %t", c.text, got, want)
				}
			}
			return ""
		},
		reached: func(c messageCase) []string {
			r := []string{fmt.Sprintf("capacity=%t, with slots=%t", onlyCapacity(c, false), onlyCapacity(c, true))}
			for _, p := range c.picked {
				r = append(r, p.text)
			}
			return r
		},
		wanted: func() []string {
			w := []string{"capacity=true, with slots=true", "capacity=false, with slots=true", "capacity=false, with slots=false"}
			for _, p := range clauses {
				w = append(w, p.text)
			}
			return w
		}(),
	}.check(t, ParseMessage, map[string]parser{
		"splits at every comma": func(s string) Message {
			head, tail := splitTail(s)
			return ParseMessage(strings.ReplaceAll(head, ", ", ", 1 ") + tail)
		},
		"splits the tail at every dot": func(s string) Message {
			head, _, _ := strings.Cut(s, ". ")
			return ParseMessage(head)
		},
		"keeps the tail": func(s string) Message { return ParseMessage(strings.ReplaceAll(s, ". ", ".. ")) },
		"reads the apostrophe literally": func(s string) Message {
			return ParseMessage(strings.ReplaceAll(s, "\u2019", "`"))
		},
		"one dot at most": func(s string) Message {
			return ParseMessage(strings.Replace(s, "..", "...", 1))
		},
		"counts ignored": then(func(m *Message) {
			for i := range m.Reasons {
				m.Reasons[i].Count = 1
			}
		}),
		"reasons sorted": then(func(m *Message) {
			slices.SortFunc(m.Reasons, func(a, b Reason) int { return strings.Compare(a.Text, b.Text) })
		}),
		"unknown taken for a pin": then(func(m *Message) {
			for i := range m.Reasons {
				if m.Reasons[i].Kind == ReasonUnknown {
					m.Reasons[i].Kind = ReasonNodePin
				}
			}
		}),
		"any resource is CPU": then(func(m *Message) {
			for i := range m.Reasons {
				if m.Reasons[i].Kind == ReasonResource {
					m.Reasons[i].Resource = "cpu"
				}
			}
		}),
		"total ignored": then(func(m *Message) { m.Nodes = -1 }),
	})
}
