package property

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
)

// Open returns the promises that the planner is known not to keep yet everywhere: what a driver judges only when it is asked for
// it. Whoever mends the last open scope and game of one moves it into All, with the mutants that it kills.
func Open() List {
	return List{
		{Name: "S2 in truth", Needs: States, State: emptiedWithinBudget,
			Sentence: "whatever the caches show, no node loses its agent while maxUnavailable others have none, and no more than maxUnavailable are without one because the rollout took it, until they are served again or their Node is another one"},
		{Name: "S9 of neighbours", Needs: Plans, Plan: sparesNeighbours,
			Sentence: "no label is written that turns away a Pod of a DaemonSet of another rollout"},
		{Name: "S9 of former Pods", Needs: Plans, Plan: namesFormer,
			Sentence: "while Pods of another owner with our selector run, no node loses its agent, and the plan names them"},
		{Name: "S8 of a healthy fleet", Needs: Plans, Plan: staysForward,
			Sentence: "a proven target that serves more than half of the nodes is not taken back to go forward to a newer revision"},
		{Name: "Evidence", Needs: Plans | BrokenNode, Plan: condemnsNobody,
			Sentence: "a revision whose images are good is not remembered as failed for a node that is bad whatever runs there"},
		{Name: "S15", Needs: Plans, Plan: speaks,
			Sentence: "a plan without actions that is not complete has a deadline of its own ahead, or something issued, or Blocked or Degraded is True and says what a person can do"},
		{Name: "S15 overdue", Needs: Plans, Plan: overdue,
			Sentence: "Progressing is not True once the deadline of everything that is awaited has passed"},
		{Name: "Words", Needs: Plans, Plan: agrees,
			Sentence: "no sentence and no report contradicts the numbers beside it"},
		{Name: "L8", Needs: Ends, Stop: stopped,
			Sentence: "whatever stays bad, and whoever joins, the rollout ends: complete, Blocked, or Degraded with a message"},
		{Name: "L9", Needs: Ends | WayBack, End: fixed,
			Sentence: "a corrected image, opt-out and teardown come to their end from every state, on every node but one that stays bad"},
	}
}

// OpenFor returns the open promises that a driver can judge that offers so much.
func OpenFor(offer Offer) List { return Open().within(offer) }

func limitOf(s *State) (int, error) {
	most := s.Rollout.Spec.Strategy.MaxUnavailable
	if most == nil {
		most = s.Rollout.WithDefaults().Spec.Strategy.MaxUnavailable
	}
	return budget.Resolve(*most, s.World.Len())
}

func emptiedWithinBudget(s *State) error {
	if s.Installing {
		return nil
	}
	limit, err := limitOf(s)
	if err != nil {
		return nil // not a number: the planner's matter
	}
	if emptied := s.World.Emptied(); len(emptied) > limit {
		return fmt.Errorf("the rollout has left %v without an agent, maxUnavailable is %d", emptied, limit)
	}
	if exempt := s.Rollout.Spec.Strategy.ExemptUnhealthy; exempt != nil {
		if more, err := budget.Resolve(*exempt, s.World.Len()); err == nil {
			limit += more
		}
	}
	if bare := s.World.Bare(); bare > limit {
		return fmt.Errorf("the rollout has taken an agent, and now %d nodes have none: maxUnavailable is %d, and what is exempt is in it", bare, limit)
	}
	return nil
}

// sparesNeighbours looks at DaemonSets that the rollout has nothing to do with, and that choose nodes by its label.
func sparesNeighbours(s *Planned) error {
	key := keysOf(s.Snapshot.Rollout).NodeSlot
	var others []*capacity.Placement
	for _, set := range s.Snapshot.Cluster.DaemonSets() {
		if s.World != nil && s.World.Member(set.UID) || !strings.Contains(jsonOf(set.Spec.Template.Spec.Affinity), `"`+key+`"`) {
			continue
		}
		if placement, err := capacity.NewPlacement(&set.Spec.Template); err == nil {
			others = append(others, placement)
		}
	}
	if len(others) == 0 {
		return nil
	}
	for i := range s.Plan.Actions {
		a := &s.Plan.Actions[i]
		at, ok := s.Snapshot.Cluster.Find(a.Write.Object.Name)
		if a.Write.Object.Kind != "Node" || a.Write.Patch == nil || !ok {
			continue
		}
		node := s.Snapshot.Cluster.Node(at)
		after := *node
		if after.Labels, ok = model.ApplyEdits(node.Labels, a.Write.Patch.Labels); !ok {
			continue // refused anyway
		}
		for _, placement := range others {
			if placement.Judge(node) == capacity.Eligible && placement.Judge(&after) != capacity.Eligible {
				return fmt.Errorf("the %s of node %s turns away what another DaemonSet runs there", a.Kind, node.Name)
			}
		}
	}
	return nil
}

func keysOf(r *model.Rollout) model.Keys {
	return model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name)
}

// namesFormer looks at Pods of a DaemonSet that is not there, or not any more.
func namesFormer(s *Planned) error {
	former := formerPods(s.Snapshot)
	if len(former) == 0 {
		return nil
	}
	for i := range s.Plan.Actions {
		if a := &s.Plan.Actions[i]; a.Cost.Seat != "" {
			return fmt.Errorf("the %s of node %s costs an agent while %s runs, of the former owner %s", a.Kind, a.Node, former[0].Name, model.ControllerUID(former[0]))
		}
	}
	said := jsonOf(s.Plan.Conditions) + jsonOf(s.Plan.Waits) + jsonOf(s.Plan.Faults) + jsonOf(s.Plan.Nodes)
	if !strings.Contains(said, former[0].Name) && !strings.Contains(said, string(model.ControllerUID(former[0]))) {
		return fmt.Errorf("nothing in the plan names %s, of the former owner %s", former[0].Name, model.ControllerUID(former[0]))
	}
	return nil
}

func formerPods(s *model.Snapshot) (pods []*corev1.Pod) {
	if s.Rollout.Spec.Desired == nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s.Rollout.Spec.Desired.Spec.Selector)
	if err != nil || selector.Empty() {
		return nil
	}
	objects := Objects(s.Cluster)
	for _, pod := range objects.Pods {
		uid := model.ControllerUID(pod)
		if uid == "" || pod.Namespace != s.Rollout.Metadata.Namespace || model.Terminal(pod) || !selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		known := false
		for _, set := range objects.DaemonSets {
			known = known || set.UID == uid
		}
		if !known {
			pods = append(pods, pod)
		}
	}
	return pods
}

// staysForward looks at the record of a return.
func staysForward(s *Planned) error {
	p, r := s.Plan, s.Snapshot.Rollout
	begins := slices.ContainsFunc(p.Actions, func(a model.Action) bool { return a.Reason == model.ReturnBegun })
	if !begins || r.Spec.Intent != model.Run && r.Spec.Intent != "" || p.Revision == p.Pair.ActiveRevision {
		return nil
	}
	set := provenSet(s.Snapshot)
	if set == nil || set.Annotations[keysOf(r).Revision] == p.Pair.ActiveRevision {
		return nil
	}
	serving := 0
	for i := range s.Snapshot.Cluster.Len() {
		for _, pod := range s.Snapshot.Cluster.Pods(i) {
			if ready, _ := model.ReadySince(pod); ready && model.ControllerUID(pod) == set.UID {
				serving++
			}
		}
	}
	if 2*serving > p.Pair.Desired {
		return fmt.Errorf("%d of %d nodes are served by the proven target, and all go back before the newer revision comes", serving, p.Pair.Desired)
	}
	return nil
}

// provenSet is the DaemonSet whose revision is recorded as proven; nil for none.
func provenSet(s *model.Snapshot) *appsv1.DaemonSet {
	keys, proven := keysOf(s.Rollout), ""
	for _, set := range s.Cluster.DaemonSets() {
		if state, err := model.ParseState(set.Annotations[keys.State]); err == nil && state.Proven != "" {
			proven = state.Proven
		}
	}
	for _, set := range s.Cluster.DaemonSets() {
		if proven != "" && set.Annotations[keys.Revision] == proven {
			return set
		}
	}
	return nil
}

// condemnsNobody looks at what the plan says of the desired revision. It is for runs in which nothing is bad but one node.
func condemnsNobody(s *Planned) error {
	if s.Snapshot.Rollout.Spec.Desired == nil {
		return nil
	}
	for _, c := range s.Snapshot.Rollout.Spec.Desired.Spec.Template.Spec.Containers {
		if s.World.Behaviour(c.Name, c.Image) != world.Good {
			return nil
		}
	}
	for i := range s.Plan.Nodes {
		if r := &s.Plan.Nodes[i]; r.Reason == model.RevisionRemembered {
			return fmt.Errorf("revision %s is remembered as failed, and all its images are good: node %s rests", s.Plan.Revision, r.Node)
		}
	}
	return nil
}

// rests tells whether the plan does nothing, though it is not at its end, and nobody has told it to.
func rests(s *Planned) bool {
	p, r := s.Plan, s.Snapshot.Rollout
	strategy := &r.Spec.Strategy
	return len(p.Actions) == 0 && !p.Complete() && !p.ReleaseOwner && len(r.Status.Issued) == 0 && r.Status.Watched && r.Status.Executor.Listed &&
		!strategy.Paused && !strategy.Frozen
}

// asks tells whether a condition that is True tells a person what to do.
func asks(p *model.Plan) (asked bool, err error) {
	for _, kind := range [...]string{model.ConditionBlocked, model.ConditionDegraded} {
		c := p.Condition(kind)
		switch {
		case c == nil || c.Status != metav1.ConditionTrue:
		case c.Message == "":
			return true, fmt.Errorf("%s is True, and says nothing", kind)
		default:
			asked = true
		}
	}
	return asked, nil
}

// personHolds are the reasons that a person's setting or verdict gives.
var personHolds = []model.Reason{model.WaitingForCohort, model.CanaryAwaited, model.CanaryPaused, model.RolloutPaused, model.RolloutFrozen, model.RevisionRemembered}

// awaited are the nodes that are not done, and that no person holds.
func awaited(p *model.Plan) []model.NodeReport {
	return slices.DeleteFunc(slices.Clone(p.Nodes), func(r model.NodeReport) bool {
		return r.Verdict == model.Done || slices.Contains(personHolds, r.Reason)
	})
}

// speaks is S15.
func speaks(s *Planned) error {
	if !rests(s) || s.Plan.RequeueAfter > 0 {
		return nil
	}
	if asked, err := asks(s.Plan); asked || err != nil {
		return err
	}
	if waiting := awaited(s.Plan); len(waiting)+len(s.Plan.Waits) > 0 {
		return fmt.Errorf("it stops silently: no action, nothing issued, no deadline ahead, neither Blocked nor Degraded: %v %v", waiting, s.Plan.Waits)
	}
	return nil
}

// comes are the reasons of waits for what others do.
var comes = []model.Reason{
	model.SourceStarting, model.SourceExiting, model.TargetCreating, model.TargetScheduling, model.TargetPreparing, model.TargetStarting,
	model.TargetExiting, model.TargetRestarting, model.WaitingForPodsToEnd, model.WaitingForSlot, model.SlotNotObserved,
}

// overdue: what is awaited for longer than the deadline is no progress.
func overdue(s *Planned) error {
	if !rests(s) {
		return nil
	}
	waiting, c := awaited(s.Plan), s.Plan.Condition(model.ConditionProgressing)
	if c == nil || c.Status != metav1.ConditionTrue {
		return nil
	}
	deadline := time.Duration(*s.Snapshot.Rollout.WithDefaults().Spec.Failure.ProgressDeadlineSeconds) * time.Second
	late := ""
	for i := range waiting {
		r := &waiting[i]
		if !slices.Contains(comes, r.Reason) {
			continue
		}
		since := r.SinceTime()
		if since.IsZero() || s.Snapshot.Rollout.Status.ObservedAt.Sub(since) <= deadline+time.Second {
			return nil
		}
		late = fmt.Sprintf("%s waits since %s (%s)", r.Node, since.Format(time.RFC3339), r.Reason)
	}
	if late != "" {
		return fmt.Errorf("the condition Progressing is True, and the deadline of all that is awaited has passed: %s", late)
	}
	return nil
}

// agrees compares what is said with what is counted.
func agrees(s *Planned) error {
	p := s.Plan
	for i := range p.Nodes {
		r := &p.Nodes[i]
		if r.Verdict == model.Done && (r.Reason == model.OnTarget || r.Reason == model.OnSource) && r.Blame != model.Available && r.Blame != model.NotEligible {
			return fmt.Errorf("node %s is done (%s), and counted as %s", r.Node, r.Reason, r.Blame)
		}
	}
	if p.Ledger.Available > 0 || p.Ledger.Eligible == 0 {
		return nil
	}
	text, err := plan.Explain(p, plan.ExplainOptions{})
	if at := strings.Index(text, " serves"); at >= 0 {
		line := text[strings.LastIndexByte(text[:at], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		return fmt.Errorf("it says %q with %s", line, p.Ledger)
	}
	return err
}

// stopped is L8: the last plan says how the rollout has ended.
func stopped(p *model.Plan) error {
	if len(p.Actions) > 0 {
		return errors.New("it goes on")
	}
	if p.Complete() || p.ReleaseOwner {
		return nil
	}
	asked, err := asks(p)
	if !asked {
		return fmt.Errorf("it ended %s with %d of %d updated, neither complete nor Blocked nor Degraded: %v %v", p.Phase, p.Pair.Updated, p.Pair.Desired, p.Waits, p.Nodes)
	}
	return err
}

// fixed is L9.
func fixed(e *End) error {
	if e.Broken == "" {
		return Reached(e)
	}
	return aroundBroken(e)
}
