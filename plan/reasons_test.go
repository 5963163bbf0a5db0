package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// TestAbout has a meaning for every reason, and an end for all that a person may have to wait for.
func TestAbout(t *testing.T) {
	said := map[string]model.Reason{}
	for _, reason := range model.Reasons() {
		about := plan.About(reason)
		require.True(t, strings.HasSuffix(about.Says, "."), "%s: %q is no sentence", reason, about.Says)
		require.True(t, about.Ends == "" || strings.HasSuffix(about.Ends, "."), "%s: %q is no sentence", reason, about.Ends)
		require.NotContains(t, said, about.Says, "%s says what %s says", reason, said[about.Says])
		said[about.Says] = reason
	}
	require.Zero(t, plan.About("NoReasonAtAll"))
	for _, reason := range []model.Reason{model.FailedHold, model.RevisionRemembered, model.NeverFits, model.CanaryAwaited, model.StateUnreadable} {
		require.NotEmpty(t, plan.About(reason).Ends, reason)
	}
}
