package datadog_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/DataDog/datadog-operator/api/datadoghq/v1alpha1"
	"github.com/agent-rollout/planner/examples/datadog"
	"github.com/agent-rollout/planner/examples/embed"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

const namespace = "datadog"

// operator is the part of an operator that is around the adapter, over a fake API server. Controllers, scheduler and kubelets are played by a world
// that is made from the server's objects at every turn.
type operator struct {
	t        *testing.T
	api      client.Client
	rendered *appsv1.DaemonSet
	option   *intstr.IntOrString
	images   map[string]world.Behaviour

	now     time.Time
	uids    int
	specs   map[types.UID]*appsv1.DaemonSetSpec
	made    map[string]int // Pods by node and image
	cluster *model.Cluster
	nothing bool // nothing of the agent is the planner's
	numbers appsv1.DaemonSetStatus
	conds   []metav1.Condition
}

func start(t *testing.T, nodes int, objects ...client.Object) *operator {
	scheme := runtime.NewScheme()
	require.NoError(t, corev1.AddToScheme(scheme))
	require.NoError(t, appsv1.AddToScheme(scheme))
	require.NoError(t, v1alpha1.AddToScheme(scheme))
	o := &operator{
		t: t, now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), specs: map[types.UID]*appsv1.DaemonSetSpec{}, made: map[string]int{}, images: map[string]world.Behaviour{},
	}
	for i := range nodes {
		objects = append(objects, node(fmt.Sprintf("n%d", i+1), o.now.Add(-time.Hour)))
	}
	o.api = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1alpha1.DatadogAgentInternal{}).WithObjects(objects...).
		WithInterceptorFuncs(interceptor.Funcs{Create: o.create}).Build()
	return o
}

// create gives what is created the fields that a real server gives it.
func (o *operator) create(ctx context.Context, api client.WithWatch, object client.Object, options ...client.CreateOption) error {
	if object.GetUID() == "" {
		o.uids++
		object.SetUID(types.UID(fmt.Sprintf("uid-%d", o.uids)))
		object.SetGeneration(1)
		object.SetCreationTimestamp(metav1.NewTime(o.now))
	}
	return api.Create(ctx, object, options...)
}

func (o *operator) agent() *v1alpha1.DatadogAgentInternal {
	ddai := &v1alpha1.DatadogAgentInternal{}
	require.NoError(o.t, o.api.Get(o.t.Context(), types.NamespacedName{Namespace: namespace, Name: "datadog"}, ddai))
	return ddai
}

// edit changes the DatadogAgentInternal, as the controller that owns it does.
func (o *operator) edit(change func(*v1alpha1.DatadogAgentInternal)) {
	ddai := o.agent()
	change(ddai)
	require.NoError(o.t, o.api.Update(o.t.Context(), ddai))
}

func (o *operator) list() (objects model.Objects) {
	var nodes corev1.NodeList
	var pods corev1.PodList
	var sets appsv1.DaemonSetList
	for _, list := range []client.ObjectList{&nodes, &pods, &sets} {
		require.NoError(o.t, o.api.List(o.t.Context(), list))
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

func (o *operator) Collect() (*model.Cluster, *model.Rollout, error) {
	cluster, err := model.NewCluster(o.list())
	if err != nil {
		return nil, nil, err
	}
	rollout, err := datadog.Rollout(o.agent(), o.rendered, cluster, o.option)
	o.cluster, o.nothing = cluster, rollout == nil
	if rollout == nil {
		return nil, nil, errNothing
	}
	return cluster, rollout, err
}

func (o *operator) Read(context.Context, execute.Reads) (model.Objects, error) { return o.list(), nil }

func (o *operator) Send(ctx context.Context, w *model.Write) (metav1.Object, error) {
	var object client.Object
	switch w.Object.Kind {
	case "Node":
		object = &corev1.Node{}
	case "Pod":
		object = &corev1.Pod{}
	case "DaemonSet":
		object = &appsv1.DaemonSet{}
	default:
		return nil, fmt.Errorf("a write of a %s", w.Object.Kind)
	}
	object.SetNamespace(w.Object.Namespace)
	object.SetName(w.Object.Name)
	switch {
	case w.Create != nil:
		object = w.Create.DeepCopy()
		return object, o.api.Create(ctx, object)
	case w.Patch != nil:
		body, err := w.JSONPatch()
		if err != nil {
			return nil, err
		}
		return object, o.api.Patch(ctx, object, client.RawPatch(types.JSONPatchType, body))
	}
	return nil, o.api.Delete(ctx, object, client.Preconditions{UID: &w.Object.UID})
}

func (o *operator) Report(ctx context.Context, conditions []metav1.Condition, numbers appsv1.DaemonSetStatus, _ []execute.Metric) error {
	o.numbers, o.conds = numbers, conditions
	ddai := o.agent()
	if !datadog.Status(ddai, "datadog-agent", &numbers, conditions, metav1.NewTime(o.now)) {
		return nil
	}
	return o.api.Status().Update(ctx, ddai)
}

func (o *operator) clock() time.Time { return o.now }

// run reconciles every ten seconds for so many turns, by a process that begins anew with each call.
func (o *operator) run(id string, turns int) { o.runUntil(id, turns, func() bool { return false }) }

func (o *operator) runUntil(id string, turns int, done func() bool) {
	o.t.Helper()
	r := embed.New(o, o.clock, id)
	for range turns {
		if _, err := r.Reconcile(o.t.Context()); err != nil {
			require.ErrorIs(o.t, err, errNothing)
			return
		}
		o.play()
		o.now = o.now.Add(10 * time.Second)
		if done() {
			return
		}
	}
}

// update stores an object and then its status, whatever is there.
func (o *operator) update(object, status client.Object) {
	object.SetResourceVersion("")
	status.SetResourceVersion("")
	require.NoError(o.t, o.api.Update(o.t.Context(), object))
	require.NoError(o.t, o.api.Status().Update(o.t.Context(), status))
}

// play lets everything happen that can: what the controllers and kubelets of a world do with the server's objects goes back to the server.
func (o *operator) play() {
	before := o.list()
	living := map[types.UID]bool{}
	for _, set := range before.DaemonSets {
		living[set.UID] = true
		o.observe(set)
	}
	before.Pods = o.collectGarbage(before.Pods, living)
	cluster, err := model.NewCluster(before)
	require.NoError(o.t, err)
	w, err := world.New(&model.Snapshot{Cluster: cluster}, world.Options{Behaviour: o.images})
	require.NoError(o.t, err)
	for list := w.Enabled(o.now); len(list) > 0; list = w.Enabled(o.now) {
		_, err := w.Do(o.now, list[0])
		require.NoError(o.t, err)
		require.NoError(o.t, w.Check(), "two Pods share a lock")
	}
	after, err := w.Truth(o.now, nil)
	require.NoError(o.t, err)
	o.store(before, after.Cluster)
}

// observe gives a DaemonSet whose spec was patched its next generation, which the fake server does not count.
func (o *operator) observe(set *appsv1.DaemonSet) {
	if was := o.specs[set.UID]; was != nil && !equality.Semantic.DeepEqual(was, &set.Spec) {
		set.Generation++
		require.NoError(o.t, o.api.Update(o.t.Context(), set))
	}
	o.specs[set.UID] = set.Spec.DeepCopy()
}

// collectGarbage deletes the Pods of DaemonSets that are gone.
func (o *operator) collectGarbage(pods []*corev1.Pod, living map[types.UID]bool) (left []*corev1.Pod) {
	for _, pod := range pods {
		if !living[model.ControllerUID(pod)] {
			require.NoError(o.t, o.api.Delete(o.t.Context(), pod))
			continue
		}
		left = append(left, pod)
	}
	return left
}

func (o *operator) store(before model.Objects, after *model.Cluster) {
	was := map[types.UID]*corev1.Pod{}
	for _, pod := range before.Pods {
		was[pod.UID] = pod
	}
	for _, set := range after.DaemonSets() {
		o.update(set.DeepCopy(), set.DeepCopy())
	}
	for i := range after.Len() {
		for _, pod := range after.Pods(i) {
			former := was[pod.UID]
			delete(was, pod.UID)
			switch {
			case former == nil:
				made := pod.DeepCopy() // by a world that does not know what others have named
				made.Name, made.UID, made.ResourceVersion = fmt.Sprintf("datadog-agent-%d", o.uids), "", ""
				on, _ := model.NodeOf(made)
				o.made[on+" "+made.Spec.Containers[0].Image]++
				status := made.DeepCopy()
				require.NoError(o.t, o.api.Create(o.t.Context(), made))
				status.UID = made.UID
				o.update(made, status)
			case former.ResourceVersion != pod.ResourceVersion:
				o.update(pod.DeepCopy(), pod.DeepCopy())
			}
		}
	}
	for _, pod := range was {
		require.NoError(o.t, o.api.Delete(o.t.Context(), pod))
	}
}
