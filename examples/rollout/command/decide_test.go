package command

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
)

// Whichever direction is decided, the output tells the same of both: they are played from the same state.
func TestBothDirectionsAreTold(t *testing.T) {
	told := map[model.Direction][]recoveredView{}
	for _, direction := range []model.Direction{model.Forward, model.Back} {
		_, stdout, stderr := call("", "simulate", "-f", halfWay, "-o", "json", "--timeline", "none",
			"--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady until=15m", "--decide", "recover="+string(direction))
		var view resultView
		require.NoError(t, json.Unmarshal([]byte(stdout), &view), stderr)
		told[direction] = view.Recovery
	}
	require.Equal(t, told[model.Forward], told[model.Back])
	require.Len(t, told[model.Back], 2)
	forward, back := told[model.Back][0], told[model.Back][1]
	require.Equal(t, []model.Direction{model.Forward, model.Back}, []model.Direction{forward.Direction, back.Direction})
	require.Equal(t, "Complete", forward.Outcome)
	require.Equal(t, 2, forward.Moved, "those that were still on the source")
	require.Equal(t, "Blocked", back.Outcome)
	require.Equal(t, string(model.RevisionRemembered), back.Reason)
	require.Equal(t, 6, back.Moved)
	require.Less(t, back.NodeTime, forward.NodeTime, "forward waits for the image to be mended")
	require.Zero(t, back.Unserved)
}
