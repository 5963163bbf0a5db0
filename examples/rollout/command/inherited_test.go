package command

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// What cannot be pulled in the inputs goes on failing in a simulation, unless it is asked to be mended, and either is said.
func TestPullsGoOnFailing(t *testing.T) {
	text, err := os.ReadFile(conventional)
	require.NoError(t, err)
	running := regexp.MustCompile(`running:\n +startedAt: "[^"]+"`)
	at := running.FindIndex(text)
	require.NotNil(t, at, "the first container of the first Pod runs")
	broken := string(text[:at[0]]) + "waiting: {reason: ImagePullBackOff}" + string(text[at[1]:])

	args := []string{"simulate", "-f", "-", "-q", "--timeline", "none", "--set", "strategy.type=RollingUpdate"}
	_, out, errs := call(broken, args...)
	require.Regexp(t, `Assumed +pulls that fail in the inputs on 1 node \([a-z0-9-]+\) go on failing`, out, errs)
	require.NotContains(t, out, "Simulate: complete after")

	code, out, errs := call(broken, append(args, "--mend")...)
	require.Equal(t, exitDone, code, errs)
	require.Contains(t, out, "succeed, by --mend")
	require.Contains(t, out, "Simulate: complete after")
}
