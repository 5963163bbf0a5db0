package single

import (
	"encoding/json"
	"fmt"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// deployed is the DaemonSet as the snapshot shows it; a missing one has a nil set.
type deployed struct {
	set *appsv1.DaemonSet
	// mode is the mark that a rollout on one DaemonSet leaves; empty on a conventional one.
	mode   string
	edited model.EditedGenerations
	record
	// source is the former template, nil if none is kept.
	source *source
	// emptied are the nodes that the rollout has taken the Pod from, and that are not known to be served again; emptiedFull says that no
	// further one can be recorded.
	emptied     model.Emptied
	emptiedFull bool
}

// record is what the DaemonSet says of the rollout.
type record struct {
	// revision of the template; empty for a conventional one.
	revision string
	state    model.State
}

// hasTarget tells whether the template is a target that is being rolled out.
func (r *record) hasTarget() bool { return r.state.TargetSince != nil && r.state.Return == nil }

// returning tells whether nodes go back to the former template.
func (r *record) returning() bool { return r.state.Return != nil }

func (r *record) proven() bool { return r.hasTarget() && r.state.Proven == r.revision }

// failed tells whether the failure of the present target is remembered: a surge that is stopped takes the failed Pods away, and
// with them what showed it.
func (r *record) failed() bool {
	return r.hasTarget() && r.state.Failed != nil && r.state.Failed.Revision == r.revision
}

func (d *deployed) uid() types.UID {
	if d.set == nil {
		return ""
	}
	return d.set.UID
}

func (d *deployed) observed() bool {
	return d.set != nil && d.set.Status.ObservedGeneration >= d.set.Generation
}

func (d *deployed) onDelete() bool {
	return d.set != nil && d.set.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
}

// source is a template to go back to.
type source struct {
	Revision string                 `json:"revision,omitempty"`
	Template corev1.PodTemplateSpec `json:"template"`
}

// mostSource is the size in bytes up to which a former template is kept: all annotations of an object together may have
// 256 KiB.
const mostSource = 128 << 10

// text is the annotation's value; empty for none, and for one that is too large to be kept.
func (s *source) text() string {
	if s == nil {
		return ""
	}
	text, err := json.Marshal(s)
	if err != nil || len(text) > mostSource {
		return ""
	}
	return string(text)
}

// readSource reads the annotation's value; nil if it holds no template.
func readSource(text string) *source {
	s := &source{}
	if json.Unmarshal([]byte(text), s) != nil || len(s.Template.Spec.Containers) == 0 {
		return nil
	}
	return s
}

// observeSet reads the DaemonSet and refuses what is not ours or not understood.
func (v *view) observeSet(set *appsv1.DaemonSet) (deployed, *step.BlockedError) {
	if cause := v.otherStrategy(); cause != nil {
		return deployed{set: set}, cause
	}
	if set == nil {
		return deployed{}, nil
	}
	d := deployed{
		set: set, mode: set.Annotations[v.keys.Mode], record: record{revision: set.Spec.Template.Annotations[v.keys.Revision]},
		edited: model.ParseEditedGenerations(set.Annotations[v.keys.Edited]),
	}
	if model.ControllerUID(set) != v.owner {
		return d, step.Block(model.ForeignDaemonSet, fmt.Sprintf("DaemonSet %s belongs to another owner (controller UID %q, want %q): delete it or give it that owner", v.name, model.ControllerUID(set), v.owner))
	}
	cause := v.readRecord(&d)
	if v.ends() {
		return d, nil // whoever ends the rollout needs no record: there is one Pod a node, and no native surge beside a wrapped one
	}
	return d, cause
}

// readRecord reads what the DaemonSet remembers, and refuses what is not understood.
func (v *view) readRecord(d *deployed) *step.BlockedError {
	set := d.set
	if err := lockspec.CheckSchema(set.Spec.Template.Annotations[v.keys.Schema]); err != nil {
		return step.Block(model.SchemaUnknown, fmt.Sprintf("DaemonSet %s: %v. Disable the surge under the operator that made it first", v.name, err))
	}
	var err error
	if d.state, err = model.ParseState(set.Annotations[v.keys.State]); err != nil {
		return v.unreadable(v.keys.State, err)
	}
	if d.emptied, err = model.ParseEmptied(set.Annotations[v.keys.Emptied]); err != nil {
		return v.unreadable(v.keys.Emptied, err)
	}
	d.emptiedFull = d.emptied.Full()
	if text := set.Annotations[v.keys.Source]; text != "" {
		if d.source = v.sourceIn(text); d.source == nil {
			return v.unreadable(v.keys.Source, fmt.Errorf("annotation %s holds no template to go back to", v.keys.Source))
		}
	}
	return nil
}

func (v *view) unreadable(key string, err error) *step.BlockedError {
	return step.Block(model.StateUnreadable, fmt.Sprintf("DaemonSet %s: %v. Correct or remove it: kubectl -n %s annotate daemonset %s %s-", v.name, err, v.rollout.Metadata.Namespace, v.name, key))
}

// otherStrategy refuses a rollout that lives as a pair: what a pair has on nodes and DaemonSets ends by its own opt-out. A DaemonSet that
// the surge prototype has left, with its own mode on the template, is none, and is taken over.
func (v *view) otherStrategy() *step.BlockedError {
	for _, set := range v.cluster.DaemonSets() {
		if set.Namespace != v.rollout.Metadata.Namespace || model.ControllerUID(set) != v.owner || v.owner == "" {
			continue
		}
		_, initialized := set.Annotations[v.keys.Initialized]
		mode := set.Spec.Template.Annotations[v.keys.Mode]
		if initialized || mode != "" && mode != model.ModeSurgePrepared {
			return step.Block(model.StrategyChanged, fmt.Sprintf("DaemonSet %s carries the marks of a pair, and the strategy is %s: end the pair first (spec.strategy.type Pair with spec.intent OptOut), then run with the new strategy", set.Name, v.strategy.Type))
		}
	}
	return nil
}
