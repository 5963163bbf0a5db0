package snapshots_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

const imagesToChange = `    images:
      init-volume: gcr.io/datadoghq/agent:7.81.1
      init-config: gcr.io/datadoghq/agent:7.81.1
      seccomp-setup: gcr.io/datadoghq/agent:7.81.1
      agent: gcr.io/datadoghq/agent:7.81.1
      trace-agent: gcr.io/datadoghq/agent:7.81.1
      process-agent: gcr.io/datadoghq/agent:7.81.1
      system-probe: gcr.io/datadoghq/agent:7.81.1
`

// imagesOfSmall are those of the variant with two components.
const imagesOfSmall = `    images:
      init-volume: gcr.io/datadoghq/agent:7.81.1
      init-config: gcr.io/datadoghq/agent:7.81.1
      agent: gcr.io/datadoghq/agent:7.81.1
      trace-agent: gcr.io/datadoghq/agent:7.81.1
`

// greenEnv keeps the command ports of two Agents on one network apart.
const greenEnv = `  slots:
    green:
      env: # two Agents share the node's network or process space: the second one needs a command port of its own
      - {name: DD_CMD_PORT, value: "5002"}
`

const conventionalDocument = `# One conventional DaemonSet, as it is before anything of this project has touched it. Its Pods run on the
# node's network (hostNetwork), so the ports that they declare are host ports: two of them never fit on one node. The
# first plans install the lock wrapper by one conventional rollout of the images that run already, drop those
# declarations, arm the pair, and only then begin with 7.81.1.
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata:
  namespace: datadog
  name: datadog # the DatadogAgent that owns the DaemonSet; its uid is read from there
spec:
  desiredFrom: # the deployed DaemonSet with other images
    name: datadog-agent
` + imagesToChange + `  strategy:
    maxUnavailable: 1
` + greenEnv + `status:
  observedAt: "2026-11-30T09:00:00Z"
`

func playConventional(t *testing.T, document *model.Rollout) *stage {
	s := newStage(t, document, onHostNetwork(agent()), workers(3))
	s.now = now
	return s
}

func checkConventional(t *testing.T, s *model.Snapshot, p *model.Plan) {
	require.Equal(t, model.PhaseArming, p.Phase)
	require.Len(t, s.Cluster.DaemonSets(), 1)
	require.Equal(t, 3, p.Ledger.Available)
}

const twoWorkersDocument = `# The smallest armed pair: two workers served by blue, green waits with the same template. 7.81.1 is to follow.
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata:
  namespace: datadog
  name: datadog # the DatadogAgent that owns both DaemonSets; its uid is read from there
spec:
  desiredFrom: # the deployed DaemonSet with other images
    name: datadog-agent
` + imagesToChange + `  strategy:
    maxUnavailable: 1 # nodes without a working Agent at any time
` + greenEnv + `status:
  observedAt: "2026-11-30T09:00:00Z"
`

func playTwoWorkers(t *testing.T, document *model.Rollout) *stage {
	return newStage(t, document, agent(), workers(2)).arm()
}

func checkTwoWorkers(t *testing.T, s *model.Snapshot, p *model.Plan) {
	require.Len(t, s.Cluster.DaemonSets(), 2)
	require.Equal(t, model.PhasePreparing, p.Phase)
	require.Equal(t, model.Blue, p.Pair.Active)
	require.Equal(t, 2, p.Ledger.Available)
	require.NotEmpty(t, p.Actions)
}

const threeZonesDocument = `# An armed pair on twelve nodes in three zones, not all of them well:
#   worker-a-2  is so full of other workloads that a second Agent does not fit beside the first, but fits in its place
#   worker-b-3  is not Ready
#   worker-c-4  is cordoned, which a DaemonSet's Pods tolerate
# The Agent is a small one, with two containers. The node that is not Ready would spend the whole budget; exemptUnhealthy lets the other eleven go on.
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata:
  namespace: datadog
  name: datadog
spec:
  desiredFrom:
    name: datadog-agent
` + imagesOfSmall + `  strategy:
    maxUnavailable: 1
    spreadBy: [topology.kubernetes.io/zone] # zones take turns
    exemptUnhealthy: 1
` + greenEnv + `status:
  observedAt: "2026-11-30T09:00:00Z"
`

func playThreeZones(t *testing.T, document *model.Rollout) *stage {
	var nodes []*corev1.Node
	var others []*corev1.Pod
	for _, zone := range []string{"a", "b", "c"} {
		for i := 1; i <= 4; i++ {
			name := fmt.Sprintf("worker-%s-%d", zone, i)
			nodes = append(nodes, worker(name, zone))
			cpu := "500m"
			if name == "worker-a-2" {
				cpu = "3400m" // of 3920m; an Agent asks for 300m
			}
			if zone != "a" {
				continue
			}
			others = append(others, tenant(fmt.Sprintf("checkout-6b7f4d9c85-%s%d", zone, i), name, cpu, "512Mi"))
		}
	}
	s := newStage(t, document, small(agent()), nodes, others...).arm()
	s.now = now.Add(-time.Hour)
	s.do(world.Transition{Kind: world.BreakNode, Node: "worker-b-3"})
	s.do(world.Transition{Kind: world.CordonNode, Node: "worker-c-4"})
	s.settle()
	s.now = now
	return s
}

func checkThreeZones(t *testing.T, s *model.Snapshot, p *model.Plan) {
	require.Equal(t, 12, p.Ledger.Eligible)
	require.Equal(t, 11, p.Ledger.Available)
	require.Equal(t, 1, p.Ledger.Ambient)
	require.Equal(t, 1, p.Ledger.Exempt)
	require.NotEmpty(t, p.Actions)
	i, ok := s.Cluster.Find("worker-c-4")
	require.True(t, ok)
	require.True(t, s.Cluster.Node(i).Spec.Unschedulable)

	full, ok := s.Cluster.Find("worker-a-2")
	require.True(t, ok)
	free, agent := s.Cluster.Node(full).Status.Allocatable.Cpu().MilliValue(), int64(0)
	for _, pod := range s.Cluster.Pods(full) {
		asked := int64(0)
		for c := range pod.Spec.Containers {
			asked += pod.Spec.Containers[c].Resources.Requests.Cpu().MilliValue()
		}
		if pod.Namespace == namespace {
			agent = asked
		}
		free -= asked
	}
	require.Less(t, free, agent, "a second Agent must not fit beside the first")
	require.GreaterOrEqual(t, free, int64(0), "and must fit in its place")
	require.Positive(t, agent)
}

const halfWayDocument = `# A rollout caught half way: blue (7.80.0) is the source, green (7.81.1) the recorded target. Some nodes are handed
# over, and the last of them was labelled a moment ago: its blue Pod is still there. Others are in overlap: the green Pod
# is prepared, holds no lock yet, and is recorded as the candidate.
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata:
  namespace: datadog
  name: datadog
spec:
  desiredFrom:
    name: datadog-agent
` + imagesOfSmall + `  strategy:
    maxUnavailable: 1
    maxSurge: 2 # nodes in overlap
` + greenEnv + `status:
  observedAt: "2026-11-30T09:03:35Z"
`

func playHalfWay(t *testing.T, document *model.Rollout) *stage {
	s := newStage(t, document, small(agent()), workers(6)).arm()
	key := model.NewKeys("", namespace, "datadog")
	s.advance(func(p *model.Plan) bool {
		candidates := 0
		cluster := s.snapshot().Cluster
		for i := range cluster.Len() {
			if _, ok := cluster.Node(i).Annotations[key.NodeCandidate]; ok {
				candidates++
			}
		}
		return p.Pair.OnTarget >= 2 && p.Ledger.Committed == 0 && candidates > 0
	})
	return s
}

func checkHalfWay(t *testing.T, _ *model.Snapshot, p *model.Plan) {
	require.Equal(t, model.PhaseAdvancing, p.Phase)
	require.Equal(t, model.Green, p.Pair.Target)
	require.GreaterOrEqual(t, p.Pair.OnTarget, 2)
	require.Positive(t, p.Pair.InOverlap)
	require.Positive(t, p.Pair.OnSource)
	require.True(t, p.Pair.Proven)
}
