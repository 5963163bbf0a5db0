package execute

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// Step is one action on its way: Confirm it if it needs a fresh look, send its Write, and say by Done what became of that.
type Step struct {
	Action *model.Action

	run   *Run
	plan  *model.Plan
	k     int
	now   time.Time
	reads Reads
	stage stage
}

// errUnsaid is the outcome of a step that was left without Done.
var errUnsaid = errors.New("nobody has said what became of it")

type stage uint8

const (
	unconfirmed stage = iota
	ready
	sent
	done    // and the next one may follow
	dropped // none may follow
)

// Steps yields the plan's actions in their order, and stops at the first that is not carried out, or that waits for a cache. The plan is that
// of the run's last snapshot. Who leaves the loop after a Write was taken and before Done leaves an unknown outcome; before that, nothing was sent.
func (r *Run) Steps(next *model.Plan) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for k := range next.Actions {
			step, ok := r.Step(next, k)
			if !ok {
				return
			}
			goOn := yield(step)
			if step.stage == sent {
				_ = step.Done(Unknown(errUnsaid))
			}
			if !goOn || step.stage != done {
				return
			}
		}
	}
}

// Step is one action of the plan, for drivers that send one at a time, each only after the one before it was carried out. ok is false if it
// waits for a cache; then nothing of the plan is sent any more.
func (r *Run) Step(next *model.Plan, k int) (step *Step, ok bool) {
	a, now := &next.Actions[k], r.view.Now()
	if r.held(a, now) {
		return nil, false
	}
	step = &Step{Action: a, run: r, plan: next, k: k, now: now, stage: ready}
	if len(a.Premises) > 0 {
		step.stage, step.reads = unconfirmed, r.premises(a)
	}
	return step, true
}

// premises names what the action rests on: its node with all its Pods, and the rollout's DaemonSets.
func (r *Run) premises(a *model.Action) (reads Reads) {
	add := func(ref model.ObjectRef) {
		if !slices.Contains(reads.Objects, ref) {
			reads.Objects = append(reads.Objects, ref)
		}
	}
	namespace, sets := r.view.Rollout.Metadata.Namespace, r.view.Cluster.DaemonSets()
	for _, p := range a.Premises {
		for _, set := range sets {
			if set.UID != p.UID {
				continue
			}
			for _, other := range sets {
				if other.Namespace == set.Namespace && model.ControllerUID(other) == model.ControllerUID(set) {
					add(refOf("DaemonSet", other))
				}
			}
		}
		switch p.Kind {
		case model.PremisePodPrepared, model.PremisePodAvailable, model.PremisePodUnschedulable:
			add(model.ObjectRef{Kind: "Pod", Namespace: namespace, Name: p.Name, UID: p.UID})
		case model.PremiseSlotRevision, model.PremiseTargetRecorded, model.PremiseSeatLeft:
		}
	}
	if i, ok := r.view.Cluster.Find(a.Node); ok {
		reads.PodsOn = []string{a.Node}
		add(refOf("Node", r.view.Cluster.Node(i)))
		for _, pod := range r.view.Cluster.Pods(i) {
			if !model.Bound(pod) {
				add(refOf("Pod", pod))
			}
		}
	}
	return reads
}

// NeedsFresh tells whether the step rests on objects that its request cannot test: Reads names them, and Confirm takes them.
func (s *Step) NeedsFresh() bool { return s.stage == unconfirmed }

// Reads names the objects that are to be read live for Confirm.
func (s *Step) Reads() Reads { return s.reads }

// Confirm judges the step by the objects of Reads as they are now, read right before. The error says what no longer holds: then the step is over,
// and waits until the caches show that. Where nothing differs from the snapshot, the plan is the judgement; else plan.Validate judges.
func (s *Step) Confirm(fresh model.Objects, now time.Time) error {
	view := s.run.view
	changes := s.reads.changes(view.Cluster, &fresh)
	differs := refsOf(&changes)
	s.stage = ready
	if len(differs) == 0 && view.Now().Equal(s.plan.ObservedAt.Time) {
		return nil
	}
	err := s.judge(&changes, now)
	if err == nil {
		return nil
	}
	s.stage = dropped
	for _, ref := range differs {
		s.run.hold(s.Action, ref, 1, err.Error())
	}
	return err
}

// judge validates the action, after those before it, on the view with the changes.
func (s *Step) judge(changes *model.Changes, now time.Time) error {
	view := s.run.view
	cluster, err := view.Cluster.Apply(*changes)
	if err != nil {
		return err
	}
	if _, there := cluster.Find(s.Action.Node); s.Action.Node != "" && !there {
		return fmt.Errorf("node %s is gone", s.Action.Node)
	}
	document := *view.Rollout
	facts := &document.Status
	facts.ObservedAt = metav1.NewTime(now)
	facts.OtherPods.Nodes = append(slices.Clip(facts.OtherPods.Nodes), s.reads.PodsOn...)
	s.run.fill(facts)
	prefix := *s.plan
	prefix.Actions = prefix.Actions[:s.k+1]
	var found []error
	for _, v := range plan.Validate(&model.Snapshot{Cluster: cluster, Rollout: &document}, &prefix) {
		if v.Action == s.k || v.Action < 0 && v.Property == plan.Form {
			found = append(found, v)
		}
	}
	return errors.Join(found...)
}

// Write returns the request, and nil while the step is unconfirmed, or is over: what rests on other objects is not sent without a fresh look.
func (s *Step) Write() *model.Write {
	if s.stage != ready {
		return nil
	}
	s.stage = sent
	return &s.Action.Write
}

// Done notes what became of the request. The error is what a reconcile should return: that of a request with an unknown outcome, of one that was
// refused for another cause than a cache that is too old, or again after the cache had time to change. Nil after a first 404, 409 or 422: the next
// plan knows better.
func (s *Step) Done(result Result) error {
	if s.stage != sent {
		return nil
	}
	s.stage = dropped
	r := s.run
	issued := model.Issued{Action: *s.Action}
	switch result.outcome {
	case applied:
		s.stage = done
		issued.At, issued.Result = metav1.NewTime(s.now), result.result
		if issued.Result.UID == "" {
			issued.Result.UID = s.Action.Write.Object.UID
		}
		if !inCluster(s.Action.Write.Object) {
			r.hold(s.Action, s.Action.Write.Object, 0, "it was carried out")
			return nil
		}
	case refused:
		if !guarded(result.err) || r.hold(s.Action, s.Action.Write.Object, 1, fmt.Sprint(result.err)) > 1 {
			return fmt.Errorf("%s %s was refused: %w", s.Action.Write.Verb(), s.Action.Write.Object, result.err)
		}
		return nil
	case unknown:
		r.state.Issued = append(r.state.Issued, issued)
		return fmt.Errorf("%s %s has an unknown outcome: %w", s.Action.Write.Verb(), s.Action.Write.Object, result.err)
	}
	r.state.Issued = append(r.state.Issued, issued)
	return nil
}

// Needs names what is to be read before capacity can be judged, all Pods of the nodes that the plan names: nothing if it was answered already.
func (r *Run) Needs(next *model.Plan) (reads Reads) {
	for _, node := range next.Needs {
		if !r.view.Rollout.Status.OtherPods.Listed(node) {
			reads.PodsOn = append(reads.PodsOn, node)
		}
	}
	return reads
}

// Answer returns the run's snapshot with the Pods that Needs has asked for, to plan again at once. The error is a *model.ObjectError.
func (r *Run) Answer(asked Reads, pods []*corev1.Pod) (*model.Snapshot, error) {
	cluster, err := r.view.Cluster.Apply(asked.changes(r.view.Cluster, &model.Objects{Pods: pods}))
	if err != nil {
		return nil, err
	}
	document := *r.view.Rollout
	document.Status.OtherPods.Nodes = append(slices.Clip(document.Status.OtherPods.Nodes), asked.PodsOn...)
	r.view = &model.Snapshot{Cluster: cluster, Rollout: &document}
	return r.view, nil
}
