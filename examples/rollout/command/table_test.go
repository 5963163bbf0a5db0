package command

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	table := newTable(&b)
	table.row("NODE", "WHY", "OTHERS")
	table.row("worker-1", "it is\tin overlap", "")
	table.row("ß", "−", "and 1 more")
	table.row("alone")
	require.NoError(t, table.flush())
	require.Equal(t, "NODE      WHY               OTHERS\nworker-1  it is in overlap\nß         −                 and 1 more\nalone\n", b.String())
}

// TestTextWraps: no line of a text is too wide, none ends with a blank, and no word is lost.
func TestTextWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z≥×]{1,30}`), 1, 60).Draw(t, "words")
		var b strings.Builder
		text := newTable(&b)
		text.row("Outcome", strings.Join(words, " "))
		require.NoError(t, text.flush())
		require.Equal(t, append([]string{"Outcome"}, words...), strings.Fields(b.String()))
		for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), widest)
			require.Equal(t, strings.TrimRight(line, " "), line)
			require.True(t, i == 0 || strings.HasPrefix(line, "           "), "%q is not set in", line)
		}
	})
}
