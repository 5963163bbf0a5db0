package controller

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/agent-rollout/planner/examples/operator/agents"
	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// cluster is a fake API server with the operator on it. Controllers, scheduler and kubelets are played by a world that is made from the server's objects at
// every turn; the operator's caches show them a turn late.
type cluster struct {
	t      *testing.T
	scheme *runtime.Scheme
	server client.WithWatch // as it is
	client client.WithWatch // as the operator has it: noted, and with faults
	images map[string]world.Behaviour
	now    time.Time
	uids   int
	made   map[string]int // Pods by node and image
	// bothRun: a Surge without locks, whose old and new Pod run side by side
	bothRun bool

	informers  *informertest.FakeInformers
	shown      map[types.UID]client.Object
	reconciler *Reconciler
	runs       int
	events     *events.FakeRecorder
	told       []string
	woken      bool
	next       time.Time // when it wants to be called; zero for never

	requests   map[right]bool
	dice       *rand.Rand // nil for no faults
	faults     map[string]int
	reconciled int
	seen       metav1.ObjectMeta // of the rollout, when it woke the reconciler last
	errs       []error
}

var (
	request = reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: "agent"}}
	began   = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
)

func start(t *testing.T, nodes int, objects ...client.Object) *cluster {
	c := &cluster{
		t: t, scheme: runtime.NewScheme(), now: began, woken: true, images: map[string]world.Behaviour{}, made: map[string]int{}, faults: map[string]int{},
		requests: map[right]bool{}, events: events.NewFakeRecorder(100),
	}
	require.NoError(t, clientgoscheme.AddToScheme(c.scheme))
	require.NoError(t, api.AddToScheme(c.scheme))
	for i := range nodes {
		objects = append(objects, node(fmt.Sprintf("n%d", i+1)))
	}
	c.server = fake.NewClientBuilder().WithScheme(c.scheme).WithStatusSubresource(&api.NodeAgentRollout{}).WithObjects(objects...).
		WithIndex(&corev1.Pod{}, "spec.nodeName", func(pod client.Object) []string { return []string{pod.(*corev1.Pod).Spec.NodeName} }).
		WithInterceptorFuncs(interceptor.Funcs{Create: c.create, Patch: c.patch, Delete: c.delete}).Build()
	c.client = interceptor.NewClient(c.server, interceptor.Funcs{
		Get: func(ctx context.Context, inner client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
			return c.ask("get", object, "", key.Namespace, func() error { return inner.Get(ctx, key, object, options...) })
		},
		List: func(ctx context.Context, inner client.WithWatch, list client.ObjectList, options ...client.ListOption) error {
			return c.ask("list", list, "", (&client.ListOptions{}).ApplyOptions(options).Namespace, func() error { return inner.List(ctx, list, options...) })
		},
		Create: func(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.CreateOption) error {
			return c.ask("create", object, "", object.GetNamespace(), func() error { return inner.Create(ctx, object, options...) })
		},
		Delete: func(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.DeleteOption) error {
			return c.ask("delete", object, "", object.GetNamespace(), func() error { return inner.Delete(ctx, object, options...) })
		},
		Patch: func(ctx context.Context, inner client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
			return c.ask("patch", object, "", object.GetNamespace(), func() error { return inner.Patch(ctx, object, patch, options...) })
		},
		SubResourcePatch: func(ctx context.Context, inner client.Client, sub string, object client.Object, patch client.Patch, options ...client.SubResourcePatchOption) error {
			return c.ask("patch", object, "/"+sub, object.GetNamespace(), func() error { return inner.SubResource(sub).Patch(ctx, object, patch, options...) })
		},
	})
	c.restart()
	return c
}

// ask notes a request of the operator, and makes it, unless the dice have another idea.
func (c *cluster) ask(verb string, object runtime.Object, sub, namespace string, do func() error) error {
	kind, err := apiutil.GVKForObject(object, c.scheme)
	require.NoError(c.t, err)
	c.requests[right{verb, kind.Group, resourceOf(kind) + sub, namespace}] = true
	roll := 1.0
	if c.dice != nil {
		roll = c.dice.Float64()
	}
	resource := schema.GroupResource{Group: kind.Group, Resource: resourceOf(kind)}
	switch {
	case roll < 0.04 && verb != "get" && verb != "list":
		c.faults["conflict"]++
		return apierrors.NewConflict(resource, "", errors.New("the object has been modified"))
	case roll < 0.07:
		c.faults["server error"]++
		return apierrors.NewInternalError(errors.New("etcdserver: leader changed"))
	case roll < 0.1:
		c.faults["lost answer"]++
		_ = do()
		return context.DeadlineExceeded
	}
	return do()
}

// create gives what is created the fields that a real server gives it.
func (c *cluster) create(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.CreateOption) error {
	if object.GetUID() == "" {
		c.uids++
		object.SetUID(types.UID(fmt.Sprintf("uid-%d", c.uids)))
		object.SetGeneration(1)
		object.SetCreationTimestamp(metav1.NewTime(c.now))
	}
	return inner.Create(ctx, object, options...)
}

// patch answers a test that fails as a real server does, and counts the generations of a DaemonSet.
func (c *cluster) patch(ctx context.Context, inner client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	kind, err := apiutil.GVKForObject(object, c.scheme)
	require.NoError(c.t, err)
	key, former := client.ObjectKeyFromObject(object), &appsv1.DaemonSet{}
	if kind.Kind == "DaemonSet" {
		require.NoError(c.t, client.IgnoreNotFound(inner.Get(ctx, key, former)))
	}
	if err := inner.Patch(ctx, object, patch, options...); err != nil {
		if patch.Type() == types.JSONPatchType && apierrors.ReasonForError(err) == metav1.StatusReasonUnknown {
			return apierrors.NewInvalid(kind.GroupKind(), key.Name, nil)
		}
		return err
	}
	if kind.Kind != "DaemonSet" {
		return nil
	}
	now := &appsv1.DaemonSet{}
	require.NoError(c.t, inner.Get(ctx, key, now))
	if equality.Semantic.DeepEqual(former.Spec, now.Spec) {
		return nil
	}
	now.Generation++
	require.NoError(c.t, inner.Update(ctx, now))
	object.SetGeneration(now.Generation)
	object.SetResourceVersion(now.ResourceVersion)
	return nil
}

// delete tests the UID, which the fake server does not.
func (c *cluster) delete(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.DeleteOption) error {
	asked := (&client.DeleteOptions{}).ApplyOptions(options)
	if asked.Preconditions != nil && asked.Preconditions.UID != nil {
		kind, err := apiutil.GVKForObject(object, c.scheme)
		require.NoError(c.t, err)
		there := &metav1.PartialObjectMetadata{}
		there.SetGroupVersionKind(kind)
		if err := inner.Get(ctx, client.ObjectKeyFromObject(object), there); err != nil {
			return err
		}
		if there.UID != *asked.Preconditions.UID {
			return apierrors.NewConflict(schema.GroupResource{Resource: resourceOf(kind)}, there.Name, errors.New("the UID in the precondition does not match"))
		}
	}
	return inner.Delete(ctx, object, options...)
}

// restart begins a new process: nothing is left of what the former one had in mind.
func (c *cluster) restart() {
	c.runs++
	c.informers, c.shown = &informertest.FakeInformers{Scheme: c.scheme}, map[types.UID]client.Object{}
	view, err := agents.Watch(c.t.Context(), c.informers)
	require.NoError(c.t, err)
	c.reconciler = &Reconciler{
		Client: c.client, Events: c.events, Metrics: NewMetrics(), ID: fmt.Sprintf("run-%d", c.runs),
		Agents: agents.Connection{View: view, Reader: c.client, Writer: c.client, Namespace: namespace, Now: func() time.Time { return c.now }},
	}
	c.deliver()
	c.woken = true
}

// rollout is the object as it is, nil if it is gone.
func (c *cluster) rollout() *api.NodeAgentRollout {
	owner := &api.NodeAgentRollout{}
	err := c.server.Get(c.t.Context(), request.NamespacedName, owner)
	if apierrors.IsNotFound(err) {
		return nil
	}
	require.NoError(c.t, err)
	return owner
}

// edit changes the object, as a person does.
func (c *cluster) edit(change func(*api.NodeAgentRollout)) {
	owner := c.rollout()
	change(owner)
	owner.Generation++
	require.NoError(c.t, c.server.Update(c.t.Context(), owner))
	c.woken = true
}

func (c *cluster) list() (objects model.Objects) {
	var nodes corev1.NodeList
	var pods corev1.PodList
	var sets appsv1.DaemonSetList
	for _, list := range []client.ObjectList{&nodes, &pods, &sets} {
		require.NoError(c.t, c.server.List(c.t.Context(), list))
	}
	for i := range nodes.Items {
		objects.Nodes = append(objects.Nodes, &nodes.Items[i])
	}
	for i := range pods.Items {
		objects.Pods = append(objects.Pods, &pods.Items[i])
	}
	for i := range sets.Items {
		objects.DaemonSets = append(objects.DaemonSets, &sets.Items[i])
	}
	return objects
}

// deliver tells the informers of what has changed, trimmed as a manager's caches have it.
func (c *cluster) deliver() {
	live, present := c.list(), map[types.UID]bool{}
	tell := func(object client.Object) {
		present[object.GetUID()] = true
		former := c.shown[object.GetUID()]
		if former != nil && former.GetResourceVersion() == object.GetResourceVersion() {
			return
		}
		for _, trim := range []func(any) (any, error){model.TrimNode, model.TrimPod} {
			_, err := trim(object)
			require.NoError(c.t, err)
		}
		informer, err := c.informers.FakeInformerFor(c.t.Context(), object)
		require.NoError(c.t, err)
		if c.shown[object.GetUID()] = object; former == nil {
			informer.Add(object)
			return
		}
		informer.Update(former, object)
	}
	for _, object := range live.Nodes {
		tell(object)
	}
	for _, object := range live.Pods {
		tell(object)
	}
	for _, object := range live.DaemonSets {
		tell(object)
	}
	for uid, former := range c.shown {
		if !present[uid] {
			informer, err := c.informers.FakeInformerFor(c.t.Context(), former)
			require.NoError(c.t, err)
			informer.Delete(former)
			delete(c.shown, uid)
		}
	}
	select {
	case <-c.reconciler.Agents.View.Changed():
		c.woken = true
	default:
	}
}

// mostTurns is how many turns of ten seconds an end may take.
const mostTurns = 400

// until lets turns of ten seconds pass, up to an end.
func (c *cluster) until(what string, done func() bool) {
	c.t.Helper()
	for range mostTurns {
		if c.turn(); done() {
			return
		}
	}
	c.t.Fatalf("not %s after %d turns: %+v, errors %v", what, mostTurns, c.rollout().Status, c.errs)
}

// turn reconciles if there is a cause to, lets everything happen in the cluster, and then shows the caches what was there before that.
func (c *cluster) turn() {
	c.t.Helper()
	due := !c.next.IsZero() && !c.now.Before(c.next)
	if c.woken || due {
		c.woken, c.next = false, time.Time{}
		c.reconciled++
		result, err := c.reconciler.Reconcile(c.t.Context(), request)
		if err != nil {
			c.errs = append(c.errs, err)
			c.woken = !errors.Is(err, reconcile.TerminalError(nil))
		} else if result.RequeueAfter > 0 {
			c.next = c.now.Add(result.RequeueAfter)
		}
	}
	if owner := c.rollout(); owner != nil && (!reflect.DeepEqual(owner.Finalizers, c.seen.Finalizers) || !reflect.DeepEqual(owner.Annotations, c.seen.Annotations)) {
		c.woken, c.seen = true, owner.ObjectMeta
	}
	if c.dice == nil || c.dice.IntN(3) > 0 {
		c.deliver()
	}
	c.play()
	c.now = c.now.Add(10 * time.Second)
	for len(c.events.Events) > 0 {
		c.told = append(c.told, <-c.events.Events)
	}
}

// play lets everything happen that can: what the controllers and kubelets of a world do with the server's objects goes back to the server.
func (c *cluster) play() {
	before := c.list()
	before.Pods = c.collectGarbage(before)
	cluster, err := model.NewCluster(before)
	require.NoError(c.t, err)
	w, err := world.New(&model.Snapshot{Cluster: cluster}, world.Options{Behaviour: c.images})
	require.NoError(c.t, err)
	for list := w.Enabled(c.now); len(list) > 0; list = w.Enabled(c.now) {
		_, err := w.Do(c.now, list[0])
		require.NoError(c.t, err)
		if !c.bothRun {
			require.NoError(c.t, w.Check(), "two Pods share a lock")
		}
	}
	after, err := w.Truth(c.now, nil)
	require.NoError(c.t, err)
	c.store(before, after.Cluster)
}

// collectGarbage deletes the Pods of DaemonSets that are gone.
func (c *cluster) collectGarbage(objects model.Objects) (left []*corev1.Pod) {
	living := map[types.UID]bool{}
	for _, set := range objects.DaemonSets {
		living[set.UID] = true
	}
	for _, pod := range objects.Pods {
		if !living[model.ControllerUID(pod)] {
			require.NoError(c.t, c.server.Delete(c.t.Context(), pod))
			continue
		}
		left = append(left, pod)
	}
	return left
}

// store writes what the world has changed.
func (c *cluster) store(before model.Objects, after *model.Cluster) {
	was := map[types.UID]*corev1.Pod{}
	for _, pod := range before.Pods {
		was[pod.UID] = pod
	}
	for i, set := range after.DaemonSets() {
		if !equality.Semantic.DeepEqual(set, before.DaemonSets[i]) {
			c.update(set.DeepCopy(), set.DeepCopy())
		}
	}
	for i := range after.Len() {
		for _, pod := range after.Pods(i) {
			former := was[pod.UID]
			delete(was, pod.UID)
			switch {
			case former == nil:
				c.makePod(pod.DeepCopy())
			case former.ResourceVersion != pod.ResourceVersion:
				c.update(pod.DeepCopy(), pod.DeepCopy())
			}
		}
	}
	for _, pod := range was {
		require.NoError(c.t, c.server.Delete(c.t.Context(), pod))
	}
}

// makePod stores a Pod of a world, which does not know what others have named.
func (c *cluster) makePod(pod *corev1.Pod) {
	pod.Name, pod.UID, pod.ResourceVersion = fmt.Sprintf("agent-%d", c.uids), "", ""
	on, _ := model.NodeOf(pod)
	c.made[on+" "+pod.Spec.Containers[0].Image]++
	status := pod.DeepCopy()
	require.NoError(c.t, c.server.Create(c.t.Context(), pod))
	status.UID = pod.UID
	c.update(pod, status)
}

// update stores an object and then its status, whatever is there.
func (c *cluster) update(object, status client.Object) {
	object.SetResourceVersion("")
	status.SetResourceVersion("")
	require.NoError(c.t, c.server.Update(c.t.Context(), object))
	require.NoError(c.t, c.server.Status().Update(c.t.Context(), status))
}
