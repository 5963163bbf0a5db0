package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Case 18: what the prepared pair is for. Its parts b and d stand with cases 6 and 2.
func TestCase18PreparedPair(t *testing.T) {
	t.Run("a: one conventional rollout first, with the images that run", func(t *testing.T) {
		deployed := conventional("1")
		deployed.UID, deployed.ResourceVersion, deployed.Generation = "uid-agent", "1", 1
		rollout := rolloutOf("2")
		l := newLab(t, workers(3), rollout, deployed)
		l.settle()
		l.now = l.now.Add(time.Minute)
		p := l.step()
		require.Len(t, p.Actions, 1)
		require.Equal(t, model.WrapperInstalled, p.Actions[0].Reason)
		spec := p.Actions[0].Write.Patch.Spec
		require.Equal(t, "agent:1", spec.Template.Spec.Containers[0].Image, "not the new image: it would run beside no lock")
		require.Equal(t, appsv1.RollingUpdateDaemonSetStrategyType, spec.UpdateStrategy.Type)
		require.Equal(t, "0", spec.UpdateStrategy.RollingUpdate.MaxSurge.String())
		// While one Pod is unwrapped nothing overlaps and green does not exist.
		for range 3 {
			p = l.step()
			for i := range p.Actions {
				require.NotContains(t, []model.ActionKind{model.SetNodeSlot, model.CreateSlot}, p.Actions[i].Kind)
			}
		}
	})
	for _, test := range []struct{ nodes, budget int }{{5, 1}, {5, 2}, {5, 5}, {3, 4}} {
		t.Run(fmt.Sprintf("c: %d prepared nodes, a budget of %d", test.nodes, test.budget), func(t *testing.T) {
			p := prepared(t, workers(test.nodes), count(test.budget)).plan()
			require.Len(t, paid(p), min(test.nodes, test.budget))
			for i := range p.Actions {
				require.Equal(t, model.HandoffPrepared, p.Actions[i].Reason)
			}
		})
	}
	// The wrapper keeps the startup probe failing, so a waiting Pod is neither started nor Ready. Being Ready is not what a
	// handoff is waiting for, and a Pod that is not all running is not prepared.
	for _, test := range []struct {
		name   string
		change func(*moment, *corev1.Pod)
		want   model.Reason
	}{
		{"one container does not run", func(_ *moment, pod *corev1.Pod) {
			pod.Status.ContainerStatuses[1].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CreateContainerError"}}
		}, model.TargetPreparing},
		{"one container has no status yet", func(_ *moment, pod *corev1.Pod) { pod.Status.ContainerStatuses = pod.Status.ContainerStatuses[:1] }, model.TargetPreparing},
		{"it is not Running", func(_ *moment, pod *corev1.Pod) { pod.Status.Phase = corev1.PodPending }, model.TargetPreparing},
		{"it is being deleted", func(s *moment, pod *corev1.Pod) { terminating(s.now)(pod) }, model.TargetExiting},
		{"it has failed", func(_ *moment, pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed }, model.TargetCreating},
		{"it is gone", func(s *moment, pod *corev1.Pod) { s.drop(pod) }, model.TargetCreating},
		{"it has another revision", func(s *moment, pod *corev1.Pod) { pod.Annotations[s.keys.Revision] = "another" }, model.StaleRevision},
		{"another Pod was recorded", func(s *moment, pod *corev1.Pod) { pod.UID = "another" }, model.CandidatePrepared},
		{"it belongs to nobody", func(_ *moment, pod *corev1.Pod) { pod.OwnerReferences = nil }, model.TargetCreating},
		{"its node is down", func(s *moment, _ *corev1.Pod) { nodeDown(s.node("n1")) }, model.NodeNotReady},
	} {
		t.Run("c: not prepared when "+test.name, func(t *testing.T) {
			s := prepared(t, workers(1), count(1))
			test.change(s, s.pod("n1", model.Green))
			p := s.plan()
			require.Empty(t, taken(p))
			require.Equal(t, test.want, reportOf(t, p, "n1").Reason)
		})
	}
	t.Run("e: host ports and the command port", func(t *testing.T) {
		rollout := rolloutOf("1")
		spec := &rollout.Spec.Desired.Spec.Template.Spec
		spec.HostNetwork = true
		spec.Containers[0].Ports = []corev1.ContainerPort{{Name: "dogstatsd", ContainerPort: 8125, HostPort: 8125}}
		rendering, err := plan.Render(newLab(t, workers(1), rolloutOf("1")).withRollout(rollout))
		require.NoError(t, err)
		for _, set := range []*appsv1.DaemonSet{rendering.Blue, rendering.Green} {
			require.Empty(t, set.Spec.Template.Spec.Containers[0].Ports, "a declared port keeps the second Pod from being scheduled")
		}
		require.Equal(t, int32(8125), rendering.Conventional.Spec.Template.Spec.Containers[0].Ports[0].HostPort)
		port := func(set *appsv1.DaemonSet) (values []string) {
			for _, env := range set.Spec.Template.Spec.Containers[0].Env {
				if env.Name == "DD_CMD_PORT" {
					values = append(values, env.Value)
				}
			}
			return values
		}
		require.Empty(t, port(rendering.Blue))
		require.Equal(t, []string{"5002"}, port(rendering.Green))
	})
}

// Case 20: two DaemonSets whose selectors match each other's Pods. A Pod belongs to its controller, by UID: the other's
// are no duplicates, and what has no owner is left alone. Nothing goes on beside a DaemonSet that is there; the Pods of one that is gone are
// waited for, node by node.
func TestCase20PodsBelongToTheirController(t *testing.T) {
	yes := true
	controller := func(name string, uid types.UID) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: name, UID: uid, Controller: &yes}}
	}
	s := prepared(t, workers(2), count(1))
	strangers := map[types.UID]bool{}
	for name, owners := range map[string][]metav1.OwnerReference{
		"orphan": nil, "former": controller("agent-green", "uid-of-a-former-one"),
		"claimed": {{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent", UID: s.set(model.Blue).UID}},
	} {
		pod := s.pod("n1", model.Blue).DeepCopy()
		pod.Name, pod.UID, pod.OwnerReferences = name+"-n1", types.UID(name), owners
		strangers[pod.UID] = true
		s.objects.Pods = append(s.objects.Pods, pod)
	}
	p := s.plan()
	for i := range p.Actions {
		require.False(t, strangers[p.Actions[i].Write.Object.UID], "%s %s", p.Actions[i].Kind, p.Actions[i].Write.Object)
	}
	require.Equal(t, []string{"n2"}, paid(p), "the other node goes on")
	require.Equal(t, model.WaitingForPodsToEnd, reportOf(t, p, "n1").Reason)
	require.Contains(t, reportOf(t, p, "n1").Detail, "Pod former-n1 of a former DaemonSet (UID uid-of-a-former-one)")

	// And a foreign Ready Pod is no agent: the node whose own Pod is gone is not available.
	s.drop(s.pod("n1", model.Blue))
	p = s.plan()
	require.Equal(t, 1, p.Ledger.Ambient)
	require.Empty(t, taken(p), "n1 has no agent, and n2 would be a second")

	other := conventional("7")
	other.Name, other.UID, other.ResourceVersion, other.Generation = "twin", "uid-twin", "1", 1
	s.objects.DaemonSets = append(s.objects.DaemonSets, other)
	p = s.plan()
	require.Empty(t, p.Actions)
	require.Equal(t, string(model.ForeignDaemonSet), p.Blocked().Reason)
	require.Contains(t, p.Blocked().Message, "datadog/twin")
}

// Case 23: which node is a Pending Pod for. The DaemonSet controller fixes it by the required node affinity; whatever does
// not fix exactly one name is not known, and nothing is done about it.
func TestCase23TheNodeOfAPendingPod(t *testing.T) {
	field := func(operator corev1.NodeSelectorOperator, names ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: operator, Values: names}
	}
	term := func(fields ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchFields: fields}
	}
	const in, notIn = corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn
	for _, test := range []struct {
		name  string
		terms []corev1.NodeSelectorTerm
		want  string // empty: unknown
	}{
		{"one name", []corev1.NodeSelectorTerm{term(field(in, "n1"))}, "n1"},
		{"the same name in every term", []corev1.NodeSelectorTerm{term(field(in, "n1")), term(field(in, "n1"))}, "n1"},
		{"two names", []corev1.NodeSelectorTerm{term(field(in, "n1", "n2"))}, ""},
		{"no name", []corev1.NodeSelectorTerm{term(field(in))}, ""},
		{"two terms, two names", []corev1.NodeSelectorTerm{term(field(in, "n1")), term(field(in, "n2"))}, ""},
		{"two names in one term", []corev1.NodeSelectorTerm{term(field(in, "n1"), field(in, "n2"))}, ""},
		{"a term without a name", []corev1.NodeSelectorTerm{term(field(in, "n1")), {}}, ""},
		{"every name but one", []corev1.NodeSelectorTerm{term(field(notIn, "n1"))}, ""},
		{"no terms", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepared(t, workers(2), count(1))
			pod := s.pod("n1", model.Green)
			pinTo(pod)
			pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = test.terms
			unschedulable("0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.")(pod)

			node, ok := model.NodeOf(pod)
			require.Equal(t, test.want, node)
			require.Equal(t, test.want != "", ok)

			// The Pod of an unknown node is no reason for anything: n1 waits for one that is its own.
			p := s.plan()
			require.NotContains(t, taken(p), "n1")
			require.False(t, slices.ContainsFunc(p.Actions, func(a model.Action) bool { return a.Kind == model.DeletePod }))
			want := model.TargetCreating
			if test.want != "" {
				want = model.TargetScheduling
			}
			require.Equal(t, want, reportOf(t, p, "n1").Reason)
		})
	}
}

// Case 41: an OnDelete DaemonSet counts few or no updated Pods for ever. The pair is judged by its nodes.
func TestCase41StatusOfOnDelete(t *testing.T) {
	l := newLab(t, workers(5), rolloutOf("1"))
	l.run()
	l.desire("2")
	l.run()
	t.Run("all counts are fine, and one node's Pod is not ready", func(t *testing.T) {
		s := momentOf(l)
		s.now = s.now.Add(time.Hour)
		unready(s.now)(s.pod("n3", model.Green))
		p := s.plan()
		require.Equal(t, 4, p.Pair.Updated)
		require.Equal(t, budget.Ledger{Eligible: 5, Available: 4, Ambient: 1}, p.Ledger)
		require.Equal(t, model.SourceNotStarting, reportOf(t, p, "n3").Reason, "after the deadline the wait is over")
		require.Equal(t, metav1.ConditionTrue, p.Condition(model.ConditionDegraded).Status)
		require.False(t, p.Complete())
	})
	for _, test := range []struct {
		name   string
		change func(*moment)
		steady bool
	}{
		{"no updated Pods in either status", func(s *moment) {
			for _, slot := range model.Slots() {
				status := &s.set(slot).Status
				status.UpdatedNumberScheduled, status.NumberAvailable, status.NumberUnavailable = 0, 0, 5
			}
		}, true},
		{"the inactive slot has no Pods at all", func(s *moment) { s.set(model.Blue).Status.DesiredNumberScheduled = 0 }, true},
		{"all counts are fine, and one node is with the other slot", func(s *moment) {
			pod := s.pod("n3", model.Green)
			s.node("n3").Labels[s.keys.NodeSlot] = "blue"
			s.drop(pod)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := momentOf(l)
			test.change(s)
			p := s.plan()
			require.Equal(t, test.steady, p.Complete())
			if test.steady {
				require.Equal(t, 5, p.Pair.Updated)
				require.Equal(t, budget.Ledger{Eligible: 5, Available: 5}, p.Ledger)
			} else {
				require.Equal(t, 1, p.Ledger.Unavailable())
			}
		})
	}
}

// Case 52: what was prepared before its container restarted is not prepared. The process that waited is gone.
func TestCase52RestartedSinceItWaited(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(now, began time.Time, status *corev1.ContainerStatus)
		want   model.Reason
	}{
		{"no restart", func(time.Time, time.Time, *corev1.ContainerStatus) {}, model.HandoffPrepared},
		{"a restart after it began to wait", func(now, _ time.Time, status *corev1.ContainerStatus) { ended(status, now.Add(-time.Second)) }, model.WaitingRestarted},
		{"a restart at a time unknown", func(_, _ time.Time, status *corev1.ContainerStatus) { status.RestartCount = 1 }, model.WaitingRestarted},
		{"a restart before it began to wait", func(_, began time.Time, status *corev1.ContainerStatus) { ended(status, began.Add(-time.Second)) }, model.HandoffPrepared},
	} {
		for container := range 2 {
			t.Run(fmt.Sprintf("%s, container %d", test.name, container), func(t *testing.T) {
				s := prepared(t, workers(1), count(1))
				s.now = s.now.Add(time.Minute)
				pod := s.pod("n1", model.Green)
				began := model.ParseMoved(s.node("n1").Annotations[s.keys.NodeMoved]).At
				if pod.CreationTimestamp.After(began) {
					began = pod.CreationTimestamp.Time
				}
				test.change(s.now, began, &pod.Status.ContainerStatuses[container])
				p := s.plan()
				require.Equal(t, test.want, reportOf(t, p, "n1").Reason)
				require.Equal(t, test.want == model.HandoffPrepared, len(taken(p)) == 1)
				if test.want == model.WaitingRestarted {
					require.Equal(t, pod.UID, p.Actions[0].Write.Object.UID)
				}
			})
		}
	}
}

func ended(status *corev1.ContainerStatus, at time.Time) {
	status.RestartCount = 1
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(at)}
}

// Case 53: host locks. A lock can outlive its Pod object, two kinds of lock may not see each other, and a restarted holder
// can lose to the waiter.
func TestCase53HostLocks(t *testing.T) {
	t.Run("a: the Pod is gone and a child holds on", func(t *testing.T) {
		s := prepared(t, workers(3), count(1))
		s.handedOff("n1", time.Minute) // the source is gone; the target still waits
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, model.Committed, reportOf(t, p, "n1").Blame)
	})
	// The running generation was made with other locks than the next one: nothing keeps the two apart.
	for _, test := range []struct {
		name, says string
		change     func(*corev1.PodSpec)
	}{
		{"the same locks", "", func(*corev1.PodSpec) {}},
		{"another kind of lock", "flock", func(spec *corev1.PodSpec) {
			text, err := json.Marshal(spec)
			require.NoError(t, err)
			*spec = corev1.PodSpec{}
			require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(string(text), "s6-setlock", "flock")), spec))
		}},
		{"another directory of the node", "/run/elsewhere", func(spec *corev1.PodSpec) {
			for i := range spec.Volumes {
				if host := spec.Volumes[i].HostPath; host != nil {
					host.Path = "/run/elsewhere"
				}
			}
		}},
	} {
		t.Run("b: the running one has "+test.name, func(t *testing.T) {
			l := newLab(t, workers(2), rolloutOf("1"))
			l.run()
			s := momentOf(l)
			s.rollout.Spec.Desired = conventional("2")
			test.change(&s.set(model.Blue).Spec.Template.Spec)
			for _, node := range []string{"n1", "n2"} {
				test.change(&s.pod(node, model.Blue).Spec)
			}
			p := s.plan()
			if test.says == "" {
				require.Equal(t, model.NewRevision, p.Actions[0].Reason)
				return
			}
			require.Empty(t, p.Actions)
			require.NotNil(t, p.Blocked())
			require.Equal(t, model.ComponentsChanged, model.Reason(p.Blocked().Reason))
			require.Contains(t, p.Blocked().Message, test.says)
		})
		// Half way, where one Pod was made by a webhook or by hand: that node alone is not overlapped.
		t.Run("b: one Pod has "+test.name, func(t *testing.T) {
			s := prepared(t, workers(2), count(2))
			test.change(&s.pod("n1", model.Blue).Spec)
			delete(s.node("n1").Annotations, s.keys.NodeCandidate) // judged before it is recorded as prepared
			p := s.plan()
			require.Equal(t, []string{"n2"}, paid(p))
			if test.says == "" {
				require.Equal(t, model.CandidatePrepared, reportOf(t, p, "n1").Reason)
				return
			}
			require.Equal(t, model.LocksDoNotExclude, reportOf(t, p, "n1").Reason)
		})
	}
	// One component each: neither Pod serves. The target is not proven, so it gives its lock back.
	t.Run("c: the waiter wins one lock", func(t *testing.T) {
		s := prepared(t, workers(3), count(1))
		source, target := s.pod("n1", model.Blue), s.pod("n1", model.Green)
		unready(s.now)(source)
		setCondition(source, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(s.now)})
		yes, no := true, false
		source.Status.ContainerStatuses[1].Started, source.Status.ContainerStatuses[1].Ready = &no, false
		ended(&source.Status.ContainerStatuses[1], s.now)
		target.Status.ContainerStatuses[1].Started, target.Status.ContainerStatuses[1].Ready = &yes, true
		p := s.plan()
		require.Equal(t, budget.Ledger{Eligible: 3, Available: 2, Ambient: 1}, p.Ledger)
		require.Empty(t, taken(p))
		require.Len(t, p.Actions, 1)
		require.Equal(t, model.LocksSplit, p.Actions[0].Reason)
		require.Equal(t, target.UID, p.Actions[0].Write.Object.UID)
	})
}

// An opt-out waits for what is left of its own pair, and for nothing else in the namespace.
func TestOptOutBesideLostPods(t *testing.T) {
	rollout := rolloutOf("1", func(r *model.Rollout) { r.Spec.Intent = model.OptOut })
	ended := metav1.NewTime(start)
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod)
		want   model.Reason
	}{
		{"another rollout's orphan", func(pod *corev1.Pod) { pod.Labels = map[string]string{"app.kubernetes.io/instance": "another"} }, model.HandedBack},
		{"an orphan", func(*corev1.Pod) {}, model.SlotMissing},
		{"one that ends", func(pod *corev1.Pod) { pod.DeletionTimestamp = &ended }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{
					Name: "agent-lost", Namespace: namespace, UID: "uid-lost", ResourceVersion: "1",
					Labels: conventional("1").Spec.Template.Labels, Annotations: map[string]string{slotKeys.Armed: model.MarkPair},
				},
				Spec: conventional("1").Spec.Template.Spec,
			}
			pod.Spec.NodeName = "n1"
			test.change(pod)
			cluster, err := model.NewCluster(model.Objects{Nodes: workers(2), Pods: []*corev1.Pod{pod}})
			require.NoError(t, err)
			p, err := plan.Next(&model.Snapshot{Cluster: cluster, Rollout: rollout})
			require.NoError(t, err)
			if test.want == "" {
				require.Empty(t, p.Actions)
				require.Equal(t, model.WaitingForPodsToEnd, p.Waits[0].Reason)
				return
			}
			require.Len(t, p.Actions, 1)
			require.Equal(t, test.want, p.Actions[0].Reason)
		})
	}
}
