package embed_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/agent-rollout/planner/examples/embed"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cluster is an operator's client over a model of Kubernetes. Its caches show everything three seconds late.
type cluster struct {
	world   *world.World
	rollout *model.Rollout
	now     time.Time
	sent    int
	lose    int // every so many answers get lost
	status  appsv1.DaemonSetStatus
	conds   []metav1.Condition
	gauges  []execute.Metric
}

func (c *cluster) clock() time.Time { return c.now }

func (c *cluster) Collect() (*model.Cluster, *model.Rollout, error) {
	for _, cache := range world.Caches() {
		c.world.DeliverUntil(cache, c.now.Add(-3*time.Second))
	}
	snapshot, err := c.world.Snapshot(c.now, c.rollout)
	if err != nil {
		return nil, nil, err
	}
	return snapshot.Cluster, snapshot.Rollout, nil
}

func (c *cluster) Read(_ context.Context, reads execute.Reads) (model.Objects, error) {
	snapshot, err := c.world.Truth(c.now, c.rollout)
	if err != nil {
		return model.Objects{}, err
	}
	return reads.From(snapshot.Cluster), nil
}

func (c *cluster) Send(_ context.Context, w *model.Write) (metav1.Object, error) {
	result, err := c.world.Apply(c.now, *w)
	if c.sent++; c.lose > 0 && c.sent%c.lose == 0 {
		return nil, context.DeadlineExceeded
	}
	if err != nil {
		return nil, err
	}
	return &metav1.ObjectMeta{UID: result.UID, ResourceVersion: result.ResourceVersion, Generation: result.Generation}, nil
}

func (c *cluster) Report(_ context.Context, conditions []metav1.Condition, status appsv1.DaemonSetStatus, gauges []execute.Metric) error {
	c.conds, c.status, c.gauges = conditions, status, gauges
	return nil
}

// load begins with the snapshot of two workers, on which a new image is desired.
func load(t *testing.T) *cluster {
	d, err := dump.Files("../snapshots/two-workers.yaml")
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	w, err := world.New(snapshot, world.Options{Lagging: true})
	require.NoError(t, err)
	return &cluster{world: w, rollout: snapshot.Rollout, now: snapshot.Now()}
}

// roll reconciles once a second until a time has come, and returns what was returned as errors.
func (c *cluster) roll(t *testing.T, id string, seconds int) (faults []error) {
	r := embed.New(c, c.clock, id)
	for range seconds {
		for list := c.world.Enabled(c.now); len(list) > 0 && list[0].Kind != world.Deliver; list = c.world.Enabled(c.now) {
			_, err := c.world.Do(c.now, list[0])
			require.NoError(t, err)
		}
		require.NoError(t, c.world.Check())
		if _, err := r.Reconcile(context.Background()); err != nil {
			faults = append(faults, err)
		}
		c.now = c.now.Add(time.Second)
	}
	return faults
}

func (c *cluster) rolledOut(t *testing.T) {
	require.Equal(t, appsv1.DaemonSetStatus{DesiredNumberScheduled: 2, CurrentNumberScheduled: 2, UpdatedNumberScheduled: 2, NumberReady: 2, NumberAvailable: 2}, c.status)
	progressing := c.conds[1]
	require.Equal(t, string(model.Reconciled), progressing.Reason, progressing.Message)
	require.Equal(t, execute.Metric{Name: "agent_rollout_nodes_updated", Help: "Eligible nodes that the desired revision serves.", Value: 2}, c.gauges[5])
}

func TestItRollsOut(t *testing.T) {
	c := load(t)
	require.Empty(t, c.roll(t, "a", 240))
	c.rolledOut(t)
}

// Another process takes over in the middle, and answers get lost: those are errors of a reconcile, and nothing else.
func TestItSurvives(t *testing.T) {
	c := load(t)
	c.lose = 5
	faults := c.roll(t, "a", 90)
	faults = append(faults, c.roll(t, "b", 900)...)
	require.NotEmpty(t, faults)
	for _, err := range faults {
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	c.rolledOut(t)
}

// What only a person can mend is an error of its own kind.
func TestItSaysWhatToMend(t *testing.T) {
	c := load(t)
	set := *c.rollout
	set.Spec.DesiredFrom = &model.DesiredFrom{Name: "another"}
	c.rollout = &set
	faults := c.roll(t, "a", 1)
	require.Len(t, faults, 1)
	var blocked *execute.BlockedError
	require.True(t, errors.As(faults[0], &blocked), "%v", faults[0])
	require.Equal(t, model.DesiredMissing, blocked.Reason)
}
