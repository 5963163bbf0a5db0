package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// With a surge and minReadySeconds an old Pod goes by time alone, and nothing else happens at that instant.
func TestASurgeGoesOnWhenTimeAloneMakesAPodAvailable(t *testing.T) {
	w := cluster(t, 3, world.Options{}, worldtest.Rolling(intstr.FromInt32(1), true), func(set *appsv1.DaemonSet) { set.Spec.MinReadySeconds = 30 })
	r, err := simulate.Run(w, native, simulate.Options{
		Rollout: rollout(), Start: worldtest.Start.Add(time.Hour), AllowDouble: true, Faults: []simulate.Fault{upgrade(time.Second, "agent:2")},
	})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome)
	require.Greater(t, r.Duration, 3*(time.Minute+30*time.Second), "one node after the other, each with a pull and half a minute")
	require.Zero(t, r.MostUnserved)
}
