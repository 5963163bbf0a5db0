package controller

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/model"
)

// right is a request that may be made; the namespace is empty for the cluster.
type right struct{ verb, group, resource, namespace string }

// documents decodes the documents of a manifest, strictly, by their kinds.
func documents(t *testing.T, file string, kinds map[string]func() any) (list []any) {
	text, err := os.ReadFile("../config/" + file)
	require.NoError(t, err)
	for _, part := range bytes.Split(text, []byte("\n---\n")) {
		var kind runtime.TypeMeta
		require.NoError(t, yaml.Unmarshal(part, &kind))
		if made := kinds[kind.Kind]; made != nil {
			object := made()
			require.NoError(t, yaml.UnmarshalStrict(part, object))
			list = append(list, object)
		}
	}
	require.NotEmpty(t, list)
	return list
}

func granted(t *testing.T) map[right]bool {
	rights := map[right]bool{}
	add := func(rules []rbacv1.PolicyRule, namespace string) {
		for _, rule := range rules {
			for _, verb := range rule.Verbs {
				for _, group := range rule.APIGroups {
					for _, resource := range rule.Resources {
						rights[right{verb, group, resource, namespace}] = true
					}
				}
			}
		}
	}
	for _, role := range documents(t, "rbac.yaml", map[string]func() any{
		"Role": func() any { return &rbacv1.Role{} }, "ClusterRole": func() any { return &rbacv1.ClusterRole{} },
	}) {
		switch role := role.(type) {
		case *rbacv1.Role:
			add(role.Rules, role.Namespace)
		case *rbacv1.ClusterRole:
			add(role.Rules, "")
		}
	}
	return rights
}

// managers are the rights that a manager uses by itself: its caches, its Events and its lease. The last one is asked for by an admission plugin.
func managers() map[right]bool {
	const own = "node-agent-rollout.example.com"
	rights := map[right]bool{
		{"list", "", "nodes", ""}: true, {"watch", "", "nodes", ""}: true,
		{"update", own, api.Plural + "/finalizers", namespace}: true,
	}
	for _, cached := range [][2]string{{"", "pods"}, {"apps", "daemonsets"}, {own, api.Plural}} {
		for _, verb := range []string{"list", "watch"} {
			rights[right{verb, cached[0], cached[1], namespace}] = true
		}
	}
	for _, verb := range []string{"get", "create", "update"} {
		rights[right{verb, "coordination.k8s.io", "leases", namespace}] = true
	}
	for _, group := range []string{"", "events.k8s.io"} {
		for _, verb := range []string{"create", "patch"} {
			rights[right{verb, group, "events", namespace}] = true
		}
	}
	return rights
}

// The manifest grants what is asked for, in whole lives of rollouts on a server with faults and a full node, and nothing else.
func TestTheRightsAreThoseThatAreUsed(t *testing.T) {
	used := managers()
	for _, strategy := range []model.Strategy{{Type: model.Pair, Overlap: model.Never}, {Type: model.Surge}, {Type: model.RollingUpdate}} {
		owner := desired("1")
		owner.Spec.Strategy = strategy
		c := start(t, 3, owner)
		full := c.list().Nodes[1] // a second agent does not fit there
		full.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("300m")
		require.NoError(t, c.server.Status().Update(t.Context(), full))
		c.bothRun = strategy.Type == model.Surge
		c.dice = rand.New(rand.NewPCG(1, 0))
		c.until("installed", c.rolledOut("1"))
		c.roll("2")
		c.until("rolled out", c.rolledOut("2"))
		require.NoError(t, c.server.Delete(t.Context(), c.rollout()))
		c.woken = true
		c.until("torn down", c.torn)
		maps.Copy(used, c.requests)
	}
	require.Equal(t, words(used), words(granted(t)))
}

func words(rights map[right]bool) (list []string) {
	for r := range rights {
		list = append(list, fmt.Sprintf("%s %s.%s in %q", r.verb, r.resource, r.group, r.namespace))
	}
	slices.Sort(list)
	return list
}

// The sample rolls out as it stands, and the Deployment is one.
func TestTheManifests(t *testing.T) {
	documents(t, "operator.yaml", map[string]func() any{"Deployment": func() any { return &appsv1.Deployment{} }})
	sample := documents(t, "sample.yaml", map[string]func() any{api.Kind: func() any { return &api.NodeAgentRollout{} }})
	owner := sample[0].(*api.NodeAgentRollout)
	owner.UID, owner.Generation = "owner", 1
	c := start(t, 3, owner)
	c.until("installed", c.rolledOut("1"))
	c.roll("2")
	c.until("rolled out", c.rolledOut("2"))
	require.Empty(t, c.errs)
}
