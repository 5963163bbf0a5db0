package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// small is the least scope in which two nodes are handed over.
func small(change ...func(*verify.Scope)) verify.Scope {
	s := verify.Scope{
		Prompt: true, Coarse: true, Start: model.Objects{Nodes: verify.Nodes(2, 0, 1, 2, 3)},
		Documents: []verify.Document{verify.Revision(1), verify.Revision(2)},
	}
	for _, f := range change {
		f(&s)
	}
	return s
}

// without leaves out actions of a plan.
func without(reason model.Reason) func(*verify.Scope) {
	return planned(func(_ *model.Snapshot, p *model.Plan) {
		p.Actions = slices.DeleteFunc(slices.Clone(p.Actions), func(a model.Action) bool { return a.Reason == reason })
	})
}

// planned changes plans.
func planned(change func(*model.Snapshot, *model.Plan)) func(*verify.Scope) {
	return func(s *verify.Scope) {
		s.Planner = func(snapshot *model.Snapshot) (model.Plan, error) {
			p, err := plan.Next(snapshot)
			change(snapshot, &p)
			return p, err
		}
	}
}

// told plans from a document that was changed.
func told(change func(*model.Rollout)) func(*verify.Scope) {
	return func(s *verify.Scope) {
		s.Planner = func(snapshot *model.Snapshot) (model.Plan, error) {
			r := *snapshot.Rollout
			change(&r)
			return plan.Next(&model.Snapshot{Cluster: snapshot.Cluster, Rollout: &r})
		}
	}
}

// unchecked lets an executor send without a last look, which would keep some of it off.
func unchecked(s *verify.Scope) {
	s.Validate = func(*model.Snapshot, *model.Plan) []plan.Violation { return nil }
}

func greedy(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = r.Spec.Strategy.MaxSurge }

func faults(kind world.Kind, values ...string) func(*verify.Scope) {
	return func(s *verify.Scope) {
		s.Most = 1
		for _, value := range append(values, "")[:max(1, len(values))] {
			s.Faults = append(s.Faults, verify.Fault{Kind: kind, Value: value})
		}
	}
}

func released(s *verify.Scope) {
	for i := range s.Documents {
		s.Documents[i].Rollout.Spec.Strategy.Overlap = model.Never
	}
}

var label = model.NewKeys("", "datadog", "agent").NodeSlot

// named is one of the scopes, after changing it.
func named(t *testing.T, name string, change func(*verify.Scope)) verify.Scope {
	scopes := verify.Scopes()
	i := slices.IndexFunc(scopes, func(s verify.Scope) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	change(&scopes[i])
	return scopes[i]
}

// literal is an executor that does not look again at moves that are free as the plan sees them.
func literal(s *verify.Scope) { s.Literal = true }

// seen plans on other nodes and Pods than there are.
func seen(node func(*corev1.Node), pod func(*corev1.Pod)) func(*verify.Scope) {
	return func(s *verify.Scope) {
		s.Planner = func(snapshot *model.Snapshot) (model.Plan, error) {
			o := model.Objects{DaemonSets: snapshot.Cluster.DaemonSets()}
			for i := range snapshot.Cluster.Len() {
				n := snapshot.Cluster.Node(i).DeepCopy()
				node(n)
				o.Nodes = append(o.Nodes, n)
				for _, p := range snapshot.Cluster.Pods(i) {
					p = p.DeepCopy()
					pod(p)
					o.Pods = append(o.Pods, p)
				}
			}
			o.Pods = append(o.Pods, snapshot.Cluster.Stray()...)
			cluster, err := model.NewCluster(o)
			if err != nil {
				return model.Plan{}, err
			}
			return plan.Next(&model.Snapshot{Cluster: cluster, Rollout: snapshot.Rollout})
		}
	}
}

// joined marks nodes as joining that had no agent when they were moved.
func joined(patch *model.Patch) *model.Patch {
	own := *patch
	own.Annotations = slices.Clone(patch.Annotations)
	for i := range own.Annotations {
		if to := own.Annotations[i].To; to != nil {
			text := strings.Replace(*to, " "+model.HandoffFree, " "+model.HandoffJoins, 1)
			own.Annotations[i].To = &text
		}
	}
	return &own
}

func asNode(*corev1.Node) {}
func asPod(*corev1.Pod)   {}

// aroundLost keeps a rollout that leaves the cluster from leaving a node out.
func aroundLost(s *verify.Scope) {
	planned(func(_ *model.Snapshot, p *model.Plan) {
		if p.Phase == model.PhaseGone && len(p.Exceptions) > 0 {
			p.Phase, p.ReleaseOwner = model.PhaseTearingDown, false
		}
	})(s)
}

// A search finds planners that have lost a rule, by every kind of property; its trace can be replayed.
func TestMutantsAreKilled(t *testing.T) {
	for _, c := range []struct {
		name  string
		scope verify.Scope
		kills string
	}{
		{"two handoffs at a time", small(told(greedy)), "S2"},
		{"two handoffs at a time take the agent from two nodes", small(told(greedy), unchecked), "S3"},
		{"what was issued is not known", small(told(func(r *model.Rollout) { r.Status.Issued = nil }), func(s *verify.Scope) { s.Lags = []world.Cache{world.NodeCache} }), "S7"},
		// No planner can keep it off: without locks the DaemonSet controller acts on the label at once.
		{"without locks a person's label runs two agents", small(released, faults(world.EditLabel, label+"=green")), "S1"},
		{"no candidate is recorded", small(planned(func(_ *model.Snapshot, p *model.Plan) {
			p.Actions = slices.DeleteFunc(slices.Clone(p.Actions), func(a model.Action) bool { return a.Kind == model.RecordCandidate })
		})), "L1"},
		{"completion is not recorded", small(without(model.RolloutComplete)), "L1"},
		{"a target that lost its source's locks keeps them", small(without(model.LocksSplit), faults(world.Crash)), "L1"},
		{"a return does not begin", small(without(model.ReturnBegun), func(s *verify.Scope) { s.Documents = append(s.Documents, verify.Revision(1)) }), "L5"},
		{"Pods are not waited for, nor their deadlines", small(func(s *verify.Scope) { s.Triggers = verify.Woken }, planned(func(_ *model.Snapshot, p *model.Plan) {
			p.WakeOn = slices.DeleteFunc(slices.Clone(p.WakeOn), func(kind string) bool { return kind == "Pod" })
			p.RequeueAfter = 0
		})), "L1"},
		{"only what the plan calls paid is looked at again", named(t, "delete-first, Pod cache lags, and two Pods were not there for a while", literal), "S2 in truth"},
		{"whoever had no agent when it was moved joins", named(t, "locked, young nodes, and a newer revision", planned(func(_ *model.Snapshot, p *model.Plan) {
			for i := range p.Actions {
				if patch := p.Actions[i].Write.Patch; patch != nil {
					p.Actions[i].Write.Patch = joined(patch)
				}
			}
		})), "S2 in truth"},
		{"a Pod that has fallen says nothing of a young node", named(t, "delete-first, young nodes, of which one falls", seen(asNode, func(p *corev1.Pod) {
			p.Status.StartTime = nil
		})), "S2"},
		{"a node is emptied whatever its room", named(t, "released, a node without room, and a newer revision", seen(func(n *corev1.Node) {
			n.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("8")
		}, asPod)), "S4"},
		{"what admission adds to a Pod is not seen", named(t, "prepared surge, admission adds a container", seen(asNode, func(p *corev1.Pod) {
			p.Spec.Containers = slices.DeleteFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.Name == world.Injected })
		})), "S4"},
		{"a teardown waits for a lost node for ever", named(t, "arming on a node that cannot start it, teardown", aroundLost), "L9"},
		{"an opt-out waits for a lost node for ever", named(t, "arming on a node that cannot start it, opt-out", aroundLost), "L9"},
		{"a lost trigger is not made good", small(func(s *verify.Scope) { s.Triggers = verify.Polled }, planned(func(_ *model.Snapshot, p *model.Plan) { p.RequeueAfter = 0 })), "L1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, err := verify.New(c.scope)
			require.NoError(t, err)
			result, err := m.Run(verify.Options{})
			require.NoError(t, err)
			at := slices.IndexFunc(result.Violations, func(v explore.Violation) bool { return v.Property == c.kills })
			require.GreaterOrEqual(t, at, 0, "survives: %s", result)
			t.Log(result.Violations[at].Error())
			_, err = explore.Replay(m, result.Violations[at].Trace)
			require.NoError(t, err, "the trace can be replayed")
		})
	}
}

// An executor that reports nothing as issued breaks the budget's account as soon as a cache lags; one that does, does not.
func TestIssuedActionsAreNeeded(t *testing.T) {
	for _, forgetful := range []bool{true, false} {
		m, err := verify.New(small(func(s *verify.Scope) { s.Lags, s.Forgetful = []world.Cache{world.NodeCache}, forgetful }))
		require.NoError(t, err)
		result, err := m.Run(verify.Options{})
		require.NoError(t, err)
		require.True(t, result.Exhaustive())
		if !forgetful {
			require.Empty(t, result.Violations)
			continue
		}
		at := slices.IndexFunc(result.Violations, func(v explore.Violation) bool { return v.Property == "S7" })
		require.GreaterOrEqual(t, at, 0, "%s", result)
		t.Log(result.Violations[at].Error())
	}
}

// A search that meets a witness too rarely fails.
func TestRareWitnessesFail(t *testing.T) {
	m, err := verify.New(small(func(s *verify.Scope) { s.Witnesses = []verify.Witness{{What: "HandoffPrepared", Least: 1_000_000}} }))
	require.NoError(t, err)
	_, err = m.Run(verify.Options{})
	var rare *verify.RareError
	require.ErrorAs(t, err, &rare)
	require.Positive(t, rare.Met)

	m, err = verify.New(small(func(s *verify.Scope) { s.Witnesses = []verify.Witness{{What: "fault Crash", Least: 1}} }))
	require.NoError(t, err)
	result, err := m.Run(verify.Options{})
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, explore.NeverMet, result.Violations[0].Kind)
}

func TestScopesThatCannotBe(t *testing.T) {
	_, err := verify.New(verify.Scope{})
	require.ErrorContains(t, err, "a scope needs a document")
	_, err = verify.New(small(func(s *verify.Scope) { s.Most = verify.MostFaults + 1 }))
	require.ErrorContains(t, err, "at most 15")
}

// What the scopes together must reach, or the whole proves nothing.
func TestScopesLookAtWhatMatters(t *testing.T) {
	least := map[string]int64{}
	names := map[string]bool{}
	for _, s := range verify.Scopes() {
		require.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		require.NotEmpty(t, s.Witnesses, s.Name)
		for _, w := range s.Witnesses {
			if !s.Long {
				least[w.What] += w.Least
			}
		}
	}
	for _, what := range []string{"HandoffPrepared", "ReleaseSource", "ReturnBegun", "TakeBack", "CapacityFallback", "LocksSplit", "Blocked", "Remembered", "NodeFenced", "SlotMissing",
		"CanaryValidated", "CanaryPaused", "CanaryFailed", "StaleRevision", "UpdateStep"} {
		require.Positive(t, least[what], "no scope of the quick run must reach %s", what)
	}
}
