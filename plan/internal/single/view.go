package single

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// view is what the snapshot shows, and what follows from that without a look at a node. No later stage writes it.
type view struct {
	cluster  *model.Cluster
	rollout  *model.Rollout
	strategy *model.Strategy
	keys     model.Keys
	now      time.Time
	executor model.Executor
	owner    types.UID

	// name of the DaemonSet; live is what the snapshot shows of it, render what is to run, nil if refused.
	name string
	live deployed
	// grown tells whether the next Pod asks for more than one of the former template.
	grown func(old *corev1.Pod) bool
	// measured reads, once, the DaemonSet with what its revision's live Pods ask for above the template.
	measured func() *appsv1.DaemonSet
	render   *Rendering
	refused  *step.BlockedError
	// refusal is the template's, though an opt-out goes on without it.
	refusal *step.BlockedError
	// identity is what is this rollout's own.
	identity step.Identity
	// life is what the rollout's life needs now.
	life life

	// placement is where Pods should run, by the template that the controller goes by; settle is how long one must be Ready to
	// count as available.
	placement *step.Placement
	settle    time.Duration

	// issuedNodes are nodes with an action whose effect does not show yet, and issuedCost what they cost; issuedSet says that
	// a write on the DaemonSet or the owner is under way.
	issuedNodes map[int]bool
	issuedCost  map[int]model.Cost
	issuedSet   bool

	// memo is what earlier plans have left.
	memo *Memo
}

// observe reads the snapshot. The memo may be nil.
func observe(snapshot *model.Snapshot, memo *Memo) *view {
	rollout := snapshot.Rollout
	v := &view{
		memo: memo, cluster: snapshot.Cluster, rollout: rollout, strategy: &rollout.Spec.Strategy, now: snapshot.Now(), executor: rollout.Status.Executor,
		keys: model.NewKeys(rollout.Spec.Slots.Domain, rollout.Metadata.Namespace, rollout.Metadata.Name), name: nameOf(rollout),
	}
	set := v.cluster.DaemonSet(rollout.Metadata.Namespace, v.name)
	v.owner = ownerOf(rollout, set)
	v.issuedNodes, v.issuedCost, v.issuedSet = step.Issued(v.cluster, rollout.Status.Issued)
	v.live, v.refused = v.observeSet(set)
	v.measured = v.readMeasured()
	v.grown = step.Grown(set, formerOf(&v.live))
	v.identify(set)
	v.renderDesired()
	v.place()
	v.life = v.lifeNeeds()
	return v
}

// identify settles what is the rollout's own, and refuses a cluster in which somebody else holds it. A teardown takes nobody's Pods.
func (v *view) identify(set *appsv1.DaemonSet) {
	v.identity = step.Identity{Keys: &v.keys, Namespace: v.rollout.Metadata.Namespace, Owner: v.owner, Names: []string{v.name}, Locks: step.LocksOf(v.rollout)}
	if v.away() {
		return
	}
	if set == nil {
		set = v.rollout.Spec.Desired
	}
	v.identity.Sets = []*appsv1.DaemonSet{set}
	if cause := v.identity.Strangers(v.cluster); cause != nil {
		v.refuse(cause)
	}
}

// limit is how long anything is awaited.
func (v *view) limit() step.Deadline { return step.Deadline{Now: v.now, Limit: v.deadline()} }

// nameOf is the name of the DaemonSet that the rollout speaks of.
func nameOf(rollout *model.Rollout) string {
	switch spec := &rollout.Spec; {
	case spec.Desired != nil:
		return spec.Desired.Name
	case spec.DesiredFrom != nil:
		return spec.DesiredFrom.Name
	}
	return rollout.Metadata.Name
}

// ownerOf is the settings' UID, else the controller of the desired or the deployed DaemonSet.
func ownerOf(rollout *model.Rollout, live *appsv1.DaemonSet) types.UID {
	if rollout.Metadata.UID != "" {
		return rollout.Metadata.UID
	}
	for _, set := range [...]*appsv1.DaemonSet{rollout.Spec.Desired, live} {
		if set == nil {
			continue
		}
		if uid := model.ControllerUID(set); uid != "" {
			return uid
		}
	}
	return ""
}

// surges tells whether the strategy is Surge, and locked whether its Pods wait behind locks.
func (v *view) surges() bool { return v.strategy.Type == model.Surge }

func (v *view) locked() bool { return v.surges() && v.strategy.Overlap == model.Locked }

// deletesFirst tells whether the present template is rolled delete-first, by what the record says.
func (v *view) deletesFirst(r *record) bool { return !v.surges() || r.state.DeleteFirst }

// mode is the mark of the strategy.
func (v *view) mode() string {
	switch {
	case v.locked():
		return model.ModeSurgePrepared
	case v.surges():
		return model.ModeSurge
	}
	return model.ModeRolling
}

func (v *view) deadline() time.Duration {
	return time.Duration(*v.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}

// away tells whether the DaemonSet is taken away, and ends whether the rollout ends, be it so or as the conventional DaemonSet.
func (v *view) away() bool { return v.rollout.Spec.Intent == model.Teardown || v.tearing() }

func (v *view) ends() bool { return v.away() || v.rollout.Spec.Intent == model.OptOut }

// tearing tells whether the owner's cleanup annotation forces a teardown.
func (v *view) tearing() bool { return v.rollout.Metadata.Annotations[v.keys.Cleanup] != "" }

// superseded tells whether the present template is not what is desired any more. On one DaemonSet the next template is the answer: it
// is written at once, and what is under way counts for it.
func (v *view) superseded() bool { return v.render.Revision != v.live.revision }

// place compiles where Pods should run, by the template that the controller goes by, and how long one is Ready before it
// counts: max(minReadySeconds, settleSeconds).
func (v *view) place() {
	seconds := *v.strategy.SettleSeconds
	set := v.live.set
	if set == nil && v.render != nil {
		set = v.render.prepared
	}
	if set != nil {
		seconds = max(seconds, set.Spec.MinReadySeconds)
		v.placement = v.placementOf(set)
	}
	v.settle = time.Duration(seconds) * time.Second
}

// renderDesired renders what is to run. A template that cannot be rolled out is a refusal, not an error.
func (v *view) renderDesired() {
	if v.away() {
		return
	}
	base, refusal := v.desired()
	if refusal != nil {
		v.refuse(refusal)
		return
	}
	rendering, err := v.rendered(base)
	if err = v.refuseDesired(base, err); err != nil {
		if v.refusal = step.BlockFor(model.TemplateRefused, err.Error(), err); !v.ends() {
			v.refuse(v.refusal)
		}
		return
	}
	v.render = v.adopted(rendering)
}

// desired is the conventional DaemonSet that is to run.
func (v *view) desired() (*appsv1.DaemonSet, *step.BlockedError) {
	if desired := v.rollout.Spec.Desired; desired != nil {
		switch {
		case model.ControllerUID(desired) != v.owner:
			return nil, step.Block(model.ForeignDaemonSet, step.NotOwnersText(desired, &v.rollout.Metadata, v.owner))
		case v.live.set != nil && v.rollout.Spec.Intent == model.Run && !step.Covers(&v.live.set.Spec.Selector, &desired.Spec.Selector):
			return nil, step.Block(model.SelectorChanged, fmt.Sprintf("the selector of DaemonSet %s is immutable and differs from the desired one: keep the selector, or tear the rollout down first", v.name))
		}
		return desired, nil
	}
	if v.live.set == nil {
		return nil, step.Block(model.DesiredMissing, fmt.Sprintf("DaemonSet %s/%s is not in the snapshot: spec.desiredFrom names a deployed one; give spec.desired, or add it to the dump", v.rollout.Metadata.Namespace, v.name))
	}
	base, missing := step.WithImages(v.unmarked(), v.rollout.Spec.DesiredFrom)
	if missing != "" {
		return nil, step.Block(model.DesiredMissing, missing)
	}
	return base, nil
}

// refuseDesired joins what any API server refuses to the error of rendering. Whoever opts out is told that by the server.
func (v *view) refuseDesired(desired *appsv1.DaemonSet, err error) error {
	if v.rollout.Spec.Intent != model.Run {
		return err
	}
	as := "a rolling update"
	if v.surges() {
		as = "a surge"
	}
	return step.RefuseDesired(v.memo.soundness(), desired, func() []*appsv1.DaemonSet {
		if v.live.set == nil {
			return nil
		}
		return []*appsv1.DaemonSet{v.unmarked()}
	}, as, err)
}

// refuse keeps the first cause: what is wrong with the DaemonSet comes before what is wrong with the template.
func (v *view) refuse(cause *step.BlockedError) {
	if v.refused == nil {
		v.refused = cause
	}
}
