package plan_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// property is one promise of the planner, stated once and judged by one of three looks: at a plan with the snapshot that
// it was made from, at the world after every change of it, or at a game that is over.
type property struct {
	name, sentence string
	// games in which it is judged; the first is the one in which its mutants are killed.
	games []string
	plan  func(*chaos, *model.Snapshot, *model.Plan) error
	world func(*chaos) error
	end   func(*chaos) error
}

// properties are the promises of the design that a random game can judge. What a person does by hand is no action of a
// plan, and is judged by none of them.
var properties = []property{
	{name: "Form", games: all, plan: violates(plan.Form),
		sentence: "a write has one form and one known object, a node and an object have one action, and a Blocked plan has none"},
	{name: "S1", games: []string{"conventional", "locked", "released", "bad images", "rolling", "surge", "one set back"}, world: oneProcess,
		sentence: "no two processes of one component run on a node"},
	{name: "S2", games: all, plan: violates(plan.S2),
		sentence: "no action makes an available eligible node unavailable above the budget, and every handoff has a seat"},
	{name: "S4", games: all, plan: violates(plan.S4),
		sentence: "a source is removed only for a prepared exact candidate, by the capacity rule, or where its exact target already serves"},
	{name: "S5", games: all, plan: violates(plan.S5),
		sentence: "the source slot keeps its template while a target is recorded"},
	{name: "S6", games: all, plan: both(violates(plan.S6), sentOnce),
		sentence: "every write tests what it rests on, and sent again it has no effect"},
	{name: "S7", games: all, plan: violates(plan.S7), world: noLateHandoff,
		sentence: "what was issued and does not show yet is waited for, and no request of a dead executor lands after its successor's first handoff"},
	{name: "S8", games: all, plan: violates(plan.S8),
		sentence: "no handoff to a revision that is not desired any more, except to finish a proven one"},
	{name: "S9", games: all, plan: violates(plan.S9),
		sentence: "nothing is done to foreign objects, and an ineligible node with a bound Pod is left as it is"},
	{name: "S10", games: []string{"hands"}, world: fewRepairs, end: nothingLeft,
		sentence: "a label that a person wrote is repaired within four writes, whatever it was, and without oscillation"},
	{name: "S11", games: all, plan: violates(plan.S11),
		sentence: "no action raises overlap above the window, and no plan has more than maxWrites writes"},
	{name: "S12", games: all, plan: repeatable,
		sentence: "the same snapshot gives the same bytes, in whatever order its lists are, and is unchanged"},
	{name: "S13", games: all, plan: both(violates(plan.S13), reasoned),
		sentence: "every eligible node that the desired revision does not serve has an action, a wait or a block, exactly one, with its reason"},
	{name: "S14", games: all, plan: violates(plan.S14),
		sentence: "two Pods whose locks do not exclude each other are not admitted to one node"},
	{name: "Memory", games: all, plan: remembered,
		sentence: "a Planner, which remembers, plans what Next does to the byte"},
	{name: "Cohort", games: all, plan: violates(plan.Cohort),
		sentence: "no action raises the nodes off the source above the cohort, which is the canary's size until that is validated, and nothing validates it too early"},
	{name: "L1", games: []string{"locked", "released", "conventional", "canary", "rolling", "surge", "plain surge"}, end: nothingLeft,
		sentence: "once the desired revision stops changing and faults end, the cluster reaches it within mostPlans plans (L2) and stays there"},
	{name: "L3", games: all, plan: violates(plan.L3),
		sentence: "a plan without actions that is not complete says what it waits for"},
	{name: "L5", games: []string{"way back", "one set back"}, end: wentBack,
		sentence: "return, opt-out and teardown succeed from every state, without a decision"},
	{name: "L6", games: []string{"bad images", "bad rolling"}, world: withinBudget, end: nothingLeft,
		sentence: "bad images leave no more than maxUnavailable nodes without an agent at a time, and a good one then reaches every node without a decision"},
	{name: "L7", games: []string{"broken node"}, end: brokenNode,
		sentence: "a broken node within the budget neither stops the others nor is forgotten"},
}

func (p *property) judges(game string) bool { return slices.Contains(p.games, game) }

func propertyNamed(t *testing.T, name string) *property {
	i := slices.IndexFunc(properties, func(p property) bool { return p.name == name })
	require.GreaterOrEqual(t, i, 0, "no property %s", name)
	return &properties[i]
}

// judgedBy lets the properties look at the game.
func (c *chaos) judgedBy(list []*property) {
	c.judge = func(c *chaos, s *model.Snapshot, p *model.Plan) error {
		for _, property := range list {
			if property.plan != nil {
				if err := property.plan(c, s, p); err != nil {
					return fmt.Errorf("%s: %w", property.name, err)
				}
			}
		}
		return nil
	}
	c.look = func(c *chaos) error {
		for _, property := range list {
			if property.world != nil {
				if err := property.world(c); err != nil {
					return fmt.Errorf("%s: %w", property.name, err)
				}
			}
		}
		return nil
	}
}

// over judges the game that is over.
func (c *chaos) over(list []*property) {
	for _, property := range list {
		if property.end != nil && c.broke == nil {
			if err := property.end(c); err != nil {
				c.fail(fmt.Errorf("%s: %w", property.name, err))
			}
		}
	}
}

// TestProperties plays every game at random and judges it by all properties that name it. The flag -rapid.checks says how
// many of each (100): go test ./plan -run TestProperties -rapid.checks=2000.
func TestProperties(t *testing.T) {
	seen, played, mutex := map[string]int{}, 0, sync.Mutex{}
	t.Cleanup(func() {
		t.Log(seen)
		if !t.Failed() {
			reached(t, seen, played)
		}
	})
	for i := range games {
		g := &games[i]
		list := judgesOf(g.name)
		require.NotEmpty(t, list, g.name)
		t.Run(strings.ReplaceAll(g.name, " ", "-"), func(t *testing.T) {
			played++
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				c := g.start(rapidDice{t}, plan.Next, list)
				game := map[string]func(*rapid.T){}
				for i, move := range g.moves {
					game[move+" "+strconv.Itoa(i)] = func(t *rapid.T) {
						c.dice = rapidDice{t}
						c.play(move)
					}
				}
				t.Repeat(game)
				c.dice = rapidDice{t}
				g.finish(c, list)
				mutex.Lock()
				for what, count := range c.seen {
					seen[what] += count
				}
				mutex.Unlock()
				if c.broke != nil {
					t.Fatalf("%v\n%s", c.broke, c.story())
				}
			})
		})
	}
}

func judgesOf(game string) (list []*property) {
	for i := range properties {
		if p := &properties[i]; p.judges(game) {
			list = append(list, p)
		}
	}
	return list
}

// least is how often a hundred checks of every game must reach what is worth to be reached: a third of what they do.
var least = map[string]int{
	"handoff": 600, "release": 300, "capacity fallback": 150, "return": 400, "split locks": 1, "blocked": 500, "hand repair": 250,
	"executor takeover": 700, "fence": 300, "late request": 12, "slot recreated": 50, "armed": 450, "complete": 500, "canary validated": 70, "canary paused": 15, "canary failed": 2,
}

// reached judges a whole run; one that is cut short by -run or by few checks says nothing.
func reached(t *testing.T, seen map[string]int, played int) {
	checks, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	require.NoError(t, err)
	if played < len(games) || checks < 100 {
		return
	}
	for what, count := range least {
		if want := count * checks / 100; seen[what] < want {
			t.Errorf("%s: reached %d times, want %d at least: the games have become too tame to prove anything", what, seen[what], want)
		}
	}
}

func TestEveryPropertyIsStatedAndJudged(t *testing.T) {
	names := map[string]bool{}
	for i := range properties {
		p := &properties[i]
		require.False(t, names[p.name], p.name)
		names[p.name] = true
		require.NotEmpty(t, p.sentence, p.name)
		require.True(t, p.plan != nil || p.world != nil || p.end != nil, "%s is judged by nothing", p.name)
		for _, name := range p.games {
			gameNamed(t, name)
		}
	}
	for _, p := range plan.Properties() {
		require.True(t, names[string(p)], "%s of plan.Validate is not among the properties", p)
	}
	for i := range games {
		for _, move := range games[i].moves {
			require.NotNil(t, moves[move], move)
		}
	}
	require.Equal(t, 6, len(world.Behaviours()), "a new behaviour needs its place among the bad images")
}
