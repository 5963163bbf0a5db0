package execute

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// TestGames plays at random: an embedding by the book breaks no property, asks for nothing twice, and comes to its end.
func TestGames(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := play(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }, embedding{})
		if g.broke != nil {
			t.Fatalf("%v\n%s", g.broke, g.story())
		}
		for what, count := range g.seen {
			seen[what] += count
		}
	})
	t.Log("reached:", seen)
}

// Games that rarely reach what is worth to be reached prove nothing.
func TestGamesAreNotTame(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(100) {
		g := play(seeded(seed), embedding{})
		require.NoError(t, g.broke, "seed %d\n%s", seed, g.story())
		for what, count := range g.seen {
			seen[what] += count
		}
	}
	t.Log("reached:", seen)
	for what, least := range map[string]int{
		"handoff": 250, "takeover": 25, "late request": 8, "live read": 100, "unanswered": 30, "refused": 4, "not confirmed": 1, "needs": 5,
		"HandoffPrepared": 80, "ReleaseSource": 50, "StaleRevision": 50, "CapacityFallback": 10, "NodeFenced": 10,
	} {
		require.GreaterOrEqual(t, seen[what], least, what)
	}
}

// mutants are faulty executors, each with what it breaks.
var mutants = []embedding{
	{name: "an issued write is forgotten", killedBy: "S7", after: func(r *Run) { r.state.Issued = nil }},
	{name: "a result is dropped", killedBy: "Known", after: func(r *Run) {
		r.state.Issued = keep(r.state.Issued, func(*model.Issued) bool { return true })
		if n := len(r.state.Issued); n > 0 {
			r.state.Issued[n-1].Result, r.state.Issued[n-1].At.Time = nil, time.Time{}
		}
	}},
	{name: "there is no fresh look", killedBy: "Fresh", scene: unprepared, fresh: func(r *Run, _ *Step, _ *model.Cluster) *model.Cluster { return r.view.Cluster }},
	{name: "only steps that the snapshot shows as paid get a fresh look", killedBy: "Fresh", scene: servedAgain, fresh: func(r *Run, s *Step, live *model.Cluster) *model.Cluster {
		if s.Action.Cost.SeatTaken() == budget.PaidSeat {
			return live
		}
		return r.view.Cluster
	}},
	{name: "an ID is used again", killedBy: "S7", scene: overtaken, newID: func(int) string { return "run" }},
	{name: "an unknown one is forgotten too early", killedBy: "S7", before: func(r *Run, _ time.Time) {
		r.state.Issued = keep(r.state.Issued, func(i *model.Issued) bool { return i.Result != nil })
	}},
	{name: "an unknown one is forgotten at its deadline, unread", killedBy: "S7", before: func(r *Run, now time.Time) {
		r.state.Issued = keep(r.state.Issued, func(i *model.Issued) bool { return !r.open(i, now) })
	}},
	{name: "an unknown one is never forgotten", killedBy: "End", read: func(r *Run, _ Reads, former []model.Issued) { r.state.Issued = former }},
	{name: "a refused request is sent again for the same cache", killedBy: "Again", before: func(r *Run, _ time.Time) { r.state.Holds = nil }},
	{name: "a new run takes its caches for a list", killedBy: "S7", scene: leftBehind, before: func(r *Run, _ time.Time) {
		r.state.Executor.Listed, r.state.Executor.Since.Time = true, worldtest.Start
	}},
	{name: "a list is taken for what the caches show", killedBy: "S7", scene: leftBehind, read: func(r *Run, asked Reads, _ []model.Issued) {
		if asked.All {
			r.state.Executor.Listed, r.list = true, nil
		}
	}},
}

// once draws the first of everything.
func once(int) int { return 0 }

// leftBehind: a process dies with the release of a node on its way, and the request lands just in time. The caches of its successor show that
// late: it releases no node before they do.
func leftBehind(e embedding) error {
	g := newGame(once, e, model.Strategy{Overlap: model.Never, MaxUnavailable: number(1)}, 3, true)
	lost := g.untilSeat()
	g.crash(lost)
	g.reconcile(false)
	g.now = g.now.Add(timeout - time.Second)
	g.apply(lost)
	for range 10 {
		g.now = g.now.Add(time.Second)
		g.reconcile(false)
		g.work()
	}
	g.finish()
	return g.broke
}

// overtaken: a process dies with a handoff on its way. By its successor's first handoff, of another node, that has no effect any more.
func overtaken(e embedding) error {
	g := newGame(once, e, model.Strategy{Overlap: model.Locked, MaxUnavailable: number(1)}, 3, true)
	lost := g.untilSeat()
	g.late = []request{{*lost, g.now, g.runs}}
	g.crash(lost)
	late := g.late[:1]
	g.late = nil
	for range mostReconciles {
		if g.now = g.now.Add(time.Second); g.handedOff || g.broke != nil {
			break
		}
		g.kill(lost.Node, "green") // it is never prepared again
		g.deliver()
		g.reconcile(false)
	}
	if !g.handedOff {
		return fmt.Errorf("no other node was handed over: %s", g.story())
	}
	g.dice, g.late = func(n int) int { return n - 1 }, late
	g.land()
	g.work()
	g.finish()
	return g.broke
}

// unprepared: the target's Pod is gone when its node is handed over, and the caches do not show that.
func unprepared(e embedding) error {
	g := newGame(once, e, model.Strategy{Overlap: model.Locked, MaxUnavailable: number(1)}, 3, false)
	g.kill(g.untilSeat().Node, "green")
	g.reconcile(false)
	if g.broke == nil && g.seen["not confirmed"] == 0 {
		return errors.New("nobody has looked")
	}
	g.finish()
	return g.broke
}

// servedAgain: a node is free to move by what the caches show, its Pod is missing, but there is a new one that serves; and another node spends the
// budget.
func servedAgain(e embedding) error {
	g := newGame(once, e, model.Strategy{Overlap: model.Never, MaxUnavailable: number(1)}, 3, false)
	node := g.untilSeat().Node
	g.do(world.Transition{Kind: world.LoseNode, Node: g.world.Nodes()[1]})
	g.rest()
	g.kill(node, "agent")
	g.deliver()
	for range 2 {
		g.work()
		g.now = g.now.Add(11 * time.Second)
	}
	g.calm = true // what the caches do not show takes no agent
	g.reconcile(false)
	g.calm = false
	if g.broke == nil && g.seen["not confirmed"] == 0 {
		return errors.New("nobody has looked")
	}
	g.finish()
	return g.broke
}

// kill ends the node's Pods of that name.
func (g *game) kill(node, name string) {
	for _, t := range g.world.Faults(g.now) {
		if t.Kind == world.KillPod && t.Node == node && strings.Contains(t.Pod, name) {
			g.do(t)
		}
	}
}

// untilSeat goes on until an action that costs a seat is planned, which is not sent.
func (g *game) untilSeat() *model.Action {
	for range mostReconciles {
		g.rest()
		view, err := g.world.Snapshot(g.now, g.rollout)
		g.fail(err)
		next, err := g.planner.Next(g.run.Snapshot(view.Cluster, view.Rollout, g.now))
		g.fail(err)
		for i := range next.Actions {
			if next.Actions[i].Cost.Seat != "" {
				return &next.Actions[i]
			}
		}
		g.reconcile(false)
		g.now = g.now.Add(time.Second)
	}
	g.fail(fmt.Errorf("nothing is handed over: %+v", g.last.Nodes))
	return &model.Action{}
}

// Each of the situations ends well, and badly for the mutants that are named there.
func TestSituations(t *testing.T) {
	require.NoError(t, leftBehind(embedding{}))
	require.NoError(t, overtaken(embedding{}))
	require.NoError(t, unprepared(embedding{}))
	require.NoError(t, servedAgain(embedding{}))
}

// mostGames is the number of seeded games after which a mutant has survived.
const mostGames = 400

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			if m.scene != nil {
				require.ErrorContains(t, m.scene(m), m.killedBy)
				return
			}
			for seed := range uint64(mostGames) {
				g := play(seeded(seed), m)
				if g.broke == nil {
					continue
				}
				require.True(t, strings.HasPrefix(g.broke.Error(), m.killedBy), "seed %d: %v", seed, g.broke)
				t.Logf("killed by the game of seed %d: %.200v", seed, g.broke)
				return
			}
			t.Errorf("it survived %d games", mostGames)
		})
	}
}
