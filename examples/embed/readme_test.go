package embed_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README's example is the one that compiles here.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found, "the README has no Go block")
	block, _, found = strings.Cut(block, "```")
	require.True(t, found, "the README's Go block does not end")
	require.Contains(t, string(source), block)
}
