package execute

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// dice draws a number from 0 to n-1.
type dice func(n int) int

func seeded(seed uint64) dice { return rand.New(rand.NewPCG(seed, 0)).IntN }

func pick[T any](d dice, list ...T) T { return list[d(len(list))] }

// embedding is what a mutant changes: the run between its calls, and the calls themselves.
type embedding struct {
	name     string
	killedBy string                // what fails
	scene    func(embedding) error // where; nil for games
	newID    func(run int) string
	before   func(*Run, time.Time)                              // before every snapshot
	read     func(run *Run, asked Reads, former []model.Issued) // after every live read, with what was issued before it
	after    func(*Run)                                         // after every step
	fresh    func(*Run, *Step, *model.Cluster) *model.Cluster   // where fresh objects come from
}

// request is one that is on its way although nobody waits for it any more.
type request struct {
	action model.Action
	until  time.Time // it lands before that
	run    int
}

// sentAction is what a run has sent, with what became of it as the API server knows.
type sentAction struct {
	issued  model.Issued
	pending time.Time // not answered, and not landed yet; it cannot land from then on
}

// game drives a run against a world whose caches lag and whose answers get lost, through crashes and conflicts.
type game struct {
	embedding
	dice    dice
	world   *world.World
	rollout *model.Rollout
	planner *plan.Planner
	run     *Run
	began   time.Time // of the process
	now     time.Time
	judges  property.List
	calm    bool // no fault takes an agent: then the budget holds as it really is

	runs      int
	late      []request
	sent      []sentAction
	warm      bool
	handedOff bool
	lateOnes  int
	refusals  map[string]time.Time
	// unanswered are the objects of this run's requests without an answer.
	unanswered []model.ObjectRef
	last       model.Plan
	seen       map[string]int
	log        []string
	broke      error
}

const timeout = 4 * time.Second

func desired(tag string) *appsv1.DaemonSet {
	yes := true
	return worldtest.Set("agent", tag, func(set *appsv1.DaemonSet) {
		set.UID, set.ResourceVersion, set.Generation, set.Status = "", "", 0, appsv1.DaemonSetStatus{}
		set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType}
		set.OwnerReferences = []metav1.OwnerReference{{APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent", Name: "agent", UID: "owner", Controller: &yes}}
	})
}

// tenant leaves its node room for one agent.
func tenant(node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "tenant", UID: "tenant", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(worldtest.Start)},
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "shop", Image: "shop", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")},
		}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}

func number(n int) *intstr.IntOrString {
	value := intstr.FromInt32(int32(n))
	return &value
}

// drawn draws the settings of a game.
func drawn(d dice, e embedding) *game {
	strategy := pick(d, model.Strategy{Overlap: model.Locked}, model.Strategy{Overlap: model.Never}, model.Strategy{Type: model.RollingUpdate})
	strategy.MaxUnavailable = number(1 + d(2))
	return newGame(d, e, strategy, 3+d(3), d(2) == 0)
}

// newGame begins where revision 1 serves everywhere and revision 2 is desired.
func newGame(d dice, e embedding, strategy model.Strategy, nodes int, calm bool) *game {
	g := &game{
		embedding: e, dice: d, now: worldtest.Start, planner: new(plan.Planner), calm: calm,
		refusals: map[string]time.Time{}, seen: map[string]int{},
		judges: property.For(property.Plans | property.States | property.Excused | property.LateHandoffs),
	}
	g.rollout = &model.Rollout{
		Metadata: model.Owner{Namespace: worldtest.Namespace, Name: "agent", UID: "owner", APIVersion: "datadoghq.com/v2alpha1", Kind: "DatadogAgent"},
		Spec:     model.Spec{Desired: desired("1"), Strategy: strategy},
		Status: model.Facts{
			ObservedAt: metav1.NewTime(g.now), Watched: true, OtherPods: model.OtherPods{All: d(3) > 0},
			Executor: model.Executor{RequestTimeout: metav1.Duration{Duration: timeout}},
		},
	}
	objects := model.Objects{Nodes: worldtest.Nodes(nodes)}
	if d(3) == 1 {
		objects.Pods = []*corev1.Pod{tenant(objects.Nodes[0].Name)}
	}
	cluster, err := model.NewCluster(objects)
	if err == nil {
		g.world, err = world.New(&model.Snapshot{Cluster: cluster, Rollout: g.rollout}, world.Options{Lagging: true})
	}
	g.fail(err)
	g.begin()
	for range 12 {
		g.rest()
		g.reconcile(false)
		g.rest()
		g.now = g.now.Add(11 * time.Second)
	}
	g.warm = true
	g.desire("2")
	return g
}

func (g *game) note(format string, args ...any) {
	g.log = append(g.log, g.now.Sub(worldtest.Start).String()+" "+fmt.Sprintf(format, args...))
}

func (g *game) fail(err error) {
	if g.broke == nil && err != nil {
		g.broke = err
		g.note("BROKEN: %v", err)
	}
}

func (g *game) story() string { return strings.Join(g.log, "\n") }

// begin starts a process.
func (g *game) begin() {
	id := "run-" + strconv.Itoa(g.runs)
	if g.newID != nil {
		id = g.newID(g.runs)
	}
	g.run, g.began, g.handedOff = New(id), g.now, false
}

func (g *game) desire(tag string) {
	g.note("revision %s is desired", tag)
	g.rollout.Spec.Desired = desired(tag)
}

func (g *game) truth() *model.Snapshot {
	snapshot, err := g.world.Truth(g.now, g.rollout)
	g.fail(err)
	return snapshot
}

// moment is what the properties see.
func (g *game) moment() property.State {
	return property.State{World: g.world, Rollout: g.rollout, Now: g.now, Installing: !g.warm || !g.calm, LateHandoffs: g.lateOnes}
}

func (g *game) looked() {
	moment := g.moment()
	g.fail(g.judges.State(&moment))
}

// do carries a transition of the world out.
func (g *game) do(t world.Transition) {
	if _, err := g.world.Do(g.now, t); err == nil {
		g.looked()
	}
}

// rest lets everything happen that happens by itself, caches included.
func (g *game) rest() {
	g.work()
	g.deliver()
}

func (g *game) deliver() {
	for _, cache := range world.Caches() {
		g.world.DeliverUntil(cache, g.now)
	}
}

// work lets everything happen that happens by itself; the caches show nothing of it.
func (g *game) work() {
	for g.broke == nil {
		list := slices.DeleteFunc(g.world.Enabled(g.now), func(t world.Transition) bool { return t.Kind == world.Deliver })
		if len(list) == 0 {
			break
		}
		g.do(list[0])
	}
}

// reconcile is what an embedder does; rough answers get lost and processes die. It tells whether an action was carried out, and when to come
// again.
func (g *game) reconcile(rough bool) (acted bool, after time.Duration) {
	run := g.run
	if g.before != nil {
		g.before(run, g.now)
	}
	if reads := run.Reads(g.now); reads.Any() {
		g.seen["live read"]++
		for _, ref := range reads.Objects {
			if !slices.Contains(g.unanswered, ref) {
				g.fail(fmt.Errorf("Known: %s is read, though the outcome of every request for it is known", ref))
			}
		}
		former := run.state.Issued
		g.fail(run.Read(reads, reads.From(g.truth().Cluster), g.now))
		if g.read != nil {
			g.read(run, reads, former)
		}
	}
	view, err := g.world.Snapshot(g.now, g.rollout)
	g.fail(err)
	if g.broke != nil {
		return false, 0
	}
	snapshot := run.Snapshot(view.Cluster, view.Rollout, g.now)
	next, err := g.planner.Next(snapshot)
	for reads := run.Needs(&next); err == nil && reads.Any(); reads = run.Needs(&next) {
		g.seen["needs"]++
		if snapshot, err = run.Answer(reads, reads.From(g.truth().Cluster).Pods); err == nil {
			next, err = g.planner.Next(snapshot)
		}
	}
	g.fail(err)
	g.last = next
	g.judge(snapshot, &next)
	for step := range run.Steps(&next) {
		if g.broke != nil || rough && g.dice(g.steadiness(step.Action)) == 0 && g.crash(step.Action) {
			break
		}
		if step.NeedsFresh() && g.confirm(step) != nil {
			continue
		}
		result := g.send(step.Action, step.Write(), rough)
		_ = step.Done(result)
		acted = acted || result.outcome == applied
		if g.after != nil {
			g.after(run)
		}
	}
	return acted, run.After(&next, g.now)
}

// steadiness is one in how many times the process dies before an action: most often where that is dangerous.
func (g *game) steadiness(a *model.Action) int {
	if a.Cost.Seat != "" {
		return 4
	}
	return 24
}

// confirm gives the step its fresh look.
func (g *game) confirm(step *Step) error {
	live := g.truth().Cluster
	if g.fresh != nil {
		live = g.fresh(g.run, step, live)
	}
	err := step.Confirm(step.Reads().From(live), g.now)
	if err != nil {
		g.seen["not confirmed"]++
		g.note("not confirmed %s %s: %v", step.Action.Kind, step.Action.Write.Object.Name, err)
	}
	return err
}

// judge asks the properties about a plan, with what was really issued.
func (g *game) judge(snapshot *model.Snapshot, next *model.Plan) {
	if g.broke != nil {
		return
	}
	g.sent = slices.DeleteFunc(g.sent, func(s sentAction) bool {
		return s.pending.IsZero() && s.issued.Visible(snapshot.Cluster) || !s.pending.IsZero() && !g.now.Before(s.pending)
	})
	document := *snapshot.Rollout
	document.Status.Executor.Since.Time, document.Status.Executor.RequestTimeout.Duration = g.began, timeout
	document.Status.Issued = nil
	for i := range g.sent {
		document.Status.Issued = append(document.Status.Issued, g.sent[i].issued)
	}
	g.fail(g.judges.Plan(&property.Planned{State: g.moment(), Snapshot: &model.Snapshot{Cluster: snapshot.Cluster, Rollout: &document}, Plan: next}))
}

// errLost is a time-out.
var errLost = errors.New("the answer was lost")

// send carries a request to the API server; the rough way it may get no answer, whether it lands or not.
func (g *game) send(a *model.Action, w *model.Write, rough bool) Result {
	g.handsOver(a, g.runs)
	if rough && g.dice(8) == 0 {
		g.note("unanswered %s %s %s", a.Kind, a.Write.Object.Name, a.Reason)
		g.seen["unanswered"]++
		g.unanswered = append(g.unanswered, a.Write.Object)
		switch g.dice(3) {
		case 0: // it never arrives
		case 1:
			g.late = append(g.late, request{*a, g.now.Add(timeout), g.runs})
			g.sent = append(g.sent, sentAction{model.Issued{Action: *a, At: metav1.NewTime(g.now)}, g.now.Add(timeout)})
		case 2:
			g.apply(a)
		}
		return Unknown(errLost)
	}
	g.judgeSent(a)
	result, err := g.world.Apply(g.now, *w)
	if err != nil {
		g.refused(a, err)
		return Refused(err)
	}
	g.carried(a, result)
	return Stored(result)
}

// apply lets a request land that nobody waits for.
func (g *game) apply(a *model.Action) {
	if result, err := g.world.Apply(g.now, a.Write); err == nil {
		g.carried(a, result)
	}
}

func (g *game) carried(a *model.Action, result model.Result) {
	g.note("%s %s %s %s", a.Kind, a.Write.Object.Name, a.Reason, a.Cost.Seat)
	g.seen[string(a.Reason)]++
	if a.Cost.Seat != "" {
		g.seen["handoff"]++
	}
	g.sent = append(g.sent, sentAction{issued: model.Issued{Action: *a, At: metav1.NewTime(g.now), Result: &result}})
	g.looked()
}

// handsOver notes the first handoff of a run: from then on none of its predecessors' may have an effect, however late.
func (g *game) handsOver(a *model.Action, run int) {
	if a.Cost.Seat != "" && run == g.runs {
		g.handedOff = true
	}
}

// refused keeps a record: the same request may not be refused twice for the same cache, unless it had time to change.
func (g *game) refused(a *model.Action, err error) {
	g.note("refused %s %s: %v", a.Kind, a.Write.Object.Name, err)
	g.seen["refused"]++
	h := Hold{On: a.Write.Object, Node: a.Node}
	uid, version := h.now(g.run.view)
	key := fmt.Sprint(g.runs, a.Write.Object, uid, version)
	if at, again := g.refusals[key]; again && g.now.Before(at.Add(Patience)) {
		g.fail(fmt.Errorf("Again: the request for %s was refused twice for the same cache", a.Write.Object))
	}
	g.refusals[key] = g.now
}

// judgeSent judges by what is true that a source goes only for a target that may take over. Where nothing else takes agents, the budget holds by
// that too.
func (g *game) judgeSent(a *model.Action) {
	if len(a.Premises) == 0 || g.broke != nil {
		return
	}
	truth, k := g.truth(), slices.IndexFunc(g.last.Actions, func(other model.Action) bool { return other.Write.Object == a.Write.Object })
	truth.Rollout.Status.Executor, truth.Rollout.Status.OtherPods = model.Executor{}, model.OtherPods{All: true}
	for _, v := range plan.Validate(truth, &g.last) {
		if v.Action == k && (v.Property == plan.S4 || v.Property == plan.S14 || v.Property == plan.S2 && g.calm) {
			g.fail(fmt.Errorf("Fresh: %s is sent against what is true: %w", a.Write.Object, v))
		}
	}
}

// crash ends the process before or after its next request is on its way, and another one takes over.
func (g *game) crash(a *model.Action) bool {
	if len(a.Premises) == 0 || g.dice(2) == 0 {
		g.late = append(g.late, request{*a, g.now.Add(timeout), g.runs})
	}
	g.note("another process takes over before %s %s", a.Kind, a.Write.Object.Name)
	g.seen["takeover"]++
	g.runs++
	g.begin()
	g.unanswered, g.sent = nil, nil // its successor cannot know; it hands nothing over before a list
	return true
}

// land lets requests arrive whose senders are dead or have given up. A dead executor's handoff from an overlap may be as late as it likes: the
// fence sees to that. Everything else ends by its time-out.
func (g *game) land() {
	list := g.late
	g.late = nil
	for _, r := range list {
		a := &r.action
		fenced := r.run < g.runs && a.Write.Patch != nil && a.Cost.Seat != "" && a.Reason != model.ReleaseSource
		switch {
		case !g.now.Before(r.until) && !fenced:
		case g.dice(2) == 0:
			g.late = append(g.late, r)
			continue
		default:
			if _, err := g.world.Clone().Apply(g.now, a.Write); err == nil {
				g.seen["late request"]++
				if fenced && g.handedOff {
					g.lateOnes++
				}
				if g.apply(a); r.run < g.runs {
					g.sent = g.sent[:len(g.sent)-1]
				}
			}
		}
		g.expire(a)
	}
}

// expire takes a request that has landed, or cannot any more, from what is on its way.
func (g *game) expire(a *model.Action) {
	g.sent = slices.DeleteFunc(g.sent, func(s sentAction) bool { return !s.pending.IsZero() && s.issued.Action.Write.Object == a.Write.Object })
}

// faults are the kinds, the common ones more often.
var faults = []world.Kind{world.KillPod, world.KillPod, world.FailPod, world.StopReadiness, world.BreakNode, world.MendNode, world.Crash}

// move makes one move.
func (g *game) move() {
	if g.broke != nil {
		return
	}
	switch g.dice(14) {
	case 0, 1, 2, 3:
		g.reconcile(true)
	case 4, 5, 6:
		g.wander()
	case 7:
		g.rest()
	case 8:
		g.now = g.now.Add(pick(g.dice, time.Second, 3*time.Second, 11*time.Second, 25*time.Second))
	case 9:
		g.land()
	case 10:
		g.disturb()
	case 11:
		for range 1 + g.dice(4) {
			g.reconcile(true)
			g.wander()
			g.now = g.now.Add(time.Second)
			if g.dice(3) == 0 {
				g.land()
			}
		}
	case 12:
		g.stale()
	case 13:
		g.fault()
		g.reconcile(true)
	}
}

// stale goes on while the caches show nothing new: a takeover, what its predecessor has left, and time.
func (g *game) stale() {
	for range 3 {
		g.reconcile(true)
		g.land()
		g.now = g.now.Add(pick(g.dice, time.Second, timeout))
	}
}

// wander lets the world do a few things, in any order; the caches may stay behind.
func (g *game) wander() {
	stuck := pick(g.dice, world.Deliver, world.Deliver, world.StopContainer, world.CollectSet)
	for range 1 + g.dice(14) {
		list := slices.DeleteFunc(g.world.Enabled(g.now), func(t world.Transition) bool { return t.Kind == stuck })
		if len(list) == 0 || g.broke != nil {
			return
		}
		g.do(pick(g.dice, list...))
	}
}

// disturb lets somebody else write a Node, so that a handoff finds another version; desires another revision; or breaks something.
func (g *game) disturb() {
	switch node := pick(g.dice, g.world.Nodes()...); g.dice(4) {
	case 0:
		g.do(world.Transition{Kind: world.EditLabel, Node: node, Value: "color=" + strconv.Itoa(g.dice(9))})
	case 1:
		g.desire(pick(g.dice, "1", "2", "3"))
	case 2, 3:
		g.fault()
	}
}

// fault takes an agent, or its Node.
func (g *game) fault() {
	kind := pick(g.dice, faults...)
	list := slices.DeleteFunc(g.world.Faults(g.now), func(t world.Transition) bool { return t.Kind != kind })
	if !g.calm && len(list) > 0 {
		t := pick(g.dice, list...)
		g.note("fault %s", t)
		g.do(t)
	}
}

// mostReconciles is how many of them an end may take.
const mostReconciles = 300

// finish ends every disturbance, desires another revision, and goes on until nothing is left to do.
func (g *game) finish() {
	for g.broke == nil && len(g.late) > 0 {
		g.now = g.now.Add(timeout)
		g.late = slices.DeleteFunc(g.late, func(r request) bool { return r.run < g.runs })
		g.land()
	}
	for _, t := range g.world.Faults(g.now) {
		if t.Kind == world.MendNode {
			g.do(t)
		}
	}
	g.desire("4")
	for range mostReconciles {
		g.rest()
		acted, after := g.reconcile(false)
		switch {
		case g.broke != nil:
			return
		case acted:
			g.now = g.now.Add(time.Second)
		case after > 0:
			g.now = g.now.Add(after)
		case g.last.Complete():
			return
		default:
			g.fail(fmt.Errorf("End: nothing is left to do in phase %s: %+v %+v", g.last.Phase, g.last.Waits, g.last.Nodes))
		}
	}
	g.fail(fmt.Errorf("End: no end after %d reconciles: %s, %+v %+v", mostReconciles, g.last.Phase, g.last.Waits, g.run.State().Holds))
}

const moves = 40

// play plays the whole game.
func play(d dice, e embedding) *game {
	g := drawn(d, e)
	for range moves {
		g.move()
	}
	g.finish()
	return g
}
