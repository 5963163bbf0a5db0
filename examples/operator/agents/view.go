package agents

import (
	"context"
	"errors"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/agent-rollout/planner/model"
)

// ErrNotSynced says that a cache has not shown yet all that there was when it began.
var ErrNotSynced = errors.New("the caches are not filled yet")

// View is the cluster as the informers show it, for all rollouts together. Events are noted when they come, and put into the cluster when it is asked
// for: what did not change is shared with the cluster before, and a Planner looks at nothing else.
type View struct {
	synced  []func() bool
	changed chan struct{}

	mu      sync.Mutex
	cluster *model.Cluster
	noted   map[key]*change
}

// key names an object of one of the three kinds.
type key struct {
	kind            string
	namespace, name string
}

// change is an object as the cluster has it and as it is now; nil for none.
type change struct{ former, now metav1.Object }

// Watch begins with the informers' next events. Their Transforms are Caches'.
func Watch(ctx context.Context, informers cache.Informers) (*View, error) {
	empty, err := model.NewCluster(model.Objects{})
	if err != nil {
		return nil, err
	}
	v := &View{cluster: empty, noted: map[key]*change{}, changed: make(chan struct{}, 1)}
	for _, object := range []client.Object{&corev1.Node{}, &corev1.Pod{}, &appsv1.DaemonSet{}} {
		informer, err := informers.GetInformer(ctx, object)
		if err != nil {
			return nil, err
		}
		registered, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc:    func(now any) { v.note(nil, now) },
			UpdateFunc: v.note,
			DeleteFunc: func(former any) { v.note(former, nil) },
		})
		if err != nil {
			return nil, err
		}
		v.synced = append(v.synced, registered.HasSynced)
	}
	return v, nil
}

// Cluster is what the events up to now have told. The error is ErrNotSynced, or a *model.ObjectError with what is wrong with an object: then the
// events are kept, and a later one may mend it.
func (v *View) Cluster() (*model.Cluster, error) {
	for _, synced := range v.synced {
		if !synced() {
			return nil, ErrNotSynced
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var changes model.Changes
	for _, c := range v.noted {
		if c.now != nil {
			put(&changes.Present, c.now)
		}
		if c.former != nil && (c.now == nil || elsewhere(c.former, c.now)) {
			put(&changes.Gone, c.former)
		}
	}
	cluster, err := v.cluster.Apply(changes)
	if err != nil {
		return nil, err
	}
	v.cluster = cluster
	clear(v.noted)
	return cluster, nil
}

// Changed has an element when something was noted since the last one was taken. Wake reconcilers by it and by no watch of their own: each handler of an
// informer is told at its own pace, and a reconcile that another one has woken may find a View that does not show the cause yet, with nothing to wake it again.
func (v *View) Changed() <-chan struct{} { return v.changed }

// note keeps of an object what it was first and what it is last.
func (v *View) note(formerEvent, nowEvent any) {
	former, now := objectOf(formerEvent), objectOf(nowEvent)
	named := now
	if named == nil {
		named = former
	}
	if named == nil {
		return
	}
	k := key{kindOf(named), named.GetNamespace(), named.GetName()}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.noted[k] == nil {
		v.noted[k] = &change{former: former}
	}
	v.noted[k].now = now
	select {
	case v.changed <- struct{}{}:
	default: // one is there
	}
}

// objectOf is the object of an event; that of a deletion which the watch has missed is the last that was seen.
func objectOf(event any) metav1.Object {
	if missed, ok := event.(toolscache.DeletedFinalStateUnknown); ok {
		event = missed.Obj
	}
	object, _ := event.(metav1.Object)
	return object
}

func kindOf(object metav1.Object) string {
	switch object.(type) {
	case *corev1.Node:
		return "Node"
	case *corev1.Pod:
		return "Pod"
	case *appsv1.DaemonSet:
		return "DaemonSet"
	}
	return ""
}

func put(objects *model.Objects, object metav1.Object) {
	switch object := object.(type) {
	case *corev1.Node:
		objects.Nodes = append(objects.Nodes, object)
	case *corev1.Pod:
		objects.Pods = append(objects.Pods, object)
	case *appsv1.DaemonSet:
		objects.DaemonSets = append(objects.DaemonSets, object)
	}
}

// elsewhere tells whether a Pod was made anew on another node under its name.
func elsewhere(former, now metav1.Object) bool {
	was, ok := former.(*corev1.Pod)
	if !ok {
		return false
	}
	here, _ := model.NodeOf(was)
	there, _ := model.NodeOf(now.(*corev1.Pod))
	return here != there
}
