package step

import (
	"testing"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var yes = true

func controlledBy(kind, name, uid string) []metav1.OwnerReference {
	return []metav1.OwnerReference{{Kind: kind, Name: name, UID: types.UID(uid), Controller: &yes}}
}

func agentSet(name, uid string, labels map[string]string) *appsv1.DaemonSet {
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID(uid), ResourceVersion: "1", OwnerReferences: controlledBy("Agent", "agent", "owner")}}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	set.Spec.Template.Labels = labels
	return set
}

func identityOf(keys *model.Keys, sets ...*appsv1.DaemonSet) *Identity {
	return &Identity{Keys: keys, Namespace: "n", Owner: "owner", Names: []string{"agent", "agent-green"}, Sets: sets}
}

// One key, one rollout: who holds what is ours is refused by name.
func TestStrangers(t *testing.T) {
	keys := model.NewKeys("", "n", "agent")
	own := agentSet("agent", "1", map[string]string{"app": "agent"})
	slotAffinity := func(set *appsv1.DaemonSet) {
		term := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: keys.NodeSlot, Operator: corev1.NodeSelectorOpIn, Values: []string{"blue"}}}}
		set.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}}
	}
	for _, test := range []struct {
		name  string
		other func() *appsv1.DaemonSet
		want  model.Reason
	}{
		{"another agent", func() *appsv1.DaemonSet { return agentSet("logs", "2", map[string]string{"app": "logs"}) }, ""},
		{"its own green", func() *appsv1.DaemonSet {
			green := agentSet("agent-green", "2", map[string]string{"app": "agent-green"})
			slotAffinity(green)
			return green
		}, ""},
		{"its marks under a former name", func() *appsv1.DaemonSet {
			former := agentSet("datadog", "2", map[string]string{"app": "datadog"})
			former.Annotations = map[string]string{keys.Initialized: model.MarkPair}
			slotAffinity(former)
			return former
		}, model.NameChanged},
		{"the same marks of another owner", func() *appsv1.DaemonSet {
			other := agentSet("datadog", "2", map[string]string{"app": "datadog"})
			other.Annotations, other.OwnerReferences = map[string]string{keys.Initialized: model.MarkPair}, controlledBy("Agent", "second", "second")
			return other
		}, ""},
		{"its node key in an affinity", func() *appsv1.DaemonSet {
			profile := agentSet("profile", "2", map[string]string{"app": "profile"})
			slotAffinity(profile)
			return profile
		}, model.KeyTaken},
		{"its node key in a selector, in another namespace", func() *appsv1.DaemonSet {
			profile := agentSet("profile", "2", map[string]string{"app": "profile"})
			profile.Namespace, profile.Spec.Template.Spec.NodeSelector = "m", map[string]string{keys.NodeSlot: "blue"}
			return profile
		}, model.KeyTaken},
		{"its labels", func() *appsv1.DaemonSet { return agentSet("second", "2", map[string]string{"app": "agent"}) }, model.ForeignDaemonSet},
		{"its labels in another namespace", func() *appsv1.DaemonSet {
			second := agentSet("second", "2", map[string]string{"app": "agent"})
			second.Namespace = "m"
			return second
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := test.other()
			cluster, err := model.NewCluster(model.Objects{DaemonSets: []*appsv1.DaemonSet{own, other}})
			require.NoError(t, err)
			refused := identityOf(&keys, own, nil).Strangers(cluster)
			if test.want == "" {
				require.Nil(t, refused)
				return
			}
			require.NotNil(t, refused)
			require.Equal(t, test.want, refused.Reason)
			require.Contains(t, refused.Message, other.Namespace+"/"+other.Name)
		})
	}
}

func TestForeignPods(t *testing.T) {
	keys := model.NewKeys("", "n", "agent")
	own := agentSet("agent", "1", map[string]string{"app": "agent"})
	alive := agentSet("second", "2", map[string]string{"app": "second"})
	cluster, err := model.NewCluster(model.Objects{DaemonSets: []*appsv1.DaemonSet{own, alive}})
	require.NoError(t, err)
	for _, test := range []struct {
		name            string
		pod             corev1.Pod
		foreign, former bool
		text            string
	}{
		{"its own", podOf("agent", "DaemonSet", "1"), false, false, ""},
		{"without a controller", corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Labels: map[string]string{"app": "agent"}}}, false, false, ""},
		{"of another workload", podOf("web", "ReplicaSet", "9"), false, false, ""},
		{"of a DaemonSet that is gone", podOf("agent", "DaemonSet", "0"), true, true, "former DaemonSet (UID 0)"},
		{"of a DaemonSet that is there", podOf("agent", "DaemonSet", "2"), true, false, "belongs to DaemonSet set (UID 2)"},
		{"of an ExtendedDaemonSet", podOf("agent", "ExtendedDaemonSetReplicaSet", "5"), true, false, "let the ExtendedDaemonSet go first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.foreign, identityOf(&keys, own, nil).Foreign(&test.pod))
			if !test.foreign {
				return
			}
			id := identityOf(&keys, own)
			require.Equal(t, test.former, id.Former(cluster, &test.pod))
			if test.former {
				require.Contains(t, FormerText(&test.pod), test.text)
			} else {
				require.Contains(t, id.ForeignText("n1", &test.pod), test.text)
			}
		})
	}
	ended := podOf("agent", "DaemonSet", "0")
	ended.Status.Phase = corev1.PodFailed
	require.False(t, identityOf(&keys, own).Foreign(&ended))
}

// A Pod of another namespace that takes the same locks is foreign, whatever its labels, as long as it does not end.
func TestForeignLocks(t *testing.T) {
	keys := model.NewKeys("", "n", "agent")
	rollout := (&model.Rollout{Spec: model.Spec{Strategy: model.Strategy{Overlap: model.Locked}}}).WithDefaults()
	require.Equal(t, "/var/run/datadog-agent-rollout", LocksOf(rollout))
	require.Empty(t, LocksOf((&model.Rollout{Spec: model.Spec{Strategy: model.Strategy{Overlap: model.Never}}}).WithDefaults()))
	spec, faults := lockspec.Resolve(rollout.Spec.Lock, nil)
	require.Empty(t, faults)
	locked := func() corev1.Pod {
		only := corev1.Container{Name: "agent", Image: "a:1", Command: []string{"agent", "run"}}
		wrapped, err := lockspec.Wrap(corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{only}}}, spec)
		require.NoError(t, err)
		pod := podOf("other", "DaemonSet", "7")
		pod.Namespace, pod.Spec = "m", wrapped.Spec
		return pod
	}
	own := agentSet("agent", "1", map[string]string{"app": "agent"})
	own.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent"}}
	id := identityOf(&keys, own, nil)
	pod := locked()
	require.False(t, id.Foreign(&pod), "without locks of its own")
	id.Locks = LocksOf(rollout)
	require.True(t, id.Foreign(&pod))
	require.Contains(t, id.ForeignText("n1", &pod), "Pod m/p on node n1 belongs to DaemonSet set (UID 7) and takes the same host locks in /var/run/datadog-agent-rollout")
	cluster, err := model.NewCluster(model.Objects{})
	require.NoError(t, err)
	require.False(t, id.Former(cluster, &pod), "DaemonSets of other namespaces need not be known")
	own.Spec.Template.Spec.Containers[0].Name = "another-agent"
	require.False(t, id.Foreign(&pod), "other lock files")
	own.Spec.Template.Spec.Containers[0].Name = "agent"
	ending := locked()
	ending.DeletionTimestamp = &metav1.Time{}
	require.False(t, id.Foreign(&ending))
	elsewhere := locked()
	for i := range elsewhere.Spec.Volumes {
		if v := &elsewhere.Spec.Volumes[i]; v.HostPath != nil {
			v.HostPath.Path = "/another"
		}
	}
	require.False(t, id.Foreign(&elsewhere), "another directory")
}

func podOf(app, kind, uid string) corev1.Pod {
	return corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "p", Labels: map[string]string{"app": app}, OwnerReferences: controlledBy(kind, "set", uid)}}
}
