package model_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/model"
)

// watched are the objects of a cluster that changes, by name, and what a watch tells of each change.
type watched struct {
	nodes   map[string]*corev1.Node
	pods    map[string]*corev1.Pod
	sets    map[string]*appsv1.DaemonSet
	changes model.Changes
	version int
}

func (w *watched) objects() (o model.Objects) {
	o.Nodes = slices.Collect(maps.Values(w.nodes))
	o.Pods = slices.Collect(maps.Values(w.pods))
	o.DaemonSets = slices.Collect(maps.Values(w.sets))
	return o
}

func (w *watched) next() string { w.version++; return fmt.Sprint(w.version) }

// change lets one object appear, change or go. An object changes once between two looks: a watch may be asked for the sum.
func (w *watched) change(t *rapid.T, done map[string]bool) {
	kind := rapid.SampledFrom([]string{"Node", "Pod", "Pod", "Pod", "DaemonSet"}).Draw(t, "kind")
	name := fmt.Sprintf("%c%d", kind[0]+'a'-'A', rapid.IntRange(0, 6).Draw(t, "name"))
	goes := rapid.IntRange(0, 2).Draw(t, "goes") == 0
	if done[name] {
		return
	}
	done[name] = true
	present, gone := &w.changes.Present, &w.changes.Gone
	switch kind {
	case "Node":
		present.Nodes, gone.Nodes = turn(w.nodes, name, goes, func() *corev1.Node {
			n := node(name)
			n.ResourceVersion = w.next()
			return n
		}, present.Nodes, gone.Nodes)
	case "DaemonSet":
		present.DaemonSets, gone.DaemonSets = turn(w.sets, name, goes, func() *appsv1.DaemonSet {
			s := &appsv1.DaemonSet{}
			s.Namespace, s.Name, s.UID, s.ResourceVersion = "agents", name, types.UID("uid-"+name), w.next()
			return s
		}, present.DaemonSets, gone.DaemonSets)
	case "Pod":
		w.changePod(t, name, goes)
	}
}

// turn replaces the object or takes it away, and says so.
func turn[T any](all map[string]T, name string, goes bool, make func() T, present, gone []T) ([]T, []T) {
	if goes {
		if former, ok := all[name]; ok {
			gone = append(gone, former)
			delete(all, name)
		}
		return present, gone
	}
	all[name] = make()
	return append(present, all[name]), gone
}

// changePod also lets a Pod be made anew on another node: it is gone there and present here.
func (w *watched) changePod(t *rapid.T, name string, goes bool) {
	former := w.pods[name]
	on := fmt.Sprintf("n%d", rapid.IntRange(0, 7).Draw(t, "on"))
	w.changes.Present.Pods, w.changes.Gone.Pods = turn(w.pods, name, goes, func() *corev1.Pod {
		made := podOn(on, name)
		switch rapid.IntRange(0, 3).Draw(t, "bound") {
		case 0:
			made = podFor(name, []string{on})
		case 1:
			made = podOn("", name)
		}
		made.ResourceVersion = w.next()
		return made
	}, w.changes.Present.Pods, w.changes.Gone.Pods)
	if goes || former == nil {
		return
	}
	before, _ := model.NodeOf(former)
	if after, _ := model.NodeOf(w.pods[name]); before != after && before != "" {
		w.changes.Gone.Pods = append(w.changes.Gone.Pods, former)
	}
}

// shape is all that a cluster tells, with the very objects.
func shape(c *model.Cluster) map[string]any {
	all := map[string]any{"stray": c.Stray(), "sets": c.DaemonSets(), "len": c.Len(), "pods": c.PodCount()}
	if len(c.Stray()) == 0 {
		all["stray"] = []*corev1.Pod(nil)
	}
	if len(c.DaemonSets()) == 0 {
		all["sets"] = []*appsv1.DaemonSet(nil)
	}
	for i := range c.Len() {
		found, _ := c.Find(c.Node(i).Name)
		all[fmt.Sprint(i)] = []any{c.Node(i), found, c.Node(i).ResourceVersion, podNames(c.Pods(i)), versions(c.Pods(i))}
	}
	return all
}

func versions(pods []*corev1.Pod) (out []string) {
	for _, pod := range pods {
		out = append(out, pod.ResourceVersion)
	}
	return out
}

// TestApplyIsNewClusterOfAll: any series of changes gives what NewCluster makes of all objects, and leaves what was there before
// as it was.
func TestApplyIsNewClusterOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := watched{nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}, sets: map[string]*appsv1.DaemonSet{}}
		c, err := model.NewCluster(model.Objects{})
		require.NoError(t, err)
		for range rapid.IntRange(1, 8).Draw(t, "looks") {
			w.changes = model.Changes{}
			done := map[string]bool{}
			for range rapid.IntRange(0, 8).Draw(t, "changes") {
				w.change(t, done)
			}
			before := shape(c)
			next, err := c.Apply(w.changes)
			require.NoError(t, err)
			require.Equal(t, before, shape(c), "the former cluster has changed")
			want, err := model.NewCluster(w.objects())
			require.NoError(t, err)
			require.Equal(t, shape(want), shape(next))
			c = next
		}
	})
}

func TestApplyRefusesWhatNewClusterRefuses(t *testing.T) {
	c, err := model.NewCluster(fleet(3, 1))
	require.NoError(t, err)
	bare := podOn("node-1", "bare")
	bare.ResourceVersion = ""
	nameless := node("n9")
	nameless.UID = ""
	twice := podOn("", "twice")
	tests := map[string]struct {
		objects model.Objects
		want    string
	}{
		"no resourceVersion":      {model.Objects{Pods: []*corev1.Pod{bare}}, "metadata.resourceVersion is missing"},
		"no UID, and a node more": {model.Objects{Nodes: []*corev1.Node{nameless}}, "Node n9: metadata.uid is missing"},
		"a Pod twice":             {model.Objects{Pods: []*corev1.Pod{twice, twice}}, "given twice"},
		"a node twice":            {model.Objects{Nodes: []*corev1.Node{c.Node(0), c.Node(0)}}, "given twice"},
		"a new node twice":        {model.Objects{Nodes: []*corev1.Node{node("n9"), node("n9")}}, "given twice"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := c.Apply(model.Changes{Present: test.objects})
			require.ErrorAs(t, err, new(*model.ObjectError))
			require.ErrorContains(t, err, test.want)
		})
	}
}

// BenchmarkApply changes one Pod and one node, as a watch does between two plans.
func BenchmarkApply(b *testing.B) {
	for _, n := range []int{5000, 130000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			c, err := model.NewCluster(fleet(n, 1))
			if err != nil {
				b.Fatal(err)
			}
			changes := model.Changes{Present: model.Objects{
				Nodes: []*corev1.Node{c.Node(n / 3)}, Pods: []*corev1.Pod{c.Pods(n / 2)[0]},
			}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Apply(changes); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
