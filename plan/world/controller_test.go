package world

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

const slotKey = "example.com/slot"

func labelled(value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[slotKey] = value }
}

// Scripts on one node with two OnDelete DaemonSets: blue where the label is blue or both, green where it is
// green or both. "." lets everything happen; the drawings are of blue and green.
func TestControllerOnOneNode(t *testing.T) {
	for _, test := range []struct {
		name        string
		label       string
		script      []string
		blue, green string
	}{
		{"only the admitted slot gets a Pod", "blue", []string{"."}, "RR", ""},
		{"both wait for each other's locks", "both", []string{"."}, "RR", "ll"},
		{"no slot is admitted", "none", []string{"."}, "", ""},
		{"the label turns away a bound Pod", "blue", []string{".", "EditLabel n0001 " + slotKey + "=green", "."}, "", "RR"},
		{"the turned away Pod terminates first", "blue", []string{".", "EditLabel n0001 " + slotKey + "=none", ".-stop"}, "~RR", ""},
		{"a removed label turns away too", "blue", []string{".", "EditLabel n0001 " + slotKey + "-", "."}, "", ""},
		{"a deleted Pod comes back", "blue", []string{".", "KillPod n0001 blue", "."}, "RR", ""},
		{"no replacement beside a terminating Pod", "blue", []string{".", "KillPod n0001 blue", ".-stop"}, "~RR", ""},
		{"a failed Pod is replaced", "blue", []string{".", "FailPod n0001 blue", "."}, "RR", ""},
		{"a cordon turns nobody away", "blue", []string{".", "CordonNode n0001", "KillPod n0001 blue", "."}, "RR", ""},
		{"a soft taint turns nobody away", "blue", []string{"TaintNode n0001 dedicated=gpu:PreferNoSchedule", "."}, "RR", ""},
		{"NoSchedule keeps new Pods away", "blue", []string{"TaintNode n0001 dedicated=gpu:NoSchedule", "."}, "", ""},
		{"and keeps what runs", "blue", []string{".", "TaintNode n0001 dedicated=gpu:NoSchedule", "."}, "RR", ""},
		{"but does not replace it", "blue", []string{".", "TaintNode n0001 dedicated=gpu:NoSchedule", "KillPod n0001 blue", "."}, "", ""},
		{"until the taint is gone", "blue", []string{"TaintNode n0001 dedicated=gpu:NoSchedule", ".", "UntaintNode n0001 dedicated", "."}, "RR", ""},
		{"NoExecute ends what runs", "blue", []string{".", "TaintNode n0001 dedicated=gpu:NoExecute", "."}, "", ""},
		{"only the named effect is removed", "blue", []string{"TaintNode n0001 dedicated:NoExecute", "TaintNode n0001 dedicated:NoSchedule", ".", "UntaintNode n0001 dedicated:NoExecute", "."}, "", ""},
		{"a tolerated one turns nobody away", "blue", []string{"TaintNode n0001 node.kubernetes.io/disk-pressure:NoSchedule", "."}, "RR", ""},
		{"a silent node keeps its Pods", "blue", []string{".", "BreakNode n0001", "."}, "RR", ""},
		{"nothing ends on a silent node", "blue", []string{".", "BreakNode n0001", "KillPod n0001 blue", "."}, "~RR", ""},
		{"and goes on when it is back", "blue", []string{".", "BreakNode n0001", "KillPod n0001 blue", ".", "MendNode n0001", "."}, "RR", ""},
		{"a lost machine restarts its containers", "blue", []string{".", "LoseNode n0001", "MendNode n0001", ".-restart"}, "cc", ""},
		{"background deletion takes the Pods", "blue", []string{".", "KillSet blue Background", "."}, "", ""},
		{"foreground deletion takes the Pods first", "blue", []string{".", "KillSet blue Foreground", ".-stop"}, "~RR", ""},
		{"orphan deletion keeps them", "blue", []string{".", "KillSet blue Orphan", "."}, "RR", ""},
		{"and the label no longer reaches them", "blue", []string{".", "KillSet blue Orphan", ".", "EditLabel n0001 " + slotKey + "=none", "."}, "RR", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{}, worldtest.Nodes(1, labelled(test.label)),
				worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both"), worldtest.Wrapped),
				worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both"), worldtest.Wrapped))
			for _, step := range test.script {
				switch step {
				case ".":
					l.settle()
				case ".-stop":
					l.settle(StopContainer)
				case ".-restart":
					l.settle(RestartContainer)
				default:
					l.word(step)
				}
			}
			require.Equal(t, test.blue, l.draw("n0001", "blue"), "blue")
			require.Equal(t, test.green, l.draw("n0001", "green"), "green")
			require.NoError(t, l.w.Check())
		})
	}
}

func TestUnboundPodStaysUntilItsSetIsWritten(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2, cpu("500m"), labelled("both")),
		worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both")),
		worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both")))
	l.settle()
	require.Equal(t, "?ww", l.draw("n0001", "green"))

	l.word("EditLabel n0001 " + slotKey + "=blue")
	l.settle()
	require.Equal(t, "?ww", l.draw("n0001", "green"), "only bound Pods are deleted when a node turns away")
	require.Empty(t, l.w.Enabled(l.now))

	green := l.w.findSet("datadog/green").object
	_, err := l.w.Apply(l.now, model.Write{
		Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "green", UID: green.UID},
		Patch:  &model.Patch{Annotations: []model.Edit{{Key: "a", To: ptr("b")}}, NoAnnotations: true},
	})
	require.NoError(t, err)
	l.settle()
	require.Equal(t, "", l.draw("n0001", "green"), "any write of the DaemonSet frees it")
	require.Equal(t, "?ww", l.draw("n0002", "green"), "and only where it does not belong")
}

func TestUnboundPodIsBoundWhereItNoLongerBelongs(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1, cpu("500m"), labelled("both")),
		worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "both")),
		worldtest.Set("green", "2", worldtest.OnLabel(slotKey, "green", "both")))
	l.settle()
	l.word("EditLabel n0001 " + slotKey + "=none")
	l.word("KillPod n0001 blue")
	l.settle(DeletePod, PullImage)
	require.Equal(t, "ww", l.draw("n0001", "green"), "the scheduler binds it: the Pod does not carry the label's affinity")
	l.settle()
	require.Equal(t, "", l.draw("n0001", "green"), "and only then the controller deletes it")
}

func TestPodsOfADaemonSet(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1",
		worldtest.OnLabel(slotKey, "blue"), func(s *appsv1.DaemonSet) {
			s.Spec.Template.Annotations = map[string]string{"revision": "r1"}
			s.Spec.Template.Spec.HostNetwork = true
		})).settle()
	pod := l.w.podObject(l.pod("n0001", "blue"))
	require.Equal(t, "r1", pod.Annotations["revision"])
	require.Equal(t, "blue", pod.Labels["app.kubernetes.io/instance"])
	require.NotEmpty(t, pod.Labels[appsv1.ControllerRevisionHashLabelKey])
	require.Equal(t, l.w.findSet("datadog/blue").object.UID, model.ControllerUID(pod))
	require.Len(t, pod.Spec.Tolerations, 7, "host network adds network-unavailable")

	want := []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
		{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"n0001"}},
	}}}
	got := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	require.Empty(t, cmp.Diff(want, got), "the template's own terms are replaced")
}

func TestRecreatedSetAdoptsOrphans(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1")).settle()
	before := l.pod("n0001", "blue").base.UID
	l.word("KillSet blue Orphan")
	l.settle()
	require.Nil(t, l.w.findSet("datadog/blue"))
	require.Empty(t, l.pod("n0001", "blue").base.OwnerReferences)

	again := worldtest.Set("blue", "1")
	_, err := l.w.Apply(l.now, model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue"}, Create: again})
	require.NoError(t, err)
	l.settle()
	set := l.w.findSet("datadog/blue").object
	for _, node := range []string{"n0001", "n0002"} {
		require.Len(t, l.pods(node, "blue"), 1)
		require.Equal(t, set.UID, model.ControllerUID(l.w.podObject(l.pod(node, "blue"))))
	}
	require.Equal(t, before, l.pod("n0001", "blue").base.UID, "the same Pod")
	require.EqualValues(t, 2, set.Status.UpdatedNumberScheduled, "of the same template")
}

// One sync takes every Pod that it may before its update step looks at any.
func TestUpdateStepWaitsForAdoption(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1")).settle()
	l.word("KillSet blue Orphan")
	l.settle()
	again := worldtest.Set("blue", "2")
	again.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType}
	_, err := l.w.Apply(l.now, model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: "blue"}, Create: again})
	require.NoError(t, err)
	l.do(Transition{Kind: ObserveSet, Set: "datadog/blue"})
	step := Transition{Kind: UpdateStep, Set: "datadog/blue"}
	for _, node := range []string{"n0001", "n0002"} {
		require.NotContains(t, l.w.Enabled(l.now), step)
		l.do(setTransition(AdoptPod, l.w.findSet("datadog/blue"), l.w.findNode(node).pods[0]))
	}
	require.Contains(t, l.w.Enabled(l.now), step)
}

func TestForegroundDeletionWaitsForItsPods(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1")).settle()
	l.word("KillSet blue Foreground")
	l.settle(RemovePod)
	require.NotNil(t, l.w.findSet("datadog/blue").object.DeletionTimestamp)
	require.Equal(t, []string{metav1.FinalizerDeleteDependents}, l.w.findSet("datadog/blue").object.Finalizers)
	l.settle()
	require.Nil(t, l.w.findSet("datadog/blue"))
}

func TestTemplateIsUsedOnceObserved(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1), worldtest.Set("blue", "1")).settle()
	l.word("EditTemplate blue agent agent:2")
	set := l.w.findSet("datadog/blue").object
	require.EqualValues(t, 2, set.Generation)
	require.EqualValues(t, 1, set.Status.ObservedGeneration)

	l.word("KillPod n0001 blue")
	l.settle(ObserveSet, WriteStatus)
	require.Equal(t, "agent:1", l.w.podObject(l.pod("n0001", "blue")).Spec.Containers[0].Image)

	l.settle()
	set = l.w.findSet("datadog/blue").object
	require.EqualValues(t, 2, set.Status.ObservedGeneration)
	require.EqualValues(t, 0, set.Status.UpdatedNumberScheduled, "OnDelete: no Pod is touched")
	l.word("KillPod n0001 blue")
	l.settle()
	require.Equal(t, "agent:2", l.w.podObject(l.pod("n0001", "blue")).Spec.Containers[0].Image)
	require.EqualValues(t, 1, l.w.findSet("datadog/blue").object.Status.UpdatedNumberScheduled)
}

func TestNativeRollingUpdateEndsToEnd(t *testing.T) {
	for name, surge := range map[string]bool{"maxUnavailable": false, "maxSurge": true} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, Options{}, worldtest.Nodes(5), worldtest.Set("blue", "1", worldtest.Rolling(intstr.FromInt32(2), surge))).settle()
			l.word("EditTemplate blue agent agent:2")
			most := 0
			for range 1000 {
				next, ok := l.next(nil)
				if !ok {
					break
				}
				l.do(next)
				gone := 0
				for _, n := range l.w.Nodes() {
					if !l.keeps(n) {
						gone++
					}
				}
				most = max(most, gone)
			}
			status := l.w.findSet("datadog/blue").object.Status
			require.EqualValues(t, 5, status.UpdatedNumberScheduled)
			require.EqualValues(t, 5, status.NumberAvailable)
			if surge {
				require.Zero(t, most, "an old Pod goes only once the new one is available")
			} else {
				require.Equal(t, 2, most)
			}
		})
	}
}

// keeps tells whether the node has a ready Pod that is to stay.
func (l *lab) keeps(node string) bool {
	for _, p := range l.pods(node, "blue") {
		if p.ready && !p.terminating() {
			return true
		}
	}
	return false
}

func TestTaintsThatCannotBe(t *testing.T) {
	for _, test := range []struct{ name, first, second, why string }{
		{"twice the same", "TaintNode dedicated=gpu:NoSchedule", "TaintNode dedicated=gpu:NoSchedule", "it is so already"},
		{"another value replaces the first", "TaintNode dedicated=gpu:NoSchedule", "TaintNode dedicated=tpu:NoSchedule", ""},
		{"no effect", "", "TaintNode dedicated=gpu", "a taint is key=value:Effect or key:Effect"},
		{"no such effect", "", "TaintNode dedicated=gpu:Never", "a taint is key=value:Effect or key:Effect"},
		{"no key", "", "UntaintNode :NoSchedule", "a taint to remove is key or key:Effect"},
		{"nothing to remove", "TaintNode dedicated:NoSchedule", "UntaintNode dedicated:NoExecute", "there is no such taint"},
		{"no such node", "", "TaintNode elsewhere", "there is no such node"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{}, worldtest.Nodes(1))
			do := func(text string) error {
				word, value, _ := strings.Cut(text, " ")
				kind, ok := ParseKind(word)
				require.True(t, ok, text)
				node := "n0001"
				if value == "elsewhere" {
					node = value
				}
				_, err := l.w.Do(l.now, Transition{Kind: kind, Node: node, Value: value})
				return err
			}
			if test.first != "" {
				require.NoError(t, do(test.first))
			}
			err := do(test.second)
			if test.why == "" {
				require.NoError(t, err)
				require.Len(t, l.w.findNode("n0001").object.Spec.Taints, 1)
				return
			}
			require.ErrorContains(t, err, test.why)
			require.ErrorAs(t, err, new(*ImpossibleError))
		})
	}
}
