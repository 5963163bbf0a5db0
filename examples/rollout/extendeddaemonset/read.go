package extendeddaemonset

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model/dump"
)

// Kinds are what a dump has to keep for Read, in dump.Options.Keep.
func Kinds() []string { return []string{Kind, SettingKind} }

// Manifest is what the inputs say: one ExtendedDaemonSet, the settings beside it, and the nodes.
type Manifest struct {
	set *resource
	// where the manifest stands in the inputs.
	where    string
	settings []*setting
	nodes    []*corev1.Node
}

// Read finds the one ExtendedDaemonSet of a dump. The error is a *dump.Error with every unknown field and every second
// manifest, or says that there is none.
func Read(d *dump.Dump) (*Manifest, error) {
	found := &Manifest{nodes: d.Objects.Nodes}
	var faults []string
	keep := func(err error) {
		var listed *dump.Error
		if errors.As(err, &listed) {
			faults = append(faults, listed.Faults...)
		}
	}
	for _, other := range d.Others {
		if other.APIVersion != APIVersion {
			faults = append(faults, fmt.Sprintf("%s: %s: apiVersion: Unsupported value: %q: supported values: %q", other.Where, other.Kind, other.APIVersion, APIVersion))
			continue
		}
		if other.Kind == SettingKind {
			read, err := dump.Decode[setting](other)
			keep(err)
			found.settings = append(found.settings, read)
			continue
		}
		set, err := dump.Decode[resource](other)
		if keep(err); found.set != nil {
			faults = append(faults, fmt.Sprintf("%s: a second %s: import one at a time", other.Where, Kind))
		}
		found.set, found.where = set, other.Where
	}
	if len(faults) > 0 {
		return nil, &dump.Error{Faults: faults}
	}
	if found.set == nil {
		return nil, fmt.Errorf("the inputs have no %s (apiVersion: %s)", Kind, APIVersion)
	}
	return found, nil
}
