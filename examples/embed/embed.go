// Package embed is the whole of an embedding: collect, send and report are the operator's, the rest is here. The README shows its heart.
package embed

import (
	"context"
	"errors"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/execute"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Client is what the operator brings along.
type Client interface {
	// Collect returns what the informers show, by model.NewCluster, with model.TrimNode, TrimPod and TrimDaemonSet as Transforms; and the rollout:
	// its metadata are those of the owner, its spec what is desired now.
	Collect() (*model.Cluster, *model.Rollout, error)
	// Read reads what is named from the API server, past every cache; what is not there is left out.
	Read(context.Context, execute.Reads) (model.Objects, error)
	// Send makes one request, with the time-out of status.executor.requestTimeout. It switches on the form of the write, never on the kind of
	// the action: Create posts the object; Patch sends JSONPatch as application/json-patch+json; Delete has the UID as its precondition, and
	// returns no object.
	Send(context.Context, *model.Write) (metav1.Object, error)
	// Report writes the owner's status, and the gauges of execute.Metrics. If nothing has changed it writes nothing.
	Report(context.Context, []metav1.Condition, appsv1.DaemonSetStatus, []execute.Metric) error
}

// Reconciler carries one rollout out, for one life of the process, or one leadership.
type Reconciler struct {
	Client
	Now func() time.Time

	run     *execute.Run
	planner plan.Planner
}

// New takes an ID that no other start and no other leadership has had, as that of the Pod and the time.
func New(client Client, now func() time.Time, id string) *Reconciler {
	return &Reconciler{Client: client, Now: now, run: execute.New(id)}
}

// Reconcile plans one step and carries it out. Call it when an object of a kind in the plan's WakeOn changes, or what is desired; after the duration,
// unless that is 0; and, as any reconcile, after an error with a back-off, but for an *execute.BlockedError, which only a person ends.
func (r *Reconciler) Reconcile(ctx context.Context) (after time.Duration, err error) {
	now := r.Now()
	if reads := r.run.Reads(now); reads.Any() { // a new run lists; an outcome is not known
		live, err := r.Read(ctx, reads)
		if err == nil {
			err = r.run.Read(reads, live, now)
		}
		if err != nil {
			return 0, err
		}
	}
	cluster, rollout, err := r.Collect()
	if err != nil {
		return 0, err
	}
	snapshot, next, err := r.plan(ctx, r.run.Snapshot(cluster, rollout, now))
	if err != nil {
		return 0, err // the document is malformed: every fault is listed
	}
	if violations := plan.Validate(snapshot, &next); len(violations) > 0 {
		return 0, violations[0] // a bug of the planner
	}
	err = r.carryOut(ctx, &next)
	reported := r.Report(ctx, next.Conditions, execute.Status(snapshot, &next), execute.Metrics(r.run, &next))
	return r.run.After(&next, r.Now()), errors.Join(err, reported, execute.Blocked(&next))
}

// carryOut sends the actions in their order, up to the first that is not carried out: the next plan knows better.
func (r *Reconciler) carryOut(ctx context.Context, next *model.Plan) error {
	for step := range r.run.Steps(next) {
		if step.NeedsFresh() {
			fresh, err := r.Read(ctx, step.Reads())
			if err != nil {
				return err
			}
			if step.Confirm(fresh, r.Now()) != nil {
				continue // the caches are too old: nothing more of this plan is sent
			}
		}
		if err := step.Done(execute.Outcome(r.Send(ctx, step.Write()))); err != nil {
			return err
		}
	}
	return nil
}

// plan plans, and again with the other Pods of nodes whose capacity is to be judged.
func (r *Reconciler) plan(ctx context.Context, snapshot *model.Snapshot) (*model.Snapshot, model.Plan, error) {
	next, err := r.planner.Next(snapshot)
	for reads := r.run.Needs(&next); err == nil && reads.Any(); reads = r.run.Needs(&next) {
		var live model.Objects
		if live, err = r.Read(ctx, reads); err != nil {
			break
		}
		if snapshot, err = r.run.Answer(reads, live.Pods); err == nil {
			next, err = r.planner.Next(snapshot)
		}
	}
	return snapshot, next, err
}
