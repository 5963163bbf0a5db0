package plan_test

import (
	"slices"
	"strconv"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	corev1 "k8s.io/api/core/v1"
)

// moves are the moves of a game by name. Which of them a game has is the game's matter.
var moves = map[string]func(*chaos){
	"plan":      func(c *chaos) { c.step(-1) },
	"plan rest": func(c *chaos) { c.step(-1); c.rest() },
	"go":        func(c *chaos) { c.goOn(time.Second, (*chaos).rest) },
	"go on":     func(c *chaos) { c.goOn(12*time.Second, (*chaos).rest) },
	"go stale":  func(c *chaos) { c.goOn(time.Second, (*chaos).drawWorld) },
	"part":      func(c *chaos) { c.step(c.dice.roll("sent", 4)) },
	"world":     (*chaos).drawWorld,
	"rest":      (*chaos).rest,
	"list":      (*chaos).list,
	"time": func(c *chaos) {
		c.wait(pick(c.dice, "by", time.Second, 3*time.Second, 11*time.Second, 25*time.Second, 11*time.Minute))
	},
	"crash":       (*chaos).crash,
	"unanswered":  func(c *chaos) { c.unanswered = 1 + c.dice.roll("requests", 2); c.step(-1) },
	"late":        (*chaos).land,
	"overtake":    (*chaos).overtake,
	"fault":       (*chaos).drawFault,
	"fault again": (*chaos).drawFault,
	"split":       (*chaos).drawSplit,
	"set": func(c *chaos) {
		c.draw(func(t world.Transition) bool { return t.Kind == world.KillSet })
	},
	"template": (*chaos).drawTemplate,
	"leave":    (*chaos).drawLeave,
	"desire": func(c *chaos) {
		tag := 1 + c.dice.roll("tag", 3)
		c.doubtful[tag] = true
		c.desire(tag)
	},
	"image": func(c *chaos) {
		tag, b := 1+c.dice.roll("tag", 3), pick(c.dice, "behaviour", world.Behaviours()...)
		c.note("image %d becomes %s", tag, b)
		c.doubtful[tag] = c.doubtful[tag] || slices.Contains(badImages(), b)
		c.world.SetBehaviour("agent:"+strconv.Itoa(tag), b)
	},
	"pause": func(c *chaos) {
		c.rollout.Spec.Strategy.Paused = !c.rollout.Spec.Strategy.Paused
		c.note("paused %t", c.rollout.Spec.Strategy.Paused)
	},
	"hand":    (*chaos).drawHand,
	"verdict": (*chaos).drawVerdict,
	"restart": (*chaos).drawRestart,
	// In between the plan repairs whatever the last one was.
	"hand label": func(c *chaos) {
		c.finish()
		clear(c.labelled)
		c.drawHand()
	},
}

// play makes one move.
func (c *chaos) play(move string) {
	if c.broke == nil {
		moves[move](c)
	}
}

// goOn plans a few times, as an executor does that nobody disturbs; between the plans the world changes.
func (c *chaos) goOn(pause time.Duration, meanwhile func(*chaos)) {
	c.slow = pick(c.dice, "slow", slowKinds...)
	for range 1 + c.dice.roll("rounds", 4) {
		if c.broke == nil {
			c.step(-1)
			meanwhile(c)
			c.wait(pause)
		}
	}
}

// slowKinds are what may take longer than all the rest; CollectSet is the one that hardly ever happens anyway.
var slowKinds = []world.Kind{world.CollectSet, world.StopContainer, world.DeletePod, world.CreatePod, world.ObserveSet, world.PassReadiness, world.Deliver}

// faultKinds are the faults that a game may draw, the common ones more often.
var faultKinds = []world.Kind{
	world.BreakNode, world.LoseNode, world.MendNode, world.RebootNode, world.CordonNode, world.BreakPulls, world.MendPulls,
	world.KillPod, world.KillPod, world.KillPod, world.KillPod, world.FailPod, world.StopReadiness, world.Crash,
}

func (c *chaos) drawFault() {
	kind := pick(c.dice, "kind", faultKinds...)
	c.draw(func(t world.Transition) bool { return t.Kind == kind && !c.races(t) })
}

// races tells whether a person would delete a Pod without a controller, where no locks are. Its DaemonSet may be made anew
// in the same moment: its controller adopts no Pod that ends, and starts another one beside it, and no read can tell in time.
func (c *chaos) races(t world.Transition) bool {
	if t.Kind != world.KillPod || c.setting.strategy.Overlap == model.Locked && !c.setting.deployed {
		return false
	}
	snapshot, err := c.world.Truth(c.now, c.rollout)
	if err != nil {
		return false
	}
	node, _ := snapshot.Cluster.Find(t.Node)
	return slices.ContainsFunc(snapshot.Cluster.Pods(node), func(pod *corev1.Pod) bool {
		return pod.Namespace+"/"+pod.Name == t.Pod && model.ControllerUID(pod) == ""
	})
}

func (c *chaos) draw(which func(world.Transition) bool) {
	list := slices.DeleteFunc(c.world.Faults(c.now), func(t world.Transition) bool { return !which(t) })
	if len(list) == 0 {
		return
	}
	t := pick(c.dice, "which", list...)
	c.note("fault %s", t)
	c.do(t)
	if c.dice.roll("at once", 2) == 1 {
		c.step(-1)
	}
}

// drawTemplate edits the template of a DaemonSet, as a person does. The world may act before anybody sees it.
func (c *chaos) drawTemplate() {
	var sets []string
	for _, t := range c.world.Faults(c.now) {
		if t.Kind == world.KillSet && !slices.Contains(sets, t.Set) {
			sets = append(sets, t.Set)
		}
	}
	if len(sets) == 0 {
		return
	}
	t := world.Transition{Kind: world.EditTemplate, Set: pick(c.dice, "set", sets...), Container: "agent", Value: "agent:9"}
	c.note("fault %s", t)
	c.do(t)
	for range c.dice.roll("acts", 4) {
		c.drawWorld()
	}
}

// drawSplit crashes one component of a node with two Pods. Its lock goes to the other one, or it comes back at once.
func (c *chaos) drawSplit() {
	c.draw(func(t world.Transition) bool { return t.Kind == world.Crash && c.world.Overlapping(t.Node) })
	kind := pick(c.dice, "then", world.GrantLock, world.RestartContainer)
	for _, t := range c.world.Enabled(c.now) {
		if t.Kind == kind {
			c.do(t)
		}
	}
}

// overtake lets a process die with a handoff on its way, and its successor hand over another node before that lands: the target's Pod of
// this one is deleted again and again.
func (c *chaos) overtake() {
	if c.crash(); len(c.late) == 0 {
		return
	}
	node := c.late[0].Node
	for range 12 {
		if c.handedOff || c.broke != nil {
			break
		}
		for _, t := range c.world.Faults(c.now) {
			if t.Kind == world.KillPod && t.Node == node && c.targets(t) {
				c.do(t)
			}
		}
		c.list()
		c.step(-1)
		c.wait(time.Second)
		if c.dice.roll("rest", 2) == 1 {
			c.rest()
		}
	}
	c.land()
}

// targets tells whether a fault hits a Pod of the recorded target.
func (c *chaos) targets(t world.Transition) bool {
	cluster := c.truth().Cluster
	node, _ := cluster.Find(t.Node)
	return slices.ContainsFunc(cluster.Pods(node), func(pod *corev1.Pod) bool {
		return pod.Namespace+"/"+pod.Name == t.Pod && pod.Annotations[slotKeys.Revision] == c.last.Pair.TargetRevision
	})
}

// leaves is the key of a taint that the agent does not tolerate.
const leaves = "reserved"

// drawLeave lets a node stop being eligible, or be eligible again. Its Pod stays: nothing evicts it.
func (c *chaos) drawLeave() {
	t := world.Transition{Kind: world.TaintNode, Node: pick(c.dice, "node", c.world.Nodes()...), Value: leaves + ":" + string(corev1.TaintEffectNoSchedule)}
	if c.dice.roll("back", 2) == 1 {
		t.Kind, t.Value = world.UntaintNode, leaves
	}
	if c.do(t) {
		c.note("%s", t)
	}
}

func (c *chaos) drawHand() {
	node := pick(c.dice, "node", c.world.Nodes()...)
	values := []string{"blue-to-green", "green-to-blue", "purple", ""}
	if c.rollout.Spec.Strategy.Overlap != model.Never {
		// Without locks a person who names the other slot, or lets it take the node by removing the label, runs two Pods
		// at once, and no plan can keep them from it.
		values = append(values, "blue", "green", "-")
	}
	c.edit(node, pick(c.dice, "label", values...))
}

func (c *chaos) edit(node, value string) {
	edit := slotKeys.NodeSlot + "=" + value
	if value == "-" {
		edit = slotKeys.NodeSlot + "-"
	}
	c.note("a person labels %s %q", node, value)
	c.edited[node] = c.do(world.Transition{Kind: world.EditLabel, Node: node, Value: edit})
}

func (c *chaos) drawWorld() {
	for range 1 + c.dice.roll("many", 12) {
		list := slices.DeleteFunc(c.world.Enabled(c.now), func(t world.Transition) bool { return t.Kind == c.slow })
		if len(list) == 0 || c.broke != nil {
			return
		}
		c.do(pick(c.dice, "next", list...))
	}
}
