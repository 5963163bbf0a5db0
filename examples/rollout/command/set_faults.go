package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

// changedDocument is where the faults of a document are that --set has changed.
const changedDocument = "the Rollout document after --set"

// firstDocument is its place in what is then read: all of it.
const firstDocument = "document 1 (line 1): "

// blamed says of every fault of the changed document which --set made it: the last one whose field it is, or that is part of
// its field. A fault of another field names those beside it, or else all, since it is what they add up to.
func blamed(err error, settings []string) error {
	var faulty *dump.Error
	if len(settings) == 0 || !errors.As(err, &faulty) {
		return err
	}
	faults := make([]string, len(faulty.Faults))
	for i, fault := range faulty.Faults {
		faults[i] = blamedFault(fault, settings)
	}
	return &dump.Error{Faults: faults}
}

func blamedFault(fault string, settings []string) string {
	text, ok := strings.CutPrefix(fault, changedDocument+": "+firstDocument)
	if !ok {
		return fault
	}
	text = strings.TrimPrefix(text, model.RolloutKind+": ")
	at, _, _ := strings.Cut(text, ": ")
	var beside []string
	for _, setting := range slices.Backward(settings) {
		path, _, _ := strings.Cut(setting, "=")
		switch same, near := shared(at, path); {
		case same:
			return fmt.Sprintf("--set %s: %s", setting, text)
		case near:
			beside = append([]string{setting}, beside...)
		}
	}
	if len(beside) == 0 {
		beside = settings
	}
	return fmt.Sprintf("%s %s: %s", changedDocument, strings.Join(beside, ", "), text)
}

// shared tells whether one of two fields is the other, or part of it, and whether both stand in one part of the spec.
func shared(a, b string) (same, near bool) {
	one, err := parsePath(a)
	if err != nil {
		return false, false
	}
	other, err := parsePath(b)
	if err != nil {
		return false, false
	}
	n := min(len(one), len(other))
	return slices.Equal(one[:n], other[:n]), n > 2 && slices.Equal(one[:2], other[:2])
}

// lockFaults are what is wrong with the lock that the document names: a planner says so at its first plan, and by then nobody
// knows where the setting came from.
func lockFaults(r *model.Rollout, settings []string) error {
	spec := r.WithDefaults().Spec
	if spec.Strategy.Overlap != model.Locked {
		return nil
	}
	_, faults := lockspec.Resolve(spec.Lock, field.NewPath("spec", "lock"))
	if len(faults) == 0 {
		return nil
	}
	where := "the Rollout document: "
	if len(settings) > 0 {
		where = changedDocument + ": " + firstDocument
	}
	all := &dump.Error{}
	for _, fault := range faults {
		all.Faults = append(all.Faults, where+fault.Error())
	}
	return blamed(all, settings)
}
