package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
)

// game is one kind of game: how it is set up, which moves it has, and how it is brought to its end.
type game struct {
	name   string
	offers property.Offer
	set    func(dice) setting
	moves  []string
	ending func(*chaos)
	// unlocked games have moves by which two agents run on a node, whatever is planned.
	unlocked bool
}

// What games can show: all of them every plan and every state, and how they end.
const (
	always = property.Plans | property.Planner | property.Memory | property.States | property.LateHandoffs
	ends   = always | property.Ends | property.Counted
)

// often are the moves of an undisturbed executor, as often as they are in every game: without them no game gets far.
var often = []string{"go", "go", "go", "go on", "go on", "go stale", "go stale", "go stale", "go stale", "desire"}

var everything = append(slices.DeleteFunc(slices.Sorted(maps.Keys(moves)), func(move string) bool { return slices.Contains(special, move) }), often...)

// special are the moves of single games.
var special = []string{"overtake", "hand label", "verdict", "restart", "template"}

// onOneSet are the moves of a rollout on one DaemonSet. A revision is superseded within one plan: it is to be done more often.
var onOneSet = append(without("hand"), "desire", "desire", "desire", "desire")

var games = []game{
	{name: "locked", offers: ends | property.Crashes, set: pairOf(model.Locked), moves: everything, ending: toTheEnd},
	{name: "released", offers: ends | property.Crashes, set: pairOf(model.Never), moves: append(slices.Clone(everything), "set", "set"), ending: toTheEnd},
	{name: "conventional", offers: ends | property.Crashes, moves: without("hand"), ending: toTheEnd,
		set: func(d dice) setting {
			s := pairOf(pick(d, "overlap", model.Locked, model.Never))(d)
			s.deployed = true
			return s
		}},
	{name: "bad images", offers: ends | property.Crashes | property.Excused | property.BadImages, moves: append([]string{"plan", "part", "world", "rest", "list", "time", "crash"}, often...), ending: toTheEnd,
		set: func(d dice) setting {
			s := pairOf(pick(d, "overlap", model.Locked, model.Never))(d)
			s.strategy.Partition, s.full, s.prompt = nil, 0, true
			s.images = map[string]world.Behaviour{"agent:2": pick(d, "bad", badImages()...), "agent:3": pick(d, "bad too", badImages()...)}
			return s
		}},
	{name: "hands", offers: ends | property.Labelled, moves: []string{"plan rest", "rest", "list", "time", "hand label"}, ending: toTheEnd,
		set: func(d dice) setting {
			s := pairOf(model.Locked)(d)
			s.strategy.Partition = nil
			return s
		}},
	{name: "way back", offers: ends | property.Crashes | property.WayBack, set: pairOf(model.Locked), moves: append(without("leave"), "set", "set"), ending: goBack},
	{name: "way back released", offers: ends | property.Crashes | property.WayBack, set: pairOf(model.Never), moves: append(without("leave"), "set", "set"), ending: goBack},
	{name: "edited", offers: ends | property.Crashes, moves: append([]string{"template", "template", "template", "plan", "part", "world", "fault", "rest", "list", "time", "crash"}, often...), ending: toTheEnd,
		set: anySet},
	{name: "takeovers", offers: ends | property.Crashes, ending: toTheEnd,
		moves: append([]string{"overtake", "overtake", "overtake", "overtake", "crash", "late", "unanswered", "list", "rest", "time"}, often...),
		set: func(d dice) setting {
			s := pairOf(model.Locked)(d)
			s.nodes, s.full, s.strategy.Partition = 3+d.roll("more", 2), 0, nil
			return s
		}},
	{name: "rolling", offers: ends | property.Crashes, set: oneSet(model.RollingUpdate, ""), moves: onOneSet, ending: toTheEnd},
	{name: "bad rolling", offers: ends | property.Crashes | property.Excused | property.BadImages, moves: append([]string{"plan", "part", "world", "rest", "list", "time", "crash"}, often...), ending: toTheEnd,
		set: func(d dice) setting {
			s := oneSet(model.RollingUpdate, "")(d)
			s.full, s.prompt = 0, true
			s.images = map[string]world.Behaviour{"agent:2": pick(d, "bad", badImages()...), "agent:3": pick(d, "bad too", badImages()...)}
			return s
		}},
	{name: "surge", offers: ends | property.Crashes, set: oneSet(model.Surge, model.Locked), moves: onOneSet, ending: toTheEnd},
	// Without locks the old Pod and the new one run side by side: that is S1's to forbid, and what who chooses it accepts.
	{name: "plain surge", offers: (ends | property.Crashes) &^ property.States, set: oneSet(model.Surge, model.Never), moves: onOneSet, ending: toTheEnd},
	{name: "one set back", offers: ends | property.Crashes | property.WayBack, moves: without("hand", "split", "leave"), ending: goBack,
		set: func(d dice) setting {
			if d.roll("type", 2) == 0 {
				return oneSet(model.RollingUpdate, "")(d)
			}
			return oneSet(model.Surge, model.Locked)(d)
		}},
	{name: "broken node", offers: ends | property.BrokenNode, moves: without("hand", "set", "leave"), ending: leaveBroken,
		set: func(d dice) setting {
			s := pairOf(pick(d, "overlap", model.Locked, model.Locked, model.Never))(d)
			if d.roll("one set", 4) == 0 {
				s = oneSet(model.RollingUpdate, "")(d)
			}
			s.strategy.ExemptUnhealthy = number(1)
			return s
		}},
	{name: "canary", offers: ends | property.Crashes, set: canaryGame, moves: append([]string{"verdict", "verdict", "restart", "restart", "restart", "go on", "part", "world", "rest", "list", "time", "crash", "fault", "leave", "pause"}, often...), ending: toTheCanarysEnd},
}

func without(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(everything), func(move string) bool { return slices.Contains(names, move) })
}

// pairOf draws the settings of a pair.
func pairOf(overlap model.OverlapMode) func(dice) setting {
	return func(d dice) setting {
		s := setting{nodes: 2 + d.roll("nodes", 3), lagging: d.roll("lagging", 2) == 1, stale: d.roll("stale", 4) == 0, minReady: pick(d, "minReady", int32(0), 0, 20)}
		s.full = pick(d, "full", 0, 0, 1, 2)
		s.strategy = model.Strategy{Overlap: overlap, MaxUnavailable: number(1 + d.roll("budget", 2))}
		if d.roll("surge", 2) == 1 {
			s.strategy.MaxSurge = number(1)
		}
		s.strategy.Partition = pick(d, "partition", nil, nil, number(1))
		s.strategy.ExemptUnhealthy = pick(d, "exempt", nil, nil, number(1))
		if d.roll("writes", 4) == 0 {
			writes := int32(2)
			s.strategy.MaxWrites = &writes
		}
		return s
	}
}

// oneSet draws the settings of a rollout on one DaemonSet.
func oneSet(strategy model.StrategyType, overlap model.OverlapMode) func(dice) setting {
	return func(d dice) setting {
		s := pairOf(overlap)(d)
		s.deployed = false
		s.strategy.Type, s.strategy.MaxSurge, s.strategy.Partition = strategy, nil, nil
		return s
	}
}

// anySet draws the settings of any rollout that keeps two Pods of a node apart.
func anySet(d dice) setting {
	switch d.roll("type", 4) {
	case 0:
		return oneSet(model.RollingUpdate, "")(d)
	case 1:
		return oneSet(model.Surge, model.Locked)(d)
	case 2:
		return pairOf(model.Never)(d)
	}
	return pairOf(model.Locked)(d)
}

func badImages() []world.Behaviour {
	return slices.DeleteFunc(world.Behaviours(), func(b world.Behaviour) bool { return b == world.Good || b == world.SlowStart })
}

func toTheEnd(c *chaos) {
	c.heal("")
	c.desire(4)
	c.finish()
}

// goBack turns round in whatever state the game has left: to revision 1, to one DaemonSet, or to nothing. A revision 1 that may
// have failed itself is tried again when a person says so, and once more: what is left of its Pods may fail it the first time.
func goBack(c *chaos) {
	c.heal("")
	c.rollout.Spec.Intent = pick(c.dice, "way", model.Run, model.OptOut, model.Teardown)
	c.desire(1)
	c.note("the intent is %s", c.rollout.Spec.Intent)
	p := c.finish()
	for range 2 {
		blocked := p.Blocked()
		if c.broke != nil || !c.doubtful[1] || blocked == nil || blocked.Reason != string(model.RevisionRemembered) {
			return
		}
		c.rollout.Spec.Decision.Retry = ""
		c.step(-1)
		c.rollout.Spec.Decision.Retry = p.Revision
		p = c.finish()
	}
}

// leaveBroken breaks the first node for as long as the rollout lasts.
func leaveBroken(c *chaos) {
	c.heal("")
	c.rest()
	c.wait(25e9)
	c.finish() // whatever the game began
	c.broken = c.world.Nodes()[0]
	c.note("%s is lost", c.broken)
	c.do(world.Transition{Kind: world.LoseNode, Node: c.broken})
	c.desire(4)
	c.finish()
}

func gameNamed(t *testing.T, name string) *game {
	i := slices.IndexFunc(games, func(g game) bool { return g.name == name })
	require.GreaterOrEqual(t, i, 0, "no game %s", name)
	return &games[i]
}

// start sets the game up and lets the pair serve before anything else happens; a conventional DaemonSet is still to be
// armed.
func (g *game) start(d dice, p planners, judges property.List) *chaos {
	c := newChaos(d, p, g.set(d))
	if c.broke != nil {
		return c
	}
	c.judgedBy(judges)
	if c.setting.deployed {
		c.rest()
		return c
	}
	c.warmUp()
	if d.roll("new", 4) > 0 {
		c.desire(2)
	}
	return c
}

// finish brings the game to its end, if one of the judges looks at that.
func (g *game) finish(c *chaos, judges property.List) {
	c.warm = true
	if c.broke != nil || !slices.ContainsFunc(judges, func(p *property.Property) bool { return p.End != nil || p.Stop != nil }) {
		return
	}
	g.ending(c)
	c.over(judges)
	if c.broken != "" {
		c.broken = ""
		c.heal("")
		c.finish()
		c.over(judges)
	}
}

// turns is the number of moves of a seeded game.
const turns = 30

// seeded plays the whole game of a seed; it is the same in every run.
func (g *game) seeded(seed uint64, p planners, judges property.List) *chaos {
	return g.seededBy(seed, embedding{}, p, judges)
}

// seededBy plays it with a faulty executor.
func (g *game) seededBy(seed uint64, e embedding, p planners, judges property.List) *chaos {
	d := seeded(seed)
	c := g.start(d, p, judges)
	c.embedding = e
	for range turns {
		c.play(pick(d, "move", g.moves...))
	}
	g.finish(c, judges)
	return c
}
