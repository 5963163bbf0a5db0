package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/examples/rollout/page"
)

// most is what a page may take.
const most = 2 << 20

func written(t testing.TB, p *page.Page) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, page.Write(&out, p))
	return out.String()
}

// dataOf are the page's data, as a browser reads them.
func dataOf(t testing.TB, text string) (data struct {
	Command string
	Result  json.RawMessage
	Chart   struct {
		Nodes  []json.RawMessage
		Groups []page.Group
		Plans  page.Accounts
	}
}) {
	t.Helper()
	_, text, found := strings.Cut(text, `id="data">`)
	require.True(t, found)
	text, _, found = strings.Cut(text, "</script>")
	require.True(t, found)
	require.NoError(t, json.Unmarshal([]byte(text), &data))
	return data
}

// busy is a node whose line changes often, with the longest name that a node may have.
func busy(i int) page.Node {
	n := page.Node{Name: fmt.Sprintf("%s-%06d", strings.Repeat("n", 56), i), Zone: fmt.Sprintf("zone-%d", i%7)}
	for k := range 12 {
		n.Turns = append(n.Turns, page.Turn{At: float64(k)*97.123 + float64(i%89), State: page.State((k + i) % 5)})
	}
	n.Turns[0].At = 0
	for k := range 30 {
		n.Notes = append(n.Notes, page.Note{At: float64(k)*31.987 + float64(i%31), Reason: k})
	}
	n.Failed = []page.Span{{From: 100.125, Until: 200.25}}
	n.Aside = []page.Span{{From: 300.125, Until: 400.25}}
	return n
}

// long are series of so many changes.
func long(changes int) (*page.Samples, *page.Accounts) {
	s, a := &page.Samples{}, &page.Accounts{}
	for i := range changes {
		at := float64(i) * 0.123
		s.At, a.At = append(s.At, at), append(a.At, at)
		for k, column := range []*[]int{&s.Unserved, &s.Overlap, &s.Pulling, &a.Available, &a.Ambient, &a.Committed, &a.Joining, &a.Exempt,
			&a.OnSource, &a.InOverlap, &a.OnTarget, &a.Updated, &a.Budget, &a.Window} {
			*column = append(*column, (i*(k+3))%5000)
		}
		a.Eligible = append(a.Eligible, a.Available[i]+a.Ambient[i]+a.Committed[i]+a.Joining[i])
		s.MilliCPU, s.Memory = append(s.MilliCPU, int64(i)*100), append(s.Memory, int64(i)<<20)
	}
	return s, a
}

func run(nodes, changes int) *page.Page {
	chart := &page.RunChart{Duration: float64(changes) * 0.123}
	chart.Samples, chart.Plans = long(changes)
	chart.Samples.Thin(chart.Duration)
	chart.Plans.Thin(chart.Duration)
	var list []page.Node
	for i := range nodes {
		list = append(list, busy(i))
	}
	if nodes > page.Most {
		chart.Groups = page.Grouped(list, chart.Duration)
	} else {
		chart.Nodes = list
	}
	return &page.Page{Command: "simulate", Subject: "datadog/datadog", Verdict: "Complete", Tone: page.Good, Chart: chart}
}

func TestSize(t *testing.T) {
	for _, nodes := range []int{3, page.Most, page.Most + 1, 5000} {
		t.Run(fmt.Sprintf("nodes=%d", nodes), func(t *testing.T) {
			text := written(t, run(nodes, 100*nodes))
			require.Less(t, len(text), most)
			data := dataOf(t, text)
			if nodes <= page.Most {
				require.Len(t, data.Chart.Nodes, nodes)
				require.Empty(t, data.Chart.Groups)
				return
			}
			require.Empty(t, data.Chart.Nodes)
			sum := 0
			for _, g := range data.Chart.Groups {
				sum += g.Count
			}
			require.Equal(t, nodes, sum, "every node is in one group")
			require.LessOrEqual(t, len(data.Chart.Groups), 24)
		})
	}
}

// Whatever a name holds, it ends no element and is read back as it is.
func TestEscapes(t *testing.T) {
	const evil = `</script><script>alert("1")</script><!-- <img src=x onerror=alert(1)> ' & ` + "\u2028"
	p := run(1, 10)
	p.Subject, p.Verdict, p.Lead, p.Call, p.Note, p.Figure = evil, evil, evil, evil, evil, evil
	p.Facts = []page.Fact{{Name: evil, Value: evil, Of: evil}}
	p.Tables = []page.Table{
		{Title: evil, Note: evil, Head: []string{evil, evil}, Rows: []page.Row{{Cells: []string{evil, evil}, More: evil}, {Cells: []string{"", evil}, Bar: []page.Share{{Class: evil, Name: evil, Percent: 5}}}}},
		{Title: evil, Text: evil, Closed: true},
	}
	p.Ledger = &page.Ledger{Eligible: 2, Budget: 1, Text: evil, Columns: []page.Column{{Class: evil, Name: evil, Count: 1}}}
	p.Result = map[string]string{"evil": evil}
	p.Chart.(*page.RunChart).Nodes[0].Name = evil
	text := written(t, p)
	require.Equal(t, 2, strings.Count(text, "<script"))
	require.Equal(t, 2, strings.Count(text, "</script"))
	require.NotContains(t, text, "<img")
	require.NotContains(t, text, "<!--")
	var read map[string]string
	data := dataOf(t, text)
	require.NoError(t, json.Unmarshal(data.Result, &read))
	require.Equal(t, evil, read["evil"])
	var node struct{ Node string }
	require.NoError(t, json.Unmarshal(data.Chart.Nodes[0], &node))
	require.Equal(t, evil, node.Node)
}

func TestSameInputSamePage(t *testing.T) {
	for _, nodes := range []int{20, 2000} {
		require.Equal(t, written(t, run(nodes, 5000)), written(t, run(nodes, 5000)))
	}
}

// The page loads nothing: it names no address but SVG's name space, and forbids all loading.
func TestLoadsNothing(t *testing.T) {
	text := written(t, run(3, 10))
	require.Contains(t, text, `content="default-src 'none';`)
	text = strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
	for _, word := range []string{"http:", "https:", "src=", "url(", "@import", "<link rel=\"stylesheet", "fetch(", "XMLHttpRequest"} {
		require.NotContains(t, text, word)
	}
}

// Thinning keeps every column's peak, and a ledger that balances.
func TestThin(t *testing.T) {
	s, a := long(30_000)
	peaks := []int{slices.Max(s.Unserved), slices.Max(s.Overlap), slices.Max(s.Pulling)}
	cpu, memory := slices.Max(s.MilliCPU), slices.Max(s.Memory)
	s.Thin(30_000 * 0.123)
	a.Thin(30_000 * 0.123)
	require.LessOrEqual(t, len(s.At), 2000)
	require.Greater(t, len(s.At), 1000)
	require.Equal(t, peaks, []int{slices.Max(s.Unserved), slices.Max(s.Overlap), slices.Max(s.Pulling)})
	require.Equal(t, cpu, slices.Max(s.MilliCPU))
	require.Equal(t, memory, slices.Max(s.Memory))
	require.True(t, slices.IsSorted(s.At))
	require.True(t, slices.IsSorted(a.At))
	require.LessOrEqual(t, len(a.At), 2000)
	for i := range a.At {
		require.Equal(t, a.Eligible[i], a.Available[i]+a.Ambient[i]+a.Committed[i]+a.Joining[i])
	}
}

// At every instant a group's columns and what is left on the source are all its nodes.
func TestGroupsCountEveryNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var nodes []page.Node
		for i := range rapid.IntRange(1, 60).Draw(t, "nodes") {
			n := page.Node{Name: fmt.Sprint(i), Zone: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "zone")}
			at := 0.0
			for range rapid.IntRange(1, 8).Draw(t, "turns") {
				n.Turns = append(n.Turns, page.Turn{At: at, State: page.State(rapid.IntRange(0, 4).Draw(t, "state"))})
				at += float64(rapid.IntRange(1, 50).Draw(t, "for"))
			}
			nodes = append(nodes, n)
		}
		groups := page.Grouped(nodes, 100)
		sum := 0
		for _, g := range groups {
			sum += g.Count
			for i := range g.Gap {
				off := g.Overlap[i] + g.Gap[i] + g.Target[i]
				if g.Away != nil {
					off += g.Away[i]
				}
				require.LessOrEqual(t, off, g.Count)
			}
		}
		require.Equal(t, len(nodes), sum)
		last := map[page.State]int{}
		for _, n := range nodes {
			state := n.Turns[0].State
			for _, turn := range n.Turns {
				if turn.At <= 100 {
					state = turn.State
				}
			}
			last[state]++
		}
		got := map[page.State]int{}
		for _, g := range groups {
			end := len(g.Gap) - 1
			got[page.Overlap] += g.Overlap[end]
			got[page.Gap] += g.Gap[end]
			got[page.Target] += g.Target[end]
		}
		for _, state := range []page.State{page.Overlap, page.Gap, page.Target} {
			require.Equal(t, last[state], got[state], "state %d at the end", state)
		}
	})
}

func TestPut(t *testing.T) {
	at := func(at float64, state page.State) page.Turn { return page.Turn{At: at, State: state} }
	span := func(from, until float64) page.Span { return page.Span{From: from, Until: until} }
	end := math.Inf(1)
	tests := []struct {
		name        string
		turns, want []page.Turn
		gaps        []page.Span
	}{
		{"within a state", []page.Turn{at(0, page.Source)}, []page.Turn{at(0, page.Source), at(10, page.Gap), at(20, page.Source)}, []page.Span{span(10, 20)}},
		{"over a change", []page.Turn{at(0, page.Overlap), at(15, page.Target)}, []page.Turn{at(0, page.Overlap), at(10, page.Gap), at(20, page.Target)}, []page.Span{span(10, 20)}},
		{"up to a change", []page.Turn{at(0, page.Overlap), at(20, page.Target)}, []page.Turn{at(0, page.Overlap), at(10, page.Gap), at(20, page.Target)}, []page.Span{span(10, 20)}},
		{"from a change on", []page.Turn{at(0, page.Source), at(10, page.Overlap)}, []page.Turn{at(0, page.Source), at(10, page.Gap), at(20, page.Overlap)}, []page.Span{span(10, 20)}},
		{"from the beginning", []page.Turn{at(0, page.Source), at(30, page.Target)}, []page.Turn{at(0, page.Gap), at(20, page.Source), at(30, page.Target)}, []page.Span{span(0, 20)}},
		{"to the end", []page.Turn{at(0, page.Source), at(30, page.Target)}, []page.Turn{at(0, page.Source), at(10, page.Gap)}, []page.Span{span(10, end)}},
		{"all of it", []page.Turn{at(0, page.Source), at(30, page.Target)}, []page.Turn{at(0, page.Gap)}, []page.Span{span(0, end)}},
		{"twice", []page.Turn{at(0, page.Source), at(30, page.Target)}, []page.Turn{at(0, page.Source), at(10, page.Gap), at(20, page.Source), at(25, page.Gap), at(35, page.Target)},
			[]page.Span{span(10, 20), span(25, 35)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := page.Node{Turns: test.turns}
			for _, gap := range test.gaps {
				n.Put(page.Gap, gap)
			}
			require.Equal(t, test.want, n.Turns)
		})
	}
}
