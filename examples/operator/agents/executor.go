// Package agents puts the planner between a controller-runtime manager and any owner of node agents: it knows no custom resource. Caches are the options of
// the manager's cache, Watch makes a View of it, and an Executor carries one rollout out, turn by turn. What remains of an operator is to say what is
// desired, a model.Rollout, and to report the plan.
//
//	executor.go  Executor.Turn: plan, look, send
//	view.go      from informers to a model.Cluster
//	api.go       live reads, and the request of a write
package agents

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/execute"
)

// Connection is what the executors of one manager share.
type Connection struct {
	// View is what the caches show, Reader reads past them, and Writer writes.
	View   *View
	Reader client.Reader
	Writer client.Writer
	// Namespace is that of Caches.
	Namespace string
	Now       func() time.Time
	// Sent is told of every action what became of it: applied, refused, unknown, or withheld, which was not sent since a live look has shown that its
	// premises do not hold.
	Sent func(action *model.Action, outcome string)
}

// Withheld is the outcome of an action that was not sent.
const Withheld = "withheld"

// Executor carries one rollout out, in one life of the process. It is not safe for concurrent use: controller-runtime reconciles an object once at a time.
type Executor struct {
	*Connection
	run     *execute.Run
	planner plan.Planner
}

// New begins an executor. The ID is one that no other start of the process has had.
func New(connection *Connection, id string) *Executor {
	return &Executor{Connection: connection, run: execute.New(id)}
}

// Turn is what one turn has planned.
type Turn struct {
	Snapshot *model.Snapshot
	Plan     model.Plan
	// After is when to take the next turn although nothing changes; 0 for never.
	After   time.Duration
	Metrics []execute.Metric
}

// InvalidError says that the document is malformed: a person has to change it.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }

// Unwrap returns the list of faults.
func (e *InvalidError) Unwrap() error { return e.Err }

// Turn plans one step and carries it out. Take one when a node, a Pod, a DaemonSet or the document has changed, after Turn.After, and with a back-off
// after an error, but for an *InvalidError. With an error the turn is there all the same where there was a plan, and nil where there was none.
func (e *Executor) Turn(ctx context.Context, rollout *model.Rollout) (*Turn, error) {
	now := e.Now()
	if reads := e.run.Reads(now); reads.Any() { // a new run lists; an outcome is not known
		live, err := e.read(ctx, reads)
		if err == nil {
			err = e.run.Read(reads, live, now)
		}
		if err != nil {
			return nil, err
		}
	}
	cluster, err := e.View.Cluster()
	if err != nil {
		return nil, err
	}
	document := *rollout
	document.Status.Watched, document.Status.OtherPods.All = true, e.Namespace == ""
	turn := &Turn{Snapshot: e.run.Snapshot(cluster, &document, now)}
	if err := e.plan(ctx, turn); err != nil {
		return nil, err
	}
	if violations := plan.Validate(turn.Snapshot, &turn.Plan); len(violations) > 0 {
		return nil, violations[0] // a bug of the planner: nothing is sent
	}
	err = e.carryOut(ctx, &turn.Plan)
	turn.After, turn.Metrics = e.run.After(&turn.Plan, e.Now()), execute.Metrics(e.run, &turn.Plan)
	return turn, err
}

// plan plans, and again with the other Pods of nodes whose capacity is to be judged.
func (e *Executor) plan(ctx context.Context, turn *Turn) (err error) {
	for {
		if turn.Plan, err = e.planner.Next(turn.Snapshot); err != nil {
			return &InvalidError{err}
		}
		reads := e.run.Needs(&turn.Plan)
		if !reads.Any() {
			return nil
		}
		live, err := e.read(ctx, reads)
		if err != nil {
			return err
		}
		if turn.Snapshot, err = e.run.Answer(reads, live.Pods); err != nil {
			return err
		}
	}
}

// carryOut sends the actions in their order, up to the first that is not carried out: the next plan knows better.
func (e *Executor) carryOut(ctx context.Context, next *model.Plan) error {
	for step := range e.run.Steps(next) {
		if step.NeedsFresh() {
			fresh, err := e.read(ctx, step.Reads())
			if err != nil {
				return err
			}
			if step.Confirm(fresh, e.Now()) != nil {
				e.Sent(step.Action, Withheld)
				continue // the caches are too old, and nothing more of this plan is sent
			}
		}
		result := e.send(ctx, step.Write())
		e.Sent(step.Action, result.String())
		if err := step.Done(result); err != nil {
			return err
		}
	}
	return nil
}

// send gives a request no longer than the run takes it to be under way.
func (e *Executor) send(ctx context.Context, w *model.Write) execute.Result {
	ctx, cancel := context.WithTimeout(ctx, execute.DefaultRequestTimeout)
	defer cancel()
	return execute.Outcome(Send(ctx, e.Writer, w))
}

func (e *Executor) read(ctx context.Context, reads execute.Reads) (model.Objects, error) {
	ctx, cancel := context.WithTimeout(ctx, execute.DefaultRequestTimeout)
	defer cancel()
	return Read(ctx, e.Reader, e.Namespace, reads)
}
