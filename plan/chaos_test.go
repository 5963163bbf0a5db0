package plan_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

// planner is one planning step; the mutants of the properties are others.
type planner func(*model.Snapshot) (model.Plan, error)

// chaos drives a world at random: the planner's executor, everything that happens by itself, faults, the hands of
// people, and the clock. Its executor keeps the list of issued actions as an embedder must.
type chaos struct {
	t       *rapid.T
	next    planner
	world   *world.World
	rollout *model.Rollout
	now     time.Time
	issued  []model.Issued
	runs    int
	tag     int
	log     []string
	// seen counts what the run has reached.
	seen map[string]int
	// watch judges every plan with the snapshot that it was made from.
	watch func(*model.Snapshot, *model.Plan) error
	broke error
}

func newChaos(t *rapid.T, next planner, nodes int, lagging bool, change func(*model.Rollout)) *chaos {
	rollout := rolloutOf("1", func(r *model.Rollout) {
		change(r)
		r.Status.Executor = model.Executor{ID: "run-0", Since: metav1.NewTime(start), Listed: true}
	})
	cluster, err := model.NewCluster(model.Objects{Nodes: workers(nodes)})
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: rollout}, world.Options{Lagging: lagging})
	if err != nil {
		t.Fatal(err)
	}
	return &chaos{t: t, next: next, world: w, rollout: rollout, now: start, tag: 1, seen: map[string]int{}, watch: validated}
}

// validated judges a plan by the independent validator.
func validated(snapshot *model.Snapshot, p *model.Plan) error {
	if violations := plan.Validate(snapshot, p); len(violations) > 0 {
		return &violations[0]
	}
	return nil
}

func (c *chaos) note(format string, args ...any) {
	c.log = append(c.log, c.now.Sub(start).String()+" "+fmt.Sprintf(format, args...))
}

// fail stops the run with its whole story.
func (c *chaos) fail(err error) {
	if c.broke == nil {
		c.broke = err
		c.note("BROKEN: %v", err)
	}
}

func (c *chaos) story() string {
	text := ""
	for _, line := range c.log {
		text += line + "\n"
	}
	return text
}

// do carries one transition out; what cannot happen now is skipped.
func (c *chaos) do(transition world.Transition) bool {
	if _, err := c.world.Do(c.now, transition); err != nil {
		return false
	}
	if err := c.world.Check(); err != nil {
		c.note("%s", transition)
		c.fail(fmt.Errorf("S1: %w", err))
	}
	return true
}

// rest lets everything happen that happens by itself, caches included. What fails again and again does so a few
// times.
func (c *chaos) rest() {
	for failures := 0; c.broke == nil; {
		list := c.world.Enabled(c.now)
		next := slices.IndexFunc(list, func(t world.Transition) bool { return !again(t) && t.Kind != world.Deliver })
		if next < 0 {
			if next = slices.IndexFunc(list, again); next < 0 || failures == 8 {
				break
			}
			failures++
		}
		if !c.do(list[next]) {
			c.fail(fmt.Errorf("the world offers what it refuses: %s", list[next]))
		}
	}
	// The caches are as fresh as a live read now, which settles whatever was sent.
	c.deliverAll()
	c.issued = nil
}

// again tells whether the transition can happen over and over.
func again(t world.Transition) bool {
	return t.Kind == world.Crash || t.Kind == world.InitError || t.Kind == world.PullError
}

// step plans and sends the first actions of the plan; most < 0 sends all.
func (c *chaos) step(most int) model.Plan {
	snapshot, err := c.world.Snapshot(c.now, c.rollout)
	if err != nil {
		c.t.Fatal(err)
	}
	c.issued = slices.DeleteFunc(c.issued, func(i model.Issued) bool { return i.Visible(snapshot.Cluster) })
	rollout := *snapshot.Rollout
	rollout.Status.ObservedAt = metav1.NewTime(c.now)
	rollout.Status.Issued = slices.Clone(c.issued)
	snapshot.Rollout = &rollout
	p, err := c.next(snapshot)
	if err != nil {
		c.t.Fatal(err)
	}
	c.watched(snapshot, &p)
	for i := range p.Actions {
		if i == most {
			break
		}
		c.send(&p.Actions[i])
	}
	c.count(&p)
	return p
}

func (c *chaos) watched(snapshot *model.Snapshot, p *model.Plan) {
	if c.watch == nil {
		return
	}
	if err := c.watch(snapshot, p); err != nil {
		for i := range p.Actions {
			a := &p.Actions[i]
			c.note("would %s %s %s", a.Kind, a.Write.Object.Name, a.Reason)
		}
		c.fail(err)
	}
}

func (c *chaos) send(a *model.Action) {
	result, err := c.world.Apply(c.now, a.Write)
	if err != nil {
		c.note("refused %s %s %s: %v", a.Kind, a.Write.Object.Name, a.Reason, err)
		return
	}
	c.note("%s %s %s %s", a.Kind, a.Write.Object.Name, a.Reason, a.Cost.Seat)
	c.issued = append(c.issued, model.Issued{Action: *a, At: metav1.NewTime(c.now), Result: &result})
	if err := c.world.Check(); err != nil {
		c.fail(fmt.Errorf("S1: %w", err))
	}
}

// count books the interesting states: a run that rarely reaches them proves nothing.
func (c *chaos) count(p *model.Plan) {
	for i := range p.Actions {
		switch reason := p.Actions[i].Reason; reason {
		case model.HandoffPrepared, model.HandoffServing:
			c.seen["handoff"]++
		default:
			c.seen[string(reason)]++
		}
	}
	if p.Blocked() != nil {
		c.seen["blocked"]++
	}
}

// crash lets another executor take over: it knows nothing of what was sent, and reads a live list first.
func (c *chaos) crash() {
	c.runs++
	c.issued = nil
	c.note("another executor takes over")
	c.deliverAll()
	c.rollout.Status.Executor = model.Executor{ID: "run-" + strconv.Itoa(c.runs), Since: metav1.NewTime(c.now), Listed: true}
}

func (c *chaos) deliverAll() {
	for _, cache := range world.Caches() {
		c.world.DeliverUntil(cache, c.now)
	}
}

func (c *chaos) desire(tag int) {
	c.tag = tag
	c.note("revision %d is desired", tag)
	c.rollout.Spec.Desired = conventional(strconv.Itoa(tag))
}

// heal ends every fault: nodes are mended, images good, decisions made.
func (c *chaos) heal() {
	c.note("all faults end")
	for tag := range 5 {
		c.world.SetBehaviour("agent:"+strconv.Itoa(tag), world.Good)
	}
	for _, t := range c.world.Faults(c.now) {
		switch t.Kind {
		case world.MendNode, world.UncordonNode, world.MendPulls:
			c.do(t)
		}
	}
}

// finish runs to the end without faults, and returns the last plan.
func (c *chaos) finish() model.Plan {
	var p model.Plan
	for range 600 {
		c.rest()
		p = c.step(-1)
		c.rest()
		switch {
		case c.broke != nil:
			return p
		case len(p.Actions) > 0:
			c.now = c.now.Add(time.Second)
		case p.RequeueAfter > 0:
			c.now = c.now.Add(p.RequeueAfter)
		default:
			return p
		}
	}
	c.fail(fmt.Errorf("L2: no end after 600 plans"))
	return p
}

// faults are the faults that a run may draw, and how heavy they weigh.
var faultKinds = []world.Kind{
	world.BreakNode, world.LoseNode, world.MendNode, world.RebootNode, world.CordonNode, world.BreakPulls, world.MendPulls,
	world.KillPod, world.FailPod, world.StopReadiness, world.Crash, world.KillSet,
}

func (c *chaos) drawFault() {
	kind := rapid.SampledFrom(faultKinds).Draw(c.t, "kind")
	var list []world.Transition
	for _, t := range c.world.Faults(c.now) {
		if t.Kind == kind {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return
	}
	t := list[rapid.IntRange(0, len(list)-1).Draw(c.t, "which")]
	c.note("fault %s", t)
	c.do(t)
}

func (c *chaos) drawHand() {
	node := rapid.SampledFrom(c.world.Nodes()).Draw(c.t, "node")
	values := []string{"blue-to-green", "green-to-blue", "purple", "", "-"}
	if c.rollout.Spec.Strategy.Overlap != model.Never {
		// Without locks a person who names the other slot runs two Pods at once, and no plan can keep them from it.
		values = append(values, "blue", "green")
	}
	value := rapid.SampledFrom(values).Draw(c.t, "label")
	key := model.NewKeys("", namespace, "agent").NodeSlot
	edit := key + "=" + value
	if value == "-" {
		edit = key + "-"
	}
	c.note("a person labels %s %q", node, value)
	c.do(world.Transition{Kind: world.EditLabel, Node: node, Value: edit})
}

func (c *chaos) drawWorld() {
	list := c.world.Enabled(c.now)
	if len(list) == 0 {
		return
	}
	count := rapid.IntRange(1, 12).Draw(c.t, "many")
	for range count {
		if list = c.world.Enabled(c.now); len(list) == 0 || c.broke != nil {
			return
		}
		c.do(list[rapid.IntRange(0, len(list)-1).Draw(c.t, "next")])
	}
}

// actions are the moves of the game; those of a mild game have no faults and no hands.
func (c *chaos) actions(hands bool) map[string]func(*rapid.T) {
	guard := func(f func()) func(*rapid.T) {
		return func(t *rapid.T) {
			if c.broke == nil {
				c.t = t
				f()
			}
		}
	}
	game := map[string]func(*rapid.T){
		"plan":  guard(func() { c.step(-1) }),
		"plan2": guard(func() { c.step(-1); c.rest() }),
		"part":  guard(func() { c.step(rapid.IntRange(0, 3).Draw(c.t, "sent")) }),
		"world": guard(c.drawWorld),
		"rest":  guard(c.rest),
		"time": guard(func() {
			c.now = c.now.Add(rapid.SampledFrom([]time.Duration{time.Second, 5 * time.Second, 11 * time.Second, 11 * time.Minute}).Draw(c.t, "by"))
		}),
		"crash":  guard(c.crash),
		"fault":  guard(c.drawFault),
		"desire": guard(func() { c.desire(rapid.IntRange(1, 3).Draw(c.t, "tag")) }),
		"image": guard(func() {
			tag := rapid.IntRange(1, 3).Draw(c.t, "tag")
			b := rapid.SampledFrom(world.Behaviours()).Draw(c.t, "behaviour")
			c.note("image %d becomes %s", tag, b)
			c.world.SetBehaviour("agent:"+strconv.Itoa(tag), b)
		}),
	}
	if hands {
		game["hand"] = guard(c.drawHand)
	}
	return game
}

func TestChaosReachesTheEnd(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		overlap := rapid.SampledFrom([]model.OverlapMode{model.Locked, model.Locked, model.Never}).Draw(t, "overlap")
		limit := intstr.FromInt32(int32(rapid.IntRange(1, 2).Draw(t, "limit")))
		c := newChaos(t, plan.Next, rapid.IntRange(2, 4).Draw(t, "nodes"), rapid.Bool().Draw(t, "lagging"), func(r *model.Rollout) {
			r.Spec.Strategy.Overlap = overlap
			r.Spec.Strategy.MaxUnavailable = &limit
		})
		c.seen = seen
		c.rest()
		for range 6 {
			c.step(-1)
			c.rest()
			c.now = c.now.Add(11 * time.Second)
		}
		t.Repeat(c.actions(true))
		if c.broke == nil {
			c.heal()
			c.desire(4)
			p := c.finish()
			if c.broke == nil && (!p.Complete() || p.Pair.Updated != p.Pair.Desired || p.Pair.Desired == 0) {
				c.fail(fmt.Errorf("L1: it ended %s with %d of %d updated: %+v %+v %v", p.Phase, p.Pair.Updated, p.Pair.Desired, p.Blocked(), p.Waits, p.Nodes))
			}
		}
		if c.broke != nil {
			t.Fatalf("%v\n%s", c.broke, c.story())
		}
	})
	t.Log(seen)
}
