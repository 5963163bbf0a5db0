package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// An issued action is charged until the view shows it: never too early, which would spend the budget twice.
func TestIssuedIsVisible(t *testing.T) {
	version := func(o metav1.Object, uid, version string) {
		o.SetUID(types.UID(uid))
		o.SetResourceVersion(version)
	}
	n, pod, stray := node("n1"), podOn("n1", "p"), podOn("gone", "s")
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "datadog", Name: "agent"}}
	ending := podOn("n1", "ending")
	ending.DeletionTimestamp = &metav1.Time{Time: noon}
	version(n, "un", "100")
	version(set, "us", "100")
	version(pod, "up", "100")
	version(stray, "ust", "100")
	version(ending, "ue", "100")
	c, err := model.NewCluster(model.Objects{Nodes: []*corev1.Node{n}, Pods: []*corev1.Pod{pod, stray, ending}, DaemonSets: []*appsv1.DaemonSet{set}})
	require.NoError(t, err)

	result := func(uid, version string) *model.Result {
		return &model.Result{UID: types.UID(uid), ResourceVersion: version}
	}
	patch := func(kind, name, uid string) model.Action {
		ref := model.ObjectRef{Kind: kind, Name: name, UID: types.UID(uid)}
		if kind != "Node" {
			ref.Namespace = "datadog"
		}
		return model.Action{Node: "n1", Write: model.Write{Object: ref, Patch: &model.Patch{}}}
	}
	remove := func(name, uid, on string) model.Action {
		return model.Action{Node: on, Write: model.Write{Object: model.ObjectRef{Kind: "Pod", Namespace: "datadog", Name: name, UID: types.UID(uid)}, Delete: &model.Delete{}}}
	}
	create := func(name string) model.Action {
		return model.Action{Write: model.Write{Object: model.ObjectRef{Kind: "DaemonSet", Namespace: "datadog", Name: name}, Create: &appsv1.DaemonSet{}}}
	}
	tests := []struct {
		name   string
		action model.Action
		result *model.Result
		want   bool
	}{
		{"the view is older", patch("Node", "n1", "un"), result("un", "101"), false},
		{"the view is as new", patch("Node", "n1", "un"), result("un", "100"), true},
		{"the view is newer, by number and not by text", patch("Node", "n1", "un"), result("un", "99"), true},
		{"outcome unknown", patch("Node", "n1", "un"), nil, false},
		{"another UID", patch("Node", "n1", "before"), nil, true},
		{"gone", patch("Node", "n2", "u"), nil, true},
		{"versions that cannot be compared", patch("Node", "n1", "un"), result("un", "abc"), false},
		{"DaemonSet", patch("DaemonSet", "agent", "us"), result("us", "100"), true},
		{"DaemonSet, older", patch("DaemonSet", "agent", "us"), result("us", "200"), false},
		{"owner, answered", patch("DatadogAgent", "datadog", "u"), result("u", "5"), true},
		{"owner, outcome unknown", patch("DatadogAgent", "datadog", "u"), nil, false},
		{"delete: still there", remove("p", "up", "n1"), nil, false},
		{"delete: still there, answered", remove("p", "up", "n1"), result("up", "50"), false},
		{"delete: the timestamp shows", remove("ending", "ue", "n1"), nil, true},
		{"delete: gone", remove("q", "uq", "n1"), nil, true},
		{"delete: a new Pod of that name", remove("p", "before", "n1"), nil, true},
		{"delete: of a node that is gone", remove("s", "ust", "gone"), nil, false},
		{"create: there", create("agent"), result("us", "90"), true},
		{"create: outcome unknown, but there", create("agent"), nil, true},
		{"create: not yet there", create("agent-green"), result("ug", "101"), false},
		{"create: gone again, as a newer DaemonSet shows", create("agent-green"), result("ug", "99"), true},
		{"create: outcome unknown and not there", create("agent-green"), nil, false},
		{"create: an older one is there", create("agent"), result("ug", "101"), false},
		{"create: a newer one is there", create("agent"), result("ug", "99"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			issued := model.Issued{Action: test.action, Result: test.result, At: metav1.NewTime(noon)}
			require.Equal(t, test.want, issued.Visible(c))
		})
	}
}
