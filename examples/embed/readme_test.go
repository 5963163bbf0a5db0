package embed_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README shows the heart of the embedding that is compiled and run here, which has at most 120 lines.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("embed.go")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found, "the README has no Go block")
	block, _, found = strings.Cut(block, "```")
	require.True(t, found, "the README's Go block does not end")
	require.Contains(t, string(source), block)
	require.LessOrEqual(t, strings.Count(string(source), "\n"), 120, "an embedding is short")
}
