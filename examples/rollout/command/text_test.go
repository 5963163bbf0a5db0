package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

func TestUnifiedDiff(t *testing.T) {
	lines := func(text string) []string { return strings.Fields(text) }
	tests := []struct {
		name, before, after string
		want                string
	}{
		{"no difference", "a b c", "a b c", ""},
		{"from nothing", "", "a b", "@@ -0,0 +1,2 @@ +a +b"},
		{"to nothing", "a b", "", "@@ -1,2 +0,0 @@ -a -b"},
		{"one line", "a b c", "a x c", "@@ -1,3 +1,3 @@ \u00b7a -b +x \u00b7c"},
		{"context of three", "1 2 3 4 5 6 7 8 9", "1 2 3 4 x 6 7 8 9", "@@ -2,7 +2,7 @@ \u00b72 \u00b73 \u00b74 -5 +x \u00b76 \u00b77 \u00b78"},
		{"near changes share a hunk", "1 2 3 4 5 6 7 8", "x 2 3 4 5 6 7 y", "@@ -1,8 +1,8 @@ -1 +x \u00b72 \u00b73 \u00b74 \u00b75 \u00b76 \u00b77 -8 +y"},
		{"far changes do not", "1 2 3 4 5 6 7 8 9", "x 2 3 4 5 6 7 8 y", "@@ -1,4 +1,4 @@ -1 +x \u00b72 \u00b73 \u00b74 @@ -6,4 +6,4 @@ \u00b76 \u00b77 \u00b78 -9 +y"},
		{"an added line", "1 2", "1 x 2", "@@ -1,2 +1,3 @@ \u00b71 +x \u00b72"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := unifiedDiff("old", "new", lines(test.before), lines(test.after))
			if test.want == "" {
				require.Empty(t, got)
				return
			}
			got, headed := strings.CutPrefix(got, "--- old\n+++ new\n")
			require.True(t, headed)
			got = strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n ", "\n\u00b7")
			require.Equal(t, test.want, strings.ReplaceAll(got, "\n", " "))
		})
	}
}

// TestDiffProperties: the edits keep every line of both sides in order, and leave in common what a slow search finds.
func TestDiffProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "c"})
		before, after := rapid.SliceOfN(line, 0, 8).Draw(t, "before"), rapid.SliceOfN(line, 0, 8).Draw(t, "after")
		var old, fresh []string
		common := 0
		for _, e := range editsOf(before, after) {
			if e.op != '+' {
				old = append(old, e.line)
			}
			if e.op != '-' {
				fresh = append(fresh, e.line)
			}
			if e.op == ' ' {
				common++
			}
		}
		if fmt.Sprint(old) != fmt.Sprint(before) || fmt.Sprint(fresh) != fmt.Sprint(after) {
			t.Fatalf("the edits turn %v into %v", old, fresh)
		}
		if want := slowCommon(before, after); common != want {
			t.Fatalf("%d lines in common, could be %d", common, want)
		}
	})
}

func slowCommon(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + slowCommon(a[1:], b[1:])
	}
	return max(slowCommon(a[1:], b), slowCommon(a, b[1:]))
}

func TestFolded(t *testing.T) {
	at := func(second int, what string, nodes ...string) happening {
		return happening{at: time.Duration(second) * time.Second, until: time.Duration(second) * time.Second, what: what, nodes: nodes}
	}
	border := at(3, "phase Steady")
	border.apart = true
	tests := []struct {
		name string
		span time.Duration
		all  []happening
		want string
	}{
		{"alike within the span", 2 * time.Second, []happening{at(0, "x", "a"), at(1, "y", "b"), at(2, "x", "c")}, "0s to 2s a, c x; 1s b y"},
		{"alike, but too far apart", time.Second, []happening{at(0, "x", "a"), at(2, "x", "c")}, "0s a x; 2s c x"},
		{"no span, same instant", 0, []happening{at(1, "x", "a"), at(1, "x", "b")}, "1s a, b x"},
		{"what is about no node stays alone", time.Minute, []happening{at(0, "x"), at(1, "x")}, "0s - x; 1s - x"},
		{"not across a phase", time.Minute, []happening{at(2, "x", "a"), border, at(4, "x", "b")}, "2s a x; 3s - phase Steady; 4s b x"},
		{"many nodes", time.Minute, []happening{at(0, "x", "a"), at(0, "x", "b"), at(0, "x", "c"), at(0, "x", "d")}, "0s a, b, c and 1 more x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var lines []string
			for _, h := range folded(test.all, test.span) {
				lines = append(lines, h.when()+" "+h.where()+" "+h.sentence())
			}
			require.Equal(t, test.want, strings.Join(lines, "; "))
		})
	}
}

func TestFoldedGaps(t *testing.T) {
	gap := func(node string, took time.Duration) happening {
		return happening{nodes: []string{node}, what: "has an agent again", least: took, most: took}
	}
	lines := folded([]happening{gap("a", 12*time.Second), gap("b", 10*time.Second), gap("c", 11*time.Second)}, 0)
	require.Len(t, lines, 1)
	require.Equal(t, "has an agent again, after 10s to 12s without", lines[0].sentence())
	lines = folded([]happening{gap("a", 12*time.Second)}, 0)
	require.Equal(t, "has an agent again, after 12s without", lines[0].sentence())
}

// TestFaultText: every kind of fault that can be asked for has its words.
func TestFaultText(t *testing.T) {
	said := map[string]bool{}
	for i := range faultKinds {
		kind := faultKinds[i].kind
		text := faultText(&world.Transition{Kind: kind})
		require.NotContains(t, text, kind.String())
		require.False(t, said[text], text)
		said[text] = true
	}
}

// TestSlotReasons: every reason of an action on a DaemonSet, the record or the owner has its words.
func TestSlotReasons(t *testing.T) {
	for _, reason := range []model.Reason{
		model.SlotMissing, model.SlotDrifted, model.SlotFollows, model.WrapperInstalled, model.PairArmed, model.NewRevision,
		model.TargetRecorded, model.TargetProven, model.OwnershipMoved, model.RolloutComplete, model.ReturnBegun, model.ReturnComplete,
		model.FailureForgotten, model.StateRepaired, model.IntentRecorded, model.HandedBack, model.RolloutTornDown,
		model.DaemonSetAdopted, model.SurgeEnabled, model.NativeStopped, model.HandoverNoted, model.DeleteFirst, model.TargetFailed,
	} {
		require.NotEqual(t, string(reason), slotReason(reason))
	}
}

// TestSetReasons: on one DaemonSet no action on it speaks of slots, of a source or of a target.
func TestSetReasons(t *testing.T) {
	for _, reason := range []model.Reason{
		model.SlotMissing, model.SlotDrifted, model.NewRevision, model.TargetProven, model.RolloutComplete, model.ReturnBegun,
		model.ReturnComplete, model.FailureForgotten, model.IntentRecorded, model.HandedBack, model.DaemonSetAdopted, model.SurgeEnabled,
		model.NativeStopped, model.HandoverNoted, model.DeleteFirst, model.TargetFailed, model.RolloutTornDown,
	} {
		text := actionText(&model.Action{Reason: reason}, true)
		require.NotContains(t, text, string(reason))
		require.NotRegexp(t, `\b(slots?|source|target|pair)\b`, text, reason)
	}
}

func TestNodeGapText(t *testing.T) {
	for _, test := range []struct {
		gap  simulate.NodeGap
		want string
	}{
		{simulate.NodeGap{Longest: time.Minute, Total: 2 * time.Minute}, "1m0s"},
		{simulate.NodeGap{Longest: time.Minute, Total: time.Minute, Ineligible: time.Hour}, "1m0s; 1h0m0s in which the node was not eligible"},
		{simulate.NodeGap{Ineligible: time.Second}, "1s in which the node was not eligible"},
		{simulate.NodeGap{Longest: time.Second, Total: time.Second, Open: true}, "1s; still without one at the end"},
		{simulate.NodeGap{Open: true}, "0s; still without one at the end"},
	} {
		require.Equal(t, test.want, nodeGapText(test.gap))
	}
}
