package plan_test

import (
	"flag"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestProperties plays every game at random and judges it by all properties that name it. The flag -rapid.checks says how
// many of each (40): go test ./plan -run TestProperties -rapid.checks=2000.
func TestProperties(t *testing.T) {
	seen, judged, played, mutex := map[string]int{}, map[string]int{}, 0, sync.Mutex{}
	t.Cleanup(func() {
		t.Log("reached:", seen)
		t.Log("games that judged each property:", judged)
		if !t.Failed() {
			reached(t, seen, played)
		}
	})
	for i := range games {
		g := &games[i]
		list := property.For(g.offers)
		require.NotEmpty(t, list, g.name)
		t.Run(strings.ReplaceAll(g.name, " ", "-"), func(t *testing.T) {
			played++
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				c := g.start(rapidDice{t}, ofAnEmbedder(), list)
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
				for _, name := range list.Names() {
					judged[name]++
				}
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

// least is how often a hundred checks of every game must reach what is worth to be reached: a third of what they do.
var least = map[string]int{
	"handoff": 600, "release": 300, "capacity fallback": 150, "return": 400, "split locks": 1, "blocked": 500, "hand repair": 250,
	"executor takeover": 700, "fence": 300, "late request": 12, "slot recreated": 50, "armed": 450, "complete": 500, "canary validated": 70, "canary paused": 15, "canary failed": 2,
	"unanswered": 150, "refused": 100, "not confirmed": 3,
}

// reached judges a whole run; one that is cut short by -run or by few checks says nothing.
func reached(t *testing.T, seen map[string]int, played int) {
	checks, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	require.NoError(t, err)
	if played < len(games) || checks < quickChecks {
		return
	}
	for what, count := range least {
		if want := max(1, count*checks/100); seen[what] < want {
			t.Errorf("%s: reached %d times, want %d at least: the games have become too tame to prove anything", what, seen[what], want)
		}
	}
}

func TestEveryMoveIsKnown(t *testing.T) {
	for i := range games {
		for _, move := range games[i].moves {
			require.NotNil(t, moves[move], move)
		}
	}
	require.Equal(t, 6, len(world.Behaviours()), "a new behaviour needs its place among the bad images")
}
