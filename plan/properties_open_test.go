package plan_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

var openGamesToo = flag.Bool("open", false, "play the games, too, that the planner is known to lose")

// openMoves are what the open world adds.
var openMoves = map[string]func(*chaos){
	"obstacle": (*chaos).drawObstacle,
	"anew":     func(c *chaos) { c.drawKind(world.RenewNode, world.RemakeSet, world.LosePod, world.LosePod) },
	"joins":    func(c *chaos) { c.joins() },
	"departs": func(c *chaos) {
		if nodes := c.world.Nodes(); len(nodes) > 2 {
			c.do(world.Transition{Kind: world.RemoveNode, Node: pick(c.dice, "node", nodes...)})
		}
	},
}

// obstacles keep Pods from being made, and from being gone.
var obstacles = []world.Kind{world.DenyPods, world.HoldPod, world.StickPod, world.RestController, world.PressNode}

func (c *chaos) drawObstacle() { c.drawKind(obstacles...) }

func (c *chaos) drawKind(kinds ...world.Kind) {
	kind := pick(c.dice, "kind", kinds...)
	if kind != world.DenyPods {
		c.draw(func(t world.Transition) bool { return t.Kind == kind })
		return
	}
	t := world.Transition{Kind: kind, Node: pick(c.dice, "node", append(c.world.Nodes(), "")...), Value: pick(c.dice, "image", "", "agent:2", "agent:3")}
	c.note("fault %s", t)
	c.do(t)
}

// joins lets a node join that has never had an agent.
func (c *chaos) joins() {
	c.joined++
	c.do(world.Transition{Kind: world.JoinNode, Node: "j" + strconv.Itoa(c.joined), Value: "n1"})
}

// relieve ends every obstacle but those of one node.
func (c *chaos) relieve(but string) {
	for _, t := range c.world.Faults(c.now) {
		switch t.Kind {
		case world.AllowPods, world.FreePod, world.UnstickPod, world.WakeController, world.RelieveNode:
			if t.Node != but || but == "" {
				c.do(t)
			}
		}
	}
}

// relieved ends everything that the game began.
func relieved(c *chaos) {
	c.relieve("")
	toTheEnd(c)
}

// stayBad keeps one node bad for as long as the rollout lasts, and desires a newer revision on the way.
func stayBad(c *chaos) {
	c.relieve("")
	c.heal("")
	c.rest()
	c.wait(25 * time.Second)
	c.finish()
	kind := pick(c.dice, "bad", world.LoseNode, world.BreakPulls, world.StickPod, world.PressNode, world.DenyPods)
	for _, t := range append(c.world.Faults(c.now), world.Transition{Kind: world.DenyPods, Node: "n1"}) {
		if t.Kind == kind && t.Node == "n1" {
			c.note("%s stays", t)
			c.do(t)
			break
		}
	}
	c.broken = "n1"
	c.desire(4)
	for range c.dice.roll("plans", 12) {
		c.step(-1)
		c.rest()
		c.wait(12 * time.Second)
	}
	c.desire(0)
	c.finish()
}

// joinersCome lets a node join with every plan, and leave after ten.
func joinersCome(c *chaos) {
	c.relieve("")
	c.heal("")
	c.desire(4)
	for range mostPlans {
		if c.rest(); c.broke != nil {
			return
		}
		p := c.step(-1)
		if len(p.Actions) == 0 && (p.Complete() || p.Blocked() != nil) {
			return
		}
		c.wait(15 * time.Second)
		c.joins()
		c.do(world.Transition{Kind: world.RemoveNode, Node: "j" + strconv.Itoa(c.joined-10)})
	}
}

// openGames are played with -open alone.
func openGames() (list []game) {
	for _, kind := range []struct {
		name     string
		set      func(dice) setting
		unlocked bool // who makes a Node or a DaemonSet anew runs two agents for a moment, and no plan comes before that
	}{
		{"locked", pairOf(model.Locked), false}, {"released", pairOf(model.Never), true}, {"rolling", oneSet(model.RollingUpdate, ""), true},
		{"surge", oneSet(model.Surge, model.Locked), false},
	} {
		set := func(d dice) setting {
			s := kind.set(d)
			s.strategy.Partition, s.strategy.ExemptUnhealthy = nil, nil
			return s
		}
		// What stays bad is charged: the budget has to exceed it.
		wide := func(d dice) setting {
			s := set(d)
			s.nodes, s.strategy.MaxUnavailable = 3+d.roll("more", 2), number(2)
			return s
		}
		moves := append([]string{"obstacle", "obstacle", "anew", "fault", "part", "world", "time", "list"}, often...)
		list = append(list,
			game{name: kind.name + ", obstacles", unlocked: kind.unlocked, offers: ends | property.Crashes, set: set, moves: moves, ending: relieved},
			game{name: kind.name + ", a node stays bad", offers: ends | property.WayBack, set: wide, moves: append([]string{"part", "world", "time"}, often...), ending: stayBad},
			game{name: kind.name + ", joiners", offers: ends, set: set, moves: append([]string{"joins", "departs", "part", "world", "time"}, often...), ending: joinersCome},
		)
	}
	return list
}

// TestOpenGames tells after how many games each open promise was found broken: go test ./plan -v -run TestOpenGames -open. All closed promises together
// count as one.
func TestOpenGames(t *testing.T) {
	for name, move := range openMoves {
		moves[name] = move
	}
	if !*openGamesToo {
		t.Skip("only with -open")
	}
	const most = 60
	for _, g := range openGames() {
		lists := map[string]property.List{"closed": slices.DeleteFunc(property.For(g.offers), func(p *property.Property) bool {
			return p.Name == "Memory" || p.Name == "S12" || p.End != nil || p.Name == "S1" && g.unlocked
		})}
		for _, p := range property.OpenFor(g.offers) {
			lists[p.Name] = property.List{p}
		}
		for _, name := range append(property.Open().Names(), "closed") {
			judges, ok := lists[name]
			if !ok {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", g.name, name), func(t *testing.T) {
				began := time.Now()
				for seed := uint64(1); seed <= most; seed++ {
					if c := g.seeded(seed, ofAnEmbedder(), judges); c.broke != nil {
						t.Errorf("| %s | %s | game %d | %.1f s | %s |\n%s", g.name, name, seed, time.Since(began).Seconds(), firstLine(c.broke), c.story())
						return
					}
				}
				t.Logf("| %s | %s | none of %d games | %.1f s |", g.name, name, most, time.Since(began).Seconds())
			})
		}
	}
}
