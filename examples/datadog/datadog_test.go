package datadog_test

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/DataDog/datadog-operator/api/datadoghq/common"
	"github.com/DataDog/datadog-operator/api/datadoghq/v1alpha1"
	"github.com/DataDog/datadog-operator/api/datadoghq/v2alpha1"
	"github.com/agent-rollout/planner/examples/datadog"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	errNothing = errors.New("nothing of this agent is a rollout's")
	mode       = keys.Mode
	keys       = model.NewKeys("", namespace, "datadog")
)

func node(name string, made time.Time) *corev1.Node {
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("20")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID("node-" + name), CreationTimestamp: metav1.NewTime(made),
			Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
		},
		Status: corev1.NodeStatus{
			Allocatable: room, Capacity: room,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(made)}},
		},
	}
}

// asking is a DatadogAgentInternal with that mode; "" asks for no rollout.
func asking(value string) *v1alpha1.DatadogAgentInternal {
	ddai := &v1alpha1.DatadogAgentInternal{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "datadog", UID: "ddai", Annotations: map[string]string{}}}
	if value != "" {
		ddai.Annotations[mode] = value
	}
	return ddai
}

// render stands for the operator's rendering.
func render(tag string) *appsv1.DaemonSet {
	yes, labels := true, map[string]string{"app.kubernetes.io/instance": "datadog-agent", "agent.datadoghq.com/component": "agent"}
	container := func(name string, command ...string) corev1.Container {
		return corev1.Container{
			Name: name, Image: "registry.datadoghq.com/agent:" + tag, Command: command,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m")}},
		}
	}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: "datadog-agent", Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "datadoghq.com/v1alpha1", Kind: "DatadogAgentInternal", Name: "datadog", UID: "ddai", Controller: &yes}},
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: maps.Clone(labels)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: maps.Clone(labels)},
				Spec: corev1.PodSpec{
					HostPID: true, NodeSelector: map[string]string{"kubernetes.io/os": "linux"},
					Containers: []corev1.Container{container("agent", "agent", "run"), container("trace-agent", "trace-agent")},
				},
			},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType},
		},
	}
}

// images are what serves, by node.
func (o *operator) serving() map[string]string {
	images := map[string]string{}
	for _, pod := range o.list().Pods {
		ready := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
		if ready {
			images[pod.Spec.NodeName] += pod.Spec.Containers[0].Image
		}
	}
	return images
}

func (o *operator) serves(tag string) {
	o.t.Helper()
	image := "registry.datadoghq.com/agent:" + tag
	require.Equal(o.t, map[string]string{"n1": image, "n2": image, "n3": image}, o.serving(), "%+v", o.conds)
}

func (o *operator) sets() (names []string) {
	for _, set := range o.list().DaemonSets {
		names = append(names, set.Name)
	}
	return names
}

func installed(t *testing.T, tag string) *operator {
	o := start(t, 3, asking(model.ModePair))
	o.rendered = render(tag)
	o.run("install", 30)
	o.serves(tag)
	require.Equal(t, []string{"datadog-agent", "datadog-agent-green"}, o.sets(), "%+v", o.conds)
	return o
}

func TestAnAgentIsInstalledAndRolledOut(t *testing.T) {
	o := installed(t, "7.80.0")
	o.rendered = render("7.81.0")
	o.run("one", 4)
	o.run("two", 80) // another process takes over
	o.serves("7.81.0")
	status := o.agent().Status
	require.Equal(t, "Running (3/3/3)", status.Agent.Status)
	require.True(t, meta.IsStatusConditionTrue(status.Conditions, "AgentRolloutAvailable"), "%+v", status.Conditions)
	require.False(t, meta.IsStatusConditionTrue(status.Conditions, "AgentRolloutDegraded"), "%+v", status.Conditions)
}

func TestAConventionalAgentIsTakenOver(t *testing.T) {
	o := start(t, 3, asking(""))
	set := render("7.80.0")
	require.NoError(t, o.api.Create(t.Context(), set))
	o.play()
	o.serves("7.80.0")
	o.rendered = render("7.80.0")
	o.run("off", 1)
	require.True(t, o.nothing, "nobody has asked for a rollout")
	o.edit(func(ddai *v1alpha1.DatadogAgentInternal) { ddai.Annotations = map[string]string{mode: model.ModePair} })
	o.run("on", 80)
	require.Equal(t, []string{"datadog-agent", "datadog-agent-green"}, o.sets())
	o.rendered = render("7.81.0")
	o.run("roll", 80)
	o.serves("7.81.0")
}

func TestABadImageGoesBack(t *testing.T) {
	o := installed(t, "7.80.0")
	o.images["registry.datadoghq.com/agent:7.81.0"] = world.NeverReady
	o.rendered = render("7.81.0")
	o.run("bad", 160)
	o.serves("7.80.0")
	require.Equal(t, "Failed (3/3/0)", o.agent().Status.Agent.Status, "%+v", o.conds)
	require.True(t, meta.IsStatusConditionTrue(o.agent().Status.Conditions, "AgentRolloutDegraded"))
}

func TestItOptsOut(t *testing.T) {
	o := installed(t, "7.80.0")
	o.rendered = render("7.81.0")
	o.run("half", 12)
	o.edit(func(ddai *v1alpha1.DatadogAgentInternal) { delete(ddai.Annotations, mode) })
	o.run("leave", 160)
	o.serves("7.81.0")
	require.Equal(t, []string{"datadog-agent"}, o.sets())
	require.True(t, o.nothing, "the DaemonSet is the operator's own again")
}

// Where the second Pod does not fit beside the first, the first goes before.
func TestAFullNodeGoesWithoutOverlap(t *testing.T) {
	o := installed(t, "7.80.0")
	full := o.list().Nodes[1]
	full.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("600m")
	require.NoError(t, o.api.Status().Update(t.Context(), full))
	o.rendered = render("7.81.0")
	o.run("roll", 120)
	o.serves("7.81.0")
}

// A pair that another operator leaves in the middle of a rollout is taken over: its revisions are sums of another kind, and nothing rolls twice.
func TestAPairIsTakenOver(t *testing.T) {
	o := installed(t, "7.80.0")
	o.rendered = render("7.81.0")
	o.runUntil("before", 80, func() bool {
		return slices.Contains(slices.Collect(maps.Values(o.serving())), "registry.datadoghq.com/agent:7.81.0")
	})
	require.Len(t, slices.Compact(slices.Sorted(maps.Values(o.serving()))), 2, "in the middle of a rollout")
	sums := map[string]string{"": ""}
	inherit := func(annotations map[string]string) {
		for _, key := range []string{keys.Revision, keys.TargetRevision} {
			if revision := annotations[key]; revision != "" {
				sum := md5.Sum([]byte(revision))
				sums[revision] = hex.EncodeToString(sum[:])
				annotations[key] = sums[revision]
			}
		}
		for _, key := range []string{keys.State, keys.Edited, keys.Written} {
			delete(annotations, key)
		}
	}
	objects := o.list()
	for _, set := range objects.DaemonSets {
		inherit(set.Annotations)
		inherit(set.Spec.Template.Annotations)
		require.NoError(t, o.api.Update(t.Context(), set))
		o.specs[set.UID] = set.Spec.DeepCopy()
	}
	for _, pod := range objects.Pods {
		inherit(pod.Annotations)
		require.NoError(t, o.api.Update(t.Context(), pod))
	}
	require.Len(t, sums, 3, "the revision before and the one after")
	o.run("after", 120)
	o.serves("7.81.0")
	for node, pods := range o.made {
		require.Equal(t, 1, pods, "Pods of one image on %s", node)
	}
}

// What goes is told by the owner alone: the operator renders nothing any more.
func TestItGoes(t *testing.T) {
	o := installed(t, "7.80.0")
	o.rendered = nil
	o.run("away", 40)
	require.Empty(t, o.sets())
	require.Empty(t, o.serving())
	require.True(t, o.nothing)
}

func TestAConventionalAgentIsLeftToItsOwner(t *testing.T) {
	o := start(t, 3, asking(model.ModePair))
	require.NoError(t, o.api.Create(t.Context(), render("7.80.0")))
	o.play()
	o.run("away", 3)
	require.True(t, o.nothing)
	require.Equal(t, []string{"datadog-agent"}, o.sets())
	o.serves("7.80.0")
}

func TestRollout(t *testing.T) {
	number := func(n int32) *intstr.IntOrString { v := intstr.FromInt32(n); return &v }
	override := asking(model.ModeSurgePrepared)
	override.Spec.Override = map[v2alpha1.ComponentName]*v2alpha1.DatadogAgentComponentOverride{
		v2alpha1.NodeAgentComponentName: {UpdateStrategy: &common.UpdateStrategy{RollingUpdate: &common.RollingUpdate{MaxUnavailable: number(5)}}},
	}
	cleaning := asking(model.ModePair)
	cleaning.Annotations[keys.Cleanup] = model.MarkPair
	for _, test := range []struct {
		name   string
		ddai   *v1alpha1.DatadogAgentInternal
		option *intstr.IntOrString
		want   model.Strategy
	}{
		{"the planner's own default", asking(model.ModePair), nil, model.Strategy{Type: model.Pair, Overlap: model.Locked}},
		{"the operator's option", asking(model.ModePair), number(3), model.Strategy{Type: model.Pair, Overlap: model.Locked, MaxUnavailable: number(3)}},
		{"the override", override, number(3), model.Strategy{Type: model.Surge, Overlap: model.Locked, MaxUnavailable: number(5)}},
		{"a teardown under way", cleaning, nil, model.Strategy{Type: model.Pair, Overlap: model.Locked}},
	} {
		cluster, err := model.NewCluster(model.Objects{})
		require.NoError(t, err)
		r, err := datadog.Rollout(test.ddai, render("7.80.0"), cluster, test.option)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, r.Spec.Strategy, test.name)
		require.Equal(t, test.ddai.Annotations, r.Metadata.Annotations, "%s: the planner honours what stands on the owner", test.name)
		require.Empty(t, r.Metadata.Kind, "%s: and writes nothing there", test.name)
		r.Status.ObservedAt = metav1.Now() // of the embedding
		require.Empty(t, r.WithDefaults().Validate(), test.name)
	}
	_, err := datadog.Rollout(asking("blue-green"), render("7.80.0"), &model.Cluster{}, nil)
	require.ErrorContains(t, err, `"blue-green" is neither`)
}
