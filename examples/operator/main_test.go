package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
)

var kubeconfig = flag.String("plane", "", "kubeconfig of a throwaway control plane without nodes: etcd, API server with RBAC, DaemonSet and garbage-collector controllers, scheduler")

const namespace = "node-agents"

// plane is a real control plane, of which the test is the kubelets.
type plane struct {
	t     *testing.T
	admin client.Client
}

// apply creates what a manifest holds.
func (p *plane) apply(file string) {
	text, err := os.ReadFile("config/" + file)
	require.NoError(p.t, err)
	for _, part := range bytes.Split(text, []byte("\n---\n")) {
		object := &unstructured.Unstructured{}
		require.NoError(p.t, yaml.Unmarshal(part, &object.Object))
		p.until(file, func() bool {
			err = p.admin.Create(p.t.Context(), object)
			return !apierrors.IsNotFound(err) && err == nil
		})
	}
}

// until does the kubelets' part meanwhile.
func (p *plane) until(what string, done func() bool) {
	p.t.Helper()
	for end := time.Now().Add(6 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if done() {
			return
		}
		p.kubelets()
	}
	owner, _ := p.rollout()
	p.t.Fatalf("not %s: %+v", what, owner.Status)
}

// kubelets start what is bound and end what is deleted.
func (p *plane) kubelets() {
	var pods corev1.PodList
	require.NoError(p.t, p.admin.List(p.t.Context(), &pods))
	for i := range pods.Items {
		pod := &pods.Items[i]
		switch {
		case pod.Spec.NodeName == "":
		case pod.DeletionTimestamp != nil:
			_ = p.admin.Delete(p.t.Context(), pod, client.GracePeriodSeconds(0))
		case pod.Status.Phase == corev1.PodPending:
			now := metav1.Now()
			pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now})
			for _, c := range pod.Spec.Containers {
				pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
					Name: c.Name, Image: c.Image, Ready: true, Started: new(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
				})
			}
			_ = p.admin.Status().Update(p.t.Context(), pod) // another look comes
		}
	}
}

// join makes a Node that is Ready.
func (p *plane) join(name string) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	require.NoError(p.t, p.admin.Create(p.t.Context(), node))
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("20")}
	now := metav1.Now()
	node.Status.Allocatable, node.Status.Capacity = room, room
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: now, LastTransitionTime: now}}
	require.NoError(p.t, p.admin.Status().Update(p.t.Context(), node))
	require.NoError(p.t, p.admin.Get(p.t.Context(), client.ObjectKeyFromObject(node), node))
	node.Spec.Taints = nil // that of a new Node, which a kubelet's first status takes off
	require.NoError(p.t, p.admin.Update(p.t.Context(), node))
}

func (p *plane) rollout() (*api.NodeAgentRollout, error) {
	owner := &api.NodeAgentRollout{}
	return owner, p.admin.Get(p.t.Context(), client.ObjectKey{Namespace: namespace, Name: "agent"}, owner)
}

// served tells whether the rollout is at its end with that image on every node.
func (p *plane) served(image string) func() bool {
	return func() bool {
		owner, err := p.rollout()
		require.NoError(p.t, err)
		var pods corev1.PodList
		require.NoError(p.t, p.admin.List(p.t.Context(), &pods, client.InNamespace(namespace)))
		for i := range pods.Items {
			if pods.Items[i].Spec.Containers[0].Image != image {
				return false
			}
		}
		s := &owner.Status
		return len(pods.Items) == 3 && s.ObservedGeneration == owner.Generation && s.Reason == string(model.Reconciled) && s.Nodes.Updated == 3
	}
}

// The manifests, the requests and the rights are right for a real API server: the operator acts as its service account.
func TestOnARealControlPlane(t *testing.T) {
	if *kubeconfig == "" {
		t.Skip("needs -plane")
	}
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	require.NoError(t, err)
	scheme := runtime.NewScheme()
	require.NoError(t, clientgoscheme.AddToScheme(scheme))
	require.NoError(t, api.AddToScheme(scheme))
	p := &plane{t: t}
	p.admin, err = client.New(config, client.Options{Scheme: scheme})
	require.NoError(t, err)
	for _, name := range []string{"n1", "n2", "n3"} {
		p.join(name)
	}
	require.NoError(t, p.admin.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
	for _, file := range []string{"crd.yaml", "rbac.yaml", "sample.yaml"} {
		p.apply(file)
	}

	account := rest.CopyConfig(config)
	account.Impersonate.UserName = "system:serviceaccount:" + namespace + ":node-agent-rollout"
	ctx, cancel := context.WithCancel(t.Context())
	manager, err := newManager(ctx, account, namespace, ctrl.Options{
		Metrics: metricsserver.Options{BindAddress: "0"}, LeaderElection: true, LeaderElectionID: "node-agent-rollout", LeaderElectionNamespace: namespace,
	})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()

	p.until("installed", p.served("registry.example.com/agent:1"))
	owner, err := p.rollout()
	require.NoError(t, err)
	former := owner.DeepCopy()
	owner.Spec.Strategy.Canary, owner.Spec.Desired.Spec.Template.Spec.Containers[0].Image = nil, "registry.example.com/agent:2"
	require.NoError(t, p.admin.Patch(t.Context(), owner, client.MergeFrom(former)))
	p.until("rolled out", p.served("registry.example.com/agent:2"))

	var events corev1.EventList
	require.NoError(t, p.admin.List(t.Context(), &events, client.InNamespace(namespace), client.MatchingFields{"involvedObject.kind": api.Kind}))
	require.NotEmpty(t, events.Items)

	require.NoError(t, p.admin.Delete(t.Context(), owner))
	p.until("torn down", func() bool { _, err := p.rollout(); return apierrors.IsNotFound(err) })
	var nodes corev1.NodeList
	require.NoError(t, p.admin.List(t.Context(), &nodes))
	for i := range nodes.Items {
		require.True(t, equality.Semantic.DeepEqual(map[string]string{corev1.LabelHostname: nodes.Items[i].Name}, nodes.Items[i].Labels), "%v", nodes.Items[i].Labels)
		require.Empty(t, nodes.Items[i].Annotations)
	}
}
