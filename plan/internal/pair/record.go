package pair

import (
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// slotView is one DaemonSet of the pair as the snapshot shows it. A missing one has a nil set.
type slotView struct {
	set      *appsv1.DaemonSet
	revision string
	edited   model.EditedGenerations
	// owns says that the slot takes nodes without the slot label.
	owns bool
	// overlaps says that the slot takes nodes in overlap.
	overlaps bool
	// marked says that the DaemonSet carries a mark of an initialized pair.
	marked bool
	record record
}

// record is what both DaemonSets of a pair remember of the rollout.
type record struct {
	active         model.Slot
	target         model.Slot
	targetRevision string
	state          model.State
}

// uid returns the DaemonSet's UID, and "" if it is missing.
func (v *slotView) uid() types.UID {
	if v.set == nil {
		return ""
	}
	return v.set.UID
}

// observed tells whether the DaemonSet's controller has seen the present spec.
func (v *slotView) observed() bool {
	return v.set != nil && v.set.Status.ObservedGeneration >= v.set.Generation
}

func (v *slotView) deleting() bool { return v.set != nil && v.set.DeletionTimestamp != nil }

func (v *slotView) onDelete() bool {
	return v.set != nil && v.set.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
}

// pairView is the pair as the snapshot shows it.
type pairView struct {
	slots [2]slotView
	// record is the truth of the two halves.
	record record
}

func (p *pairView) slot(s model.Slot) *slotView {
	if s == model.Green {
		return &p.slots[1]
	}
	return &p.slots[0]
}

func (p *pairView) initialized() bool { return p.slots[0].marked || p.slots[1].marked }

// unreadable is an annotation of a slot that is not understood, or does not go with another one.
type unreadable struct {
	key string
	err error
}

func readSlot(set *appsv1.DaemonSet, keys model.Keys) (slotView, *unreadable) {
	if set == nil {
		return slotView{}, nil
	}
	view := slotView{set: set, owns: ownsUnlabelled(set, keys.NodeSlot), overlaps: admitsOverlap(set, keys)}
	template := set.Spec.Template.Annotations
	view.revision, view.edited = set.Annotations[keys.Revision], model.ParseEditedGenerations(set.Annotations[keys.Edited])
	if view.revision == "" {
		view.revision = template[keys.Revision]
	}
	_, mode := template[keys.Mode]
	_, initialized := set.Annotations[keys.Initialized]
	view.marked = mode || initialized || view.revision != ""
	active, ok := model.ParseSlot(set.Annotations[keys.ActiveSlot])
	if word := set.Annotations[keys.ActiveSlot]; !ok && word != "" {
		return view, &unreadable{keys.ActiveSlot, fmt.Errorf("annotation %s is %q, which is no slot", keys.ActiveSlot, step.Short(word))}
	}
	target, ok := model.ParseSlot(set.Annotations[keys.TargetSlot])
	revision := set.Annotations[keys.TargetRevision]
	switch word := set.Annotations[keys.TargetSlot]; {
	case !ok && word != "":
		return view, &unreadable{keys.TargetSlot, fmt.Errorf("annotation %s is %q, which is no slot", keys.TargetSlot, step.Short(word))}
	case ok && revision == "":
		return view, &unreadable{keys.TargetSlot, fmt.Errorf("annotation %s is set, and %s is not", keys.TargetSlot, keys.TargetRevision)}
	case !ok && revision != "":
		return view, &unreadable{keys.TargetRevision, fmt.Errorf("annotation %s is set, and %s is not", keys.TargetRevision, keys.TargetSlot)}
	}
	if active == model.NoSlot {
		active = model.Blue
	}
	state, err := model.ParseState(set.Annotations[keys.State])
	if err != nil {
		return view, &unreadable{keys.State, err}
	}
	view.record = record{active: active, target: target, targetRevision: revision, state: state}
	return view, nil
}

// mergeRecords settles what the two halves of the record say together. State is written to two objects, one after
// the other, so a reader meets half-written state: the half with the higher sequence holds; of halves with
// equal sequences (an existing operator writes none) a target recorded on one only is recorded, and blue's state holds,
// which is always written first: two executors can have planned one step at different instants.
func mergeRecords(slots *[2]slotView) (record, error) {
	a, b := &slots[0], &slots[1]
	switch {
	case a.set == nil:
		return b.record, nil
	case b.set == nil:
		return a.record, nil
	case a.record.state.Sequence > b.record.state.Sequence:
		return a.record, nil
	case a.record.state.Sequence < b.record.state.Sequence:
		return b.record, nil
	}
	return mergeTargets(a, b)
}

func mergeTargets(a, b *slotView) (record, error) {
	merged := a.record
	switch {
	case a.record.target == model.NoSlot:
		merged.target, merged.targetRevision = b.record.target, b.record.targetRevision
	case b.record.target == model.NoSlot:
	case a.record.target != b.record.target || a.record.targetRevision != b.record.targetRevision:
		return record{}, fmt.Errorf("%s records target %s at %s and %s records target %s at %s",
			a.set.Name, a.record.target, step.Short(a.record.targetRevision), b.set.Name, b.record.target, step.Short(b.record.targetRevision))
	}
	switch {
	case merged.target != model.NoSlot:
		// While a target is recorded anywhere the source is authoritative.
		merged.active = merged.target.Other()
	case a.record.active != b.record.active:
		return record{}, fmt.Errorf("%s says that %s is active and %s says %s", a.set.Name, a.record.active, b.set.Name, b.record.active)
	}
	return merged, nil
}

// observePair reads both DaemonSets and refuses what is not ours or not understood. Whoever only takes the pair away asks for its owner alone.
func observePair(cluster *model.Cluster, rollout *model.Rollout, owner types.UID, blue, green string, keys model.Keys, away bool) (pairView, *step.BlockedError) {
	var pair pairView
	var first *step.BlockedError
	refuse := func(b *step.BlockedError) {
		if first == nil {
			first = b
		}
	}
	namespace := rollout.Metadata.Namespace
	for i, name := range [2]string{blue, green} {
		set := cluster.DaemonSet(namespace, name)
		if set != nil && model.ControllerUID(set) != owner {
			return pairView{}, step.Block(model.ForeignDaemonSet, fmt.Sprintf("DaemonSet %s belongs to another owner (controller UID %q, want %q): delete it or give it that owner", name, model.ControllerUID(set), owner))
		}
		view, odd := readSlot(set, keys)
		if odd != nil {
			view.record = record{active: model.Blue}
			refuse(step.Block(model.StateUnreadable, fmt.Sprintf("DaemonSet %s: %v. Correct or remove it: kubectl -n %s annotate daemonset %s %s-", name, odd.err, namespace, name, odd.key)))
		}
		pair.slots[i] = view
	}
	if green := &pair.slots[1]; green.set != nil && !green.marked {
		return pair, step.Block(model.ForeignDaemonSet, fmt.Sprintf("DaemonSet %s stands where the pair's green slot belongs, and carries no mark of the pair: delete it, or choose another spec.slots.green.suffix", green.set.Name))
	}
	if b := refuseSchema(&pair, keys); b != nil {
		refuse(b)
	}
	merged, err := mergeRecords(&pair.slots)
	if err != nil {
		merged = record{active: model.Blue}
		refuse(step.Block(model.StateDiverged, fmt.Sprintf("%v. Decide which holds, and write it on both: kubectl -n %s annotate --overwrite daemonset %s %s %s=… %s=… %s=…",
			err, namespace, blue, green, keys.ActiveSlot, keys.TargetSlot, keys.TargetRevision)))
	}
	pair.record = merged
	if away {
		return pair, nil
	}
	return pair, first
}

// refuseSchema refuses what another planner has made: a rollout on one DaemonSet, or locks of another schema.
func refuseSchema(pair *pairView, keys model.Keys) *step.BlockedError {
	for i := range pair.slots {
		set := pair.slots[i].set
		if set == nil {
			continue
		}
		if mode := set.Annotations[keys.Mode]; mode != "" {
			return step.Block(model.StrategyChanged, fmt.Sprintf("DaemonSet %s carries the mark %s of a rollout on one DaemonSet, and the strategy is Pair: end that one first (its strategy with spec.intent OptOut), then run with the new strategy", set.Name, mode))
		}
		if err := lockspec.CheckSchema(set.Spec.Template.Annotations[keys.Schema]); err != nil {
			return step.Block(model.SchemaUnknown, fmt.Sprintf("DaemonSet %s: %v. Disable the pair under the operator that made it first", set.Name, err))
		}
	}
	return nil
}
