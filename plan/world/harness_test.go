package world

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// lab is a world with a test around it. Time passes by a second a transition.
type lab struct {
	t   testing.TB
	w   *World
	now time.Time
}

func newLab(t testing.TB, o Options, nodes []*corev1.Node, sets ...*appsv1.DaemonSet) *lab {
	t.Helper()
	return labOf(t, o, worldtest.Snapshot(nodes, nil, sets...))
}

func labOf(t testing.TB, o Options, snapshot *model.Snapshot) *lab {
	t.Helper()
	w, err := New(snapshot, o)
	require.NoError(t, err)
	return &lab{t: t, w: w, now: worldtest.Start}
}

// settle lets everything happen that happens by itself, but what the filter keeps back.
func (l *lab) settle(keep ...Kind) *lab {
	l.t.Helper()
	for range 100_000 {
		t, ok := l.next(keep)
		if !ok {
			return l
		}
		l.do(t)
	}
	l.t.Fatal("the world does not come to rest")
	return l
}

func (l *lab) next(keep []Kind) (Transition, bool) {
	for _, t := range l.w.Enabled(l.now) {
		kept := false
		for _, kind := range keep {
			kept = kept || t.Kind == kind
		}
		if !kept {
			return t, true
		}
	}
	return Transition{}, false
}

func (l *lab) do(t Transition) []Event {
	l.t.Helper()
	l.now = l.now.Add(time.Second)
	events, err := l.w.Do(l.now, t)
	require.NoError(l.t, err)
	return events
}

// word does a transition written as kind, node, and the rest as it needs it: "EditLabel n0001 key=value".
// A Pod is named by its DaemonSet: "Crash n0001 blue agent".
func (l *lab) word(text string) []Event {
	l.t.Helper()
	words := strings.Fields(text)
	kind, ok := ParseKind(words[0])
	require.True(l.t, ok, text)
	if kind == InjectContainer || kind == InjectNothing {
		return l.do(Transition{Kind: kind, Value: strings.Join(words[1:], "")})
	}
	t := Transition{Kind: kind, Node: words[1]}
	switch kind {
	case EditLabel, JoinNode, TaintNode, UntaintNode:
		t.Value = words[2]
	case DenyPods, AllowPods:
		t.Value = strings.Join(words[2:], "")
	case RestController, WakeController, RemakeSet:
		t.Node, t.Set = "", worldtest.Namespace+"/"+words[1]
	case KillSet, EditTemplate, EditAnnotation:
		t.Node, t.Set = "", worldtest.Namespace+"/"+words[1]
		if kind == EditTemplate {
			t.Container, words = words[2], words[1:]
		}
		t.Value = words[2]
	default:
		if len(words) > 2 {
			t.Pod = l.pod(words[1], words[2]).name()
		}
		if len(words) > 3 {
			t.Container = words[3]
		}
	}
	return l.do(t)
}

// pod returns the newest Pod of the set on the node.
func (l *lab) pod(node, set string) *pod {
	l.t.Helper()
	pods := l.pods(node, set)
	require.NotEmpty(l.t, pods, "%s has no Pod of %s", node, set)
	return pods[len(pods)-1]
}

func (l *lab) pods(node, set string) (pods []*pod) {
	l.t.Helper()
	n := l.w.findNode(node)
	require.NotNil(l.t, n, node)
	for _, p := range n.pods {
		if strings.HasPrefix(p.base.Name, set+"-") && strings.Count(p.base.Name[len(set)+1:], "-") == 0 {
			pods = append(pods, p)
		}
	}
	return pods
}

// kinds lists what can happen by itself on a node.
func (l *lab) kinds(node string) (kinds []string) {
	for _, t := range l.w.EnabledOn(l.now, node) {
		kinds = append(kinds, t.Kind.String())
	}
	return kinds
}

// draw shows a node's Pods of a set, a letter a container: w waiting, p pull failed, c crashed, e ended, l
// waits for its lock, r running, s started, R ready; behind ~ if the Pod terminates, ? if it is not bound, ! if
// it has failed.
func (l *lab) draw(node, set string) string {
	var words []string
	for _, p := range l.pods(node, set) {
		text := ""
		switch {
		case p.failed:
			text = "!"
		case p.terminating():
			text = "~"
		case !p.bound:
			text = "?"
		}
		for i := range p.containers {
			text += string("wpcelrsR"[p.containers[i].state])
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// patch returns a write that changes one label of a node.
func labelWrite(n *corev1.Node, key string, from, to *string) model.Write {
	return model.Write{
		Object: model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: n.Name, UID: n.UID},
		Patch:  &model.Patch{Labels: []model.Edit{{Key: key, From: from, To: to}}, NoLabels: len(n.Labels) == 0},
	}
}

func ptr[T any](value T) *T { return &value }

func cpu(amount string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse(amount) }
}
