package validate

import (
	"encoding/json"
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// written judges a write on the DaemonSet: its record, its native strategy and its template.
func (s single) written(a account, x act) (found []Violation) {
	patch, set := x.Write.Patch, s.set().set
	if patch == nil || s.rollout.Spec.Intent != model.Run {
		return nil
	}
	notes, _ := model.ApplyEdits(set.Annotations, patch.Annotations)
	state, err := model.ParseState(notes[s.keys.State])
	if err != nil {
		return x.breaks(Form, "the state would not be readable: %v", err)
	}
	if state.Proven != "" && state.Proven != s.state.Proven && (a.onTarget == 0 || state.Proven != s.targetRevision) {
		found = x.breaks(S4, "revision %s would be recorded as proven, and serves on no node", state.Proven)
	}
	template := set.Spec.Template
	if patch.Spec != nil {
		template = patch.Spec.Template
		found = append(found, s.native(a, x, patch.Spec, &state)...)
	}
	return append(found, s.keepsFormer(x, &state, &template, notes[s.keys.Source])...)
}

// keptTemplate is the former template as the annotation has it.
type keptTemplate struct {
	Template corev1.PodTemplateSpec `json:"template"`
}

func readKept(text string) (kept keptTemplate, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &kept)
	}
	return kept, err
}

// keepsFormer: the former template is kept as long as its successor is not proven, and a return writes that very one.
func (s single) keepsFormer(x act, state *model.State, template *corev1.PodTemplateSpec, text string) []Violation {
	set := s.set().set
	was := set.Annotations[s.keys.Source]
	kept, err := readKept(text)
	former, wasErr := readKept(was)
	for _, err := range [...]error{err, wasErr} {
		if err != nil {
			return x.breaks(Form, "the former template is not readable: %v", err)
		}
	}
	revision := template.Annotations[s.keys.Revision]
	changes := !equality.Semantic.DeepEqual(*template, set.Spec.Template) && revision != s.targetRevision
	inFlight := s.advancing && !s.proven
	switch desired := revision == s.plan.Revision; {
	case state.TargetSince != nil && !changes && text != was:
		return x.breaks(S5, "the former template would be given up while revision %q is being rolled out", s.targetRevision)
	case !changes:
	case state.Return != nil && !desired && !equality.Semantic.DeepEqual(*template, former.Template):
		return x.breaks(S5, "the return would write another template than the kept one")
	case state.Return != nil && (state.Failed == nil) == (state.Return.Cause != model.ReturnSuperseded):
		return x.breaks(S5, "a return for the cause %s is recorded, and the failed revision is not", state.Return.Cause)
	case state.Return != nil:
	case inFlight && text != was:
		return x.breaks(S5, "the last proven template would be given up for one that was never proven")
	case inFlight:
	case text != "" && !equality.Semantic.DeepEqual(kept.Template, set.Spec.Template):
		return x.breaks(S5, "the template that is kept is not the one that serves")
	case text == "" && small(&set.Spec.Template):
		return x.breaks(S5, "the template that serves would not be kept")
	}
	return nil
}

// small tells whether the template may be kept: what is larger than half of what all annotations may have is not.
func small(template *corev1.PodTemplateSpec) bool {
	text, err := json.Marshal(template)
	return err == nil && len(text) < 120<<10
}

// native judges the strategy that the native controller would follow.
func (s single) native(a account, x act, spec *appsv1.DaemonSetSpec, state *model.State) (found []Violation) {
	moves := spec.Template.Annotations[s.keys.Revision] != s.targetRevision
	was, is := s.set().set.Spec.UpdateStrategy, spec.UpdateStrategy
	if moves && was.Type != is.Type {
		found = x.breaks(S5, "template and strategy would change in one write: the controller could act by the wrong one")
	}
	if is.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return found
	}
	strategy := &s.rollout.Spec.Strategy
	surge, unavailable := rollingNumbers(&is, a.ledger.Eligible)
	switch l := s.charged(a); {
	case s.deletesFirst() && !moves || strategy.Type == model.RollingUpdate || moves && state.DeleteFirst:
		found = append(found, x.breaks(S2, "the native controller would delete Pods that are rolled delete-first")...)
	case unavailable > 0:
		found = append(found, x.breaks(S2, "the native controller would have maxUnavailable %d", unavailable)...)
	case surge > a.limits.Window || surge > a.limits.Unavailable:
		found = append(found, x.breaks(S11, "maxSurge %d > the window of %d or maxUnavailable %d", surge, a.limits.Window, a.limits.Unavailable)...)
	case strategy.Paused || strategy.Frozen:
		found = append(found, x.breaks(S2, "the native controller would go on although the rollout is paused or frozen")...)
	case (moves || a.old > 0) && l.Charged() > a.limits.Unavailable:
		found = append(found, x.breaks(S2, "the native controller would replace every unready Pod at once: %d committed + %d ambient − %d exempt > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, a.limits.Unavailable)...)
	}
	if moves || was.Type == appsv1.OnDeleteDaemonSetStrategyType {
		found = append(found, s.mayStand(x, spec)...)
	}
	return found
}

// mayStand: no Pod of the written template is made beside one that its locks do not exclude, or whose anti-affinity keeps it off.
func (s single) mayStand(x act, spec *appsv1.DaemonSetSpec) (found []Violation) {
	next := &corev1.Pod{ObjectMeta: spec.Template.ObjectMeta, Spec: spec.Template.Spec}
	next.Namespace = s.set().set.Namespace
	for i := range s.cluster.Len() {
		at := s.pods(i, "")
		x := x.onNode(at.node.Name)
		for _, pod := range slices.Concat(at.former, at.fresh) {
			if s.isOf(pod, model.Blue, spec.Template.Annotations[s.keys.Revision]) {
				continue
			}
			if err := lockspec.MayOverlap(&pod.Spec, &next.Spec); s.rollout.Spec.Strategy.Overlap == model.Locked && err != nil {
				found = append(found, x.breaks(S14, "the locks of Pod %s and of the written template do not exclude each other: %v", pod.Name, err)...)
			}
			if why := capacity.Apart(pod, next); why != "" {
				found = append(found, x.breaks(S14, "no Pod of the written template is scheduled beside %s: %s", pod.Name, why)...)
			}
		}
	}
	return found
}

// rollingNumbers resolves a native rolling update with the API's defaults.
func rollingNumbers(strategy *appsv1.DaemonSetUpdateStrategy, nodes int) (surge, unavailable int) {
	unavailable = 1
	if r := strategy.RollingUpdate; r != nil && r.MaxSurge != nil {
		surge, _ = budget.Resolve(*r.MaxSurge, nodes)
	}
	if r := strategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		unavailable, _ = budget.Resolve(*r.MaxUnavailable, nodes)
	}
	return surge, unavailable
}
