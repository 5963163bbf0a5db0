package command

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

// edit is one line of a diff: ' ', '-' or '+'.
type edit struct {
	op   byte
	line string
}

// unifiedDiff returns the difference of two lists of lines in the unified format, and "" if there is none.
func unifiedDiff(from, to string, before, after []string) string {
	edits := editsOf(before, after)
	var out strings.Builder
	oldLine, newLine := 1, 1 // of edits[i]
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		start := max(0, i-diffContext)
		for start < i && edits[start].op != ' ' {
			start++
		}
		end := hunkEnd(edits, i)
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
		}
		oldCount, newCount := countLines(edits[start:end])
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", hunkRange(oldLine-(i-start), oldCount), hunkRange(newLine-(i-start), newCount))
		for _, e := range edits[start:end] {
			fmt.Fprintf(&out, "%c%s\n", e.op, e.line)
		}
		oldDone, newDone := countLines(edits[i:end])
		i, oldLine, newLine = end, oldLine+oldDone, newLine+newDone
	}
	return out.String()
}

// hunkEnd returns the end of the hunk whose first change is at i: changes that at most two contexts part share
// one.
func hunkEnd(edits []edit, i int) int {
	last := i
	for j := i; j < len(edits) && j <= last+2*diffContext+1; j++ {
		if edits[j].op != ' ' {
			last = j
		}
	}
	return min(len(edits), last+1+diffContext)
}

func countLines(edits []edit) (before, after int) {
	for _, e := range edits {
		if e.op != '+' {
			before++
		}
		if e.op != '-' {
			after++
		}
	}
	return before, after
}

// hunkRange is a line number and a count; an empty range names the line before it.
func hunkRange(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// editsOf turns before into after with the fewest lines changed, by the longest common subsequence. What both begin and
// end with is set aside first.
func editsOf(before, after []string) []edit {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var edits []edit
	for _, line := range before[:head] {
		edits = append(edits, edit{' ', line})
	}
	edits = append(edits, middleEdits(before[head:len(before)-tail], after[head:len(after)-tail])...)
	for _, line := range before[len(before)-tail:] {
		edits = append(edits, edit{' ', line})
	}
	return edits
}

func middleEdits(a, b []string) []edit {
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var edits []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return edits
}
