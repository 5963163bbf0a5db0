package verify_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

// recorded is the document with the table of what was explored.
const recorded = "../explore/RESULTS.md"

var record = flag.Bool("record", false, "write what was explored into "+recorded)

// table is a document with one table of results: the lines before it, the rows by scope, and the lines after it.
type table struct {
	before, after []string
	rows          map[string]string
}

const tableHead = "| scope | states | transitions | depth | s | memory MiB | B | exhaustive |"

func readTable(t *testing.T) *table {
	text, err := os.ReadFile(recorded)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	head := slices.Index(lines, tableHead)
	require.GreaterOrEqual(t, head, 0, "%s has no table of scopes", recorded)
	first := head + 2
	count := slices.IndexFunc(lines[first:], func(line string) bool { return !strings.HasPrefix(line, "|") })
	require.GreaterOrEqual(t, count, 0)
	r := &table{before: lines[:first], after: lines[first+count:], rows: map[string]string{}}
	for _, row := range lines[first : first+count] {
		r.rows[strings.TrimPrefix(cells(row)[0], "long: ")] = row
	}
	return r
}

func cells(row string) []string {
	list := strings.Split(strings.Trim(row, "|"), "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// write puts the rows in the order of the scopes; those of scopes that are no more are left out.
func (r *table) write(t *testing.T) {
	lines := slices.Clone(r.before)
	for _, s := range verify.Scopes() {
		if row, ok := r.rows[s.Name]; ok {
			lines = append(lines, row)
		}
	}
	require.NoError(t, os.WriteFile(recorded, []byte(strings.Join(append(lines, r.after...), "\n")), 0o644))
}

// counted are the cells that are the same in every run.
func counted(r *explore.Result) []string {
	return []string{grouped(int64(r.States)), grouped(r.Transitions), strconv.Itoa(r.Depth)}
}

func rowOf(s *verify.Scope, r *explore.Result, memory string) string {
	name, end := s.Name, "yes"
	if s.Long {
		name = "long: " + name
	}
	if !r.Exhaustive() {
		end = "no: " + r.Limit + ", goals not judged"
	}
	list := slices.Concat([]string{name}, counted(r), []string{fmt.Sprintf("%.1f", r.Elapsed.Seconds()), memory, fmt.Sprintf("%.0f", r.BytesPerState()), end})
	return "| " + strings.Join(list, " | ") + " |"
}

// grouped writes thousands with commas.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// results are those of one run of TestScopes.
type results struct {
	sync.Mutex
	rows map[string]string
}

func (r *results) add(s *verify.Scope, result *explore.Result, memory string) {
	r.Lock()
	defer r.Unlock()
	r.rows[s.Name] = rowOf(s, result, memory)
}

// quickest is the most transitions of a scope that is not long: the quick run is one of minutes, on slow machines too.
const quickest = 50_000

// transitions are the recorded ones of a row, and whether the scope was explored to its end.
func transitions(t *testing.T, row string) (count int, exhaustive bool) {
	count, err := strconv.Atoi(strings.ReplaceAll(cells(row)[2], ",", ""))
	require.NoError(t, err, row)
	return count, strings.HasPrefix(cells(row)[7], "yes")
}

// TestEveryScopeIsRecorded: no row of the table is lost, none is of another scope, and none of the quick run has too many transitions.
func TestEveryScopeIsRecorded(t *testing.T) {
	rows := readTable(t).rows
	for _, s := range verify.Scopes() {
		row, ok := rows[s.Name]
		if !ok {
			t.Errorf("%s has no row for %q: go test ./plan/verify -run '^TestScopes$' -scope=%q -record", recorded, s.Name, s.Name)
			continue
		}
		require.Len(t, cells(row), strings.Count(tableHead, "|")-1, row)
		require.Equal(t, s.Long, strings.HasPrefix(row, "| long: "), row)
		if count, _ := transitions(t, row); !s.Long {
			require.LessOrEqual(t, count, quickest, "%s is to be long", s.Name)
		}
		delete(rows, s.Name)
	}
	require.Empty(t, rows, "rows of %s of no scope", recorded)
}
