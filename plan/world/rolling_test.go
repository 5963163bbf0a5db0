package world

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// The rules and examples of the native controller (1.34). A node is written by its Pods: O an old available
// one, o an old one that is not, N and n the same for a new one, T a terminating one, F a failed one, X one that has ended and terminates, - none; behind ^
// the node has a taint that the template does not tolerate. The outcome writes + for a node that gets a
// Pod and the letter of each Pod that is deleted.
func TestRollingStep(t *testing.T) {
	count, percent := intstr.FromInt32, intstr.FromString
	for _, test := range []struct {
		name  string
		value intstr.IntOrString
		surge bool
		nodes string
		want  string
	}{
		{"all ready", count(2), false, "O O O O O", "O O . . ."},
		{"one old unready is replaced and counts", count(2), false, "O O o O O", "O . o . ."},
		{"all old unready go, whatever the budget", count(2), false, "O o o O o", ". o o . o"},
		{"a terminating Pod costs budget", count(2), false, "O T O O O", "O . . . ."},
		{"the bad one alone", count(1), false, "O O o O O", ". . o . ."},
		{"an unready new one costs budget", count(1), false, "n O O", ". . ."},
		{"a ready new one does not", count(1), false, "N O O", ". O ."},
		{"an empty node costs budget", count(1), false, "- O O", ". . ."},
		{"old and new on one node cost budget", count(1), false, "ON O O", ". . ."},
		{"more than one old costs budget", count(1), false, "OO O O", ". . ."},
		{"a failed Pod is no Pod", count(1), false, "F O O", ". . ."},
		{"an ended one that terminates is not seen", count(1), false, "^X O O", ". O ."},
		{"but its node is an empty one", count(1), false, "X O O", ". . ."},
		{"terminating beside new is new", count(1), false, "TN O O", ". O ."},
		{"10% of 15 is 2", percent("10%"), false, strings.TrimSpace(strings.Repeat("O ", 15)), "O O" + strings.Repeat(" .", 13)},
		{"0 of everything is 1", count(0), false, "O O", "O ."},
		{"an old Pod that may only go on is a candidate", count(1), false, "^O O", "O ."},
		{"three bad updates leave the healthy ones", count(1), false, "o O O", "o . ."},
		{"budget 2 takes one more", count(2), false, "o O O", "o O ."},
		{"ten unavailable ones of twenty", count(3), false, "o o o o o o o o o o O O O O O O O O O O",
			"o o o o o o o o o o . . . . . . . . . ."},

		{"surge: as many as the window", count(2), true, "O O O O O", "+ + . . ."},
		{"surge: none until they are ready", count(2), true, "On On O O O", ". . . . ."},
		{"surge: the old one goes when the new one is available", count(2), true, "ON On O O O", "O . + . ."},
		{"surge: unready old ones are outside the window", count(1), true, "o o o O O", "+ + + + ."},
		{"surge: a new one alone costs nothing", count(1), true, "n O O", ". + ."},
		{"surge: excess counts", count(1), true, "OO O O", ". . ."},
		{"surge: the unready old one beside an unready new one stays to the manage step", count(1), true, "on O", ". ."},
		{"surge: a tainted node's Pod goes in the same sync", count(1), true, "O ^O", "+ O"},
		{"surge: an unready Pod on a tainted node goes", count(1), true, "O ^o", "+ o"},
		{"surge: onto nodes the template tolerates only", percent("10%"), true, "^O ^O ^O O O O", "O O O + . ."},
		{"surge: sunset only while more are available than desired", percent("10%"), true, "^O ^O ^O O o o", "O . . + + +"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, s := staged(t, test.nodes, test.value, test.surge)
			require.Equal(t, test.want, drawStep(w, s))
		})
	}
}

// staged builds the nodes with Pods in the states that the letters say.
func staged(t *testing.T, nodes string, value intstr.IntOrString, surge bool) (*World, *set) {
	t.Helper()
	words := strings.Fields(nodes)
	objects := worldtest.Nodes(len(words))
	for i, word := range words {
		if strings.HasPrefix(word, "^") {
			objects[i].Spec.Taints = []corev1.Taint{{Key: "control-plane", Effect: corev1.TaintEffectNoSchedule}}
		}
	}
	l := newLab(t, Options{}, objects, worldtest.Set("blue", "1", worldtest.Rolling(value, surge)))
	s := l.w.findSet("datadog/blue")
	for i, n := range l.w.nodes {
		for at, letter := range strings.Trim(words[i], "^-") {
			p := l.w.createPod(s, n)
			p.base.CreationTimestamp = metav1.NewTime(l.now.Add(time.Duration(at) * time.Second))
			p.bound, p.failed = true, letter == 'F' || letter == 'X'
			p.ready, p.readyAt = letter == 'O' || letter == 'N' || letter == 'T', l.now
			if letter == 'O' || letter == 'o' {
				p.hash = "former"
			}
			if letter == 'T' || letter == 'X' {
				l.w.deletePod(p)
			}
		}
	}
	return l.w, s
}

func drawStep(w *World, s *set) string {
	did := w.rollingStep(s)
	words := make([]string, len(w.nodes))
	for i, n := range w.nodes {
		for _, created := range did.create {
			if created == n {
				words[i] += "+"
			}
		}
		for _, p := range did.delete {
			if p.node != n {
				continue
			}
			letter := "o"
			if p.ready {
				letter = "O"
			}
			words[i] += letter
		}
		if words[i] == "" {
			words[i] = "."
		}
	}
	return strings.Join(words, " ")
}

func TestAvailableNeedsMinReadySeconds(t *testing.T) {
	w, s := staged(t, "ON O", intstr.FromInt32(1), true)
	s.observed.spec.MinReadySeconds = 30
	w.at(worldtest.Start.Add(29 * time.Second))
	require.Equal(t, ". +", drawStep(w, s), "Ready, but not for long enough: nobody is available")
	require.Equal(t, worldtest.Start.Add(30*time.Second), s.again)
	w.at(worldtest.Start.Add(30 * time.Second))
	require.Equal(t, "O +", drawStep(w, s))
	require.Zero(t, s.again)
}

func TestRollingStepIsLimited(t *testing.T) {
	w, s := staged(t, strings.TrimSpace(strings.Repeat("o ", burst+3)), intstr.FromInt32(1), false)
	require.Len(t, w.rollingStep(s).delete, burst)
	s.observed.spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	require.Empty(t, w.rollingStep(s).delete, "OnDelete has no update step")
}

// While the manage step has something to do the update step waits, and it comes back by itself.
func TestUpdateStepWaitsForTheManageStep(t *testing.T) {
	w, s := staged(t, "- O O", intstr.FromInt32(2), false)
	l := &lab{t: t, w: w, now: worldtest.Start}
	require.Equal(t, ". O .", drawStep(w, s), "alone it would act")
	step := Transition{Kind: UpdateStep, Set: s.name()}
	require.NotContains(t, w.Enabled(l.now), step)
	require.Empty(t, l.do(step))
	require.NotContains(t, w.EnabledOf(l.now, s.name()), step, "nothing to do until something changes")
	require.Zero(t, w.UpdateDue(s.name()))
	l.do(Transition{Kind: CreatePod, Node: w.nodes[0].object.Name, Set: s.name()})
	require.Contains(t, w.EnabledOf(l.now, s.name()), step)
	require.Len(t, l.do(step), 2, "the step itself and one deletion")
}

// A malformed term of the required affinity matches no node, and the others go on matching.
func TestMalformedTermMatchesNoNode(t *testing.T) {
	nodes := worldtest.Nodes(2)
	nodes[1].Labels["zone"] = "a"
	term := func(key string, op corev1.NodeSelectorOperator, value string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: []string{value}}}}
	}
	broken, zone := term("size", corev1.NodeSelectorOpGt, "big"), term("zone", corev1.NodeSelectorOpIn, "a")
	for _, test := range []struct {
		name  string
		terms []corev1.NodeSelectorTerm
		want  []string
	}{
		{"beside a sound one", []corev1.NodeSelectorTerm{broken, zone}, []string{"n0002"}},
		{"alone", []corev1.NodeSelectorTerm{broken}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{}, nodes, worldtest.Set("blue", "1", worldtest.OnLabel("zone", "a"), func(set *appsv1.DaemonSet) {
				set.Spec.Template.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = test.terms
			}))
			var created []string
			for _, next := range l.w.Enabled(l.now) {
				if next.Kind == CreatePod {
					created = append(created, next.Node)
				}
			}
			require.Equal(t, test.want, created)
		})
	}
}

// The manage step with a surge: one old and one new Pod may stand side by side.
func TestManageStep(t *testing.T) {
	for _, test := range []struct {
		name  string
		surge bool
		node  string
		want  string
	}{
		{"none", false, "-", "create"},
		{"none but a terminating one", false, "T", ""},
		{"surge does not wait for the terminating one", true, "T", "create"},
		{"failed", false, "F", "delete"},
		{"with a surge its successor is made at once", true, "F", "delete create"},
		{"but none where none should run", true, "^F", "delete"},
		{"failed and terminating: not seen", false, "X", "create"},
		{"failed and terminating beside a terminating one", false, "XT", ""},
		{"superfluous", false, "OO", "delete"},
		{"without surge the new one is superfluous", false, "On", "delete"},
		{"with a surge both stay", true, "On", ""},
		{"until the new one is available", true, "ON", "delete"},
		{"or the old one is not ready", true, "on", "delete"},
		{"tainted and empty", false, "^-", ""},
		{"tainted and running", false, "^O", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, s := staged(t, test.node, intstr.FromInt32(1), test.surge)
			var got []string
			for _, next := range w.manage(nil, s, w.nodes[0]) {
				got = append(got, map[Kind]string{CreatePod: "create", DeletePod: "delete"}[next.Kind])
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

// The counts of the status, of which several say less than they seem to.
func TestStatusCounts(t *testing.T) {
	for _, test := range []struct {
		name, nodes                                             string
		desired, current, missed, ready, available, updatedPods int32
	}{
		{"all", "N N N", 3, 3, 0, 3, 3, 3},
		{"empty and unready", "- n N", 3, 2, 0, 1, 1, 2},
		{"only the oldest Pod of a node counts", "oN ON N", 3, 3, 0, 2, 2, 1},
		{"one that has ended counts until it terminates", "F X N", 3, 2, 0, 1, 1, 2},
		{"a tainted node is misscheduled", "^O ^- N", 1, 1, 1, 1, 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, s := staged(t, test.nodes, intstr.FromInt32(1), true)
			got := w.statusOf(s)
			require.Equal(t, appsv1.DaemonSetStatus{
				ObservedGeneration: 1, DesiredNumberScheduled: test.desired, CurrentNumberScheduled: test.current,
				NumberMisscheduled: test.missed, NumberReady: test.ready, NumberAvailable: test.available,
				NumberUnavailable: test.desired - test.available, UpdatedNumberScheduled: test.updatedPods,
			}, got)
		})
	}
}
