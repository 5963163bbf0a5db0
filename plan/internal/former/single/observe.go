package single

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// view is the DaemonSet as the snapshot shows it; a missing one has a nil set.
type view struct {
	set *appsv1.DaemonSet
	// mode is the mark that a rollout on one DaemonSet leaves; empty on a conventional one.
	mode string
	// revision of the template; empty for a conventional one.
	revision string
	edited   model.EditedGenerations
	state    model.State
	// source is the former template, nil if none is kept.
	source *source
}

// source is a template to go back to.
type source struct {
	Revision string                 `json:"revision,omitempty"`
	Template corev1.PodTemplateSpec `json:"template"`
}

// mostSource is the size in bytes up to which a former template is kept: all annotations of an object together may have
// 256 KiB.
const mostSource = 128 << 10

// text is the annotation's value, and "" for one that is too large to be kept.
func (s *source) text() string {
	text, err := json.Marshal(s)
	if err != nil || len(text) > mostSource {
		return ""
	}
	return string(text)
}

func (v *view) uid() types.UID {
	if v.set == nil {
		return ""
	}
	return v.set.UID
}

func (v *view) observed() bool {
	return v.set != nil && v.set.Status.ObservedGeneration >= v.set.Generation
}

func (v *view) onDelete() bool {
	return v.set != nil && v.set.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
}

// recorded tells whether a target is being rolled out, and home whether nodes go back to the former template.
func (v *view) recorded() bool { return v.state.TargetSince != nil && v.state.Return == nil }

func (v *view) home() bool { return v.state.Return != nil }

func (v *view) proven() bool { return v.recorded() && v.state.Proven == v.revision }

// held tells whether the failure of the present target is remembered: a surge that is stopped takes the failed Pods away, and
// with them what showed it.
func (v *view) held() bool {
	return v.recorded() && v.state.Failed != nil && v.state.Failed.Revision == v.revision
}

// deletesFirst tells whether the present template is rolled delete-first.
func (p *planner) deletesFirst() bool { return !p.surges() || p.live.state.DeleteFirst }

// observe reads the DaemonSet and refuses what is not ours or not understood.
func (p *planner) observe(set *appsv1.DaemonSet) (view, *step.BlockedError) {
	if cause := p.otherStrategy(); cause != nil {
		return view{set: set}, cause
	}
	if set == nil {
		return view{}, nil
	}
	v := view{
		set: set, mode: set.Annotations[p.keys.Mode], revision: set.Spec.Template.Annotations[p.keys.Revision],
		edited: model.ParseEditedGenerations(set.Annotations[p.keys.Edited]),
	}
	if model.ControllerUID(set) != p.owner {
		return v, step.Block(model.ForeignDaemonSet, fmt.Sprintf("DaemonSet %s belongs to another owner (controller UID %q, want %q): delete it or give it that owner", p.name, model.ControllerUID(set), p.owner))
	}
	if err := lockspec.CheckSchema(set.Spec.Template.Annotations[p.keys.Schema]); err != nil {
		return v, step.Block(model.SchemaUnknown, fmt.Sprintf("DaemonSet %s: %v. Disable the surge under the operator that made it first", p.name, err))
	}
	var err error
	if v.state, err = model.ParseState(set.Annotations[p.keys.State]); err != nil {
		return v, p.unreadable(p.keys.State, err)
	}
	if text := set.Annotations[p.keys.Source]; text != "" {
		v.source = &source{}
		if json.Unmarshal([]byte(text), v.source) != nil || len(v.source.Template.Spec.Containers) == 0 {
			return v, p.unreadable(p.keys.Source, fmt.Errorf("annotation %s holds no template to go back to", p.keys.Source))
		}
	}
	return v, nil
}

func (p *planner) unreadable(key string, err error) *step.BlockedError {
	return step.Block(model.StateUnreadable, fmt.Sprintf("DaemonSet %s: %v. Correct or remove it: kubectl -n %s annotate daemonset %s %s-", p.name, err, p.rollout.Metadata.Namespace, p.name, key))
}

// otherStrategy refuses a rollout that lives as a pair: what a pair has on nodes and DaemonSets ends by its own opt-out.
func (p *planner) otherStrategy() *step.BlockedError {
	for _, set := range p.cluster.DaemonSets() {
		if set.Namespace != p.rollout.Metadata.Namespace || model.ControllerUID(set) != p.owner || p.owner == "" {
			continue
		}
		_, initialized := set.Annotations[p.keys.Initialized]
		_, mode := set.Spec.Template.Annotations[p.keys.Mode]
		if initialized || mode {
			return step.Block(model.StrategyChanged, fmt.Sprintf("DaemonSet %s carries the marks of a pair, and the strategy is %s: end the pair first (spec.strategy.type Pair with spec.intent OptOut), then run with the new strategy", set.Name, p.strategy.Type))
		}
	}
	return nil
}

// mode is the mark of the strategy.
func (p *planner) mode() string {
	switch {
	case p.locked():
		return model.ModeSurgePrepared
	case p.surges():
		return model.ModeSurge
	}
	return model.ModeRolling
}

func (p *planner) deadline() time.Duration {
	return time.Duration(*p.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
}
