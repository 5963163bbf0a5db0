package plan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/execute"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

// planner is one planning step; the mutants of the properties are others.
type planner func(*model.Snapshot) (model.Plan, error)

// planners are that of the executor, the one that S12 asks again, and the one that Memory compares with: of it and the first,
// one remembers.
type planners struct {
	next, again, other planner
	honest             bool // no mutant: what it plans, and a fresh look has confirmed, is right by what is true as well
}

// ofAnEmbedder plans by a Planner, and compares with Next.
func ofAnEmbedder() planners { return planners{new(plan.Planner).Next, plan.Next, plan.Next, true} }

// mutated plans by another Next, and compares with a Planner.
func mutated(next planner) planners { return planners{next, next, new(plan.Planner).Next, false} }

// dice draws the choices of a game: rapid's, which shrink, or a seed's, which are the same in every run.
type dice interface {
	// roll returns a number from 0 to n-1.
	roll(what string, n int) int
}

type rapidDice struct{ t *rapid.T }

func (d rapidDice) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(d.t, what) }

type seededDice struct{ r *rand.Rand }

func seeded(seed uint64) seededDice { return seededDice{rand.New(rand.NewPCG(seed, 0))} }

func (d seededDice) roll(_ string, n int) int { return d.r.IntN(n) }

func pick[T any](d dice, what string, list ...T) T { return list[d.roll(what, len(list))] }

// setting is the cluster and the document of one game.
type setting struct {
	nodes int
	// full nodes hold one agent and no second one.
	full     int
	lagging  bool
	prompt   bool // the caches lag, but not for long
	stale    bool // what the executor reads live is no newer than its caches
	deployed bool // a conventional DaemonSet serves already
	strategy model.Strategy
	// minReady are the desired DaemonSet's minReadySeconds.
	minReady int32
	images   map[string]world.Behaviour
}

// embedding is what a mutant of package execute changes: what its run remembers before every snapshot and after every answer, the IDs of
// new ones, and whether it looks again.
type embedding struct {
	before, after func(*execute.State)
	newID         func(run int) string
	blind         bool
}

type sentAction struct {
	model.Issued
	answered bool
}

// chaos drives a world at random: an executor, which is package execute, everything that happens by itself, faults, the hands of
// people, and the clock.
type chaos struct {
	dice dice
	planners
	setting setting
	world   *world.World
	rollout *model.Rollout
	now     time.Time
	embedding
	run *execute.Run
	// validators judge every plan, and a wrong one with past actions, with a memory.
	validators [2]plan.Validator
	past       []model.Action
	// sent is what the present executor has really changed and its caches do not show yet, whether it has got an answer or not.
	sent []sentAction
	// unanswered is how many requests from now on get no answer.
	unanswered int
	runs       int
	tag        int
	joined     int // nodes that joined so far
	log        []string
	plans      int
	last       model.Plan
	// ended is how many plans the last end took, and broken the node that is down then.
	ended  int
	broken string
	// late are handoffs of dead executors that were never sent, or are still under way; handedOff says that the present
	// executor has sent one since.
	late      []model.Action
	until     time.Time // no request of a dead executor can land from then on, but for what is fenced
	handedOff bool
	// warm says that the pair serves: what comes now is the game.
	warm bool
	// slow is what does not happen while the world is drawn.
	slow world.Kind
	// edited are nodes with a label that a person wrote; labelled counts the plan's writes of a label since then.
	edited   map[string]bool
	labelled map[string]int
	// doubtful are the revisions that may rightly have failed: those with bad images, and those that were desired while things went
	// wrong.
	doubtful map[int]bool
	// seen counts what the run has reached.
	seen map[string]int
	// judge sees every plan with the snapshot that it was made from, and look the world after every change of it.
	judge func(*chaos, *model.Snapshot, *model.Plan) error
	look  func(*chaos) error
	broke error
}

func newChaos(d dice, p planners, s setting) *chaos {
	c := &chaos{
		dice: d, planners: p, setting: s, now: start, tag: 1, slow: world.CollectSet,
		seen: map[string]int{}, edited: map[string]bool{}, labelled: map[string]int{}, doubtful: map[int]bool{},
	}
	c.rollout = rolloutOf("1", func(r *model.Rollout) {
		r.Spec.Strategy = s.strategy
	})
	c.run = execute.Resume(execute.State{Executor: model.Executor{
		ID: "run-0", Since: metav1.NewTime(start), RequestTimeout: metav1.Duration{Duration: requestTimeout}, Listed: true,
	}})
	c.rollout.Spec.Desired.Spec.MinReadySeconds = s.minReady
	objects := model.Objects{Nodes: workers(s.nodes)}
	for i := range s.full {
		objects.Pods = append(objects.Pods, tenant(objects.Nodes[i].Name, "1500m"))
	}
	if s.deployed {
		set := conventional("1")
		set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
		set.Spec.MinReadySeconds = s.minReady
		objects.DaemonSets = []*appsv1.DaemonSet{set}
	}
	cluster, err := model.NewCluster(objects)
	if err == nil {
		c.world, err = world.New(&model.Snapshot{Cluster: cluster, Rollout: c.rollout}, world.Options{Lagging: s.lagging, Behaviour: s.images})
	}
	c.fail(err)
	return c
}

func (c *chaos) note(format string, args ...any) {
	c.log = append(c.log, c.now.Sub(start).String()+" "+fmt.Sprintf(format, args...))
}

// fail ends the game; the first cause stays.
func (c *chaos) fail(err error) {
	if c.broke == nil && err != nil {
		c.broke = err
		c.note("BROKEN: %v", err)
	}
}

func (c *chaos) story() string { return strings.Join(c.log, "\n") }

// do carries one transition out; what cannot happen now is skipped.
func (c *chaos) do(transition world.Transition) bool {
	if _, err := c.world.Do(c.now, transition); err != nil {
		return false
	}
	c.looked(transition.String())
	return true
}

func (c *chaos) looked(after string) {
	if c.look == nil {
		return
	}
	if err := c.look(c); err != nil {
		c.note("%s", after)
		c.fail(err)
	}
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
	c.list()
}

// again tells whether the transition can happen over and over.
func again(t world.Transition) bool {
	return t.Kind == world.Crash || t.Kind == world.InitError || t.Kind == world.PullError || t.Kind == world.FailPod
}

// list brings every cache up to date.
func (c *chaos) list() {
	for _, cache := range world.Caches() {
		c.world.DeliverUntil(cache, c.now)
	}
}

// wait lets time pass. An image that crashes does so before it has been Ready for settleSeconds: what is Ready for
// longer serves, and no planner can tell it from a good one.
func (c *chaos) wait(d time.Duration) {
	for _, t := range c.world.Enabled(c.now) {
		if t.Kind == world.Crash {
			c.do(t)
		}
	}
	c.now = c.now.Add(d)
	if c.setting.prompt {
		for _, cache := range world.Caches() {
			c.world.DeliverUntil(cache, c.now.Add(-mostLag))
		}
	}
}

// mostLag is how late a prompt cache is: less than settleSeconds, or a Pod that has crashed long ago is still shown as
// Ready, and serves by all that can be known.
const mostLag = (model.DefaultSettleSeconds - 1) * time.Second

// plan plans once, after the live reads that the executor's run asks for.
func (c *chaos) plan() model.Plan {
	c.mutate(c.before)
	if reads := c.run.Reads(c.now); reads.Any() {
		c.fail(c.run.Read(reads, reads.From(c.truth().Cluster), c.now))
	}
	shown, err := c.world.Snapshot(c.now, c.rollout)
	if err != nil {
		c.fail(err)
		return model.Plan{}
	}
	snapshot := c.run.Snapshot(shown.Cluster, shown.Rollout, c.now)
	c.fail(c.unlisted(snapshot))
	p, err := c.next(snapshot)
	c.fail(err)
	c.last = p
	c.plans++
	if c.judge != nil {
		if err := c.judge(c, snapshot, &p); err != nil {
			for i := range p.Actions {
				c.note("would %s %s %s", p.Actions[i].Kind, p.Actions[i].Write.Object.Name, p.Actions[i].Reason)
			}
			c.fail(err)
		}
	}
	if c.warm && p.Blocked() != nil {
		c.seen["blocked"]++
	}
	return p
}

func (c *chaos) mutate(change func(*execute.State)) {
	if change != nil {
		state := c.run.State()
		state.Issued = slices.Clone(state.Issued)
		change(&state)
		c.run = execute.Resume(state)
	}
}

// unlisted is S7 by what was really sent: the snapshot shows it, or lists it with the result that the API server gave.
func (c *chaos) unlisted(s *model.Snapshot) error {
	c.sent = slices.DeleteFunc(c.sent, func(i sentAction) bool {
		object, known := c.truth().Cluster.Object(i.Action.Write.Object, i.Action.Node)
		gone := known && (object == nil || i.answered && object.GetUID() != i.Result.UID)
		if gone && (!i.answered || i.Action.Write.Create != nil) {
			return true // a live read tells no more of it than that it is gone
		}
		return i.Visible(s.Cluster)
	})
	for i := range c.sent {
		sent := &c.sent[i]
		if !slices.ContainsFunc(s.Rollout.Status.Issued, func(listed model.Issued) bool {
			return listed.Action.Write.Object == sent.Action.Write.Object && (!sent.answered || listed.Result != nil && *listed.Result == *sent.Result)
		}) {
			return &property.Violation{Property: "S7", Message: "neither shown nor listed: " + sent.Action.Write.Object.String()}
		}
	}
	return nil
}

func (c *chaos) truth() *model.Snapshot {
	truth, err := c.world.Truth(c.now, c.rollout)
	c.fail(err)
	return truth
}

// step plans and sends the first actions of the plan; most < 0 sends all. It returns the plan.
func (c *chaos) step(most int) model.Plan {
	p := c.plan()
	for step := range c.run.Steps(&p) {
		if most == 0 || c.broke != nil || !c.send(step) {
			break
		}
		most--
	}
	c.mutate(c.after)
	return p
}

// send gives the step its fresh look and sends it. It tells whether the step was carried out.
func (c *chaos) send(step *execute.Step) bool {
	a := step.Action
	if step.NeedsFresh() {
		live := c.truth().Cluster
		if c.setting.stale || c.blind {
			shown, err := c.world.Snapshot(c.now, c.rollout)
			c.fail(err)
			live = shown.Cluster
		}
		if err := step.Confirm(step.Reads().From(live), c.now); err != nil {
			c.note("not confirmed %s %s %s: %v", a.Kind, a.Write.Object.Name, a.Reason, err)
			c.seen["not confirmed"]++
			return false
		}
		c.fail(c.untrue(a))
	}
	result, err := c.world.Apply(c.now, *step.Write())
	answered := c.unanswered == 0
	switch {
	case err != nil && answered:
		c.note("refused %s %s %s: %v", a.Kind, a.Write.Object.Name, a.Reason, err)
		c.seen["refused"]++
		_ = step.Done(execute.Refused(err))
		return false
	case answered:
		_ = step.Done(execute.Stored(result))
	default:
		c.unanswered--
		c.seen["unanswered"]++
		_ = step.Done(execute.Unknown(errors.New("nobody has heard of it")))
	}
	if err != nil {
		return false
	}
	c.note("%s %s %s %s", a.Kind, a.Write.Object.Name, a.Reason, a.Cost.Seat)
	if c.past = append(c.past, *a); len(c.past) > mostPast {
		c.past = slices.Clone(c.past[1:])
	}
	c.sent = append(c.sent, sentAction{model.Issued{Action: *a, Result: &result}, answered})
	c.handedOff = c.handedOff || a.Cost.Seat != ""
	c.count(a)
	c.looked("sent")
	return answered
}

// untrue judges an action that has had its fresh look by what is true: a source goes only for a target that may take over.
func (c *chaos) untrue(a *model.Action) error {
	if c.setting.stale || !c.honest {
		return nil
	}
	k := slices.IndexFunc(c.last.Actions, func(other model.Action) bool { return other.Write.Object == a.Write.Object })
	for _, v := range plan.Validate(c.truth(), &c.last) {
		if v.Action == k && (v.Property == plan.S4 || v.Property == plan.S14) {
			return &property.Violation{Property: string(v.Property), Message: "against what is true: " + v.Message}
		}
	}
	return nil
}

// count books the interesting states: a game that rarely reaches them proves nothing.
func (c *chaos) count(a *model.Action) {
	if a.Kind == model.SetNodeSlot {
		c.labelled[a.Node]++
		if c.edited[a.Node] {
			c.edited[a.Node] = false
			c.seen["hand repair"]++
		}
	}
	switch a.Reason {
	case model.HandoffPrepared, model.HandoffServing:
		c.seen["handoff"]++
	case model.ReleaseSource:
		c.seen["release"]++
	case model.CapacityFallback:
		c.seen["capacity fallback"]++
	case model.ReturnBegun:
		c.seen["return"]++
	case model.LocksSplit:
		c.seen["split locks"]++
	case model.NodeFenced:
		c.seen["fence"]++
	case model.PairArmed:
		c.seen["armed"]++
	case model.SlotMissing:
		if c.warm {
			c.seen["slot recreated"]++
		}
	case model.RolloutComplete:
		c.seen["complete"]++
	case model.NativeStopped:
		c.seen["native stopped"]++
	case model.StaleRevision:
		if a.Cost.Seat == "paid" && c.setting.strategy.Type != "" {
			c.seen["delete first"]++
		}
	case model.CanaryPaused:
		c.seen["canary paused"]++
	case model.CanaryFailed:
		c.seen["canary failed"]++
	case model.CanaryValidated:
		c.seen["canary validated"]++
	}
}

// mostPast bounds the past actions.
const mostPast = 8

// requestTimeout is how long a request can be under way.
const requestTimeout = 4 * time.Second

// crash ends the executor before the next action of its plan but some. Another one takes over: it knows nothing of what
// was sent, and has not listed yet.
func (c *chaos) crash() {
	p := c.plan()
	sent := c.dice.roll("sent", len(p.Actions)+1)
	if i := slices.IndexFunc(p.Actions, func(a model.Action) bool { return a.Cost.Seat != "" }); i >= 0 {
		sent = i
	}
	done := 0
	for step := range c.run.Steps(&p) {
		if done == sent || c.broke != nil || !c.send(step) {
			break
		}
		done++
	}
	if done == sent {
		for _, a := range p.Actions[sent:] {
			if a.Cost.Seat != "" && (a.Write.Patch != nil || c.setting.strategy.Type != "") {
				c.late = append(c.late, a)
			}
		}
	}
	c.runs++
	c.seen["executor takeover"]++
	c.note("another executor takes over after %d of %d actions", sent, len(p.Actions))
	c.sent, c.handedOff = nil, false
	timeout := pick(c.dice, "timeout", time.Nanosecond, requestTimeout)
	id := "run-" + strconv.Itoa(c.runs)
	if c.newID != nil {
		id = c.newID(c.runs)
	}
	c.run, c.until = execute.Resume(execute.State{Executor: model.Executor{ID: id, RequestTimeout: metav1.Duration{Duration: timeout}}}), c.now.Add(timeout)
	if c.dice.roll("lands", 2) == 1 {
		c.land()
	}
}

// land lets a dead executor's requests arrive. After the first handoff of the present one they must have no effect, however
// late they are: the fence sees to that. What begins without an overlap has no fence, and ends by the request's timeout.
func (c *chaos) land() {
	for i := range c.late {
		a := &c.late[i]
		if (a.Reason == model.ReleaseSource || a.Write.Delete != nil) && !c.now.Before(c.until) {
			continue
		}
		if _, err := c.world.Apply(c.now, a.Write); err != nil {
			continue
		}
		c.note("late %s %s %s", a.Kind, a.Write.Object.Name, a.Reason)
		c.seen["late request"]++
		if c.handedOff {
			c.seen[lateHandoff]++
		}
		c.looked("late request")
	}
	c.late = nil
}

// lateHandoff counts handoffs of a dead executor that landed after one of its successor.
const lateHandoff = "late handoff after the successor's first"

func (c *chaos) desire(tag int) {
	c.tag = tag
	clear(c.labelled) // the writes that follow are the revision's, not a hand's
	c.note("revision %d is desired", tag)
	c.rollout.Spec.Desired = conventional(strconv.Itoa(tag))
	c.rollout.Spec.Desired.Spec.MinReadySeconds = c.setting.minReady
}

// heal ends every fault: nodes are mended, taints removed, images good, and no setting holds nodes back.
func (c *chaos) heal(but string) {
	c.note("all faults end")
	for tag := range 5 {
		c.world.SetBehaviour("agent:"+strconv.Itoa(tag), world.Good)
	}
	for _, t := range c.world.Faults(c.now) {
		switch t.Kind {
		case world.MendNode, world.UncordonNode, world.MendPulls:
			if t.Node != but {
				c.do(t)
			}
		}
	}
	for _, name := range c.world.Nodes() {
		c.do(world.Transition{Kind: world.UntaintNode, Node: name, Value: leaves})
	}
	c.rollout.Spec.Strategy.Partition, c.rollout.Spec.Strategy.Paused = nil, false
	c.late = nil
}

// finish runs to the end without faults, and returns the last plan.
func (c *chaos) finish() model.Plan {
	var p model.Plan
	for c.ended = range mostPlans {
		c.rest()
		p = c.step(-1)
		c.rest()
		switch {
		case c.broke != nil:
			return p
		case len(p.Actions) > 0:
			c.wait(time.Second)
		case c.run.After(&p, c.now) > 0:
			c.wait(c.run.After(&p, c.now))
		default:
			return p
		}
	}
	c.ended = mostPlans
	return p
}

// mostPlans is the number of plans within which four nodes reach any end (L2): a return, a rollout and an opt-out of
// four nodes, one by one, take a quarter of it.
const mostPlans = 400

// warmUp lets the pair be made and serve.
func (c *chaos) warmUp() {
	for range 6 {
		c.rest()
		c.step(-1)
		c.rest()
		c.wait(11 * time.Second)
	}
	c.warm = true
}

// number makes a setting's number.
func number(n int) *intstr.IntOrString {
	value := intstr.FromInt32(int32(n))
	return &value
}
