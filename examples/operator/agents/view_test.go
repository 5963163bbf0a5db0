package agents

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/agent-rollout/planner/model"
)

// A view shows, whenever it is asked, what a list shows: whatever comes, changes, moves, goes and is made anew between two questions.
func TestAViewIsWhatAListShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		informers, version := &informertest.FakeInformers{}, 0
		view, err := Watch(t.Context(), informers)
		require.NoError(t, err)
		present := map[string]client.Object{}
		names := []string{"a", "b", "c"}
		draw := func(kind, name string) client.Object {
			version++
			meta := metav1.ObjectMeta{Name: name, UID: types.UID(kind + name + string(rune('0'+version%10))), ResourceVersion: string(rune('a' + version%26))}
			switch kind {
			case "node":
				return &corev1.Node{ObjectMeta: meta}
			case "set":
				return &appsv1.DaemonSet{ObjectMeta: meta}
			}
			return &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{NodeName: rapid.SampledFrom(append(names, "d")).Draw(t, "on")}}
		}
		change := func() {
			kind, name := rapid.SampledFrom([]string{"node", "pod", "set"}).Draw(t, "kind"), rapid.SampledFrom(names).Draw(t, "name")
			object := draw(kind, name)
			informer, err := informers.FakeInformerFor(t.Context(), object)
			require.NoError(t, err)
			former := present[kind+name]
			switch {
			case former == nil:
				informer.Add(object)
			case rapid.Bool().Draw(t, "goes"):
				informer.Delete(former)
				delete(present, kind+name)
				return
			default: // a watch that has missed a deletion tells of the new object as of a change
				informer.Update(former, object)
			}
			present[kind+name] = object
		}
		for range rapid.IntRange(1, 8).Draw(t, "questions") {
			for range rapid.IntRange(0, 6).Draw(t, "changes") {
				change()
			}
			var all model.Objects
			for _, object := range present {
				put(&all, object)
			}
			want, err := model.NewCluster(all)
			require.NoError(t, err)
			got, err := view.Cluster()
			require.NoError(t, err)
			require.Equal(t, objects(want), objects(got))
		}
	})
}

// objects are those of a cluster, in its order.
func objects(c *model.Cluster) (all []client.Object) {
	for i := range c.Len() {
		all = append(all, c.Node(i))
		for _, pod := range c.Pods(i) {
			all = append(all, pod)
		}
	}
	for _, pod := range c.Stray() {
		all = append(all, pod)
	}
	for _, set := range c.DaemonSets() {
		all = append(all, set)
	}
	return all
}

// Whoever is woken finds the cause: many changes wake once, and each after that again.
func TestAViewWakesWhenItShowsTheCause(t *testing.T) {
	informers := &informertest.FakeInformers{}
	view, err := Watch(t.Context(), informers)
	require.NoError(t, err)
	nodes, err := informers.FakeInformerFor(t.Context(), &corev1.Node{})
	require.NoError(t, err)
	for i, names := range [][]string{{"a", "b"}, {"c"}} {
		require.Empty(t, view.Changed())
		for _, name := range names {
			nodes.Add(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: "1"}})
		}
		<-view.Changed()
		cluster, err := view.Cluster()
		require.NoError(t, err)
		require.Equal(t, 2+i, cluster.Len())
	}
}

// A cache that is not filled yet looks like a cluster without nodes: nothing is planned from it.
func TestAViewWaitsForItsCaches(t *testing.T) {
	informers := &informertest.FakeInformers{}
	view, err := Watch(t.Context(), informers)
	require.NoError(t, err)
	pods, err := informers.FakeInformerFor(t.Context(), &corev1.Pod{})
	require.NoError(t, err)
	pods.Synced = false
	_, err = view.Cluster()
	require.ErrorIs(t, err, ErrNotSynced)
	pods.Synced = true
	_, err = view.Cluster()
	require.NoError(t, err)
}

// What cannot be guarded is refused, and asked for again until its cache shows it whole. A deletion that was missed is one.
func TestAViewKeepsWhatItCannotShow(t *testing.T) {
	informers := &informertest.FakeInformers{}
	view, err := Watch(t.Context(), informers)
	require.NoError(t, err)
	nodes, err := informers.FakeInformerFor(t.Context(), &corev1.Node{})
	require.NoError(t, err)
	nameless := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	nodes.Add(nameless)
	var refused *model.ObjectError
	for range 2 {
		_, err = view.Cluster()
		require.ErrorAs(t, err, &refused)
	}
	whole := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a", UID: "a", ResourceVersion: "1"}}
	nodes.Update(nameless, whole)
	cluster, err := view.Cluster()
	require.NoError(t, err)
	require.Equal(t, 1, cluster.Len())
	view.note(toolscache.DeletedFinalStateUnknown{Key: "a", Obj: whole}, nil)
	cluster, err = view.Cluster()
	require.NoError(t, err)
	require.Zero(t, cluster.Len())
}
