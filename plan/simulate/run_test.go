package simulate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// native plans nothing: the native controller rolls. It is complete when every Pod is updated and ready.
func native(s *model.Snapshot) (model.Plan, error) {
	p := model.Plan{Phase: model.PhaseAdvancing}
	set := s.Cluster.DaemonSet(worldtest.Namespace, "agent")
	if n := int32(s.Cluster.Len()); set.Status.ObservedGeneration == set.Generation && set.Status.UpdatedNumberScheduled == n && set.Status.NumberAvailable == n {
		p.Phase = model.PhaseSteady
	}
	return p, nil
}

// deleteFirst is a small planner over one OnDelete DaemonSet: it deletes Pods of another image, at most
// budget of which may be missing, unready, terminating or issued.
func deleteFirst(image string, budget int) simulate.Planner {
	return func(s *model.Snapshot) (model.Plan, error) {
		p := model.Plan{Phase: model.PhaseSteady}
		gone, issued := 0, map[string]bool{}
		for _, i := range s.Rollout.Status.Issued {
			issued[i.Action.Node] = true
		}
		var old []model.Action
		for i := range s.Cluster.Len() {
			node, served := s.Cluster.Node(i).Name, false
			for _, pod := range s.Cluster.Pods(i) {
				ready, _ := model.ReadySince(pod)
				if model.Terminating(pod) || !ready || issued[node] {
					continue
				}
				served = true
				if pod.Spec.Containers[0].Image != image {
					old = append(old, model.Action{Kind: model.DeletePod, Node: node, Write: model.Write{
						Object: model.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
						Delete: &model.Delete{Propagation: metav1.DeletePropagationBackground}}})
				}
			}
			if !served {
				gone++
			}
		}
		p.Actions = old[:min(len(old), max(0, budget-gone))]
		p.Ledger.Committed = gone + len(p.Actions)
		if gone > 0 || len(old) > 0 {
			p.Phase = model.PhaseAdvancing
		}
		return p, nil
	}
}

// cluster is a world in which the DaemonSet agent runs agent:1 everywhere.
func cluster(t testing.TB, nodes int, o world.Options, edits ...func(*appsv1.DaemonSet)) *world.World {
	t.Helper()
	snapshot := worldtest.Snapshot(worldtest.Nodes(nodes), nil, worldtest.Set("agent", "1", edits...))
	snapshot.Rollout = rollout()
	w, err := world.New(snapshot, o)
	require.NoError(t, err)
	return settled(t, w)
}

// settled lets everything happen that happens by itself.
func settled(t testing.TB, w *world.World) *world.World {
	t.Helper()
	now := worldtest.Start
	places := w.Changed()
	for len(places.Nodes)+len(places.Sets) > 0 {
		for _, name := range places.Nodes {
			for list := w.EnabledOn(now, name); len(list) > 0; list = w.EnabledOn(now, name) {
				_, err := w.Do(now, list[0])
				require.NoError(t, err)
			}
		}
		for _, name := range places.Sets {
			for list := w.EnabledOf(now, name); len(list) > 0; list = w.EnabledOf(now, name) {
				_, err := w.Do(now, list[0])
				require.NoError(t, err)
			}
		}
		places = w.Changed()
	}
	for _, cache := range world.Caches() {
		w.DeliverUntil(cache, now)
	}
	return w
}

func rollout() *model.Rollout {
	return &model.Rollout{
		Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "agent"},
		Spec:     model.Spec{Strategy: model.Strategy{MaxUnavailable: ptr(intstr.FromInt32(2)), SettleSeconds: ptr(int32(0))}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(worldtest.Start)},
	}
}

func ptr[T any](value T) *T { return &value }

// upgrade is the fault that starts a native rollout: somebody sets the image.
func upgrade(at time.Duration, image string) simulate.Fault {
	return simulate.Fault{At: at, Transition: world.Transition{Kind: world.EditTemplate, Set: "datadog/agent", Container: "agent", Value: image}}
}

func TestNativeRollingUpdate(t *testing.T) {
	for _, test := range []struct {
		name             string
		surge            bool
		unserved, double int
	}{
		{"maxUnavailable 2", false, 2, 0},
		{"maxSurge 2", true, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := cluster(t, 7, world.Options{}, worldtest.Rolling(intstr.FromInt32(2), test.surge))
			r, err := simulate.Run(w, native, simulate.Options{
				Rollout: rollout(), Faults: []simulate.Fault{upgrade(time.Second, "agent:2")}, AllowDouble: true,
			})
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome)
			require.Empty(t, r.Writes, "the planner did nothing")
			require.Greater(t, r.Duration, 4*time.Minute, "four batches with a pull each")
			require.Less(t, r.Duration, 8*time.Minute)
			require.Equal(t, test.double > 0, r.Double != nil, "a surge without locks runs two at a time")
			served, lost := 0, 0
			for _, e := range r.Timeline {

				switch e.What {
				case simulate.LostService:
					lost++
				case simulate.Served:
					served++
				}
			}
			require.Equal(t, served, lost)
			require.Equal(t, test.unserved > 0, lost > 0)
		})
	}
}

func TestDeleteFirst(t *testing.T) {
	w := cluster(t, 7, world.Options{})
	most := 0
	r, err := simulate.Run(w, deleteFirst("agent:2", 2), simulate.Options{
		Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2")},
		OnStep: func(s *model.Snapshot, p *model.Plan) error {
			most = max(most, len(p.Actions))
			return nil
		},
	})
	require.NoError(t, err)
	require.Equal(t, simulate.Complete, r.Outcome)
	require.Equal(t, 2, most)
	require.Equal(t, 2, r.MostUnserved)
	require.Equal(t, 2, r.MostUnavailable)
	require.Equal(t, []simulate.WriteCount{{Verb: "delete", Object: "Pod", Kind: model.DeletePod, Done: 7}}, r.Writes)
	require.Len(t, r.Gaps, 7)
	sum := time.Duration(0)
	for _, gap := range r.Gaps {
		require.False(t, gap.Open)
		require.Equal(t, gap.Longest, gap.Total, "one gap a node")
		require.Greater(t, gap.Total, time.Minute, "the pull is part of the gap")
		sum += gap.Total
	}
	require.Equal(t, sum, r.NodeTime)
	require.Zero(t, r.MostOverlap)
	require.Equal(t, 7, r.Bound.Nodes)
	require.Equal(t, 2, r.Bound.Budget)
	require.Equal(t, 4*r.Bound.Handoff+r.Bound.Preparation, r.Bound.Total)
	require.Greater(t, r.Duration, r.Bound.Total)
	require.False(t, r.ReachesBound())
}

// Without the list of issued actions a planner with lagging caches spends its budget twice.
func TestIssuedActionsKeepABudgetBehindLaggingCaches(t *testing.T) {
	run := func(forget bool) simulate.Result {
		counts, greedy, deleted := deleteFirst("agent:2", 1), deleteFirst("agent:2", 99), map[string]bool{}
		r, err := simulate.Run(cluster(t, 5, world.Options{Lagging: true}), func(s *model.Snapshot) (model.Plan, error) {
			if forget {
				s.Rollout.Status.Issued = nil
			}
			// It remembers only which Pods it has deleted, and takes the next one while its budget lasts.
			p, err := counts(s)
			room := len(p.Actions)
			p.Actions = nil
			next, _ := greedy(s)
			for _, a := range next.Actions {
				if room > 0 && !deleted[a.Node] {
					room, deleted[a.Node], p.Actions = room-1, true, append(p.Actions, a)
				}
			}
			return p, err
		}, simulate.Options{
			Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2")}, Timings: simulate.Timings{CacheLag: 10 * time.Second},
		})
		require.NoError(t, err)
		require.Equal(t, simulate.Complete, r.Outcome)
		return r
	}
	require.Equal(t, 1, run(false).MostUnserved)
	require.Greater(t, run(true).MostUnserved, 1)
}

func TestOutcomes(t *testing.T) {
	blocked := metav1.Condition{Type: model.ConditionBlocked, Status: metav1.ConditionTrue, Reason: "LockSchema", Message: "disable it first"}
	for _, test := range []struct {
		name      string
		behaviour map[string]world.Behaviour
		planner   simulate.Planner
		want      simulate.Outcome
		reason    string
		lasts     time.Duration // at least
	}{
		{"complete", nil, deleteFirst("agent:2", 2), simulate.Complete, "", time.Minute},
		{"the image is bad: nothing asks for another plan", map[string]world.Behaviour{"agent:2": world.PullFails}, deleteFirst("agent:2", 2), simulate.Stuck, "", 0},
		{"a crash loop is no progress", map[string]world.Behaviour{"agent:2": world.CrashLoops}, deleteFirst("agent:2", 2), simulate.Stuck, "", 0},
		{"never ready", map[string]world.Behaviour{"agent:2": world.NeverReady}, deleteFirst("agent:2", 2), simulate.Stuck, "", 0},
		{"blocked", nil, func(*model.Snapshot) (model.Plan, error) {
			return model.Plan{Phase: model.PhaseBlocked, Conditions: []metav1.Condition{blocked}}, nil
		}, simulate.Blocked, "LockSchema", 0},
		{"a timer alone goes on until nothing has moved for long", nil, func(*model.Snapshot) (model.Plan, error) {
			return model.Plan{Phase: model.PhaseHeld, RequeueAfter: time.Minute, Waits: []model.Wait{{Reason: "SlotNotObserved"}}}, nil
		}, simulate.Stuck, "SlotNotObserved", 2*time.Hour - time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := simulate.Run(cluster(t, 3, world.Options{Behaviour: test.behaviour}), test.planner, simulate.Options{
				Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2")},
			})
			require.NoError(t, err)
			require.Equal(t, test.want, r.Outcome)
			require.Equal(t, test.reason, r.Reason)
			require.GreaterOrEqual(t, r.Duration, test.lasts)
			require.Less(t, r.Duration, 3*time.Hour)
		})
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	base := simulate.Options{Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2")}}
	with := func(edit func(*simulate.Options)) simulate.Options {
		o := base
		edit(&o)
		return o
	}
	for _, test := range []struct {
		name    string
		planner simulate.Planner
		o       simulate.Options
		is      func(error) bool
	}{
		{"no planner", nil, base, func(err error) bool { return err != nil }},
		{"the planner fails", func(*model.Snapshot) (model.Plan, error) { return model.Plan{}, broken }, base, func(err error) bool { return errors.Is(err, broken) }},
		{"an invariant fails", deleteFirst("agent:2", 2), with(func(o *simulate.Options) {
			o.OnStep = func(*model.Snapshot, *model.Plan) error { return broken }
		}), func(err error) bool { return errors.Is(err, broken) }},
		{"too many steps", deleteFirst("agent:2", 2), with(func(o *simulate.Options) { o.MaxSteps = 20 }), func(err error) bool {
			var steps *simulate.StepsError
			return errors.As(err, &steps) && steps.Steps == 20
		}},
		{"a fault without an end of its own", deleteFirst("agent:2", 2), with(func(o *simulate.Options) {
			o.Faults = []simulate.Fault{{Transition: world.Transition{Kind: world.KillPod}, Until: time.Minute}}
		}), func(err error) bool { return err != nil }},
		{"a fault that ends before it begins", deleteFirst("agent:2", 2), with(func(o *simulate.Options) {
			o.Faults = []simulate.Fault{{At: time.Hour, Transition: world.Transition{Kind: world.BreakNode}, Until: time.Minute}}
		}), func(err error) bool { return err != nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := simulate.Run(cluster(t, 3, world.Options{}), test.planner, test.o)
			require.True(t, test.is(err), "%v", err)
		})
	}

	t.Run("two processes at a time", func(t *testing.T) {
		w := cluster(t, 3, world.Options{}, worldtest.Rolling(intstr.FromInt32(1), true))
		_, err := simulate.Run(w, native, base)
		var double *world.DoubleError
		require.ErrorAs(t, err, &double)
	})
}

func TestSameSeedSameTimeline(t *testing.T) {
	run := func(seed uint64, faults ...simulate.Fault) []string {
		r, err := simulate.Run(cluster(t, 6, world.Options{Lagging: true}), deleteFirst("agent:2", 2), simulate.Options{
			Rollout: rollout(), Seed: seed, Detail: true, Faults: append([]simulate.Fault{upgrade(0, "agent:2")}, faults...),
			Timings: simulate.Timings{CacheLag: time.Second},
		})
		require.NoError(t, err)
		require.Equal(t, simulate.Complete, r.Outcome)
		var lines []string
		for _, e := range r.Timeline {
			if e.Event != nil && e.Event.Kind == world.WriteStatus {
				continue // all nodes share it
			}
			text, err := json.Marshal([]any{e.At, e.Node, e.What.String(), e.Event, e.Action})
			require.NoError(t, err)
			lines = append(lines, string(text))
		}
		return lines
	}
	first := run(1)
	require.Equal(t, first, run(1))
	require.NotEqual(t, first, run(2))
	require.Greater(t, len(first), 90)

	// One more event on a node leaves what happens on the others at its time.
	disturbed := run(1, simulate.Fault{At: 30 * time.Second, Transition: world.Transition{Kind: world.CordonNode, Node: "n0006"}})
	added := map[string]bool{}
	for _, line := range disturbed {
		added[line] = true
	}
	missing := 0
	for _, line := range first {
		if !added[line] {
			missing++
		}
	}
	require.Zero(t, missing, "a cordon changes nothing for the rest")
}

func TestFaultsEnd(t *testing.T) {
	down := simulate.Fault{At: time.Minute, Transition: world.Transition{Kind: world.LoseNode, Node: "n0003"}, Until: 20 * time.Minute}
	bad := simulate.Fault{At: 0, Behaviour: map[string]world.Behaviour{"agent:2": world.PullFails}, Until: 10 * time.Minute}
	for name, fault := range map[string]simulate.Fault{"a lost node": down, "a bad image": bad} {
		t.Run(name, func(t *testing.T) {
			r, err := simulate.Run(cluster(t, 3, world.Options{NoLifecycleTaints: true}), deleteFirst("agent:2", 1), simulate.Options{
				Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2"), fault},
			})
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome)
			require.Greater(t, r.Duration, fault.Until)
			require.Greater(t, r.LongestGap, 9*time.Minute)
		})
	}
}

// A dead node is tainted, and so not eligible: that it has no agent meanwhile is told beside the gaps, which it is not in. A
// node that was removed has no such time.
func TestIneligibleTime(t *testing.T) {
	for name, test := range map[string]struct {
		ends  simulate.Fault
		least time.Duration
	}{
		"mended":  {simulate.Fault{At: 20 * time.Minute, Transition: world.Transition{Kind: world.MendNode, Node: "n0003"}}, 19 * time.Minute},
		"removed": {simulate.Fault{At: 3 * time.Minute, Transition: world.Transition{Kind: world.RemoveNode, Node: "n0003"}}, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			lost := simulate.Fault{At: time.Minute, Transition: world.Transition{Kind: world.LoseNode, Node: "n0003"}}
			r, err := simulate.Run(cluster(t, 3, world.Options{}), deleteFirst("agent:2", 1), simulate.Options{
				Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2"), lost, test.ends},
			})
			require.NoError(t, err)
			for _, gap := range r.Gaps {
				if gap.Node == "n0003" {
					require.Equal(t, test.least, gap.Ineligible)
					require.Less(t, gap.Longest, 5*time.Minute)
					continue
				}
				require.Zero(t, gap.Ineligible)
				require.Positive(t, gap.Total)
			}
			require.Len(t, r.Gaps, 3)
		})
	}
}

func TestExecutorCrashes(t *testing.T) {
	for name, late := range map[string]time.Duration{"before it is sent": 0, "and it lands late": 5 * time.Second} {
		t.Run(name, func(t *testing.T) {
			var who []string
			listed := false
			r, err := simulate.Run(cluster(t, 5, world.Options{Lagging: true}), deleteFirst("agent:2", 2), simulate.Options{
				Rollout: rollout(), Faults: []simulate.Fault{upgrade(0, "agent:2")},
				Crashes: []simulate.Crash{{Before: 2, Late: late}, {Before: 4}},
				OnStep: func(s *model.Snapshot, p *model.Plan) error {
					x := s.Rollout.Status.Executor
					if len(who) == 0 || who[len(who)-1] != x.ID {
						if x.ID != "" && (!x.Since.Time.Equal(s.Now()) || x.Listed || len(s.Rollout.Status.Issued) > 0) {
							return fmt.Errorf("a new executor has just begun, and knows of nothing: %+v", x)
						}
						who = append(who, x.ID)
					}
					if settled := x.Since.Add(30 * time.Second); x.ID != "" && x.Listed && s.Now().Before(settled) {
						return fmt.Errorf("a request of the dead one may still land: %+v", x)
					}
					listed = listed || x.Listed
					return nil
				},
			})
			require.NoError(t, err)
			require.Equal(t, simulate.Complete, r.Outcome)
			require.Equal(t, []string{"", "executor-2", "executor-3"}, who)
			require.True(t, listed)
			crashes := 0
			for _, e := range r.Timeline {
				if e.What == simulate.ExecutorCrashed {
					crashes++
				}
			}
			require.Equal(t, 2, crashes)
		})
	}
}

func TestLocksAreGrantedInTheOrderOfAsking(t *testing.T) {
	planner := func(*model.Snapshot) (model.Plan, error) { return model.Plan{Phase: model.PhaseSteady}, nil }
	other := 0
	for seed := range uint64(20) {
		snapshot := worldtest.Snapshot(worldtest.Nodes(1), nil, worldtest.Set("agent", "1", worldtest.Wrapped),
			worldtest.Set("second", "1", worldtest.Wrapped), worldtest.Set("third", "1", worldtest.Wrapped))
		w, err := world.New(snapshot, world.Options{})
		require.NoError(t, err)
		r, err := simulate.Run(w, planner, simulate.Options{
			Start: worldtest.Start, Seed: seed, Detail: true, Timings: simulate.Timings{Jitter: 1},
			Faults: []simulate.Fault{{At: time.Hour, Transition: world.Transition{Kind: world.CordonNode, Node: "n0001"}}},
		})
		require.NoError(t, err)
		asked := kindsOf(r, world.StartContainer, "agent")
		require.Len(t, asked, 3)
		if asked[1] > asked[2] {
			other++
		}
		require.Equal(t, asked[:1], kindsOf(r, world.GrantLock, "agent"))

		snapshot, err = w.Truth(worldtest.Start.Add(r.Duration), nil)
		require.NoError(t, err)
		owner := ""
		for _, pod := range snapshot.Cluster.Pods(0) {
			if pod.Namespace+"/"+pod.Name == asked[0] {
				owner = pod.OwnerReferences[0].Name
			}
		}
		r, err = simulate.Run(w, planner, simulate.Options{
			Start: worldtest.Start.Add(2 * time.Hour), Seed: seed, Detail: true, Timings: simulate.Timings{Jitter: 1},
			Faults: []simulate.Fault{{Transition: world.Transition{Kind: world.KillSet, Set: "datadog/" + owner, Value: "Background"}}},
		})
		require.NoError(t, err)
		require.Equal(t, asked[1:2], kindsOf(r, world.GrantLock, "agent"))
	}
	require.Positive(t, other, "the seeds must give more than one order")
}

// kindsOf lists the Pods of the transitions of that kind and container.
func kindsOf(r simulate.Result, kind world.Kind, container string) (pods []string) {
	for _, e := range r.Timeline {
		if e.Event != nil && e.Event.Kind == kind && e.Event.Container == container {
			pods = append(pods, e.Event.Pod)
		}
	}
	return pods
}
