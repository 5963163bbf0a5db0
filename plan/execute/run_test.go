package execute

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// apiError has a status, as the errors of a client have.
func apiError(code int) error {
	reasons := map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict, 422: metav1.StatusReasonInvalid}
	if reason, ok := reasons[code]; ok {
		return &world.Error{Reason: reason}
	}
	return status(code)
}

type status int

func (s status) Error() string         { return "status" }
func (s status) Status() metav1.Status { return metav1.Status{Code: int32(s)} }

// page is a run with two nodes before it, at an instant that goes on.
type page struct {
	*Run
	nodes   []*corev1.Node
	rollout *model.Rollout
	now     time.Time
}

func newPage(id string) *page {
	p := &page{Run: New(id), nodes: worldtest.Nodes(2), rollout: &model.Rollout{}, now: worldtest.Start}
	p.show()
	return p
}

func (p *page) cluster() *model.Cluster {
	cluster, err := model.NewCluster(model.Objects{Nodes: p.nodes})
	if err != nil {
		panic(err)
	}
	return cluster
}

func (p *page) show() *model.Snapshot { return p.Snapshot(p.cluster(), p.rollout, p.now) }

// label is a plan that labels a node.
func label(node string, premises ...model.Premise) *model.Plan {
	return &model.Plan{ObservedAt: metav1.NewTime(worldtest.Start), Actions: []model.Action{{
		Kind: model.SetNodeSlot, Node: node, Premises: premises,
		Write: model.Write{Object: model.ObjectRef{Kind: "Node", Name: node, UID: types.UID("node-" + node)}, Patch: &model.Patch{}},
	}}}
}

// send sends all of the plan with one result, and tells how many were sent, with the last error.
func (p *page) send(next *model.Plan, result Result) (sent int, err error) {
	for step := range p.Steps(next) {
		if step.Write() != nil {
			sent++
		}
		err = step.Done(result)
	}
	return sent, err
}

func TestOutcome(t *testing.T) {
	node := worldtest.Nodes(1)[0]
	tests := []struct {
		name    string
		err     error
		want    outcome
		guarded bool
	}{
		{"done", nil, applied, true},
		{"a time-out", errors.New("deadline exceeded"), unknown, true},
		{"bad request", apiError(400), refused, false},
		{"forbidden", apiError(403), refused, false},
		{"gone", apiError(404), refused, true},
		{"time-out of the server", apiError(408), unknown, false},
		{"conflict", apiError(409), refused, true},
		{"a test that failed", apiError(422), refused, true},
		{"too many", apiError(429), refused, false},
		{"a broken server", apiError(500), unknown, false},
		{"no answer from behind", apiError(504), unknown, false},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Outcome(node, test.err).outcome, test.name)
		require.Equal(t, test.guarded, guarded(test.err), test.name)
	}
	require.Equal(t, []string{"applied", "refused", "unknown", "unknown"},
		[]string{Applied(node).String(), Refused(apiError(409)).String(), Unknown(apiError(500)).String(), Result{}.String()})
	require.Equal(t, &model.Result{UID: node.UID, ResourceVersion: "1"}, Outcome(node, nil).result)
	require.Equal(t, &model.Result{}, Applied(nil).result)
}

// What is applied is charged until the cache is as new; no read is needed for that.
func TestAppliedIsForgottenWhenTheCacheShowsIt(t *testing.T) {
	p := newPage("")
	sent, err := p.send(label("n0001"), Stored(model.Result{UID: "node-n0001", ResourceVersion: "7"}))
	require.NoError(t, err)
	require.Equal(t, 1, sent)
	require.Len(t, p.show().Rollout.Status.Issued, 1)
	require.False(t, p.Reads(p.now.Add(time.Hour)).Any())
	p.nodes[0].ResourceVersion = "7"
	require.Empty(t, p.show().Rollout.Status.Issued)
}

// A DaemonSet that was created and is gone again before a cache has shown it never shows: a live read tells.
func TestWhatWasCreatedMayBeGone(t *testing.T) {
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: "u", ResourceVersion: "5"}}
	other := set.DeepCopy()
	other.UID = "another"
	ref := model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent"}
	for _, test := range []struct {
		name string
		live []*appsv1.DaemonSet
		kept int
	}{{"gone", nil, 0}, {"another one is there", []*appsv1.DaemonSet{other}, 0}, {"the cache is late", []*appsv1.DaemonSet{set}, 1}} {
		p := newPage("")
		next := &model.Plan{Actions: []model.Action{{Kind: model.CreateSlot, Write: model.Write{Object: ref, Create: set}}}}
		_, err := p.send(next, Stored(model.Result{UID: "u", ResourceVersion: "5"}))
		require.NoError(t, err)
		require.Len(t, p.show().Rollout.Status.Issued, 1)
		require.Equal(t, Patience, p.After(next, p.now), test.name)
		require.False(t, p.Reads(p.now.Add(Patience-time.Second)).Any(), "%s: the cache has its time", test.name)
		p.now = p.now.Add(Patience)
		reads := p.Reads(p.now)
		require.Equal(t, Reads{Objects: []model.ObjectRef{ref}}, reads, test.name)
		require.NoError(t, p.Read(reads, model.Objects{DaemonSets: test.live}, p.now))
		require.Len(t, p.show().Rollout.Status.Issued, test.kept, test.name)
		require.False(t, p.Reads(p.now.Add(Patience-time.Second)).Any(), "%s: it is not asked all the time", test.name)
	}
}

// An unknown outcome is charged until its deadline and a live read, and then until the cache is as new as that.
func TestUnknownIsSettledByALiveRead(t *testing.T) {
	p := newPage("")
	_, err := p.send(label("n0001"), Unknown(errLost))
	require.ErrorIs(t, err, errLost)
	p.now = p.now.Add(time.Second)
	require.Len(t, p.show().Rollout.Status.Issued, 1)
	require.Equal(t, DefaultRequestTimeout, p.After(&model.Plan{}, p.now))
	require.False(t, p.Reads(p.now.Add(DefaultRequestTimeout-1)).Any(), "it can still land")
	p.now = p.now.Add(DefaultRequestTimeout)
	reads := p.Reads(p.now)
	require.Equal(t, []model.ObjectRef{label("n0001").Actions[0].Write.Object}, reads.Objects)
	live := p.nodes[0].DeepCopy()
	live.ResourceVersion = "7"
	require.NoError(t, p.Read(reads, model.Objects{Nodes: []*corev1.Node{live}}, p.now))
	require.Len(t, p.show().Rollout.Status.Issued, 1, "the cache is older than the read")
	require.False(t, p.Reads(p.now).Any())
	p.nodes[0] = live
	require.Empty(t, p.show().Rollout.Status.Issued)
}

func TestSettle(t *testing.T) {
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: "u", ResourceVersion: "5", Generation: 2}}
	ending := set.DeepCopy()
	ending.DeletionTimestamp = &metav1.Time{Time: worldtest.Start}
	other := set.DeepCopy()
	other.UID = "another"
	found, gone := &model.Result{UID: "u", ResourceVersion: "5", Generation: 2}, &model.Result{UID: "u"}
	create, patch, remove := model.Write{Create: set}, model.Write{Patch: &model.Patch{}}, model.Write{Delete: &model.Delete{}}
	tests := []struct {
		name  string
		write model.Write
		live  metav1.Object
		want  *model.Result // nil: it is forgotten
	}{
		{"created", create, set, found},
		{"not created", create, nil, nil},
		{"patched or not", patch, set, found},
		{"its object is gone", patch, nil, gone},
		{"its object is another one", patch, other, gone},
		{"being deleted", remove, ending, found},
		{"not deleted", remove, set, nil},
		{"deleted", remove, nil, gone},
		{"deleted and made anew", remove, other, gone},
	}
	for _, test := range tests {
		issued := model.Issued{Action: model.Action{Write: test.write}}
		issued.Action.Write.Object.UID = "u"
		require.Equal(t, test.want != nil, settle(&issued, test.live, worldtest.Start), test.name)
		require.Equal(t, test.want, issued.Result, test.name)
	}
}

// A refusal waits for another version of the object; if there is none, it is tried once more, and then it is an error.
func TestRefusedWaitsForTheCache(t *testing.T) {
	for _, code := range []int{404, 409, 422} {
		p := newPage("")
		try := func(want int) error {
			p.show()
			sent, err := p.send(label("n0001"), Refused(apiError(code)))
			require.Equal(t, want, sent)
			return err
		}
		require.NoError(t, try(1))
		require.NoError(t, try(0))
		require.Equal(t, Patience, p.After(&model.Plan{}, p.now))
		p.nodes[0] = p.nodes[0].DeepCopy()
		p.nodes[0].ResourceVersion = "2"
		require.NoError(t, try(1), "the cache shows another version")
		p.now = p.now.Add(time.Second)
		require.NoError(t, try(0))
		p.now = p.now.Add(Patience)
		require.Error(t, try(1), "no cache was too old")
		p.show()
		p.now = p.now.Add(2 * Patience)
		p.show()
		require.Empty(t, p.State().Holds, "nobody asks for it any more")
	}
	patient := newPage("")
	patient.Run = Resume(State{Patience: metav1.Duration{Duration: time.Hour}})
	patient.show()
	_, err := patient.send(label("n0001"), Refused(apiError(409)))
	require.NoError(t, err)
	patient.show()
	patient.now = patient.now.Add(2 * Patience)
	patient.show()
	sent, _ := patient.send(label("n0001"), Refused(apiError(409)))
	require.Zero(t, sent, "its patience is its own")
	p := newPage("")
	_, err = p.send(label("n0001"), Refused(apiError(403)))
	require.Error(t, err)
	require.Empty(t, p.State().Holds)
}

// The owner is in no cluster: its patch is not sent again before its annotations show something else.
func TestTheOwnerIsWrittenOnce(t *testing.T) {
	p := newPage("")
	yes := "yes"
	record := &model.Plan{Actions: []model.Action{{Write: model.Write{
		Object: model.ObjectRef{Kind: "DatadogAgent", Name: "agent", UID: "owner"}, Patch: &model.Patch{Annotations: []model.Edit{{Key: "mode", To: &yes}}},
	}}}}
	for _, want := range []int{1, 0} {
		sent, err := p.send(record, Stored(model.Result{}))
		require.NoError(t, err)
		require.Equal(t, want, sent)
		require.Empty(t, p.show().Rollout.Status.Issued)
	}
	p.rollout.Metadata.Annotations = map[string]string{"mode": "yes"}
	p.show()
	require.Empty(t, p.State().Holds)
	_, err := p.send(record, Unknown(errLost))
	require.Error(t, err)
	require.Len(t, p.show().Rollout.Status.Issued, 1)
	p.now = p.now.Add(DefaultRequestTimeout)
	require.False(t, p.Reads(p.now).Any(), "no client has to read an owner")
	require.Empty(t, p.show().Rollout.Status.Issued)
}

// Whoever leaves a step after its write has left an unknown outcome; before that nothing was sent.
func TestStepsThatAreLeft(t *testing.T) {
	p := newPage("")
	for range p.Steps(label("n0001")) {
		break
	}
	require.Empty(t, p.State().Issued)
	for step := range p.Steps(label("n0001")) {
		require.NotNil(t, step.Write())
		require.Nil(t, step.Write(), "it is sent once")
		break
	}
	require.Len(t, p.State().Issued, 1)
	require.Nil(t, p.State().Issued[0].Result)
}

// What has premises is not sent unseen, and waits for the cache if it is not confirmed.
func TestNothingIsSentUnseen(t *testing.T) {
	p := newPage("")
	next := label("n0001", model.Premise{Kind: model.PremiseSeatLeft})
	sent, err := p.send(next, Stored(model.Result{}))
	require.NoError(t, err)
	require.Zero(t, sent)
	for step := range p.Steps(next) {
		require.True(t, step.NeedsFresh())
		require.Equal(t, []string{"n0001"}, step.Reads().PodsOn)
		require.NoError(t, step.Confirm(step.Reads().From(p.cluster()), p.now), "nothing differs")
		require.False(t, step.NeedsFresh())
		break
	}
	for step := range p.Steps(next) {
		require.ErrorContains(t, step.Confirm(model.Objects{}, p.now), "node n0001 is gone")
		require.Nil(t, step.Write())
	}
	for range p.Steps(next) {
		t.Error("the cache still shows the node")
	}
	require.Empty(t, p.State().Issued)
}

// A new run hands nothing over before its predecessor's requests have ended, everything is listed, and the caches are as new.
func TestANewRunLists(t *testing.T) {
	p := newPage("a")
	require.Equal(t, DefaultRequestTimeout, p.After(&model.Plan{}, p.now))
	require.False(t, p.Reads(p.now.Add(DefaultRequestTimeout-1)).All)
	p.now = p.now.Add(DefaultRequestTimeout)
	require.Equal(t, Reads{All: true}, p.Reads(p.now))
	live := p.nodes[0].DeepCopy()
	live.ResourceVersion = "9"
	require.NoError(t, p.Read(Reads{All: true}, model.Objects{Nodes: []*corev1.Node{live, p.nodes[1]}}, p.now))
	require.False(t, p.show().Rollout.Status.Executor.Listed, "the caches are older than the list")
	require.Equal(t, soon, p.After(&model.Plan{}, p.now))
	require.False(t, p.Reads(p.now).Any())
	p.nodes[0] = live
	executor := p.show().Rollout.Status.Executor
	require.True(t, executor.Listed)
	_, settled := executor.Settled(p.now)
	require.True(t, settled)
	require.False(t, p.Reads(p.now.Add(time.Hour)).Any())
}

// What was listed and is deleted since, the last of its kind, no cache can show: the list is read again.
func TestANewRunListsAgain(t *testing.T) {
	p := newPage("a")
	p.now = p.now.Add(DefaultRequestTimeout)
	gone := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "b", UID: "c", ResourceVersion: "9"}}
	require.NoError(t, p.Read(Reads{All: true}, model.Objects{Nodes: p.nodes, DaemonSets: []*appsv1.DaemonSet{gone}}, p.now))
	p.now = p.now.Add(Patience - 1)
	require.False(t, p.show().Rollout.Status.Executor.Listed)
	require.False(t, p.Reads(p.now).Any())
	p.now = p.now.Add(1)
	require.Equal(t, Reads{All: true}, p.Reads(p.now))
	require.NoError(t, p.Read(Reads{All: true}, model.Objects{Nodes: p.nodes}, p.now))
	require.True(t, p.show().Rollout.Status.Executor.Listed)
}

func TestACacheIsAsNewAsAList(t *testing.T) {
	nodes := func(versions ...string) (list []*corev1.Node) {
		for i, version := range versions {
			if version != "" {
				list = append(list, &corev1.Node{ObjectMeta: metav1.ObjectMeta{UID: types.UID(rune('a' + i)), ResourceVersion: version}})
			}
		}
		return list
	}
	tests := []struct {
		name       string
		view, list []*corev1.Node
		want       bool
	}{
		{"nothing", nil, nil, true},
		{"the same", nodes("5", "6"), nodes("5", "6"), true},
		{"one is older", nodes("4", "6"), nodes("5", "6"), false},
		{"one is newer", nodes("10", "6"), nodes("9", "6"), true},
		{"one is missing", nodes("5"), nodes("5", "6"), false},
		{"one was deleted since", nodes("", "9"), nodes("5", "6"), true},
		{"one that is gone is still shown", nodes("5", "6"), nodes("", "6"), false},
		{"one was made since", nodes("5", "6", "7"), nodes("5", "6"), true},
	}
	for _, test := range tests {
		require.Equal(t, test.want, newer(test.view, test.list), test.name)
	}
}

// A state can be written and compared, and clones go their own ways.
func TestStateIsAValue(t *testing.T) {
	p := newPage("a")
	_, _ = p.send(label("n0001"), Stored(model.Result{UID: "node-n0001", ResourceVersion: "7"}))
	_, _ = p.send(label("n0002"), Refused(apiError(409)))
	p.show()
	before := p.State()
	text, err := json.Marshal(before)
	require.NoError(t, err)
	var read State
	require.NoError(t, json.Unmarshal(text, &read))
	again, err := json.Marshal(Resume(read).State())
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))

	one, other := p.Clone(), p.Clone()
	for _, node := range []string{"n0003", "n0004"} {
		_, _ = (&page{Run: one}).send(label(node), Unknown(errLost))
	}
	_, _ = (&page{Run: other}).send(label("n0005"), Unknown(errLost))
	one.Snapshot(p.cluster(), p.rollout, p.now.Add(time.Second))
	require.Equal(t, before, p.State())
	require.Len(t, other.State().Issued, 2)
	require.Equal(t, "n0005", other.State().Issued[1].Action.Node)
}

// With nothing to do a run makes nothing but the snapshot and its document.
func TestNothingToDoCostsNothing(t *testing.T) {
	p, nothing := newPage("a"), &model.Plan{}
	cluster := p.cluster()
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { p.Snapshot(cluster, p.rollout, p.now) }), 2.0)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _, _ = p.Reads(p.now), p.Needs(nothing), p.After(nothing, p.now)
		for range p.Steps(nothing) {
			t.Error("a step of nothing")
		}
	}))
}

// Every reason that a Blocked condition can have is decided: mended by somebody, or the rollout's own course.
func TestWhatIsAnError(t *testing.T) {
	faults := 0
	for _, reason := range model.Reasons() {
		next := &model.Plan{Conditions: []metav1.Condition{{Type: model.ConditionBlocked, Status: metav1.ConditionTrue, Reason: string(reason), Message: "why"}}}
		if err := Blocked(next); err != nil {
			require.Equal(t, &BlockedError{Reason: reason, Message: "why"}, err)
			faults++
		}
	}
	require.Equal(t, 9, faults)
	for _, course := range []model.Reason{model.FailedHold, model.PartitionReached, model.BudgetSpent, model.RevisionRemembered, model.ReadinessLost, model.CanaryAwaited} {
		require.False(t, isFault(course), course)
	}
	require.NoError(t, Blocked(&model.Plan{}))
}

// The numbers are those of the pair: a node with two Pods counts once, and one that the agent has left is misscheduled.
func TestStatus(t *testing.T) {
	g := newGame(once, embedding{}, model.Strategy{Overlap: model.Locked, MaxUnavailable: number(1)}, 3, true)
	g.untilSeat()
	snapshot := g.run.view
	next, err := g.planner.Next(snapshot)
	require.NoError(t, err)
	require.Positive(t, next.Pair.InOverlap)
	require.Equal(t, appsv1.DaemonSetStatus{DesiredNumberScheduled: 3, CurrentNumberScheduled: 3, NumberReady: 3, NumberAvailable: 3}, Status(snapshot, &next))
	g.do(world.Transition{Kind: world.TaintNode, Node: "n0001", Value: "reserved:NoSchedule"})
	g.rest()
	g.reconcile(false)
	require.Equal(t, appsv1.DaemonSetStatus{DesiredNumberScheduled: 2, CurrentNumberScheduled: 2, NumberReady: 2, NumberAvailable: 2, NumberMisscheduled: 1}, Status(g.run.view, &g.last))

	values := map[string]float64{}
	for _, m := range Metrics(g.run, &g.last) {
		require.NotContains(t, values, m.Name)
		require.NotEmpty(t, m.Help)
		values[m.Name] = m.Value
	}
	require.Equal(t, 2.0, values["agent_rollout_nodes_eligible"])
	require.Equal(t, 1.0, values["agent_rollout_limit_unavailable"])
}
