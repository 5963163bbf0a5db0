// Package controller reconciles NodeAgentRollouts: each is one rollout, carried out by one agents.Executor. Begin with Reconciler and its SetupWithManager.
//
//	reconciler.go  the reconciler, and what wakes it
//	document.go    from the object to the planner's document
//	status.go      from a plan to the status and its Events
//	metrics.go     from a plan to gauges, and what became of writes
package controller

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/agent-rollout/planner/examples/operator/agents"
	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
)

// Reconciler carries out every NodeAgentRollout, one at a time.
type Reconciler struct {
	client.Client
	Agents  agents.Connection
	Events  events.EventRecorder
	Metrics *Metrics
	// ID is one that no other start of the process has had: it fences what a predecessor may have left on its way.
	ID string

	executors map[types.NamespacedName]executor
}

// executor is that of one object; an object made anew under the same name is another rollout.
type executor struct {
	*agents.Executor
	of types.UID
}

// Reconcile takes one turn.
func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	owner := &api.NodeAgentRollout{}
	if err := r.Get(ctx, request.NamespacedName, owner); err != nil {
		if apierrors.IsNotFound(err) {
			r.Metrics.Forget(request.NamespacedName)
			delete(r.executors, request.NamespacedName)
		}
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	leaves, held := !owner.DeletionTimestamp.IsZero(), controllerutil.ContainsFinalizer(owner, api.Finalizer)
	switch {
	case leaves && !held:
		return reconcile.Result{}, nil // others hold it still
	case !leaves && !held: // before anything that is to be torn down; the change wakes the reconciler again
		return reconcile.Result{}, r.edit(ctx, owner, func() { controllerutil.AddFinalizer(owner, api.Finalizer) })
	}
	turn, err := r.executor(owner).Turn(ctx, document(owner, leaves))
	var invalid *agents.InvalidError
	switch {
	case errors.As(err, &invalid):
		return reconcile.Result{}, errors.Join(reconcile.TerminalError(err), r.report(ctx, owner, invalidStatus(owner, invalid)))
	case turn == nil:
		return reconcile.Result{}, err
	}
	r.Metrics.Show(request.NamespacedName, &owner.Spec, turn)
	if leaves && turn.Plan.ReleaseOwner {
		return reconcile.Result{}, errors.Join(err, r.edit(ctx, owner, func() { controllerutil.RemoveFinalizer(owner, api.Finalizer) }))
	}
	err = errors.Join(err, r.report(ctx, owner, statusOf(owner, &turn.Plan)))
	return reconcile.Result{RequeueAfter: turn.After}, err
}

func (r *Reconciler) executor(owner *api.NodeAgentRollout) executor {
	name := client.ObjectKeyFromObject(owner)
	if r.executors == nil {
		r.executors = map[types.NamespacedName]executor{}
	}
	if r.executors[name].of != owner.UID {
		connection := r.Agents
		connection.Sent = func(_ *model.Action, outcome string) { r.Metrics.Count(name, outcome) }
		r.executors[name] = executor{agents.New(&connection, r.ID), owner.UID}
	}
	return r.executors[name]
}

// edit changes the object's metadata, unless somebody else has changed it meanwhile.
func (r *Reconciler) edit(ctx context.Context, owner *api.NodeAgentRollout, change func()) error {
	former := owner.DeepCopy()
	change()
	return r.Patch(ctx, owner, client.MergeFromWithOptions(former, client.MergeFromWithOptimisticLock{}))
}

// SetupWithManager registers the reconciler. Nodes, Pods and DaemonSets wake every rollout, through the view alone, so that a reconcile finds there what
// has woken it: a plan without changes is cheap.
func (r *Reconciler) SetupWithManager(manager ctrl.Manager) error {
	// Of the object the spec counts, and the annotations, which are the planner's record of a teardown; not the status, which is written here.
	changed := predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, finalizerChanged)
	return ctrl.NewControllerManagedBy(manager).Named("node-agent-rollout").
		For(&api.NodeAgentRollout{}, builder.WithPredicates(changed)).
		WatchesRawSource(source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			go r.wake(ctx, queue)
			return nil
		})).
		Complete(r)
}

// wake asks for every rollout whenever the view has changed, until the manager ends.
func (r *Reconciler) wake(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.Agents.View.Changed():
		}
		var owners api.NodeAgentRolloutList
		if err := r.List(ctx, &owners); err != nil {
			log.FromContext(ctx).Error(err, "the rollouts to wake are not known")
			continue
		}
		for i := range owners.Items {
			queue.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&owners.Items[i])})
		}
	}
}
