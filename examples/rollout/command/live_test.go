package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model/dump"
)

// liveCall runs a program that can read a cluster, which is one file after the other.
func liveCall(t *testing.T, args []string, files ...string) (code int, stdout, stderr string, asked []bool) {
	t.Helper()
	live := func(_ context.Context, document bool) ([]dump.Input, error) {
		if asked = append(asked, document); len(asked) > len(files) {
			return nil, errors.New("the cluster is gone")
		}
		text, err := os.ReadFile(files[len(asked)-1])
		return []dump.Input{{Name: "the cluster", Text: bytes.NewReader(text)}}, err
	}
	var out, errs bytes.Buffer
	code = Program{Name: "kubectl node-rollout", Live: live}.Run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String(), asked
}

// A program with a cluster reads it where the files name no object of one.
func TestLive(t *testing.T) {
	code, out, errs, asked := liveCall(t, []string{"plan"}, halfWay)
	require.Equal(t, exitDone, code, errs)
	require.Equal(t, []bool{true}, asked, "the document is asked for as well")
	require.Contains(t, out, "2 of 6 nodes updated")
	require.NotContains(t, errs, "status.observedAt is left out", "what is read now was made now")

	code, _, errs, asked = liveCall(t, []string{"plan", "-f", twoWorkers}, halfWay)
	require.Equal(t, exitDone, code, errs)
	require.Empty(t, asked, "a dump is a dump")

	code, _, errs, _ = liveCall(t, []string{"plan"})
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, "the cluster is gone")

	_, out, _, _ = liveCall(t, []string{"--help"})
	require.Contains(t, out, "kubectl node-rollout [command]")
	require.Contains(t, out, "watch")
}

// watch tells what it sees first, and then what has changed, until the end.
func TestWatch(t *testing.T) {
	code, out, errs, asked := liveCall(t, []string{"watch", "--every", "1ms", "-q"}, twoWorkers, twoWorkers, halfWay)
	require.Len(t, asked, 4)
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, "the cluster is gone")
	require.Equal(t, 1, strings.Count(out, "Plan: "), out)
	require.Contains(t, out, "2 nodes (worker-1, worker-2): Source WaitingForRevision → Complete OnTarget")

	code, out, errs, _ = liveCall(t, []string{"watch", "--every", "1ms", "--set", "strategy.frozen=true"}, halfWay, halfWay)
	require.Equal(t, exitNotDone, code, errs)
	require.Contains(t, errs, "strategy.frozen")
	require.Equal(t, 1, strings.Count(out, "Plan: blocked"))
}

// A decision is bound to the revision that the plan speaks of, and refused where nothing asks for it.
func TestDecide(t *testing.T) {
	code, out, errs := call("", "decide", "back", "-f", halfWay, "-q")
	require.Equal(t, exitDone, code, errs)
	require.Equal(t, "spec:\n  decision:\n    recover: Back\n    revision: 9f818858e193dc148129948b68e062bff2287c96309e6004e5c8fd924f4d4462\n", out)

	code, _, errs = call("", "decide", "promote", "-f", halfWay, "-q")
	require.Equal(t, exitNotDone, code)
	require.Contains(t, errs, "no canary is under way")

	code, _, errs = call("", "decide", "sideways", "-f", halfWay)
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, `invalid argument "sideways"`)
}
