package controller

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

const namespace = "node-agents"

func resourceOf(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind.GroupVersion().WithKind(strings.TrimSuffix(kind.Kind, "List")))
	return plural.Resource
}

func node(name string) *corev1.Node {
	made := metav1.NewTime(began.Add(-time.Hour))
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("20")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("node-" + name), CreationTimestamp: made, Labels: map[string]string{"kubernetes.io/hostname": name}},
		Status: corev1.NodeStatus{
			Allocatable: room, Capacity: room,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: made}},
		},
	}
}

func image(tag string) string { return "registry.example.com/agent:" + tag }

// desired is a NodeAgentRollout of a plain agent, which no lock protects.
func desired(tag string) *api.NodeAgentRollout {
	labels := map[string]string{"app.kubernetes.io/instance": "agent"}
	return &api.NodeAgentRollout{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "agent", UID: "owner", Generation: 1},
		Spec: model.Spec{
			Desired: &appsv1.DaemonSet{
				TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
				ObjectMeta: metav1.ObjectMeta{Name: "agent", Labels: labels},
				Spec: appsv1.DaemonSetSpec{
					Selector:       &metav1.LabelSelector{MatchLabels: labels},
					UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType},
					Template: corev1.PodTemplateSpec{
						ObjectMeta: metav1.ObjectMeta{Labels: labels},
						Spec: corev1.PodSpec{Containers: []corev1.Container{{
							Name: "agent", Image: image(tag), Command: []string{"agent"},
							Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}},
						}}},
					},
				},
			},
			Strategy: model.Strategy{Type: model.Pair, Overlap: model.Never},
		},
	}
}

func (c *cluster) roll(tag string) {
	c.edit(func(owner *api.NodeAgentRollout) {
		owner.Spec.Desired.Spec.Template.Spec.Containers[0].Image = image(tag)
	})
}

// serving tells whether every node is served by that image and no other.
func (c *cluster) serving(tag string) bool {
	objects := c.list()
	on := map[string]string{}
	for _, pod := range objects.Pods {
		if slices.ContainsFunc(pod.Status.Conditions, func(p corev1.PodCondition) bool { return p.Type == corev1.PodReady && p.Status == corev1.ConditionTrue }) {
			on[pod.Spec.NodeName] += pod.Spec.Containers[0].Image
		}
	}
	for _, node := range objects.Nodes {
		if on[node.Name] != image(tag) {
			return false
		}
	}
	return true
}

func (c *cluster) rolledOut(tag string) func() bool {
	return func() bool {
		owner := c.rollout()
		return owner.Status.ObservedGeneration == owner.Generation && owner.Status.Reason == string(model.Reconciled) && c.serving(tag)
	}
}

func installed(t *testing.T) *cluster {
	c := start(t, 3, desired("1"))
	c.until("installed", c.rolledOut("1"))
	return c
}

// tells tells whether an Event begins so.
func (c *cluster) tells(prefix string) bool {
	return slices.ContainsFunc(c.told, func(event string) bool { return strings.HasPrefix(event, prefix) })
}

// gauge is the value of a metric that the reconciler shows: the sum of all that have these values as labels.
func (c *cluster) gauge(name string, values ...string) (value float64) {
	c.t.Helper()
	registry := prometheus.NewPedanticRegistry()
	require.NoError(c.t, registry.Register(c.reconciler.Metrics))
	families, err := registry.Gather()
	require.NoError(c.t, err)
	i := slices.IndexFunc(families, func(family *dto.MetricFamily) bool { return family.GetName() == "agent_rollout_"+name })
	require.GreaterOrEqual(c.t, i, 0, name)
	for _, metric := range families[i].Metric {
		var labelled []string
		for _, label := range metric.Label {
			labelled = append(labelled, label.GetValue())
		}
		if !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(labelled, v) }) {
			value += metric.Gauge.GetValue() + metric.Counter.GetValue()
		}
	}
	return value
}

func TestAnAgentIsInstalledAndRolledOut(t *testing.T) {
	c := installed(t)
	require.Contains(t, c.rollout().Finalizers, api.Finalizer)
	c.roll("2")
	c.until("rolled out", c.rolledOut("2"))
	require.Empty(t, c.errs)
	status := c.rollout().Status
	require.Equal(t, 3, status.Nodes.Updated)
	require.Equal(t, model.PhaseSteady, status.Phase)
	require.True(t, meta.IsStatusConditionTrue(status.Conditions, model.ConditionAvailable), "%+v", status.Conditions)
	require.True(t, c.tells("Normal Reconciled Progressing is False"), c.told)
	require.Equal(t, 3.0, c.gauge("nodes_available"))
	require.Equal(t, 0.0, c.gauge("stuck"))
	require.Greater(t, c.gauge("writes_total"), 10.0)
	for node, pods := range c.made {
		require.Equal(t, 1, pods, "Pods of one image on %s", node)
	}
	// At its end it is not called for nothing.
	was := c.reconciled
	for range 30 {
		c.turn()
	}
	require.LessOrEqual(t, c.reconciled-was, 2, "%s %+v", c.next, c.rollout().Status)
}

func TestABadImageGoesBack(t *testing.T) {
	c := installed(t)
	c.images[image("2")] = world.NeverReady
	c.roll("2")
	worst := 0
	c.until("back", func() bool {
		worst = max(worst, int(c.gauge("nodes_eligible")-c.gauge("nodes_available")))
		return c.gauge("failed") == 1 && c.gauge("stuck") == 1 && c.serving("1")
	})
	require.Equal(t, 1, worst, "nodes without an agent")
	require.Equal(t, string(model.RevisionRemembered), c.rollout().Status.Reason)
	require.True(t, c.tells("Warning RevisionRememberedAsFailed Blocked is True"), c.told)
	delete(c.images, image("2"))
	c.edit(func(owner *api.NodeAgentRollout) { owner.Spec.Decision.Retry = owner.Status.Revision })
	c.until("rolled out", c.rolledOut("2"))
	require.Equal(t, 0.0, c.gauge("failed"))
}

func TestACanaryIsShown(t *testing.T) {
	c := installed(t)
	c.edit(func(owner *api.NodeAgentRollout) {
		owner.Spec.Strategy.Canary = &model.Canary{ValidationMode: model.CanaryManual}
		owner.Spec.Desired.Spec.Template.Spec.Containers[0].Image = image("2")
	})
	c.until("a canary", func() bool { return c.rollout().Status.Reason == string(model.CanaryAwaited) })
	status := c.rollout().Status
	require.Equal(t, "Running", status.CanaryState)
	require.Equal(t, 1, status.Canary.Available)
	require.Equal(t, 1.0, c.gauge("canary_active"))
	require.Equal(t, 0.0, c.gauge("canary_paused"))
	c.edit(func(owner *api.NodeAgentRollout) {
		owner.Spec.Decision = model.Decision{Revision: owner.Status.Revision, Canary: model.PromoteCanary}
	})
	c.until("rolled out", c.rolledOut("2"))
}

func TestItOptsOut(t *testing.T) {
	c := installed(t)
	c.roll("2")
	for range 12 {
		c.turn()
	}
	c.edit(func(owner *api.NodeAgentRollout) { owner.Spec.Intent = model.OptOut })
	c.until("one conventional DaemonSet", func() bool {
		sets := c.list().DaemonSets
		return c.serving("2") && len(sets) == 1 && sets[0].Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType
	})
	require.Empty(t, c.errs)
}

// A DaemonSet of nobody's is left alone until a person gives it the owner; then it is taken over.
func TestADaemonSetIsTakenOver(t *testing.T) {
	owner := desired("1")
	set := owner.Spec.Desired.DeepCopy()
	set.Namespace, set.UID, set.Generation = namespace, "set", 1
	c := start(t, 3, owner, set)
	c.play()
	require.True(t, c.serving("1"))
	for range 5 {
		c.turn()
	}
	require.Equal(t, string(model.ForeignDaemonSet), c.rollout().Status.Reason)
	require.Equal(t, 1.0, c.gauge("stuck"))
	require.True(t, c.tells("Warning ForeignDaemonSet Blocked is True"), c.told)
	there := c.list().DaemonSets[0]
	require.Empty(t, there.Annotations)
	there.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, api.GroupVersion.WithKind(api.Kind))}
	require.NoError(t, c.server.Update(t.Context(), there))
	c.until("taken over", c.rolledOut("1"))
	require.Len(t, c.list().DaemonSets, 2)
	c.roll("2")
	c.until("rolled out", c.rolledOut("2"))
}

// torn tells whether nothing is left: no object, no DaemonSet, no Pod, and no mark on a node.
func (c *cluster) torn() bool {
	objects := c.list()
	for _, node := range objects.Nodes {
		if len(node.Annotations) > 0 || len(node.Labels) > 1 {
			return false
		}
	}
	return c.rollout() == nil && len(objects.DaemonSets)+len(objects.Pods) == 0
}

func TestItsDeletionTearsItDown(t *testing.T) {
	c := installed(t)
	c.roll("2")
	for range 12 {
		c.turn()
	}
	c.edit(func(owner *api.NodeAgentRollout) { owner.Spec.Strategy.Canary = &model.Canary{ValidationMode: "never"} }) // a fault that no schema has refused
	require.NoError(t, c.server.Delete(t.Context(), c.rollout()))
	c.woken = true
	c.until("torn down", c.torn)
	require.Empty(t, c.errs)
	c.woken = true
	c.turn() // the last event of it
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(c.reconciler.Metrics))
	families, err := registry.Gather()
	require.NoError(t, err)
	require.Empty(t, families)
}

// A malformed document is told once, and not tried again before it changes; the agents serve on.
func TestAMalformedDocumentIsTold(t *testing.T) {
	c := installed(t)
	c.edit(func(owner *api.NodeAgentRollout) { owner.Spec.DesiredFrom = &model.DesiredFrom{Name: "agent"} })
	c.turn()
	status := c.rollout().Status
	require.Equal(t, DocumentInvalid, status.Reason)
	require.Contains(t, status.Message, "spec.desiredFrom")
	require.True(t, c.tells("Warning DocumentInvalid Blocked is True"), c.told)
	require.Len(t, c.errs, 1)
	was := c.reconciled
	for range 5 {
		c.turn()
	}
	require.Equal(t, was, c.reconciled)
	require.True(t, c.serving("1"))
	c.edit(func(owner *api.NodeAgentRollout) { owner.Spec.DesiredFrom = nil })
	c.roll("2")
	c.until("rolled out", c.rolledOut("2"))
}

// A process dies before any of its reconciles, and another takes over: before each one of them in turn, and again and again.
func TestARestartBeforeAnyReconcile(t *testing.T) {
	rollout := func(dies func(k int) bool) (reconciles int) {
		c := start(t, 2, desired("1"))
		c.until("installed", c.rolledOut("1"))
		c.roll("2")
		before := c.reconciled
		at := before - 1
		c.until("rolled out", func() bool {
			if c.reconciled > at {
				if at = c.reconciled; dies(at - before) {
					c.restart()
				}
			}
			return c.rolledOut("2")()
		})
		require.Empty(t, c.errs)
		for node, pods := range c.made {
			require.Equal(t, 1, pods, "Pods of one image on %s", node)
		}
		return c.reconciled - before
	}
	whole := rollout(func(int) bool { return false })
	require.Greater(t, whole, 8)
	for k := range whole {
		rollout(func(done int) bool { return done == k })
	}
	rollout(func(done int) bool { return done%12 == 11 })
}

// One request of ten fails, in any way, and every third time the caches stay behind.
func TestFaultsOfTheServer(t *testing.T) {
	faults, writes := map[string]int{}, map[string]float64{}
	for seed := range uint64(16) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			c := start(t, 3, desired("1"))
			c.dice, c.faults = rand.New(rand.NewPCG(seed, 0)), faults
			c.until("installed", c.rolledOut("1"))
			c.roll("2")
			c.until("rolled out", c.rolledOut("2"))
			for _, result := range []string{"applied", "refused", "unknown"} {
				writes[result] += c.gauge("writes_total", result)
			}
			c.restart()
			require.NoError(t, c.server.Delete(t.Context(), c.rollout()))
			c.woken = true
			c.until("torn down", c.torn)
		})
	}
	for _, kind := range []string{"conflict", "server error", "lost answer"} {
		require.Greater(t, faults[kind], 5, kind)
	}
	t.Log(faults, writes)
	require.Greater(t, writes["applied"], 200.0)
	require.Greater(t, writes["refused"], 5.0)
	require.Greater(t, writes["unknown"], 5.0)
}
