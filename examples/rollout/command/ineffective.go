package command

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
)

// ineffective are the settings that a document gives and that do nothing with its strategy, each with the cause. What would be
// expected of a setting and cannot be kept is refused before: these are harmless, and left from another strategy.
func ineffective(r *model.Rollout) (notes []string) {
	spec := &r.Spec
	s := r.WithDefaults().Spec.Strategy
	add := func(why string, given ...string) {
		switch fields := slices.DeleteFunc(given, func(field string) bool { return field == "" }); len(fields) {
		case 0:
		case 1:
			notes = append(notes, fields[0]+" has no effect: "+why+".")
		default:
			notes = append(notes, strings.Join(fields, " and ")+" have no effect: "+why+".")
		}
	}
	lock := fieldIf(spec.Lock.Preset != "" || spec.Lock.Spec != nil, "spec.lock")
	slots := fieldIf(spec.Slots.SelectorLabel != "", "spec.slots.selectorLabel")
	green := fieldIf(spec.Slots.Green.Suffix != "" || len(spec.Slots.Green.Env) > 0, "spec.slots.green")
	countPodSlots := fieldIf(spec.Capacity.CountPodSlots, "spec.capacity.countPodSlots")
	switch {
	case s.Type == model.Pair && s.Overlap == model.Never:
		// A preset also says how the slots differ.
		add("with overlap Never no second Pod is made beside the one that serves", fieldIf(s.MaxSurge != nil, "spec.strategy.maxSurge"),
			fieldIf(spec.Lock.Spec != nil, "spec.lock.spec"))
	case s.Type == model.RollingUpdate:
		add("a RollingUpdate makes no Pod beside another", lock, countPodSlots)
		add("one DaemonSet has no slots", slots, green)
	case s.Type == model.Surge && s.Overlap == model.Never:
		add("a Surge with overlap Never has no locks", lock)
		add("one DaemonSet has no slots", slots, green)
	case s.Type == model.Surge:
		add("one DaemonSet has no slots", slots, green)
	}
	return notes
}

func fieldIf(given bool, field string) string {
	if given {
		return field
	}
	return ""
}
