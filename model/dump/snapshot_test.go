package dump_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

const owned = "  ownerReferences:\n  - apiVersion: datadoghq.com/v2alpha1\n    kind: DatadogAgent\n    name: agent\n    uid: u-owner\n    controller: true\n"

func snapshotOf(t *testing.T, texts ...string) (*dump.Dump, *model.Snapshot) {
	t.Helper()
	d, err := dump.Read(strings.NewReader(strings.Join(texts, "---\n")), "in")
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	return d, snapshot
}

func TestObservedAtIsTheNewestTimeInTheObjects(t *testing.T) {
	const created = "  creationTimestamp: \"2026-11-01T00:00:00Z\"\n"
	tests := []struct{ name, object, want string }{
		{"creation", setYAML + created, "2026-11-01T00:00:00Z"},
		{"condition of a node", nodeYAML + created + "status:\n  conditions:\n  - type: Ready\n    lastTransitionTime: \"2026-11-02T00:00:00Z\"\n    lastHeartbeatTime: \"2026-11-03T00:00:00Z\"\n", "2026-11-03T00:00:00Z"},
		{"condition of a Pod", podYAML + "status:\n  conditions:\n  - type: Ready\n    lastTransitionTime: \"2026-11-02T00:00:00Z\"\n", "2026-11-02T00:00:00Z"},
		{"running container", podYAML + "status:\n  containerStatuses:\n  - state:\n      running:\n        startedAt: \"2026-11-02T00:00:00Z\"\n", "2026-11-02T00:00:00Z"},
		{"ended init container", podYAML + "status:\n  initContainerStatuses:\n  - state:\n      terminated:\n        startedAt: \"2026-11-02T00:00:00Z\"\n        finishedAt: \"2026-11-02T00:01:00Z\"\n", "2026-11-02T00:01:00Z"},
		{"former run of a container", podYAML + "status:\n  containerStatuses:\n  - lastState:\n      terminated:\n        finishedAt: \"2026-11-02T00:02:00Z\"\n", "2026-11-02T00:02:00Z"},
		{"a deletion lies in the future", strings.Replace(podYAML, "spec:\n", created+"  deletionTimestamp: \"2026-12-01T00:00:00Z\"\nspec:\n", 1), "2026-11-01T00:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, snapshot := snapshotOf(t, test.object, docYAML)
			require.Equal(t, test.want, snapshot.Now().UTC().Format("2006-01-02T15:04:05Z"))
			require.Contains(t, d.Notes, "status.observedAt is left out: the newest time in the objects, "+test.want+", is taken.")
			require.True(t, d.Rollout.Status.ObservedAt.IsZero(), "the document as it was written stays")
		})
	}
	d, snapshot := snapshotOf(t, setYAML+created, docYAML+"status: {observedAt: \"2027-01-01T00:00:00Z\"}\n")
	require.Equal(t, 2027, snapshot.Now().Year())
	require.NotContains(t, strings.Join(d.Notes, "\n"), "observedAt")
}

func TestOtherPodsAreListedUnlessTheDocumentSaysOtherwise(t *testing.T) {
	const at = "observedAt: \"2026-11-30T09:00:00Z\""
	tests := []struct {
		name, status string
		want         model.OtherPods
	}{
		{"left out", "status: {" + at + "}\n", model.OtherPods{All: true}},
		{"empty", "status: {" + at + ", otherPods: {}}\n", model.OtherPods{}},
		{"not all", "status: {" + at + ", otherPods: {all: false}}\n", model.OtherPods{}},
		{"some", "status: {" + at + ", otherPods: {nodes: [n1]}}\n", model.OtherPods{Nodes: []string{"n1"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, snapshot := snapshotOf(t, nodeYAML, docYAML+test.status)
			require.Equal(t, test.want, snapshot.Rollout.Status.OtherPods)
			require.Equal(t, test.name == "left out", strings.Contains(strings.Join(d.Notes, "\n"), "otherPods"))
		})
	}
}

func TestOwnerIsTheController(t *testing.T) {
	const status = "status: {observedAt: \"2026-11-30T09:00:00Z\"}\n"
	document := func(metadata string) string {
		return strings.Replace(docYAML, "name: agent}", "name: agent"+metadata+"}", 1) + status
	}
	tests := []struct {
		name, set, document string
		want                model.Owner
	}{
		{"all from the controller", setYAML + owned, document(""),
			model.Owner{Namespace: "datadog", Name: "agent", UID: "u-owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"}},
		{"what is given stays", setYAML + owned, document(", uid: u-owner, kind: Other"),
			model.Owner{Namespace: "datadog", Name: "agent", UID: "u-owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "Other"}},
		{"another UID is another owner", setYAML + owned, document(", uid: u-else"),
			model.Owner{Namespace: "datadog", Name: "agent", UID: "u-else"}},
		{"no controller", setYAML, document(""), model.Owner{Namespace: "datadog", Name: "agent"}},
		{"no DaemonSet", nodeYAML, document(""), model.Owner{Namespace: "datadog", Name: "agent"}},
		{"DaemonSet of another namespace", strings.Replace(setYAML, "datadog", "other", 1) + owned, document(""), model.Owner{Namespace: "datadog", Name: "agent"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, snapshot := snapshotOf(t, test.set, test.document)
			require.Equal(t, test.want, snapshot.Rollout.Metadata)
		})
	}
}

func TestSnapshotTwiceIsTheSame(t *testing.T) {
	d, first := snapshotOf(t, setYAML+owned+"  creationTimestamp: \"2026-11-01T00:00:00Z\"\n", docYAML)
	notes := len(d.Notes)
	require.Equal(t, 3, notes)
	second, err := d.Snapshot()
	require.NoError(t, err)
	require.Len(t, d.Notes, notes)
	require.Empty(t, cmp.Diff(first.Rollout, second.Rollout))
}

// What is written is read back as the same snapshot, and writing that gives the same bytes.
func TestWriteRoundTrip(t *testing.T) {
	_, snapshot := snapshotOf(t,
		string(kubectlYAML(t, objects(3, 7))),
		strings.Replace(docYAML, "namespace: datadog, name: agent", "namespace: datadog, name: agent, annotations: {a: b}", 1)+
			"  lock: {preset: datadog}\n  decision: {retry: abc}\nstatus:\n  observedAt: \"2026-10-02T15:30:00Z\"\n  otherPods: {}\n")
	var first, second bytes.Buffer
	require.NoError(t, dump.Write(&first, snapshot))
	d, err := dump.Read(bytes.NewReader(first.Bytes()), "written")
	require.NoError(t, err)
	again, err := d.Snapshot()
	require.NoError(t, err)
	require.Empty(t, d.Notes, "all that was taken from the objects is written")
	require.Empty(t, cmp.Diff(snapshot.Rollout, again.Rollout))
	require.Equal(t, snapshot.Cluster.Len(), again.Cluster.Len())
	for i := range snapshot.Cluster.Len() {
		require.Empty(t, cmp.Diff(snapshot.Cluster.Node(i), again.Cluster.Node(i)))
		require.Empty(t, cmp.Diff(snapshot.Cluster.Pods(i), again.Cluster.Pods(i)))
	}
	require.Empty(t, cmp.Diff(snapshot.Cluster.DaemonSets(), again.Cluster.DaemonSets()))
	require.NoError(t, dump.Write(&second, again))
	require.Equal(t, first.String(), second.String())
	require.NotContains(t, first.String(), "null")
}

func TestWriteKeepsEmptyObjectsThatMeanSomething(t *testing.T) {
	const desired = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\nmetadata: {name: agent}\nspec:\n  desired:\n    metadata: {name: agent}\n    spec:\n      template:\n        spec:\n          volumes:\n          - name: tools\n            emptyDir: {}\n          containers: [{name: agent, env: [{name: A, value: b}]}]\nstatus: {observedAt: \"2026-11-30T09:00:00Z\"}\n"
	_, snapshot := snapshotOf(t, desired)
	var out bytes.Buffer
	require.NoError(t, dump.Write(&out, snapshot))
	require.Contains(t, out.String(), "- emptyDir: {}\n            name: tools")
	_, again := snapshotOf(t, out.String())
	require.Empty(t, cmp.Diff(snapshot.Rollout, again.Rollout))
}

// The budget of a deployed DaemonSet is its own as long as it says one and the document none.
func TestTheBudgetOfADeployedDaemonSet(t *testing.T) {
	const namespace = "metadata: {namespace: datadog, name: agent}\n"
	const document = "apiVersion: agent-rollout/v1alpha1\nkind: Rollout\n" + namespace
	set := func(strategy string) string {
		return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {namespace: datadog, name: agent, uid: u, resourceVersion: \"1\"}\nspec: {updateStrategy: " + strategy + "}\n"
	}
	for _, test := range []struct{ strategy, given, want string }{
		{"{type: RollingUpdate, rollingUpdate: {maxUnavailable: 10%, maxSurge: 0}}", "", "10%"},
		{"{type: RollingUpdate, rollingUpdate: {maxUnavailable: 10%}}", ", maxUnavailable: 2", "2"},
		{"{type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}", "", "1"},
		{"{type: OnDelete}", "", "1"},
	} {
		d, snapshot := snapshotOf(t, set(test.strategy), document+"spec: {desiredFrom: {name: agent}, strategy: {type: RollingUpdate"+test.given+"}}\nstatus: {observedAt: \"2026-11-30T09:00:00Z\"}\n")
		require.Equal(t, test.want, snapshot.Rollout.WithDefaults().Spec.Strategy.MaxUnavailable.String())
		require.Equal(t, test.want == "10%", strings.Contains(strings.Join(d.Notes, "\n"), "10%, the DaemonSet's own, is taken"))
	}
}
