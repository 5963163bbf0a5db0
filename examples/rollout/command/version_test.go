package command

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion: what a build records is said, and what it does not is left out.
func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: "v0.3.0"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-05T09:00:00Z"}, {Key: "vcs.modified", Value: "true"},
		{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"},
	}}
	require.Equal(t, "v0.3.0, commit abc of 2026-01-05T09:00:00Z, with changes, go1.99 linux/arm64", versionOf(info).String())
	require.Equal(t, "(devel), go1.99 linux/arm64", versionOf(&debug.BuildInfo{GoVersion: "go1.99", Settings: info.Settings[3:]}).String())

	code, out, _ := call("", "version", "-o", "json")
	require.Equal(t, exitDone, code)
	require.Contains(t, out, `"version": `)
	code, _, errs := call("", "version", "-o", "table")
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, `"table" is not one of text, json, yaml`)
}
